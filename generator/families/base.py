"""What a family is: ten sibling packages, each with the same modules and signatures.

    facts.py      Facts, a pydantic model; tenants/<slug>/<family>.yaml is read into it
    records.py    records(tenant, facts) -> Rows: the family's rows of the world's tables
    documents.py  documents(tenant, facts) -> tuple[Document, ...]; mail, chat and log events of the family
    sources.py    sources(tenant, facts) -> tuple[Source, ...]: its documents as far as authority is concerned
    draw.py       SLOTS and draw(profile, variant, rng) -> Facts: the variants, and facts drawn for one
    outcome.py    outcome(tenant, facts, rows, judgement) -> Outcome: the one place where business numbers are worked
    out
    task.py       TASK: options, answer fields, discovery routes and the family's own checks

__init__.py of each exports FAMILY, a Family that names these functions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from generator.evidence.model import Document
from generator.spec.case import Case, CounterfactualKind, Judgement, Outcome
from generator.spec.contract import Check, Route, Scope
from generator.spec.plan import PlanCall
from generator.spec.source import Source
from generator.spec.tenant import ChatMessage, Model, Tenant, TenantProfile

Rows = dict[str, list[dict[str, Any]]]
"""Table name to rows; a row maps column to str, int, Decimal (money and prices), date, datetime (UTC), bool or None.
Missing columns are NULL. The writer turns Decimals into ten-thousandths, dates into ISO text, flags into 0 and 1."""

LogEvents = tuple[tuple[Any, str, str], ...]


@dataclass(frozen=True)
class MailMessage:
    """A message in the tenant's mailbox. date is UTC."""

    id: str
    thread: str
    sender: str
    recipient: str
    subject: str
    date: Any
    body: str
    labels: tuple[str, ...] = ("INBOX",)


@dataclass(frozen=True)
class AnswerField:
    """One calculated field, with its exact definition as the task contract prints it."""

    name: str
    type: Literal["integer", "money", "percent", "hours"]
    definition: str


@dataclass(frozen=True)
class Option:
    """A decision option and the status that goes with it."""

    id: str
    label: str
    status: str
    status_meaning: str


@dataclass(frozen=True)
class Read:
    """One graded investigation.

    name: short name of the criterion; description: the criterion's sentence; words: what the task contract says is
    looked into, without identifiers; routes: any of them counts (spec/contract.py).
    """

    name: str
    description: str
    words: str
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class StateChecks:
    """Checks of the primary and secondary ERP state and of the readback, and the rows that the first two own (so that
    nobody else grades them)."""

    primary: Check
    secondary: Check
    readback: Check
    owned: tuple[Scope, ...]


@dataclass(frozen=True)
class TaskKind:
    """What the tasks of a family have in common; each family's task.py fills it.

    Attributes:
        answers, options: fields and options in their published order.
        conventions: sentences of the task contract on how the family's records are keyed in.
        reads: the ten investigations after the five that every task has.
        read_calls: the oracle's calls for them, in a natural order.
        state: the checks of ERP state for an outcome.
        readback: the oracle's calls that read the ERP records back, after the decision; "${primary}" is the name of a
            created record.
        prompt: what the request's template may speak of beside the profile.
        dependent: answers that follow from others of the same task, so that they say nothing new.
        derives_dates: dates of gold's records are worked out by a rule (the end of a contract), not read.
        correspondents: addresses that a draft may go to beside the reviewer.
    """

    answers: tuple[AnswerField, ...]
    options: tuple[Option, ...]
    conventions: tuple[str, ...]
    reads: Callable[[Case], tuple[Read, ...]]
    read_calls: Callable[[Case], tuple[PlanCall, ...]]
    state: Callable[[Case], StateChecks]
    readback: Callable[[Case], tuple[PlanCall, ...]]
    correspondents: Callable[[Case], tuple[str, ...]]
    prompt: Callable[[Case], Mapping[str, Any]]
    counterfactuals: Callable[[Case], tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]]
    judgement: Callable[[Tenant, Any], Judgement]
    dependent: tuple[str, ...] = ()
    derives_dates: bool = False


@dataclass(frozen=True)
class Family:
    """A family's id, its title as the request's headline has it, and its functions.

    draw makes facts for a profile, a variant and a random stream; slots are the variants of the ten tenants, by number.
    """

    id: str
    number: int
    title: str
    facts: type[Model]
    records: Callable[[Tenant, Any], Rows]
    documents: Callable[[Tenant, Any], tuple[Document, ...]]
    mail: Callable[[Tenant, Any], tuple[MailMessage, ...]]
    chat: Callable[[Tenant, Any], tuple[ChatMessage, ...]]
    log: Callable[[Tenant, Any], LogEvents]
    sources: Callable[[Tenant, Any], tuple[Source, ...]]
    task: TaskKind | None = None
    outcome: Callable[[Tenant, Any, Rows, Judgement], Outcome] | None = None
    draw: Callable[[TenantProfile, str, Random], Any] | None = None
    slots: tuple[str, ...] = ()
