"""A small release: Northbridge's ten tasks, rendered once, with the bindings of this tree."""

import shutil
from functools import cache
from pathlib import Path

from generator.dataset import LOCK, build_dataset
from generator.release.bindings import Bindings, read_bindings
from generator.release.harbor_side import build_harbor_side
from generator.release.verify import Verification, verify
from tests.episode_fixture import written_northbridge


@cache
def small_dataset(folder: Path) -> Path:
    build_dataset([written_northbridge()], folder, lambda done, total: None)
    return folder


@cache
def small_side(folder: Path) -> Path:
    """The Harbor side of the small dataset, to copy from."""
    dataset = small_dataset(folder / "harbor_tasks")
    build_harbor_side(dataset, folder / "harbor", bindings_of(dataset))
    return folder / "harbor"


@cache
def bindings_of(dataset: Path) -> Bindings:
    return read_bindings(dataset, allow_dirty=True)


def found_by(folder: Path, dataset: Path) -> Verification:
    """What verifying finds where the dataset is the one that is released, and rendered anew comes out the same."""
    return verify(folder, lambda bindings, out: render_copy(dataset, out), lock=str(dataset / LOCK))


def render_copy(dataset: Path, out: Path) -> None:
    """In place of rendering anew, where the rebuild's other half is what is tested."""
    shutil.copytree(dataset, out)
