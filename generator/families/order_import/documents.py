"""Files 01 to 04, the decoy's order mail, the channel note and the audit event of the family."""

from generator.evidence.model import Cell, Column, Csv, Document, Sheet, Spreadsheet, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.order_import.correspondence import change, cover_rows, messages, units
from generator.families.order_import.facts import EarlierImport, Facts, PriceList, RevisedLine, SheetLine, Target
from generator.families.order_import.prices import listed_items
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    earlier = facts.task.earlier
    files = [_order_sheet(tenant, facts, facts.task)]
    if earlier is not None:
        files.append(_earlier_import(tenant, facts.task, earlier))
    files.extend(_price_list(tenant, facts, price_list) for price_list in facts.price_lists)
    return tuple(files)


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    """The namesake's own order, which came by mail, and what was written about the order and the rules for it."""
    decoy = facts.decoy
    unit = units(tenant, facts)
    lines = [
        f"{line.line}. {line.item}, {line.quantity} {line.uom or unit[line.item]} at {line.unit_price}"
        for line in decoy.sheet.lines
    ]
    body = "\n".join(
        [
            "Hello,",
            "",
            f"please enter our purchase order {decoy.customer_po} for {tenant.profile.customer(decoy.account).name},"
            f" account {decoy.account}:",
            "",
            *lines,
            "",
            f"Delivery by {decoy.sheet.requested_delivery.isoformat()} is early enough; there is no rush on this one.",
            "",
            decoy.contact.name,
            decoy.contact.title,
        ]
    )
    order = MailMessage(
        id=decoy.sheet.source,
        thread=f"THREAD-{decoy.sheet.source}",
        sender=decoy.contact.email,
        recipient=tenant.profile.person("analyst").email,
        subject=f"Order {decoy.customer_po}",
        date=decoy.sheet.received,
        body=body,
    )
    return (order, *messages(tenant, facts))


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    earlier = facts.task.earlier
    if earlier is None:
        return ()
    return tuple(
        ChatMessage(
            at=note.at,
            author=tenant.profile.person("operations_lead").name,
            thread=note.thread,
            text=(
                f"{facts.task.customer_po}: part of it was entered on {earlier.imported.date().isoformat()} as"
                f" {earlier.order_number}. The other lines wait for the customer's full sheet."
            ),
        )
        for note in facts.chat
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    earlier = facts.task.earlier
    if earlier is None:
        return ()
    text = f"order {earlier.order_number} entered from the first copy of {facts.task.customer_po}, in part"
    return ((earlier.imported, tenant.profile.code, text),)


def _order_sheet(tenant: Tenant, facts: Facts, target: Target) -> Document:
    sheet = target.sheet
    customer = tenant.profile.customer(target.account)
    with_units = any(line.uom is not None for line in sheet.lines)
    columns = [
        Column("Line", "integer", 6),
        Column("Customer PO", width=16),
        Column("Item", width=18),
        Column("Description", width=34),
        Column("Quantity", "integer", 10),
        *([Column("Unit", width=7)] if with_units else []),
        Column("Unit price (customer sheet)", "money", 18),
    ]

    def row(line: SheetLine | RevisedLine) -> tuple[Cell, ...]:
        item = tenant.profile.item(line.item, facts.organization)
        unit = [line.uom or item.uom] if with_units else []
        price = None if line.quantity is None else line.unit_price
        return (line.line, target.customer_po, line.item, item.description, line.quantity, *unit, price)

    sheets = [Sheet("Order", Table(tuple(columns), tuple(row(line) for line in sheet.lines)))]
    if sheet.revised:
        numbers = {line.line for line in sheet.lines}
        changed = tuple((*row(line), change(line, numbers)) for line in sheet.revised)
        sheets.append(Sheet("Revision 2", Table((*columns, Column("Change", width=11)), changed)))
    cover = Table(
        (Column("Field", width=22), Column("Entry", width=40)),
        (
            ("Buyer", customer.name),
            ("Account with supplier", target.account),
            ("Purchase order", target.customer_po),
            ("Order date", sheet.order_date.isoformat()),
            ("Requested delivery", sheet.requested_delivery.isoformat()),
            *cover_rows(sheet),
            ("Contact", f"{target.contact.name}, {target.contact.title}, {target.contact.email}"),
            ("Note", "One sheet for the whole order; it takes the place of the copies sent before."),
        ),
    )
    return Document(
        id=sheet.source,
        name="01-consolidated-order-batch.xlsx",
        body=Spreadsheet((*sheets, Sheet("Cover", cover))),
        description=f"Order sheet of {customer.name}, purchase order {target.customer_po}",
        author=target.contact.name,
        owner=tenant.profile.person("operations_lead").email,
        modified=sheet.received,
    )


def _earlier_import(tenant: Tenant, target: Target, earlier: EarlierImport) -> Document:
    columns = (
        Column("Line", "integer", 6),
        Column("Customer PO", width=16),
        Column("Item", width=18),
        Column("Quantity", "integer", 10),
        Column("Imported order", width=16),
        Column("Imported on", "date", 13),
    )
    rows = tuple(
        (done.line, target.customer_po, done.item, done.quantity, earlier.order_number, earlier.imported.date())
        for done in earlier.lines
    )
    return Document(
        id=earlier.source,
        name="02-prior-partial-import.xlsx",
        body=Spreadsheet((Sheet("Import", Table(columns, rows)),)),
        description=f"Lines of {target.customer_po} that were entered before",
        author=tenant.profile.person("operations_lead").name,
        owner=tenant.profile.person("operations_lead").email,
        modified=earlier.filed,
        current=False,
    )


def _price_list(tenant: Tenant, facts: Facts, price_list: PriceList) -> Document:
    columns = [
        Column("item"),
        Column("description"),
        Column("list_price", "money"),
        Column("status"),
        Column("effective_from"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for item, price in listed_items(tenant.profile, facts.organization, price_list):
        status = item.status if price_list.current else "Active"
        rows.append((item.number, item.description, price, status, price_list.effective_from.isoformat()))
    if not price_list.current:
        columns.append(Column("superseded", "flag"))
        rows = [(*row, True) for row in rows]
    if facts.conversions:
        columns += [Column("pack_unit"), Column("pack_holds", "integer")]
        packs = {entry.item: (entry.uom, entry.factor) for entry in facts.conversions}
        rows = [(*row, *packs.get(str(row[0]), (None, None))) for row in rows]
    if facts.successors:
        columns.append(Column("successor"))
        followed = {entry.item: entry.successor for entry in facts.successors}
        rows = [(*row, followed.get(str(row[0]))) for row in rows]
    return Document(
        id=price_list.source,
        name=price_list.file,
        body=Csv(Table(tuple(columns), tuple(rows))),
        description=f"List prices {price_list.edition}",
        author=tenant.profile.person("pricing_manager").name,
        owner=tenant.profile.person("pricing_manager").email,
        modified=price_list.filed,
        current=price_list.current,
    )
