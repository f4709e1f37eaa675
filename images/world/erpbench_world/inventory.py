"""On-hand balances of the inventory organizations: what lies in each subinventory and what of it is reserved."""

from typing import Any

from erpbench_world.call import Call, Row
from erpbench_world.registry import tool
from erpbench_world.resources import Resource, collection

BALANCES = Resource(
    "onhand_balances",
    {
        "OrganizationCode": "text",
        "ItemNumber": "text",
        "SubinventoryCode": "text",
        "OnhandQuantity": "integer",
        "ReservedQuantity": "integer",
        "UOM": "text",
    },
)


@tool("oracle_fusion.onhand_balances.list")
def list_balances(call: Call, arguments: dict[str, Any]) -> Row:
    """Balances by organization, item and subinventory; a reservation is part of the on-hand quantity."""
    return collection([BALANCES.present(row) for row in BALANCES.read(call, arguments.get("q"))])
