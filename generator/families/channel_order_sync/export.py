"""An export as the shop writes it: the JSON of file 18, and the same rows in a mail."""

from decimal import Decimal
from typing import Any

from generator.evidence.values import iso_z
from generator.families.channel_order_sync.facts import Export, ShopLine, ShopOrder
from generator.spec.money import line_amount
from generator.spec.tenant import TenantProfile


def goods(lines: tuple[ShopLine, ...]) -> Decimal:
    """What the goods came to before refunds, without shipping."""
    return sum((line_amount(line.quantity, line.price) for line in lines), Decimal("0.00"))


def refunded(lines: tuple[ShopLine, ...]) -> Decimal:
    return sum((line_amount(line.refunded, line.price) for line in lines), Decimal("0.00"))


def stated(export: Export) -> tuple[int, Decimal]:
    """The control figures of an export: rows and goods before refunds."""
    rows = len(export.orders) if export.stated_rows is None else export.stated_rows
    total = sum((goods(order.lines) for order in export.orders), Decimal("0.00"))
    return rows, total if export.stated_goods is None else export.stated_goods


def export_json(profile: TenantProfile, export: Export) -> dict[str, Any]:
    row_count, goods_total = stated(export)
    return {
        "export": export.number,
        "shop": export.shop,
        "generated_at": iso_z(export.generated),
        "timezone": "UTC",
        "currency": profile.currency,
        "row_count": row_count,
        "goods_total": _text(goods_total),
        "orders": [_order_json(order) for order in export.orders],
    }


def _order_json(order: ShopOrder) -> dict[str, Any]:
    return {
        "id": order.id,
        "name": order.name,
        "created_at": iso_z(order.created),
        "updated_at": iso_z(order.updated),
        "financial_status": order.payment,
        "cancelled_at": iso_z(order.cancelled) if order.cancelled else None,
        "customer": {"name": order.buyer.name, "email": order.buyer.email, "tax_id": order.buyer.tax_id},
        "line_items": [
            {
                "sku": line.sku,
                "quantity": line.quantity,
                "price": _text(line.price),
                "refunded_quantity": line.refunded,
            }
            for line in order.lines
        ],
        "subtotal_price": _text(goods(order.lines)),
        "refunded_amount": _text(refunded(order.lines)),
        "shipping_price": _text(order.shipping),
    }


def _text(amount: Decimal) -> str:
    """Shops write amounts as strings with two decimals."""
    return f"{amount:.2f}"


def order_line(order: ShopOrder) -> str:
    """A row of an export within a mail."""
    items = ", ".join(
        f"{line.sku} {line.quantity} at {line.price:.2f}" + (f" ({line.refunded} refunded)" if line.refunded else "")
        for line in order.lines
    )
    tax = order.buyer.tax_id or "no tax id"
    cancelled = f", cancelled {iso_z(order.cancelled)}" if order.cancelled else ""
    return (
        f"{order.id} {order.name}, created {iso_z(order.created)}, updated {iso_z(order.updated)},"
        f" {order.payment}{cancelled}, {order.buyer.name}, {order.buyer.email}, {tax}: {items}, goods"
        f" {goods(order.lines):.2f}"
    )
