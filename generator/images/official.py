"""The digest of the official base image. In: images/base/official.json, a registry. Out: the digest on record.

A release must rest on a base that is named by its content. Where no registry answers the digest cannot be had, and is
not made up: official.json says null, images are built on a stand-in, and `release_problems` keeps such a tree from
being released.
"""

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from generator.images.definition import ORIGIN_LABEL, PROJECT_ROOT
from generator.images.engine import ImageFacts, pull
from generator.spec.errors import EngineError

if TYPE_CHECKING:
    from docker import DockerClient

OFFICIAL = "images/base/official.json"
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def recorded(root: Path = PROJECT_ROOT) -> tuple[str, str | None]:
    """The reference by tag and the digest on record. Raises EngineError for a digest that is none."""
    official = json.loads((root / OFFICIAL).read_text(encoding="utf-8"))
    digest = official["digest"]
    if digest is not None and not DIGEST.fullmatch(str(digest)):
        raise EngineError(f"{OFFICIAL}: digest: expected sha256: and 64 hexadecimal digits or null, came {digest!r}")
    return str(official["reference"]), digest


def official_reference(root: Path = PROJECT_ROOT) -> str:
    """The official Python image: by digest once one is recorded, else by tag."""
    reference, digest = recorded(root)
    return f"{reference.split(':')[0]}@{digest}" if digest else reference


def record_digest(client: "DockerClient", root: Path = PROJECT_ROOT) -> str:
    """Ask the registry for the tag and put the digest that it answers with into official.json; returns the digest.

    Raises EngineError, and changes nothing, if no registry answers.
    """
    reference, _ = recorded(root)
    pulled = pull(client, reference)
    digest = (pulled or "").rpartition("@")[2]
    if not DIGEST.fullmatch(digest):
        raise EngineError(f"base image {reference}: no registry answers for it, so its digest cannot be recorded")
    path = root / OFFICIAL
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps({"reference": reference, "digest": digest}, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)
    return digest


def release_problems(base: ImageFacts | None, root: Path = PROJECT_ROOT) -> list[str]:
    """Why images of this tree may not be released as they are; none if their base is the official one, by digest."""
    reference, digest = recorded(root)
    problems = []
    if digest is None:
        problems.append(
            f"{OFFICIAL}: no digest of {reference} is on record; run `erpbench images pin` where a registry answers"
        )
    origin = base.labels.get(ORIGIN_LABEL, "nothing known") if base else "no base image"
    if digest is None or origin.rpartition("@")[2] != digest:
        problems.append(f"base image: built on {origin}, expected {official_reference(root)}")
    return problems
