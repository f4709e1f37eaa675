"""What the images are made of: names, input digests that change with every input, no path that should not be one."""

from pathlib import Path

import pytest

from generator.images.definition import (
    ALL,
    DERIVED,
    PROJECT_ROOT,
    ImageDefinition,
    image_prefix,
    image_tag,
    input_files,
    inputs_digest,
    project_version,
)
from generator.spec.errors import EngineError

TOY = ImageDefinition("agent", ("images/agent", "locks/world.lock"), "10001:10001", 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "images" / "agent" / "__pycache__").mkdir(parents=True)
    (tmp_path / "images" / "agent" / "Dockerfile").write_text("FROM x\n")
    (tmp_path / "images" / "agent" / "erp").write_text("#!/bin/sh\n")
    (tmp_path / "images" / "agent" / "__pycache__" / "erp.pyc").write_bytes(b"x")
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "world.lock").write_text("mcp==2.3.0\n")
    return tmp_path


def test_images_are_named_once() -> None:
    assert image_prefix({}) == "erpbench100/"
    assert image_prefix({"ERPBENCH_IMAGE_PREFIX": "registry.example/team/"}) == "registry.example/team/"
    assert image_tag("world", "erpbench100/", "1.0.0") == "erpbench100/world:1.0.0"


def test_the_version_is_the_projects(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "3.2.1"\n')
    assert project_version(tmp_path) == "3.2.1"


def test_inputs_are_files_and_folders_without_caches(root: Path) -> None:
    names = [path.relative_to(root).as_posix() for path in input_files(TOY, root)]
    assert names == ["images/agent/Dockerfile", "images/agent/erp", "locks/world.lock"]


def test_a_missing_input_is_named(root: Path) -> None:
    (root / "locks" / "world.lock").unlink()
    with pytest.raises(EngineError, match=r"image agent: locks/world\.lock is missing"):
        input_files(TOY, root)


def test_the_digest_changes_with_content_name_mode_and_ground(root: Path) -> None:
    digests = [inputs_digest(TOY, "sha256:base", root)]
    assert inputs_digest(TOY, "sha256:base", root) == digests[0]
    digests.append(inputs_digest(TOY, "sha256:other", root))
    (root / "images" / "agent" / "erp").write_text("#!/bin/bash\n")
    digests.append(inputs_digest(TOY, "sha256:base", root))
    (root / "images" / "agent" / "erp").chmod(0o755)
    digests.append(inputs_digest(TOY, "sha256:base", root))
    (root / "images" / "agent" / "erp").rename(root / "images" / "agent" / "erp2")
    digests.append(inputs_digest(TOY, "sha256:base", root))
    assert len(set(digests)) == 5


def test_a_byte_compiled_file_changes_nothing(root: Path) -> None:
    before = inputs_digest(TOY, "sha256:base", root)
    (root / "images" / "agent" / "__pycache__" / "erp.pyc").write_bytes(b"y")
    assert inputs_digest(TOY, "sha256:base", root) == before


def test_the_users_are_three_and_none_is_root() -> None:
    assert {definition.name: definition.user for definition in DERIVED} == {
        "agent": "10001:10001",
        "world": "10002:10002",
        "verifier": "10003:10003",
    }


@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
def test_every_dockerfile_builds_on_the_argument_and_pulls_no_frontend(definition: ImageDefinition) -> None:
    lines = (PROJECT_ROOT / definition.dockerfile).read_text().splitlines()
    froms = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert set(froms) == {"${BASE}"}
    assert not any(line.replace(" ", "").startswith("#syntax=") for line in lines)


@pytest.mark.parametrize("definition", ALL, ids=lambda definition: definition.name)
def test_every_dockerfile_copies_only_its_inputs(definition: ImageDefinition) -> None:
    lines = (PROJECT_ROOT / definition.dockerfile).read_text().splitlines()
    copies = [line.split() for line in lines if line.startswith("COPY ") and "--from=" not in line]
    sources = {word for words in copies for word in words[1:-1] if not word.startswith("--")}
    assert all(
        any(source == entry or source.startswith(f"{entry}/") for entry in definition.inputs) for source in sources
    )
    allowed = (PROJECT_ROOT / f"{definition.dockerfile}.dockerignore").read_text().splitlines()
    assert allowed[0] == "*"
    assert {line.removeprefix("!") for line in allowed if line.startswith("!")} == sources
