"""The family's documents as far as authority is concerned. A forwarded copy of a replaced one is no candidate."""

from dataclasses import replace

from generator.families.shift_rollup.facts import Facts, Roster
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    reports = Source(
        id=facts.reports_source,
        subject="shift_work_reports",
        memo_name="",
        owner="shift_supervisor",
        issued=tenant.profile.today,
        edition=1,
    )
    objection = () if facts.objection is None else (_objection(tenant, facts.objection.source),)
    memo_name = f"the {facts.roster.issued.date().isoformat()} roster"
    return (
        _roster(facts.roster, memo_name, True),
        _roster(facts.earlier, "", False),
        replace(_roster(facts.earlier, "", False), id=facts.forward.source, status="withdrawn"),
        reports,
        *objection,
    )


def _roster(roster: Roster, memo_name: str, current: bool) -> Source:
    return Source(
        id=roster.source,
        subject="shift_roster",
        memo_name=memo_name,
        owner="shift_supervisor",
        issued=roster.issued.date(),
        edition=roster.version,
        drive_flag=current,
    )


def _objection(tenant: Tenant, mail: str) -> Source:
    return Source(
        id=mail,
        subject="roster_objection",
        memo_name="",
        owner="plant_manager",
        issued=tenant.profile.today,
        edition=1,
    )
