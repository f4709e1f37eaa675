"""Files 11 to 13, the decoy's papers, the supplier's notice, an earlier policy edition and the purchasing channel."""

from decimal import Decimal

from generator.evidence.model import Block, Column, Document, Form, Heading, Pairs, Paragraph, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.office import day, filed_in_force, in_words, listing, money, number
from generator.families.office import mail as write_mail
from generator.families.purchasing import supplier
from generator.families.receiving_ap_match.facts import (
    BilledLine,
    DeliveryReport,
    Facts,
    ManualEntries,
    Match,
    MatchPolicy,
    SupplierInvoice,
)
from generator.families.receiving_ap_match.policy import policy_mail, policy_text
from generator.spec.money import line_amount, total
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (
        _invoice_file(tenant, facts.task),
        _note_file(tenant, facts, facts.task, facts.task.report(facts.task.delivery)),
        _policy_file(tenant, facts, facts.policy),
    )


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    messages = []
    for match in (facts.task, facts.decoy):
        for report in match.deliveries:
            if report.medium == "mail":
                write = _announcement if report.kind == "announcement" else _note_mail
                messages.append(write(tenant, match, report))
        messages.extend(
            _invoice_mail(tenant, match, invoice)
            for invoice in (match.invoice, match.corrected)
            if invoice is not None and invoice.medium == "mail"
        )
    messages.extend(_policy_mail(tenant, facts, entry) for entry in facts.policies if entry.medium == "mail")
    if facts.manual_entries:
        messages.append(_manual_mail(tenant, facts.manual_entries))
    return tuple(messages)


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    profile = tenant.profile
    report = facts.task.report(facts.task.delivery)
    damaged = sum(line.damaged for line in report.lines)
    pieces = "1 piece is" if damaged == 1 else f"{damaged} pieces are"
    apart = f"{pieces} set aside as damaged, the note says which; the driver signed for them."
    found = apart if damaged else "Nothing was damaged."
    return (
        ChatMessage(
            at=facts.chat_at,
            channel=f"#purchasing-{profile.code.lower()}",
            author=profile.person("warehouse_lead").name,
            thread=facts.chat_thread,
            text=f"The load under {report.number} is checked. {found} Nothing is booked yet.",
        ),
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    report = facts.task.report(facts.task.delivery)
    text = f"delivery note {report.number} taken in at {tenant.profile.site}"
    return ((report.issued, tenant.profile.code, text),)


def invoice_total(invoice: SupplierInvoice) -> Decimal:
    return total((line.quantity, line.unit_price) for line in invoice.lines)


def _described(match: Match, line: BilledLine) -> tuple[str, str]:
    """Code and description of a billed line; a charge has no code."""
    if line.order_line is None:
        return "", line.description or ""
    ordered = match.order.line(line.order_line)
    return ordered.item, line.description or ordered.description or ""


def _invoice_file(tenant: Tenant, match: Match) -> Document:
    profile = tenant.profile
    invoice = match.invoice
    vendor = supplier(profile, match.order.supplier)
    packed = any(line.content > 1 for line in invoice.lines)
    columns = (
        Column("Pos", "integer"),
        Column("Your order line", "integer"),
        Column("Code"),
        Column("Description"),
        *((Column("Unit"), Column("Content", "integer")) if packed else ()),
        Column("Quantity", "integer"),
        Column("Unit price", "money"),
        Column("Amount", "money"),
    )
    rows = tuple(
        (
            position,
            line.order_line,
            *_described(match, line),
            *((line.unit or "piece", line.content) if packed else ()),
            line.quantity,
            line.unit_price,
            line_amount(line.quantity, line.unit_price),
        )
        for position, line in enumerate(invoice.lines, 1)
    )
    blocks: tuple[Block, ...] = (
        Pairs(
            (
                ("Invoice", invoice.number),
                ("Invoice date", day(profile, invoice.dated)),
                ("Supplier", f"{vendor.name}, your supplier {vendor.number}"),
                ("Bill to", profile.company),
                ("Your order", match.order.number),
                ("Delivery note", match.report(match.delivery).number),
                ("Terms", vendor.payment_terms),
            )
        ),
        Table(columns, rows),
        Paragraph(f"Invoice amount: {money(profile, invoice_total(invoice))}. Not subject to sales tax."),
    )
    return Document(
        id=invoice.source,
        name="11-supplier-invoice.pdf",
        body=Form((vendor.name, match.contact.email), "Invoice", blocks),
        description=f"Invoice {invoice.number} of {vendor.name} for {match.order.number}",
        author=match.contact.name,
        owner=profile.person("payables_supervisor").email,
        modified=filed_in_force(profile),
    )


def _note_file(tenant: Tenant, facts: Facts, match: Match, report: DeliveryReport) -> Document:
    profile = tenant.profile
    lead = profile.person("warehouse_lead")
    vendor = supplier(profile, match.order.supplier)
    columns = (
        Column("Order line", "integer"),
        Column("Code"),
        Column("Description"),
        Column("Shipped", "integer"),
        Column("Counted", "integer"),
        Column("Damaged", "integer"),
        Column("Accepted", "integer"),
        Column("Remark"),
    )
    rows = tuple(
        (
            line.order_line,
            match.order.line(line.order_line).item,
            match.order.line(line.order_line).description,
            line.shipped,
            line.counted,
            line.damaged,
            line.accepted,
            line.remark,
        )
        for line in report.lines
    )
    blocks: tuple[Block, ...] = (
        Pairs(
            (
                ("Delivery note", report.number),
                ("Delivered on", day(profile, report.issued.date())),
                ("Supplier", vendor.name),
                ("Order", match.order.number),
                ("Delivered to", f"{profile.site} ({facts.organization})"),
            )
        ),
        Table(columns, rows),
        Heading("Check at the dock"),
        Paragraph(
            f"Counted and looked over by {report.checked_by}. Accepted is counted less damaged; damaged pieces stay"
            " at the dock for the supplier."
        ),
    )
    return Document(
        id=report.source,
        name="12-delivery-note.pdf",
        body=Form((vendor.name, match.contact.email), "Delivery note", blocks),
        description=f"Delivery note {report.number} of {report.issued.date().isoformat()} for {match.order.number}",
        author=report.checked_by or lead.name,
        owner=lead.email,
        modified=filed_in_force(profile),
    )


def _announcement(tenant: Tenant, match: Match, report: DeliveryReport) -> MailMessage:
    vendor = supplier(tenant.profile, match.order.supplier)
    entries = [
        f"order line {line.order_line}, {match.order.line(line.order_line).item}: {line.shipped}"
        for line in report.lines
    ]
    return write_mail(
        report.source,
        match.contact.email,
        tenant.profile.person("analyst").email,
        f"Shipping notice for {match.order.number}",
        report.issued,
        [
            f"Under {report.number} we send you against {match.order.number}:",
            listing(entries),
            "The note that travels with the load is made out when it leaves and takes the place of this notice.",
        ],
        [match.contact.name, f"{match.contact.title}, {vendor.name}"],
    )


def _note_mail(tenant: Tenant, match: Match, report: DeliveryReport) -> MailMessage:
    lead = tenant.profile.person("warehouse_lead")
    vendor = supplier(tenant.profile, match.order.supplier)
    entries = [
        f"order line {line.order_line}, {match.order.line(line.order_line).item}: shipped {line.shipped}, counted"
        f" {line.counted}, damaged {line.damaged}, accepted {line.accepted}"
        for line in report.lines
    ]
    return write_mail(
        report.source,
        lead.email,
        tenant.profile.person("analyst").email,
        f"Delivery note {report.number}",
        report.issued,
        [
            f"{vendor.name} delivered {report.number} against {match.order.number} on"
            f" {report.issued.date().isoformat()}, checked by {report.checked_by}:",
            listing(entries),
        ],
        [lead.name, lead.title],
    )


def _invoice_mail(tenant: Tenant, match: Match, invoice: SupplierInvoice) -> MailMessage:
    profile = tenant.profile
    vendor = supplier(profile, match.order.supplier)
    entries = []
    for line in invoice.lines:
        code, description = _described(match, line)
        what = f"order line {line.order_line}, {code}, {description}" if line.order_line else description
        unit = f" {line.unit}s of {line.content}" if line.content > 1 else ""
        entries.append(
            f"{what}: {line.quantity}{unit} at {number(profile, line.unit_price)},"
            f" {number(profile, line_amount(line.quantity, line.unit_price))}"
        )
    corrected = invoice is match.corrected
    head = "Corrected invoice" if corrected else "Invoice"
    instead = " It takes the place of what we sent first; number and date stay as they were." if corrected else ""
    return write_mail(
        invoice.source,
        match.contact.email,
        profile.person("analyst").email,
        f"{head} {invoice.number}",
        invoice.received,
        [
            f"{vendor.name}, your supplier {vendor.number}: {head.lower()} {invoice.number} of"
            f" {invoice.dated.isoformat()} for {match.order.number}, delivered under"
            f" {match.report(match.delivery).number}.{instead}",
            listing(entries),
            f"Invoice amount {money(profile, invoice_total(invoice))}, terms {vendor.payment_terms}.",
        ],
        [match.contact.name, f"{match.contact.title}, {vendor.name}"],
    )


def _manual_mail(tenant: Tenant, listed: ManualEntries) -> MailMessage:
    profile = tenant.profile
    supervisor = profile.person("payables_supervisor")
    entries = [
        f"InvoiceId {entry.id}, {supplier(profile, entry.supplier).name}, typed {entry.number}, dated"
        f" {entry.dated.isoformat()}, {money(profile, entry.amount)}, entered {entry.created.date().isoformat()}"
        for entry in listed.entries
    ]
    return write_mail(
        listed.source,
        supervisor.email,
        profile.person("analyst").email,
        "Invoices keyed without an order",
        listed.listed,
        [
            "These were keyed from paper copies, without their orders and with the number as somebody read it. None is"
            " validated or paid. I am sorting out with each supplier which of them stay.",
            listing(entries),
        ],
        [supervisor.name, supervisor.title],
    )


def _policy_file(tenant: Tenant, facts: Facts, policy: MatchPolicy) -> Document:
    supervisor = tenant.profile.person("payables_supervisor")
    holds = policy.holds
    return Document(
        id=policy.source,
        name=f"13-ap-match-policy.{tenant.profile.habits.policies}",
        body=policy_text(tenant, facts, policy),
        description="Invoice match policy: receiving, tolerance, holds "
        + in_words((holds.price, holds.quantity, holds.not_on_order)),
        author=supervisor.name,
        owner=supervisor.email,
        modified=filed_in_force(tenant.profile),
    )


def _policy_mail(tenant: Tenant, facts: Facts, policy: MatchPolicy) -> MailMessage:
    supervisor = tenant.profile.person("payables_supervisor")
    return write_mail(
        policy.source,
        supervisor.email,
        tenant.profile.person("analyst").email,
        f"Invoice match policy, edition {policy.edition}",
        policy.issued,
        policy_mail(tenant, facts, policy),
        [supervisor.name, supervisor.title],
    )
