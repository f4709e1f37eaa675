"""The figures of a set of trials. In: trials. Out: means, rates and 95 % intervals, the same on every machine.

Attempts at one task are alike, so a task counts once, however often it was tried: every figure is a mean over tasks of
what the task's attempts give, and every interval is over tasks. The mean score has a bootstrap interval over tasks
(2,000 resamples from a fixed stream, the percentiles 2.5 and 97.5). Rates have Wilson's interval with as many
observations as tasks, since a bootstrap of a rate of 0 or 1 has no width.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from statistics import quantiles

from generator.leaderboard.entry import TrialEntry
from generator.spec.streams import RELEASE_SEED, stream

RESAMPLES = 2000
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Figure:
    """A value with its 95 % interval."""

    value: Fraction
    low: float
    high: float


@dataclass(frozen=True)
class Figures:
    """score of 0 to 100; strict and pass_k are shares. pass_k maps k to pass^k, for each k up to the attempts."""

    tasks: int
    score: Figure
    strict: Figure
    pass_k: dict[int, Figure]


def figures(trials: Iterable[TrialEntry]) -> Figures:
    """The figures over the tasks that the trials are of; at least one trial."""
    by_task: dict[str, list[TrialEntry]] = {}
    for trial in trials:
        by_task.setdefault(trial.task, []).append(trial)
    attempts = [by_task[task] for task in sorted(by_task)]
    scores = [Fraction(sum(trial.score for trial in tried), len(tried)) for tried in attempts]
    right = [(sum(trial.strict for trial in tried), len(tried)) for tried in attempts]
    fewest = min(count for _, count in right)
    return Figures(
        tasks=len(attempts),
        score=Figure(_mean(scores), *bootstrap(scores)),
        strict=_rate([Fraction(held, count) for held, count in right]),
        pass_k={k: _rate([pass_hat(held, count, k) for held, count in right]) for k in range(1, fewest + 1)},
    )


def pass_hat(held: int, attempts: int, k: int) -> Fraction:
    """pass^k of one task: the unbiased estimate of the chance that k attempts are all strict.

    Of n attempts, c were strict: the share of the sets of k among the n attempts that hold only strict ones, which is
    C(c, k) / C(n, k), for k up to n. pass^1 is the strict rate; the higher k, the more it asks for reliability.

    >>> pass_hat(3, 4, 2)
    Fraction(1, 2)
    """
    return Fraction(comb(held, k), comb(attempts, k))


def wilson(share: Fraction, observations: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; its end is 0 or 1 itself where the share is."""
    p, n, z2 = float(share), observations, Z95 * Z95
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return 0.0 if share == 0 else middle - half, 1.0 if share == 1 else middle + half


def bootstrap(values: Sequence[Fraction]) -> tuple[float, float]:
    """The percentiles 2.5 and 97.5 of the mean of as many values drawn with replacement."""
    draw = stream(RELEASE_SEED, "leaderboard", "bootstrap")
    plain = [float(value) for value in values]
    means = [sum(draw.choices(plain, k=len(plain))) / len(plain) for _ in range(RESAMPLES)]
    cuts = quantiles(means, n=40, method="inclusive")
    return cuts[0], cuts[-1]


def _rate(shares: Sequence[Fraction]) -> Figure:
    mean = _mean(shares)
    return Figure(mean, *wilson(mean, len(shares)))


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
