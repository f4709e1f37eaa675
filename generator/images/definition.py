"""What each image is made of and must look like. In: the project's folder, the prefix. Out: names, digests."""

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from generator.spec.errors import EngineError

ImageName = Literal["base", "agent", "world", "verifier"]

PREFIX_VARIABLE = "ERPBENCH_IMAGE_PREFIX"
DEFAULT_PREFIX = "erpbench100/"
INPUTS_LABEL = "erpbench.inputs"
ORIGIN_LABEL = "erpbench.base"
PROJECT_ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class ImageDefinition:
    """One image. inputs are files or folders of the project; user is the numeric user that it runs as ("" for root).

    limit is how many bytes it may add to the base.
    """

    name: ImageName
    inputs: tuple[str, ...]
    user: str
    limit: int

    @property
    def dockerfile(self) -> str:
        return f"images/{self.name}/Dockerfile"


BASE = ImageDefinition(
    "base", ("images/base/Dockerfile", "images/base/official.json", "scripts/local-base-image"), "", 5 * MEGABYTE
)
DERIVED = (
    ImageDefinition("agent", ("images/agent",), "10001:10001", 120 * MEGABYTE),
    ImageDefinition(
        "world",
        (
            "images/world/Dockerfile",
            "images/world/Dockerfile.dockerignore",
            "images/world/erpbench_world",
            "locks/world.lock",
        ),
        "10002:10002",
        120 * MEGABYTE,
    ),
    ImageDefinition("verifier", ("images/verifier", "verifier"), "10003:10003", 10 * MEGABYTE),
)
ALL = (BASE, *DERIVED)


def project_version(root: Path = PROJECT_ROOT) -> str:
    with (root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def image_prefix(environment: Mapping[str, str] = os.environ) -> str:
    return environment.get(PREFIX_VARIABLE) or DEFAULT_PREFIX


def image_tag(name: ImageName, prefix: str, version: str) -> str:
    """E.g. erpbench100/world:1.0.0."""
    return f"{prefix}{name}:{version}"


def input_files(definition: ImageDefinition, root: Path = PROJECT_ROOT) -> list[Path]:
    """The files that the image is built from, in order. Raises EngineError for an input that is not there."""
    files: set[Path] = set()
    for entry in definition.inputs:
        path = root / entry
        if path.is_file():
            files.add(path)
        elif path.is_dir():
            files.update(inner for inner in path.rglob("*") if inner.is_file() and "__pycache__" not in inner.parts)
        else:
            raise EngineError(f"image {definition.name}: {entry} is missing from {root}")
    return sorted(files)


def inputs_digest(definition: ImageDefinition, ground: str, root: Path = PROJECT_ROOT) -> str:
    """sha256 over the inputs' paths, modes and bytes, and over the ground: the id of the image that it is built on.

    The label with this digest says whether an image is of this tree, so that nothing is built twice.
    """
    digest = hashlib.sha256(f"ground {ground}\n".encode())
    for path in input_files(definition, root):
        executable = "x" if path.stat().st_mode & 0o100 else "-"
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()}\0{executable}\0{content}\n".encode())
    return digest.hexdigest()
