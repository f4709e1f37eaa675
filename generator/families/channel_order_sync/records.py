"""The family's rows of the world's tables: the shop's orders that stand in the system already."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.channel_order_sync.facts import Facts, SystemOrder
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    return {
        "sales_orders": [_order(tenant, facts, order) for order in facts.system_orders],
        "sales_order_lines": [
            {
                "OrderNumber": order.number,
                "LineNumber": number,
                "ProductNumber": line.sku,
                "OrderedQuantity": line.quantity,
                "OrderedUOM": tenant.profile.item(line.sku, facts.organization).uom,
                "UnitListPrice": line.price,
                "ExtendedAmount": line_amount(line.quantity, line.price),
            }
            for order in facts.system_orders
            for number, line in enumerate(order.lines, 1)
        ],
    }


def _order(tenant: Tenant, facts: Facts, order: SystemOrder) -> dict[str, Any]:
    name = order.buyer_name if order.account is None else tenant.profile.customer(order.account).name
    return {
        "OrderNumber": order.number,
        "CustomerPONumber": order.customer_po,
        "BuyingPartyNumber": order.account,
        "BuyingPartyName": name,
        "SourceTransactionNumber": order.source_number,
        "SourceTransactionSystem": order.source_system,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": facts.organization,
        "SubmittedFlag": True,
        "StatusCode": order.status,
        "OrderTotal": sum((line_amount(line.quantity, line.price) for line in order.lines), Decimal("0.00")),
        "CreationDate": order.created,
        "CreatedBy": order.created_by,
        "LastUpdateDate": order.created,
    }
