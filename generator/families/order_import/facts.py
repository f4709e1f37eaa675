"""The facts of a customer's consolidated order: the sheet, what was imported before, the price lists, the decoy's
order.

Descriptions, statuses, units and prices of items are the tenant's item master; nothing is repeated here.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.spec.tenant import Model


class Contact(Model):
    name: str
    title: str
    email: str


class SheetLine(Model):
    """A line as the customer wrote it. uom None is the item's own unit; unit_price is the customer's."""

    line: int
    item: str
    quantity: int
    unit_price: Decimal
    uom: str | None = None


class RevisedLine(Model):
    """A line of a revision: it takes the place of the line of the same number. quantity None cancels that line."""

    line: int
    item: str
    quantity: int | None
    unit_price: Decimal
    uom: str | None = None


class ReleaseForm(Model):
    """The customer's second signature for a large order."""

    number: str
    signed: dt.date | None


class OrderSheet(Model):
    """source is a Drive file id or, for medium mail, a message id.

    revised: lines of a second revision in the same workbook. quoted_on: when the customer was quoted.
    """

    source: str
    medium: Literal["drive", "mail"]
    received: dt.datetime
    order_date: dt.date
    requested_delivery: dt.date
    lines: tuple[SheetLine, ...]
    revised: tuple[RevisedLine, ...] = ()
    quoted_on: dt.date | None = None
    release_form: ReleaseForm | None = None

    @property
    def printed_value(self) -> Decimal:
        """What the sheet's lines come to at the customer's own prices."""
        return sum((line.quantity * line.unit_price for line in self.lines), Decimal("0.00"))


class ImportedLine(Model):
    line: int
    item: str
    quantity: int


class EarlierImport(Model):
    """An order that took lines of the same purchase order before; source is the file that reports it."""

    source: str
    order_number: str
    imported: dt.datetime
    filed: dt.datetime
    imported_by: str
    status: str
    lines: tuple[ImportedLine, ...]


class Note(Model):
    """A message of the customer's contact: its id and when it came."""

    source: str
    at: dt.datetime


class Target(Model):
    """first_copy is the mail with the order's lines before they were revised."""

    account: str
    customer_po: str
    contact: Contact
    sheet: OrderSheet
    earlier: EarlierImport | None = None
    first_copy: Note | None = None


class PriceList(Model):
    """A list file. Its prices are the item master's prices of effective_from."""

    source: str
    number: int
    file: str
    edition: str
    effective_from: dt.date
    effective_to: dt.date
    issued: dt.date
    filed: dt.datetime
    current: bool


class Conversion(Model):
    """One unit of `uom` of the item is `factor` of its primary unit."""

    item: str
    uom: str
    factor: int


class ImportNote(Model):
    """When the channel was told of the earlier import."""

    at: dt.datetime
    thread: str


class Successor(Model):
    """The item that is sold in place of a discontinued one; accepted are the lines for which the customer took it."""

    item: str
    successor: str
    accepted: tuple[int, ...]
    answer: Note


class DeskRules(Model):
    """The operations lead's rules for entering orders, one edition. value_limit: above it a release form is needed.

    prices_from: the day whose price list counts.
    """

    source: str
    edition: int
    at: dt.datetime
    effective_from: dt.date
    effective_to: dt.date | None = None
    value_limit: Decimal
    prices_from: Literal["order_date", "quotation"] = "order_date"


class OpenOrder(Model):
    """Another order of the customer; submitted ones that are not billed count towards the limit."""

    order_number: str
    customer_po: str
    status: str
    submitted: bool
    created: dt.datetime
    lines: tuple[ImportedLine, ...]


class OpenInvoice(Model):
    id: int
    number: str
    dated: dt.date
    due: dt.date
    amount: Decimal


class Facts(Model):
    """rules and earlier_rules are the desk's, where it has written any; the former count."""

    organization: str
    transaction_type: str
    source_system: str
    exposure_statuses: tuple[str, ...]
    conversions: tuple[Conversion, ...]
    task: Target
    decoy: Target
    price_lists: tuple[PriceList, ...]
    chat: tuple[ImportNote, ...] = ()
    successors: tuple[Successor, ...] = ()
    rules: DeskRules | None = None
    earlier_rules: DeskRules | None = None
    open_orders: tuple[OpenOrder, ...] = ()
    open_invoices: tuple[OpenInvoice, ...] = ()

    def price_list(self, source: str) -> PriceList:
        for price_list in self.price_lists:
            if price_list.source == source:
                return price_list
        raise KeyError(f"no price list {source}")

    def list_on(self, day: dt.date) -> PriceList:
        """The price list whose dates cover the day."""
        for price_list in self.price_lists:
            if price_list.effective_from <= day <= price_list.effective_to:
                return price_list
        raise KeyError(f"no price list on {day}")

    def successor(self, item: str) -> Successor | None:
        return next((entry for entry in self.successors if entry.item == item), None)
