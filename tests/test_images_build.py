"""Building: nothing twice, the ground that is chosen and why, one clear line for each failure."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from generator.images import build, check, commands, engine
from generator.images.build import build_images, choose_ground, docker_build
from generator.images.definition import DERIVED, INPUTS_LABEL, ORIGIN_LABEL, inputs_digest
from generator.images.engine import ImageFacts, brief
from generator.images.official import official_reference
from generator.spec.errors import EngineError

DIGEST = "sha256:" + "1" * 64


@dataclass
class FakeEngine:
    """Images by tag; a build stores one of a new id with the labels that it was given."""

    images: dict[str, ImageFacts] = field(default_factory=dict)
    registry: dict[str, str] = field(default_factory=dict)
    builds: list[str] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)

    def inspect(self, client: Any, tag: str) -> ImageFacts | None:
        return self.images.get(tag)

    def pull(self, client: Any, reference: str) -> str | None:
        return self.registry.get(reference)

    def build(self, definition: Any, tag: str, ground: str, labels: dict[str, str], root: Path) -> None:
        self.builds.append(f"{tag} on {ground}")
        self.images[tag] = ImageFacts(f"sha256:{len(self.builds)}", 1000, definition.user, labels)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine(images={"local/python:3.13-trixie": ImageFacts("sha256:s", 1, "", {})})
    monkeypatch.setattr(build, "connect", lambda: None)
    monkeypatch.setattr(build, "inspect", fake.inspect)
    monkeypatch.setattr(build, "pull", fake.pull)
    monkeypatch.setattr(build, "docker_build", fake.build)
    monkeypatch.setattr(build, "discard_untagged", lambda client, image_id: fake.discarded.append(image_id))
    return fake


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("base", "agent", "world/erpbench_world", "verifier"):
        (tmp_path / "images" / name).mkdir(parents=True)
    for name in ("base", "agent", "world", "verifier"):
        (tmp_path / "images" / name / "Dockerfile").write_text("FROM x\n")
    (tmp_path / "images/world/Dockerfile.dockerignore").write_text("*\n")
    (tmp_path / "images/base/official.json").write_text('{"reference": "python:3.13-slim-trixie", "digest": null}')
    for name in ("locks/world.lock", "scripts/local-base-image", "verifier/__main__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    return tmp_path


def built(root: Path, choice: str = "auto") -> tuple[int, list[str]]:
    said: list[str] = []
    return build_images("p/", "1.0.0", choice, said.append, root), said


def test_all_four_are_built_on_the_base_and_the_second_time_none(fake: FakeEngine, root: Path) -> None:
    assert built(root)[0] == 4
    assert fake.builds == [
        "p/base:1.0.0 on local/python:3.13-trixie",
        "p/agent:1.0.0 on p/base:1.0.0",
        "p/world:1.0.0 on p/base:1.0.0",
        "p/verifier:1.0.0 on p/base:1.0.0",
    ]
    assert built(root)[0] == 0
    assert len(fake.builds) == 4


def test_only_the_image_whose_input_changed_is_built_again(fake: FakeEngine, root: Path) -> None:
    built(root)
    (root / "locks" / "world.lock").write_text("y")
    assert built(root)[0] == 1
    assert fake.builds[4:] == ["p/world:1.0.0 on p/base:1.0.0"]
    assert fake.discarded == ["sha256:3"]


def test_a_new_base_renews_all(fake: FakeEngine, root: Path) -> None:
    built(root)
    (root / "images" / "base" / "Dockerfile").write_text("FROM y\n")
    assert built(root)[0] == 4


def test_the_ground_is_the_official_image_by_digest_where_a_registry_answers(fake: FakeEngine, root: Path) -> None:
    fake.registry["python:3.13-slim-trixie"] = f"python@{DIGEST}"
    _, said = built(root)
    assert said[0] == f"p/base:1.0.0  on python@{DIGEST} (the official python:3.13-slim-trixie, by digest)"
    assert fake.images["p/base:1.0.0"].labels[ORIGIN_LABEL] == f"python@{DIGEST}"


def test_without_a_registry_it_is_the_stand_in_and_it_says_so(fake: FakeEngine, root: Path) -> None:
    _, said = built(root)
    assert said[0] == "p/base:1.0.0  on local/python:3.13-trixie (no registry answers)"


def test_a_recorded_digest_is_what_is_asked_for(root: Path) -> None:
    assert official_reference(root) == "python:3.13-slim-trixie"
    text = f'{{"reference": "python:3.13-slim-trixie", "digest": "{DIGEST}"}}'
    (root / "images/base/official.json").write_text(text)
    assert official_reference(root) == f"python@{DIGEST}"


def test_a_base_that_cannot_be_had_is_an_error(fake: FakeEngine, root: Path) -> None:
    with pytest.raises(EngineError, match=r"python:3\.13-slim-trixie: no registry answers"):
        choose_ground(None, "official", root)  # type: ignore[arg-type]
    with pytest.raises(EngineError, match="base image mine:1: neither here nor at its registry"):
        choose_ground(None, "mine:1", root)  # type: ignore[arg-type]


def test_a_failing_stand_in_gives_its_last_line(fake: FakeEngine, root: Path) -> None:
    fake.images.clear()
    script = root / "scripts" / "local-base-image"
    script.write_text("#!/bin/sh\necho first >&2\necho 'debootstrap needs root' >&2\nexit 2\n")
    script.chmod(0o755)
    with pytest.raises(EngineError, match="the stand-in failed: debootstrap needs root"):
        choose_ground(None, "auto", root)  # type: ignore[arg-type]


def test_a_build_passes_the_ground_labels_and_only_an_existing_bundle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        assert options["env"]["DOCKER_BUILDKIT"] == "1"
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(build, "CA_BUNDLE", tmp_path / "none.crt")
    docker_build(DERIVED[0], "p/agent:1.0.0", "p/base:1.0.0", {INPUTS_LABEL: "abc"}, tmp_path)
    (tmp_path / "ca.crt").write_text("x")
    monkeypatch.setattr(build, "CA_BUNDLE", tmp_path / "ca.crt")
    docker_build(DERIVED[0], "p/agent:1.0.0", "p/base:1.0.0", {}, tmp_path)
    assert ran[0][-1] == "."
    assert "--secret" not in ran[0]
    assert ran[0][ran[0].index("--build-arg") + 1] == "BASE=p/base:1.0.0"
    assert ran[0][ran[0].index("--label") + 1] == "erpbench.inputs=abc"
    assert ran[1][ran[1].index("--secret") + 1] == f"id=ca,src={tmp_path / 'ca.crt'}"


def test_a_failing_build_gives_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "step 1\nE: Unable to locate package tmux\n")
    monkeypatch.setattr(subprocess, "run", lambda *words, **options: failed)
    with pytest.raises(EngineError, match="image t cannot be built:\nstep 1\nE: Unable to locate package tmux"):
        docker_build(DERIVED[0], "t", "b", {}, tmp_path)


def test_no_engine_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'no.sock'}")
    with pytest.raises(EngineError, match="no Docker engine answers") as raised:
        engine.connect()
    assert "\n" not in str(raised.value)
    assert isinstance(CliRunner().invoke(commands.images, ["build"]).exception, EngineError)


def test_an_error_is_cut_to_one_line() -> None:
    assert brief(ValueError("a\n  b")) == "a b"
    assert brief(ValueError()) == "ValueError"
    assert brief(ValueError("x" * 200), 10) == "x" * 10 + "…"


def facts(**changes: Any) -> ImageFacts:
    values: dict[str, Any] = {"id": "sha256:a", "size": 101_000_000, "user": "10001:10001", "labels": {}} | changes
    return ImageFacts(**values)


def test_check_names_what_is_wrong_with_an_image(root: Path) -> None:
    base = facts(id="sha256:base", size=100_000_000)
    right = {INPUTS_LABEL: inputs_digest(DERIVED[0], "sha256:base", root)}
    assert check.image_problems(DERIVED[0], facts(labels=right), base, root) == []
    assert check.image_problems(DERIVED[0], facts(user="", size=250_000_000), base, root) == [
        "of other inputs than this tree's; run `make images`",
        "runs as root, expected 10001:10001",
        "adds 150 MB to the base, 120 MB are allowed",
    ]
