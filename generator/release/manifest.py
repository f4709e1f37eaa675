"""manifest.json of a release folder. In: the folder, its Bindings. Out: the bindings, each file's digest and size.

The manifest lists every file below the folder but itself, sorted by path; nothing in it depends on when or where it
was written, so the same release gives the same manifest.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from generator.release.bindings import Bindings, ReleaseError, parse_bindings, sha256_of
from generator.release.modes import empty_folders
from generator.spec.tenant import Model

MANIFEST = "manifest.json"


class FileEntry(Model):
    """One file: its SHA-256 and its size in bytes."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size: int = Field(ge=0)


class Manifest(Model):
    """files maps relative POSIX paths to what the file must be."""

    schema_version: Literal[1] = 1
    bindings: Bindings
    files: dict[str, FileEntry]


def build_manifest(folder: Path, bindings: Bindings) -> Manifest:
    return Manifest(bindings=bindings, files=file_entries(folder))


def file_entries(folder: Path) -> dict[str, FileEntry]:
    """Raises ReleaseError for a link or anything else that is no plain file."""
    return {name: FileEntry(sha256=sha256_of(path), size=path.stat().st_size) for name, path in plain_files(folder)}


def manifest_text(manifest: Manifest) -> str:
    """The one form in which a manifest is written."""
    return json.dumps(manifest.model_dump(mode="json"), indent=1, sort_keys=True) + "\n"


def write_manifest(folder: Path, bindings: Bindings) -> None:
    """Write folder/manifest.json over every other file below the folder, beside the folder and then renamed."""
    text = manifest_text(build_manifest(folder, bindings))
    beside = folder.parent / f".{folder.name}-{MANIFEST}.{os.getpid()}"
    try:
        beside.write_text(text, encoding="utf-8")
        beside.chmod(0o644)
        beside.replace(folder / MANIFEST)
    finally:
        beside.unlink(missing_ok=True)


def read_manifest(folder: Path) -> Manifest:
    """Raises ReleaseError for a folder without a manifest, or one that is not of this form and version."""
    path = folder / MANIFEST
    try:
        raw = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except FileNotFoundError:
        raise ReleaseError(f"{folder}: no {MANIFEST}; expected a release folder, e.g. dist/harbor") from None
    except (OSError, RecursionError, ValueError) as error:
        raise ReleaseError(f"{path}: not JSON ({error})") from None
    if not isinstance(raw, dict) or raw.get("schema_version") != 1:
        came = raw.get("schema_version") if isinstance(raw, dict) else type(raw).__name__
        raise ReleaseError(f"{path}: expected schema version 1, came {came!r}")
    parse_bindings(raw.get("bindings"), path)
    try:
        return Manifest.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        field = "/".join(str(part) for part in first["loc"])
        raise ReleaseError(f"{path}: {field}: {first['msg']}, came {first['input']!r}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys all differ: of two equal ones readers take either. Raises ValueError."""
    for name, count in Counter(name for name, _ in pairs).items():
        if count > 1:
            raise ValueError(f"key {name!r} {count} times in one object")
    return dict(pairs)


def folder_problems(folder: Path, manifest: Manifest) -> list[str]:
    """All in which a folder is not what its manifest says: its files, and folders that hold none.

    Raises ReleaseError for a link or a special file.
    """
    empty = [f"{name}/: an empty folder" for name in empty_folders(folder)]
    return manifest_problems(file_entries(folder), manifest) + empty


def form_problems(folder: Path, manifest: Manifest) -> list[str]:
    """Of a manifest whose content agrees, whether its bytes are those that a build writes."""
    same = (folder / MANIFEST).read_bytes() == manifest_text(manifest).encode("utf-8")
    return [] if same else [f"{MANIFEST}: not in the form that a build writes, byte for byte"]


def manifest_problems(present: Mapping[str, FileEntry], manifest: Manifest) -> list[str]:
    """The files that are changed, missing or not listed, each in a sentence that names it.

    A whole folder that is none of the release's (such as jobs/, where Harbor puts runs) is one sentence.
    """
    known = {_top(name) for name in manifest.files}
    strange = Counter(_top(name) for name in present if "/" in name and _top(name) not in known)
    problems = [f"{top}/: {count} files, none in {MANIFEST}" for top, count in sorted(strange.items())]
    for name in sorted(manifest.files.keys() | present.keys()):
        if _top(name) in strange:
            continue
        listed, came = manifest.files.get(name), present.get(name)
        if listed is None:
            problems.append(f"{name}: not in {MANIFEST}")
        elif came is None:
            problems.append(f"{name}: missing; {MANIFEST} lists it with {listed.size} bytes")
        elif came.size != listed.size:
            problems.append(f"{name}: {came.size} bytes, {MANIFEST} has {listed.size}")
        elif came.sha256 != listed.sha256:
            problems.append(f"{name}: its SHA-256 is {came.sha256}, {MANIFEST} has {listed.sha256}")
    return problems


def _top(name: str) -> str:
    return name.partition("/")[0]


def plain_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Relative path and place of every file below the folder in the order of paths, the folder's own manifest left out.

    Raises ReleaseError for a link or a special file, also where it is the folder: what it leads to is in no digest.
    """
    if folder.is_symlink():
        raise ReleaseError(f"{folder}: a link; expected the folder itself")
    if not folder.is_dir():
        raise ReleaseError(f"{folder}: no such folder")
    found: dict[str, Path] = {}
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(place, name)
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise ReleaseError(f"{path}: a release holds plain files only, this is a link or a special file")
            if path.is_file() and relative != MANIFEST:
                found[relative] = path
    yield from sorted(found.items())
