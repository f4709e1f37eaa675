"""The family's documents as far as authority is concerned. A forwarded copy of a replaced one is no candidate."""

from dataclasses import replace

from generator.families.hire_against_headcount.facts import Approval, Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    approval = facts.approval
    found = [
        _approval(approval, f"the {approval.valid_from.year} headcount approval", True),
        _approval(facts.earlier, "", False),
        replace(_approval(facts.earlier, "", False), id=facts.forward.source, status="withdrawn"),
        _record(facts.register_source, "candidate_register", "recruiter", tenant),
        _record(facts.wages_source, "wage_table", "plant_manager", tenant),
    ]
    if facts.raise_request is not None:
        request = facts.raise_request.mail
        found.append(
            Source(
                id=request.source,
                subject="headcount_approval",
                memo_name="",
                owner="plant_manager",
                issued=request.at.date(),
                edition=approval.issue + 1,
                status="unsigned",
                replaces=approval.source,
                drive_flag=False,
            )
        )
    return tuple(found)


def _approval(approval: Approval, memo_name: str, current: bool) -> Source:
    return Source(
        id=approval.source,
        subject="headcount_approval",
        memo_name=memo_name,
        owner="plant_manager",
        issued=approval.issued,
        edition=approval.issue,
        status="issued" if approval.countersigned is not None else "unsigned",
        effective_from=approval.valid_from,
        effective_to=approval.valid_to,
        drive_flag=current,
    )


def _record(id: str, subject: str, owner: str, tenant: Tenant) -> Source:
    return Source(id=id, subject=subject, memo_name="", owner=owner, issued=tenant.profile.today, edition=1)
