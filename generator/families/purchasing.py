"""Purchase orders as the reorder and the matching family keep them, and their rows of the world's tables."""

import datetime as dt
from decimal import Decimal
from typing import Any, Literal

from generator.families.base import Rows
from generator.spec.tenant import Model, Supplier, TenantProfile


class OrderLine(Model):
    """description is needed for a code that is not in the item master; uom then says its unit."""

    line: int
    item: str
    quantity: int
    unit_price: Decimal
    promised: dt.date
    received: int = 0
    billed: int = 0
    status: Literal["Open", "Closed", "Cancelled"] = "Open"
    description: str | None = None
    uom: str = "EA"


class PurchaseOrder(Model):
    """supplier is the supplier's number."""

    number: str
    supplier: str
    organization: str
    status: Literal["Open", "Closed", "Canceled"] = "Open"
    created: dt.datetime
    lines: tuple[OrderLine, ...]

    def line(self, number: int) -> OrderLine:
        """Raises KeyError for a line the order does not have."""
        for line in self.lines:
            if line.line == number:
                return line
        raise KeyError(f"{self.number} has no line {number}")


def supplier(profile: TenantProfile, number: str) -> Supplier:
    """Raises KeyError for a supplier the tenant does not have."""
    for entry in profile.suppliers:
        if entry.number == number:
            return entry
    raise KeyError(f"{profile.code} has no supplier {number}")


def order_rows(profile: TenantProfile, orders: tuple[PurchaseOrder, ...]) -> Rows:
    return {
        "purchase_orders": [
            {
                "OrderNumber": order.number,
                "Supplier": supplier(profile, order.supplier).name,
                "ProcurementBU": profile.business_unit,
                "ShipToOrganizationCode": order.organization,
                "Status": order.status,
                "CreationDate": order.created,
                "CurrencyCode": profile.currency,
            }
            for order in orders
        ],
        "purchase_order_lines": [_line(profile, order, line) for order in orders for line in order.lines],
    }


def _line(profile: TenantProfile, order: PurchaseOrder, line: OrderLine) -> dict[str, Any]:
    if line.description is None:
        item = profile.item(line.item, order.organization)
        description, uom = item.description, item.uom
    else:
        description, uom = line.description, line.uom
    return {
        "OrderNumber": order.number,
        "LineNumber": line.line,
        "ItemNumber": line.item,
        "Description": description,
        "Quantity": line.quantity,
        "UOM": uom,
        "UnitPrice": line.unit_price,
        "PromisedDate": line.promised,
        "ReceivedQuantity": line.received,
        "BilledQuantity": line.billed,
        "LineStatus": line.status,
    }
