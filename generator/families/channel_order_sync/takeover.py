"""How the rows of an export are sorted: repeat, cancelled or refunded, in the system, test, waiting, held, or taken.

In: the export, the sales orders of the ERP, the chat and the takeover rules. Out: the orders that are taken over, with
their buyers and lines, and how many rows fell under the reasons that are counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from generator.families.channel_order_sync.facts import Export, Facts, ShopLine, ShopOrder, TakeoverRules
from generator.spec.tenant import Tenant

Ignored = frozenset[str]
CANCELLED = ("Cancelled", "Canceled")


@dataclass(frozen=True)
class TakenLine:
    """A line as it is entered: quantity in the item's unit, price per that unit."""

    item: str
    quantity: int
    price: Decimal


@dataclass(frozen=True)
class Taken:
    """An order that is taken over. account None: the buyer is not in the Customers tab yet."""

    row: ShopOrder
    lines: tuple[TakenLine, ...]
    account: str | None
    tax_id: str | None


@dataclass(frozen=True)
class SortedRows:
    taken: tuple[Taken, ...]
    repeats: int
    already: int
    held: int


def sort_rows(
    tenant: Tenant, facts: Facts, orders: Sequence[Mapping[str, Any]], export: Export, ignored: Ignored
) -> SortedRows:
    """Every row under its first reason. orders are the sales orders that the ERP holds."""
    chosen = _one_row_each(export.orders, ignored)
    taken: list[Taken] = []
    already = held = 0
    for row in chosen:
        if _void(row) and "refunds" not in ignored:
            continue
        if any(_is_same(facts, row, order, ignored) for order in orders):
            already += 1
        elif not (_is_test(facts, row, ignored) or _waits(tenant, facts, row, ignored)):
            order = _with_buyer(tenant, facts, row, ignored)
            if _is_held(facts, order, ignored):
                held += 1
            else:
                taken.append(order)
    return SortedRows(tuple(taken), len(export.orders) - len(chosen), already, held)


def _one_row_each(rows: Sequence[ShopOrder], ignored: Ignored) -> list[ShopOrder]:
    """The row that counts for each order id, in the order in which the ids first stand in the export."""
    if "repeats" in ignored:
        return list(rows)
    kept: dict[str, ShopOrder] = {}
    for row in rows:
        earlier = kept.get(row.id)
        if earlier is None or (row.updated > earlier.updated and "latest_row" not in ignored):
            kept[row.id] = row
    return list(kept.values())


def _void(row: ShopOrder) -> bool:
    return row.cancelled is not None or row.payment in ("refunded", "voided")


def stands_for(facts: Facts, row: ShopOrder, order: Mapping[str, Any], ignored: Ignored = frozenset()) -> bool:
    """Whether the sales order, cancelled or not, is this order of the shop."""
    number, purchase_order = order["SourceTransactionNumber"], order["CustomerPONumber"]
    old = old_number(facts.rules, row.name)
    return (
        number == row.id
        or (number == old and "old_numbers" not in ignored)
        or (purchase_order == row.name and number != old and "customer_po" not in ignored)
    )


def old_number(rules: TakeoverRules, name: str) -> str:
    """The source number that the connector wrote before its prefix changed."""
    return f"{rules.old_prefix}-{''.join(c for c in name if c.isdigit())}"


def _is_same(facts: Facts, row: ShopOrder, order: Mapping[str, Any], ignored: Ignored) -> bool:
    live = order["StatusCode"] not in CANCELLED or "cancelled_in_system" in ignored
    return live and stands_for(facts, row, order, ignored)


def _is_test(facts: Facts, row: ShopOrder, ignored: Ignored) -> bool:
    return row.buyer.email.rsplit("@", 1)[-1] in facts.rules.staff_domains and "tests" not in ignored


def _waits(tenant: Tenant, facts: Facts, row: ShopOrder, ignored: Ignored) -> bool:
    if "last_day" in ignored:
        return False
    zone = ZoneInfo("UTC" if "local_time" in ignored else tenant.profile.timezone)
    return row.created.astimezone(zone).date() > facts.rules.last_day


def _with_buyer(tenant: Tenant, facts: Facts, row: ShopOrder, ignored: Ignored) -> Taken:
    tax_id = row.buyer.tax_id
    if tax_id is None and "chat" not in ignored:
        captured = [m.captured for m in facts.capture.messages if m.order == row.name and m.captured is not None]
        tax_id = captured[-1] if captured else None
    tab = [customer for customer in tenant.profile.customers if customer.in_customers_tab]
    if "tax_id" in ignored:
        account = next((c.account for c in tab if c.name == row.buyer.name), None)
    else:
        account = next((c.account for c in tab if tax_id is not None and c.tax_id == tax_id), None)
    return Taken(row, _net_lines(facts, row, ignored), account, tax_id)


def _is_held(facts: Facts, order: Taken, ignored: Ignored) -> bool:
    unpaid = facts.rules.hold_unpaid and order.row.payment == "pending" and order.account is None
    return order.tax_id is None or (unpaid and "unpaid" not in ignored)


def _net_lines(facts: Facts, row: ShopOrder, ignored: Ignored) -> tuple[TakenLine, ...]:
    kept = [(line, line.quantity - (0 if "refunds" in ignored else line.refunded)) for line in row.lines]
    if "packs" in ignored:
        contents = {pack.sku: pack.item for pack in facts.packs}
        return tuple(TakenLine(contents.get(line.sku, line.sku), left, line.price) for line, left in kept if left)
    return tuple(_in_units(facts, line, left) for line, left in kept if left)


def gross_lines(facts: Facts, row: ShopOrder) -> tuple[TakenLine, ...]:
    """The lines as the row prints them, nothing taken off; a pack counts as one of its item."""
    return _net_lines(facts, row, frozenset({"refunds", "packs"}))


def _in_units(facts: Facts, line: ShopLine, quantity: int) -> TakenLine:
    pack = next((pack for pack in facts.packs if pack.sku == line.sku), None)
    if pack is None:
        return TakenLine(line.sku, quantity, line.price)
    return TakenLine(pack.item, quantity * pack.pieces, line.price / pack.pieces)
