"""The evidence room and the office of one task: 28 files, the mailbox, the channels, and the request in its words."""

import dataclasses
from functools import cache
from pathlib import Path

import jinja2

from generator.evidence.model import Document, JsonData, Paragraph, Rendered, Style, Text
from generator.evidence.render import render
from generator.families import FAMILIES, family
from generator.families.base import MailMessage, Rows
from generator.spec.case import Case
from generator.spec.errors import EvidenceError
from generator.spec.tenant import ChatMessage, Tenant
from generator.tasks.remarks import with_remarks
from generator.tasks.strangers import wishes
from generator.tenants import documents as tenant_documents

TEMPLATES = Path(__file__).parents[2] / "templates"
FILES_PER_TASK = 28


def request_id(case: Case) -> str:
    return f"MSG-{case.task_id}-REQUEST"


def brief_id(case: Case) -> str:
    return f"FILE-{case.task_id}-BRIEF"


def memo_id(case: Case) -> str:
    return tenant_documents.memo(case.tenant, case.sources).id


def source_map_id(case: Case) -> str:
    return f"FILE-{case.tenant.profile.code}-SOURCE-MAP"


def memo_file_id(case: Case) -> str:
    return f"FILE-{case.tenant.profile.code}-AUTHORITY-MEMO"


def build_request(case: Case) -> str:
    """The request in the words of the employee who asks, from the tenant's own template."""
    name = f"prompts/{case.tenant.profile.slug}/{case.family}.md"
    of_family = family(case.family)
    if of_family.task is None:
        raise EvidenceError(f"{case.task_id}: {case.family} has no tasks")
    variables = {"profile": case.tenant.profile, "title": of_family.title, **of_family.task.prompt(case)}
    return _templates().get_template(name).render(variables)


def build_instruction(case: Case) -> str:
    """What the agent is given: the request, the task id and how the systems are reached."""
    return _templates().get_template("instruction.md.j2").render(request=build_request(case), task_id=case.task_id)


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )


def style(tenant: Tenant) -> Style:
    habits = tenant.profile.habits
    return Style(
        dates=habits.dates,
        decimal_comma=habits.decimal_comma,
        csv_delimiter=habits.csv_delimiter,
        paper=habits.paper,
    )


def tenant_files(tenant: Tenant) -> tuple[Rendered, ...]:
    """Files 01 to 26, in the order of their names, strangers' remarks among them."""
    documents = [d for f in FAMILIES for d in f.documents(tenant, tenant.facts[f.id])]
    sources = [s for f in FAMILIES for s in f.sources(tenant, tenant.facts[f.id])]
    log = tuple(event for f in FAMILIES for event in f.log(tenant, tenant.facts[f.id]))
    documents.extend(tenant_documents.documents(tenant, sources, log))
    if tenant.profile.habits.drive_lags:
        documents = [_with_old_flag(document, tenant_documents.memo(tenant, sources).names) for document in documents]
    documents = with_remarks(sorted(documents, key=lambda document: document.name), wishes(tenant))
    return tuple(render(document, style(tenant)) for document in documents)


def _with_old_flag(document: Document, named: tuple[str, ...]) -> Document:
    """The document as the drive shows it before its flags are brought up to date: what the memo names is not current
    yet, and what it took the place of still is."""
    return dataclasses.replace(document, current=document.id not in named)


def task_files(case: Case, rows: Rows) -> tuple[Rendered, ...]:
    """The task brief and the starting snapshot. rows is what the tenant's ERP keeps."""
    profile = case.tenant.profile
    lead = profile.person("operations_lead")

    def document(id: str, name: str, body: Text | JsonData, description: str) -> Document:
        return Document(
            id=id,
            name=name,
            body=body,
            description=description,
            author=lead.name,
            owner=lead.email,
            modified=case.as_of,
        )

    paragraphs = [p.strip() for p in build_request(case).split("\n\n")][1:]
    brief = Text(
        title=f"{profile.company}, {profile.site}: {family(case.family).title}",
        blocks=tuple(Paragraph(p) for p in [f"Task {case.task_id}, asked by {lead.name}.", *paragraphs]),
    )
    counts = {
        table: len(table_rows) for table, table_rows in sorted(rows.items()) if table not in ("sequences", "lookups")
    }
    snapshot = JsonData(
        {
            "task_id": case.task_id,
            "tenant": profile.company,
            "as_of": case.as_of.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "records_at_start": counts,
        }
    )
    made = (
        document(brief_id(case), "task-brief.md", brief, f"The request of {case.task_id}"),
        document(
            f"FILE-{case.task_id}-SNAPSHOT", "starting-snapshot.json", snapshot, f"Record counts before {case.task_id}"
        ),
    )
    return tuple(render(d, style(case.tenant)) for d in made)


def check_files(case: Case, files: tuple[Rendered, ...]) -> None:
    """Raises EvidenceError unless the task has its 28 files with distinct names and ids."""
    names, ids = {f.document.name for f in files}, {f.document.id for f in files}
    if not len(files) == len(names) == len(ids) == FILES_PER_TASK:
        raise EvidenceError(
            f"{case.task_id}: expected {FILES_PER_TASK} files with distinct names and ids, came {len(files)} with"
            f" {len(names)} names and {len(ids)} ids"
        )


def mailbox(case: Case) -> tuple[MailMessage, ...]:
    """The families' mail, the authority memo and the request."""
    tenant = case.tenant
    lead = tenant.profile.person("operations_lead")
    request = MailMessage(
        id=request_id(case),
        thread=f"THREAD-{case.task_id}",
        sender=lead.email,
        recipient=tenant.profile.person("analyst").email,
        subject=f"{case.task_id}: {family(case.family).title}",
        date=case.as_of,
        body=build_request(case),
    )
    messages = [m for f in FAMILIES for m in f.mail(tenant, tenant.facts[f.id])]
    return (*messages, tenant_documents.memo_message(tenant, case.sources), request)


def chat(case: Case) -> tuple[ChatMessage, ...]:
    """The families' and the tenant's messages and the two about the task, in the order of time."""
    tenant = case.tenant
    lead = tenant.profile.person("operations_lead").name
    thread = f"THREAD-{case.task_id}"
    about = (
        ChatMessage(
            at=case.as_of,
            author=lead,
            thread=thread,
            text=(
                f"{case.task_id} is with the desk now. Work from the {tenant.profile.month_name} authority and leave"
                " the handoff in review for me."
            ),
        ),
        ChatMessage(
            at=case.as_of,
            author=lead,
            thread=thread,
            text="What counts for which subject stands in the source map on the drive; ask there before asking here.",
        ),
    )
    messages = [m for f in FAMILIES for m in f.chat(tenant, tenant.facts[f.id])]
    return tuple(sorted([*tenant.profile.chat, *messages, *about], key=lambda m: m.at))


def thread_messages(case: Case) -> tuple[int, ...]:
    """The numbers, as the world's slack_messages count them, of the messages about the task."""
    return tuple(n for n, m in enumerate(chat(case), start=1) if m.thread == f"THREAD-{case.task_id}")
