"""A Case: the whole truth of one task, from which every artifact is compiled.

facts + Judgement --outcome function--> Outcome. The gold outcome is the family's function under the right judgement;
each counterfactual is the same function under a wrong one.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from generator.spec.source import Source
from generator.spec.tenant import Tenant

Value = int | Decimal
CounterfactualKind = Literal["wrong_source", "wrong_target", "as_received", "ignored_rule"]


@dataclass(frozen=True)
class Judgement:
    """What a worker takes for right.

    Attributes:
        sources: the source id believed in force, per subject.
        ignored_rules: names of policy rules the worker does not apply.
        target: "task" or "decoy".
        as_received: execute the received document as printed.
    """

    sources: Mapping[str, str]
    ignored_rules: frozenset[str] = frozenset()
    target: Literal["task", "decoy"] = "task"
    as_received: bool = False


@dataclass(frozen=True)
class ExpectedRow:
    """A row that must stand in the world afterwards, in the check language's cell matchers.

    key: the row's key where it is known beforehand (an update), else None (a created row).
    children: (table, joining column, columns, rows), compared as a multiset.
    table: where the row stands if not in the record's own table (a record may be rows of several tables).
    """

    row: Mapping[str, Any]
    key: str | None = None
    children: "ExpectedChildren | None" = None
    table: str | None = None


@dataclass(frozen=True)
class ExpectedChildren:
    table: str
    on: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class PrimaryRecord:
    """The record the employee asked for, known by what it is.

    name: ("column", "OrderNumber") when the world numbers it, ("literal", "SHP-…") when the evidence does.
    """

    table: str
    rows: tuple[ExpectedRow, ...]
    name: tuple[Literal["column", "literal"], str]


@dataclass(frozen=True)
class Write:
    """One ERP write of an outcome: a tool, its arguments without task_id, and what to keep of the result.

    keep maps a plan variable to a field of the result; later arguments may hold "${variable}".
    """

    tool: str
    arguments: Mapping[str, Any]
    keep: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What carrying out a judgement comes to.

    Attributes:
        answers: the family's five fields in order; int for counts, Decimal for money, percent and hours (2 places).
        option, status: ids of the family.
        operative: source id written to the register and cited first.
        cited: further source ids the decision rests on.
        writes: ERP writes in order; empty when nothing is executed.
        primary: None when nothing is executed.
        obstacle: the reference that stops the request; None when it is executed.
    """

    answers: Mapping[str, Value]
    option: str
    status: str
    operative: str
    cited: tuple[str, ...]
    writes: tuple[Write, ...]
    primary: PrimaryRecord | None
    obstacle: str | None = None


@dataclass(frozen=True)
class Counterfactual:
    """A named mistake carried through to the end."""

    name: str
    kind: CounterfactualKind
    subject: str | None
    judgement: Judgement
    outcome: Outcome


@dataclass(frozen=True)
class Case:
    """One task's truth. facts is the family's facts model; sources are all of the tenant's."""

    task_id: str
    number: int
    tenant: Tenant
    family: str
    as_of: dt.datetime
    facts: Any
    sources: tuple[Source, ...]
    judgement: Judgement
    gold: Outcome
    counterfactuals: tuple[Counterfactual, ...]
