"""What a release is bound to. In: a rendered dataset, the git tree, an engine if one answers. Out: Bindings.

Only what a rebuild needs is binding: commit, version, seed and image prefix. The rest is there to compare: the digest
of dataset.lock, of each lock of packages, of what each image is made of, and the ids of the images that were there.
"""

import hashlib
import json
import subprocess
import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from generator.dataset import LOCK, read_lock
from generator.images.definition import (
    ALL,
    INPUTS_LABEL,
    PROJECT_ROOT,
    ImageName,
    image_tag,
    inputs_digest,
    project_version,
)
from generator.images.engine import ImageFacts, connect, inspect
from generator.spec.errors import EngineError, ErpbenchError, first_fault
from generator.spec.tenant import Model

DIRTY = "-dirty"
AGENT_IMAGE = "agent:"
DIGEST = r"^sha256:[0-9a-f]{64}$"


class ReleaseError(ErpbenchError):
    """A release cannot be built, read or compared."""

    code = "release"


class ImageBinding(Model):
    """One image. inputs: digest of the files it is built from, the same on every machine; id: the engine's id of the
    local image, None unless an engine answered and had the image, built from these inputs."""

    name: ImageName
    tag: str
    inputs: str = Field(pattern=DIGEST)
    id: str | None = Field(default=None, pattern=DIGEST)


class Bindings(Model):
    """What a release was built from. images_seen says where image ids come from; python is the oldest that the package
    locks are made for."""

    schema_version: Literal[1] = 1
    version: str
    commit: str = Field(pattern=rf"^[0-9a-f]{{40}}({DIRTY})?$")
    seed: int
    image_prefix: str
    dataset_lock_sha256: str
    images_seen: Literal["engine", "inputs only"]
    images: tuple[ImageBinding, ...]
    locks: dict[str, str]
    python: str

    @property
    def dirty(self) -> bool:
        return self.commit.endswith(DIRTY)


def read_bindings(dataset: Path, allow_dirty: bool, root: Path = PROJECT_ROOT) -> Bindings:
    """The bindings of a rendered dataset and of this tree.

    Raises ReleaseError outside a git tree, on uncommitted changes unless allow_dirty, for a dataset of another version
    or without a readable task; DatasetError without a readable lock.
    """
    version, seed = _lock_head(dataset)
    if version != project_version(root):
        raise ReleaseError(
            f"{dataset / LOCK}: of version {version}, this tree is {project_version(root)}; run `make dataset`"
        )
    prefix = dataset_prefix(dataset)
    facts = local_images(prefix, version)
    return Bindings(
        version=version,
        commit=git_commit(allow_dirty, root),
        seed=seed,
        image_prefix=prefix,
        dataset_lock_sha256=sha256_of(dataset / LOCK),
        images_seen="inputs only" if facts is None else "engine",
        images=tuple(_image(name, prefix, version, facts or {}, root) for name in _names()),
        locks=lock_digests(root),
        python=lock_python(root),
    )


def git_commit(allow_dirty: bool, root: Path = PROJECT_ROOT) -> str:
    """The commit checked out, with -dirty where anything is not committed. Raises ReleaseError."""
    commit = _git(root, "rev-parse", "--verify", "HEAD").strip()
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed and not allow_dirty:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise ReleaseError(f"{root}: not committed: {changed[0][3:]}{more}; a release is built from a clean tree")
    return f"{commit}{DIRTY}" if changed else commit


def _git(root: Path, *arguments: str) -> str:
    try:
        result = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ReleaseError("the git command is not on PATH; a release names the commit it is built from") from None
    if result.returncode != 0:
        told = " ".join(result.stderr.split())[:160]
        raise ReleaseError(f"{root}: expected a git tree with a commit, git {arguments[0]} says: {told}")
    return result.stdout


def dataset_prefix(dataset: Path) -> str:
    """The prefix of the images that the dataset's first task names, e.g. erpbench100/. Raises ReleaseError."""
    path = dataset / min(read_lock(dataset), default="erpbench-001") / "task.toml"
    try:
        image = str(tomllib.loads(path.read_text(encoding="utf-8"))["environment"]["docker_image"])
    except FileNotFoundError:
        raise ReleaseError(f"{path}: not rendered; run `make dataset`") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ReleaseError(f"{path}: expected [environment] docker_image, came {error!r}") from None
    prefix, found, _ = image.rpartition(AGENT_IMAGE)
    if not found:
        raise ReleaseError(f"{path}: docker_image: expected PREFIX{AGENT_IMAGE}VERSION, came {image!r}")
    return prefix


def local_images(prefix: str, version: str) -> dict[str, ImageFacts] | None:
    """The images that the engine has by name; None if no engine answers."""
    try:
        client = connect(timeout=5)
    except EngineError:
        return None
    found = {name: inspect(client, image_tag(name, prefix, version)) for name in _names()}
    return {name: facts for name, facts in found.items() if facts is not None}


def lock_python(root: Path = PROJECT_ROOT) -> str:
    """The Python that locks/*.lock are compiled for: the lowest that the project takes."""
    with (root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["requires-python"]).removeprefix(">=")


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _names() -> tuple[ImageName, ...]:
    return tuple(definition.name for definition in ALL)


def _image(name: ImageName, prefix: str, version: str, facts: dict[str, ImageFacts], root: Path) -> ImageBinding:
    """The id is left out for an image of other inputs: a release must not name what it was not built with."""
    definition = next(one for one in ALL if one.name == name)
    found, base = facts.get(name), facts.get("base")
    ground = "" if name == "base" or base is None else base.id
    same = found is not None and found.labels.get(INPUTS_LABEL) == inputs_digest(definition, ground, root)
    return ImageBinding(
        name=name,
        tag=image_tag(name, prefix, version),
        inputs=f"sha256:{inputs_digest(definition, '', root)}",
        id=found.id if found is not None and same else None,
    )


def _lock_head(dataset: Path) -> tuple[str, int]:
    """Version and seed of dataset.lock."""
    read_lock(dataset)
    try:
        lock = json.loads((dataset / LOCK).read_text(encoding="utf-8"))
        return str(lock["version"]), int(lock["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReleaseError(f"{dataset / LOCK}: expected version and seed, came {error!r}") from None


def parse_bindings(value: object, where: Path) -> Bindings:
    """Raises ReleaseError naming the field that is not of the model."""
    try:
        return Bindings.model_validate(value)
    except ValidationError as error:
        field, reason, came = first_fault(error)
        raise ReleaseError(f"{where}: bindings.{field}: {reason}, came {came!r}") from None


def compared_bindings(bindings: Bindings, root: Path = PROJECT_ROOT) -> tuple[list[str], list[str]]:
    """What of this tree is not what the bindings have, and what is only worth knowing.

    An image's id is a note: the same inputs built on another day give another id, so none can be held to be right
    unless the engine here has that very image.
    """
    problems = []
    if project_version(root) != bindings.version:
        problems.append(f"of version {bindings.version}, this checkout is {project_version(root)}")
    if lock_python(root) != bindings.python:
        problems.append(f"for Python {bindings.python}, this checkout's locks are for {lock_python(root)}")
    locks = lock_digests(root)
    for name in sorted(locks.keys() | bindings.locks.keys()):
        if locks.get(name) != bindings.locks.get(name):
            problems.append(f"locks/{name} is not the one of this checkout")
    facts = local_images(bindings.image_prefix, bindings.version)
    notes = []
    expected = {name: _image(name, bindings.image_prefix, bindings.version, facts or {}, root) for name in _names()}
    seen_here = "inputs only" if facts is None else "engine"
    if bindings.images_seen == "inputs only" and any(image.id for image in bindings.images):
        problems.append("images_seen is 'inputs only', yet image ids are given, which only an engine gives")
    elif bindings.images_seen != seen_here:
        notes.append(f"images_seen is {bindings.images_seen!r}, here it is {seen_here!r}")
    if [image.name for image in bindings.images] != list(expected):
        problems.append(f"images are {', '.join(image.name for image in bindings.images)}")
    for image in bindings.images:
        here = expected[image.name]
        if (image.tag, image.inputs) != (here.tag, here.inputs):
            problems.append(f"image {image.name} ({image.tag}) is of other inputs than this checkout's ({here.tag})")
        elif image.id is not None and image.id != here.id:
            why = f"built from the same inputs, with another id here ({here.id})"
            if here.id is None:
                told = "no engine answers" if facts is None else "no image of these inputs is here"
                why = f"its id {image.id} cannot be confirmed: {told}"
            notes.append(f"image {image.tag}: {why}")
    return problems, notes


def lock_digests(root: Path = PROJECT_ROOT) -> dict[str, str]:
    return {path.name: sha256_of(path) for path in sorted((root / "locks").glob("*.lock"))}
