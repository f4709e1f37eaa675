"""The command line: every command is documented with an example, and a user's mistake is one line and exit code 2."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_every_command_has_help_and_an_example() -> None:
    text = run("--help").output
    for name, command in main.commands.items():
        assert command.help, name
        assert re.search(rf"^\s*erpbench {name}\b", text, re.MULTILINE), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["world", "--task", "erpbench-999", "--dataset", "DATASET"], "no task 'erpbench-999'"),
        (["world", "--task", "erpbench-001", "--dataset", "EMPTY"], "expected a rendered dataset"),
        (["replay", "NOWHERE.json", "--task", "erpbench-001", "--dataset", "DATASET"], "NOWHERE.json: no such file"),
        (["dataset", "--tenants", "EMPTY", "--out", "OUT"], "expected folders with a profile.yaml"),
        (["oracle", "--tasks", "erpbench-999", "--dataset", "DATASET"], "erpbench-999"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    rendered: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "EMPTY").mkdir()
    places = {"DATASET": str(rendered), "EMPTY": str(tmp_path / "EMPTY"), "OUT": str(tmp_path / "OUT")}
    result = run(*(places.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "OUT").exists()


def test_a_missing_engine_is_one_line_and_exit_code_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    result = run("images", "build")
    assert result.exit_code == 2
    assert "engine" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
