"""The trials of a finished job. In: Harbor's job directory. Out: Trials, and whether each is as it should be."""

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.harbor.program import HarborError


@dataclass(frozen=True)
class Trial:
    """One trial. passed and criteria count the verdict's criteria; problem says why a trial has no reward."""

    task_id: str
    reward: float | None
    erp_score: float | None
    strict: bool
    passed: int
    criteria: int
    seconds: float
    problem: str | None


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise HarborError(f"{path}: not JSON ({error})") from None


def seconds_between(start: str, end: str) -> float:
    return (dt.datetime.fromisoformat(end) - dt.datetime.fromisoformat(start)).total_seconds()


def read_trial(directory: Path) -> Trial:
    """A trial from its directory. Raises HarborError if it has no result.json."""
    result = read_json(directory / "result.json")
    if result is None:
        raise HarborError(f"{directory}: no result.json; the trial did not end")
    reward = read_json(directory / "verifier" / "reward.json") or {}
    verdict = read_json(directory / "verifier" / "verdict.json") or {}
    criteria = verdict.get("criteria", [])
    exception = result.get("exception_info")
    problem = None
    if exception:
        problem = (
            f"{exception.get('exception_type')}: {' '.join(str(exception.get('exception_message')).split())[:200]}"
        )
    elif "reward" not in reward:
        problem = "no reward.json: the verifier failed"
    return Trial(
        task_id=str(result["task_name"]).split("/")[-1],
        reward=reward.get("reward"),
        erp_score=reward.get("erp_score"),
        strict=reward.get("strict") == 1,
        passed=sum(criterion.get("verdict") == "pass" for criterion in criteria),
        criteria=len(criteria),
        seconds=seconds_between(result["started_at"], result["finished_at"]),
        problem=problem,
    )


def read_trials(job: Path) -> list[Trial]:
    """The job's trials in task order."""
    trials = [read_trial(path.parent) for path in job.glob("*/result.json")]
    return sorted(trials, key=lambda trial: trial.task_id)


def as_expected(trial: Trial, agent: str) -> bool:
    """The oracle gets everything and is strict; an agent that does nothing gets exactly nothing."""
    if trial.problem is not None:
        return False
    if agent == "oracle":
        return trial.reward == 1.0 and trial.strict and trial.passed == trial.criteria > 0
    return trial.reward == 0.0 and not trial.strict


def unexpected(trials: Iterable[Trial], tasks: Iterable[str], agent: str) -> list[str]:
    """One line for each task whose trial is missing or not what the agent should get."""
    by_task = {trial.task_id: trial for trial in trials}
    lines: list[str] = []
    for task in tasks:
        trial = by_task.get(task)
        if trial is None:
            lines.append(f"{task}: no trial")
        elif not as_expected(trial, agent):
            lines.append(f"{task}: {trial.problem or f'reward {trial.reward}, strict {int(trial.strict)}'}")
    return lines
