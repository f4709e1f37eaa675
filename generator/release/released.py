"""Whether a dataset is the release's own. In: Bindings, this checkout. Out: what is not the release's, in sentences.

A twin is rendered from another seed to stay private, so it must not go out under the release's name and version. What
the release holds is settled by one committed file, harbor_tasks/dataset.lock.
"""

from pathlib import Path

from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import Bindings, ReleaseError, sha256_of
from generator.spec.streams import RELEASE_SEED

RELEASED_LOCK = "harbor_tasks/dataset.lock"


def released_problems(bindings: Bindings, root: Path = PROJECT_ROOT, lock: str = RELEASED_LOCK) -> list[str]:
    """None if seed and dataset are the release's. A twin is one sentence, since its dataset cannot agree either."""
    if bindings.seed != RELEASE_SEED:
        return [f"a twin is private: expected the release's seed {RELEASE_SEED}, came {bindings.seed}"]
    if not (root / lock).is_file():
        return [f"this checkout has no {lock} to compare with"]
    expected = sha256_of(root / lock)
    if bindings.dataset_lock_sha256 != expected:
        came = bindings.dataset_lock_sha256
        return [f"its dataset is not the release's: SHA-256 of dataset.lock {came}, this checkout's {lock} {expected}"]
    return []


def check_released(bindings: Bindings, where: Path, root: Path = PROJECT_ROOT, lock: str = RELEASED_LOCK) -> None:
    """Raises ReleaseError for a twin and for any other dataset than the release's; where: what the bindings are of."""
    for problem in released_problems(bindings, root, lock):
        raise ReleaseError(f"{where}: {problem}")
