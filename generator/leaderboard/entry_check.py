"""Whether an entry can be true at all. In: an entry, and the release that it is of. Out: nothing, or an error.

An entry is a file that anybody can edit. What it says of its tasks is held against the release, and its points against
what the criteria of a task can earn; that the evidence earns them only its job directory can show.
"""

from collections import Counter

from generator.leaderboard.copies import repeated_attempt
from generator.leaderboard.entry import Entry, TrialEntry
from generator.leaderboard.files import LeaderboardError
from generator.leaderboard.release import Release
from generator.spec.contract import WEIGHTS

POINTS = {category: sum(weights) for category, weights in WEIGHTS.items()}
"""What each category of criteria is worth; a hundred together."""


def check_entry(entry: Entry, where: str) -> None:
    """Raises LeaderboardError for trials that contradict themselves or one another."""
    for trial in entry.trials:
        _check_points(trial, where)
        if trial.trial.partition("__")[0] != trial.task:
            raise LeaderboardError(f"{where}: {trial.trial}: of task {trial.task}; expected the task that it names")
    name, count = Counter(trial.trial for trial in entry.trials).most_common(1)[0]
    if count > 1:
        raise LeaderboardError(f"{where}: {name}: there {count} times")
    twice = repeated_attempt(entry.trials)
    if twice:
        first, second = twice
        raise LeaderboardError(
            f"{where}: {first.trial} and {second.trial} have the same evidence: one attempt, copied, counts for no two"
        )


def _check_points(trial: TrialEntry, where: str) -> None:
    for category, points in trial.categories.items():
        most = POINTS.get(category)
        if most is None:
            raise LeaderboardError(f"{where}: {trial.trial}: no category {category}; expected {', '.join(POINTS)}")
        if not 0 <= points <= most:
            raise LeaderboardError(f"{where}: {trial.trial}: {points} points of {category}; expected 0 to {most}")
    total = sum(trial.categories.values())
    if trial.score != total:
        raise LeaderboardError(f"{where}: {trial.trial}: score {trial.score}; its categories come to {total}")
    if trial.strict != (trial.score == 100):
        came = "strict" if trial.strict else "not strict"
        raise LeaderboardError(f"{where}: {trial.trial}: {came} with score {trial.score}; strict is 100 of 100")


def check_against(entry: Entry, release: Release) -> None:
    """Raises LeaderboardError for an entry of the release that speaks of other tasks than the release has."""
    if entry.release != release.digest:
        return
    if entry.tasks != len(release.tasks):
        raise LeaderboardError(f"{entry.name}: tasks is {entry.tasks}; the release has {len(release.tasks)}")
    for trial in entry.trials:
        task = release.tasks.get(trial.task)
        if task is None:
            raise LeaderboardError(f"{entry.name}: {trial.trial}: task {trial.task} is not in this release")
        for field, came, expected in (("family", trial.family, task.family), ("tenant", trial.tenant, task.tenant)):
            if came != expected:
                raise LeaderboardError(f"{entry.name}: {trial.trial}: {field} {came}; the release has {expected}")
