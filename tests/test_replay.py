"""The published run of task 001 against a fresh world: in process, and over MCP with the official client."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.qualify.episode import fresh_world
from generator.qualify.replay import compare, replay
from generator.qualify.trajectory import Step, read_trajectory
from generator.spec.errors import TrajectoryError

PUBLISHED = Path(__file__).parent / "golden" / "trajectory-001.json"


def test_every_published_call_gives_its_result_in_order(task_001: Path) -> None:
    with fresh_world(task_001) as world:
        replayed = replay(world, read_trajectory(PUBLISHED))
    assert [(step.number, step.detail) for step in replayed if step.verdict == "differs"] == []
    assert len(replayed) == 23
    assert [step.number for step in replayed if step.verdict == "same figures"] == [2, 3, 4, 14]


def test_the_oracle_plan_runs_and_its_trace_replays_to_the_same_records(task_001: Path, tmp_path: Path) -> None:
    plan = task_001 / "solution" / "plan.json"
    with fresh_world(task_001) as world:
        ran = replay(world, read_trajectory(plan))
        assert {step.verdict for step in ran} == {"ran"}
        import contextlib
        import sqlite3

        with contextlib.closing(sqlite3.connect(world.database)) as database:
            rows = database.execute("SELECT tool, arguments, outcome, saw, wrote FROM trace ORDER BY idx").fetchall()
    names = ("tool", "arguments", "outcome", "saw", "wrote")
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"calls": [dict(zip(names, row, strict=True)) for row in rows]}))
    with fresh_world(task_001) as world:
        again = replay(world, read_trajectory(trace))
    assert {step.verdict for step in again} == {"same"}


def changed(step: Step, **changes: Any) -> Step:
    import dataclasses

    return dataclasses.replace(step, **changes)


def test_a_changed_figure_is_shown_where_it_stands(task_001: Path) -> None:
    account = next(s for s in read_trajectory(PUBLISHED) if s.tool.endswith("customer_account_activities.get"))
    wrong = changed(account, output={**account.output, "PastDueAmount": 50830.5})
    with fresh_world(task_001) as world:
        verdict, detail = compare(wrong, world.call(wrong.tool, dict(wrong.arguments)), world)
    assert verdict == "differs"
    assert "50830.0" in detail


def test_figures_in_another_order_differ(task_001: Path) -> None:
    memo = next(s for s in read_trajectory(PUBLISHED) if s.arguments.get("id") == "MSG-NBR-AUTHORITY-0209")
    assert memo.figures is not None
    wrong = changed(memo, figures=(*memo.figures[:2], memo.figures[3], memo.figures[2], *memo.figures[4:]))
    with fresh_world(task_001) as world:
        verdict, detail = compare(wrong, world.call(wrong.tool, dict(wrong.arguments)), world)
    assert (verdict, detail.split(":")[0]) == ("differs", "figure 3")


@pytest.mark.parametrize(
    ("content", "message"),
    [("[", "cannot be read as JSON"), ("{}", "expected an oracle plan"), ('[{"tool": 1}]', "step 1: expected tool")],
)
def test_a_file_that_is_no_trajectory_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(TrajectoryError, match=message):
        read_trajectory(path)


def test_every_published_call_over_mcp_with_the_official_client(task_001: Path) -> None:
    """In a process of its own, so that its event loop and its server end with it."""
    script = Path(__file__).parent / "replay_over_mcp.py"
    done = subprocess.run(
        [sys.executable, str(script), str(task_001), str(PUBLISHED)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "protocol 2025-06-18, 52 tools, 19 writes, 23 calls, 0 differ"
