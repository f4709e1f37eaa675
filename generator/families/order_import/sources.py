"""The family's documents as far as authority is concerned."""

from generator.families.order_import.facts import Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    sheet = facts.task.sheet
    batch = Source(
        id=sheet.source,
        subject="order_batch",
        memo_name=f"the {sheet.received.date().isoformat()} order batch",
        owner="customer",
        issued=sheet.received.date(),
        edition=2 if sheet.revised else 1,
    )
    lists = tuple(
        Source(
            id=price_list.source,
            subject="price_list",
            memo_name="",
            owner="pricing_manager",
            issued=price_list.issued,
            edition=int(price_list.edition[:4] + price_list.edition[-1]),
            effective_from=price_list.effective_from,
            effective_to=price_list.effective_to,
            drive_flag=price_list.current,
        )
        for price_list in facts.price_lists
    )
    return (batch, *_first_copy(facts), *_earlier(facts), *lists, *_rules(facts))


def _first_copy(facts: Facts) -> tuple[Source, ...]:
    """The order's first revision, which the workbook on the drive replaced."""
    first = facts.task.first_copy
    if first is None:
        return ()
    return (
        Source(
            id=first.source,
            subject="order_batch",
            memo_name="",
            owner="customer",
            issued=first.at.date(),
            edition=1,
            drive_flag=False,
        ),
    )


def _earlier(facts: Facts) -> tuple[Source, ...]:
    """The report on the earlier import: evidence of what was done, no version of the sheet."""
    earlier = facts.task.earlier
    if earlier is None:
        return ()
    return (
        Source(
            id=earlier.source,
            subject="earlier_import",
            memo_name="",
            owner="operations_lead",
            issued=earlier.filed.date(),
            edition=1,
            drive_flag=False,
        ),
    )


def _rules(facts: Facts) -> tuple[Source, ...]:
    """The desk's rules for entering orders, the edition in force first."""
    return tuple(
        Source(
            id=rules.source,
            subject="order_rules",
            memo_name="",
            owner="operations_lead",
            issued=rules.at.date(),
            edition=rules.edition,
            effective_from=rules.effective_from,
            effective_to=rules.effective_to,
            drive_flag=rules is facts.rules,
        )
        for rules in (facts.rules, facts.earlier_rules)
        if rules is not None
    )
