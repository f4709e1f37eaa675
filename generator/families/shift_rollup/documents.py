"""Files 16 and 17, the family's mail (earlier roster and its late forward) and its people channel messages."""

import datetime as dt
from zoneinfo import ZoneInfo

from generator.evidence.model import Column, Csv, Document, Sheet, Spreadsheet, Table
from generator.families import office
from generator.families.base import LogEvents, MailMessage
from generator.families.correspondence import mail_table, message
from generator.families.shift_rollup.facts import Facts, Leave, Roster, Swap
from generator.families.shift_rollup.rules import rules
from generator.families.staff import worker_named
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_roster_file(tenant, facts), _reports_file(tenant, facts))


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    subject = f"Roster version {facts.earlier.version}, {_day(facts)}"
    text = _roster_text(facts, facts.earlier)
    note = "Sending round the roster that hangs in the hall, for those who asked."
    messages = [
        message(tenant, facts.earlier_mail, subject, text),
        message(tenant, facts.forward, f"Fwd: {subject}", (note, *text)),
    ]
    if facts.objection is not None:
        messages.append(message(tenant, facts.objection, "Objection to the roster", _objection_text(facts)))
    return tuple(messages)


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    messages = [note for swap in facts.swaps for note in _swap_notes(tenant, facts, swap)]
    messages.extend(_leave_note(tenant, facts, leave) for leave in facts.leaves if leave.in_chat)
    messages.extend(_withdrawal(tenant, facts, leave) for leave in facts.leaves if leave.withdrawn is not None)
    return tuple(sorted(messages, key=lambda note: note.at))


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def _day(facts: Facts) -> str:
    return facts.shift(facts.task).start.date().isoformat()


def _named(facts: Facts, person_number: str) -> str:
    return f"{worker_named(facts.workers, person_number).name} ({person_number})"


def _roster_file(tenant: Tenant, facts: Facts) -> Document:
    supervisor = tenant.profile.person("shift_supervisor")
    sheets = (
        Sheet("Roster", _places(facts)),
        Sheet("Shifts", _shifts(facts)),
        Sheet("Leave", _leave(facts)),
        Sheet("Rules", rules(tenant, facts)),
    )
    return Document(
        id=facts.roster.source,
        name="16-shift-roster.xlsx",
        body=Spreadsheet(sheets),
        description=f"Roster version {facts.roster.version} for {_day(facts)}, with leave and rules",
        author=supervisor.name,
        owner=supervisor.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _places(facts: Facts) -> Table:
    columns = (
        Column("Shift code", width=16),
        Column("Shift", width=7),
        Column("Line", width=12),
        Column("Person number", width=14),
        Column("Name", width=22),
    )
    code = {shift.letter: shift.code for shift in facts.shifts}
    return Table(
        columns,
        tuple(
            (
                code[place.letter],
                place.letter,
                place.line,
                place.person_number,
                worker_named(facts.workers, place.person_number).name,
            )
            for place in facts.roster.places
        ),
    )


def _shifts(facts: Facts) -> Table:
    columns = (
        Column("Shift code", width=16),
        Column("Shift", width=7),
        Column("Starts", "datetime", 18),
        Column("Ends", "datetime", 18),
        Column("Unpaid break, minutes", "integer", 14),
        Column("Paid minutes", "integer", 12),
    )
    return Table(
        columns,
        tuple(
            (shift.code, shift.letter, shift.start, shift.end, shift.break_minutes, shift.scheduled_minutes)
            for shift in facts.shifts
        ),
    )


def _leave(facts: Facts) -> Table:
    """Approvals that came in the channel are not on the sheet yet: the sheet shows them as open."""
    columns = (
        Column("Person number", width=14),
        Column("Name", width=22),
        Column("From", "datetime", 18),
        Column("To", "datetime", 18),
        Column("Asked on", "date", 12),
        Column("Approved", "datetime", 18),
    )
    return Table(
        columns,
        tuple(
            (
                leave.person_number,
                worker_named(facts.workers, leave.person_number).name,
                leave.start,
                leave.end,
                leave.requested,
                None if leave.in_chat else leave.approved,
            )
            for leave in facts.leaves
        ),
    )


def _reports_file(tenant: Tenant, facts: Facts) -> Document:
    supervisor = tenant.profile.person("shift_supervisor")
    columns = (
        Column("report"),
        Column("filed_local", "datetime"),
        Column("shift"),
        Column("person_number"),
        Column("name"),
        Column("kind"),
        Column("minutes_worked", "integer"),
    )
    rows = tuple(
        (
            report.number,
            report.filed,
            report.letter,
            report.person_number,
            worker_named(facts.workers, report.person_number).name,
            report.kind,
            report.minutes,
        )
        for report in sorted(facts.reports, key=lambda report: (report.filed, report.number))
    )
    return Document(
        id=facts.reports_source,
        name="17-shift-work-reports.csv",
        body=Csv(Table(columns, rows)),
        description="Work reports from the hall terminal in the order they were filed",
        author=supervisor.name,
        owner=supervisor.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _roster_text(facts: Facts, roster: Roster) -> tuple[str, ...]:
    code = {shift.letter: shift.code for shift in facts.shifts}
    table = mail_table(
        ("Shift code", "Line", "Person number", "Name"),
        [
            (
                code[place.letter],
                place.line,
                place.person_number,
                worker_named(facts.workers, place.person_number).name,
            )
            for place in roster.places
        ],
    )
    return (f"Roster version {roster.version}, issued {roster.issued.date().isoformat()}.", table)


def _objection_text(facts: Facts) -> tuple[str, ...]:
    """Both versions of the roster are named in either case, so that the number alone tells nothing."""
    if facts.objection_settled:
        return (
            f"The works council had objected to roster version {facts.earlier.version} for shift"
            f" {facts.objection_shift} ({facts.objection_reference}). It has seen roster version"
            f" {facts.roster.version} and takes the objection back. It is settled.",
        )
    stands = f"The works council objects to roster version {facts.roster.version}. The objection is open."
    if not facts.objection_reference:
        return (stands,)
    return (
        stands,
        f"It is filed as {facts.objection_reference} and concerns shift {facts.objection_shift} alone: the moves"
        f" between versions {facts.earlier.version} and {facts.roster.version} were not put to the council in time. I"
        " shall write when it is settled.",
    )


def _swap_notes(tenant: Tenant, facts: Facts, swap: Swap) -> tuple[ChatMessage, ...]:
    thread = f"THREAD-{swap.first}"
    proposal = ChatMessage(
        at=swap.proposed,
        channel=facts.people_channel,
        author=worker_named(facts.workers, swap.first).name,
        thread=thread,
        text=f"I would like to change places with {_named(facts, swap.second)} on {_day(facts)}, if that is all right.",
    )
    if swap.confirmed is None:
        return (proposal,)
    confirmation = ChatMessage(
        at=swap.confirmed,
        channel=facts.people_channel,
        author=tenant.profile.person("shift_supervisor").name,
        thread=thread,
        text=(
            f"Confirmed for {_day(facts)}: {_named(facts, swap.first)} and {_named(facts, swap.second)} change places."
        ),
    )
    return (proposal, confirmation)


def _leave_note(tenant: Tenant, facts: Facts, leave: Leave) -> ChatMessage:
    """Raises ValueError for a leave that is said to be approved in chat and has no moment of approval."""
    if leave.approved is None:
        raise ValueError(f"leave of {leave.person_number}: approved in chat, but no moment of approval")
    text = f"{_leave_words(facts, leave)} is approved; the sheet follows."
    return _supervisor_note(tenant, facts, leave, leave.approved, text)


def _withdrawal(tenant: Tenant, facts: Facts, leave: Leave) -> ChatMessage:
    assert leave.withdrawn is not None
    text = f"{_leave_words(facts, leave)} is withdrawn at the worker's own wish; the shift is worked as rostered."
    return _supervisor_note(tenant, facts, leave, leave.withdrawn, text)


def _leave_words(facts: Facts, leave: Leave) -> str:
    return (
        f"Leave for {_named(facts, leave.person_number)} on {leave.start.date().isoformat()} from {leave.start:%H:%M}"
        f" to {leave.end:%H:%M}"
    )


def _supervisor_note(tenant: Tenant, facts: Facts, leave: Leave, local: dt.datetime, text: str) -> ChatMessage:
    return ChatMessage(
        at=local.replace(tzinfo=ZoneInfo(tenant.profile.timezone)).astimezone(dt.UTC),
        channel=facts.people_channel,
        author=tenant.profile.person("shift_supervisor").name,
        thread=f"THREAD-LEAVE-{leave.person_number}",
        text=text,
    )
