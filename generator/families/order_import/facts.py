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


class OrderSheet(Model):
    """source is a Drive file id or, for medium mail, a message id."""

    source: str
    medium: Literal["drive", "mail"]
    received: dt.datetime
    order_date: dt.date
    requested_delivery: dt.date
    lines: tuple[SheetLine, ...]


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


class Target(Model):
    account: str
    customer_po: str
    contact: Contact
    sheet: OrderSheet
    earlier: EarlierImport | None = None


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


class Facts(Model):
    organization: str
    transaction_type: str
    source_system: str
    exposure_statuses: tuple[str, ...]
    conversions: tuple[Conversion, ...]
    task: Target
    decoy: Target
    price_lists: tuple[PriceList, ...]
    chat: tuple[ImportNote, ...] = ()

    def price_list(self, source: str) -> PriceList:
        for price_list in self.price_lists:
            if price_list.source == source:
                return price_list
        raise KeyError(f"no price list {source}")
