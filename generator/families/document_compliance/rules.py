"""The Rules sheet of the compliance checklist: what the office goes by, with its numbers."""

from generator.evidence.model import Column, Table
from generator.families import office
from generator.families.document_compliance.facts import Facts
from generator.spec.tenant import Tenant


def rules(tenant: Tenant, facts: Facts) -> Table:
    """One numbered rule a row."""
    checklist, earlier = facts.checklist, facts.earlier
    officer = tenant.profile.person("compliance_officer").name
    if facts.releases:
        released = f"{officer} releases it by mail, for each legal employer under a release number of its own."
    elif checklist.released is not None:
        released = f"Released by {officer} on {office.day(tenant.profile, checklist.released)}."
    else:
        released = f"Not released yet by {officer}."
    others = [check for check in _check_types(facts) if check not in checklist.blocking_checks]
    not_blocking = f" An open {' or '.join(others).lower()} does not block." if others else ""
    sentences = (
        f"Checklist {checklist.number}, issued {office.day(tenant.profile, checklist.issued)}; it takes the place of"
        f" {earlier.number} of {office.day(tenant.profile, earlier.issued)} with its windows and blocking rules."
        f" {released}",
        "A checklist that is not released is not acted upon: no record is changed and HR compliance is asked. Where the"
        " release is given employer by employer, that holds for the employer whose release is missing, and the handoff"
        " names the release by its number.",
        "One legal employer is reviewed at a time, over the papers and checks that stand in the system. The day of"
        " review is the day on which that is done.",
        "A paper expires within its window when its expiry lies between the day of review and that day plus the days of"
        " sheet Windows, both days included. On its expiry day a paper is still valid.",
        "Papers of workers with an active assignment count. A worker whose last working day lies before the paper's"
        " expiry is leaving: that paper is neither counted nor alerted.",
        "A paper whose renewal has reached this office is replaced, keyed in or not. It is neither counted nor"
        " alerted, blocks nobody, and its old record is left to the records desk. A renewal that is keyed in stands in"
        " the system as a record of the same kind and the same worker with a later expiry.",
        "An alert is owed for a counted paper unless the alert log has one for the same record and the same expiry; an"
        " alert for an expiry the paper had before does not count. Record an owed alert by setting the paper's status"
        " to ALERTED. Where the log has the alert, leave the record as it is.",
        "An expired paper is no longer alerted. A blocked worker's other papers are alerted like anybody's.",
        "A check that is open is verified when sheet Papers received has its paper under the worker's own person number"
        " and that paper is valid on the day of review or has no end date. A matching name is not enough. Set the flag"
        " and the status VERIFIED together.",
        "An active worker is blocked by an expired paper of a kind that sheet Windows marks as blocking, or by an open"
        f" {' or '.join(checklist.blocking_checks).lower()} that this review could not verify.{not_blocking} A worker"
        " is counted once, whatever the number of reasons.",
        f"Blocking is done by {officer} alone. When somebody is blocked, recommend it in the handoff and change nothing"
        " else for it.",
        "The clerk's mark on sheet Checklist is a first look and decides nothing.",
        f"The reference of a review is its checklist number, {checklist.number}.",
    )
    columns = (Column("No.", "integer", 6), Column("Rule", width=110))
    return Table(columns, tuple(enumerate(sentences, start=1)))


def _check_types(facts: Facts) -> list[str]:
    return sorted({check.check_type for check in facts.checks})
