"""The facts of a staged shipment: its order, what was picked, the state of lots, and the shipping rules.

Descriptions, units and names are the profile's. Quantities of shipment lines are in the item's own unit; a pick may be
counted in cartons.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.office import Contact
from generator.spec.tenant import Model


class OrderedLine(Model):
    line: int
    item: str
    quantity: int
    unit_price: Decimal


class SalesOrder(Model):
    number: str
    account: str
    customer_po: str
    source_number: str
    created: dt.datetime
    created_by: str
    status: str
    lines: tuple[OrderedLine, ...]

    def line(self, number: int) -> OrderedLine:
        """Raises KeyError for a line the order does not have."""
        for line in self.lines:
            if line.line == number:
                return line
        raise KeyError(f"{self.number} has no line {number}")


class StagedLine(Model):
    """staged is the shipped quantity the ERP holds before any correction."""

    id: int
    order_line: int
    lot: str | None = None
    requested: int
    staged: int
    status: Literal["Staged", "Cancelled", "Shipped"] = "Staged"


class Shipment(Model):
    number: str
    status: Literal["Staged", "Shipped"] = "Staged"
    planned: dt.date
    carrier: str
    order: SalesOrder
    lines: tuple[StagedLine, ...]


class PickedLine(Model):
    """What the picker counted for a shipment line: quantity packs of pieces_per_unit, and loose pieces.

    item and lot are those scanned, which may differ from the line's. remark is a code of the shipping rules.
    """

    shipment: str
    shipment_line: int
    item: str
    lot: str | None = None
    quantity: int
    unit: str = "EA"
    pieces_per_unit: int = 1
    loose: int = 0
    remark: str | None = None

    @property
    def pieces(self) -> int:
        return self.quantity * self.pieces_per_unit + self.loose


class PickConfirmation(Model):
    """source is a Drive file id, or for medium mail a message id. confirmed_by is a role; None is unsigned."""

    source: str
    medium: Literal["drive", "mail"]
    issued: dt.datetime
    edition: int
    picked_by: str
    confirmed_by: str | None
    replaces: str | None = None
    lines: tuple[PickedLine, ...]


class LotReport(Model):
    """A mail of the quality engineer: lots in quarantine from then on, lots released."""

    source: str
    issued: dt.datetime
    edition: int
    quarantined: tuple[str, ...]
    released: tuple[str, ...] = ()
    replaces: str | None = None


class ShippingRules(Model):
    """What the warehouse lead's rules say that differs from office to office.

    short_remark: code of an undisputed short or empty bin. price: where the value of a line comes from.
    unsigned: what happens on a confirmation nobody signed.
    """

    source: str
    issued: dt.datetime
    edition: int
    short_remark: str
    wrong_item_remark: str
    price: Literal["order", "list"] = "order"
    increase_to_requested: bool = True
    unsigned: Literal["recount"] = "recount"


class Rumour(Model):
    """A chat message about a lot that somebody believes to be free."""

    at: dt.datetime
    author: str
    lot: str


class Facts(Model):
    organization: str
    transaction_type: str
    source_system: str
    quality: Contact
    task: Shipment
    decoy: Shipment
    past: tuple[Shipment, ...] = ()
    confirmations: tuple[PickConfirmation, ...]
    lot_reports: tuple[LotReport, ...]
    rules: ShippingRules
    rumour: Rumour | None = None
    chat_thread: str

    @property
    def confirmation(self) -> PickConfirmation:
        """The one filed on Drive."""
        return next(entry for entry in self.confirmations if entry.medium == "drive")

    @property
    def shipments(self) -> tuple[Shipment, ...]:
        return (self.task, self.decoy, *self.past)
