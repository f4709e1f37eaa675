"""Files 14 and 15 and the family's mail: the earlier checklist, a late forward of it, renewals that came in."""

from generator.evidence.model import Cell, Column, Csv, Document, Sheet, Spreadsheet, Table
from generator.families import office
from generator.families.base import LogEvents, MailMessage
from generator.families.correspondence import mail_table, message
from generator.families.document_compliance.facts import Checklist, Facts, Renewal
from generator.families.document_compliance.rules import rules
from generator.families.staff import employer_name, worker_named
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_checklist_file(tenant, facts), _alert_log(tenant, facts))


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    renewals = tuple(_renewal(tenant, facts, renewal) for renewal in facts.renewals)
    return (_earlier(tenant, facts), *renewals, *_releases(tenant, facts), _forward(tenant, facts))


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    return ()


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def _checklist_file(tenant: Tenant, facts: Facts) -> Document:
    officer = tenant.profile.person("compliance_officer")
    checklist = facts.checklist
    sheets = (
        Sheet("Checklist", _entries(tenant, facts)),
        Sheet("Windows", _windows(checklist)),
        Sheet("Papers received", _papers(checklist)),
        Sheet("Rules", rules(tenant, facts)),
    )
    return Document(
        id=checklist.source,
        name="14-compliance-checklist.xlsx",
        body=Spreadsheet(sheets),
        description=f"Worker papers and mandatory checks under review, checklist {checklist.number}",
        author=officer.name,
        owner=officer.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _entries(tenant: Tenant, facts: Facts) -> Table:
    columns = (
        Column("Record", "integer", 9),
        Column("Person number", width=14),
        Column("Worker", width=22),
        Column("Legal employer", width=32),
        Column("Paper or check", width=26),
        Column("Number", width=16),
        Column("Expires", "date", 12),
        Column("Clerk's mark", width=13),
    )
    rows: list[tuple[Cell, ...]] = []
    for document in facts.documents:
        entry = (document.document_type, document.document_number, document.expires, document.mark)
        rows.append((*_holder(tenant, facts, document.id, document.person_number), *entry))
    for check in facts.checks:
        rows.append((*_holder(tenant, facts, check.id, check.person_number), check.check_type, None, None, check.mark))
    return Table(columns, tuple(rows))


def _holder(tenant: Tenant, facts: Facts, record: int, person_number: str) -> tuple[Cell, ...]:
    worker = worker_named(facts.workers, person_number)
    return (record, person_number, worker.name, employer_name(tenant.profile, worker.employer))


def _windows(checklist: Checklist) -> Table:
    columns = (Column("Paper", width=26), Column("Window in days", "integer", 15), Column("Expired blocks", "flag", 15))
    return Table(columns, tuple((kind.document_type, kind.window_days, kind.mandatory) for kind in checklist.kinds))


def _papers(checklist: Checklist) -> Table:
    columns = (
        Column("Received", "date", 12),
        Column("Check", width=22),
        Column("Person number", width=14),
        Column("Name on paper", width=22),
        Column("Reference", width=18),
        Column("Valid until", "date", 12),
    )
    rows = tuple(
        (
            paper.received,
            paper.check_type,
            paper.person_number,
            paper.name_on_paper,
            paper.reference,
            paper.valid_until,
        )
        for paper in checklist.papers
    )
    return Table(columns, rows)


def _alert_log(tenant: Tenant, facts: Facts) -> Document:
    columns = (
        Column("alerted_on", "date"),
        Column("record", "integer"),
        Column("person_number"),
        Column("paper"),
        Column("expiry_alerted", "date"),
    )
    rows = []
    for alert in facts.alerts:
        document = facts.document(alert.record)
        rows.append((alert.sent, alert.record, document.person_number, document.document_type, alert.expiry))
    officer = tenant.profile.person("compliance_officer")
    return Document(
        id=facts.alert_log,
        name="15-document-alert-log.csv",
        body=Csv(Table(columns, tuple(rows))),
        description="Expiry alerts sent to workers and supervisors",
        author=officer.name,
        owner=officer.email,
        modified=office.filed_in_force(tenant.profile),
    )


def _checklist_text(facts: Facts, checklist: Checklist) -> tuple[str, ...]:
    windows = mail_table(
        ("Paper", "Window in days", "Expired blocks"),
        [(kind.document_type, kind.window_days, "yes" if kind.mandatory else "no") for kind in checklist.kinds],
    )
    papers = mail_table(
        ("Received", "Check", "Person number", "Name on paper", "Reference"),
        [
            (paper.received.isoformat(), paper.check_type, paper.person_number, paper.name_on_paper, paper.reference)
            for paper in checklist.papers
        ],
    )
    blocking = ", ".join(checklist.blocking_checks)
    return (
        f"Compliance checklist {checklist.number}, issued {checklist.issued.isoformat()}.",
        windows,
        f"Open checks that block a worker: {blocking}.",
        f"Papers received for open checks:\n{papers}" if checklist.papers else "No papers came in for open checks.",
    )


def _earlier(tenant: Tenant, facts: Facts) -> MailMessage:
    subject = f"Compliance checklist {facts.earlier.number}"
    return message(tenant, facts.earlier_mail, subject, _checklist_text(facts, facts.earlier))


def _forward(tenant: Tenant, facts: Facts) -> MailMessage:
    """The earlier checklist again, from somebody who may not issue one: the newest mail is not the one in force."""
    opening = "This is the checklist I have been working from, in case it is of use for the review."
    text = _checklist_text(facts, facts.earlier)
    return message(tenant, facts.forward, f"Fwd: Compliance checklist {facts.earlier.number}", (opening, *text))


def _releases(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    if facts.release_mail is None:
        return ()
    sentences = []
    for release in facts.releases:
        name = employer_name(tenant.profile, release.employer)
        if release.given is None:
            sentences.append(
                f"Release {release.reference} for {name} is not given yet. I am still checking its list against the"
                " originals and shall write again when I am through."
            )
        else:
            sentences.append(f"Release {release.reference} for {name} is given as of {release.given.isoformat()}.")
    subject = f"Checklist {facts.checklist.number}: releases"
    return (message(tenant, facts.release_mail, subject, sentences),)


def _renewal(tenant: Tenant, facts: Facts, renewal: Renewal) -> MailMessage:
    document = facts.document(renewal.record)
    worker = worker_named(facts.workers, document.person_number)
    paper = document.document_type.lower()
    text = (
        f"{worker.name} ({worker.person_number}) handed in the renewed {paper} today. It is number"
        f" {renewal.new_number}, valid to {renewal.new_expiry.isoformat()}, and takes the place of"
        f" {document.document_number}. The paper is in the file; the records desk will key it in with the next run."
    )
    return message(tenant, renewal.mail, f"Renewed {paper}: {worker.name}", (text,))
