"""Evidence that is there twice. In: entries. Out: which entries, and which attempts, hold the same episodes.

An episode is bound to every call with its arguments, so two runs of agents that write their own drafts differ in the
snapshots of all tasks in which they got as far as writing. Trials that scored no more than reads earn are left out:
whoever makes no call leaves the same snapshot as anybody else who makes none.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from generator.leaderboard.entry import Entry, TrialEntry

READING = 15
"""Points that reads alone earn; below them two runs may well be alike."""


def copied_from(entry: Entry, others: Iterable[Entry]) -> tuple[str, ...]:
    """Names of the entries that hold over half of an entry's scored evidence.

    Which of two is the original the files cannot tell, since every date in them is the submitter's own: each is named
    at the other, and neither is ranked until one is withdrawn.
    """
    mine = scored(entry)
    return tuple(
        other.name
        for other in sorted(others, key=lambda one: one.name)
        if other.name != entry.name and mine and 2 * len(mine & scored(other)) > len(mine)
    )


def scored(entry: Entry) -> frozenset[tuple[str, str]]:
    """Task and evidence of each trial that did more than read."""
    return frozenset((trial.task, trial.evidence) for trial in entry.trials if trial.score > READING)


def repeated_attempt(trials: Sequence[TrialEntry]) -> tuple[TrialEntry, TrialEntry] | None:
    """Two attempts at a task with one and the same evidence: one attempt that was copied, whatever their names."""
    done = [trial for trial in trials if trial.score > READING]
    counted = Counter((trial.task, trial.evidence) for trial in done)
    for key, count in counted.items():
        if count > 1:
            first, second, *_ = [trial for trial in done if (trial.task, trial.evidence) == key]
            return first, second
    return None
