"""Whether a job may have a rank. In: a checked job, the release, regraded trials. Out: reasons, none if it may.

Ranked is a whole run of all tasks of the release, each with the same number of attempts, under the conditions that the
task directories state. Controls are never ranked: the oracle, the agent that does nothing, and whoever replays the
oracle's published plan.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.leaderboard.check import counts
from generator.leaderboard.conditions import altered
from generator.leaderboard.job import AgentConfig, Job, Trial
from generator.leaderboard.regrade import Regraded
from generator.leaderboard.release import Release

CONTROL_AGENTS = ("oracle", "nop")
NAMED = 3
REPLAYED = Fraction(1, 10)
"""The share of tasks above which a job that repeats the plan is a replay. Chance gives none: see replay.py."""


def control_reason(agent: AgentConfig, name: str) -> str:
    """Why an agent is a control by its name, empty if it is none."""
    called = {name.lower(), (agent.name or "").lower()}
    if agent.import_path:
        # harbor.agents.oracle:OracleAgent is the oracle too.
        module, _, kind = agent.import_path.lower().partition(":")
        called |= {module.rpartition(".")[2], kind, kind.removesuffix("agent")}
    found = sorted(called & set(CONTROL_AGENTS))
    return f"the agent is a control ({found[0]})" if found else ""


def replay_reason(regraded: Mapping[str, list[Regraded]]) -> str:
    """Why a job is the oracle's plan under another name, empty if it is not."""
    same = [task for task, found in regraded.items() if any(one.replayed for one in found)]
    if len(same) <= REPLAYED * len(regraded):
        return ""
    return f"repeats the oracle's published plan, its calls or its wording, in {len(same)} of {len(regraded)} tasks"


def partial_reasons(job: Job, release: Release) -> tuple[str, ...]:
    """Why the job is not a whole run under the release's conditions."""
    return (*_unfinished(job), *_missing(job, release), *altered(_documents(job)))


def _unfinished(job: Job) -> Iterator[str]:
    if job.result.finished_at is None:
        yield "the job has not ended"
    if job.unended:
        yield f"{len(job.unended)} trials have no result: {_named(list(job.unended))}"


def _missing(job: Job, release: Release) -> Iterator[str]:
    tried = Counter(trial.task for trial in job.trials if counts(trial))
    absent = [task for task in release.tasks if tried[task] == 0]
    if absent:
        done = len(release.tasks) - len(absent)
        yield f"{done} of {len(release.tasks)} tasks; missing: {_named(absent)}"
    attempts = job.config.n_attempts
    short = [task for task in release.tasks if 0 < tried[task] < attempts]
    if short:
        yield f"fewer than {attempts} attempts at {len(short)} tasks: {_named(short)}"
    invalid = [f"{trial.name} ({_exception(trial)})" for trial in job.trials if not counts(trial)]
    if invalid:
        yield f"{len(invalid)} trials without a valid reward: {_named(invalid)}"


def _exception(trial: Trial) -> str:
    info = trial.result.exception_info
    return info.exception_type if info else "no verifier result"


def _documents(job: Job) -> list[dict[str, Any]]:
    """Every configuration that the job's records hold."""
    return [job.conditions, *(one for trial in job.trials for one in (trial.conditions, trial.recorded))]


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
