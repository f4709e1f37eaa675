"""The official base's digest: recorded from what a registry answers, never made up, and asked for before a release."""

import json
from pathlib import Path

import pytest

from generator.images import official
from generator.images.definition import ORIGIN_LABEL
from generator.images.engine import ImageFacts
from generator.images.official import official_reference, record_digest, recorded, release_problems
from generator.spec.errors import EngineError
from tests.attack_table import Seen

DIGEST = "sha256:" + "1" * 64
NULL = '{"reference": "python:3.13-slim-trixie", "digest": null}'
PINNED = json.dumps({"reference": "python:3.13-slim-trixie", "digest": DIGEST})


def tree(root: Path, content: str) -> Path:
    (root / "images" / "base").mkdir(parents=True)
    (root / "images" / "base" / "official.json").write_text(content)
    return root


def base(origin: str) -> ImageFacts:
    return ImageFacts("sha256:b", 1, "", {ORIGIN_LABEL: origin})


def test_pinning_records_what_the_registry_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []
    monkeypatch.setattr(official, "pull", lambda client, reference: asked.append(reference) or f"python@{DIGEST}")
    root = tree(tmp_path, PINNED.replace("1" * 64, "2" * 64))
    assert record_digest(None, root) == DIGEST  # type: ignore[arg-type]
    assert asked == ["python:3.13-slim-trixie"]
    assert recorded(root) == ("python:3.13-slim-trixie", DIGEST)
    assert official_reference(root) == f"python@{DIGEST}"
    assert [path.name for path in (root / "images" / "base").iterdir()] == ["official.json"]


@pytest.mark.parametrize("answer", [None, "python:3.13-slim-trixie", "python@sha256:12"])
def test_without_a_digest_nothing_is_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str | None
) -> None:
    monkeypatch.setattr(official, "pull", lambda client, reference: answer)
    root = tree(tmp_path, NULL)
    with pytest.raises(EngineError, match=r"python:3\.13-slim-trixie: no registry answers for it"):
        record_digest(None, root)  # type: ignore[arg-type]
    assert (root / "images/base/official.json").read_text() == NULL


def test_a_digest_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="digest: expected sha256: and 64 hexadecimal digits or null, came 'latest'"):
        recorded(tree(tmp_path, NULL.replace("null", '"latest"')))


@pytest.mark.attack(
    "supply", "release on the base {origin}, official.json {content}", expected="only the digest on record", flaw=7
)
@pytest.mark.parametrize(
    ("content", "origin", "problems"),
    [
        (NULL, "local/python:3.13-trixie", 2),
        (NULL, "python:3.13-slim-trixie", 2),
        (PINNED, "local/python:3.13-trixie", 1),
        (PINNED, f"python@{DIGEST[:-1]}2", 1),
        (PINNED, f"python@{DIGEST}", 0),
    ],
)
def test_only_the_official_base_by_digest_may_be_released(
    tmp_path: Path, content: str, origin: str, problems: int, seen: Seen
) -> None:
    found = release_problems(base(origin), tree(tmp_path, content))
    seen(found[-1] if found else "the official base by digest passes")
    assert len(found) == problems


def test_a_missing_base_is_a_problem(tmp_path: Path) -> None:
    assert release_problems(None, tree(tmp_path, PINNED)) == [
        f"base image: built on no base image, expected python@{DIGEST}"
    ]
