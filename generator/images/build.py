"""Build the images whose inputs changed. In: the project's folder, an engine. Out: local tags with an inputs label.

The SDK does what it can (asking, inspecting, pulling); the builds themselves go through `docker build`, because the CA
bundle is a BuildKit secret and the SDK only speaks the older builder, which has none.
"""

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.images.definition import (
    BASE,
    DERIVED,
    INPUTS_LABEL,
    ORIGIN_LABEL,
    PROJECT_ROOT,
    ImageDefinition,
    image_tag,
    inputs_digest,
)
from generator.images.engine import ImageFacts, connect, discard_untagged, inspect, pull
from generator.images.official import official_reference
from generator.spec.errors import EngineError

if TYPE_CHECKING:
    from docker import DockerClient

STAND_IN = "local/python:3.13-trixie"
CA_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Ground:
    """What the base image starts from: its reference, and why this one."""

    reference: str
    reason: str


def choose_ground(client: "DockerClient", choice: str, root: Path) -> Ground:
    """choice is auto, official, stand-in, or an image of the user's own. Raises EngineError if it cannot be had."""
    if choice not in ("auto", "official", "stand-in"):
        if inspect(client, choice) is None and pull(client, choice) is None:
            raise EngineError(f"base image {choice}: neither here nor at its registry")
        return Ground(choice, "asked for")
    if choice != "stand-in":
        reference = official_reference(root)
        pinned = pull(client, reference)
        if pinned:
            return Ground(pinned, f"the official {reference}, by digest")
        if choice == "official":
            raise EngineError(f"base image {reference}: no registry answers for it")
    if inspect(client, STAND_IN) is None:
        result = subprocess.run(
            [str(root / "scripts/local-base-image"), STAND_IN], capture_output=True, text=True, check=False
        )
        if result.returncode != 0:
            raise EngineError(f"base image: no registry answers and the stand-in failed: {last_line(result.stderr)}")
    return Ground(STAND_IN, "no registry answers" if choice == "auto" else "asked for")


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def docker_build(definition: ImageDefinition, tag: str, ground: str, labels: dict[str, str], root: Path) -> None:
    """Raises EngineError with the last lines of the build's log."""
    command = ["docker", "build", "--progress", "plain", "--file", definition.dockerfile, "--tag", tag]
    command += ["--build-arg", f"BASE={ground}"]
    for name, value in labels.items():
        command += ["--label", f"{name}={value}"]
    if CA_BUNDLE.is_file():
        command += ["--secret", f"id=ca,src={CA_BUNDLE}"]
    environment = {**os.environ, "DOCKER_BUILDKIT": "1"}
    try:
        result = subprocess.run([*command, "."], cwd=root, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise EngineError("the docker command is not on PATH; building needs it, with BuildKit") from None
    if result.returncode != 0:
        tail = "\n".join(result.stderr.splitlines()[-15:])
        raise EngineError(f"image {tag} cannot be built:\n{tail}")


def build_base(client: "DockerClient", prefix: str, version: str, choice: str, say: Say, root: Path) -> ImageFacts:
    """The base, built anew only if its inputs changed or another ground is asked for by name."""
    tag = image_tag("base", prefix, version)
    present = inspect(client, tag)
    wanted = inputs_digest(BASE, "" if choice == "auto" else choice, root)
    if present and present.labels.get(INPUTS_LABEL) == wanted:
        say(f"{tag}  up to date, on {present.labels.get(ORIGIN_LABEL, '?')}")
        return present
    ground = choose_ground(client, choice, root)
    say(f"{tag}  on {ground.reference} ({ground.reason})")
    docker_build(BASE, tag, ground.reference, {INPUTS_LABEL: wanted, ORIGIN_LABEL: ground.reference}, root)
    built = inspect(client, tag)
    if built is None:
        raise EngineError(f"image {tag}: built, but the engine does not have it (a builder that does not load images?)")
    if present:
        discard_untagged(client, present.id)
    return built


def build_images(prefix: str, version: str, choice: str, say: Say, root: Path = PROJECT_ROOT) -> int:
    """Build what is missing or of other inputs; returns how many were built. Raises EngineError."""
    client = connect()
    base_tag = image_tag("base", prefix, version)
    before = inspect(client, base_tag)
    base = build_base(client, prefix, version, choice, say, root)
    built = int(before is None or before.id != base.id)
    for definition in DERIVED:
        tag = image_tag(definition.name, prefix, version)
        wanted = inputs_digest(definition, base.id, root)
        present = inspect(client, tag)
        if present and present.labels.get(INPUTS_LABEL) == wanted:
            say(f"{tag}  up to date")
            continue
        started = time.monotonic()
        docker_build(definition, tag, base_tag, {INPUTS_LABEL: wanted}, root)
        if present:
            discard_untagged(client, present.id)
        built += 1
        say(f"{tag}  built in {time.monotonic() - started:.0f} s")
    return built
