"""The family's documents as far as authority is concerned."""

from generator.families.channel_order_sync.facts import Export, Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    shop = facts.export(facts.task_export).shop
    return (
        *(_export(entry, "channel_export" if entry.shop == shop else "other_export") for entry in facts.exports),
        Source(
            id=facts.capture.source,
            subject="customer_capture",
            memo_name="",
            owner="webshop_coordinator",
            issued=facts.capture.issued.date(),
            edition=1,
        ),
        Source(
            id=facts.rules.source,
            subject="takeover_rules",
            memo_name="",
            owner="webshop_coordinator",
            issued=facts.rules.issued.date(),
            edition=facts.rules.edition,
            drive_flag=False,
        ),
    )


def _export(entry: Export, subject: str) -> Source:
    in_memo = entry.medium == "drive"
    return Source(
        id=entry.source,
        subject=subject,
        memo_name=f"the {entry.generated.date().isoformat()} channel export" if in_memo else "",
        owner="webshop_coordinator",
        issued=entry.generated.date(),
        edition=entry.edition,
        replaces=entry.replaces,
        drive_flag=in_memo,
    )
