"""The goals, and what a run measured against them. In: series of raw numbers. Out: Figures and the Report of a run.

bench.json is the Report as it stands here (schema version 1); a figure without a value says why in its note.
"""

import statistics
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import computed_field

from generator.spec.errors import ErpbenchError
from generator.spec.tenant import Model

SCHEMA_VERSION: Literal[1] = 1
NOISY = 0.25
"""A series whose runs lie further apart than this share of their median is named as noisy."""


class BenchError(ErpbenchError):
    """Something that was to be measured did not run, or did not do what it is measured for."""

    code = "bench"


class Goal(Model):
    """A limit to hold. at_least turns it round; statistic says which of the runs is held against it."""

    id: str
    what: str
    unit: str
    limit: float
    at_least: bool = False
    statistic: Literal["median", "largest"] = "median"

    def holds(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


# MB is a million bytes and kB a thousand throughout.
GOALS = (
    Goal(id="dataset_seconds", what="`make dataset`, 100 tasks, environment ready", unit="s", limit=8),
    Goal(
        id="dataset_peak",
        what="`make dataset`, peak memory over all processes",
        unit="MB",
        limit=500,
        statistic="largest",
    ),
    Goal(id="cases_ratio", what="1,000 fresh cases against 100", unit="x", limit=10.5),
    Goal(id="task_size", what="one task directory", unit="kB", limit=600, statistic="largest"),
    Goal(id="dataset_size", what="the dataset, 100 tasks", unit="MB", limit=60),
    Goal(id="qualification", what="`make qualify`, every episode", unit="s", limit=90),
    Goal(id="world_start", what="world, start to healthy", unit="s", limit=1.2),
    Goal(id="world_memory", what="world, peak memory after the calls below", unit="MB", limit=120, statistic="largest"),
    Goal(
        id="calls_1",
        what="world, calls a second against a bare server, 1 connection",
        unit="x",
        limit=0.8,
        at_least=True,
    ),
    Goal(
        id="calls_4",
        what="world, calls a second against a bare server, 4 connections",
        unit="x",
        limit=0.8,
        at_least=True,
    ),
    Goal(
        id="verifier_seconds",
        what="verifier, one task, process start included",
        unit="s",
        limit=0.4,
        statistic="largest",
    ),
    Goal(id="verifier_peak", what="verifier, its own peak memory", unit="MB", limit=64, statistic="largest"),
    Goal(id="trial_ratio", what="Harbor oracle trial against a skeleton's trial", unit="x", limit=1.2),
)


def goal(id: str) -> Goal:
    return next(goal for goal in GOALS if goal.id == id)


class Figure(Model):
    """One goal with what was measured. series holds every run's number by name, in the order they were made."""

    goal: Goal
    value: float | None
    series: dict[str, tuple[float, ...]]
    note: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def met(self) -> bool | None:
        """None if it was not measured."""
        return None if self.value is None else self.goal.holds(self.value)


def measured(
    id: str, of: str, series: Mapping[str, Sequence[float]], note: str = "", *, different_things: bool = False
) -> Figure:
    """The figure of a goal: the goal's statistic over the series named by `of`; the others are kept beside it.

    Runs that lie far apart are named as noisy; different_things says that those of `of` are not one thing repeated.
    """
    held = goal(id)
    runs = {name: tuple(float(run) for run in numbers) for name, numbers in series.items()}
    value = statistics.median(runs[of]) if held.statistic == "median" else max(runs[of])
    said = [note] if note else []
    if not different_things and is_noisy(runs[of]):
        said.append(f"noisy: {min(runs[of]):.3g} to {max(runs[of]):.3g}")
    return Figure(goal=held, value=value, series=runs, note="; ".join(said))


def not_measured(id: str, reason: str) -> Figure:
    return Figure(goal=goal(id), value=None, series={}, note=reason)


def is_noisy(runs: Sequence[float]) -> bool:
    """Whether repeated runs of one thing lie too far apart to be read to the last digit."""
    return len(runs) > 2 and max(runs) - min(runs) > NOISY * statistics.median(runs)


class Machine(Model):
    """Where it was measured. load is the one-minute load average, without and then with the bench's own work."""

    processors: int
    processor: str
    memory_gb: float
    python: str
    kernel: str
    load_before: float
    load_after: float


class Report(Model):
    schema_version: Literal[1] = SCHEMA_VERSION
    version: str
    machine: Machine
    figures: tuple[Figure, ...]

    @property
    def missed(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if figure.met is False)
