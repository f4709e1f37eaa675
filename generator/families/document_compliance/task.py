"""What every compliance review has: fields, options, graded reads, state checks and the oracle's calls."""

from collections.abc import Iterable

from generator.families.base import AnswerField, Option, Read, Rows, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.document_compliance.facts import Facts
from generator.families.document_compliance.outcome import outcome, review, surname
from generator.families.document_compliance.records import records
from generator.families.staff import Worker, employer_name, worker_named
from generator.spec import contract as c
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import Route, Row, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

TABLE = "document_records"

ANSWERS = (
    AnswerField(
        "expiring_in_window",
        "integer",
        "Papers of active workers of the legal employer under review that nothing has replaced, whose worker does not"
        " leave before they expire, and whose expiry lies between the day (included) and that day plus the window of"
        " their kind (included). Papers of the other employer do not count.",
    ),
    AnswerField(
        "unalerted_expiring",
        "integer",
        "Those of the expiring papers for which the alert log has no alert of the same record and the same expiry.",
    ),
    AnswerField(
        "workers_blocked",
        "integer",
        "Active workers of the employer with at least one expired paper of a blocking kind that nothing has replaced,"
        " or with an open check of a blocking kind that cannot be verified now; each worker once.",
    ),
    AnswerField(
        "checks_verified",
        "integer",
        "Mandatory checks of the employer's active workers that stand open in the system and whose paper, under the"
        " worker's own person number, is on file and valid on the day: those that are set verified now.",
    ),
    AnswerField(
        "days_to_earliest_expiry",
        "integer",
        "Calendar days from the day to the earliest expiry among the expiring papers, alerted or not; 0 on the day"
        " itself.",
    ),
)

OPTIONS = (
    Option(
        "alert_and_verify",
        "Record the alerts that are owed and verify the checks whose papers are in",
        "alerts_recorded",
        "alerts and verified checks are recorded, and nobody is to be blocked",
    ),
    Option(
        "alert_verify_and_recommend_block",
        "Record alerts and verified checks, and recommend that the blocked workers be taken off work",
        "alerts_recorded_block_recommended",
        "alerts and verified checks are recorded, and blocking is put to the compliance officer",
    ),
    Option(
        "update_as_checklist",
        "Update the records as the clerk marked them on the checklist",
        "updated_as_listed",
        "the records follow the clerk's marks",
    ),
    Option(
        "stop_refer_to_hr",
        "Change no record and refer the review back to HR compliance",
        "not_updated",
        "no record is changed",
    ),
)

CONVENTIONS = (
    "An alert is recorded by the status code on the paper's own document record; a check is verified by its flag and"
    " its status code, both in one change. Records that need no change are left alone.",
    "primary_record of a review is the number of the checklist it was made from.",
    "Blocking a worker is recommended in the handoff; there is no record to write for it.",
)

RULES = (
    "bounds",
    "renewals",
    "keyed_renewals",
    "leavers",
    "assignment",
    "alerted_expiry",
    "person_number",
    "paper_validity",
    "blocking_kinds",
    "block",
    "release",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the checklist that the memo names, and the log."""
    return Judgement(sources={"compliance_checklist": facts.checklist.source, "document_alert_log": facts.alert_log})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    """The rules among the mistakes are those that bite on these facts. Where the request is to be declined, each
    mistake overlooks what stops it besides."""
    facts, right = _facts(case), case.judgement
    rows = records(case.tenant, facts)
    old = Judgement(sources={**right.sources, "compliance_checklist": facts.earlier.source})
    stopped = frozenset({"release"} if case.gold.obstacle is not None else ())
    carried_out = outcome(case.tenant, facts, rows, Judgement(sources=right.sources, ignored_rules=stopped))
    ignoring = {rule: Judgement(sources=right.sources, ignored_rules=stopped | {rule}) for rule in RULES}
    biting = {
        rule: one
        for rule, one in ignoring.items()
        if rule in stopped or outcome(case.tenant, facts, rows, one) != carried_out
    }
    return (
        ("superseded_checklist", "wrong_source", "compliance_checklist", old),
        ("other_employer", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("clerks_marks", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *((f"ignores_{rule}", "ignored_rule", rule, one) for rule, one in biting.items()),
    )


def reads(case: Case) -> tuple[Read, ...]:
    facts, code = _facts(case), case.tenant.profile.code
    own = _own_records(case)
    found = review(case.tenant, facts, own, facts.employer, facts.checklist)
    papers = _keys(row["DocumentRecordId"] for row in found.expiring)
    checks = _keys(check.id for check in facts.checks if _employed(facts, check.person_number) and not check.verified)
    workers = _people(
        facts, (worker for worker in facts.workers if worker.employer == facts.employer and worker.active)
    )
    checklist = facts.checklist.source
    return (
        Read(
            "workers",
            "Read the worker records of the employer: assignment and last working day.",
            "the worker records of the employer's active workers: assignment and last working day",
            (workers,),
        ),
        Read(
            "papers on record",
            "Read the employer's papers as the system has them.",
            "the papers that expire, in the system's document records of the employer",
            (papers,),
        ),
        Read(
            "checks on record",
            "Read the employer's open mandatory checks as the system has them.",
            "the mandatory checks that stand open in the system's document records of the employer",
            (checks,),
        ),
        Read(
            "checklist located",
            "Find the checklist in force: its drive entry, or the source map that names it.",
            "where the compliance checklist is: its drive entry, or the source map",
            ((("drive_meta", checklist),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read(
            "checklist",
            "Open the checklist in force with its windows, papers and rules.",
            "the content of the compliance checklist in force, all of its sheets",
            ((("drive_content", checklist),),),
        ),
        Read(
            "alert log",
            "Open the log of alerts that were sent.",
            "the content of the log of expiry alerts",
            ((("drive_content", facts.alert_log),),),
        ),
        Read(
            "superseded checklist",
            "Read the message with the checklist that no longer counts.",
            "the message with the checklist that is no longer in force",
            ((("mail", facts.earlier.source),), (("mail", facts.forward.source),)),
        ),
        Read(
            "renewals",
            "Read the messages on papers that were renewed.",
            "the messages on papers that were renewed and handed in",
            (tuple(("mail", renewal.mail.source) for renewal in facts.renewals),),
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
    """The officer's release where there is one by mail, else the other employer's people of the same surname."""
    if facts.release_mail is not None:
        return Read(
            "release",
            "Read the compliance officer's message on the release of the checklist.",
            "the compliance officer's message on the release of the checklist",
            ((("mail", facts.release_mail.source),),),
        )
    return Read(
        "namesake",
        "Read the worker record behind a received paper that carries a surname of this employer.",
        "the worker record at the other legal employer behind a received paper with a surname that this employer has"
        " too",
        (_people(facts, _namesakes(facts)),),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts, profile = _facts(case), case.tenant.profile
    name = employer_name(profile, facts.employer)

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    download = "google_drive.files.download"
    if facts.release_mail is not None:
        tenth = call("gmail.messages.get", id=facts.release_mail.source)
    else:
        other = employer_name(profile, facts.decoy_employer)
        tenth = call("oracle_fusion.workers.list", q=f"LegalEmployerName='{other}'")
    return (
        call("google_drive.files.list", q="name contains 'compliance-checklist'"),
        call(download, fileId=facts.checklist.source),
        call(download, fileId=facts.alert_log),
        call("oracle_fusion.workers.list", q=f"LegalEmployerName='{name}'"),
        call("oracle_fusion.document_records.list", q=f"LegalEmployerName='{name}' and MandatoryCheckFlag=false"),
        call("oracle_fusion.document_records.list", q=f"LegalEmployerName='{name}' and MandatoryCheckFlag=true"),
        call("gmail.messages.get", id=facts.earlier.source),
        *(call("gmail.messages.get", id=renewal.mail.source) for renewal in facts.renewals),
        tenth,
        call(download, fileId=f"FILE-{profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    """The primary check owns the employer's papers, the secondary one its mandatory checks."""
    facts = _facts(case)
    if case.gold.obstacle is not None:
        carried_out = next(one.outcome for one in case.counterfactuals if one.name == "ignores_release")
        return declined(case, (TABLE,), (_keys(write.arguments["DocumentRecordId"] for write in carried_out.writes),))
    name = employer_name(case.tenant.profile, facts.employer)
    papers: Row = {"LegalEmployerName": name, "MandatoryCheckFlag": 0}
    checks: Row = {"LegalEmployerName": name, "MandatoryCheckFlag": 1}
    verified: Row = {"VerifiedFlag": 1, "Status": "VERIFIED"}
    return executed(
        primary=c.Rows(table=TABLE, where=papers, added_exactly=(), changed_exactly=(c.ExpectedRow(key="$primary"),)),
        secondary=c.All(
            of=(
                c.Rows(table=TABLE, key="$primary", row={"Status": "ALERTED"}),
                c.Rows(
                    table=TABLE,
                    where=checks,
                    added_exactly=(),
                    changed_exactly=tuple(c.ExpectedRow(key=id, row=verified) for id in _verified(case)),
                ),
            )
        ),
        owned=(Scope(table=TABLE, where=papers), Scope(table=TABLE, where=checks)),
    )


def _verified(case: Case) -> tuple[str, ...]:
    return tuple(
        str(write.arguments["DocumentRecordId"]) for write in case.gold.writes if write.arguments.get("VerifiedFlag")
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    name = employer_name(case.tenant.profile, _facts(case).employer)
    query = {"q": f"LegalEmployerName='{name}'"}
    return (PlanCall(stage="verify", tool="oracle_fusion.document_records.list", arguments=query),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("compliance_officer").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "facts": facts,
        "employer": employer_name(profile, facts.employer),
        "officer": profile.person("compliance_officer"),
    }


def _own_records(case: Case) -> Rows:
    return records(case.tenant, _facts(case))


def _namesakes(facts: Facts) -> list[Worker]:
    """Holders of received papers who work for the other employer and share a surname with somebody of this one."""
    surnames = {surname(worker.name) for worker in facts.workers if worker.employer == facts.employer}
    holders = {paper.person_number for paper in facts.checklist.papers}
    return [
        worker
        for worker in facts.workers
        if worker.employer == facts.decoy_employer
        and worker.person_number in holders
        and surname(worker.name) in surnames
    ]


def _employed(facts: Facts, person_number: str) -> bool:
    return worker_named(facts.workers, person_number).employer == facts.employer


def _people(facts: Facts, workers: Iterable[Worker]) -> Route:
    return tuple(("workers", worker.person_number) for worker in workers)


def _keys(ids: Iterable[int]) -> Route:
    return tuple((TABLE, str(id)) for id in ids)


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
    counterfactuals=counterfactuals,
    judgement=judgement,
)
