"""A folder of a release built beside its place. In: the place. Out: a new folder, put there once it is whole."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator.release.bindings import Bindings
from generator.release.manifest import write_manifest
from generator.release.modes import set_folder_modes


@contextlib.contextmanager
def fresh_side(out: Path, bindings: Bindings) -> Iterator[Path]:
    """An empty folder to fill; then it gets its modes and manifest and takes the place of what was there.

    If filling it raises, what was there stays as it was.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        fresh = building / "new"
        fresh.mkdir()
        yield fresh
        set_folder_modes(fresh)
        write_manifest(fresh, bindings)
        if out.exists():
            out.rename(building / "old")
        fresh.rename(out)
    finally:
        shutil.rmtree(building, ignore_errors=True)
