"""What makes a job refused. In: a Job and the release. Out: nothing, or LeaderboardError naming the trial.

A job is refused where its records contradict one another, the release or its evidence: then nobody can say what was
run. A job that is merely not whole, or was run under other conditions, is listed (standing.py). All records are the
submitter's own files: what is caught is what was changed in one place and not in the others, and any score that the
evidence does not bear out.
"""

import math
from collections import Counter
from collections.abc import Iterable

from generator.leaderboard.checksum import task_checksum
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.job import AgentConfig, Job, Trial
from generator.leaderboard.release import Release


def check_job(job: Job, release: Release) -> None:
    """Raises LeaderboardError for the first contradiction; the evidence is regraded elsewhere."""
    if not job.trials:
        raise LeaderboardError(f"{job.directory}: no trial has ended")
    _check_agents(job)
    for trial in job.trials:
        _check_names(trial, job)
        _check_task(trial, release)
    _check_duplicates(job)
    _check_lock(job)
    _check_summary(job)


def _check_agents(job: Job) -> None:
    """One agent with one model, throughout."""
    if len(job.config.agents) != 1:
        raise LeaderboardError(f"{job.directory}: {len(job.config.agents)} agents in config.json; expected one a job")
    asked, first = job.config.agents[0], job.trials[0].result.agent_info
    for trial in job.trials:
        info = trial.result.agent_info
        if info != first:
            came, expected = (f"{one.name} {one.version}, model {one.model}" for one in (info, first))
            raise LeaderboardError(f"{trial.name}: agent {came}; the other trials have {expected}")
        for place, config in (("config.json", trial.config.agent), ("result.json", trial.result.config.agent)):
            if config != asked:
                raise LeaderboardError(f"{trial.name}: {place}: agent {_told(config)}; the job has {_told(asked)}")
    if asked.name is not None and asked.import_path is None and asked.name != first.name:
        raise LeaderboardError(f"{job.trials[0].name}: ran as agent {first.name}; the job has {asked.name}")
    if asked.model_name is not None and (first.model_info is None or first.model_info.name not in asked.model_name):
        raise LeaderboardError(f"{job.trials[0].name}: ran with model {first.model}; the job has {asked.model_name}")


def _told(config: AgentConfig) -> str:
    return ", ".join(f"{name} {value}" for name, value in config.model_dump(exclude_none=True).items())


def _check_names(trial: Trial, job: Job) -> None:
    """The trial's name and its task's are the same wherever they stand."""
    for place, name in (("config.json", trial.config.trial_name), ("result.json", trial.result.trial_name)):
        if name != trial.name:
            raise LeaderboardError(f"{trial.name}: {place} is of trial {name}")
    if trial.config.job_id not in (None, job.result.id):
        raise LeaderboardError(f"{trial.name}: of job {trial.config.job_id}; this is job {job.result.id}")
    if trial.locked.name.split("/")[-1] != trial.task:
        raise LeaderboardError(
            f"{trial.name}: result.json says task {trial.task}, lock.json says {trial.locked.name}: one was edited"
        )
    if trial.name.partition("__")[0] != trial.task:
        raise LeaderboardError(f"{trial.name}: result.json says task {trial.task}; the trial is named after another")


def _check_task(trial: Trial, release: Release) -> None:
    """The trial ran the release's own task, by both digests that Harbor records."""
    task = release.tasks.get(trial.task)
    if task is None:
        raise LeaderboardError(f"{trial.name}: task {trial.task} is not in this release")
    if trial.locked.digest != task.digest:
        raise LeaderboardError(
            f"{trial.name}: ran another release: its task has digest {trial.locked.digest}, this one {task.digest}"
        )
    expected = task_checksum(task.directory)
    if trial.result.task_checksum != expected:
        came = trial.result.task_checksum
        raise LeaderboardError(f"{trial.name}: result.json: task_checksum {came}; this release's task has {expected}")


def _check_duplicates(job: Job) -> None:
    for trial, count in _repeated(job.trials, [trial.result.id for trial in job.trials]):
        raise LeaderboardError(f"{trial.name}: {count} trials have the id {trial.result.id}; one was copied")
    for trial, count in _repeated(job.trials, [trial.task for trial in job.trials], job.config.n_attempts):
        raise LeaderboardError(
            f"{trial.name}: {count} trials of {trial.task}; the job has {job.config.n_attempts} a task"
        )


def _repeated(trials: Iterable[Trial], keys: list[str], allowed: int = 1) -> list[tuple[Trial, int]]:
    """The last trial of each key that occurs more often than allowed, and how often."""
    counted, last = Counter(keys), dict(zip(keys, trials, strict=True))
    return [(last[key], count) for key, count in counted.items() if count > allowed]


def _check_lock(job: Job) -> None:
    """The job's lock lists every trial's task with the digest that the trial has, and each task for every attempt.

    Who ran more attempts and keeps the best ones has this list to change too.
    """
    tasks = {locked.task.name for locked in job.lock.trials}
    expected = len(tasks) * job.config.n_attempts
    for place, count in (("lock.json", len(job.lock.trials)), ("result.json", job.result.n_total_trials)):
        if count != expected:
            asked = f"{len(tasks)} tasks and {job.config.n_attempts} attempts at each make {expected}"
            raise LeaderboardError(f"{job.directory}: {place} has {count} trials; {asked}")
    planned = Counter((locked.task.name.split("/")[-1], locked.task.digest) for locked in job.lock.trials)
    for trial in job.trials:
        planned[(trial.task, trial.locked.digest)] -= 1
        if planned[(trial.task, trial.locked.digest)] < 0:
            raise LeaderboardError(f"{trial.name}: not among the trials that the job's lock.json lists")


def _check_summary(job: Job) -> None:
    """The job's result.json sums up these trials and no others, each with its own rewards."""
    counted = job.result.stats.n_completed_trials
    if counted != len(job.trials):
        raise LeaderboardError(
            f"{job.directory}: result.json counts {counted} trials that ended, {len(job.trials)} are there"
        )
    known = {trial.name for trial in job.trials}
    told: dict[str, dict[str, float]] = {}
    for evaluation in job.result.stats.evals.values():
        for key, values in evaluation.reward_stats.items():
            for value, names in values.items():
                for name in names:
                    told.setdefault(name, {})[key] = _number(value)
    for name in sorted(told.keys() - known):
        raise LeaderboardError(f"{job.directory}: result.json has rewards of trial {name}, which is not there")
    for trial in job.trials:
        expected = (trial.result.rewards or {}) if counts(trial) else {}
        came = told.get(trial.name, {})
        for key in sorted(expected.keys() | came.keys()):
            if came.get(key) != expected.get(key):
                said = f"the job's result.json has {key} {came.get(key)}, its own {expected.get(key)}"
                raise LeaderboardError(f"{trial.name}: {said}")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def counts(trial: Trial) -> bool:
    """Whether Harbor takes the trial's reward as valid: the verifier ran, and no fault beside the agent's own."""
    if not trial.result.rewards:
        return False
    return trial.result.exception_info is None if trial.result.reward_valid is None else trial.result.reward_valid
