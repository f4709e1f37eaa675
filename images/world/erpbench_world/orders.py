"""Sales orders of Order Management: lists, one order, and the import of a new order.

An order holds lines, or a header total alone where the source did not itemise it.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from erpbench_world import money, rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, NotFound, Refused, shown
from erpbench_world.fields import amount, extended, line_number, line_numbers, price, text
from erpbench_world.items import item_in
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

ORDERS = Resource(
    "sales_orders",
    {
        "OrderNumber": "text",
        "CustomerPONumber": "text",
        "BuyingPartyNumber": "text",
        "BuyingPartyName": "text",
        "SourceTransactionNumber": "text",
        "SourceTransactionSystem": "text",
        "TransactionType": "text",
        "RequestedFulfillmentOrganizationCode": "text",
        "SubmittedFlag": "flag",
        "StatusCode": "text",
        "OrderTotal": "money",
        "CreationDate": "date",
        "CreatedBy": "text",
        "LastUpdateDate": "date",
    },
)
ORDER_LINES = Lines(
    Resource(
        "sales_order_lines",
        {
            "OrderNumber": "text",
            "LineNumber": "integer",
            "SourceLineNumber": "integer",
            "ProductNumber": "text",
            "OrderedQuantity": "integer",
            "OrderedUOM": "text",
            "UnitListPrice": "money",
            "ExtendedAmount": "money",
        },
    ),
    "OrderNumber",
)
LINE_KEYS = ("ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice")
OPTIONAL_LINE_KEYS = ("LineNumber", "SourceLineNumber")
CANCELLED = ("Cancelled", "Canceled")


@dataclass(frozen=True)
class OrderLine:
    """price and extended in ten-thousandths."""

    number: int
    source: int | None
    product: str
    quantity: int
    unit: str
    price: int
    extended: int


@tool("oracle_fusion.sales_orders.list")
def list_orders(call: Call, arguments: dict[str, Any]) -> Row:
    """Orders by number, each with its lines."""
    return collection(_present(call, ORDERS.read(call, arguments.get("q"))))


@tool("oracle_fusion.sales_orders.get")
def get_order(call: Call, arguments: dict[str, Any]) -> Row:
    """One order with its lines. Raises NotFound."""
    number = text(arguments["OrderKey"], "OrderKey")
    return _order(call, number)


@tool("oracle_fusion.sales_orders.create")
def create_order(call: Call, arguments: dict[str, Any]) -> Row:
    """Import one order; submitted it is Booked, otherwise it stays a Draft.

    Lines are taken as entered: an item only has to exist in the organization, whatever its status, and a unit to be
    one of the lookups. Whether they should be sold so is the office's policy, not the system's.
    A second order for the same purchase order is accepted. One that repeats an order that is not cancelled in source,
    purchase order, buyer, organization, type and every line is refused as a duplicate.
    """
    header = {
        "CustomerPONumber": text(arguments["CustomerPONumber"], "CustomerPONumber"),
        "SourceTransactionNumber": text(arguments["SourceTransactionNumber"], "SourceTransactionNumber"),
        "SourceTransactionSystem": text(arguments["SourceTransactionSystem"], "SourceTransactionSystem"),
        "TransactionType": text(arguments["TransactionType"], "TransactionType"),
        "RequestedFulfillmentOrganizationCode": text(
            arguments["RequestedFulfillmentOrganizationCode"], "RequestedFulfillmentOrganizationCode"
        ),
    }
    lines = _lines(arguments.get("lines"))
    total = _total(lines, arguments.get("OrderTotal"))
    rules.open_period(call, "order_management", call.today, "order date")
    rules.known(call, "transaction_type", header["TransactionType"], "TransactionType")
    rules.known(call, "source_system", header["SourceTransactionSystem"], "SourceTransactionSystem")
    organization = rules.organization(
        call, "inventory", header["RequestedFulfillmentOrganizationCode"], "RequestedFulfillmentOrganizationCode"
    )
    header |= _buyer(call, arguments.get("BuyingPartyNumber"), arguments.get("BuyingPartyName"))
    for index, line in enumerate(lines):
        item_in(call, organization, line.product, f"lines[{index}].ProductNumber")
        rules.known(call, "uom", line.unit, f"lines[{index}].OrderedUOM")
    _refuse_repeat(call, header, lines, total)
    submitted = bool(arguments["SubmittedFlag"])
    number = call.next_number("sales_orders")
    call.insert(
        "sales_orders",
        {
            "OrderNumber": number,
            **header,
            "SubmittedFlag": int(submitted),
            "StatusCode": "Booked" if submitted else "Draft",
            "OrderTotal": total,
            "CreationDate": call.now,
            "CreatedBy": call.meta["analyst"],
            "LastUpdateDate": call.now,
        },
    )
    for line in lines:
        _insert_line(call, number, line)
    return _order(call, number)


def _lines(value: Any) -> list[OrderLine]:
    """The order's lines; none where the argument is missing or empty."""
    if value is None or value == []:
        return []
    given = rules.line_list(value, "lines", LINE_KEYS, OPTIONAL_LINE_KEYS)
    return [
        _line(line, number, f"lines[{index}]")
        for index, (line, number) in enumerate(zip(given, line_numbers(given, "lines"), strict=True))
    ]


def _line(line: dict[str, Any], number: int, where: str) -> OrderLine:
    source = line.get("SourceLineNumber")
    ordered = rules.whole(line["OrderedQuantity"], f"{where}.OrderedQuantity")
    unit_price = price(line["UnitListPrice"], f"{where}.UnitListPrice")
    return OrderLine(
        number=number,
        source=None if source is None else line_number(source, f"{where}.SourceLineNumber"),
        product=text(line["ProductNumber"], f"{where}.ProductNumber"),
        quantity=ordered,
        unit=text(line["OrderedUOM"], f"{where}.OrderedUOM"),
        price=unit_price,
        extended=extended(ordered, unit_price, where),
    )


def _total(lines: list[OrderLine], given: Any) -> int:
    if not lines and given is None:
        raise InvalidArguments("lines: expected lines, or OrderTotal for an order that is not itemised", "lines")
    total = sum(line.extended for line in lines)
    if given is None:
        return total
    header_total = amount(given, "OrderTotal", positive=False)
    if lines and header_total != total:
        raise Refused(
            f"OrderTotal: the lines come to {money.show(total)}, the header says {money.show(header_total)}",
            "OrderTotal",
        )
    return header_total


def _buyer(call: Call, number: Any, name: Any) -> Row:
    if number is None and name is None:
        raise InvalidArguments(
            "BuyingPartyNumber: expected an account number, or BuyingPartyName for a customer without an account",
            "BuyingPartyNumber",
        )
    given = None if name is None else text(name, "BuyingPartyName")
    if number is None:
        return {"BuyingPartyNumber": None, "BuyingPartyName": given}
    account = call.row(
        "SELECT AccountId, CustomerName FROM accounts WHERE AccountId = ?", (text(number, "BuyingPartyNumber"),)
    )
    if account is None:
        raise Refused(f"BuyingPartyNumber: no customer account {shown(number)} in this tenant", "BuyingPartyNumber")
    if given not in (None, account["CustomerName"]):
        raise Refused(
            f"BuyingPartyName: account {account['AccountId']} is {account['CustomerName']}, came {shown(given)}",
            "BuyingPartyName",
        )
    return {"BuyingPartyNumber": account["AccountId"], "BuyingPartyName": account["CustomerName"]}


def _refuse_repeat(call: Call, header: Row, lines: list[OrderLine], total: int) -> None:
    where = " AND ".join(f"{column} IS ?" for column in header)
    wanted = Counter((line.product, line.quantity, line.unit, line.price) for line in lines)
    for order in call.rows(f"SELECT * FROM sales_orders WHERE {where}", tuple(header.values())):
        if order["StatusCode"] in CANCELLED or order["OrderTotal"] != total:
            continue
        standing = call.rows("SELECT * FROM sales_order_lines WHERE OrderNumber = ?", (order["OrderNumber"],))
        if wanted == Counter(
            (line["ProductNumber"], line["OrderedQuantity"], line["OrderedUOM"], line["UnitListPrice"])
            for line in standing
        ):
            raise Refused(
                f"SourceTransactionNumber: order {order['OrderNumber']} already holds"
                f" {header['SourceTransactionNumber']} for {header['CustomerPONumber']} with the same lines",
                "SourceTransactionNumber",
            )


def _insert_line(call: Call, order: str, line: OrderLine) -> None:
    call.insert(
        "sales_order_lines",
        {
            "OrderNumber": order,
            "LineNumber": line.number,
            "SourceLineNumber": line.source,
            "ProductNumber": line.product,
            "OrderedQuantity": line.quantity,
            "OrderedUOM": line.unit,
            "UnitListPrice": line.price,
            "ExtendedAmount": line.extended,
        },
    )


def _order(call: Call, number: str) -> Row:
    row = ORDERS.read_one(call, "OrderNumber", number)
    if row is None:
        raise NotFound(f"OrderKey: no sales order {number}", "OrderKey")
    return _present(call, [row])[0]


def _present(call: Call, rows: list[Row]) -> list[Row]:
    lines = ORDER_LINES.of(call, rows)
    return [{**ORDERS.present(row), "OrderKey": row["OrderNumber"], "lines": lines[row["OrderNumber"]]} for row in rows]
