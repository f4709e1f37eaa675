"""The family's rows of the world's tables: what was ordered and imported before the request."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.order_import.facts import EarlierImport, Facts, Target
from generator.families.order_import.prices import list_price
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    orders: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for target in (facts.task, facts.decoy):
        if target.earlier is not None:
            order_lines = _lines(tenant, facts, target.earlier)
            orders.append(_order(tenant, facts, target, target.earlier, order_lines))
            lines.extend(order_lines)
    return {"sales_orders": orders, "sales_order_lines": lines}


def _lines(tenant: Tenant, facts: Facts, earlier: EarlierImport) -> list[dict[str, Any]]:
    current = next(price_list for price_list in facts.price_lists if price_list.current)
    result = []
    for number, done in enumerate(earlier.lines, start=1):
        item = tenant.profile.item(done.item, facts.organization)
        price = list_price(tenant.profile, item, current)
        result.append(
            {
                "OrderNumber": earlier.order_number,
                "LineNumber": number,
                "SourceLineNumber": done.line,
                "ProductNumber": done.item,
                "OrderedQuantity": done.quantity,
                "OrderedUOM": item.uom,
                "UnitListPrice": price,
                "ExtendedAmount": line_amount(done.quantity, price),
            }
        )
    return result


def _order(
    tenant: Tenant, facts: Facts, target: Target, earlier: EarlierImport, lines: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "OrderNumber": earlier.order_number,
        "CustomerPONumber": target.customer_po,
        "BuyingPartyNumber": target.account,
        "BuyingPartyName": tenant.profile.customer(target.account).name,
        "SourceTransactionNumber": earlier.source,
        "SourceTransactionSystem": facts.source_system,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": facts.organization,
        "SubmittedFlag": True,
        "StatusCode": earlier.status,
        "OrderTotal": sum((line["ExtendedAmount"] for line in lines), Decimal("0.00")),
        "CreationDate": earlier.imported,
        "CreatedBy": earlier.imported_by,
        "LastUpdateDate": earlier.imported,
    }
