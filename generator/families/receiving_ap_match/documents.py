"""Files 11 to 13, the decoy's papers, the supplier's notice, an earlier policy edition and the purchasing channel."""

from decimal import Decimal

from generator.evidence.model import Block, Column, Document, Form, Heading, Pairs, Paragraph, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.office import day, filed_in_force, in_words, listing, money, number
from generator.families.office import mail as write_mail
from generator.families.purchasing import supplier
from generator.families.receiving_ap_match.facts import BilledLine, DeliveryReport, Facts, Match, MatchPolicy
from generator.families.receiving_ap_match.policy import policy_mail, policy_text
from generator.spec.money import line_amount
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
        if match.invoice.medium == "mail":
            messages.append(_invoice_mail(tenant, match))
    messages.extend(_policy_mail(tenant, facts, entry) for entry in facts.policies if entry.medium == "mail")
    return tuple(messages)


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    profile = tenant.profile
    report = facts.task.report(facts.task.delivery)
    damaged = sum(line.damaged for line in report.lines)
    return (
        ChatMessage(
            at=facts.chat_at,
            channel=f"#purchasing-{profile.code.lower()}",
            author=profile.person("warehouse_lead").name,
            thread=facts.chat_thread,
            text=(
                f"The load under {report.number} is checked. {damaged} pieces are set aside as damaged, the note says"
                " which; the driver signed for them. Nothing is booked yet."
            ),
        ),
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    report = facts.task.report(facts.task.delivery)
    text = f"delivery note {report.number} taken in at {tenant.profile.site}"
    return ((report.issued, tenant.profile.code, text),)


def invoice_total(match: Match) -> Decimal:
    return sum((line_amount(line.quantity, line.unit_price) for line in match.invoice.lines), Decimal("0.00"))


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
    columns = (
        Column("Pos", "integer"),
        Column("Your order line", "integer"),
        Column("Code"),
        Column("Description"),
        Column("Quantity", "integer"),
        Column("Unit price", "money"),
        Column("Amount", "money"),
    )
    rows = tuple(
        (
            position,
            line.order_line,
            *_described(match, line),
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
        Paragraph(f"Invoice amount: {money(profile, invoice_total(match))}. Not subject to sales tax."),
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


def _invoice_mail(tenant: Tenant, match: Match) -> MailMessage:
    profile = tenant.profile
    invoice = match.invoice
    vendor = supplier(profile, match.order.supplier)
    entries = []
    for line in invoice.lines:
        code, description = _described(match, line)
        what = f"order line {line.order_line}, {code}, {description}" if line.order_line else description
        entries.append(
            f"{what}: {line.quantity} at {number(profile, line.unit_price)},"
            f" {number(profile, line_amount(line.quantity, line.unit_price))}"
        )
    return write_mail(
        invoice.source,
        match.contact.email,
        profile.person("analyst").email,
        f"Invoice {invoice.number}",
        invoice.received,
        [
            f"{vendor.name}, your supplier {vendor.number}: invoice {invoice.number} of {invoice.dated.isoformat()}"
            f" for {match.order.number}, delivered under {match.report(match.delivery).number}.",
            listing(entries),
            f"Invoice amount {money(profile, invoice_total(match))}, terms {vendor.payment_terms}.",
        ],
        [match.contact.name, f"{match.contact.title}, {vendor.name}"],
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
