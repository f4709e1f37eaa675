"""Snapshots at the edge of what is read: graded or refused, in little time and memory, and always with a reward."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.play_fixture import Play, Stage, oracle_steps, then, write_evidence

ROOT = Path(__file__).parent.parent
LAUNCH = (
    "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
    "from verifier.__main__ import main\n"
    "code = main()\n"
    "print('peak', open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])\n"
    "sys.exit(code)"
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    stage = Stage(tmp_path_factory.mktemp("limits"))
    (stage.folder / "contract.json").write_text(json.dumps(stage.contract))
    return stage


def decimals(play: Play) -> None:
    for _ in range(118):
        play.call("slack.x", outcome="unknown_tool", arguments={"q": [1.5] * 13_000})


def listings(play: Play) -> None:
    """Calls that return every record there may be, the same ones again and again."""
    for _ in range(18):
        play.read("google_sheets.spreadsheets.values.get", *[("cells", f"Register!A{n}") for n in range(15_000)])


def nesting(play: Play) -> None:
    for _ in range(180):
        nested: list[object] = []
        for _ in range(900):
            nested = [nested]
        play.call("slack.x", outcome="unknown_tool", arguments={f"q{n}": nested for n in range(18)})


def calls(play: Play) -> None:
    for _ in range(15_000):
        play.call("slack.x", outcome="unknown_tool", arguments={"q": "x"})


def rows(play: Play) -> None:
    for number in range(15_000):
        key = f"P{number}"
        play.insert("posts", key, "t", "#ops-nbr", "x" * 150, "draft_for_review", "2026-02-09")
    for start in range(0, 15_000, 1000):
        play.call("slack.chat_postMessage", (), [("posts", f"P{n}") for n in range(start, start + 1000)])


def long_texts(play: Play) -> None:
    """Four bytes a character, and cells that would be a million numbers."""
    for number in range(12):
        play.post(text="\U0001f600" + "1," * 120_000, key=f"P{number}")
    play.register(["1," * 100_000] * 8)
    play.decide(rationale="a " * 200_000)


@pytest.mark.parametrize(
    ("extra", "score"),
    [(decimals, 100), (listings, 100), (nesting, 100), (calls, 100), (rows, 95), (long_texts, 92)],
)
def test_a_snapshot_at_the_limits_costs_little(
    stage: Stage, tmp_path: Path, extra: Callable[[Play], None], score: int
) -> None:
    steps = stage.oracle(audit_log=then(oracle_steps()["audit log"], extra))
    folder = write_evidence(stage.play(steps), tmp_path / "evidence")
    out = tmp_path / "out"
    paths = [f"--contract={stage.folder / 'contract.json'}", f"--baseline={stage.baseline}", f"--evidence={folder}"]
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-I", "-c", LAUNCH, str(ROOT), *paths, f"--out={out}"], capture_output=True, text=True
    )
    assert time.monotonic() - started < 4
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[-1]) < 200 * 1024
    assert json.loads((out / "reward.json").read_text())["erp_score"] == score
    json.loads((out / "trace.json").read_text())
    json.loads((out / "state-diff.json").read_text())
