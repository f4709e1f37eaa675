"""The facts of a delivery and its invoice: purchase order, delivery reports, invoice, the match policy's editions.

Suppliers are the profile's. A case is one order with what was delivered and what was billed on it.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.office import Contact
from generator.families.purchasing import PurchaseOrder
from generator.spec.tenant import Model


class DeliveredLine(Model):
    """damaged is part of counted; what is left is accepted."""

    order_line: int
    shipped: int
    counted: int
    damaged: int = 0
    remark: str | None = None

    @property
    def accepted(self) -> int:
        return self.counted - self.damaged


class DeliveryReport(Model):
    """A delivery note checked at the dock, or what the supplier announced. medium drive is file 12, mail a message.

    kind note: shipped, counted and damaged are known; announcement: only what was shipped.
    """

    source: str
    medium: Literal["drive", "mail"]
    kind: Literal["note", "announcement"]
    number: str
    issued: dt.datetime
    edition: int
    checked_by: str | None = None
    replaces: str | None = None
    lines: tuple[DeliveredLine, ...]


class BilledLine(Model):
    """order_line None is a charge without an order line, which description names.

    A supplier who bills in packs has quantity and unit_price by the unit, which holds content of the order's units.
    """

    order_line: int | None
    quantity: int
    unit_price: Decimal
    description: str | None = None
    unit: str | None = None
    content: int = 1

    @property
    def ordered_units(self) -> int:
        """What is billed in the order's unit."""
        return self.quantity * self.content

    @property
    def ordered_unit_price(self) -> Decimal:
        return self.unit_price / self.content


class SupplierInvoice(Model):
    source: str
    medium: Literal["drive", "mail"]
    number: str
    dated: dt.date
    received: dt.datetime
    lines: tuple[BilledLine, ...]


class Match(Model):
    """One order with its deliveries and its invoice: the task's, or the decoy's. delivery names the report in force.

    corrected is the invoice that the supplier sent in place of the first one, under the same number and date.
    """

    order: PurchaseOrder
    contact: Contact
    delivery: str
    deliveries: tuple[DeliveryReport, ...]
    invoice: SupplierInvoice
    corrected: SupplierInvoice | None = None

    @property
    def billed(self) -> SupplierInvoice:
        """The invoice in force."""
        return self.corrected or self.invoice

    def bill(self, source: str) -> SupplierInvoice:
        """Raises KeyError for a source that is no invoice of this delivery."""
        for entry in (self.invoice, self.corrected):
            if entry is not None and entry.source == source:
                return entry
        raise KeyError(f"{self.order.number} has no invoice {source}")

    def report(self, source: str) -> DeliveryReport:
        """Raises KeyError for a source that is no report of this delivery."""
        for entry in self.deliveries:
            if entry.source == source:
                return entry
        raise KeyError(f"{self.order.number} has no delivery report {source}")


class EarlierReceipt(Model):
    number: str
    order: str
    organization: str
    created: dt.datetime
    created_by: str
    lines: tuple[tuple[int, int], ...]
    """(order line, quantity) pairs."""


class EarlierInvoice(Model):
    id: int
    number: str
    order: str
    dated: dt.date
    created: dt.datetime
    validation: Literal["Validated", "Not validated"] = "Validated"
    paid: Literal["Paid", "Unpaid"] = "Paid"
    lines: tuple[tuple[int, int, Decimal], ...]
    """(order line, quantity, unit price) triples."""


class ManualEntry(Model):
    """An invoice that was keyed without an order: number as it was typed, one line. Nothing was done with it since."""

    id: int
    number: str
    supplier: str
    dated: dt.date
    created: dt.datetime
    amount: Decimal
    description: str


class ManualEntries(Model):
    """The payables supervisor's list of them, a message."""

    source: str
    listed: dt.datetime
    entries: tuple[ManualEntry, ...]


class HoldNames(Model):
    price: str
    quantity: str
    not_on_order: str


class MatchPolicy(Model):
    """One edition. medium drive is file 13, mail the message that announced an earlier one.

    A price may differ from the order's by tolerance_pct and by tolerance_cap for the line, whichever is less (lower)
    or more.
    charge_cap: a charge without an order line is accepted up to this amount; None always holds it.
    pays_in_part: under a hold the matched lines may be paid.
    refuses_repeats: what has been entered before goes back unentered.
    """

    source: str
    medium: Literal["drive", "mail"]
    edition: int
    issued: dt.datetime
    effective_from: dt.date
    effective_to: dt.date | None = None
    tolerance_pct: Decimal
    tolerance_cap: Decimal
    lower: bool = True
    charge_cap: Decimal | None = None
    pays_in_part: bool = False
    refuses_repeats: bool = True
    holds: HoldNames


class Facts(Model):
    organization: str
    business_unit: str
    receipt_source: str
    receipt_transaction: str
    task: Match
    decoy: Match
    earlier_receipts: tuple[EarlierReceipt, ...] = ()
    earlier_invoices: tuple[EarlierInvoice, ...] = ()
    manual_entries: ManualEntries | None = None
    policies: tuple[MatchPolicy, ...]
    chat_at: dt.datetime
    chat_thread: str

    @property
    def policy(self) -> MatchPolicy:
        """The edition filed on Drive."""
        return next(entry for entry in self.policies if entry.medium == "drive")

    def edition(self, source: str) -> MatchPolicy:
        """Raises KeyError for a source that is no edition of the policy."""
        for entry in self.policies:
            if entry.source == source:
                return entry
        raise KeyError(f"no match policy {source}")

    def repeated(self, match: Match) -> ManualEntry | None:
        """The manual entry that is the match's own invoice, however its number was typed."""
        typed = _letters(match.invoice.number)
        entries = self.manual_entries.entries if self.manual_entries else ()
        return next((e for e in entries if (e.supplier, _letters(e.number)) == (match.order.supplier, typed)), None)

    def order(self, number: str) -> PurchaseOrder:
        """Raises KeyError for an order of neither case."""
        for match in (self.task, self.decoy):
            if match.order.number == number:
                return match.order
        raise KeyError(f"no purchase order {number}")


def _letters(number: str) -> str:
    """A number without the marks between its parts."""
    return "".join(character for character in number.upper() if character.isalnum())
