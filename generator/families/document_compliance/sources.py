"""The family's documents as far as authority is concerned. A forwarded copy of a replaced one is no candidate."""

from dataclasses import replace

from generator.families.document_compliance.facts import Checklist, Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    log = Source(
        id=facts.alert_log,
        subject="document_alert_log",
        memo_name="",
        owner="compliance_officer",
        issued=facts.checklist.issued,
        edition=1,
    )
    releases = () if facts.release_mail is None else (_releases(facts, facts.release_mail.source),)
    memo_name = f"the {facts.checklist.issued.isoformat()} compliance checklist"
    return (
        _checklist(facts.checklist, memo_name, True),
        _checklist(facts.earlier, "", False),
        replace(_checklist(facts.earlier, "", False), id=facts.forward.source, status="withdrawn"),
        log,
        *releases,
    )


def _releases(facts: Facts, mail: str) -> Source:
    return Source(
        id=mail,
        subject="checklist_release",
        memo_name="",
        owner="compliance_officer",
        issued=facts.checklist.issued,
        edition=1,
    )


def _checklist(checklist: Checklist, memo_name: str, current: bool) -> Source:
    return Source(
        id=checklist.source,
        subject="compliance_checklist",
        memo_name=memo_name,
        owner="compliance_officer",
        issued=checklist.issued,
        edition=checklist.edition,
        status="issued" if checklist.released is not None else "unsigned",
        effective_from=checklist.issued,
        drive_flag=current,
    )
