"""The facts of a shop's export: its rows, the orders already in the system, what the chat captured, the takeover rules.

Items, known customers and their tax ids are the profile's. Prices are what the buyer paid in the shop, per item unit.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.spec.tenant import Model

Payment = Literal["paid", "pending", "partially_refunded", "refunded", "voided"]


class ShopLine(Model):
    """sku is an item or a pack of one; refunded is the part of quantity that was paid back."""

    sku: str
    quantity: int
    price: Decimal
    refunded: int = 0


class Buyer(Model):
    """As the shop has it. tax_id None: the buyer did not give one at the checkout."""

    name: str
    email: str
    tax_id: str | None = None


class ShopOrder(Model):
    """One row of an export. id is the shop's order id, name the number that the buyer sees."""

    id: str
    name: str
    created: dt.datetime
    updated: dt.datetime
    payment: Payment
    cancelled: dt.datetime | None = None
    buyer: Buyer
    shipping: Decimal
    lines: tuple[ShopLine, ...]


class Export(Model):
    """source is a Drive file id, or for medium mail a message id; number is the export's own. shop names its shop.

    stated_rows, stated_goods: control figures the export prints where they differ from its rows.
    """

    source: str
    medium: Literal["drive", "mail"]
    number: str
    shop: str
    generated: dt.datetime
    edition: int
    replaces: str | None = None
    stated_rows: int | None = None
    stated_goods: Decimal | None = None
    orders: tuple[ShopOrder, ...]


class SystemOrder(Model):
    """An order in the system before the sync, from the shop or entered by hand. account None: known by name only."""

    number: str
    account: str | None
    buyer_name: str | None = None
    source_number: str
    source_system: str
    customer_po: str
    created: dt.datetime
    created_by: str
    status: str
    lines: tuple[ShopLine, ...]


class Pack(Model):
    """What the shop sells under a name of its own: one of sku is `pieces` of the item's unit."""

    sku: str
    item: str
    pieces: int


class CaptureMessage(Model):
    """One line of the shop's customer chat. order is the shop order's name it concerns; captured is a tax id given."""

    at: dt.datetime
    sender: str
    order: str
    text: str
    captured: str | None = None


class CaptureChat(Model):
    source: str
    issued: dt.datetime
    messages: tuple[CaptureMessage, ...]


class TakeoverRules(Model):
    """What the shop coordinator's rules say that differs from office to office.

    prefix: how the shop's order ids begin.
    old_prefix: how the connector began source numbers before prefix_changed; the digits of the order's name followed.
    last_day: the last local day whose orders are taken over.
    buyer_channel: what the Customers tab says for buyers from the shop.
    hold_unpaid: orders that are not paid yet are held, unless the buyer is in the Customers tab.
    """

    source: str
    issued: dt.datetime
    edition: int
    prefix: str
    old_prefix: str
    prefix_changed: dt.date
    last_day: dt.date
    staff_domains: tuple[str, ...]
    buyer_channel: str
    hold_unpaid: bool = False


class Facts(Model):
    organization: str
    transaction_type: str
    source_system: str
    exports: tuple[Export, ...]
    task_export: str
    decoy_export: str
    system_orders: tuple[SystemOrder, ...]
    capture: CaptureChat
    rules: TakeoverRules
    chat_thread: str
    packs: tuple[Pack, ...] = ()

    def export(self, source: str) -> Export:
        """Raises KeyError for a source that is no export."""
        for entry in self.exports:
            if entry.source == source:
                return entry
        raise KeyError(f"no export {source}")
