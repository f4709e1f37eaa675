"""What every shift roll-up has: fields, options, graded reads, state checks and the oracle's calls."""

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.channels import message_number
from generator.families.checks import declined, executed
from generator.families.shift_rollup.documents import chat
from generator.families.shift_rollup.facts import Facts, Roster, Shift
from generator.families.shift_rollup.outcome import expected_staff, outcome, roll_up
from generator.families.shift_rollup.records import records
from generator.families.staff import employer_name
from generator.spec import contract as c
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import Row, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import ChatMessage, Tenant

TABLE = "absences"

ANSWERS = (
    AnswerField(
        "expected_staff",
        "integer",
        "Persons on the roster in force for the shift after the swaps that count, less those whose leave covers any"
        " part of the shift and counts by the roster's rules.",
    ),
    AnswerField(
        "reporting_staff",
        "integer",
        "Distinct expected persons with at least one valid report for the shift. Persons are counted, not reports.",
    ),
    AnswerField(
        "late_reports",
        "integer",
        "Reporting persons whose first valid report was filed later than the start of the shift plus the grace of the"
        " roster's rules. Who is late has still reported.",
    ),
    AnswerField(
        "overtime_hours",
        "hours",
        "Sum over the reporting persons of the time worked beyond the paid time of the shift, rounded for each person"
        " as the roster's rules say before anything is added up. Two quarters of an hour are 0.50.",
    ),
    AnswerField("missing_staff", "integer", "Expected persons less reporting persons."),
)

OPTIONS = (
    Option(
        "record_absences",
        "Book an absence for everybody who was expected and has not reported",
        "absences_recorded",
        "the absences are booked and cover is not in question",
    ),
    Option(
        "record_absences_and_escalate_cover",
        "Book the absences and put it to the shift supervisor that cover fell short",
        "absences_recorded_escalated",
        "the absences are booked and the lack of cover is escalated",
    ),
    Option(
        "record_all_unreported",
        "Book an absence for every name on the list without a report as filed",
        "recorded_as_received",
        "absences follow the reports as they were filed",
    ),
    Option(
        "stop_roster_unconfirmed",
        "Book nothing from the roster and send it back",
        "not_recorded",
        "no absence is booked",
    ),
)

CONVENTIONS = (
    "An absence carries the person number, the type and status that the roster's rules name, the legal employer of the"
    " person's own worker record, and the day of the shift as both its first and its last day.",
    "primary_record of a roll-up is the shift code.",
    "Cover is escalated in the handoff; there is no record to write for it.",
)

RULES = (
    "swap",
    "proposed_swap",
    "chat_leave",
    "open_leave",
    "withdrawn_leave",
    "shift_day",
    "valid_until",
    "persons",
    "rounding",
    "grace",
    "cover",
    "objection",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the roster that the memo names."""
    return Judgement(sources={"shift_roster": facts.roster.source, "shift_work_reports": facts.reports_source})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    """The rules among the mistakes are those that bite on these facts. Where the request is to be declined, each
    mistake overlooks what stops it besides."""
    facts, right = _facts(case), case.judgement
    rows = records(case.tenant, facts)
    old = Judgement(sources={**right.sources, "shift_roster": facts.earlier.source})
    stopped = frozenset({"objection"} if case.gold.obstacle is not None else ())
    carried_out = outcome(case.tenant, facts, rows, Judgement(sources=right.sources, ignored_rules=stopped))
    ignoring = {rule: Judgement(sources=right.sources, ignored_rules=stopped | {rule}) for rule in RULES}
    biting = {
        rule: one
        for rule, one in ignoring.items()
        if rule in stopped or outcome(case.tenant, facts, rows, one) != carried_out
    }
    return (
        ("superseded_roster", "wrong_source", "shift_roster", old),
        ("neighbouring_shift", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("reports_as_filed", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *((f"ignores_{rule}", "ignored_rule", rule, one) for rule, one in biting.items()),
    )


def reads(case: Case) -> tuple[Read, ...]:
    facts, code = _facts(case), case.tenant.profile.code
    roster = facts.roster.source
    found = roll_up(facts, facts.shift(facts.task), facts.roster)
    of_shift = _listed(facts.roster, facts.shift(facts.task))
    standing = [absence.id for absence in facts.absences if absence.person_number in of_shift]
    return (
        Read(
            "roster located",
            "Find the roster in force: its drive entry, or the source map that names it.",
            "where the shift roster is: its drive entry, or the source map",
            ((("drive_meta", roster),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read(
            "roster",
            "Open the roster in force with its shifts, leave and rules.",
            "the content of the shift roster in force, all of its sheets",
            ((("drive_content", roster),),),
        ),
        Read(
            "work reports",
            "Open the work reports that were filed.",
            "the content of the work reports as they were filed",
            ((("drive_content", facts.reports_source),),),
        ),
        Read(
            "superseded roster",
            "Read the message with the roster that no longer counts.",
            "the message with the roster that is no longer in force, as its owner sent it",
            ((("mail", facts.earlier.source),),),
        ),
        Read(
            "swaps",
            "Read what the supervisor said about changes of place, in the people channel.",
            "the shift supervisor's word on changes of place, in the channel that the roster's rules name",
            (tuple(("slack_messages", message_number(case, note)) for note in _confirmations(case)),),
        ),
        Read(
            "leave in the channel",
            "Read what the supervisor said about leave, in the people channel.",
            "the shift supervisor's word on leave, in the channel that the roster's rules name",
            (tuple(("slack_messages", message_number(case, note)) for note in _leave_notes(case)),),
        ),
        Read(
            "workers",
            "Read the worker records of those who get an absence.",
            "the worker records, with their legal employer, of those who get an absence",
            (tuple(("workers", person) for person in found.missing),),
        ),
        Read(
            "standing absences",
            "See the absences that people of the shift have already.",
            "the absences that stand in the system already for people of the shift",
            tuple(((TABLE, str(id)),) for id in standing),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
        _tenth(facts),
    )


def _tenth(facts: Facts) -> Read:
    """The works council's message where there is one, else the roster that somebody passed on."""
    if facts.objection is not None:
        return Read(
            "works council",
            "Read the message on the works council's objection.",
            "the message on the works council's objection to a roster",
            ((("mail", facts.objection.source),),),
        )
    return Read(
        "roster passed on",
        "Read the latest message that passes a roster on, and see whose it is.",
        "the latest message in which somebody passes a roster on",
        ((("mail", facts.forward.source),),),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts, profile = _facts(case), case.tenant.profile

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    download, name = "google_drive.files.download", employer_name(profile, facts.employer)
    last = facts.forward if facts.objection is None else facts.objection
    channel = f"in:{facts.people_channel}"
    return (
        call("google_drive.files.list", q="name contains 'shift-roster'"),
        call(download, fileId=facts.roster.source),
        call(download, fileId=facts.reports_source),
        call("gmail.messages.get", id=facts.earlier.source),
        call("slack.search_messages", query=f"{channel} places"),
        call("slack.search_messages", query=f"{channel} leave"),
        call("gmail.messages.get", id=last.source),
        call("oracle_fusion.workers.list", q=f"LegalEmployerName='{name}'"),
        call("oracle_fusion.absences.list"),
        call(download, fileId=f"FILE-{profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    """The primary check owns the absences of everybody whom a version of the roster expects on the shift, the secondary
    one those of people who are listed and yet not expected: on leave, or with another place for the day."""
    facts = _facts(case)
    if case.gold.obstacle is not None:
        standing = tuple((TABLE, str(absence.id)) for absence in facts.absences)
        return declined(case, (TABLE,), tuple((one,) for one in standing))
    shift = facts.shift(facts.task)
    expected = expected_staff(facts, shift, facts.roster)
    excused = _listed(facts.roster, shift) - set(expected)
    own: Row = {"personNumber": {"in": sorted((_listed(facts.earlier, shift) | set(expected)) - excused)}}
    others: Row = {"personNumber": {"in": sorted(excused)}}
    employers = sorted({str(write.arguments["employer"]) for write in case.gold.writes})
    kept: Row = {
        "absenceType": facts.rules.absence_type,
        "absenceStatusCd": facts.rules.absence_status,
        "employer": {"in": employers},
    }
    return executed(
        primary=c.Rows(table=TABLE, where=own, added_exactly=(c.ExpectedRow(key="$primary"),), changed_exactly=()),
        secondary=c.All(
            of=(
                c.Rows(table=TABLE, key="$primary", row=kept),
                c.Rows(table=TABLE, where=others, added_exactly=(), changed_exactly=()),
            )
        ),
        owned=(Scope(table=TABLE, where=own), Scope(table=TABLE, where=others)),
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    return (PlanCall(stage="verify", tool="oracle_fusion.absences.list", arguments={}),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("shift_supervisor").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "facts": facts,
        "shift_name": f"{facts.shift(facts.task).start:%A}'s {facts.shift(facts.task).letter} shift",
        "shift": facts.shift(facts.task),
        "supervisor": profile.person("shift_supervisor"),
        "officer": profile.person("compliance_officer"),
    }


def _listed(roster: Roster, shift: Shift) -> set[str]:
    return {place.person_number for place in roster.places if place.letter == shift.letter}


def _confirmations(case: Case) -> list[ChatMessage]:
    return [note for note in _supervisors_notes(case) if not _of_leave(note)]


def _leave_notes(case: Case) -> list[ChatMessage]:
    return [note for note in _supervisors_notes(case) if _of_leave(note)]


def _supervisors_notes(case: Case) -> list[ChatMessage]:
    supervisor = case.tenant.profile.person("shift_supervisor").name
    return [note for note in chat(case.tenant, _facts(case)) if note.author == supervisor]


def _of_leave(note: ChatMessage) -> bool:
    return note.thread.startswith("THREAD-LEAVE-")


def _facts(case: Case) -> Facts:
    assert isinstance(case.facts, Facts)
    return case.facts


TASK = TaskKind(
    answers=ANSWERS,
    options=OPTIONS,
    conventions=CONVENTIONS,
    reads=reads,
    read_calls=read_calls,
    state=state,
    readback=readback,
    correspondents=correspondents,
    prompt=prompt,
    dependent=("missing_staff",),
    counterfactuals=counterfactuals,
    judgement=judgement,
)
