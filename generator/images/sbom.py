"""A bill of materials for each image, in CycloneDX 1.6. In: inventories and image facts. Out: dist/sbom/*.cdx.json.

The bytes are those of the image: its serial number is derived from the image's id, its date is the image's, and all is
in order of names, so that the same image gives the same file on any day.
"""

import datetime as dt
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.images.definition import ALL, INPUTS_LABEL, ORIGIN_LABEL, PROJECT_ROOT, ImageName, image_tag
from generator.images.engine import ImageFacts, connect, inspect
from generator.images.inventory import Inventory, PythonPackage, locked_hashes, read_inventory
from generator.spec.errors import EngineError

if TYPE_CHECKING:
    from cyclonedx.model.component import Component

LOCKS: Mapping[ImageName, str] = {"world": "locks/world.lock"}
"""The lock from which an image's Python packages are installed; the other images install none."""
NAMESPACE = uuid.UUID("5f0c6a8e-6d1e-5b0a-9a57-0b1f6f1d7c3e")
NOT_INSTALLED = "the CycloneDX library is not installed: `make images` sets it up (locks/images.lock)"


@dataclass(frozen=True)
class Subject:
    """The image that a bill is of. created is the engine's date of it, in UTC."""

    name: ImageName
    tag: str
    facts: ImageFacts
    created: dt.datetime


def build_bill(subject: Subject, inventory: Inventory, hashes: Mapping[PythonPackage, tuple[str, ...]]) -> str:
    """The bill as JSON text. Raises EngineError if the library is missing or the bill does not fit its schema."""
    try:
        from cyclonedx.model.bom import Bom, BomMetaData
        from cyclonedx.output.json import JsonV1Dot6
    except ImportError:
        raise EngineError(NOT_INSTALLED) from None
    image = image_component(subject)
    parts = [*debian_components(inventory), *python_components(inventory, hashes)]
    bill = Bom(
        components=parts,
        metadata=BomMetaData(component=image, timestamp=subject.created),
        serial_number=uuid.uuid5(NAMESPACE, subject.facts.id),
    )
    bill.register_dependency(image, parts)
    text = json.dumps(json.loads(JsonV1Dot6(bill).output_as_string()), indent=1, sort_keys=True, ensure_ascii=False)
    problem = schema_problem(text)
    if problem:
        raise EngineError(f"bill of {subject.tag}: does not fit CycloneDX 1.6: {problem}")
    return text + "\n"


def schema_problem(text: str) -> str | None:
    """The first thing at which a bill departs from the published schema, which the library carries; None if nothing."""
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        raise EngineError(NOT_INSTALLED) from None
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    return None if problem is None else str(problem).splitlines()[0]


def image_component(subject: Subject) -> "Component":
    from cyclonedx.model import Property
    from cyclonedx.model.component import Component, ComponentType

    repository, _, version = subject.tag.rpartition(":")
    labels = {name: subject.facts.labels.get(name, "") for name in (INPUTS_LABEL, ORIGIN_LABEL)}
    properties = {"erpbench:image-id": subject.facts.id, **{name.replace(".", ":"): labels[name] for name in labels}}
    return Component(
        name=repository,
        version=version,
        type=ComponentType.CONTAINER,
        bom_ref=subject.facts.id,
        properties=[Property(name=name, value=value) for name, value in properties.items() if value],
    )


def debian_components(inventory: Inventory) -> list["Component"]:
    from cyclonedx.model import Property
    from cyclonedx.model.component import Component, ComponentType
    from packageurl import PackageURL

    components = []
    for package in inventory.debian:
        where = {"arch": package.architecture, "distro": f"debian-{inventory.release}"}
        purl = PackageURL("deb", "debian", package.name, package.version, where)
        source = f"{package.source} {package.source_version}"
        components.append(
            Component(
                name=package.name,
                version=package.version,
                type=ComponentType.LIBRARY,
                purl=purl,
                bom_ref=purl.to_string(),
                properties=[Property(name="erpbench:debian-source", value=source)],
            )
        )
    return components


def python_components(inventory: Inventory, hashes: Mapping[PythonPackage, tuple[str, ...]]) -> list["Component"]:
    """pip installs one of the files that a lock allows and does not say which, so the lock's hashes are properties."""
    from cyclonedx.model import Property
    from cyclonedx.model.component import Component, ComponentType
    from packageurl import PackageURL

    components = []
    for package in inventory.python:
        purl = PackageURL("pypi", None, package.name, package.version)
        allowed = [Property(name="erpbench:locked-sha256", value=value) for value in hashes.get(package, ())]
        components.append(
            Component(
                name=package.name,
                version=package.version,
                type=ComponentType.LIBRARY,
                purl=purl,
                bom_ref=purl.to_string(),
                properties=allowed,
            )
        )
    if inventory.interpreter:
        purl = PackageURL("generic", None, "python", inventory.interpreter)
        components.append(
            Component(
                name="python",
                version=inventory.interpreter,
                type=ComponentType.PLATFORM,
                purl=purl,
                bom_ref=purl.to_string(),
            )
        )
    return components


def write_bills(prefix: str, version: str, out: Path, root: Path = PROJECT_ROOT) -> list[Path]:
    """Write a bill for each image to out, each beside its place and renamed. Raises EngineError."""
    client = connect()
    texts: dict[Path, str] = {}
    for definition in ALL:
        tag = image_tag(definition.name, prefix, version)
        facts = inspect(client, tag)
        if facts is None:
            raise EngineError(f"image {tag}: not built; run `make images`")
        created = dt.datetime.fromisoformat(str(client.images.get(tag).attrs["Created"]))
        lock = LOCKS.get(definition.name)
        hashes = locked_hashes(root / lock) if lock else {}
        subject = Subject(definition.name, tag, facts, created.astimezone(dt.UTC))
        texts[out / f"{definition.name}-{version}.cdx.json"] = build_bill(subject, read_inventory(client, tag), hashes)
    out.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    return list(texts)
