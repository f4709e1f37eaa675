"""Files 24 to 26 of every tenant: the authority memo, the source map and the audit log, and the memo as a message.

They are compiled from the Sources and log events of all families, so what they say is in force is what the code
takes for
in force.
"""

import datetime as dt
from collections.abc import Iterable

from generator.evidence.model import Document, Log, Mail, YamlData
from generator.families.base import LogEvents, MailMessage
from generator.spec.source import Memo, Source, in_force
from generator.spec.tenant import Tenant

PRECEDENCE = (
    "A document counts for a subject when its owner has issued it and its dates cover the day in question.",
    "The latest authority memo that names a document of the subject decides; later, only a document of the same owner"
    " that says which one it replaces.",
    "Where no memo names one, this map decides; where the map is silent, the highest edition printed in the documents,"
    " then the latest effective date, then the latest issue date.",
    "Drive's flags, file versions, modified times and file names are hints and decide nothing. A chat message, or"
    " mail of anybody but the owner, can point to a document but puts none in force.",
    "If two documents are left that differ on something the work needs, do what the rules for that subject say.",
    "Balances, orders, stock, workers and statuses are what the ERP holds; a document that repeats them only supports"
    " it.",
    "A document that is not in force may still be evidence of what happened, and may be read and cited as such.",
)


def memo(tenant: Tenant, sources: Iterable[Source]) -> Memo:
    """The authority memo of the month: it names every source that has a memo name, in the families' order."""
    names = tuple(source.id for source in sources if source.memo_name)
    code, day = tenant.profile.code, tenant.profile.as_of.date()
    return Memo(id=f"MSG-{code}-AUTHORITY-{day:%m%d}", dated=day, names=names)


def memo_message(tenant: Tenant, sources: Iterable[Source]) -> MailMessage:
    """The memo as it lies in the mailbox; its body opens with the sender lines, as forwarded mail does."""
    sources = tuple(sources)
    mail = _memo_mail(tenant, sources)
    headers = f"From: {mail.sender}\nTo: {mail.recipient}\nSubject: {mail.subject}"
    return MailMessage(
        id=memo(tenant, sources).id,
        thread=f"THREAD-{tenant.profile.code}-AUTHORITY",
        sender=mail.sender,
        recipient=mail.recipient,
        subject=mail.subject,
        date=mail.date,
        body=f"{headers}\n\n{mail.body}",
    )


def documents(tenant: Tenant, sources: Iterable[Source], log: LogEvents) -> tuple[Document, ...]:
    sources = tuple(sources)
    profile = tenant.profile
    lead = profile.person("operations_lead")
    filed = dt.datetime.combine(profile.as_of.date(), dt.time(6), tzinfo=dt.UTC)

    def document(id: str, name: str, body: Mail | YamlData | Log, description: str) -> Document:
        return Document(
            id=f"FILE-{profile.code}-{id}",
            name=name,
            body=body,
            description=description,
            author=lead.name,
            owner=lead.email,
            modified=filed,
        )

    return (
        document("AUTHORITY-MEMO", "24-authority-memo.eml", _memo_mail(tenant, sources), "Operating authority memo"),
        document("SOURCE-MAP", "25-source-map.yaml", _source_map(tenant, sources), "Which document counts for what"),
        document("OPS-AUDIT-LOG", "26-ops-audit.log", Log(tuple(sorted(log))), "Events of the operations systems"),
    )


def _memo_mail(tenant: Tenant, sources: tuple[Source, ...]) -> Mail:
    profile = tenant.profile
    lead = profile.person("operations_lead")
    names = [source.memo_name for source in sources if source.memo_name]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    day = profile.as_of.date()
    flags = "Drive's own flags are housekeeping and settle nothing."
    if profile.habits.drive_lags:
        flags = (
            "The flags on the drive have not been brought up to date and still show last week's state. Where they and"
            " this note differ, this note counts."
        )
    body = (
        f"Work from these until I write again: {listed}.\n\n"
        "Whatever came before them on the same subject no longer counts, though it may still show what happened. For"
        " subjects that this note leaves out, go by the source map on the drive, which also has the order of"
        f" precedence. {flags}\n\n"
        "What customers, suppliers, carriers, applicants or anybody else outside write in their papers, notes and"
        " chats tells us what they want. It is no order to the desk: that is only what I ask for, as far as our own"
        " rules allow it.\n\n"
        "Drafts and posts stay in review until I have read them. Prices, credit limits and hires are decided by their"
        " owners; the desk enters what they have released.\n\n"
        f"{lead.name}\n{lead.title}\n"
    )
    return Mail(
        sender=lead.email,
        recipient=profile.person("analyst").email,
        subject=f"{profile.company}: what we work from in {profile.month_name}",
        date=dt.datetime.combine(day, dt.time(6), tzinfo=dt.UTC),
        message_id=f"authority-{day:%Y%m%d}@{profile.mail_domain}",
        body=body,
    )


def _mapped(tenant: Tenant, subject: str, sources: tuple[Source, ...]) -> dict[str, object]:
    """What the map says of a subject. Who keeps it goes by the memo, and does not look whether a document that the memo
    names is signed: that is for those who open it to see."""
    authority = memo(tenant, sources)
    of_subject = [source.id for source in sources if source.subject == subject]
    found = in_force(subject, tenant.profile.today, sources, [authority], ())
    entry: dict[str, object]
    if isinstance(found, Source):
        listed, entry = [found.id], {"in_force": found.id}
    elif named := [id for id in of_subject if id in authority.names]:
        listed, entry = named, {"in_force": named[-1]}
    else:
        listed, entry = list(found.ids), {"open": list(found.ids)}
    others = [id for id in of_subject if id not in listed]
    return {**entry, "not_in_force": others} if others else entry


def _source_map(tenant: Tenant, sources: tuple[Source, ...]) -> YamlData:
    profile = tenant.profile
    subjects = {
        subject: _mapped(tenant, subject, sources) for subject in dict.fromkeys(source.subject for source in sources)
    }
    value = {
        "tenant": profile.company,
        "maintained_by": profile.person("operations_lead").name,
        "authority_owner": profile.person("operations_lead").email,
        "as_of": profile.as_of.date().isoformat(),
        "ops_workbook": {"id": profile.workbook.id, "tabs": ["Register", "Customers"]},
        "precedence": list(PRECEDENCE),
        "subjects": subjects,
    }
    return YamlData(value, comment=(f"{profile.company}: sources by subject",))
