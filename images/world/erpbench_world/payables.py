"""Payables: suppliers' invoices matched to purchase-order lines, their validation, and holds on them."""

from dataclasses import dataclass
from typing import Any

from erpbench_world import money, rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, NotFound, Refused
from erpbench_world.fields import (
    MAX_ID,
    amount,
    extended,
    line_number,
    line_numbers,
    note,
    price,
    record_id,
    text,
)
from erpbench_world.procurement import order_line, supplier_named
from erpbench_world.receivables import ledger_currency
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

INVOICES = Resource(
    "invoices",
    {
        "InvoiceId": "integer",
        "InvoiceNumber": "text",
        "Supplier": "text",
        "BusinessUnit": "text",
        "InvoiceAmount": "money",
        "InvoiceCurrency": "text",
        "InvoiceDate": "date",
        "ValidationStatus": "text",
        "PaidStatus": "text",
        "CreationDate": "date",
        "CreatedBy": "text",
    },
)
INVOICE_LINES = Lines(
    Resource(
        "invoice_lines",
        {
            "InvoiceId": "integer",
            "LineNumber": "integer",
            "PurchaseOrderNumber": "text",
            "PurchaseOrderLineNumber": "integer",
            "ItemNumber": "text",
            "Description": "text",
            "Quantity": "integer",
            "UnitPrice": "money",
            "LineAmount": "money",
        },
    ),
    "InvoiceId",
)
HOLDS = Lines(
    Resource(
        "invoice_holds",
        {
            "HoldId": "integer",
            "InvoiceId": "integer",
            "HoldName": "text",
            "HoldReason": "text",
            "HeldBy": "text",
            "HoldDate": "date",
        },
    ),
    "InvoiceId",
)
LINE_KEYS = ("Quantity", "UnitPrice")
ORDER_KEYS = ("PurchaseOrderNumber", "PurchaseOrderLineNumber", "ItemNumber")
NOT_VALIDATED, VALIDATED, NEEDS_REVALIDATION = "Not validated", "Validated", "Needs Revalidation"


@dataclass(frozen=True)
class Match:
    """The purchase-order line that an invoice line bills."""

    order: str
    line: int
    item: str


@dataclass(frozen=True)
class InvoiceLine:
    """match is None for freight and the like; price and extended in ten-thousandths."""

    number: int
    match: Match | None
    description: str | None
    quantity: int
    price: int
    extended: int


@tool("oracle_fusion.invoices.list")
def list_invoices(call: Call, arguments: dict[str, Any]) -> Row:
    """Invoices by identifier, each with its lines."""
    rows = INVOICES.read(call, arguments.get("q"))
    lines = INVOICE_LINES.of(call, rows)
    return collection([{**INVOICES.present(row), "lines": lines[row["InvoiceId"]]} for row in rows])


@tool("oracle_fusion.invoices.get")
def get_invoice(call: Call, arguments: dict[str, Any]) -> Row:
    """One invoice with its lines and holds, by number or by InvoiceId as text.

    Raises NotFound, also for a number that several suppliers use; the message then lists each with its InvoiceId.
    """
    name = text(arguments["invoicesUniqID"], "invoicesUniqID")
    found = call.rows("SELECT * FROM invoices WHERE InvoiceNumber = ? ORDER BY InvoiceId", (name,))
    if not found and name.isascii() and name.isdigit() and int(name) < MAX_ID:
        found = call.rows("SELECT * FROM invoices WHERE InvoiceId = ?", (int(name),))
    if not found:
        raise NotFound(f"invoicesUniqID: no invoice {name}", "invoicesUniqID")
    if len(found) > 1:
        which = "; ".join(f"{row['Supplier']}, InvoiceId {row['InvoiceId']}" for row in found)
        raise NotFound(
            f"invoicesUniqID: several suppliers have an invoice {name}: {which}; ask by InvoiceId", "invoicesUniqID"
        )
    return _present(call, found[0])


@tool("oracle_fusion.invoices.create")
def create_invoice(call: Call, arguments: dict[str, Any]) -> Row:
    """Enter a supplier's invoice: Not validated and Unpaid. Lines matched to an order add to its billed quantity."""
    unit = text(arguments["BusinessUnit"], "BusinessUnit")
    supplier_name = text(arguments["Supplier"], "Supplier")
    number = text(arguments["InvoiceNumber"], "InvoiceNumber")
    day = rules.iso_date(arguments["InvoiceDate"], "InvoiceDate")
    given = rules.line_list(
        arguments["invoiceLines"], "invoiceLines", LINE_KEYS, ("LineNumber", *ORDER_KEYS, "Description")
    )
    numbers = line_numbers(given, "invoiceLines")
    lines = [
        _line(line, line_no, f"invoiceLines[{index}]")
        for index, (line, line_no) in enumerate(zip(given, numbers, strict=True))
    ]
    total = amount(arguments["InvoiceAmount"], "InvoiceAmount")
    rules.organization(call, "business_unit", unit, "BusinessUnit", column="name")
    supplier = str(supplier_named(call, supplier_name, "Supplier")["Supplier"])
    _refuse_second(call, supplier, number)
    currency = ledger_currency(call, arguments["InvoiceCurrency"], "InvoiceCurrency")
    rules.open_period(call, "payables", day, "InvoiceDate")
    billed = _billed(call, supplier, lines)
    of_lines = sum(line.extended for line in lines)
    if total != of_lines:
        raise Refused(
            f"InvoiceAmount: the lines come to {money.show(of_lines)}, the invoice says {money.show(total)}",
            "InvoiceAmount",
        )
    invoice_id = call.next_id("invoices")
    row = {
        "InvoiceId": invoice_id,
        "InvoiceNumber": number,
        "Supplier": supplier,
        "BusinessUnit": unit,
        "InvoiceAmount": total,
        "InvoiceCurrency": currency,
        "InvoiceDate": day,
        "ValidationStatus": NOT_VALIDATED,
        "PaidStatus": "Unpaid",
        "CreationDate": call.now,
        "CreatedBy": call.meta["analyst"],
    }
    call.insert("invoices", row)
    for line in lines:
        _insert_line(call, invoice_id, line)
    for (order, order_line_number), quantity_ in billed.items():
        key: Row = {"OrderNumber": order, "LineNumber": order_line_number}
        call.update("purchase_order_lines", key, {"BilledQuantity": quantity_})
    return _present(call, row)


@tool("oracle_fusion.invoices.validate")
def validate_invoice(call: Call, arguments: dict[str, Any]) -> Row:
    """Validate an invoice for payment: Validated without holds, Needs Revalidation with any; both are accepted."""
    if text(arguments["ProcessAction"], "ProcessAction") != "Validate":
        raise InvalidArguments("ProcessAction: expected Validate", "ProcessAction")
    unit = text(arguments["BusinessUnit"], "BusinessUnit")
    supplier_name = text(arguments["Supplier"], "Supplier")
    number = text(arguments["InvoiceNumber"], "InvoiceNumber")
    rules.organization(call, "business_unit", unit, "BusinessUnit", column="name")
    supplier = supplier_named(call, supplier_name, "Supplier")["Supplier"]
    row = call.row("SELECT * FROM invoices WHERE Supplier = ? AND InvoiceNumber = ?", (supplier, number))
    if row is None:
        raise Refused(f"InvoiceNumber: {supplier} has no invoice {number} in this tenant", "InvoiceNumber")
    if row["BusinessUnit"] != unit:
        raise Refused(f"BusinessUnit: invoice {number} belongs to {row['BusinessUnit']}, came {unit}", "BusinessUnit")
    if row["ValidationStatus"] == VALIDATED:
        raise Refused(f"InvoiceNumber: invoice {number} of {supplier} is validated already", "InvoiceNumber")
    held = call.row("SELECT 1 FROM invoice_holds WHERE InvoiceId = ?", (row["InvoiceId"],))
    changes: Row = {"ValidationStatus": NEEDS_REVALIDATION if held else VALIDATED}
    call.update("invoices", {"InvoiceId": row["InvoiceId"]}, changes)
    return _present(call, {**row, **changes})


@tool("oracle_fusion.invoice_holds.create")
def create_hold(call: Call, arguments: dict[str, Any]) -> Row:
    """Hold an unpaid invoice. One that was validated Needs Revalidation from then on."""
    invoice_id = record_id(arguments["InvoiceId"], "InvoiceId")
    name = text(arguments["HoldName"], "HoldName")
    reason = note(arguments["HoldReason"], "HoldReason")
    invoice = call.row("SELECT * FROM invoices WHERE InvoiceId = ?", (invoice_id,))
    if invoice is None:
        raise Refused(f"InvoiceId: no invoice {invoice_id} in this tenant", "InvoiceId")
    rules.known(call, "hold_name", name, "HoldName")
    if invoice["PaidStatus"] == "Paid":
        raise Refused(f"InvoiceId: invoice {invoice['InvoiceNumber']} has been paid; it cannot be held", "InvoiceId")
    if call.row("SELECT 1 FROM invoice_holds WHERE InvoiceId = ? AND HoldName = ?", (invoice_id, name)):
        raise Refused(f"HoldName: invoice {invoice['InvoiceNumber']} is on the hold {name} already", "HoldName")
    hold = {
        "HoldId": call.next_id("invoice_holds"),
        "InvoiceId": invoice_id,
        "HoldName": name,
        "HoldReason": reason,
        "HeldBy": call.meta["analyst"],
        "HoldDate": call.today,
    }
    call.insert("invoice_holds", hold)
    if invoice["ValidationStatus"] == VALIDATED:
        call.update("invoices", {"InvoiceId": invoice_id}, {"ValidationStatus": NEEDS_REVALIDATION})
    return HOLDS.resource.present(call.show("invoice_holds", [hold])[0])


def _line(line: dict[str, Any], number: int, where: str) -> InvoiceLine:
    billed = rules.whole(line["Quantity"], f"{where}.Quantity")
    unit_price = price(line["UnitPrice"], f"{where}.UnitPrice")
    description = line.get("Description")
    return InvoiceLine(
        number=number,
        match=_match(line, where),
        description=None if description is None else text(description, f"{where}.Description"),
        quantity=billed,
        price=unit_price,
        extended=extended(billed, unit_price, where),
    )


def _match(line: dict[str, Any], where: str) -> Match | None:
    """The purchase-order line; None where all three keys are missing or null."""
    values = [line.get(key) for key in ORDER_KEYS]
    if all(value is None for value in values):
        return None
    if None in values:
        raise InvalidArguments(f"{where}: expected all of {', '.join(ORDER_KEYS)}, or none", where)
    return Match(
        order=text(values[0], f"{where}.PurchaseOrderNumber"),
        line=line_number(values[1], f"{where}.PurchaseOrderLineNumber"),
        item=text(values[2], f"{where}.ItemNumber"),
    )


def _refuse_second(call: Call, supplier: str, number: str) -> None:
    standing = call.row("SELECT * FROM invoices WHERE Supplier = ? AND InvoiceNumber = ?", (supplier, number))
    if standing is not None:
        raise Refused(
            f"InvoiceNumber: invoice {number} of {supplier} stands as InvoiceId {standing['InvoiceId']}, dated"
            f" {standing['InvoiceDate']}, {money.show(standing['InvoiceAmount'])}",
            "InvoiceNumber",
        )


def _billed(call: Call, supplier: str, lines: list[InvoiceLine]) -> dict[tuple[str, int], int]:
    """The billed quantity of each matched purchase-order line after this invoice."""
    billed: dict[tuple[str, int], int] = {}
    for index, line in enumerate(lines):
        if line.match is None:
            continue
        where = f"invoiceLines[{index}]"
        argument = f"{where}.PurchaseOrderNumber"
        order = call.row("SELECT Supplier FROM purchase_orders WHERE OrderNumber = ?", (line.match.order,))
        if order is None:
            raise Refused(f"{argument}: no purchase order {line.match.order} in this tenant", argument)
        if order["Supplier"] != supplier:
            raise Refused(
                f"{argument}: purchase order {line.match.order} is with {order['Supplier']}, not {supplier}", argument
            )
        row = order_line(call, line.match.order, line.match.line, line.match.item, where)
        key = (line.match.order, line.match.line)
        billed[key] = billed.get(key, int(row["BilledQuantity"])) + line.quantity
    return billed


def _insert_line(call: Call, invoice_id: int, line: InvoiceLine) -> None:
    call.insert(
        "invoice_lines",
        {
            "InvoiceId": invoice_id,
            "LineNumber": line.number,
            "PurchaseOrderNumber": line.match.order if line.match else None,
            "PurchaseOrderLineNumber": line.match.line if line.match else None,
            "ItemNumber": line.match.item if line.match else None,
            "Description": line.description,
            "Quantity": line.quantity,
            "UnitPrice": line.price,
            "LineAmount": line.extended,
        },
    )


def _present(call: Call, row: Row) -> Row:
    call.show("invoices", [row])
    return {
        **INVOICES.present(row),
        "lines": INVOICE_LINES.of(call, [row])[row["InvoiceId"]],
        "holds": HOLDS.of(call, [row])[row["InvoiceId"]],
    }
