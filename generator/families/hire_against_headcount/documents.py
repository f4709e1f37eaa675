"""Files 20 to 22 and the family's mail: first issue and its late forward, an unsigned request, a hire already made."""

from generator.evidence.model import (
    Bullets,
    Cell,
    Column,
    Csv,
    Document,
    Form,
    Heading,
    Pairs,
    Paragraph,
    Sheet,
    Spreadsheet,
    Table,
)
from generator.families import office
from generator.families.base import LogEvents, MailMessage
from generator.families.correspondence import mail_table, message
from generator.families.hire_against_headcount.facts import AlreadyHired, Approval, Candidate, Facts, RaiseRequest
from generator.families.hire_against_headcount.rules import conditions
from generator.families.staff import employer_name
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_approval_file(tenant, facts), _register(tenant, facts), _wages(tenant, facts))


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    earlier = facts.earlier
    subject = f"Headcount approval {earlier.number}"
    text = _approval_text(tenant, earlier)
    note = "Here is the headcount I planned the interviews with."
    messages = [
        message(tenant, facts.earlier_mail, subject, text),
        *(_already_hired(tenant, facts, hired) for hired in facts.already_hired),
        message(tenant, facts.forward, f"Fwd: {subject}", (note, *text)),
    ]
    if facts.raise_request is not None:
        messages.append(_raise_request(tenant, facts, facts.raise_request))
    return tuple(messages)


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    return ()


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def _job(tenant: Tenant, code: str) -> str:
    return next(lookup.meaning for lookup in tenant.profile.lookups if (lookup.kind, lookup.code) == ("job", code))


def _approval_file(tenant: Tenant, facts: Facts) -> Document:
    profile, approval = tenant.profile, facts.approval
    manager, lead = profile.person("plant_manager"), profile.person("operations_lead")
    signed = "not signed" if approval.countersigned is None else office.day(profile, approval.countersigned)
    blocks = (
        Pairs(
            (
                ("Approval", approval.number),
                ("Issue", f"{approval.issue} of {office.day(profile, approval.issued)}"),
                ("Takes the place of", f"{facts.earlier.number} of {office.day(profile, facts.earlier.issued)}"),
                ("Valid", f"{office.day(profile, approval.valid_from)} to {office.day(profile, approval.valid_to)}"),
            )
        ),
        Heading("Approved heads"),
        _heads(tenant, approval),
        Heading("Grades and terms"),
        _grades(tenant, facts),
        Heading("Conditions"),
        Bullets(conditions(tenant, facts), numbered=True),
        Heading("Signatures"),
        Pairs(
            (
                (f"{manager.name}, {manager.title}", office.day(profile, approval.issued)),
                (f"{lead.name}, {lead.title}", signed),
            )
        ),
        Paragraph("Questions go to the recruiting coordinator."),
    )
    return Document(
        id=approval.source,
        name="20-headcount-approval.pdf",
        body=Form((profile.company, profile.site), f"Headcount approval {approval.number}", blocks),
        description=f"Approved heads per job and the conditions of hiring, {approval.number}",
        author=manager.name,
        owner=manager.email,
        modified=office.filed_in_force(profile),
    )


def _heads(tenant: Tenant, approval: Approval) -> Table:
    released = approval.has_released_lines
    columns = (
        Column("Job"),
        Column("Name of the job"),
        Column("Legal employer"),
        Column("Heads", "integer"),
        *((Column("Released to", "date"),) if released else ()),
    )
    return Table(
        columns,
        tuple(
            (
                line.job,
                _job(tenant, line.job),
                employer_name(tenant.profile, line.employer),
                line.headcount,
                *((line.released_to,) if released else ()),
            )
            for line in approval.jobs
        ),
    )


def _grades(tenant: Tenant, facts: Facts) -> Table:
    columns = (
        Column("Job"),
        Column("Grade"),
        Column("From full years of experience", "integer"),
        Column("Contract term in months", "integer"),
    )
    return Table(
        columns, tuple((grade.job, grade.grade, grade.from_years, grade.term_months) for grade in facts.grades)
    )


def _register(tenant: Tenant, facts: Facts) -> Document:
    recruiter = tenant.profile.person("recruiter")
    columns = (
        Column("Candidate", width=14),
        Column("Name", width=20),
        Column("Person number", width=14),
        Column("Job", width=11),
        Column("Legal employer", width=30),
        Column("Shortlist", "integer", 9),
        Column("Score", "integer", 7),
        Column("Applied", "date", 12),
        Column("Agency temp on site", "flag", 12),
        Column("Experience since", "date", 13),
        Column("Certificate valid to", "date", 13),
        Column("References checked", "flag", 12),
        Column("Permit valid to", "date", 13),
        Column("Stage", width=11),
        Column("Wage discussed", "money", 12),
        Column("Months discussed", "integer", 11),
    )
    notes = (
        "Certificate means the one that the approval names for the job; an empty cell means that there is none.",
        "An empty permit cell means that the candidate needs no permit.",
        "Person numbers are reserved per candidate for a hire; they are in no use otherwise.",
        "Shortlist is the order of the interviews. Wage and months are what was spoken of there.",
    )
    sheets = (
        Sheet("Candidates", Table(columns, tuple(_candidate(tenant, one) for one in facts.candidates))),
        Sheet("Notes", Table((Column("Note", width=90),), tuple((note,) for note in notes))),
    )
    return Document(
        id=facts.register_source,
        name="21-candidate-register.xlsx",
        body=Spreadsheet(sheets),
        description="Candidates with scores, papers and reserved person numbers",
        author=recruiter.name,
        owner=recruiter.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _candidate(tenant: Tenant, one: Candidate) -> tuple[Cell, ...]:
    return (
        one.id,
        one.name,
        one.person_number,
        one.job,
        employer_name(tenant.profile, one.employer),
        one.shortlist,
        one.score,
        one.applied,
        one.temp_on_site,
        one.experience_since,
        one.certificate_until,
        one.references_checked,
        one.permit_until,
        one.stage,
        one.wage_discussed,
        one.months_discussed,
    )


def _wages(tenant: Tenant, facts: Facts) -> Document:
    manager = tenant.profile.person("plant_manager")
    job = {grade.grade: grade.job for grade in facts.grades}
    columns = (
        Column("job"),
        Column("grade"),
        Column("valid_from", "date"),
        Column("valid_to", "date"),
        Column("monthly_wage", "money"),
    )
    rows = tuple((job[wage.grade], wage.grade, wage.valid_from, wage.valid_to, wage.monthly) for wage in facts.wages)
    return Document(
        id=facts.wages_source,
        name="22-wage-table.csv",
        body=Csv(Table(columns, rows)),
        description=f"Monthly wages per grade in {tenant.profile.currency}, with the dates they are valid",
        author=manager.name,
        owner=manager.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _approval_text(tenant: Tenant, approval: Approval) -> tuple[str, ...]:
    heads = mail_table(
        ("Job", "Legal employer", "Heads"),
        [(line.job, employer_name(tenant.profile, line.employer), line.headcount) for line in approval.jobs],
    )
    return (
        f"Headcount approval {approval.number}, issue {approval.issue} of {approval.issued.isoformat()}, valid from"
        f" {approval.valid_from.isoformat()} to {approval.valid_to.isoformat()}.",
        heads,
    )


def _raise_request(tenant: Tenant, facts: Facts, request: RaiseRequest) -> MailMessage:
    employer = employer_name(tenant.profile, request.employer)
    given = facts.approval.line(request.job, request.employer).headcount
    if request.headcount > given:
        subject, opening = f"More heads for {request.job}", "I have asked for"
    else:
        subject, opening = f"Fewer heads for {request.job}", "I have been told to plan with"
    text = (
        f"{opening} {request.headcount} heads in {request.job} at {employer} instead of what {facts.approval.number}"
        " gives us. The form lies with both of them and is not signed yet.",
    )
    return message(tenant, request.mail, subject, text)


def _already_hired(tenant: Tenant, facts: Facts, hired: AlreadyHired) -> MailMessage:
    candidate = facts.candidate(hired.candidate)
    text = (
        f"{candidate.name} ({candidate.id}) started with us on {hired.started.isoformat()}. As a former worker the old"
        f" person number {hired.person_number} was taken up again, so the one reserved for {candidate.id} is not"
        " needed. I have not come round to striking the row from the register.",
    )
    return message(tenant, hired.mail, f"Start of {candidate.name}", text)
