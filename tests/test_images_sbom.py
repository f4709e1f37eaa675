"""Bills of materials: what an image tells becomes CycloneDX 1.6, the same bytes for the same image."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from generator.images.definition import INPUTS_LABEL, ORIGIN_LABEL
from generator.images.engine import ImageFacts
from generator.images.inventory import (
    DebianPackage,
    Inventory,
    PythonPackage,
    locked_hashes,
    normalised,
    parse_inventory,
)
from generator.images.sbom import Subject, build_bill, schema_problem

TOLD = {
    "debian": [
        ["zlib1g", "1:1.3.1-1+b1", "amd64", "zlib", "1:1.3.1-1", "installed"],
        ["bash", "5.2.37-2+b5", "amd64", "bash", "5.2.37-2", "installed"],
        ["gone", "1", "amd64", "gone", "1", "config-files"],
    ],
    "python": [["Typing_Extensions", "4.16.0"], ["mcp", "2.3.0"], ["mcp", "2.3.0"]],
    "interpreter": "3.13.5",
    "release": "13",
}
LOCK = """\
mcp==2.3.0 \\
    --hash=sha256:{b} \\
    --hash=sha256:{a}
    # via -r world.in
other==1 \\
    --hash=sha256:{a}
"""
A, B = "a" * 64, "b" * 64


def subject(image_id: str = "sha256:" + "1" * 64) -> Subject:
    labels = {INPUTS_LABEL: "abc", ORIGIN_LABEL: "local/python:3.13-trixie"}
    facts = ImageFacts(image_id, 1, "10002:10002", labels)
    return Subject("world", "erpbench100/world:1.0.0", facts, dt.datetime(2026, 2, 9, 8, 30, tzinfo=dt.UTC))


def bill(**changes: Any) -> dict[str, Any]:
    hashes = {PythonPackage("mcp", "2.3.0"): (A, B)}
    return dict(json.loads(build_bill(subject(), parse_inventory(TOLD | changes), hashes)))


def test_an_inventory_is_in_order_without_repeats_and_leftovers() -> None:
    assert parse_inventory(TOLD) == Inventory(
        (
            DebianPackage("bash", "5.2.37-2+b5", "amd64", "bash", "5.2.37-2"),
            DebianPackage("zlib1g", "1:1.3.1-1+b1", "amd64", "zlib", "1:1.3.1-1"),
        ),
        (PythonPackage("mcp", "2.3.0"), PythonPackage("typing-extensions", "4.16.0")),
        "3.13.5",
        "13",
    )
    assert normalised("Zope._Interface") == "zope-interface"


def test_the_locks_hashes_are_those_of_each_package(tmp_path: Path) -> None:
    (tmp_path / "world.lock").write_text(LOCK.format(a=A, b=B))
    assert locked_hashes(tmp_path / "world.lock") == {
        PythonPackage("mcp", "2.3.0"): (A, B),
        PythonPackage("other", "1"): (A,),
    }


def test_a_bill_names_image_packages_and_locked_hashes() -> None:
    pytest.importorskip("cyclonedx", reason="needs the CycloneDX library of locks/images.lock")
    found = bill()
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert found["metadata"]["timestamp"] == "2026-02-09T08:30:00+00:00"
    image = found["metadata"]["component"]
    assert (image["type"], image["name"], image["version"]) == ("container", "erpbench100/world", "1.0.0")
    assert {entry["name"]: entry["value"] for entry in image["properties"]} == {
        "erpbench:image-id": "sha256:" + "1" * 64,
        "erpbench:inputs": "abc",
        "erpbench:base": "local/python:3.13-trixie",
    }
    parts = {part["purl"]: part for part in found["components"]}
    assert sorted(parts) == [
        "pkg:deb/debian/bash@5.2.37-2%2Bb5?arch=amd64&distro=debian-13",
        "pkg:deb/debian/zlib1g@1:1.3.1-1%2Bb1?arch=amd64&distro=debian-13",
        "pkg:generic/python@3.13.5",
        "pkg:pypi/mcp@2.3.0",
        "pkg:pypi/typing-extensions@4.16.0",
    ]
    assert [entry["value"] for entry in parts["pkg:pypi/mcp@2.3.0"]["properties"]] == [A, B]
    (of_image,) = (entry for entry in found["dependencies"] if entry["ref"] == image["bom-ref"])
    assert sorted(of_image["dependsOn"]) == sorted(parts)


def test_the_same_image_gives_the_same_bytes_and_another_does_not() -> None:
    pytest.importorskip("cyclonedx", reason="needs the CycloneDX library of locks/images.lock")
    inventory = parse_inventory(TOLD)
    texts = [build_bill(subject(), inventory, {}), build_bill(subject(), inventory, {})]
    texts.append(build_bill(subject("sha256:" + "2" * 64), inventory, {}))
    assert texts[0] == texts[1]
    serials = [json.loads(text)["serialNumber"] for text in texts]
    assert serials[0] == serials[1] != serials[2]


def test_what_does_not_fit_the_schema_is_told() -> None:
    pytest.importorskip("cyclonedx", reason="needs the CycloneDX library of locks/images.lock")
    assert schema_problem(json.dumps(bill())) is None
    assert schema_problem('{"bomFormat": "CycloneDX"}') == "'specVersion' is a required property"
