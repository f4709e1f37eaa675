"""The files that a verdict becomes."""

import json
from pathlib import Path

import pytest

from tests.contract_fixture import TASK
from tests.play_fixture import Stage, write_evidence
from verifier.report import build_details, build_reward, build_verdict, clear_reports, write_reports


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("report")
    return Stage(folder)


def test_reward_of_the_oracle(stage: Stage) -> None:
    assert build_reward(stage.grade(stage.oracle())) == {
        "reward": 1.0,
        "erp_score": 100,
        "strict": 1,
        "discovery": 15,
        "calculation": 25,
        "decision": 15,
        "erp_state": 20,
        "handoff": 10,
        "readback": 10,
        "containment": 5,
    }


def test_reward_of_doing_nothing_is_zero(stage: Stage) -> None:
    assert set(build_reward(stage.grade([])).values()) == {0}


def test_details_have_one_component_a_category(stage: Stage) -> None:
    reward = build_details(stage.grade(stage.oracle(drop=["account"])))["reward"]
    assert (reward["kind"], reward["score"]) == ("group", 0.99)
    discovery = reward["components"][0]
    assert (discovery["kind"], discovery["name"], discovery["score"]) == ("programmatic", "discovery", 14 / 15)
    assert discovery["criteria"][11] == {
        "name": "12 criterion 12",
        "value": 0.0,
        "weight": 1,
        "raw": False,
        "description": "Criterion 12.",
        "reasoning": "no read of accounts CUST-10412 before call 15",
    }
    assert [len(component["criteria"]) for component in reward["components"]] == [15, 5, 2, 4, 2, 4, 2]


def test_verdict_tells_what_was_seen_and_expected(stage: Stage) -> None:
    verdict = build_verdict(stage.grade(stage.oracle(submission=lambda play: play.submit(accepted_lines=6))))
    assert (verdict["task_id"], verdict["score"], verdict["strict"]) == (TASK, 95, False)
    assert verdict["evidence"] == {"ok": True, "code": None, "reason": None}
    entry = verdict["criteria"][15]
    assert (entry["n"], entry["verdict"], entry["points"], entry["earned"]) == (16, "fail", 5, 0)
    assert (entry["seen"], entry["expected"]) == ("accepted_lines 6", "accepted_lines submitted as 5")
    assert entry["how"] == "the stored submission, compared as a decimal within the field's tolerance"


def test_verdict_on_doctored_evidence_has_the_reason(stage: Stage, tmp_path: Path) -> None:
    verdict = build_verdict(stage.grader.grade_evidence(tmp_path))
    reason = {"ok": False, "code": "missing_file", "reason": "no manifest.json in the evidence"}
    assert (verdict["score"], verdict["evidence"]) == (0, reason)


def test_files_are_written_whole_and_cleared(stage: Stage, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    play = stage.play(
        stage.oracle(post=lambda play: play.post(text="\ud83d order".encode("utf-8", "replace").decode()))
    )
    write_reports(stage.grader.grade_evidence(write_evidence(play, tmp_path / "evidence")), str(out))
    names = ["reward-details.json", "reward.json", "state-diff.json", "trace.json", "verdict.json"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert json.loads((out / "reward.json").read_text())["erp_score"] == 95
    clear_reports(str(out))
    assert list(out.iterdir()) == []
