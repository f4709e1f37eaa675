"""Procurement: suppliers, purchase orders, and purchase requisitions from entry to submission."""

from dataclasses import dataclass
from typing import Any

from erpbench_world import rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import NotFound, Refused
from erpbench_world.fields import extended, line_numbers, note, price, text
from erpbench_world.items import item_of_tenant, unit_of
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

SUPPLIERS = Resource(
    "suppliers",
    {
        "SupplierNumber": "text",
        "Supplier": "text",
        "SupplierStatus": "text",
        "LeadTimeDays": "integer",
        "PaymentTerms": "text",
        "Comments": "text",
    },
)
PURCHASE_ORDERS = Resource(
    "purchase_orders",
    {
        "OrderNumber": "text",
        "Supplier": "text",
        "ProcurementBU": "text",
        "ShipToOrganizationCode": "text",
        "Status": "text",
        "CreationDate": "date",
        "CurrencyCode": "text",
    },
)
PURCHASE_ORDER_LINES = Lines(
    Resource(
        "purchase_order_lines",
        {
            "OrderNumber": "text",
            "LineNumber": "integer",
            "ItemNumber": "text",
            "Description": "text",
            "Quantity": "integer",
            "UOM": "text",
            "UnitPrice": "money",
            "PromisedDate": "date",
            "ReceivedQuantity": "integer",
            "BilledQuantity": "integer",
            "LineStatus": "text",
        },
    ),
    "OrderNumber",
)
REQUISITIONS = Resource(
    "purchase_requisitions",
    {
        "Requisition": "text",
        "RequisitioningBU": "text",
        "Preparer": "text",
        "Description": "text",
        "Justification": "text",
        "DocumentStatus": "text",
        "RequisitionTotal": "money",
        "CreationDate": "date",
        "SubmittedDate": "date",
    },
)
REQUISITION_LINES = Lines(
    Resource(
        "purchase_requisition_lines",
        {
            "Requisition": "text",
            "LineNumber": "integer",
            "ItemNumber": "text",
            "Quantity": "integer",
            "UOM": "text",
            "UnitPrice": "money",
            "Supplier": "text",
            "RequestedDeliveryDate": "date",
        },
    ),
    "Requisition",
)
LINE_KEYS = ("ItemNumber", "Quantity", "UOM", "UnitPrice", "Supplier", "RequestedDeliveryDate")
INACTIVE = "Inactive"
"""The one supplier status that refuses a line. Whether a Blocked one may be asked for is for purchasing to decide."""


@dataclass(frozen=True)
class RequisitionLine:
    """price and extended in ten-thousandths; delivery an ISO date."""

    number: int
    item: str
    quantity: int
    unit: str
    price: int
    extended: int
    supplier: str
    delivery: str


@tool("oracle_fusion.suppliers.list")
def list_suppliers(call: Call, arguments: dict[str, Any]) -> Row:
    """Suppliers by number, with their lead times in days."""
    return collection([SUPPLIERS.present(row) for row in SUPPLIERS.read(call, arguments.get("q"))])


@tool("oracle_fusion.purchase_orders.list")
def list_purchase_orders(call: Call, arguments: dict[str, Any]) -> Row:
    """Purchase orders by number, each with its lines."""
    return collection(_present_orders(call, PURCHASE_ORDERS.read(call, arguments.get("q"))))


@tool("oracle_fusion.purchase_orders.get")
def get_purchase_order(call: Call, arguments: dict[str, Any]) -> Row:
    """One purchase order with its lines. Raises NotFound."""
    number = text(arguments["purchaseOrdersUniqID"], "purchaseOrdersUniqID")
    row = PURCHASE_ORDERS.read_one(call, "OrderNumber", number)
    if row is None:
        raise NotFound(f"purchaseOrdersUniqID: no purchase order {number}", "purchaseOrdersUniqID")
    return _present_orders(call, [row])[0]


@tool("oracle_fusion.purchase_order_lines.list")
def list_purchase_order_lines(call: Call, arguments: dict[str, Any]) -> Row:
    """The lines of one purchase order. Raises NotFound for an unknown order."""
    number = text(arguments["purchaseOrdersUniqID"], "purchaseOrdersUniqID")
    if call.row("SELECT 1 FROM purchase_orders WHERE OrderNumber = ?", (number,)) is None:
        raise NotFound(f"purchaseOrdersUniqID: no purchase order {number}", "purchaseOrdersUniqID")
    lines = PURCHASE_ORDER_LINES.of(call, [{"OrderNumber": number}])[number]
    return collection([{"OrderNumber": number, **line} for line in lines])


@tool("oracle_fusion.purchase_requisitions.get")
def get_requisition(call: Call, arguments: dict[str, Any]) -> Row:
    """One requisition with its lines. Raises NotFound."""
    number = text(arguments["purchaseRequisitionsUniqID"], "purchaseRequisitionsUniqID")
    row = REQUISITIONS.read_one(call, "Requisition", number)
    if row is None:
        raise NotFound(f"purchaseRequisitionsUniqID: no requisition {number}", "purchaseRequisitionsUniqID")
    return _present_requisition(call, row)


@tool("oracle_fusion.purchase_requisitions.create")
def create_requisition(call: Call, arguments: dict[str, Any]) -> Row:
    """Enter a requisition; it stays Incomplete until it is submitted."""
    unit = text(arguments["RequisitioningBU"], "RequisitioningBU")
    header = {
        "RequisitioningBU": unit,
        "Preparer": text(arguments["Preparer"], "Preparer"),
        "Description": note(arguments["Description"], "Description"),
        "Justification": note(arguments["Justification"], "Justification"),
    }
    given = rules.line_list(arguments["lines"], "lines", LINE_KEYS, ("LineNumber",))
    numbers = line_numbers(given, "lines")
    lines = [
        _line(line, number, f"lines[{index}]") for index, (line, number) in enumerate(zip(given, numbers, strict=True))
    ]
    rules.organization(call, "business_unit", unit, "RequisitioningBU", column="name")
    rules.open_period(call, "purchasing", call.today, "requisition date")
    suppliers = [_check_line(call, line, f"lines[{index}]") for index, line in enumerate(lines)]
    requisition = call.next_number("purchase_requisitions")
    row = {
        "Requisition": requisition,
        **header,
        "DocumentStatus": "Incomplete",
        "RequisitionTotal": sum(line.extended for line in lines),
        "CreationDate": call.now,
        "SubmittedDate": None,
    }
    call.insert("purchase_requisitions", row)
    for line, supplier in zip(lines, suppliers, strict=True):
        _insert_line(call, requisition, line, supplier)
    return _present_requisition(call, call.show("purchase_requisitions", [row])[0])


@tool("oracle_fusion.purchase_requisitions.submit")
def submit_requisition(call: Call, arguments: dict[str, Any]) -> Row:
    """Send an Incomplete requisition to its approvers: Pending Approval."""
    number = text(arguments["purchaseRequisitionsUniqID"], "purchaseRequisitionsUniqID")
    row = call.row("SELECT * FROM purchase_requisitions WHERE Requisition = ?", (number,))
    if row is None:
        raise Refused(
            f"purchaseRequisitionsUniqID: no requisition {number} in this tenant", "purchaseRequisitionsUniqID"
        )
    if row["DocumentStatus"] != "Incomplete":
        raise Refused(
            f"purchaseRequisitionsUniqID: requisition {number} has the status {row['DocumentStatus']};"
            " only an Incomplete one can be submitted",
            "purchaseRequisitionsUniqID",
        )
    changes: Row = {"DocumentStatus": "Pending Approval", "SubmittedDate": call.today}
    call.update("purchase_requisitions", {"Requisition": number}, changes)
    return _present_requisition(call, call.show("purchase_requisitions", [{**row, **changes}])[0])


def supplier_named(call: Call, value: str, argument: str) -> Row:
    """The supplier of this name or number. Raises Refused."""
    row = call.row("SELECT * FROM suppliers WHERE Supplier = ? OR SupplierNumber = ?", (value, value))
    if row is None:
        raise Refused(f"{argument}: no supplier {value} in this tenant", argument)
    return row


def order_line(call: Call, order: str, line: int, item: str, where: str) -> Row:
    """The line of a purchase order, whose item must be the one named. Raises Refused."""
    row = call.row("SELECT * FROM purchase_order_lines WHERE OrderNumber = ? AND LineNumber = ?", (order, line))
    if row is None:
        raise Refused(f"{where}: purchase order {order} has no line {line}", where)
    if row["ItemNumber"] != item:
        raise Refused(
            f"{where}.ItemNumber: line {line} of purchase order {order} is for {row['ItemNumber']}, came {item}",
            f"{where}.ItemNumber",
        )
    return row


def _line(line: dict[str, Any], number: int, where: str) -> RequisitionLine:
    requested = rules.whole(line["Quantity"], f"{where}.Quantity")
    unit_price = price(line["UnitPrice"], f"{where}.UnitPrice")
    return RequisitionLine(
        number=number,
        item=text(line["ItemNumber"], f"{where}.ItemNumber"),
        quantity=requested,
        unit=text(line["UOM"], f"{where}.UOM"),
        price=unit_price,
        extended=extended(requested, unit_price, where),
        supplier=text(line["Supplier"], f"{where}.Supplier"),
        delivery=rules.iso_date(line["RequestedDeliveryDate"], f"{where}.RequestedDeliveryDate"),
    )


def _check_line(call: Call, line: RequisitionLine, where: str) -> str:
    """The name of the line's supplier."""
    unit_of(call, item_of_tenant(call, line.item, f"{where}.ItemNumber"), line.unit, f"{where}.UOM")
    supplier = supplier_named(call, line.supplier, f"{where}.Supplier")
    if supplier["SupplierStatus"] == INACTIVE:
        raise Refused(
            f"{where}.Supplier: {supplier['Supplier']} has the status {supplier['SupplierStatus']}; nothing can be"
            " requested from it",
            f"{where}.Supplier",
        )
    if line.delivery < call.today:
        raise Refused(
            f"{where}.RequestedDeliveryDate: {line.delivery} lies before today, {call.today}",
            f"{where}.RequestedDeliveryDate",
        )
    return str(supplier["Supplier"])


def _insert_line(call: Call, requisition: str, line: RequisitionLine, supplier: str) -> None:
    call.insert(
        "purchase_requisition_lines",
        {
            "Requisition": requisition,
            "LineNumber": line.number,
            "ItemNumber": line.item,
            "Quantity": line.quantity,
            "UOM": line.unit,
            "UnitPrice": line.price,
            "Supplier": supplier,
            "RequestedDeliveryDate": line.delivery,
        },
    )


def _present_orders(call: Call, rows: list[Row]) -> list[Row]:
    lines = PURCHASE_ORDER_LINES.of(call, rows)
    return [{**PURCHASE_ORDERS.present(row), "lines": lines[row["OrderNumber"]]} for row in rows]


def _present_requisition(call: Call, row: Row) -> Row:
    return {**REQUISITIONS.present(row), "lines": REQUISITION_LINES.of(call, [row])[row["Requisition"]]}
