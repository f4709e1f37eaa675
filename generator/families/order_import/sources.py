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
        edition=1,
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
    return (batch, *lists)
