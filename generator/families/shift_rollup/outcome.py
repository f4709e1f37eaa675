"""What rolling up a shift comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from generator.families.base import Rows
from generator.families.shift_rollup.facts import Facts, Leave, Roster, Shift, WorkReport
from generator.spec.case import ExpectedRow, Judgement, Outcome, PrimaryRecord, Value, Write
from generator.spec.money import cents
from generator.spec.tenant import Tenant


@dataclass(frozen=True)
class RollUp:
    """What a roll-up finds: person numbers, how many reported late, and overtime in minutes after rounding."""

    expected: tuple[str, ...]
    reporting: tuple[str, ...]
    late: int
    overtime: int
    missing: tuple[str, ...]
    repeated: int = 0


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and absences under a judgement.

    Rules that a judgement may ignore: swap (confirmed ones are not made), proposed_swap (is taken as made), chat_leave,
    open_leave, withdrawn_leave, shift_day (reports of the calendar day are taken), valid_until, persons (repeated
    reports count again), rounding, grace, cover, objection. rows is what the ERP keeps: employers come from it.
    """
    shift = facts.shift(facts.task if judgement.target == "task" else facts.decoy)
    roster = facts.roster_of(judgement.sources["shift_roster"])
    if judgement.as_received:
        return _as_filed(facts, rows, shift, roster)
    ignored = judgement.ignored_rules
    found = roll_up(facts, shift, roster, ignored)
    short = len(found.reporting) < facts.rules.cover_minimum and "cover" not in ignored
    option = "record_absences_and_escalate_cover" if short else "record_absences"
    status = "absences_recorded_escalated" if short else "absences_recorded"
    answers = _answers(
        len(found.expected),
        len(found.reporting) + found.repeated,
        found.late,
        found.overtime,
        len(found.missing),
    )
    if facts.objection is not None and facts.contested(roster, shift.code) and "objection" not in ignored:
        return Outcome(
            answers=answers,
            option="stop_roster_unconfirmed",
            status="not_recorded",
            operative=roster.source,
            cited=(facts.objection.source,),
            writes=(),
            primary=None,
            obstacle=facts.objection_reference,
        )
    return _carried_out(facts, rows, shift, roster.source, answers, (option, status), found.missing)


def roll_up(facts: Facts, shift: Shift, roster: Roster, ignored: frozenset[str] = frozenset()) -> RollUp:
    """The findings by the rules that the roster prints, less the ignored ones. Persons are in order of their number."""
    expected = expected_staff(facts, shift, roster, ignored)
    reports = [
        report for report in facts.reports if report.person_number in expected and valid(facts, shift, report, ignored)
    ]
    reports.sort(key=lambda report: (report.filed, report.number))
    by_person: dict[str, list[WorkReport]] = {}
    for report in reports:
        by_person.setdefault(report.person_number, []).append(report)
    grace = 0 if "grace" in ignored else facts.rules.grace_minutes
    limit = shift.start + dt.timedelta(minutes=grace)
    repeats = _repeats(by_person) if "persons" in ignored else []
    ends = [_last_end(filed) for filed in by_person.values()] + [report for report in repeats if report.kind == "End"]
    return RollUp(
        expected=expected,
        reporting=tuple(sorted(by_person)),
        late=sum(1 for filed in by_person.values() if filed[0].filed > limit),
        overtime=sum(_overtime(facts, shift, end.minutes, ignored) for end in ends if end is not None),
        missing=tuple(person for person in expected if person not in by_person),
        repeated=len(repeats),
    )


def expected_staff(
    facts: Facts, shift: Shift, roster: Roster, ignored: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Who is on the shift after the swaps that count, less who has leave that counts."""
    places = {place.person_number: place.letter for place in roster.places}
    for swap in facts.swaps:
        made = swap.confirmed is not None and "swap" not in ignored
        supposed = swap.confirmed is None and "proposed_swap" in ignored
        if (made or supposed) and swap.first in places and swap.second in places:
            places[swap.first], places[swap.second] = places[swap.second], places[swap.first]
    away = {leave.person_number for leave in facts.leaves if _counts(leave, ignored) and _covers(leave, shift)}
    return tuple(sorted(person for person, letter in places.items() if letter == shift.letter and person not in away))


def valid(facts: Facts, shift: Shift, report: WorkReport, ignored: frozenset[str] = frozenset()) -> bool:
    """The report carries the shift's letter and was filed while reports for the shift are taken."""
    if report.letter != shift.letter:
        return False
    if "shift_day" in ignored:
        return report.filed.date() == shift.start.date()
    first = shift.start - dt.timedelta(minutes=facts.rules.valid_before_minutes)
    last = shift.end + dt.timedelta(minutes=facts.rules.valid_after_minutes)
    return first <= report.filed and (report.filed <= last or "valid_until" in ignored)


def _counts(leave: Leave, ignored: frozenset[str]) -> bool:
    if leave.withdrawn is not None and "withdrawn_leave" not in ignored:
        return False
    if leave.approved is None:
        return "open_leave" in ignored
    return not leave.in_chat or "chat_leave" not in ignored


def _covers(leave: Leave, shift: Shift) -> bool:
    return leave.start < shift.end and leave.end > shift.start


def _repeats(by_person: Mapping[str, Sequence[WorkReport]]) -> list[WorkReport]:
    """Reports beyond the first of a person and kind."""
    found = []
    for filed in by_person.values():
        kinds = [report.kind for report in filed]
        found += [report for place, report in enumerate(filed) if report.kind in kinds[:place]]
    return found


def _last_end(filed: Sequence[WorkReport]) -> WorkReport | None:
    return next((report for report in reversed(filed) if report.kind == "End"), None)


def _overtime(facts: Facts, shift: Shift, minutes: int | None, ignored: frozenset[str]) -> int:
    """Minutes of overtime that count for one person."""
    over = 0 if minutes is None else max(0, minutes - shift.scheduled_minutes)
    if "rounding" in ignored:
        return over
    if over <= facts.rules.overtime_threshold_minutes:
        return 0
    step = facts.rules.overtime_step_minutes
    half = step if facts.rules.overtime_rounding == "nearest" else 0
    return (2 * over + half) // (2 * step) * step


def _as_filed(facts: Facts, rows: Rows, shift: Shift, roster: Roster) -> Outcome:
    """The work reports as they lie there, against the roster as printed: every row with the shift's letter counts."""
    listed = sorted(place.person_number for place in roster.places if place.letter == shift.letter)
    filed = [report for report in facts.reports if report.letter == shift.letter]
    limit = shift.start + dt.timedelta(minutes=facts.rules.grace_minutes)
    late = [report for report in filed if report.kind == "Start" and report.filed > limit]
    over = sum(max(0, report.minutes - shift.scheduled_minutes) for report in filed if report.minutes is not None)
    heard = {report.person_number for report in filed}
    absent = tuple(person for person in listed if person not in heard)
    answers = _answers(len(listed), len(filed), len(late), over, len(absent))
    decided = ("record_all_unreported", "recorded_as_received")
    return _carried_out(facts, rows, shift, facts.reports_source, answers, decided, absent)


def _answers(expected: int, reporting: int, late: int, overtime: int, missing: int) -> dict[str, Value]:
    """overtime is in minutes."""
    return {
        "expected_staff": expected,
        "reporting_staff": reporting,
        "late_reports": late,
        "overtime_hours": cents(Decimal(overtime) / 60),
        "missing_staff": missing,
    }


def _carried_out(
    facts: Facts,
    rows: Rows,
    shift: Shift,
    operative: str,
    answers: Mapping[str, Value],
    decided: tuple[str, str],
    absent: Sequence[str],
) -> Outcome:
    employers = {row["PersonNumber"]: row["LegalEmployerName"] for row in rows["workers"]}
    day = shift.start.date().isoformat()
    writes = tuple(
        Write(
            "oracle_fusion.absences.create",
            {
                "personNumber": person,
                "absenceType": facts.rules.absence_type,
                "startDate": day,
                "endDate": day,
                "employer": employers[person],
                "absenceStatusCd": facts.rules.absence_status,
            },
        )
        for person in absent
    )
    expected = tuple(ExpectedRow(row={"personNumber": person, "startDate": day, "endDate": day}) for person in absent)
    return Outcome(
        answers=answers,
        option=decided[0],
        status=decided[1],
        operative=operative,
        cited=(),
        writes=writes,
        primary=PrimaryRecord(table="absences", rows=expected, name=("literal", shift.code)),
    )
