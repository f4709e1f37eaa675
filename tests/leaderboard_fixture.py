"""Harbor job directories made in process: evidence of episodes in the shape that Harbor 0.26 leaves, no containers."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.leaderboard.checksum import task_checksum
from generator.leaderboard.entry import Entry, TrialEntry
from generator.leaderboard.entry_check import POINTS
from generator.leaderboard.job import EVIDENCE, SNAPSHOT
from generator.leaderboard.regrade import Regraded, regrade
from generator.leaderboard.release import Release, ReleaseTask
from generator.qualify.controls import Stage
from generator.qualify.episode import evidence, fresh_world
from generator.qualify.qualify import cases
from generator.qualify.script import Step, in_process, run_script, steps_of
from generator.qualify.variations import vary
from generator.release.bindings import sha256_of
from generator.spec.case import Case
from generator.spec.plan import OraclePlan
from generator.spec.streams import RELEASE_SEED, stream
from generator.tasks.criteria import build_contract
from generator.tasks.package import BASELINE, CONTRACT, PLAN
from verifier import contract as contracts
from verifier.grading import read_baseline

JOB_ID = "16565c34-0895-4e63-9e6f-bd983477dc37"


HONEST = ("other routes", "other free text", "reworded handoff")


def steps(task: ReleaseTask, kind: str) -> tuple[Step, ...]:
    """right: own reads, own words; oracle: the published plan; replay: the same behind one more look at the contract;
    reworded: the plan's calls with drafts and posts in other words; reader: stops after reading; nothing: no call."""
    if kind in ("right", "reworded"):
        return vary(stage(task), HONEST if kind == "right" else HONEST[1:], stream(RELEASE_SEED, "board", task.task))
    plan = OraclePlan.model_validate_json((task.directory / PLAN).read_text(encoding="utf-8"))
    again = Step("erpbench.get_task", {"task_id": task.task})
    read = [call for call in plan.calls if call.stage in ("scope", "investigate")]
    chosen = {
        "oracle": steps_of(plan.calls),
        "replay": (again, *steps_of(plan.calls)),
        "reader": (again, *steps_of(read)),
        "nothing": (),
    }
    return chosen[kind]


def stage(task: ReleaseTask) -> Stage:
    """What variations of a task are made from."""
    case, baseline = known_cases()[task.task], read_baseline(task.directory / BASELINE)
    written = json.loads((task.directory / CONTRACT).read_text(encoding="utf-8"))
    contract = build_contract(case, contracts.load(written).baseline_sha256)
    return Stage(case, contract, baseline.state, foreign=case)


@cache
def known_cases() -> dict[str, Case]:
    return cases(RELEASE_SEED)


def full_entry(release: Release, name: str, agent: str = "terminus-2", attempts: int = 1) -> Entry:
    """An entry of a whole run with every point, its evidence unlike any other entry's."""
    trials = [
        TrialEntry(
            task=task.task,
            trial=f"{task.task}__{number:07d}",
            family=task.family,
            tenant=task.tenant,
            score=100,
            strict=True,
            categories=POINTS,
            evidence=sha256(f"{name} {task.task} {number}".encode()).hexdigest(),
        )
        for task in release.tasks.values()
        for number in range(attempts)
    ]
    return Entry(
        name=name,
        agent=agent,
        agent_version="2.0.0",
        model="acme/fable-1",
        harbor="0.26.0",
        job=f"job of {name}",
        finished="2026-11-30T17:38:03.683912",
        release=release.digest,
        tasks=len(release.tasks),
        attempts=attempts,
        control="",
        partial=(),
        trials=tuple(trials),
    )


def apart(entry: Entry, mark: str) -> Entry:
    """The entry as if its episodes had been other ones of the same scores."""
    trials = [
        trial.model_copy(update={"evidence": sha256(f"{mark} {trial.evidence}".encode()).hexdigest()})
        for trial in entry.trials
    ]
    return entry.model_copy(update={"trials": tuple(trials)})


@dataclass
class Studio:
    """Plays and grades each episode once, however many jobs it is put into."""

    release: Release
    folder: Path
    graded: dict[tuple[str, str], Regraded] = field(default_factory=dict)

    def evidence(self, task: str, kind: str) -> Path:
        kept = self.folder / kind / task
        if not kept.is_dir():
            entry = self.release.tasks[task]
            with fresh_world(entry.directory) as world:
                run_script(in_process(world), steps(entry, kind))
                shutil.copytree(evidence(world), kept)
        return kept

    def verdict(self, task: str, kind: str) -> Regraded:
        return self.grade(self.release.tasks[task], self.evidence(task, kind))

    def grade(self, task: ReleaseTask, folder: Path) -> Regraded:
        """regrade, remembered by the snapshot: the jobs hold copies of the studio's."""
        key = (task.task, sha256_of(folder / SNAPSHOT))
        if key not in self.graded:
            self.graded[key] = regrade(task, folder)
        return self.graded[key]


@dataclass
class FakeJob:
    """A job to write: runs are pairs of task and kind of episode, in order; attempts as in config.json."""

    runs: Sequence[tuple[str, str]]
    agent: str = "terminus-2"
    model: str | None = "fable-1"
    attempts: int = 1
    id: str = JOB_ID

    def agent_config(self) -> dict[str, Any]:
        model = None if self.model is None else f"acme/{self.model}"
        return {"name": self.agent, "import_path": None, "model_name": model, "skills": [], "mcp_servers": []}

    def agent_info(self) -> dict[str, Any]:
        model = None if self.model is None else {"name": self.model, "provider": "acme"}
        return {"name": self.agent, "version": "2.0.0", "model_info": model}


def dump(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def edit(path: Path, *keys: str | int, to: Any) -> None:
    """Change one value of a JSON file in place."""
    value = json.loads(path.read_text(encoding="utf-8"))
    inner = value
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = to
    dump(path, value)


@cache
def checksum(directory: Path) -> str:
    return task_checksum(directory)


def write_job(job: FakeJob, studio: Studio, folder: Path) -> Path:
    """The job directory, as an honest run leaves it."""
    locks, stats = dict[str, Any](), dict[str, dict[str, list[str]]]()
    for number, (task, kind) in enumerate(job.runs):
        name = f"{task}__{number:07d}"
        locks[task] = write_trial(job, studio, folder / name, task, kind, number)
        for key, value in studio.verdict(task, kind).rewards.items():
            stats.setdefault(key, {}).setdefault(str(value), []).append(name)
    count = len(job.runs)
    dump(
        folder / "config.json", {"n_attempts": job.attempts, "agents": [job.agent_config()], "timeout_multiplier": 1.0}
    )
    planned = [lock for lock in locks.values() for _ in range(job.attempts)]
    dump(folder / "lock.json", {"schema_version": 3, "harbor": {"version": "0.26.0"}, "trials": planned})
    evaluation = {"n_trials": count, "n_errors": 0, "reward_stats": stats}
    result = {
        "id": job.id,
        "finished_at": "2026-11-30T17:38:03.683912",
        "n_total_trials": len(planned),
        "stats": {"n_completed_trials": count, "evals": {f"{job.agent}__erpbench100": evaluation}},
    }
    dump(folder / "result.json", result)
    return folder


def write_trial(job: FakeJob, studio: Studio, folder: Path, task: str, kind: str, number: int) -> dict[str, Any]:
    """One trial's directory; its lock."""
    entry, verdict = studio.release.tasks[task], studio.verdict(task, kind)
    config = {"trial_name": folder.name, "job_id": job.id, "agent": job.agent_config(), "timeout_multiplier": 1.0}
    lock = {"schema_version": 2, "task": {"name": task, "digest": entry.digest, "type": "local"}}
    dump(folder / "config.json", config)
    dump(folder / "lock.json", lock)
    result = {
        "id": f"a71c48e5-978b-47d8-9058-{number:012d}",
        "task_name": f"erpbench/{task}",
        "trial_name": folder.name,
        "task_checksum": checksum(entry.directory),
        "config": config,
        "agent_info": job.agent_info(),
        "verifier_result": {"rewards": verdict.rewards},
        "exception_info": None,
        "reward_valid": True,
    }
    dump(folder / "result.json", result)
    dump(folder / "verifier" / "reward.json", verdict.rewards)
    criteria = [{"n": n, "verdict": "pass" if holds else "fail"} for n, holds in verdict.passed.items()]
    dump(folder / "verifier" / "verdict.json", {"schema_version": 1, "score": verdict.score, "criteria": criteria})
    shutil.copytree(studio.evidence(task, kind), folder / EVIDENCE)
    return lock
