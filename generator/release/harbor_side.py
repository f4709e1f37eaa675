"""dist/harbor. In: a rendered dataset and its Bindings. Out: the folder that Harbor runs from and publishes.

    harbor/
    ├── erpbench-001/ …     the task directories, as rendered
    ├── registry.json       paths relative to this folder, where the command is given
    ├── dataset.toml        names, digests of the tasks and of metric.py, as `harbor sync` sets them
    ├── dataset.lock        the seed and each native file's digest
    ├── metric.py           the custom metric that goes with a published dataset
    ├── README.md  LICENSE  LICENSE-DATA
    └── manifest.json       what it was built from, and every file's digest

registry.json keeps Harbor's own mean: a custom metric is run with the uv program, which not every machine has, and a
job whose metric cannot run fails after its last trial.
"""

import shutil
from pathlib import Path
from typing import Any

from generator.dataset import LOCK, read_lock
from generator.harbor.dataset import DatasetEntry, dataset_toml, registry
from generator.harbor.digest import is_packaged, task_digest
from generator.harbor.files import EXECUTABLE, toml_value
from generator.harbor.run import images_of
from generator.images.definition import PROJECT_ROOT, image_tag
from generator.release.bindings import Bindings, ReleaseError, sha256_of
from generator.release.card import templates
from generator.release.manifest import plain_files
from generator.release.placing import fresh_side

TEMPLATES = PROJECT_ROOT / "templates" / "release"
LICENCES = ("LICENSE", "LICENSE-DATA")
METRIC = "metric.py"
README = "harbor.md"


def build_harbor_side(dataset: Path, out: Path, bindings: Bindings) -> None:
    """Build out anew, replacing what an earlier build left there; it stays as it was if anything is not in order.

    Raises ReleaseError for a dataset that is not the bindings', is half-rendered or changed, or names other images.
    """
    if sha256_of(dataset / LOCK) != bindings.dataset_lock_sha256:
        raise ReleaseError(f"{dataset / LOCK}: not the lock that the bindings name ({bindings.dataset_lock_sha256})")
    tasks = read_lock(dataset)
    with fresh_side(out, bindings) as fresh:
        for task in sorted(tasks):
            copy_task(dataset / task, fresh / task, tasks[task], bindings)
        write_texts(fresh, manifest_texts(tasks, bindings, (dataset / LOCK).read_text(encoding="utf-8")))


def copy_task(source: Path, target: Path, locked: dict[str, Any], bindings: Bindings) -> None:
    """Copy what Harbor packages of a task. Raises ReleaseError unless it is the lock's and names the right images."""
    if not source.is_dir():
        raise ReleaseError(f"{source}: not rendered; run `make dataset`")
    for name, path in plain_files(source):
        if is_packaged(name):
            copied = target / name
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copied)
            copied.chmod(0o755 if name in EXECUTABLE else 0o644)
    came = task_digest(target)
    if came != locked["digest"]:
        raise ReleaseError(f"{source}: half-written or changed: the lock has {locked['digest']}, came {came}")
    expected = [image_tag(name, bindings.image_prefix, bindings.version) for name in ("agent", "world", "verifier")]
    named = images_of(target)
    if named != expected:
        raise ReleaseError(f"{source}: names the images {', '.join(named)}; expected {', '.join(expected)}")


def manifest_texts(tasks: dict[str, Any], bindings: Bindings, lock: str) -> dict[str, str]:
    """The files beside the task directories, by name."""
    entries = [DatasetEntry(task, tasks[task]["digest"]) for task in sorted(tasks)]
    metric = TEMPLATES / METRIC
    return {
        "registry.json": registry(entries, bindings.version, folder="."),
        "dataset.toml": dataset_toml(entries, bindings.version) + file_reference(METRIC, sha256_of(metric)),
        LOCK: lock,
        METRIC: metric.read_text(encoding="utf-8"),
        "README.md": build_readme(sorted(tasks), bindings),
        **{name: (PROJECT_ROOT / name).read_text(encoding="utf-8") for name in LICENCES},
    }


def file_reference(name: str, sha256: str) -> str:
    """A file of the dataset's own in dataset.toml."""
    return f"\n[[files]]\npath = {toml_value(name)}\ndigest = {toml_value(f'sha256:{sha256}')}\n"


def build_readme(tasks: list[str], bindings: Bindings) -> str:
    return templates().get_template(README).render(bindings=bindings, tasks=len(tasks), first=tasks[0])


def write_texts(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o644)
