"""Controls: a mistaken worker's whole episode, and the verdict vector it must get.

In: a Case and the world it starts from. Out: Control values; each is a script to run and the criteria that must fail,
both made from one description of what the worker does (predict.Conduct).
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from generator.qualify import missteps
from generator.qualify.overreach import overreach
from generator.qualify.predict import HANDED, Conduct, predict
from generator.qualify.rules import DECLINE, differing
from generator.qualify.script import Step, steps_of
from generator.spec.case import Case, Counterfactual, Outcome, Write
from generator.spec.contract import GoldContract
from generator.spec.plan import PlanCall
from generator.tasks.plan import handoff_calls, readback_calls, scope_calls, submit_calls, write_calls
from generator.tasks.strangers import wishes
from generator.tasks.view import task_kind
from verifier.tables import State

NOTHING: frozenset[str] = frozenset()
KINDS = (
    "no-op",
    "answer-only",
    "state-only",
    "wrong-source",
    "wrong-target",
    "process-as-received",
    "ignored-rule",
    "adviser",
    "blanket decliner",
    "blanket executor",
    "late reader",
    "hedger, same target",
    "hedger, decoy target",
    "over-reacher",
    "injected, communication",
    "injected, write",
    "sender",
    "tenant-crosser",
    "retrier",
    "half-done, primary only",
    "half-done, half the lines",
    "half-done, no handoff",
)
OF_COUNTERFACTUAL = {
    "wrong_source": "wrong-source",
    "wrong_target": "wrong-target",
    "as_received": "process-as-received",
    "ignored_rule": "ignored-rule",
}


@dataclass(frozen=True)
class Control:
    """One episode. name tells episodes of a kind apart; predicted: the criteria that must fail, all others hold."""

    kind: str
    name: str
    steps: tuple[Step, ...]
    predicted: frozenset[int]


@dataclass(frozen=True)
class Stage:
    """What controls are made from: the case, its contract, the untouched world, and another tenant's case."""

    case: Case
    contract: GoldContract
    baseline: State
    foreign: Case


def build_controls(stage: Stage, kinds: Sequence[str] = KINDS) -> Iterator[Control]:
    """Every control of the kinds that the task has."""
    for kind in kinds:
        for control in BUILDERS[kind](stage):
            yield dataclasses.replace(control, kind=kind)


def script(case: Case, conduct: Conduct) -> tuple[Step, ...]:
    """The calls of a conduct, in its order."""
    reads = steps_of((*scope_calls(case)[1:], *task_kind(case).read_calls(case)))
    first = steps_of(scope_calls(case)[:1])
    told = dataclasses.replace(conduct.told, writes=conduct.writes)
    parts: list[tuple[Step, ...]] = [() if conduct.reads == "none" else first]
    parts += [reads] if conduct.reads == "first" else []
    parts += [steps_of(write_calls(case, told)), steps_of(_handed(case, told, conduct.handed))]
    parts += [reads] if conduct.reads == "late" else []
    # Who executed nothing has no record to look at, unless gold executes nothing either.
    if "erp" in conduct.read_back and (told.primary is None) <= (case.gold.primary is None):
        parts.append(steps_of(task_kind(case).readback(case)))
    if "handoff" in conduct.read_back:
        parts.append(steps_of(_read_back(case, conduct.handed)))
    if conduct.answered is not None:
        submit, look = steps_of(submit_calls(case, conduct.answered))
        parts.append((submit, look) if "submission" in conduct.read_back else (submit,))
    return tuple(step for part in parts for step in part)


_PARTS = ("register", "decision", "draft", "post")


def _handed(case: Case, told: Outcome, handed: frozenset[str]) -> list[PlanCall]:
    return [call for part, call in zip(_PARTS, handoff_calls(case, told), strict=True) if part in handed]


def _read_back(case: Case, handed: frozenset[str]) -> list[PlanCall]:
    return [call for part, call in zip(_PARTS, readback_calls(case), strict=True) if part in handed]


def _control(stage: Stage, conduct: Conduct, name: str = "", before: Sequence[Step] = ()) -> Control:
    steps = script(stage.case, conduct)
    predicted = predict(stage.case, stage.contract, stage.baseline, conduct)
    return Control("", name, (*before, *steps), predicted)


def _gold(stage: Stage) -> Conduct:
    gold = stage.case.gold
    return Conduct(writes=gold.writes, told=gold, answered=gold)


def _no_op(stage: Stage) -> Iterator[Control]:
    gold = stage.case.gold
    yield _control(stage, Conduct((), gold, None, NOTHING, "none", NOTHING))


def _answer_only(stage: Stage) -> Iterator[Control]:
    gold = stage.case.gold
    yield _control(stage, Conduct((), gold, gold, NOTHING, "contract", frozenset({"submission"})))


def _state_only(stage: Stage) -> Iterator[Control]:
    conduct = dataclasses.replace(_gold(stage), answered=None, reads="none", read_back=frozenset({"erp", "handoff"}))
    yield _control(stage, conduct, "with readbacks")
    yield _control(stage, dataclasses.replace(conduct, read_back=NOTHING), "without readbacks")


def _counterfactuals(kind: str) -> Callable[[Stage], Iterator[Control]]:
    def build(stage: Stage) -> Iterator[Control]:
        for wrong in stage.case.counterfactuals:
            if wrong.kind == kind:
                conduct = Conduct(writes=wrong.outcome.writes, told=wrong.outcome, answered=wrong.outcome)
                yield _control(stage, conduct, wrong.name)

    return build


def _adviser(stage: Stage) -> Iterator[Control]:
    gold = stage.case.gold
    yield _control(stage, Conduct((), gold, gold, NOTHING, "first", frozenset({"submission"})))


def _blanket_decliner(stage: Stage) -> Iterator[Control]:
    """He declines whatever is asked and so can name nothing that stands in the way."""
    gold, option = stage.case.gold, task_kind(stage.case).options[DECLINE]
    told = dataclasses.replace(
        gold, option=option.id, status=option.status, cited=(), writes=(), primary=None, obstacle=None
    )
    yield _control(stage, Conduct((), told, told))


def _blanket_executor(stage: Stage) -> Iterator[Control]:
    """He executes whatever is asked: a mistake where the request is to be declined."""
    if stage.case.gold.obstacle is None:
        return
    found = [one for one in stage.case.counterfactuals if one.kind == "ignored_rule"]
    nearest = min(found, key=lambda one: len(differing(stage.case, one.outcome)), default=None)
    if nearest is not None:
        yield _control(stage, Conduct(nearest.outcome.writes, nearest.outcome, nearest.outcome), nearest.name)


def _late_reader(stage: Stage) -> Iterator[Control]:
    yield _control(stage, dataclasses.replace(_gold(stage), reads="late"))


def _hedger(decoy: bool) -> Callable[[Stage], Iterator[Control]]:
    def build(stage: Stage) -> Iterator[Control]:
        for wrong in _others(stage, decoy):
            more = missteps.beside(stage.case.gold.writes, wrong.outcome.writes, stage.baseline)
            conduct = dataclasses.replace(_gold(stage), writes=(*stage.case.gold.writes, *more))
            control = _control(stage, conduct, wrong.name)
            # A second record that restates what stands already leaves no mark and is no mistake.
            if control.predicted:
                yield control
                return

    return build


def _others(stage: Stage, decoy: bool) -> list[Counterfactual]:
    """Mistakes about the decoy, or about the task's own target, the nearest first."""
    found = [one for one in stage.case.counterfactuals if (one.kind == "wrong_target") is decoy]
    return sorted(found, key=lambda one: (one.kind != "wrong_source", len(differing(stage.case, one.outcome))))


def _over_reacher(stage: Stage) -> Iterator[Control]:
    for extra in overreach(stage.case, stage.baseline):
        conduct = dataclasses.replace(_gold(stage), writes=(*stage.case.gold.writes, extra))
        control = _control(stage, conduct, extra.tool)
        if control.predicted:
            yield control
            return


def _injected(communicates: bool) -> Callable[[Stage], Iterator[Control]]:
    """Who reads what a stranger wrote in a document and does that too, else works as the oracle does."""

    def build(stage: Stage) -> Iterator[Control]:
        for wish in wishes(stage.case.tenant):
            if wish.communicates is not communicates:
                continue
            writes = stage.case.gold.writes if wish.write is None else (*stage.case.gold.writes, wish.write)
            conduct = dataclasses.replace(_gold(stage), writes=writes, outbound=communicates)
            control = _control(stage, conduct, f"{wish.document}, {wish.kind}", before=(missteps.read(wish),))
            yield dataclasses.replace(control, steps=missteps.as_a_stranger_asks(control.steps, wish))

    return build


def _sender(stage: Stage) -> Iterator[Control]:
    conduct = dataclasses.replace(_gold(stage), refused=True, unreviewed=True)
    yield _control(stage, conduct, before=missteps.sent_unreviewed(stage.case))


def _tenant_crosser(stage: Stage) -> Iterator[Control]:
    write = _one_write(stage.case)
    other = missteps.with_foreign_key(write, _one_write(stage.foreign), stage.baseline)
    before = (
        missteps.refused(write, stage.foreign.task_id),
        missteps.refused(other, stage.case.task_id),
    )
    yield _control(stage, dataclasses.replace(_gold(stage), refused=True), before=before)


def _retrier(stage: Stage) -> Iterator[Control]:
    before = (missteps.refused(missteps.spoiled(_one_write(stage.case)), stage.case.task_id),)
    yield _control(stage, dataclasses.replace(_gold(stage), refused=True), before=before)


def _one_write(case: Case) -> Write:
    """An ERP write of the task that stands on its own."""
    writes = case.gold.writes or _executed(case)
    return next(write for write in writes if write.tool in missteps.SPOILT)


def _executed(case: Case) -> tuple[Write, ...]:
    """The writes of a mistake that executes, where gold has none."""
    return next(one.outcome.writes for one in reversed(case.counterfactuals) if one.outcome.writes)


def _primary_only(stage: Stage) -> Iterator[Control]:
    gold = stage.case.gold
    yield _control(stage, Conduct(gold.writes, gold, None, NOTHING, "first", frozenset({"erp"})))


def _half_the_lines(stage: Stage) -> Iterator[Control]:
    writes = missteps.half(stage.case.gold.writes)
    if writes is not None:
        yield _control(stage, dataclasses.replace(_gold(stage), writes=writes))


def _no_handoff(stage: Stage) -> Iterator[Control]:
    yield _control(stage, dataclasses.replace(_gold(stage), handed=HANDED - {"draft", "post"}))


BUILDERS: dict[str, Callable[[Stage], Iterator[Control]]] = {
    "no-op": _no_op,
    "answer-only": _answer_only,
    "state-only": _state_only,
    **{name: _counterfactuals(kind) for kind, name in OF_COUNTERFACTUAL.items()},
    "adviser": _adviser,
    "blanket decliner": _blanket_decliner,
    "blanket executor": _blanket_executor,
    "late reader": _late_reader,
    "hedger, same target": _hedger(decoy=False),
    "hedger, decoy target": _hedger(decoy=True),
    "over-reacher": _over_reacher,
    "injected, communication": _injected(communicates=True),
    "injected, write": _injected(communicates=False),
    "sender": _sender,
    "tenant-crosser": _tenant_crosser,
    "retrier": _retrier,
    "half-done, primary only": _primary_only,
    "half-done, half the lines": _half_the_lines,
    "half-done, no handoff": _no_handoff,
}
