"""Shipments and their lines; the shipped quantity of a line may be corrected until the shipment is confirmed."""

from typing import Any

from erpbench_world import rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import Refused
from erpbench_world.fields import note, record_id
from erpbench_world.registry import tool
from erpbench_world.resources import Resource, collection

SHIPMENTS = Resource(
    "shipments",
    {
        "Shipment": "text",
        "OrderNumber": "text",
        "BuyingPartyNumber": "text",
        "ShipFromOrganizationCode": "text",
        "ShipmentStatus": "text",
        "PlannedShipDate": "date",
        "CarrierName": "text",
    },
)
SHIPMENT_LINES = Resource(
    "shipment_lines",
    {
        "ShipmentLine": "integer",
        "Shipment": "text",
        "OrderNumber": "text",
        "OrderLineNumber": "integer",
        "ItemNumber": "text",
        "LotNumber": "text",
        "UOM": "text",
        "RequestedQuantity": "integer",
        "ShippedQuantity": "integer",
        "UnitSellingPrice": "money",
        "LineStatus": "text",
        "Comments": "text",
    },
)
CONFIRMED = ("Confirmed", "Shipped", "Closed")
CANCELLED = ("Cancelled", "Canceled")


def most_shippable(requested: int) -> int:
    """The most that a line takes: a quarter above what was requested, rounded up (7 requested: 9)."""
    return (requested * 5 + 3) // 4


@tool("oracle_fusion.shipments.list")
def list_shipments(call: Call, arguments: dict[str, Any]) -> Row:
    """Shipments by number, without their lines."""
    return collection([SHIPMENTS.present(row) for row in SHIPMENTS.read(call, arguments.get("q"))])


@tool("oracle_fusion.shipment_lines.list")
def list_shipment_lines(call: Call, arguments: dict[str, Any]) -> Row:
    """Shipment lines by identifier."""
    return collection([SHIPMENT_LINES.present(row) for row in SHIPMENT_LINES.read(call, arguments.get("q"))])


@tool("oracle_fusion.shipment_lines.update")
def update_shipment_line(call: Call, arguments: dict[str, Any]) -> Row:
    """Set the shipped quantity of one line, from zero to most_shippable; blank Comments count as none given."""
    number = record_id(arguments["ShipmentLine"], "ShipmentLine")
    shipped = rules.whole(arguments["ShippedQuantity"], "ShippedQuantity", positive=False)
    comments = note(arguments["Comments"], "Comments") if str(arguments.get("Comments") or "").strip() else None
    line = call.row("SELECT * FROM shipment_lines WHERE ShipmentLine = ?", (number,))
    if line is None:
        raise Refused(f"ShipmentLine: no shipment line {number} in this tenant", "ShipmentLine")
    shipment = call.row("SELECT ShipmentStatus FROM shipments WHERE Shipment = ?", (line["Shipment"],))
    if shipment is None or shipment["ShipmentStatus"] in CONFIRMED:
        status = shipment["ShipmentStatus"] if shipment else "unknown"
        raise Refused(
            f"ShipmentLine: line {number} is on shipment {line['Shipment']}, whose status is {status};"
            " it cannot be changed",
            "ShipmentLine",
        )
    if line["LineStatus"] in CANCELLED:
        raise Refused(f"ShipmentLine: line {number} is cancelled", "ShipmentLine")
    most = most_shippable(line["RequestedQuantity"])
    if shipped > most:
        raise Refused(
            f"ShippedQuantity: {shipped} is above {most}, the most that line {number} takes with"
            f" {line['RequestedQuantity']} requested",
            "ShippedQuantity",
        )
    changes: Row = {"ShippedQuantity": shipped}
    if comments is not None:
        changes["Comments"] = comments
    call.update("shipment_lines", {"ShipmentLine": number}, changes)
    return SHIPMENT_LINES.present(call.show("shipment_lines", [{**line, **changes}])[0])
