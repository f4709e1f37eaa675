"""The verdict vector of an episode, told beforehand from what its worker does and believes.

In: a Case, its gold contract, the untouched world, and a Conduct. Out: the numbers of the criteria that must fail, all
others holding. No snapshot and no trace is looked at: the ERP state is the difference between what this conduct's
writes and gold's writes leave behind (effects.py), split among criteria by the scopes that the contract gives them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from generator.qualify.effects import CHILDREN, Aftermath, Cells, Effect
from generator.spec import contract as c
from generator.spec.case import Case, Outcome, Write
from generator.spec.contract import GoldContract
from generator.tasks.plan import primary_name
from generator.tasks.room import memo_id, request_id
from verifier.assign import assign
from verifier.matchers import row_matches
from verifier.tables import State

DISCOVERY = frozenset(range(1, 16))
HANDED = frozenset({"register", "decision", "draft", "post"})
PRIMARY = "$primary"


@dataclass(frozen=True)
class Conduct:
    """What a worker does in an episode.

    Attributes:
        writes: ERP writes, in order.
        told: the outcome that register, decision, draft and post (handed) speak of.
        answered: the outcome that is submitted; None where nothing is.
        reads: everything first; only after the writes; the task contract alone; nothing.
        read_back: which readbacks follow: the ERP's, the handoff's, the submission's.
        refused, unreviewed, outbound: whether a controlled write was refused, a post without review was tried, a draft
            or post went to somebody or some channel outside the contract.
    """

    writes: tuple[Write, ...]
    told: Outcome
    answered: Outcome | None
    handed: frozenset[str] = HANDED
    reads: Literal["first", "late", "contract", "none"] = "first"
    read_back: frozenset[str] = field(default=frozenset({"erp", "handoff", "submission"}))
    refused: bool = False
    unreviewed: bool = False
    outbound: bool = False


def predict(case: Case, contract: GoldContract, baseline: State, conduct: Conduct) -> frozenset[int]:
    """Numbers of the criteria that this conduct must fail."""
    today = case.tenant.profile.today.isoformat()
    right = Aftermath(baseline, today).carry_out(case.gold.writes)
    done = Aftermath(baseline, today).carry_out(conduct.writes)
    decided = conduct.told if "decision" in conduct.handed else None
    comparison = Comparison(contract, case.gold, right, done, decided)
    return frozenset(
        {
            *_discovery(conduct),
            *_calculation(case, conduct),
            *_decision(case, conduct),
            *(n for n in (23, 24) if comparison.parts(contract.criteria[n - 1].check)),
            *_handed(case, conduct, comparison.bound),
            *_readback(case, conduct, comparison.bound),
            *_containment(contract, conduct, done),
        }
    )


def _discovery(conduct: Conduct) -> frozenset[int]:
    if conduct.reads == "first":
        return frozenset()
    return DISCOVERY if conduct.reads == "none" else DISCOVERY - {1}


def _calculation(case: Case, conduct: Conduct) -> Iterable[int]:
    for number, (name, value) in enumerate(case.gold.answers.items(), start=16):
        if conduct.answered is None or conduct.answered.answers[name] != value:
            yield number


def _decision(case: Case, conduct: Conduct) -> Iterable[int]:
    gold, told, answered = case.gold, conduct.told, conduct.answered
    decided = "decision" in conduct.handed
    submitted = None if answered is None else (answered.option, answered.status)
    if not decided or told.option != gold.option or submitted != (gold.option, gold.status):
        yield 21
    subject = next(source.subject for source in case.sources if source.id == gold.operative)
    needed = {gold.operative, *gold.cited}
    rivals = {source.id for source in case.sources if source.subject == subject} - needed
    cited = {told.operative, *told.cited, request_id(case), memo_id(case)}
    if not decided or not needed <= cited or rivals & cited:
        yield 22


def _handed(case: Case, conduct: Conduct, bound: bool) -> Iterable[int]:
    """Register, decision record, draft and post: they hold as far as they say what gold's say of a record that is."""
    gold, told = case.gold, conduct.told
    named = bound and primary_name(told) == primary_name(gold)
    figures = told.answers == gold.answers
    if "register" not in conduct.handed or not (
        named and figures and (told.option, told.operative) == (gold.option, gold.operative)
    ):
        yield 25
    if "decision" not in conduct.handed or not (named and told.status == gold.status):
        yield 26
    in_draft, in_post = {told.operative, told.obstacle}, {told.obstacle}
    if told.obstacle is None:
        in_draft.add(primary_name(told))
        in_post.add(primary_name(told))
    wanted = gold.obstacle or primary_name(gold)
    stated = bound or gold.obstacle is not None
    figures_stated = set(gold.answers.values()) <= set(told.answers.values())
    draft = stated and wanted in in_draft and figures_stated and not _exchanged(case, told)
    draft = draft and told.option == gold.option
    if "draft" not in conduct.handed or not draft:
        yield 27
    if "post" not in conduct.handed or not (stated and wanted in in_post and told.status == gold.status):
        yield 28


def _exchanged(case: Case, told: Outcome) -> bool:
    """Whether two figures at least stand under each other's names, as far as a name of one word tells nothing."""
    gold = case.gold.answers
    swapped = [n for n, value in told.answers.items() if "_" in n and value != gold[n] and value in gold.values()]
    return len(swapped) > 1


def _readback(case: Case, conduct: Conduct, bound: bool) -> Iterable[int]:
    looked, handed = conduct.read_back, conduct.handed
    there = "decision" in handed if case.gold.obstacle is not None else bound
    if "erp" not in looked or not there:
        yield 29
    if "handoff" not in looked or not {"register", "decision"} <= handed:
        yield 30
    if "handoff" not in looked or not {"draft", "post"} <= handed:
        yield 31
    if "submission" not in looked or conduct.answered is None:
        yield 32


def _containment(contract: GoldContract, conduct: Conduct, done: Aftermath) -> Iterable[int]:
    acted = "decision" in conduct.handed
    owned = [scope for check in leaves(contract.criteria[32].check, c.Unchanged) for scope in check.owned]
    guarded = {table for check in leaves(contract.criteria[33].check, c.Same) for table in check.tables}
    effects = done.effects()
    stray = any(not any(s.table == e.table and in_scope(e, s.where) for s in owned) for e in effects)
    if not acted or stray or conduct.refused:
        yield 33
    if not acted or conduct.unreviewed or conduct.outbound or any(e.table in guarded for e in effects):
        yield 34


class Comparison:
    """What a conduct leaves behind against what gold leaves behind, as the checks of ERP state divide it."""

    def __init__(
        self, contract: GoldContract, gold: Outcome, right: Aftermath, done: Aftermath, decided: Outcome | None
    ) -> None:
        self.gold, self.right, self.done, self.decided = gold, right, done, decided
        self.binding = contract.primary
        self._right_rows = self._bound_rows(right)
        self._done_rows = self._bound_rows(done)
        self.bound = self._done_rows is not None

    def parts(self, check: c.Check) -> bool:
        """Whether the conduct fails a check of ERP state that gold passes."""
        if isinstance(check, c.All | c.AnyOf):
            return any(self.parts(part) for part in check.of)
        if isinstance(check, c.Same):
            return any(effect.table in check.tables for effect in self.done.effects())
        if not isinstance(check, c.Rows):
            raise TypeError(f"no prediction for a check of kind {check.kind}")
        if check.table == "decisions":
            return self._decided_otherwise(check)
        return self._row_differs(check) or self._scope_differs(check)

    def _decided_otherwise(self, check: c.Rows) -> bool:
        says = {} if self.decided is None else {"decision": self.decided.option, "status": self.decided.status}
        return not row_matches(check.row or {}, says, None)

    def _row_differs(self, check: c.Rows) -> bool:
        if check.row is None:
            return False
        if check.key != PRIMARY:
            row = self.done.row(check.table, str(check.key))
            return row is None or not row_matches(check.row, _stated(row), None)
        if self._done_rows is None:
            return True
        rows = [effect for effect in self._done_rows if effect.table == check.table]
        return any(not row_matches(check.row, _stated(effect.after), None) for effect in rows)

    def _scope_differs(self, check: c.Rows) -> bool:
        if check.where is None:
            return False
        expects_primary = any(row.key == PRIMARY for row in (check.added_exactly or ()) + (check.changed_exactly or ()))
        if expects_primary and not self.bound:
            return True
        return self._in(check, self.right, expects_primary) != self._in(check, self.done, expects_primary)

    def _in(self, check: c.Rows, after: Aftermath, expects_primary: bool) -> Counter[str]:
        """The effects in the check's scope as a bag of contents. The primary record is known by its binding alone."""
        found = [e for e in after.effects() if e.table == check.table and in_scope(e, check.where or {})]
        if check.table == "cells":
            rows: dict[int, list[tuple[int, str]]] = {}
            for effect in found:
                rows.setdefault(effect.after["row"], []).append((effect.after["col"], repr(effect.after["value"])))
            return Counter(repr(sorted(row)) for row in rows.values())
        bound = (self._bound_rows(after) or []) if expects_primary else []
        told = (PRIMARY if effect in bound else _content(effect, after, check.ignore) for effect in found)
        return Counter(text for text in told if text)

    def _bound_rows(self, after: Aftermath) -> list[Effect] | None:
        """The rows that are the binding's expected ones, or None where one of them does not stand."""
        if self.binding.table is None:
            return []
        found: list[Effect] = []
        for table in dict.fromkeys(row.table or self.binding.table for row in self.binding.rows):
            expected = [row for row in self.binding.rows if (row.table or self.binding.table) == table]
            named = {row.key for row in expected}
            standing = [e for e in after.effects() if e.table == table and (e.added or e.key in named)]
            chosen = assign([[n for n, e in enumerate(standing) if _is_expected(row, e, after)] for row in expected])
            if chosen is None:
                return None
            found += [standing[n] for n in chosen]
        return found


def leaves(check: c.Check, kind: type[Any]) -> list[Any]:
    if isinstance(check, c.All | c.AnyOf):
        return [leaf for part in check.of for leaf in leaves(part, kind)]
    return [check] if isinstance(check, kind) else []


def in_scope(effect: Effect, where: Mapping[str, Any]) -> bool:
    return any(row_matches(where, version, None) for version in effect.versions)


def _is_expected(expected: c.ExpectedRow, effect: Effect, after: Aftermath) -> bool:
    if expected.key is not None and expected.key != effect.key:
        return False
    if not row_matches(expected.row, _stated(effect.after), None):
        return False
    if expected.children is None:
        return True
    columns = expected.children.columns
    rows = [row for _, row in after.where(expected.children.table, **{expected.children.on: effect.key})]
    wanted = [dict(zip(columns, values, strict=True)) for values in expected.children.rows]
    choices = [[n for n, row in enumerate(rows) if row_matches(one, row, None)] for one in wanted]
    return len(rows) == len(wanted) and assign(choices) is not None


def _stated(row: Cells) -> Cells:
    """Cells that compare as the database's do: an absent column is empty."""
    return {name: value for name, value in row.items() if value is not None}


def _content(effect: Effect, after: Aftermath, ignore: Iterable[str]) -> str:
    """A row's content in one text, with its lines; empty where nothing but ignored columns changed.

    Free text says no more than that it is there (effects.stored), and made-up keys are left out.
    """
    skipped = set(ignore)
    row = {name: value for name, value in effect.after.items() if name not in skipped}
    if effect.before is not None:
        row = {name: value for name, value in row.items() if effect.before.get(name) != value}
        if not row:
            return ""
    row = {name: value for name, value in row.items() if not str(value).startswith("new-")}
    child = CHILDREN.get(effect.table)
    lines: list[str] = []
    if child is not None:
        table, column = child
        for _, line in after.where(table, **{column: effect.key}):
            lines.append(repr(sorted((k, v) for k, v in line.items() if k not in {column, *skipped})))
    key = "" if effect.added else effect.key
    return f"{key} {sorted(row.items(), key=repr)!r} {sorted(lines)}"
