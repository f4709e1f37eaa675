"""The family's rows of the world's tables: stock, open supply and the cancelled orders behind stale reservations."""

from typing import Any

from generator.families.base import Rows
from generator.families.inventory_reorder.facts import CancelledOrder, Facts
from generator.families.purchasing import order_rows
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    profile = tenant.profile
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
        "sales_orders": [_order(tenant, facts, order) for order in facts.cancelled_orders],
        "sales_order_lines": [
            {
                "OrderNumber": order.number,
                "LineNumber": 1,
                "ProductNumber": order.item,
                "OrderedQuantity": order.quantity,
                "OrderedUOM": profile.item(order.item, order.organization).uom,
                "UnitListPrice": order.unit_price,
                "ExtendedAmount": line_amount(order.quantity, order.unit_price),
            }
            for order in facts.cancelled_orders
        ],
        **order_rows(profile, facts.supply),
    }


def _order(tenant: Tenant, facts: Facts, order: CancelledOrder) -> dict[str, Any]:
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
        "StatusCode": "Cancelled",
        "OrderTotal": line_amount(order.quantity, order.unit_price),
        "CreationDate": order.created,
        "CreatedBy": "ops_lead",
        "LastUpdateDate": order.cancelled,
    }
