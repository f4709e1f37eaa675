"""The oracles' episodes that are published, and Harbor's own model of their format."""

import json
import subprocess
from pathlib import Path

import pytest

from generator.images.definition import PROJECT_ROOT
from generator.release.parquet import read_table
from generator.release.tables import TRAJECTORIES
from generator.tasks import terms
from tests.release_fixture import published

__all__ = ["published"]

HARBOR = PROJECT_ROOT / ".venv-harbor" / "bin" / "python"
SHOWN = [f"erpbench-{number:03d}" for number in (1, 12, 23, 34, 45, 56, 67, 78, 89, 100)]
VALIDATE = """
import pathlib, sys
from harbor.models.trajectories import Trajectory
for path in sys.argv[1:]:
    print(len(Trajectory.model_validate_json(pathlib.Path(path).read_bytes()).steps))
"""


def test_ten_oracles_that_meet_every_tenant_and_family(published: Path) -> None:
    rows = read_table(published / TRAJECTORIES.path)
    assert [row["task_id"] for row in rows] == SHOWN
    assert len({row["tenant"] for row in rows}) == len({row["family"] for row in rows}) == 10
    assert {row["score"] for row in rows} == {100}
    for row in rows:
        assert json.loads((published / row["path"]).read_text(encoding="utf-8")) == json.loads(row["trajectory"])
        assert row["canary"] == terms.CANARY
        assert terms.CANARY in json.loads(row["trajectory"])["notes"]


def test_the_episode_of_task_001(published: Path) -> None:
    document = json.loads((published / "trajectories" / "erpbench-001.json").read_text(encoding="utf-8"))
    steps = document["steps"]
    assert [step["step_id"] for step in steps] == list(range(1, 30))
    assert steps[0]["source"] == "user"
    assert "CA-PO-77310" in steps[0]["message"]
    assert steps[1]["tool_calls"] == [
        {
            "tool_call_id": "call-01",
            "function_name": "erpbench.get_task",
            "arguments": {"task_id": "erpbench-001"},
        }
    ]
    assert document["final_metrics"] == {"total_steps": 29, "extra": {"erp_score": 100}}
    (submitted,) = [
        call["arguments"]
        for step in steps[1:]
        for call in step["tool_calls"]
        if call["function_name"].endswith("answer")
    ]
    assert submitted["answers"]["order_total"] == 2757.6
    assert "${" not in json.dumps([step.get("tool_calls") for step in steps])


@pytest.mark.skipif(not HARBOR.is_file(), reason="needs .venv-harbor (`make harbor`)")
def test_harbors_own_model_takes_every_one(published: Path) -> None:
    paths = [str(published / "trajectories" / f"{task}.json") for task in SHOWN]
    done = subprocess.run([str(HARBOR), "-c", VALIDATE, *paths], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) == 10
    assert done.stdout.split()[0] == "29"
