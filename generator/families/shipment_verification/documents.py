"""File 05, the warehouse's and the quality engineer's mails, the shipping channel and the pick's audit event."""

from generator.evidence.model import Column, Csv, Document, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.office import filed_in_force, in_words, listing, numbered
from generator.families.office import mail as write_mail
from generator.families.shipment_verification.facts import (
    DeliveryAgreement,
    Facts,
    LotReport,
    PickConfirmation,
    PickedLine,
    Recount,
)
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_pick_file(tenant, facts, facts.confirmation),)


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    return (
        _rules(tenant, facts),
        *(_agreement_mail(tenant, facts, entry) for entry in facts.agreements),
        *(_recount_mail(tenant, facts, entry) for entry in (facts.recount,) if entry is not None),
        *(_count_mail(tenant, facts, entry) for entry in facts.confirmations if entry.medium == "mail"),
        *(_lot_mail(tenant, facts, report) for report in facts.lot_reports),
    )


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    channel = f"#shipping-{tenant.profile.code.lower()}"
    confirmation = facts.confirmation
    messages = []
    if facts.rumour is not None:
        messages.append(
            ChatMessage(
                at=facts.rumour.at,
                channel=channel,
                author=facts.rumour.author,
                thread=facts.chat_thread,
                text=(
                    f"I hear the retest of {facts.rumour.lot} looked fine. Quality has not written yet, but I would"
                    f" load {facts.task.number} the way it stands on the dock."
                ),
            )
        )
    state = "signed and filed" if confirmation.signed_for(facts.task.number) else "filed"
    messages.append(
        ChatMessage(
            at=confirmation.issued,
            channel=channel,
            author=confirmation.picked_by,
            thread=facts.chat_thread,
            text=(
                f"The count of {facts.task.number} is {state}. The first lines of {facts.decoy.number} were"
                " picked in the same run, so both are in the file."
            ),
        )
    )
    return tuple(messages)


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    text = f"pick confirmation for {facts.task.number} filed by the night crew"
    return ((facts.confirmation.issued, tenant.profile.code, text),)


def _pick_file(tenant: Tenant, facts: Facts, confirmation: PickConfirmation) -> Document:
    lead = tenant.profile.person("warehouse_lead")
    signed = tenant.profile.person(confirmation.confirmed_by).name if confirmation.confirmed_by else None
    twice = any(line.second is not None for line in confirmation.lines)
    columns = (
        Column("Shipment"),
        Column("Shipment line", "integer"),
        Column("Item scanned"),
        Column("Lot scanned"),
        Column("Quantity", "integer"),
        *((Column("Second count", "integer"),) if twice else ()),
        Column("Unit"),
        Column("Pieces per unit", "integer"),
        Column("Loose pieces", "integer"),
        Column("Remark"),
        Column("Picked by"),
        Column("Confirmed by"),
        Column("Confirmed on", "date"),
    )
    rows = tuple(
        (
            line.shipment,
            line.shipment_line,
            line.item,
            line.lot,
            line.quantity,
            *((line.second,) if twice else ()),
            line.unit,
            line.pieces_per_unit,
            line.loose,
            line.remark,
            confirmation.picked_by,
            signed if confirmation.signed_for(line.shipment) else None,
            confirmation.issued.date() if confirmation.signed_for(line.shipment) else None,
        )
        for line in confirmation.lines
    )
    numbers = in_words(sorted({line.shipment for line in confirmation.lines}))
    return Document(
        id=confirmation.source,
        name="05-pick-confirmation.csv",
        body=Csv(Table(columns, rows)),
        description=f"Pick confirmation of {confirmation.issued.date().isoformat()} for {numbers}",
        author=lead.name,
        owner=lead.email,
        modified=filed_in_force(tenant.profile),
    )


def _counted(line: PickedLine, organization_unit: str) -> str:
    packs = f"{line.quantity} {line.unit}"
    if line.pieces_per_unit > 1:
        packs += f" of {line.pieces_per_unit}"
    if line.loose:
        packs += f" and {line.loose} {organization_unit} loose"
    remark = f", {line.remark}" if line.remark else ""
    lot = f", lot {line.lot}" if line.lot else ""
    return f"{line.shipment} line {line.shipment_line}: {line.item}{lot}, {packs}{remark}"


def _count_mail(tenant: Tenant, facts: Facts, entry: PickConfirmation) -> MailMessage:
    lead = tenant.profile.person("warehouse_lead")
    entries = [_counted(line, tenant.profile.item(line.item, facts.organization).uom) for line in entry.lines]
    shipment = facts.task.number
    return write_mail(
        entry.source,
        lead.email,
        tenant.profile.person("analyst").email,
        f"{shipment}: count of {entry.issued.date().isoformat()}",
        entry.issued,
        [
            f"Here is what {entry.picked_by} counted for {shipment} on {entry.issued.date().isoformat()}, before the"
            " night crew picks the rest:",
            listing(entries),
            "The confirmation that is signed after the pick takes the place of this count.",
        ],
        [lead.name, lead.title],
    )


def _recount_mail(tenant: Tenant, facts: Facts, recount: Recount) -> MailMessage:
    lead = tenant.profile.person("warehouse_lead")
    entries = [_counted(line, tenant.profile.item(line.item, facts.organization).uom) for line in recount.lines]
    return write_mail(
        recount.source,
        lead.email,
        tenant.profile.person("analyst").email,
        f"{facts.task.number}: recount",
        recount.issued,
        [
            f"{recount.counted_by} counted some of {facts.task.number} again after the pick, and I stood beside it:",
            listing(entries),
            "I sign for these. Everything that is not listed here stays as the confirmation has it.",
        ],
        [lead.name, lead.title],
    )


def _agreement_mail(tenant: Tenant, facts: Facts, agreement: DeliveryAgreement) -> MailMessage:
    profile = tenant.profile
    lead = profile.person("operations_lead")
    customer = profile.customer(facts.task.order.account)
    closing = [] if agreement.replaces is None else ["This edition takes the place of the one before."]
    return write_mail(
        agreement.source,
        lead.email,
        profile.person("analyst").email,
        f"Delivery agreement with {customer.name}, edition {agreement.edition}",
        agreement.issued,
        [
            f"{customer.name}, account {customer.account}, takes up to {agreement.over_percent} % more than the"
            " requested"
            " quantity of a line and pays for it. What goes beyond comes back at our cost.",
            *closing,
        ],
        [lead.name, lead.title],
    )


def _lot_mail(tenant: Tenant, facts: Facts, report: LotReport) -> MailMessage:
    held = in_words(report.quarantined)
    paragraphs = []
    if report.released:
        freed = in_words(report.released)
        paragraphs.append(f"Released as of now: {freed}. The hardness retest is within specification.")
        paragraphs.append(f"Still in quarantine: {held}. The retest is not finished; ship nothing of it until I write.")
    else:
        paragraphs.append(
            f"From now on these lots are in quarantine: {held}. The hardness readings of the last furnace load are in"
            " doubt. Nothing of them leaves the plant until I release it in writing, lot by lot."
        )
    if report.replaces:
        paragraphs.append("This takes the place of my earlier message on these lots.")
    return write_mail(
        report.source,
        facts.quality.email,
        tenant.profile.person("analyst").email,
        f"Lot status of {report.issued.date().isoformat()}",
        report.issued,
        paragraphs,
        [facts.quality.name, facts.quality.title],
    )


def _rules(tenant: Tenant, facts: Facts) -> MailMessage:
    lead = tenant.profile.person("warehouse_lead")
    rules = facts.rules
    price = "the unit price of the sales order line" if rules.price == "order" else "the list price in force today"
    if facts.agreements:
        more = (
            "If more was picked than requested, the line ships what was picked, at most the requested quantity and the"
            " percentage of it in the customer's delivery agreement in force, rounded down to whole units. That also"
            " goes for a line that is staged above it: it comes down."
        )
    elif rules.increase_to_requested:
        more = "If more was picked than staged, the line goes up to what was picked, at most to the requested quantity."
    else:
        more = "If more was picked than staged, the staged quantity stays; the surplus goes back to its bin."
    sentences = [
        "Review every line of the shipment that is staged. A cancelled line is not part of the review.",
        "The signed pick confirmation decides how much of a line ships. Packs are turned into pieces with the pieces"
        " per unit of the same row, and loose pieces are added. Where it says as much as is staged, leave the line"
        " alone.",
        "A recount that I sign after the confirmation takes its place for the lines that it lists, and for no others.",
        "Fewer pieces than staged is a correction, not a hold. That goes for an empty bin too: zero with the remark"
        f" {rules.short_remark} is corrected to zero.",
        more + " Increases are never set off against pieces that are taken out elsewhere.",
        f"A line is held when another item was scanned than the line asks for (remark {rules.wrong_item_remark}), or"
        " when the lot on the shipment line is in quarantine and quality's latest lot status does not name it as"
        " released. It is also held when two people counted it and wrote down two results (remark"
        f" {rules.disputed_remark}, with a second count). A held line goes to zero whatever was counted, and counts as"
        " held, not corrected.",
        "Every line that is corrected or held gets the reason in its comment.",
        f"The value of what can ship is each line's right quantity at {price}, rounded to the cent by line.",
        "Correct and hold, nothing more: we do not confirm the shipment, and a shipment with held lines stays open"
        " until the warehouse has sorted them out.",
        "Lines of the confirmation that nobody signed are no basis, and an earlier count does not stand in for them:"
        " ask the warehouse for a recount and change no line of that shipment, not one.",
    ]
    return write_mail(
        rules.source,
        lead.email,
        tenant.profile.person("analyst").email,
        f"Shipping rules, edition {rules.edition}",
        rules.issued,
        [
            f"These are the rules for checking a staged shipment, edition {rules.edition}. They hold until I replace"
            " them.",
            numbered(sentences),
        ],
        [lead.name, lead.title],
    )
