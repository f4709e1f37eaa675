"""The lint command: findings of excepted rules are set aside, a stale exception and a failing lint are errors."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.harbor import commands, lint
from generator.harbor.lint import lint_tasks
from generator.harbor.program import HarborError
from tests.harbor_fixture import write_dataset


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, code: int) -> None:
    script = tmp_path / "harbor"
    script.write_text(f"#!/bin/sh\necho '{output}'\necho 'Lint failed.' >&2\nexit {code}\n")
    script.chmod(0o755)
    monkeypatch.setenv("HARBOR", str(script))
    monkeypatch.setattr(lint, "lint_environment", lambda: None)


def finding(rule: str) -> dict[str, str]:
    return {"rule": rule, "path": "task.toml", "message": "Pin it."}


def test_listed_rules_are_counted_and_the_others_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [finding("unpinned-image"), finding("root-agent"), finding("unpinned-image")]
    stand_in(tmp_path, monkeypatch, json.dumps(found), 1)
    report = lint_tasks([tmp_path])
    assert report.findings == ("task.toml [root-agent] Pin it.",)
    assert report.set_aside == {"unpinned-image": 2}


@pytest.mark.parametrize(("output", "code"), [("", 2), ("no json", 1), ("[]", 1)])
def test_a_lint_that_fails_is_not_a_clean_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, code: int
) -> None:
    stand_in(tmp_path, monkeypatch, output, code)
    with pytest.raises(HarborError, match=rf"harbor lint ended with {code}: Lint failed\."):
        lint_tasks([tmp_path])


def test_an_exception_that_finds_nothing_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "harbor_tasks"
    folder.mkdir()
    write_dataset(folder, "erpbench-001")
    stand_in(tmp_path, monkeypatch, "[]", 0)
    result = CliRunner().invoke(commands.lint_command, ["--dataset", str(folder)])
    assert isinstance(result.exception, HarborError)
    assert "unpinned-image: listed as an exception, but finds nothing" in result.output
    stand_in(tmp_path, monkeypatch, json.dumps([finding("unpinned-image")]), 1)
    result = CliRunner().invoke(commands.lint_command, ["--dataset", str(folder)])
    assert result.exit_code == 0
    assert "lint: 1 tasks in order" in result.output
