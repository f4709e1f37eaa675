"""The images as they lie in the engine: users, sizes, leftovers, secrets of the build, and their bills of materials."""

import json
import re
from pathlib import Path

import pytest

from generator.images.check import check_images
from generator.images.definition import (
    ALL,
    DERIVED,
    MEGABYTE,
    ImageDefinition,
    image_prefix,
    image_tag,
    project_version,
)
from generator.images.engine import ImageFacts, connect, inspect
from generator.images.sbom import schema_problem, write_bills
from generator.spec.errors import EngineError
from tests.attack_table import Seen

pytestmark = pytest.mark.engine


def tag(name: str) -> str:
    return image_tag(name, image_prefix(), project_version())  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def facts() -> dict[str, ImageFacts]:
    try:
        client = connect()
    except EngineError as error:
        pytest.skip(str(error))
    found = {definition.name: inspect(client, tag(definition.name)) for definition in ALL}
    missing = [name for name, image in found.items() if image is None]
    if missing:
        pytest.skip(f"needs `make images`: {', '.join(missing)}")
    return {name: image for name, image in found.items() if image}


@pytest.mark.attack("supply", "one user in two images, or root", expected="three users, none root", flaw=8)
def test_three_images_run_as_three_users(facts: dict[str, ImageFacts], seen: Seen) -> None:
    users = {definition.name: facts[definition.name].user for definition in DERIVED}
    seen(", ".join(f"{name} {user}" for name, user in users.items()))
    assert users == {"agent": "10001:10001", "world": "10002:10002", "verifier": "10003:10003"}


@pytest.mark.attack("supply", "{definition.name}: weight that nobody looks through", expected="within limit", flaw=8)
@pytest.mark.parametrize("definition", DERIVED, ids=lambda definition: definition.name)
def test_an_image_adds_little_to_the_base(
    facts: dict[str, ImageFacts], definition: ImageDefinition, seen: Seen
) -> None:
    added = (facts[definition.name].size - facts["base"].size) / MEGABYTE
    seen(f"{added:.1f} MB over the base, {definition.limit // MEGABYTE} MB allowed")
    assert 0 <= added <= definition.limit / MEGABYTE
    assert {"agent": 120, "world": 120, "verifier": 10}[definition.name] == definition.limit // MEGABYTE


@pytest.mark.attack("supply", "gold, seed, another image's program or leftovers in an image", expected="none", flaw=2)
def test_no_image_holds_what_it_must_not(facts: dict[str, ImageFacts], seen: Seen) -> None:
    problems = [line for line in check_images(image_prefix(), project_version()) if "of other inputs" not in line]
    seen("none" if not problems else "; ".join(problems))
    assert problems == []


@pytest.mark.attack("supply", "{definition.name}: a secret of the build in its history", expected="none", flaw=2)
@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
def test_the_history_tells_no_secret(facts: dict[str, ImageFacts], definition: ImageDefinition, seen: Seen) -> None:
    image = connect().images.get(tag(definition.name))
    told = json.dumps([image.history(), image.attrs["Config"]])
    seen(f"{len(image.history())} steps, nothing secret")
    for word in ("PASSWORD", "TOKEN", "SECRET_KEY", "BEGIN CERTIFICATE", "Authorization"):
        assert word not in told, word
    assert not re.search(r"://[^/\s\"]+@", told)  # an address with a name and password in it


@pytest.mark.attack("supply", "packages that the bills of materials do not name", expected="none", flaw=7)
def test_the_bills_name_what_the_images_hold(facts: dict[str, ImageFacts], tmp_path: Path, seen: Seen) -> None:
    pytest.importorskip("cyclonedx", reason="needs the CycloneDX library of locks/images.lock")
    paths = write_bills(image_prefix(), project_version(), tmp_path / "first")
    again = write_bills(image_prefix(), project_version(), tmp_path / "second")
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]
    names = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert schema_problem(text) is None
        bill = json.loads(text)
        names[path.name.split("-")[0]] = {component["name"] for component in bill["components"]}
        identity = {entry["name"]: entry["value"] for entry in bill["metadata"]["component"]["properties"]}
        assert identity["erpbench:image-id"] == facts[path.name.split("-")[0]].id
    seen(", ".join(f"{name} {len(found)}" for name, found in names.items()))
    assert {"bash", "libc6", "libsqlite3-0"} & names["base"] >= {"bash", "libc6"}
    assert names["agent"] - names["base"] >= {"tmux", "jq", "ripgrep", "curl"}
    assert names["world"] - names["base"] >= {"mcp", "starlette", "uvicorn", "jsonschema"}
    assert names["verifier"] == names["base"]
