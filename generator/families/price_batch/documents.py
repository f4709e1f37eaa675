"""File 23 and the family's mail: pricing policies, the earlier batch and its forward, release and correction."""

from decimal import Decimal

from generator.evidence.model import Column, Csv, Document, Table
from generator.families import office
from generator.families.base import LogEvents, MailMessage
from generator.families.correspondence import mail_table, message
from generator.families.price_batch.facts import Batch, BatchLine, Facts, Release
from generator.families.price_batch.policy import policy_text
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    manager = tenant.profile.person("pricing_manager")
    batch = facts.batch
    columns = (
        Column("batch"),
        Column("version", "integer"),
        Column("line", "integer"),
        Column("organization"),
        Column("item"),
        Column("price_per"),
        *(Column(name, "money") for name in _figures(batch)),
        *([Column("currency")] if batch.currency else []),
        Column("effective_from", "date"),
    )
    rows = tuple(
        (
            *(batch.number, batch.version, line.line, line.organization, line.item, line.uom),
            *(_figure(line, name) for name in _figures(batch)),
            *([batch.currency] if batch.currency else []),
            line.effective,
        )
        for line in batch.lines
    )
    return (
        Document(
            id=batch.source,
            name="23-price-batch.csv",
            body=Csv(Table(columns, rows)),
            description=f"Price batch {batch.number}, version {batch.version}",
            author=manager.name,
            owner=manager.email,
            modified=office.filed_in_force(tenant.profile),
        ),
    )


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    """In the order they were sent."""
    earlier = facts.earlier
    subject = f"Price batch {earlier.number}, version {earlier.version}"
    text = _batch_text(earlier)
    note = "The prices I was told to expect; please enter them so that the web shop can follow."
    messages = [
        *(
            message(tenant, policy.mail, f"Pricing policy {policy.name}", policy_text(tenant, facts, policy))
            for policy in (facts.earlier_policy, facts.policy)
        ),
        message(tenant, facts.earlier_mail, subject, text),
        message(tenant, facts.forward, f"Fwd: {subject}", (note, *text)),
        *_releases(tenant, facts),
    ]
    if facts.correction is not None:
        lines = office.in_words([str(line) for line in facts.correction.withdrawn])
        one = len(facts.correction.withdrawn) == 1
        correction = (
            f"In {facts.batch.number}, version {facts.batch.version}, I take back {'line' if one else 'lines'} {lines}:"
            f" {facts.correction.reason}. The file on the drive stays as it is; treat what I take back as not written."
        )
        messages.append(message(tenant, facts.correction.mail, f"Correction of {facts.batch.number}", (correction,)))
    return tuple(sorted(messages, key=lambda sent: sent.date))


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    return ()


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def _figures(batch: Batch) -> tuple[str, ...]:
    """The columns in which the batch has its figures."""
    changes = any(line.change is not None for line in batch.lines)
    prices = any(line.price is not None for line in batch.lines)
    return (*(["new_price"] if prices else []), *(["change_pct"] if changes else []))


def _figure(line: BatchLine, column: str) -> Decimal | None:
    return line.price if column == "new_price" else line.change


def _batch_text(batch: Batch) -> tuple[str, ...]:
    headings = {"new_price": "New price", "change_pct": "Change in percent"}
    currency = [batch.currency] if batch.currency else []
    table = mail_table(
        (
            *("Line", "Organization", "Item", "Price per"),
            *(headings[name] for name in _figures(batch)),
            *(["Currency"] if currency else []),
            "Effective from",
        ),
        [
            (
                *(line.line, line.organization, line.item, line.uom),
                *(_shown(_figure(line, name)) for name in _figures(batch)),
                *currency,
                line.effective.isoformat(),
            )
            for line in batch.lines
        ],
    )
    return (f"Price batch {batch.number}, version {batch.version} of {batch.issued.isoformat()}.", table)


def _shown(figure: Decimal | None) -> str:
    return "" if figure is None else str(figure)


def _releases(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    """One release for the whole batch, or one for each organization."""
    if facts.decoy_release is None:
        return (_release(tenant, facts, facts.release, ""),)
    return (
        _release(tenant, facts, facts.release, facts.organization),
        _release(tenant, facts, facts.decoy_release, facts.decoy_organization),
    )


def _release(tenant: Tenant, facts: Facts, release: Release, organization: str) -> MailMessage:
    number = facts.batch.number
    whose = f" in {organization}" if organization else ""
    text = (
        f"Released for entry{whose}: {number}, version {release.version}. Versions before it lapse. What the pricing"
        " policy does not let through stays out."
    )
    return message(tenant, release.mail, f"Release of {number}{whose and f' for {organization}'}", (text,))
