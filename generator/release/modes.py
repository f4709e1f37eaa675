"""Permissions in a release. In: a folder that is built, or one to check. Out: modes set, or those that differ.

Harbor runs files from a mount that it cannot change, as a user who may be another than who built it: so every mode is
set when building, whatever the umask, and compared when verifying.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

FOLDER_MODE = 0o755
GROUP_WRITES = stat.S_IWGRP
"""A checkout or download under umask 002 has it; what the group could write is compared by its bytes."""

INHERITED = GROUP_WRITES | stat.S_ISGID
"""Folders take the set-group-id bit from the folder they are made in."""


def set_folder_modes(folder: Path) -> None:
    """The folder and every folder below it. Files get their mode where they are written."""
    folder.chmod(FOLDER_MODE)
    for path in folders_below(folder):
        path.chmod(FOLDER_MODE)


def mode_problems(side: Path, rebuilt: Path) -> list[str]:
    """Files and folders of both whose permissions differ, each in a sentence. The side's own mode is its owner's."""
    problems = []
    for path in sorted(rebuilt.rglob("*")):
        name = path.relative_to(rebuilt).as_posix()
        if not (side / name).exists():
            continue
        free = INHERITED if path.is_dir() else GROUP_WRITES
        came, expected = (stat.S_IMODE(one.lstat().st_mode) for one in (side / name, path))
        if (came ^ expected) & ~free:
            problems.append(f"{name}: mode {came:04o}, expected {expected:04o}")
    return problems


def empty_folders(folder: Path) -> list[str]:
    """Folders that hold nothing, by relative path: no manifest lists them, so none belongs to a release."""
    return sorted(path.relative_to(folder).as_posix() for path in folders_below(folder) if not any(path.iterdir()))


def folders_below(folder: Path) -> Iterator[Path]:
    for place, names, _ in os.walk(folder):
        yield from (Path(place, name) for name in names if not Path(place, name).is_symlink())
