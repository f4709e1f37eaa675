"""The family's documents as far as authority is concerned."""

from generator.families.receiving_ap_match.facts import DeliveryReport, Facts, Match
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    cases = ((facts.task, ""), (facts.decoy, "other_"))
    reports = tuple(_report(match, prefix, report) for match, prefix in cases for report in match.deliveries)
    invoices = tuple(
        Source(
            id=invoice.source,
            subject=f"{prefix}supplier_invoice",
            memo_name="",
            owner="supplier",
            issued=invoice.received.date(),
            edition=edition,
            replaces=match.invoice.source if edition > 1 else None,
            drive_flag=invoice.medium == "drive",
        )
        for match, prefix in cases
        for edition, invoice in enumerate([match.invoice, *([match.corrected] if match.corrected else [])], 1)
    )
    policies = tuple(
        Source(
            id=entry.source,
            subject="match_policy",
            memo_name="",
            owner="payables_supervisor",
            issued=entry.issued.date(),
            edition=entry.edition,
            effective_from=entry.effective_from,
            effective_to=entry.effective_to,
            drive_flag=entry.medium == "drive",
        )
        for entry in facts.policies
    )
    listed = facts.manual_entries
    manual = (
        Source(
            id=listed.source,
            subject="manual_entries",
            memo_name="",
            owner="payables_supervisor",
            issued=listed.listed.date(),
            edition=1,
            drive_flag=False,
        ),
    ) if listed else ()
    return (*reports, *invoices, *policies, *manual)


def _report(match: Match, prefix: str, report: DeliveryReport) -> Source:
    in_memo = report.medium == "drive"
    return Source(
        id=report.source,
        subject=f"{prefix}delivery_note",
        memo_name=f"the {report.issued.date().isoformat()} delivery note" if in_memo else "",
        owner="supplier" if report.kind == "announcement" else "warehouse_lead",
        issued=report.issued.date(),
        edition=report.edition,
        replaces=report.replaces,
        drive_flag=in_memo,
    )
