"""Whether a job may have a rank. In: a checked job, the release, regraded trials. Out: reasons, none if it may.

Ranked is a whole run of all tasks of the release, each with the same number of attempts, under the conditions that the
task directories state. Controls are never ranked: the oracle, the agent that does nothing, and whoever replays the
oracle's published plan.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generator.leaderboard.check import counts
from generator.leaderboard.job import AgentConfig, Job, Trial
from generator.leaderboard.regrade import Regraded
from generator.leaderboard.release import Release
from generator.tasks.package import PLAN

CONTROL_AGENTS = ("oracle", "nop")
NAMED = 3
CONDITIONS: Mapping[str, Any] = {
    "timeout_multiplier": 1.0,
    "agent_timeout_multiplier": None,
    "verifier_timeout_multiplier": None,
    "agent_setup_timeout_multiplier": None,
    "environment_build_timeout_multiplier": None,
    "install_only": False,
    "override_error_policy": {},
    "extra_instruction_paths": [],
    "extra_instructions": [],
    "source_trial": None,
    "source_jobs": [],
    "verifier.override_timeout_sec": None,
    "verifier.max_timeout_sec": None,
    "verifier.disable": False,
    "agent.override_timeout_sec": None,
    "agent.skills": [],
    "agent.mcp_servers": [],
    "agent.resume_trajectory": False,
    "agent.load_trajectory": None,
    "environment.mounts": None,
    "environment.extra_docker_compose": [],
    "environment.override_cpus": None,
    "environment.override_memory_mb": None,
    "environment.override_storage_mb": None,
    "retry.include_exceptions": None,
}
"""What Harbor's config.json has where the task directory's own settings hold; another value is another benchmark."""


def control_reason(agent: AgentConfig, name: str) -> str:
    """Why an agent is a control by its name, empty if it is none."""
    called = {name.lower(), (agent.name or "").lower()}
    if agent.import_path:
        # harbor.agents.oracle:OracleAgent is the oracle too.
        module, _, kind = agent.import_path.lower().partition(":")
        called |= {module.rpartition(".")[2], kind, kind.removesuffix("agent")}
    found = sorted(called & set(CONTROL_AGENTS))
    return f"the agent is a control ({found[0]})" if found else ""


def replay_reason(release: Release, regraded: Mapping[str, list[Regraded]]) -> str:
    """Why a job is the oracle's plan under another name, empty if it is not.

    An agent that finds its own way may happen on the oracle's sequence of calls in a task; not in most of them.
    """
    same = [task for task, found in regraded.items() if any(_planned(release, task) == one.calls for one in found)]
    if 2 * len(same) <= len(regraded):
        return ""
    return f"makes exactly the calls of the oracle's published plan in {len(same)} of {len(regraded)} tasks"


def _planned(release: Release, task: str) -> tuple[str, ...]:
    plan = json.loads((release.tasks[task].directory / PLAN).read_text(encoding="utf-8"))
    return tuple(str(call["tool"]) for call in plan["calls"])


def partial_reasons(job: Job, release: Release) -> tuple[str, ...]:
    """Why the job is not a whole run under the release's conditions."""
    return (*_unfinished(job), *_missing(job, release), *_altered(job))


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


def _altered(job: Job) -> Iterator[str]:
    """Conditions that are not the task directories' own, each once."""
    documents = [job.conditions, *(trial.conditions for trial in job.trials)]
    for path, expected in CONDITIONS.items():
        found = [value for document in documents for value in _values(document, path) if value != expected]
        if found:
            yield f"run under other conditions: {path} is {json.dumps(found[0])}"


def _values(document: Mapping[str, Any], path: str) -> Iterator[Any]:
    """The values at a dotted path. A job holds a list of agents where a trial holds one."""
    section, _, field = path.rpartition(".")
    places: list[Any] = [document] if not section else [document.get(section)]
    if section == "agent":
        places += document.get("agents") or []
    for place in places:
        if isinstance(place, Mapping) and field in place:
            yield place[field]


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
