"""The facts of a reorder run: stock, reservations, open supply, the reorder policy's editions and the forecast.

Suppliers' status and lead times, items and units are the profile's.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.purchasing import PurchaseOrder
from generator.spec.tenant import Model


class Stock(Model):
    organization: str
    item: str
    subinventory: str
    on_hand: int


class Reservation(Model):
    organization: str
    item: str
    order: str
    quantity: int


class CancelledOrder(Model):
    """A customer's order that was cancelled while its reservation stayed behind. unit_price is that of its one line."""

    number: str
    account: str
    customer_po: str
    source_number: str
    organization: str
    created: dt.datetime
    cancelled: dt.datetime
    item: str
    quantity: int
    unit_price: Decimal


class OrderedItem(Model):
    item: str
    quantity: int
    unit_price: Decimal


class LiveOrder(Model):
    """A customer's order that still waits for its goods."""

    number: str
    account: str
    customer_po: str
    source_number: str
    organization: str
    created: dt.datetime
    status: Literal["Booked", "Awaiting Shipping"] = "Booked"
    lines: tuple[OrderedItem, ...]


class SupplySource(Model):
    supplier: str
    unit_cost: Decimal


class Level(Model):
    """One row of the policy's table."""

    organization: str
    item: str
    reorder_point: int
    order_up_to: int
    minimum: int
    multiple: int
    first: SupplySource
    second: SupplySource | None = None


class ReorderPolicy(Model):
    """One edition. medium drive is the workbook's own; sheet an earlier one kept in it; mail an announced draft.

    levels_in: reorder points and order-up-to levels in the item's unit, or in weeks of its forecast demand.
    lead_time_calendar: working counts Monday to Friday without closed_days.
    submit_limit: requisitions up to this amount are submitted by the desk.
    release_limit: a requisition above this amount needs a spending release; None asks for none.
    """

    source: str
    medium: Literal["drive", "sheet", "mail"]
    edition: int
    status: Literal["issued", "draft"] = "issued"
    issued: dt.datetime
    effective_from: dt.date
    effective_to: dt.date | None = None
    window_days: int
    levels_in: Literal["units", "weeks"] = "units"
    lead_time_calendar: Literal["calendar", "working"] = "calendar"
    closed_days: tuple[dt.date, ...] = ()
    submit_limit: Decimal
    release_limit: Decimal | None = None
    levels: tuple[Level, ...] = ()

    def level(self, organization: str, item: str) -> Level | None:
        return next((row for row in self.levels if (row.organization, row.item) == (organization, item)), None)


class ForecastLine(Model):
    """suggested is the planning tool's order quantity, with the supplier it assumes."""

    organization: str
    item: str
    weekly_demand: int
    suggested: int
    needed_by: dt.date
    supplier: str


class Forecast(Model):
    source: str
    issued: dt.datetime
    lines: tuple[ForecastLine, ...]


    def line(self, organization: str, item: str) -> ForecastLine:
        """Raises KeyError for an item that is not forecast."""
        for line in self.lines:
            if (line.organization, line.item) == (organization, item):
                return line
        raise KeyError(f"{self.source} has no {item} in {organization}")


class SpendingRelease(Model):
    """The plant manager's permission to spend up to an amount for an organization; a message."""

    source: str
    issued: dt.datetime
    organization: str
    amount: Decimal
    valid_to: dt.date


class Facts(Model):
    """organization is the task's, decoy_organization the one next to it."""

    organization: str
    decoy_organization: str
    transaction_type: str
    source_system: str
    stock: tuple[Stock, ...]
    reservations: tuple[Reservation, ...]
    reservations_source: str
    reservations_listed: dt.datetime
    cancelled_orders: tuple[CancelledOrder, ...] = ()
    live_orders: tuple[LiveOrder, ...] = ()
    supply: tuple[PurchaseOrder, ...]
    policies: tuple[ReorderPolicy, ...]
    forecast: Forecast
    release: SpendingRelease | None = None
    chat_at: dt.datetime
    chat_thread: str

    @property
    def policy(self) -> ReorderPolicy:
        """The edition the workbook is filed for."""
        return next(entry for entry in self.policies if entry.medium == "drive")

    def edition(self, source: str) -> ReorderPolicy:
        """Raises KeyError for a source that is no edition of the policy."""
        for entry in self.policies:
            if entry.source == source:
                return entry
        raise KeyError(f"no reorder policy {source}")

    def reserved(self, organization: str, item: str) -> int:
        """What the ERP shows as reserved, orders of any status."""
        return sum(r.quantity for r in self.reservations if (r.organization, r.item) == (organization, item))
