"""What a qualification finds out of one task: its episodes, its mutants, its untouched world and its audit.

Written to dist/qualification/parts/<task>.json, so that an interrupted run goes on where it stopped (schema version 1).
"""

from typing import Literal

from generator.spec.tenant import Model


class EpisodeResult(Model):
    """One episode. predicted: the criteria that had to fail, where that was told beforehand; fault: why it could not be
    played as meant. distance: answers in which it differs from gold."""

    kind: str
    name: str = ""
    calls: int = 0
    score: int = 0
    strict: bool = False
    failed: tuple[int, ...] = ()
    predicted: tuple[int, ...] | None = None
    distance: int = 0
    fault: str = ""

    @property
    def as_predicted(self) -> bool:
        return not self.fault and self.predicted in (None, self.failed)


class MutantResult(Model):
    """One mutant. astray: criteria that failed beyond its closure, or held though they belong to it."""

    criterion: int
    kind: str
    killed: bool
    astray: tuple[int, ...] = ()


class TaskResult(Model):
    """Everything of one task.

    untouched: criteria that hold though nothing was done; audit: differences between gold and what SQL derives from the
    evidence, None where that was not looked into.
    """

    schema_version: Literal[1] = 1
    fingerprint: str
    task_id: str
    family: str
    tenant: str
    untouched: tuple[int, ...] = ()
    episodes: tuple[EpisodeResult, ...] = ()
    mutants: tuple[MutantResult, ...] = ()
    audit: tuple[str, ...] | None = None
    faults: tuple[str, ...] = ()
