"""One task qualified: every kind of episode played on its world in process and graded by the verifier.

In: a rendered task directory, the dataset's seed and the kinds wanted. Out: a TaskResult. World code, verifier and
files are those of the containers; only the containers and the network are missing.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from erpbench_world.digest import logical_digest
from erpbench_world.dispatch import World
from pydantic import ValidationError

from generator.audit.documents import Reader
from generator.audit.load import Tables, load
from generator.audit.run import compare, derive, expected
from generator.qualify.controls import KINDS, Control, Stage, build_controls
from generator.qualify.episode import fresh_world
from generator.qualify.finished import Finished
from generator.qualify.mutants import build_mutants
from generator.qualify.results import EpisodeResult, MutantResult, TaskResult
from generator.qualify.rules import differing
from generator.qualify.script import Step, in_process, run_script, steps_of
from generator.qualify.variations import build_variations
from generator.spec.case import Case
from generator.spec.errors import ErpbenchError
from generator.spec.plan import OraclePlan
from generator.tasks.case import build_cases, task_id
from generator.tasks.criteria import build_contract
from generator.tasks.package import BASELINE, CONTRACT, PLAN
from generator.tasks.plan import build_plan
from generator.tenants.load import load_tenants
from verifier import contract as contracts
from verifier.criteria import vacuous_criteria
from verifier.faults import GraderFault
from verifier.grading import Grader, Verdict, read_baseline

ORACLE, REPLAY, VARIATION, MUTANT, AUDIT = "oracle", "replay", "variation", "mutant", "audit"
ALL_KINDS = (ORACLE, REPLAY, *KINDS, MUTANT, VARIATION, AUDIT)
PER_TENANT = 10


@dataclass(frozen=True)
class Played:
    """An episode's verdict, its evidence, and for the oracle's the digest of the world it left."""

    verdict: Verdict
    digest: str | None
    calls: int
    finished: Finished


def qualify_task(task: Path, seed: int, kinds: Sequence[str], fingerprint: str = "") -> TaskResult:
    """Play the kinds on the task. What goes wrong with one of them is told in the result, never raised."""
    case = cases(seed)[task.name]
    result = TaskResult(fingerprint=fingerprint, task_id=task.name, family=case.family, tenant=case.tenant.profile.slug)
    try:
        raw = json.loads((task / CONTRACT).read_text(encoding="utf-8"))
        baseline = read_baseline(task / BASELINE)
        loaded = contracts.load(raw)
        untouched = tuple(vacuous_criteria(loaded, baseline.state))
        grader = Grader(raw, baseline)
    except (GraderFault, OSError, ValueError) as fault:
        untouched = _vacuous(task)
        return result.model_copy(update={"untouched": untouched, "faults": (f"{task.name}: {fault}",)})
    if not _is_rendered_from(case, task):
        stale = f"{task.name}: rendered by another version of the generator; run `make dataset`"
        return result.model_copy(update={"untouched": untouched, "faults": (stale,)})
    stage = Stage(case, build_contract(case, loaded.baseline_sha256), baseline.state, _foreign(case, seed))
    player = Player(task, grader, stage)
    return result.model_copy(
        update={
            "untouched": untouched,
            "episodes": tuple(player.episodes(kinds, seed)),
            "mutants": tuple(player.mutants()) if MUTANT in kinds else (),
            "audit": _audited(task) if AUDIT in kinds else None,
            "faults": tuple(player.faults),
        }
    )


def _is_rendered_from(case: Case, task: Path) -> bool:
    """Whether the rendered plan is the case's: if not, nothing that is told from the case holds for the task."""
    try:
        rendered = OraclePlan.model_validate_json((task / PLAN).read_bytes())
    except (OSError, ValidationError):
        return False
    made = build_plan(case).model_dump_json()
    return rendered == OraclePlan.model_validate_json(made)


def _vacuous(task: Path) -> tuple[int, ...]:
    """Criteria that hold on the untouched world, where the contract can be read at all."""
    try:
        loaded = contracts.load(json.loads((task / CONTRACT).read_text(encoding="utf-8")))
        return tuple(vacuous_criteria(loaded, read_baseline(task / BASELINE).state))
    except (GraderFault, OSError, ValueError):
        return ()


@lru_cache(maxsize=1)
def cases(seed: int) -> dict[str, Case]:
    """All cases of a dataset by task id; built once a process."""
    return {case.task_id: case for case in build_cases(load_tenants(seed=seed))}


def _foreign(case: Case, seed: int) -> Case:
    """The case of the same family at the next tenant."""
    known = cases(seed)
    number = (case.number + PER_TENANT - 1) % len(known) + 1
    return known.get(task_id(number), case)


class Player:
    """Plays episodes of one task, each on a fresh world."""

    def __init__(self, task: Path, grader: Grader, stage: Stage) -> None:
        self.task, self.grader, self.stage = task, grader, stage
        self.faults: list[str] = []
        self._oracle: Played | None = None

    def episodes(self, kinds: Sequence[str], seed: int) -> Iterator[EpisodeResult]:
        if ORACLE in kinds:
            yield self._told(ORACLE, "", self._played_oracle(), predicted=())
        if REPLAY in kinds:
            yield self._replayed()
        controls = [kind for kind in KINDS if kind in kinds]
        for kind in controls:
            yield from self._controls(kind)
        if VARIATION in kinds:
            for variation in build_variations(self.stage, seed):
                yield self._result(VARIATION, ", ".join(variation.kinds), variation.steps, frozenset())

    def mutants(self) -> Iterator[MutantResult]:
        played = self._played_oracle()
        if isinstance(played, str):
            self.faults.append(f"{self.task.name}: no mutants, since the oracle could not be played: {played}")
            return
        try:
            for mutant in build_mutants(self.stage.case, self.stage.contract, played.finished):
                failed = mutant.evidence.grade().failed
                astray = tuple(sorted(mutant.astray(failed)))
                yield MutantResult(
                    criterion=mutant.criterion, kind=mutant.kind, killed=mutant.killed(failed), astray=astray
                )
        except (LookupError, ValueError, TypeError) as error:
            # An oracle's episode that lacks what gold has cannot be mutated; the line must go red, not the run down.
            self.faults.append(f"{self.task.name}: mutants stopped: {type(error).__name__} {error}")

    def _controls(self, kind: str) -> Iterator[EpisodeResult]:
        try:
            controls: list[Control] = list(build_controls(self.stage, (kind,)))
        except (LookupError, ValueError, TypeError, StopIteration) as error:
            yield EpisodeResult(kind=kind, fault=f"cannot be made: {type(error).__name__} {error}")
            return
        distances = {one.name: len(differing(self.stage.case, one.outcome)) for one in self.stage.case.counterfactuals}
        for control in controls:
            result = self._result(kind, control.name, control.steps, control.predicted)
            yield result.model_copy(update={"distance": distances.get(control.name, 0)})

    def _played_oracle(self) -> "Played | str":
        if self._oracle is None:
            played = self._play(steps_of(build_plan(self.stage.case).calls), digest=True)
            if isinstance(played, str):
                return played
            self._oracle = played
        return self._oracle

    def _replayed(self) -> EpisodeResult:
        """The rendered plan, run again: the same verdict, call for call and word for word, and the same world."""
        plan = OraclePlan.model_validate_json((self.task / PLAN).read_bytes())
        again, first = self._play(steps_of(plan.calls), digest=True), self._played_oracle()
        result = self._told(REPLAY, "", again, predicted=())
        if isinstance(first, str) or isinstance(again, str):
            return result
        same = [(one.holds, one.seen) for one in first.verdict.criteria] == [
            (one.holds, one.seen) for one in again.verdict.criteria
        ]
        if not same:
            return result.model_copy(update={"fault": "the second run has another verdict"})
        if first.digest != again.digest:
            return result.model_copy(update={"fault": "the second run leaves another world"})
        return result

    def _result(self, kind: str, name: str, steps: Sequence[Step], predicted: frozenset[int]) -> EpisodeResult:
        return self._told(kind, name, self._play(steps), tuple(sorted(predicted)))

    def _told(self, kind: str, name: str, played: "Played | str", predicted: tuple[int, ...]) -> EpisodeResult:
        if isinstance(played, str):
            return EpisodeResult(kind=kind, name=name, predicted=predicted, fault=played)
        verdict = played.verdict
        return EpisodeResult(
            kind=kind,
            name=name,
            calls=played.calls,
            score=verdict.score,
            strict=verdict.strict,
            failed=verdict.failed,
            predicted=predicted,
        )

    def _play(self, steps: Sequence[Step], digest: bool = False) -> "Played | str":
        """The episode played and graded, or why it could not be."""
        try:
            with fresh_world(self.task) as world:
                calls = run_script(in_process(world), steps)
                return self._graded(world, calls, digest)
        except (ErpbenchError, KeyError) as error:
            return f"{type(error).__name__}: {error}"

    def _graded(self, world: World, calls: int, digest: bool) -> Played:
        with closing(sqlite3.connect(world.database)) as db:
            finished = Finished.of(self.grader, db)
            return Played(finished.grade(), logical_digest(db) if digest else None, calls, finished)


def _audited(task: Path) -> tuple[str, ...]:
    """Differences between gold and what SQL derives from the evidence."""
    reader, tables = _audit_tools()
    try:
        return tuple(compare(derive(load(task, reader, tables)), expected(task)))
    except ErpbenchError as error:
        return (str(error),)


@lru_cache(maxsize=1)
def _audit_tools() -> tuple[Reader, Tables]:
    """One reader a process: the ten tasks of a tenant share most of their files."""
    return Reader(), Tables()
