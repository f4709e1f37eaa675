"""Receiving: receipt requests for delivered purchase-order lines."""

from dataclasses import dataclass
from typing import Any

from erpbench_world import rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import Refused
from erpbench_world.fields import line_number, line_numbers, text
from erpbench_world.procurement import order_line, supplier_named
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

RECEIPTS = Resource(
    "receiving_receipt_requests",
    {
        "ReceiptNumber": "text",
        "ReceiptSourceCode": "text",
        "OrganizationCode": "text",
        "VendorName": "text",
        "CreationDate": "date",
        "CreatedBy": "text",
    },
)
RECEIPT_LINES = Lines(
    Resource(
        "receiving_receipt_lines",
        {
            "ReceiptNumber": "text",
            "LineNumber": "integer",
            "DocumentNumber": "text",
            "DocumentLineNumber": "integer",
            "ItemNumber": "text",
            "Quantity": "integer",
            "TransactionType": "text",
        },
    ),
    "ReceiptNumber",
)
LINE_KEYS = ("DocumentNumber", "DocumentLineNumber", "ItemNumber", "Quantity", "TransactionType")
NOT_TO_RECEIVE = ("Cancelled", "Canceled", "Closed", "Closed for Receiving", "Finally Closed")


@dataclass(frozen=True)
class ReceiptLine:
    """What was delivered of one line of a purchase order; number is the line's own in the receipt."""

    number: int
    order: str
    line: int
    item: str
    quantity: int
    transaction: str


@tool("oracle_fusion.receiving_receipt_requests.list")
def list_receipts(call: Call, arguments: dict[str, Any]) -> Row:
    """Receipt requests by number, each with its lines."""
    return collection(_present(call, RECEIPTS.read(call, arguments.get("q"))))


@tool("oracle_fusion.receiving_receipt_requests.create")
def create_receipt(call: Call, arguments: dict[str, Any]) -> Row:
    """Receive delivered lines of one supplier's open purchase orders, today.

    More than was ordered is accepted: what came stands in the receipt, and the match decides what is paid.
    """
    source = text(arguments["ReceiptSourceCode"], "ReceiptSourceCode")
    organization = text(arguments["OrganizationCode"], "OrganizationCode")
    named = arguments.get("VendorName")
    vendor = None if named is None else text(named, "VendorName")
    given = rules.line_list(arguments["lines"], "lines", LINE_KEYS, ("LineNumber",))
    numbers = line_numbers(given, "lines")
    lines = [
        _line(line, number, f"lines[{index}]") for index, (line, number) in enumerate(zip(given, numbers, strict=True))
    ]
    rules.known(call, "receipt_source", source, "ReceiptSourceCode")
    rules.organization(call, "inventory", organization, "OrganizationCode")
    rules.open_period(call, "receiving", call.today, "receipt date")
    vendor = None if vendor is None else str(supplier_named(call, vendor, "VendorName")["Supplier"])
    received: dict[tuple[str, int], int] = {}
    for index, line in enumerate(lines):
        where = f"lines[{index}]"
        rules.known(call, "receiving_transaction", line.transaction, f"{where}.TransactionType")
        vendor = _vendor_of(call, line.order, vendor, where)
        received[line.order, line.line] = _received(call, line, received.get((line.order, line.line)), where)
    number = call.next_number("receiving_receipt_requests")
    row = {
        "ReceiptNumber": number,
        "ReceiptSourceCode": source,
        "OrganizationCode": organization,
        "VendorName": vendor,
        "CreationDate": call.now,
        "CreatedBy": call.meta["analyst"],
    }
    call.insert("receiving_receipt_requests", row)
    for line in lines:
        _insert_line(call, number, line)
    for (order, order_line_number), total in received.items():
        key: Row = {"OrderNumber": order, "LineNumber": order_line_number}
        call.update("purchase_order_lines", key, {"ReceivedQuantity": total})
    return _present(call, call.show("receiving_receipt_requests", [row]))[0]


def _line(line: dict[str, Any], number: int, where: str) -> ReceiptLine:
    return ReceiptLine(
        number=number,
        order=text(line["DocumentNumber"], f"{where}.DocumentNumber"),
        line=line_number(line["DocumentLineNumber"], f"{where}.DocumentLineNumber"),
        item=text(line["ItemNumber"], f"{where}.ItemNumber"),
        quantity=rules.whole(line["Quantity"], f"{where}.Quantity"),
        transaction=text(line["TransactionType"], f"{where}.TransactionType"),
    )


def _vendor_of(call: Call, number: str, vendor: str | None, where: str) -> str:
    """The supplier of an open purchase order, which must be the vendor where one is known already."""
    argument = f"{where}.DocumentNumber"
    order = call.row("SELECT Supplier, Status FROM purchase_orders WHERE OrderNumber = ?", (number,))
    if order is None:
        raise Refused(f"{argument}: no purchase order {number} in this tenant", argument)
    if order["Status"] != "Open":
        raise Refused(f"{argument}: purchase order {number} has the status {order['Status']}; expected Open", argument)
    if vendor not in (None, order["Supplier"]):
        raise Refused(f"{argument}: purchase order {number} is with {order['Supplier']}, not {vendor}", argument)
    return str(order["Supplier"])


def _received(call: Call, line: ReceiptLine, so_far: int | None, where: str) -> int:
    """The order line's received quantity after this line; so_far counts earlier lines of the same request."""
    row = order_line(call, line.order, line.line, line.item, where)
    if row["LineStatus"] in NOT_TO_RECEIVE:
        raise Refused(
            f"{where}: line {line.line} of purchase order {line.order} has the status {row['LineStatus']}", where
        )
    before = int(row["ReceivedQuantity"]) if so_far is None else so_far
    return before + line.quantity


def _insert_line(call: Call, receipt: str, line: ReceiptLine) -> None:
    call.insert(
        "receiving_receipt_lines",
        {
            "ReceiptNumber": receipt,
            "LineNumber": line.number,
            "DocumentNumber": line.order,
            "DocumentLineNumber": line.line,
            "ItemNumber": line.item,
            "Quantity": line.quantity,
            "TransactionType": line.transaction,
        },
    )


def _present(call: Call, rows: list[Row]) -> list[Row]:
    lines = RECEIPT_LINES.of(call, rows)
    return [{**RECEIPTS.present(row), "lines": lines[row["ReceiptNumber"]]} for row in rows]
