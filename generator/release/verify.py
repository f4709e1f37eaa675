"""Check a release folder. In: the folder, this checkout. Out: problems as sentences naming the file; none if it holds.

Four looks, in this order: whether the dataset is the release's own; whether this checkout is the one that the manifest
names; whether every file is as the manifest has it; and whether a rebuild from the manifest's seed and image prefix
gives the same files with the same permissions. The last does not trust the manifest: a file that was changed together
with its line in the manifest differs from the rebuild.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.dataset import LOCK
from generator.images.definition import PREFIX_VARIABLE, PROJECT_ROOT
from generator.release.bindings import DIRTY, Bindings, ReleaseError, compared_bindings, git_commit, sha256_of
from generator.release.harbor_side import build_harbor_side
from generator.release.huggingface import build_huggingface, published_qualification
from generator.release.manifest import (
    MANIFEST,
    FileEntry,
    Manifest,
    file_entries,
    folder_problems,
    form_problems,
    read_manifest,
)
from generator.release.modes import mode_problems
from generator.release.released import RELEASED_LOCK, released_problems

SIDES = ("harbor", "huggingface")
BESIDE = ("attack", "bench", "interop", "qualification", "sbom")
"""What other commands put into dist."""

HARBOR_ONLY = "registry.json"
QUALIFICATION_NOTE = "its qualification is taken as published; `erpbench qualify` plays it again"

Render = Callable[[Bindings, Path], None]


@dataclass(frozen=True)
class Verification:
    """problems: what is not as it should be; notes: what cannot be told or what a reader should know; sides: what was
    looked at, each with its number of files."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    sides: dict[str, int]


def verify_folder(folder: Path) -> list[str]:
    """The problems of a side (dist/harbor, dist/huggingface) or of the folder that holds them; empty if none.

    Raises ReleaseError for a folder that is no release, or whose manifest cannot be read.
    """
    return list(verify(folder).problems)


def verify(
    folder: Path, render: Render | None = None, root: Path = PROJECT_ROOT, lock: str = RELEASED_LOCK
) -> Verification:
    """Everything that is to be said of a release folder; one rendering serves all its sides. lock: where the checkout
    has what the release holds.
    """
    sides = _sides(folder)
    manifests = {place: read_manifest(place) for place in sides}
    problems: list[str] = []
    absent = [name for name in SIDES if "" not in sides.values() and name not in sides.values()]
    notes = [f"{name}: not there, not looked at" for name in absent]
    notes += [] if "" in sides.values() else strangers(folder)
    bindings = [manifest.bindings for manifest in manifests.values()]
    if any(other != bindings[0] for other in bindings):
        problems.append(
            f"{MANIFEST}: the sides are bound to different builds; looking at {next(iter(sides.values()))}'s"
        )
    problems += [f"{MANIFEST}: {one}" for one in released_problems(bindings[0], root, lock)]
    wrong, told = checkout_problems(bindings[0], root)
    problems += wrong
    notes += told
    with tempfile.TemporaryDirectory(prefix="erpbench-verify-") as place:
        fresh = Path(place)
        (render or render_anew)(bindings[0], fresh / "dataset")
        came = sha256_of(fresh / "dataset" / LOCK)
        if came != bindings[0].dataset_lock_sha256:
            expected = bindings[0].dataset_lock_sha256
            problems.append(f"{LOCK}: rendered again it has SHA-256 {came}, {MANIFEST} has {expected}")
        for side, manifest in manifests.items():
            name = sides[side]
            found = side_problems(side, manifest, fresh / "dataset", fresh / "rebuilt" / side.name)
            if name and (name == "harbor") != (HARBOR_ONLY in manifest.files):
                found.append(f"{MANIFEST}: of the other side")
            problems += [f"{name}/{problem}" if name else problem for problem in found]
            notes += [] if HARBOR_ONLY in manifest.files else [f"{name or side.name}: {QUALIFICATION_NOTE}"]
    counted = {name or side.name: len(manifests[side].files) for side, name in sides.items()}
    return Verification(tuple(problems), tuple(notes), counted)


def side_problems(side: Path, manifest: Manifest, dataset: Path, rebuilt: Path) -> list[str]:
    """The files in which a side differs from its manifest or from its rebuild; each is named once."""
    present = file_entries(side)
    problems = folder_problems(side, manifest) + form_problems(side, manifest)
    try:
        build_side(side, manifest, dataset, rebuilt)
    except ReleaseError as error:
        return [*problems, f"{MANIFEST}: what it is of cannot be built again: {error}"]
    named = {problem.partition(": ")[0] for problem in problems}
    for name, told in differences(present, rebuilt):
        if not named & {name, f"{name.partition('/')[0]}/"}:
            problems.append(f"{name}: {told}")
    return problems + mode_problems(side, rebuilt)


def _sides(folder: Path) -> dict[Path, str]:
    """The folders to look at, each with the name that its problems begin with."""
    if not folder.is_dir():
        raise ReleaseError(f"{folder}: no such folder; expected dist, dist/harbor or dist/huggingface")
    if os.path.lexists(folder / MANIFEST):
        if folder.is_symlink():
            raise ReleaseError(f"{folder}: a link; expected the folder itself")
        return {folder: ""}
    sides = {folder / name: name for name in SIDES if os.path.lexists(folder / name)}
    if not sides:
        raise ReleaseError(f"{folder}: no {MANIFEST} and no {' or '.join(SIDES)}; expected a release folder")
    for side in sides:
        if side.is_symlink() or not side.is_dir():
            raise ReleaseError(f"{side}: a link or no folder; expected the folder itself")
    return sides


def strangers(folder: Path) -> list[str]:
    """What lies beside the sides and is of no command of ours, a note each: nobody looks at it."""
    known = {*SIDES, *BESIDE}
    found = sorted(path for path in folder.iterdir() if path.name not in known or path.is_symlink() or path.is_file())
    return [f"{path.name}: not of the release, not looked at" for path in found]


def checkout_problems(bindings: Bindings, root: Path = PROJECT_ROOT) -> tuple[list[str], list[str]]:
    """What of this checkout is not what the manifest names, and what cannot be told or does not decide."""
    problems: list[str] = []
    notes: list[str] = []
    try:
        here = git_commit(allow_dirty=True, root=root)
    except ReleaseError as error:
        problems.append(f"{MANIFEST}: its commit cannot be compared: {error}")
        here = bindings.commit
    if here.removesuffix(DIRTY) != bindings.commit.removesuffix(DIRTY):
        problems.append(f"{MANIFEST}: built from commit {bindings.commit}, this checkout is {here}")
    if bindings.dirty:
        notes.append(
            f"{MANIFEST}: built with changes that were not committed: its commit alone does not give these bytes"
        )
    if here.endswith(DIRTY):
        notes.append("this checkout has changes that are not committed")
    wrong, told = compared_bindings(bindings, root)
    return problems + [f"{MANIFEST}: {one}" for one in wrong], notes + told


def render_anew(bindings: Bindings, out: Path) -> None:
    """Render the dataset in a process of its own, whose environment has the release's image prefix."""
    command = [sys.executable, "-m", "generator.cli", "dataset", "--seed", str(bindings.seed), "--out", str(out)]
    paths = os.pathsep.join([str(PROJECT_ROOT), str(PROJECT_ROOT / "images" / "world")])
    environment = {**os.environ, PREFIX_VARIABLE: bindings.image_prefix, "PYTHONPATH": paths}
    result = subprocess.run(command, cwd=PROJECT_ROOT, env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise ReleaseError(f"seed {bindings.seed} cannot be rendered: {' '.join(result.stderr.split())[-300:]}")


def build_side(side: Path, manifest: Manifest, dataset: Path, out: Path) -> None:
    """Build the side again from a rendered dataset. Raises ReleaseError where that cannot be."""
    bindings = manifest.bindings.model_copy(update={"dataset_lock_sha256": sha256_of(dataset / LOCK)})
    if HARBOR_ONLY in manifest.files:
        build_harbor_side(dataset, out, bindings)
    else:
        build_huggingface(dataset, out, bindings, published_qualification(side))


def differences(present: Mapping[str, FileEntry], rebuilt: Path) -> Iterator[tuple[str, str]]:
    """The files in which a release and its rebuild differ, and how. The rebuild's digests are in its manifest."""
    fresh = read_manifest(rebuilt).files
    for name in sorted(present.keys() | fresh.keys()):
        if name not in present or name not in fresh:
            yield name, f"only in {'the rebuild' if name in fresh else 'the release'}"
        elif present[name] != fresh[name]:
            yield name, "differs from the rebuild"
