"""The right judgement of a hiring round, and the mistakes that somebody may make in it.

In: tenant, facts and what the ERP keeps. Out: Judgements; draw.py holds facts to them, task.py makes controls of them.
"""

from collections.abc import Iterator

from generator.families.base import Rows
from generator.families.hire_against_headcount.facts import Facts
from generator.families.hire_against_headcount.outcome import RULES, outcome
from generator.spec.case import CounterfactualKind, Judgement
from generator.spec.tenant import Tenant

SUBJECT = "headcount_approval"
Mistake = tuple[str, CounterfactualKind, str | None, Judgement]


def right(tenant: Tenant, facts: Facts) -> Judgement:
    """The approval that the memo names."""
    return Judgement(sources={SUBJECT: facts.approval.source})


def mistakes(tenant: Tenant, facts: Facts, rows: Rows) -> tuple[Mistake, ...]:
    """Each believed approval that does not count, the other job, the shortlist, and every rule whose loss shows."""
    judgement = right(tenant, facts)
    return (
        *(_wrong(name, source) for name, source in _believable(facts)),
        ("other_job", "wrong_target", None, Judgement(sources=judgement.sources, target="decoy")),
        ("shortlist_as_listed", "as_received", None, Judgement(sources=judgement.sources, as_received=True)),
        *_ignored(tenant, facts, rows, judgement),
    )


def _believable(facts: Facts) -> Iterator[tuple[str, str]]:
    yield "superseded_approval", facts.earlier.source
    if facts.raise_request is not None:
        yield "unsigned_request", facts.raise_request.mail.source


def _wrong(name: str, source: str) -> Mistake:
    return name, "wrong_source", SUBJECT, Judgement(sources={SUBJECT: source})


def _ignored(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Iterator[Mistake]:
    """Where the request is to be declined only the loss of that rule leads to something else being done."""
    gold = outcome(tenant, facts, rows, judgement)
    for rule in RULES if gold.obstacle is None else ("validity",):
        ignoring = Judgement(sources=judgement.sources, ignored_rules=frozenset({rule}))
        come = outcome(tenant, facts, rows, ignoring)
        if (come.answers, come.writes) != (gold.answers, gold.writes):
            yield f"ignores_{rule}", "ignored_rule", rule, ignoring
