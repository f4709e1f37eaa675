"""The family's rows of the world's tables: shipments, their lines and the sales orders behind them."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.shipment_verification.facts import Facts, SalesOrder, Shipment
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    shipments = facts.shipments
    return {
        "sales_orders": [_order(tenant, facts, shipment.order) for shipment in shipments],
        "sales_order_lines": [row for shipment in shipments for row in _order_lines(tenant, facts, shipment.order)],
        "shipments": [_shipment(facts, shipment) for shipment in shipments],
        "shipment_lines": [row for shipment in shipments for row in _shipment_lines(tenant, facts, shipment)],
    }


def _order(tenant: Tenant, facts: Facts, order: SalesOrder) -> dict[str, Any]:
    return {
        "OrderNumber": order.number,
        "CustomerPONumber": order.customer_po,
        "BuyingPartyNumber": order.account,
        "BuyingPartyName": tenant.profile.customer(order.account).name,
        "SourceTransactionNumber": order.source_number,
        "SourceTransactionSystem": facts.source_system,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": facts.organization,
        "SubmittedFlag": True,
        "StatusCode": order.status,
        "OrderTotal": sum((line_amount(line.quantity, line.unit_price) for line in order.lines), Decimal("0.00")),
        "CreationDate": order.created,
        "CreatedBy": order.created_by,
        "LastUpdateDate": order.created,
    }


def _order_lines(tenant: Tenant, facts: Facts, order: SalesOrder) -> list[dict[str, Any]]:
    return [
        {
            "OrderNumber": order.number,
            "LineNumber": line.line,
            "ProductNumber": line.item,
            "OrderedQuantity": line.quantity,
            "OrderedUOM": tenant.profile.item(line.item, facts.organization).uom,
            "UnitListPrice": line.unit_price,
            "ExtendedAmount": line_amount(line.quantity, line.unit_price),
        }
        for line in order.lines
    ]


def _shipment(facts: Facts, shipment: Shipment) -> dict[str, Any]:
    return {
        "Shipment": shipment.number,
        "OrderNumber": shipment.order.number,
        "BuyingPartyNumber": shipment.order.account,
        "ShipFromOrganizationCode": facts.organization,
        "ShipmentStatus": shipment.status,
        "PlannedShipDate": shipment.planned,
        "CarrierName": shipment.carrier,
    }


def _shipment_lines(tenant: Tenant, facts: Facts, shipment: Shipment) -> list[dict[str, Any]]:
    rows = []
    for line in shipment.lines:
        ordered = shipment.order.line(line.order_line)
        rows.append(
            {
                "ShipmentLine": line.id,
                "Shipment": shipment.number,
                "OrderNumber": shipment.order.number,
                "OrderLineNumber": line.order_line,
                "ItemNumber": ordered.item,
                "LotNumber": line.lot,
                "UOM": tenant.profile.item(ordered.item, facts.organization).uom,
                "RequestedQuantity": line.requested,
                "ShippedQuantity": line.staged,
                "UnitSellingPrice": ordered.unit_price,
                "LineStatus": line.status,
            }
        )
    return rows
