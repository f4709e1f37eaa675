"""Regrading: what a trial says of itself against what its evidence comes to. In: trials, the release. Out: Regraded.

The evidence of a trial is graded again by the same verifier under the release's own contract and baseline. Rewards, the
verifier's files and each criterion must come out the same; a number that somebody wrote into a file does not.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.job import SNAPSHOT, Trial
from generator.leaderboard.release import Release, ReleaseTask
from generator.leaderboard.replay import MadeCall, repeats_plan
from generator.qualify.explain import grade_task
from generator.release.bindings import sha256_of

NO_EVIDENCE = "none"


@dataclass(frozen=True)
class Regraded:
    """score of 100; categories: points by category; passed: by criterion; replayed: whether the
    episode repeats the oracle's plan; evidence: SHA-256 of the snapshot."""

    score: int
    strict: bool
    categories: dict[str, int]
    passed: dict[int, bool]
    replayed: bool
    evidence: str

    @property
    def rewards(self) -> dict[str, float]:
        """What the verifier writes to reward.json for this verdict."""
        return {"reward": self.score / 100, "erp_score": self.score, "strict": int(self.strict), **self.categories}


Regrade = Callable[[ReleaseTask, Path], Regraded]


def regrade(task: ReleaseTask, evidence: Path) -> Regraded:
    """The verdict on an evidence folder; score 0 where the evidence is missing or not usable."""
    verdict = grade_task(task.directory, evidence)
    snapshot = evidence / SNAPSHOT
    entries = verdict.episode.trace.entries if verdict.episode else ()
    calls = [MadeCall(entry.tool, entry.arguments, bool(entry.wrote)) for entry in entries if entry.outcome == "ok"]
    return Regraded(
        score=verdict.score,
        strict=verdict.strict,
        categories=verdict.categories,
        passed={graded.criterion.n: graded.holds for graded in verdict.criteria},
        replayed=repeats_plan(task.directory, calls),
        evidence=sha256_of(snapshot) if snapshot.is_file() else NO_EVIDENCE,
    )


def regrade_all(
    trials: Iterable[Trial], release: Release, grader: Regrade = regrade
) -> Iterator[tuple[Trial, Regraded]]:
    """Every trial with its verdict, on all cores where there is more than a handful."""
    chosen = list(trials)
    tasks = [release.tasks[trial.task] for trial in chosen]
    folders = [trial.evidence for trial in chosen]
    if len(chosen) < 8 or grader is not regrade:
        yield from zip(chosen, map(grader, tasks, folders), strict=True)
        return
    with ProcessPoolExecutor(os.cpu_count() or 1, multiprocessing.get_context("fork")) as pool:
        yield from zip(chosen, pool.map(grader, tasks, folders, chunksize=4), strict=True)


def compare(trial: Trial, came: Regraded) -> None:
    """Raises LeaderboardError naming the trial and what in it is not what its evidence comes to."""
    expected = came.rewards
    _same(trial, "result.json, verifier_result.rewards", trial.result.rewards, expected)
    if trial.reported is None or trial.verdict is None:
        missing = "reward.json" if trial.reported is None else "verdict.json"
        raise LeaderboardError(f"{trial.name}: the verifier's output is missing (verifier/{missing})")
    _same(trial, "verifier/reward.json", trial.reported, expected)
    try:
        told = {int(one["n"]): one["verdict"] == "pass" for one in trial.verdict["criteria"]}
        score = trial.verdict["score"]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise LeaderboardError(f"{trial.name}: verifier/verdict.json: not a verdict ({error!r})") from None
    wrong = [n for n in sorted(told.keys() | came.passed.keys()) if told.get(n) != came.passed.get(n)]
    if wrong:
        told_of = f"criterion {wrong[0]} is not as its evidence has it"
        raise LeaderboardError(f"{trial.name}: verifier/verdict.json: {told_of}")
    if score != came.score:
        raise LeaderboardError(f"{trial.name}: verifier/verdict.json: score {score}, its evidence gives {came.score}")


def _same(trial: Trial, where: str, told: dict[str, float] | None, expected: dict[str, float]) -> None:
    found = told or {}
    for key in (*expected, *found):
        if found.get(key) != expected.get(key):
            came, should = found.get(key), expected.get(key)
            raise LeaderboardError(f"{trial.name}: {where}: {key} is {came}, its evidence gives {should}")
