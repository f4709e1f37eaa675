"""The family's documents as far as authority is concerned."""

from generator.families.shipment_verification.facts import Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    picks = tuple(
        Source(
            id=entry.source,
            subject="pick_confirmation",
            memo_name=f"the {entry.issued.date().isoformat()} pick confirmation" if entry.medium == "drive" else "",
            owner="warehouse_lead",
            issued=entry.issued.date(),
            edition=entry.edition,
            status="issued" if entry.signed_for(facts.task.number) else "unsigned",
            replaces=entry.replaces,
            drive_flag=entry.medium == "drive",
        )
        for entry in facts.confirmations
    )
    lots = tuple(
        Source(
            id=report.source,
            subject="lot_status",
            memo_name="",
            owner="quality_engineer",
            issued=report.issued.date(),
            edition=report.edition,
            replaces=report.replaces,
            drive_flag=False,
        )
        for report in facts.lot_reports
    )
    agreements = tuple(
        Source(
            id=agreement.source,
            subject="delivery_agreement",
            memo_name="",
            owner="operations_lead",
            issued=agreement.issued.date(),
            edition=agreement.edition,
            replaces=agreement.replaces,
            drive_flag=False,
        )
        for agreement in facts.agreements
    )
    recounts = tuple(
        Source(
            id=recount.source,
            subject="recount",
            memo_name="",
            owner="warehouse_lead",
            issued=recount.issued.date(),
            edition=1,
            drive_flag=False,
        )
        for recount in (facts.recount,)
        if recount is not None
    )
    rules = Source(
        id=facts.rules.source,
        subject="shipping_rules",
        memo_name="",
        owner="warehouse_lead",
        issued=facts.rules.issued.date(),
        edition=facts.rules.edition,
        drive_flag=False,
    )
    return (*picks, *recounts, *lots, *agreements, rules)
