"""Legitimate variations: the oracle's episode as other honest workers would have gone about it.

In: a case with its contract and the untouched world, and a random stream. Out: a Variation, several of the kinds below
composed on one episode, which must stay strict. Each kind is a function that changes one part of the episode.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from erpbench_world import catalog

from generator.qualify import wording
from generator.qualify.asides import idle_reads, slips
from generator.qualify.controls import Stage
from generator.qualify.predict import leaves
from generator.qualify.routes import SINGLE, steps_to
from generator.qualify.script import DOWNLOAD, Step, steps_of, underscored
from generator.spec import contract as c
from generator.spec.streams import stream
from generator.tasks import terms
from generator.tasks.plan import handoff_calls, readback_calls, scope_calls, submit_calls, write_calls
from generator.tasks.view import task_kind

APIECE = 9
"""Variations a task; a hundred tasks make nine hundred."""
LEAST, MOST = 3, 6


@dataclass
class Parts:
    """An episode in parts that keep their order. extra goes in anywhere before the submission."""

    stage: Stage
    rng: Random
    reads: list[Step]
    writes: list[Step]
    handoff: list[Step]
    back: list[Step]
    submit: list[Step]
    extra: list[Step] = field(default_factory=list)

    def replace(self, tool: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Change the arguments of every call of the tool in the handoff."""
        self.handoff = [
            dataclasses.replace(step, arguments=change(dict(step.arguments))) if step.tool == tool else step
            for step in self.handoff
        ]


@dataclass(frozen=True)
class Variation:
    kinds: tuple[str, ...]
    steps: tuple[Step, ...]


def build_variations(stage: Stage, seed: int, count: int = APIECE) -> Iterator[Variation]:
    """count variations of a task, each of a few kinds drawn for the seed."""
    for number in range(count):
        rng = stream(seed, "variations", stage.case.task_id, str(number))
        names = rng.sample(sorted(KINDS), rng.randint(LEAST, MOST))
        # Every kind leads once in a round of tasks, so that none depends on the luck of the draw.
        leading = sorted(KINDS)[(stage.case.number * count + number) % len(KINDS)]
        chosen = [name for name in KINDS if name in {leading, *names}]
        yield Variation(tuple(chosen), vary(stage, chosen, rng))


def vary(stage: Stage, kinds: Sequence[str], rng: Random) -> tuple[Step, ...]:
    """The oracle's steps with the kinds applied in the order of KINDS."""
    case = stage.case
    parts = Parts(
        stage=stage,
        rng=rng,
        reads=list(steps_of((*scope_calls(case), *task_kind(case).read_calls(case)))),
        writes=list(steps_of(write_calls(case, case.gold))),
        handoff=list(steps_of(handoff_calls(case, case.gold))),
        back=list(steps_of((*task_kind(case).readback(case), *readback_calls(case)))),
        submit=list(steps_of(submit_calls(case, case.gold))),
    )
    for kind in KINDS:
        if kind in kinds:
            KINDS[kind](parts)
    body = [*parts.reads, *parts.writes, *parts.handoff, *parts.back]
    for step in parts.extra:
        body.insert(rng.randint(0, len(body)), step)
    steps = [*body, *parts.submit]
    return tuple(_underscored(steps) if UNDERSCORED in kinds else steps)


def _other_routes(parts: Parts) -> None:
    """Each investigation by a route of its own, record by record."""
    steps: list[Step] = []
    for criterion in parts.stage.contract.criteria[:15]:
        for check in leaves(criterion.check, c.Seen):
            route = parts.rng.choice(check.any)
            records = [(element[0], element[1]) for element in route if isinstance(element, tuple)]
            steps += steps_to(parts.stage.case, parts.stage.baseline, records, parts.rng)
    parts.reads = list({repr(step): step for step in steps}.values())


def _reads_in_another_order(parts: Parts) -> None:
    parts.rng.shuffle(parts.reads)


def _extra_reads(parts: Parts) -> None:
    """Reads that nobody asked for, anywhere."""
    parts.extra += parts.rng.sample(idle_reads(parts.stage.case), 4)


def _calls_of_wrong_shape(parts: Parts) -> None:
    """Slips that change nothing: an argument forgotten, a field that is not there, a tool that nobody has."""
    parts.extra += slips(parts.stage.case.task_id)


def _other_spelling_of_q(parts: Parts) -> None:
    """Spaces, letter case of the keyword, semicolons and double quotes in the ERP's queries."""

    def respelt(step: Step) -> Step:
        q = step.arguments.get("q")
        if not isinstance(q, str) or not step.tool.startswith("oracle_fusion."):
            return step
        joint = parts.rng.choice((" AND ", "  and ", ";", " ; "))
        equal = parts.rng.choice(("=", " = ", "  =", "= "))
        conditions = []
        for condition in q.split(" and "):
            name, _, value = condition.partition("=")
            conditions.append(f"{name.strip()}{equal}{value.strip()}" if value.startswith("'") else condition)
        return dataclasses.replace(step, arguments={**step.arguments, "q": joint.join(conditions)})

    parts.reads = [respelt(step) for step in parts.reads]
    parts.back = [respelt(step) for step in parts.back]


def _list_instead_of_get(parts: Parts) -> None:
    """Single records found by a query."""
    lists = {
        SINGLE["sales_orders"][0]: ("oracle_fusion.sales_orders.list", "OrderNumber"),
        SINGLE["purchase_orders"][0]: ("oracle_fusion.purchase_orders.list", "OrderNumber"),
    }

    def listed(step: Step) -> Step:
        if step.tool not in lists:
            return step
        tool, column = lists[step.tool]
        (key,) = step.arguments.values()
        return Step(tool, {"q": f"{column}='{key}'"})

    parts.reads = [listed(step) for step in parts.reads]
    parts.back = [listed(step) for step in parts.back]


def _native_files(parts: Parts) -> None:
    """Files fetched as bytes from the provider's own path."""
    parts.reads = [dataclasses.replace(s, native=True) if s.tool == DOWNLOAD else s for s in parts.reads]


def _lines_in_another_order(parts: Parts) -> None:
    """Lines of a record in another order, and records in another order where none refers to another."""

    def mixed(step: Step) -> Step:
        arguments = dict(step.arguments)
        for name in ("lines", "remittanceReferences", "invoiceLines"):
            if name in arguments:
                arguments[name] = parts.rng.sample(list(arguments[name]), len(arguments[name]))
        return dataclasses.replace(step, arguments=arguments)

    parts.writes = [mixed(step) for step in parts.writes]
    if "${" not in repr([step.arguments for step in parts.writes]) and not _validated(parts.writes):
        parts.rng.shuffle(parts.writes)


def _validated(writes: list[Step]) -> bool:
    """Whether a write speaks of a record that another one made by its name."""
    return any(step.tool.endswith("invoices.validate") for step in writes)


def _other_free_text(parts: Parts) -> None:
    """Comments, reasons and the rationale in words of one's own."""
    words = parts.rng.choice(("As agreed, see the register.", "Nach Prüfung der Unterlagen so erfasst", "per policy"))

    def said(step: Step) -> Step:
        free = ("Comments", "Description", "Justification", "HoldReason")
        changed = {name: words for name in free if name in step.arguments}
        return dataclasses.replace(step, arguments={**step.arguments, **changed})

    parts.writes = [said(step) for step in parts.writes]
    rationale = f"{words} I went by what is in force today."
    parts.replace("erpbench.record_decision", lambda given: {**given, "rationale": rationale})


def _reworded_handoff(parts: Parts) -> None:
    """Draft and post in other words, layouts and number formats."""
    case, rng = parts.stage.case, parts.rng
    text, post = wording.draft_text(case, rng), wording.post_text(case, rng)
    parts.replace("gmail.drafts.create", lambda given: {**given, "subject": "Please review", "body": text})
    parts.replace("slack.chat_postMessage", lambda given: {**given, "text": post})


def _other_recipient(parts: Parts) -> None:
    """The draft to whoever is owed the reply, or to both, in capitals."""
    case = parts.stage.case
    reviewer = case.tenant.profile.person("operations_lead").email
    owed = list(task_kind(case).correspondents(case))
    to = parts.rng.choice(([parts.rng.choice(owed)], [reviewer, *owed], [reviewer.upper()]))
    parts.replace("gmail.drafts.create", lambda given: {**given, "to": ", ".join(to)})


def _register_as_typed(parts: Parts) -> None:
    """The register row typed in: figures as text that the sheet turns into numbers."""
    figures = [wording.typed(value, parts.rng) for value in parts.stage.case.gold.answers.values()]

    def typed(given: dict[str, Any]) -> dict[str, Any]:
        name, option, *_, source = given["values"][0]
        return {**given, "valueInputOption": "USER_ENTERED", "values": [[name, option, *figures, source]]}

    parts.replace("google_sheets.spreadsheets.values.update", typed)


def _more_sources(parts: Parts) -> None:
    """Further sources cited, in another order, none of them a version that no longer counts."""
    (check,) = leaves(parts.stage.contract.criteria[21].check, c.Rows)
    matcher: dict[str, Any] = (check.row or {})["source_refs"]
    others = [s.id for s in parts.stage.case.sources if s.id not in matcher["none"]]
    known = {*parts.stage.baseline["drive_files"].rows, *parts.stage.baseline["mail"].rows}

    def cited(given: dict[str, Any]) -> dict[str, Any]:
        more = [id for id in parts.rng.sample(others, len(others)) if id in known and id not in given["source_refs"]]
        refs = [*given["source_refs"], *more][: terms.SOURCE_REFS]
        return {**given, "source_refs": parts.rng.sample(refs, len(refs))}

    parts.replace("erpbench.record_decision", cited)


def _decision_revised(parts: Parts) -> None:
    """A first decision recorded, and put right before the submission."""
    case = parts.stage.case
    other = next(option for option in task_kind(case).options if option.id != case.gold.option)
    index = next(n for n, step in enumerate(parts.handoff) if step.tool == "erpbench.record_decision")
    given = {**parts.handoff[index].arguments, "decision": other.id, "status": other.status}
    parts.handoff.insert(index, dataclasses.replace(parts.handoff[index], arguments=given))


def _handoff_in_another_order(parts: Parts) -> None:
    """Register, decision, draft and post in another order."""
    decisions = [step for step in parts.handoff if step.tool == "erpbench.record_decision"]
    others = [step for step in parts.handoff if step.tool != "erpbench.record_decision"]
    parts.rng.shuffle(others)
    place = parts.rng.randint(0, len(others))
    parts.handoff = [*others[:place], *decisions, *others[place:]]


def _readback_in_another_order(parts: Parts) -> None:
    """Readbacks in another order, one of them twice."""
    parts.back.append(parts.rng.choice(parts.back))
    parts.rng.shuffle(parts.back)


def _underscored(steps: Sequence[Step]) -> list[Step]:
    """The names that a client sees which lists tools with underscores, each call on its own server."""
    tools = catalog.load()
    return [step if (spec := tools.find(step.tool)) is None else underscored(step, spec) for step in steps]


UNDERSCORED = "underscored tool names"
KINDS: dict[str, Callable[[Parts], None]] = {
    "other routes": _other_routes,
    "reads in another order": _reads_in_another_order,
    "list instead of get": _list_instead_of_get,
    "other spelling of q": _other_spelling_of_q,
    "native files": _native_files,
    "extra reads": _extra_reads,
    "calls of wrong shape": _calls_of_wrong_shape,
    "lines in another order": _lines_in_another_order,
    "other free text": _other_free_text,
    "reworded handoff": _reworded_handoff,
    "another recipient": _other_recipient,
    "register as typed": _register_as_typed,
    "more sources cited": _more_sources,
    "decision revised": _decision_revised,
    "handoff in another order": _handoff_in_another_order,
    "readback in another order": _readback_in_another_order,
    UNDERSCORED: lambda parts: None,
}
