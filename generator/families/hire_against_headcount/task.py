"""What every hiring task has: fields, options, graded reads, state checks and the oracle's calls."""

from collections.abc import Mapping

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.hire_against_headcount import judgements
from generator.families.hire_against_headcount.facts import Facts
from generator.families.hire_against_headcount.outcome import OPTIONS as CHOICES
from generator.families.hire_against_headcount.records import records
from generator.families.staff import employer_name
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import All, ExpectedRow, Row, Rows, Scope
from generator.spec.plan import PlanCall, Stage

ANSWERS = (
    AnswerField(
        "open_headcount",
        "integer",
        "Heads approved for the job and employer by the approval in force, less the workers active in that job there on"
        " the hire date. A worker whose last working day lies before the hire date is not active on it.",
    ),
    AnswerField(
        "eligible_candidates",
        "integer",
        "Candidates of the register for that job and employer who have not withdrawn nor started already, who meet"
        " every condition of the approval on the day of decision, and whose permit, where one is needed, covers the"
        " whole contract.",
    ),
    AnswerField("hires", "integer", "Eligible candidates, in the approval's ranking, as far as open heads go."),
    AnswerField(
        "monthly_wage_total",
        "money",
        "Sum over the hires of the wage table's monthly wage of their grade in force on the hire date.",
    ),
    AnswerField(
        "contract_months", "integer", "Sum over the hires of the length of their contracts in whole months."
    ),
)

_LABELS = {
    "hire": (
        "Hire the ranked candidates into the open heads; nobody has to be referred",
        "the open heads are filled as far as candidates go",
    ),
    "refer": (
        "Hire those who are clear, and refer the candidates whom the approval wants referred",
        "the clear candidates are hired and the others referred",
    ),
    "received": (
        "Hire the recruiter's shortlist on the terms that were spoken of",
        "the shortlist is hired as it stands",
    ),
    "stop": ("Hire nobody and send the request back", "nobody is hired"),
}
OPTIONS = tuple(
    Option(id, _LABELS[how][0], status, _LABELS[how][1]) for how, (id, status) in CHOICES.items()
)

CONVENTIONS = (
    "A worker is created under the person number reserved for the candidate, with the name and the candidate id of the"
    " register, the full name of the legal employer and the code of the job.",
    "HireDate, ContractEndDate and MonthlySalary follow the conditions printed on the approval.",
    "The primary record of a round is the number of the headcount approval that its hires are made under.",
)


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts = _facts(case)
    return judgements.mistakes(case.tenant, facts, records(case.tenant, facts))


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    code = case.tenant.profile.code
    approval = facts.approval.source
    return (
        Read(
            "seats held",
            "Read the records of everybody who is active in the job at the employer, leavers of the coming weeks"
            " included.",
            "the worker records of those who are active in the job at the employer",
            (tuple(("workers", number) for number in _active(facts, facts.job, facts.employer)),),
        ),
        Read(
            "approval located",
            "Find the headcount approval: its drive entry, or the source map that names it.",
            "where the headcount approval is: its drive entry, or the source map",
            ((("drive_meta", approval),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read(
            "headcount approval",
            "Open the headcount approval in force, with its conditions.",
            "the content of the headcount approval in force",
            ((("drive_content", approval),),),
        ),
        Read(
            "candidate register",
            "Open the candidate register.",
            "the content of the candidate register",
            ((("drive_content", facts.register_source),),),
        ),
        Read(
            "wage table",
            "Open the wage table.",
            "the content of the wage table",
            ((("drive_content", facts.wages_source),),),
        ),
        Read(
            "replaced approval",
            "Read the headcount approval that was replaced: the mail it came with, or the copy that was passed on.",
            "the headcount approval that was replaced, in the mail it came with or was passed on with",
            ((("mail", facts.earlier.source),), (("mail", facts.forward.source),)),
        ),
        _about_heads(facts),
        _about_starts(facts),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
        Read(
            "other job",
            "Read who is active in the other job that the register has candidates for.",
            "the worker records of those who are active in the other job that candidates have applied for",
            (tuple(("workers", number) for number in _active(facts, facts.decoy_job, facts.decoy_employer)),),
        ),
    )


def _about_heads(facts: Facts) -> Read:
    if facts.raise_request is None:
        return Read(
            "drive index",
            "See the drive's entries of both the candidate register and the wage table.",
            "the drive's entries (not the content) of the candidate register and the wage table",
            ((("drive_meta", facts.register_source), ("drive_meta", facts.wages_source)),),
        )
    return Read(
        "request for other heads",
        "Read the mail about a change of the heads that has been asked for.",
        "the mail about a change of the heads that has been asked for",
        ((("mail", facts.raise_request.mail.source),),),
    )


def _about_starts(facts: Facts) -> Read:
    if not facts.already_hired:
        return Read(
            "owner of the wages",
            "See the drive's entry of the wage table.",
            "the drive's entry (not the content) of the wage table",
            ((("drive_meta", facts.wages_source),),),
        )
    return Read(
        "starts",
        "Read the mail about a candidate who is at work already.",
        "the mail about a candidate of the register who is at work already",
        (tuple(("mail", hired.mail.source) for hired in facts.already_hired),),
    )


def _active(facts: Facts, job: str, employer: str) -> list[str]:
    return [w.person_number for w in facts.workers if (w.job, w.employer) == (job, employer) and w.active]


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    mails = [
        facts.earlier.source,
        *([facts.raise_request.mail.source] if facts.raise_request is not None else []),
        *(hired.mail.source for hired in facts.already_hired),
    ]

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    download = "google_drive.files.download"
    return (
        call("google_drive.files.list", q="name contains 'headcount'"),
        *(() if facts.raise_request and facts.already_hired else (call("google_drive.files.list", q=""),)),
        call(download, fileId=facts.approval.source),
        *(call("gmail.messages.get", id=mail) for mail in mails),
        call(download, fileId=facts.register_source),
        call(download, fileId=facts.wages_source),
        _workers(case, "investigate"),
        call("oracle_fusion.workers.list", q=f"JobCode='{facts.decoy_job}'"),
        call(download, fileId=f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),
    )


def _workers(case: Case, stage: Stage) -> PlanCall:
    facts = _facts(case)
    employer = employer_name(case.tenant.profile, facts.employer)
    query = f"JobCode='{facts.job}' and LegalEmployerName='{employer}'"
    return PlanCall(stage=stage, tool="oracle_fusion.workers.list", arguments={"q": query})


def state(case: Case) -> StateChecks:
    """Who was hired into the job and when is the primary record; what they earn and until when, the secondary state."""
    facts = _facts(case)
    scope: Row = {"JobCode": facts.job, "LegalEmployerName": employer_name(case.tenant.profile, facts.employer)}
    if case.gold.primary is None:
        held = tuple(("workers", number) for number in _active(facts, facts.job, facts.employer))
        return declined(case, ("workers",), (held,))
    return executed(
        primary=Rows(
            table="workers",
            where=scope,
            added_exactly=(ExpectedRow(key="$primary"),),
            changed_exactly=(),
        ),
        secondary=All(of=tuple(_terms(write.arguments) for write in case.gold.writes)),
        owned=(Scope(table="workers", where=scope),),
    )


def _terms(arguments: Mapping[str, object]) -> Rows:
    """The hire's whole row, so that terms count only for the person who was to be hired."""
    row: Row = {name: str(value) for name, value in arguments.items()}
    row["MonthlySalary"] = {"money": str(arguments["MonthlySalary"])}
    return Rows(table="workers", key=str(arguments["PersonNumber"]), row=row)


def readback(case: Case) -> tuple[PlanCall, ...]:
    return (_workers(case, "verify"),)


def correspondents(case: Case) -> tuple[str, ...]:
    """The recruiter, who asked, and the officer to whom candidates are referred."""
    profile = case.tenant.profile
    return (profile.person("recruiter").email, profile.person("compliance_officer").email)


def prompt(case: Case) -> dict[str, object]:
    facts = _facts(case)
    jobs = {entry.code: entry.meaning for entry in case.tenant.profile.lookups if entry.kind == "job"}
    return {
        "job": jobs[facts.job],
        "employer": employer_name(case.tenant.profile, facts.employer),
        "recruiter": case.tenant.profile.person("recruiter"),
        "start": facts.hire_date,
    }


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
    dependent=("hires",),
    counterfactuals=counterfactuals,
    derives_dates=True,
    judgement=judgements.right,
)
