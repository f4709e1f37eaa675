"""From a job directory to an entry. In: the directory, the release. Out: an Entry, or LeaderboardError if refused."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from generator.leaderboard.check import check_job, counts
from generator.leaderboard.entry import NAME, Entry, TrialEntry, entry_error, entry_name
from generator.leaderboard.entry_check import check_entry
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.job import Job, Trial, read_job
from generator.leaderboard.regrade import Regrade, Regraded, compare, regrade, regrade_all
from generator.leaderboard.release import Release, ReleaseTask
from generator.leaderboard.standing import control_reason, partial_reasons, replay_reason


def build_entry(
    directory: Path,
    release: Release,
    name: str | None = None,
    grader: Regrade = regrade,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> Entry:
    """Read, check and regrade a job. tick is called with (trials regraded, trials in all).

    Raises LeaderboardError for a job that is refused, naming the trial; EvidenceError and DatasetError as they come.
    """
    job = read_job(directory)
    check_job(job, release)
    valid = [trial for trial in job.trials if counts(trial)]
    if not valid:
        raise LeaderboardError(f"{directory}: no trial has a valid reward")
    pairs: list[tuple[Trial, Regraded]] = []
    for trial, came in regrade_all(valid, release, grader):
        compare(trial, came)
        pairs.append((trial, came))
        tick(len(pairs), len(valid))
    try:
        entry = _entry(job, release, pairs, name)
    except ValidationError as error:
        raise entry_error(directory, error) from None
    check_entry(entry, str(directory))
    return entry


def _entry(job: Job, release: Release, pairs: Sequence[tuple[Trial, Regraded]], name: str | None) -> Entry:
    info = job.trials[0].result.agent_info
    called = name or entry_name(info.name, info.model_info.name if info.model_info else None)
    if not NAME.fullmatch(called):
        raise LeaderboardError(f"name {called!r}: expected letters, digits, dots and dashes in lower case, at most 80")
    return Entry(
        name=called,
        agent=info.name,
        agent_version=info.version,
        model=info.model,
        harbor=job.lock.harbor.version,
        job=job.result.id,
        finished=job.result.finished_at,
        release=release.digest,
        tasks=len(release.tasks),
        attempts=job.config.n_attempts,
        control=control_reason(job.config.agents[0], info.name) or replay_reason(_by_task(pairs)),
        partial=partial_reasons(job, release),
        trials=tuple(_trial(trial, came, release.tasks[trial.task]) for trial, came in pairs),
    )


def _by_task(pairs: Sequence[tuple[Trial, Regraded]]) -> Mapping[str, list[Regraded]]:
    found: dict[str, list[Regraded]] = {}
    for trial, came in pairs:
        found.setdefault(trial.task, []).append(came)
    return found


def _trial(trial: Trial, came: Regraded, task: ReleaseTask) -> TrialEntry:
    return TrialEntry(
        task=trial.task,
        trial=trial.name,
        family=task.family,
        tenant=task.tenant,
        score=came.score,
        strict=came.strict,
        categories=came.categories,
        evidence=came.evidence,
    )
