"""The right judgement of an order, and the mistakes that somebody may make with it.

In: tenant, facts and what the ERP keeps. Out: Judgements; draw.py holds facts to them, task.py makes controls of them.
"""

from collections.abc import Iterator

from generator.families.base import Rows
from generator.families.order_import.facts import Facts
from generator.families.order_import.outcome import RULES, outcome
from generator.spec.case import CounterfactualKind, Judgement
from generator.spec.tenant import Tenant

Mistake = tuple[str, CounterfactualKind, str | None, Judgement]


def right(tenant: Tenant, facts: Facts) -> Judgement:
    """The sheet that the memo names, the price list whose dates cover the order date, the desk's rules in force."""
    sheet = facts.task.sheet
    sources = {"order_batch": sheet.source, "price_list": facts.list_on(sheet.order_date).source}
    if facts.rules is not None:
        sources["order_rules"] = facts.rules.source
    return Judgement(sources=sources)


def mistakes(tenant: Tenant, facts: Facts, rows: Rows) -> tuple[Mistake, ...]:
    """A superseded source, the namesake, the sheet as it came, and every rule whose loss shows."""
    judgement = right(tenant, facts)
    return (
        superseded(facts, judgement),
        ("namesake_customer", "wrong_target", None, Judgement(sources=judgement.sources, target="decoy")),
        ("sheet_as_received", "as_received", None, Judgement(sources=judgement.sources, as_received=True)),
        *_ignored(tenant, facts, rows, judgement),
    )


def superseded(facts: Facts, judgement: Judgement) -> Mistake:
    """The one superseded subject of the order: the desk's rules, the order's first copy, else the price list."""
    name, subject, source = "superseded_price_list", "price_list", ""
    if facts.earlier_rules is not None:
        name, subject, source = "earlier_rules", "order_rules", facts.earlier_rules.source
    elif facts.task.first_copy is not None:
        name, subject, source = "first_copy", "order_batch", facts.task.first_copy.source
    else:
        source = next(pl.source for pl in facts.price_lists if pl.source != judgement.sources["price_list"])
    return name, "wrong_source", subject, Judgement(sources={**judgement.sources, subject: source})


def _ignored(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Iterator[Mistake]:
    """Where the request is to be declined only the loss of that rule leads to something else being done."""
    gold = outcome(tenant, facts, rows, judgement)
    for rule in RULES if gold.obstacle is None else ("countersignature",):
        ignoring = Judgement(sources=judgement.sources, ignored_rules=frozenset({rule}))
        come = outcome(tenant, facts, rows, ignoring)
        if (come.answers, come.writes) != (gold.answers, gold.writes):
            yield f"ignores_{rule}", "ignored_rule", rule, ignoring
