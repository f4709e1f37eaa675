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

    item and lot are those scanned, which may differ from the line's. remark is a code of the shipping rules. second is
    what another counter found in packs, where two counted and did not agree.
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
    second: int | None = None

    @property
    def pieces(self) -> int:
        return self.quantity * self.pieces_per_unit + self.loose


class PickConfirmation(Model):
    """source is a Drive file id, or for medium mail a message id. confirmed_by is a role; None is unsigned.

    unsigned: shipments of the file whose lines were left without a signature though others have one.
    """

    source: str
    medium: Literal["drive", "mail"]
    issued: dt.datetime
    edition: int
    picked_by: str
    confirmed_by: str | None
    unsigned: tuple[str, ...] = ()
    replaces: str | None = None
    lines: tuple[PickedLine, ...]

    def signed_for(self, shipment: str) -> bool:
        """Whether the shipment's lines are a basis: the lead's own mail always is, the file where it is signed."""
        return self.medium == "mail" or (self.confirmed_by is not None and shipment not in self.unsigned)

    def picked(self, shipment_line: int) -> PickedLine | None:
        return next((line for line in self.lines if line.shipment_line == shipment_line), None)


class Recount(Model):
    """A mail of the warehouse lead after the pick: lines that were counted once more, and only those."""

    source: str
    issued: dt.datetime
    counted_by: str
    lines: tuple[PickedLine, ...]


class DeliveryAgreement(Model):
    """How much more than requested the customer takes, in percent of the requested quantity."""

    source: str
    issued: dt.datetime
    edition: int
    over_percent: int
    replaces: str | None = None


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

    short_remark: code of an undisputed short or empty bin. disputed_remark: code of a line that two people counted with
    two results. price: where the value of a line comes from. unsigned: what happens on a confirmation nobody signed.
    """

    source: str
    issued: dt.datetime
    edition: int
    short_remark: str
    wrong_item_remark: str
    disputed_remark: str = "RECOUNT"
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
    recount: Recount | None = None
    agreements: tuple[DeliveryAgreement, ...] = ()
    lot_reports: tuple[LotReport, ...]
    rules: ShippingRules
    rumour: Rumour | None = None
    chat_thread: str

    @property
    def confirmation(self) -> PickConfirmation:
        """The one filed on Drive."""
        return next(entry for entry in self.confirmations if entry.medium == "drive")

    @property
    def superseded_count(self) -> PickConfirmation:
        """The count that the filed confirmation takes the place of."""
        return next(entry for entry in self.confirmations if entry.medium == "mail")

    @property
    def lot_status(self) -> LotReport | None:
        """The latest edition; the only one in force."""
        return max(self.lot_reports, key=lambda report: report.edition, default=None)

    @property
    def agreement(self) -> DeliveryAgreement | None:
        """The latest edition; the only one in force."""
        return max(self.agreements, key=lambda agreement: agreement.edition, default=None)

    @property
    def shipments(self) -> tuple[Shipment, ...]:
        return (self.task, self.decoy, *self.past)
