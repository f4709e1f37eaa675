"""The family's rows of the world's tables: stock, open supply and the customers' orders behind the reservations."""

import datetime as dt
from typing import Any

from generator.families.base import Rows
from generator.families.inventory_reorder.facts import CancelledOrder, Facts, LiveOrder, OrderedItem
from generator.families.purchasing import order_rows
from generator.spec.money import line_amount, total
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    profile = tenant.profile
    orders: tuple[CancelledOrder | LiveOrder, ...] = (*facts.cancelled_orders, *facts.live_orders)
    return {
        "onhand_balances": [
            {
                "OrganizationCode": stock.organization,
                "ItemNumber": stock.item,
                "SubinventoryCode": stock.subinventory,
                "OnhandQuantity": stock.on_hand,
                "ReservedQuantity": facts.reserved(stock.organization, stock.item),
                "UOM": profile.item(stock.item, stock.organization).uom,
            }
            for stock in facts.stock
        ],
        "sales_orders": [
            *(_order(tenant, facts, o, "Cancelled", o.cancelled) for o in facts.cancelled_orders),
            *(_order(tenant, facts, o, o.status, o.created) for o in facts.live_orders),
        ],
        "sales_order_lines": [
            {
                "OrderNumber": order.number,
                "LineNumber": number,
                "ProductNumber": line.item,
                "OrderedQuantity": line.quantity,
                "OrderedUOM": profile.item(line.item, order.organization).uom,
                "UnitListPrice": line.unit_price,
                "ExtendedAmount": line_amount(line.quantity, line.unit_price),
            }
            for order in orders
            for number, line in enumerate(_lines(order), 1)
        ],
        **order_rows(profile, facts.supply),
    }


def _lines(order: CancelledOrder | LiveOrder) -> tuple[OrderedItem, ...]:
    if isinstance(order, LiveOrder):
        return order.lines
    return (OrderedItem(item=order.item, quantity=order.quantity, unit_price=order.unit_price),)


def _order(
    tenant: Tenant, facts: Facts, order: CancelledOrder | LiveOrder, status: str, updated: dt.datetime
) -> dict[str, Any]:
    return {
        "OrderNumber": order.number,
        "CustomerPONumber": order.customer_po,
        "BuyingPartyNumber": order.account,
        "BuyingPartyName": tenant.profile.customer(order.account).name,
        "SourceTransactionNumber": order.source_number,
        "SourceTransactionSystem": facts.source_system,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": order.organization,
        "SubmittedFlag": True,
        "StatusCode": status,
        "OrderTotal": total((line.quantity, line.unit_price) for line in _lines(order)),
        "CreationDate": order.created,
        "CreatedBy": "ops_lead",
        "LastUpdateDate": updated,
    }
