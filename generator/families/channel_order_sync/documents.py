"""Files 18 and 19, the exports that came by mail, the takeover rules, the shop channel and the export's audit event."""

from generator.evidence.model import Document, JsonData
from generator.evidence.values import iso_z
from generator.families.base import LogEvents, MailMessage
from generator.families.channel_order_sync.export import export_json, order_line, stated
from generator.families.channel_order_sync.facts import Export, Facts, TakeoverRules
from generator.families.office import filed_in_force, in_words, listing, numbered
from generator.families.office import mail as write_mail
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_export_file(tenant, facts.export(facts.task_export)), _capture_file(tenant, facts))


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    return (
        _rules(tenant, facts),
        *(_export_mail(tenant, facts, entry) for entry in facts.exports if entry.medium == "mail"),
    )


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    profile = tenant.profile
    export, other = facts.export(facts.task_export), facts.export(facts.decoy_export)
    return (
        ChatMessage(
            at=export.generated,
            channel=f"#webshop-{profile.code.lower()}",
            author=profile.person("webshop_coordinator").name,
            thread=facts.chat_thread,
            text=(
                f"{export.number} of {export.shop} is on the drive and goes into the system this morning."
                f" {other.number} belongs to {other.shop}; its own desk takes that over."
            ),
        ),
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    export = facts.export(facts.task_export)
    return ((export.generated, tenant.profile.code, f"{facts.source_system.capitalize()} export written to the drive"),)


def _export_file(tenant: Tenant, export: Export) -> Document:
    coordinator = tenant.profile.person("webshop_coordinator")
    return Document(
        id=export.source,
        name="18-channel-export.json",
        body=JsonData(export_json(tenant.profile, export)),
        description=f"Order export {export.number} of {export.shop}, {iso_z(export.generated)}",
        author=coordinator.name,
        owner=coordinator.email,
        modified=filed_in_force(tenant.profile),
    )


def _capture_file(tenant: Tenant, facts: Facts) -> Document:
    coordinator = tenant.profile.person("webshop_coordinator")
    messages = [
        {"at": iso_z(message.at), "order": message.order, "from": message.sender, "text": message.text}
        for message in facts.capture.messages
    ]
    return Document(
        id=facts.capture.source,
        name="19-customer-capture-chat.json",
        body=JsonData({"chat": "customer details", "exported_at": iso_z(facts.capture.issued), "messages": messages}),
        description="Shop chat in which buyers gave or corrected their details",
        author=coordinator.name,
        owner=coordinator.email,
        modified=filed_in_force(tenant.profile),
    )


def _export_mail(tenant: Tenant, facts: Facts, export: Export) -> MailMessage:
    coordinator = tenant.profile.person("webshop_coordinator")
    row_count, goods_total = stated(export)
    same_shop = export.shop == facts.export(facts.task_export).shop
    last = (
        "The next export of this shop takes its place; refunds and cancellations since then are not in here."
        if same_shop
        else "This is for the desk of that shop."
    )
    return write_mail(
        export.source,
        coordinator.email,
        tenant.profile.person("analyst").email,
        f"Export {export.number} of {export.shop}",
        export.generated,
        [
            f"Orders of {export.shop} as of {iso_z(export.generated)}, row_count {row_count}, goods_total"
            f" {goods_total:.2f}:",
            listing(order_line(order) for order in export.orders),
            last,
        ],
        [coordinator.name, coordinator.title],
    )


def _rules(tenant: Tenant, facts: Facts) -> MailMessage:
    profile = tenant.profile
    coordinator = profile.person("webshop_coordinator")
    rules = facts.rules
    domains = in_words(rules.staff_domains)
    until = rules.last_day.isoformat()
    sentences = [
        "Work through the latest export of the shop, row by row. A row is one order; its times are UTC.",
        "An order id that stands in the export more than once is one order: the row with the latest updated_at"
        " counts, the others are repeats.",
        "An order that is cancelled, voided or refunded in full is not taken over. One that is refunded in part is"
        " taken over with the quantities that were not refunded; a line refunded in full is left out.",
        "An order is in the system already when a sales order that is not cancelled carries its id as source number"
        f" or its name as customer PO. Before {rules.prefix_changed.isoformat()} the connector wrote"
        f" {rules.old_prefix}- and the digits of the name instead of the {rules.prefix}- id; that is the same order."
        " Whatever differs then is left to me.",
        f"Orders from our own people ({domains} addresses) are tests and are never taken over.",
        f"Orders placed after {until} by local time ({profile.timezone}) wait for the next export.",
        "A buyer is known by tax id, first in the export, then in the customer chat, where the buyer's last word"
        " counts. If the Customers tab has that tax id, use its number, whatever the name looks like. Otherwise the"
        " order goes in under the buyer's name alone, and the buyer is added once to the Customers tab: name, empty"
        f" number, e-mail, tax id, {rules.buyer_channel}.",
        "Without a tax id from either place the order is held: no order, no customer row; say so in the handoff.",
        *_payment_rule(rules),
        *_pack_rule(tenant, facts),
        "Reasons are looked at in this order: repeat, cancelled or refunded, already in the system, test, waiting,"
        " held. If at least one order is held, the sync is one with exceptions; tests and orders that wait do not make"
        " it one.",
        f"What is left becomes one submitted order each for organization {facts.organization},"
        f" type {facts.transaction_type}, system {facts.source_system}, source number the order id, customer PO the"
        " order's name, lines in the item's unit at the price paid in the shop.",
        "The value of an order is its lines without what was refunded. Shipping and tax are not part of it.",
        "row_count is the number of rows of an export, goods_total the sum of their subtotal_price, repeats and"
        " cancelled rows included. If either does not agree with the rows, nothing is taken over, not even as a draft:"
        " ask me for a new export and give the number of the one that does not add up.",
    ]
    return write_mail(
        rules.source,
        coordinator.email,
        profile.person("analyst").email,
        f"Taking over shop orders, edition {rules.edition}",
        rules.issued,
        [
            f"Edition {rules.edition} of the takeover rules, in force until I send another:",
            numbered(sentences),
        ],
        [coordinator.name, coordinator.title],
    )


def _payment_rule(rules: TakeoverRules) -> tuple[str, ...]:
    if not rules.hold_unpaid:
        return ()
    return (
        "An order whose financial_status is pending is held in the same way until the money is in. Buyers whose tax id"
        " is in the Customers tab pay on account; their orders are taken over unpaid.",
    )


def _pack_rule(tenant: Tenant, facts: Facts) -> tuple[str, ...]:
    if not facts.packs:
        return ()
    packs = in_words(
        [
            f"{pack.sku} is {pack.pieces} {tenant.profile.item(pack.item, facts.organization).uom} of {pack.item}"
            for pack in facts.packs
        ]
    )
    return (
        f"Some goods are sold by the pack: {packs}. They go in as the item, in its own unit, at the pack's price"
        " divided by its content.",
    )
