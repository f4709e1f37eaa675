"""A task's digest as Harbor computes it. In: a task directory, or its files. Out: "sha256:" and 64 hexadecimal digits.

Harbor hashes, over the files in the order of their POSIX paths, lines of path, NUL, sha256 of the bytes, newline. It
takes task.toml, instruction.md, README.md, trajectory.json and all below environment/, tests/, solution/ and steps/;
the default ignore list (__pycache__, *.pyc, editors' leftovers) is left out. Our tasks have no .gitignore and no
.harborignore; a directory with one is refused, since its rules would count.
"""

import hashlib
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

from generator.spec.errors import DatasetError

SINGLE_FILES = ("task.toml", "instruction.md", "README.md", "trajectory.json")
FOLDERS = ("environment", "tests", "solution", "steps")
IGNORED_FOLDER = "__pycache__"
IGNORED_NAMES = ("*.pyc", ".DS_Store", "*.swp", "*.swo", "*~")
IGNORE_FILES = (".gitignore", ".harborignore")


def is_packaged(path: str) -> bool:
    """Whether Harbor takes the file at this relative POSIX path into the package."""
    parts = path.split("/")
    if IGNORED_FOLDER in parts[:-1] or any(fnmatch(part, pattern) for part in parts for pattern in IGNORED_NAMES):
        return False
    return path in SINGLE_FILES or (len(parts) > 1 and parts[0] in FOLDERS)


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """The digest of a task given as relative path to content."""
    outer = hashlib.sha256()
    for path in sorted(filter(is_packaged, files)):
        outer.update(f"{path}\0{hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return f"sha256:{outer.hexdigest()}"


def task_digest(directory: Path) -> str:
    """The digest of a task directory. Raises DatasetError if it is none or brings ignore rules of its own."""
    if not (directory / "task.toml").is_file():
        raise DatasetError(f"{directory}: no task.toml; expected a task directory")
    paths = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}
    rules = [path for path in paths if path.split("/")[-1] in IGNORE_FILES]
    if rules:
        raise DatasetError(f"{directory}: {rules[0]} would change what Harbor packages; task directories have none")
    return digest_of_files({name: path.read_bytes() for name, path in paths.items() if is_packaged(name)})
