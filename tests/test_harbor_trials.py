"""Reading a finished job: rewards, criteria, seconds; what counts as expected of the oracle and of an idle agent."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.harbor.program import HarborError
from generator.harbor.trials import Trial, as_expected, read_trials, unexpected


def write_trial(job: Path, task: str, reward: dict[str, Any] | None, exception: dict[str, str] | None = None) -> None:
    directory = job / f"{task}__Ab3"
    (directory / "verifier").mkdir(parents=True)
    result = {
        "task_name": f"erpbench/{task}",
        "started_at": "2026-02-09T09:00:00.500000Z",
        "finished_at": "2026-02-09T09:00:08.750000Z",
        "exception_info": exception,
    }
    (directory / "result.json").write_text(json.dumps(result))
    if reward is not None:
        (directory / "verifier" / "reward.json").write_text(json.dumps(reward))
        criteria = [{"n": n, "verdict": "pass" if n <= 33 or reward["strict"] == 1 else "fail"} for n in range(1, 35)]
        (directory / "verifier" / "verdict.json").write_text(json.dumps({"criteria": criteria}))


def test_trials_are_read_in_task_order(tmp_path: Path) -> None:
    write_trial(tmp_path, "erpbench-002", {"reward": 0.98, "erp_score": 98.0, "strict": 0})
    write_trial(tmp_path, "erpbench-001", {"reward": 1.0, "erp_score": 100.0, "strict": 1})
    assert read_trials(tmp_path) == [
        Trial("erpbench-001", 1.0, 100.0, True, 34, 34, 8.25, None),
        Trial("erpbench-002", 0.98, 98.0, False, 33, 34, 8.25, None),
    ]


def test_a_trial_without_a_reward_has_a_problem(tmp_path: Path) -> None:
    write_trial(tmp_path, "erpbench-001", None)
    write_trial(tmp_path, "erpbench-002", None, {"exception_type": "TimeoutError", "exception_message": "too\nlong"})
    assert [trial.problem for trial in read_trials(tmp_path)] == [
        "no reward.json: the verifier failed",
        "TimeoutError: too long",
    ]


def test_a_broken_result_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "result.json").write_text("{")
    with pytest.raises(HarborError, match=r"t/result\.json: not JSON"):
        read_trials(tmp_path)


PERFECT = Trial("erpbench-001", 1.0, 100.0, True, 34, 34, 8.0, None)
NOTHING = Trial("erpbench-001", 0.0, 0.0, False, 0, 34, 8.0, None)


@pytest.mark.parametrize(
    ("trial", "agent", "expected"),
    [
        (PERFECT, "oracle", True),
        (PERFECT, "nop", False),
        (NOTHING, "nop", True),
        (NOTHING, "oracle", False),
        (Trial("t", 1.0, 100.0, True, 33, 34, 8.0, None), "oracle", False),
        (Trial("t", 1.0, 100.0, True, 0, 0, 8.0, None), "oracle", False),
        (Trial("t", 0.04, 4.0, False, 2, 34, 8.0, None), "nop", False),
        (Trial("t", None, None, False, 0, 0, 8.0, "no reward.json"), "nop", False),
    ],
)
def test_what_is_expected(trial: Trial, agent: str, expected: bool) -> None:
    assert as_expected(trial, agent) is expected


def test_a_missing_trial_is_unexpected() -> None:
    assert unexpected([PERFECT], ["erpbench-001", "erpbench-002"], "oracle") == ["erpbench-002: no trial"]
    assert unexpected([NOTHING], ["erpbench-001"], "oracle") == ["erpbench-001: reward 0.0, strict 0"]
