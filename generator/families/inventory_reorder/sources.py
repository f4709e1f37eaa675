"""The family's documents as far as authority is concerned."""

from generator.families.inventory_reorder.facts import Facts, SpendingRelease
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    policies = tuple(
        Source(
            id=entry.source,
            subject="reorder_policy",
            memo_name=f"reorder policy R{entry.edition}" if entry.medium == "drive" else "",
            owner="purchasing_manager",
            issued=entry.issued.date(),
            edition=entry.edition,
            status=entry.status,
            effective_from=entry.effective_from,
            effective_to=entry.effective_to,
            drive_flag=entry.medium == "drive",
        )
        for entry in facts.policies
    )
    forecast = Source(
        id=facts.forecast.source,
        subject="demand_forecast",
        memo_name="",
        owner="purchasing_manager",
        issued=facts.forecast.issued.date(),
        edition=1,
    )
    reservations = Source(
        id=facts.reservations_source,
        subject="reservation_list",
        memo_name="",
        owner="warehouse_lead",
        issued=facts.reservations_listed.date(),
        edition=1,
        drive_flag=False,
    )
    return (*policies, forecast, reservations, *([_release(facts.release)] if facts.release else []))


def _release(release: SpendingRelease) -> Source:
    return Source(
        id=release.source,
        subject="spending_release",
        memo_name="",
        owner="plant_manager",
        issued=release.issued.date(),
        edition=1,
        effective_from=release.issued.date(),
        effective_to=release.valid_to,
        drive_flag=False,
    )
