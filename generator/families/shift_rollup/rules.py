"""The Rules sheet of the roster: what the roll-up goes by, with its numbers."""

from generator.evidence.model import Column, Table
from generator.evidence.values import show_moment
from generator.families import office
from generator.families.shift_rollup.facts import Facts, Rules
from generator.spec.tenant import Tenant


def rules(tenant: Tenant, facts: Facts) -> Table:
    """One numbered rule a row."""
    pattern = tenant.profile.habits.dates
    supervisor = tenant.profile.person("shift_supervisor").name
    number = facts.rules
    sentences = (
        f"Roster version {facts.roster.version}, issued {show_moment(facts.roster.issued, pattern)} by {supervisor}; it"
        f" takes the place of version {facts.earlier.version} of"
        f" {office.day(tenant.profile, facts.earlier.issued.date())}.",
        "A shift belongs to the day on which it starts, also where it runs past midnight. Both dates of an absence are"
        " that day.",
        f"A swap counts once {supervisor} has confirmed it in {facts.people_channel}: for that day each person takes"
        " the other's place, on top of the roster. A swap that is only proposed changes nothing.",
        "Expected are the persons on the shift's roster after confirmed swaps, less those with leave that"
        f" {supervisor} has approved, on sheet Leave or in {facts.people_channel}, for any part of the shift. Leave"
        f" asked for and not approved changes nothing, and approved leave that {supervisor} notes as withdrawn in"
        f" {facts.people_channel} is no leave any more. HR keys leave in; the roll-up books none.",
        "A work report counts for the shift whose letter it carries, provided it was filed between"
        f" {number.valid_before_minutes} minutes before that shift's start and {number.valid_after_minutes} minutes"
        " after its end, both moments included, whatever the calendar day. A report filed outside that time is no"
        " report for the shift.",
        "Persons are counted, not reports: who is expected and has at least one such report, of either kind, has"
        " reported. A report filed twice counts once, and the reports of persons who are not expected are left aside.",
        f"A person is late whose first such report was filed more than {number.grace_minutes} minutes after the shift's"
        " start. Who is late has still reported.",
        "Overtime is worked out per person from the minutes of the last such end report, less the shift's paid"
        f" minutes. Up to and including {number.overtime_threshold_minutes} minutes over are nothing; more than that"
        f" is rounded {_rounding(number)}. Only then are the hours of the shift added"
        " up. Reports state minutes without breaks. Less than the paid minutes is not set against anything.",
        f"For each expected person who has not reported, one absence is booked: type {number.absence_type}, status"
        f" {number.absence_status}, the worker's own employer. Nobody else gets one.",
        f"When fewer than {number.cover_minimum} persons have reported for a shift, cover is escalated to {supervisor}"
        f" in the handoff. With {number.cover_minimum} or more there is nothing to escalate.",
        "While the works council's objection to a roster is open, no absence is booked from it.",
        "An objection names the shift that it concerns; other shifts are booked as usual. Where it is open nothing is"
        " booked in part, and the handoff names the objection by its reference. One that the council has taken back"
        " stops nothing.",
        "The reference of a roll-up is the shift code.",
    )
    columns = (Column("No.", "integer", 6), Column("Rule", width=110))
    return Table(columns, tuple(enumerate(sentences, start=1)))


def _rounding(number: Rules) -> str:
    if number.overtime_rounding == "down":
        return f"down to full {number.overtime_step_minutes} minutes"
    return f"to the nearest full {number.overtime_step_minutes} minutes, half of them upward"
