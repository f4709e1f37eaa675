"""`erpbench qualify`: green on the rendered tasks, red on the right line where one thing is broken, resumable."""

import contextlib
import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.harbor.digest import task_digest
from generator.qualify.qualify import ALL_KINDS
from generator.qualify.qualify_command import chosen_kinds, passes
from generator.qualify.verdicts import Line
from generator.spec.errors import UnknownTask
from generator.tasks.package import CONTRACT, FILES, PLAN, SEED

TASK = "erpbench-002"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["qualify", *[str(argument) for argument in arguments]])


def copied(rendered: Path, folder: Path, breaking: Callable[[Path], None]) -> Path:
    """A dataset of one task with something broken in it, its lock renewed so that nothing but the content is wrong."""
    shutil.copytree(rendered / TASK, folder / TASK)
    breaking(folder / TASK)
    lock = json.loads((rendered / "dataset.lock").read_text(encoding="utf-8"))
    entry = {**lock["tasks"][TASK], "digest": task_digest(folder / TASK)}
    (folder / "dataset.lock").write_text(json.dumps({**lock, "tasks": {TASK: entry}}), encoding="utf-8")
    shutil.copyfile(rendered / "registry.json", folder / "registry.json")
    return folder


def verdicts(out: Path) -> dict[str, bool | None]:
    told = json.loads((out / "qualification.json").read_text(encoding="utf-8"))
    return {line["name"]: line["holds"] for line in told["lines"]}


def red(rendered: Path, tmp_path: Path, breaking: Callable[[Path], None]) -> set[str]:
    dataset = copied(rendered, tmp_path / "broken", breaking)
    result = run("--tasks", TASK, "--dataset", dataset, "--out", tmp_path / "out")
    assert result.exit_code == 1, result.output
    assert "not qualified" in result.output
    return {name for name, holds in verdicts(tmp_path / "out").items() if holds is False}


def contract_changed(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[Path], None]:
    def breaking(task: Path) -> None:
        contract = json.loads((task / CONTRACT).read_text(encoding="utf-8"))
        change(contract["criteria"])
        (task / CONTRACT).write_text(json.dumps(contract), encoding="utf-8")

    return breaking


def test_two_tasks_are_green_and_leave_every_report(rendered: Path, tmp_path: Path) -> None:
    result = run("--tasks", "erpbench-001,erpbench-022", "--dataset", rendered, "--out", tmp_path)
    # One of them is to be declined, so that every kind of mistake has an episode.
    assert result.exit_code == 0, result.output
    assert "every line holds" in result.output
    assert set(verdicts(tmp_path).values()) == {True}
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "episodes.parquet",
        "mutants.parquet",
        "parts",
        "qualification.json",
        "qualification.md",
        "scores.svg",
    }


def test_a_weakened_criterion_turns_the_mutants_red(rendered: Path, tmp_path: Path) -> None:
    broken = contract_changed(lambda criteria: criteria[26]["check"]["facts"].pop(2))
    assert red(rendered, tmp_path, broken) == {"mutants"}


def test_a_wrong_gold_value_turns_the_oracle_red(rendered: Path, tmp_path: Path) -> None:
    def breaking(criteria: list[dict[str, Any]]) -> None:
        criteria[16]["check"]["value"] += 1

    lines = red(rendered, tmp_path, contract_changed(breaking))
    assert {"oracle", "evidence audit (SQL)"} <= lines
    assert "seed gate" not in lines


def test_a_criterion_that_holds_on_the_untouched_world_turns_the_seed_gate_red(rendered: Path, tmp_path: Path) -> None:
    def breaking(criteria: list[dict[str, Any]]) -> None:
        criteria[22]["check"] = {"kind": "same", "tables": ["items"]}

    assert {"seed gate", "oracle"} <= red(rendered, tmp_path, contract_changed(breaking))


def test_a_task_of_another_version_of_the_generator_says_so(rendered: Path, tmp_path: Path) -> None:
    def breaking(task: Path) -> None:
        plan = json.loads((task / PLAN).read_text(encoding="utf-8"))
        plan["calls"][1]["arguments"] = {"id": "MSG-OF-AN-EARLIER-VERSION"}
        (task / PLAN).write_text(json.dumps(plan), encoding="utf-8")

    assert red(rendered, tmp_path, breaking) == {"oracle"}
    report = json.loads((tmp_path / "out" / "qualification.json").read_text(encoding="utf-8"))
    (line,) = [line for line in report["lines"] if line["name"] == "oracle"]
    assert line["failures"] == [f"{TASK}: rendered by another version of the generator; run `make dataset`"]


def test_a_changed_document_turns_the_audit_red_and_nothing_that_stands_on_the_case(
    rendered: Path, tmp_path: Path
) -> None:
    def breaking(task: Path) -> None:
        """One quantity of the pick confirmation, in the file and in what the world keeps of it."""
        path = task / FILES / "05-pick-confirmation.csv"
        data = path.read_bytes().replace(b"LOT-2417,960,", b"LOT-2417,961,")
        assert data != path.read_bytes()
        path.write_bytes(data)
        values = (data.decode("utf-8"), hashlib.sha256(data).hexdigest(), path.name)
        with contextlib.closing(sqlite3.connect(task / SEED, isolation_level=None)) as db:
            db.execute("UPDATE drive_files SET content = ?, sha256 = ? WHERE path = ?", values)

    assert red(rendered, tmp_path, breaking) == {"evidence audit (SQL)"}


def test_a_second_run_takes_what_the_first_has_done(rendered: Path, tmp_path: Path) -> None:
    arguments = ("--tasks", "erpbench-001", "--kinds", "no-op;retrier", "--dataset", rendered, "--out", tmp_path)
    assert run(*arguments).exit_code == 0
    part = tmp_path / "parts" / "erpbench-001.json"
    kept = json.loads(part.read_text(encoding="utf-8"))
    doctored = {**kept, "episodes": [{**kept["episodes"][0], "score": 7}, *kept["episodes"][1:]]}
    part.write_text(json.dumps(doctored), encoding="utf-8")
    assert run(*arguments).exit_code == 1
    assert verdicts(tmp_path)["no-op"] is False
    assert run(*arguments, "--fresh").exit_code == 0
    # Another choice of kinds is another run.
    assert run("--tasks", "erpbench-001", "--kinds", "no-op", "--dataset", rendered, "--out", tmp_path).exit_code == 0
    assert verdicts(tmp_path)["retrier"] is None


def test_a_mistake_is_one_line(rendered: Path, tmp_path: Path) -> None:
    result = run("--kinds", "sloth", "--dataset", rendered, "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.startswith("erpbench: sloth: expected kinds of oracle, replay, no-op")


def test_kinds_are_named_by_their_beginnings() -> None:
    assert chosen_kinds("all") == ALL_KINDS
    assert chosen_kinds("half-done;oracle") == (
        "oracle",
        "half-done, primary only",
        "half-done, half the lines",
        "half-done, no handoff",
    )
    with pytest.raises(UnknownTask):
        chosen_kinds(" ; ")


@pytest.mark.parametrize(
    ("holds", "whole", "expected"),
    [(True, True, True), (None, False, True), (None, True, False), (False, False, False)],
)
def test_a_whole_run_needs_every_line(holds: bool | None, whole: bool, expected: bool) -> None:
    assert passes([Line("oracle", 1, "", "", holds)], whole) is expected
