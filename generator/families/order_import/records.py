"""The family's rows of the world's tables: what was ordered and imported before the request."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.order_import.facts import EarlierImport, Facts, OpenInvoice, OpenOrder, PriceList, Target
from generator.families.order_import.prices import list_price
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    orders: list[dict[str, Any]] = []
    lines: list[dict[str, Any]] = []
    for target in (facts.task, facts.decoy):
        if target.earlier is not None:
            order_lines = _lines(tenant, facts, target.earlier, facts.list_on(target.sheet.order_date))
            orders.append(_order(tenant, facts, target, target.earlier, order_lines))
            lines.extend(order_lines)
    for other in facts.open_orders:
        order_lines = _lines(tenant, facts, other, facts.list_on(tenant.profile.today))
        orders.append(_open_order(tenant, facts, other, order_lines))
        lines.extend({**line, "SourceLineNumber": None} for line in order_lines)
    rows: Rows = {"sales_orders": orders, "sales_order_lines": lines}
    if facts.open_invoices:
        rows["receivables_invoices"] = [_invoice(tenant, facts, invoice) for invoice in facts.open_invoices]
    return rows


def _lines(
    tenant: Tenant, facts: Facts, earlier: EarlierImport | OpenOrder, price_list: PriceList
) -> list[dict[str, Any]]:
    result = []
    for number, done in enumerate(earlier.lines, start=1):
        item = tenant.profile.item(done.item, facts.organization)
        price = list_price(tenant.profile, item, price_list)
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


def _open_order(tenant: Tenant, facts: Facts, other: OpenOrder, lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "OrderNumber": other.order_number,
        "CustomerPONumber": other.customer_po,
        "BuyingPartyNumber": facts.task.account,
        "BuyingPartyName": tenant.profile.customer(facts.task.account).name,
        "SourceTransactionNumber": other.customer_po,
        "SourceTransactionSystem": facts.source_system,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": facts.organization,
        "SubmittedFlag": other.submitted,
        "StatusCode": other.status,
        "OrderTotal": sum((line["ExtendedAmount"] for line in lines), Decimal("0.00")),
        "CreationDate": other.created,
        "CreatedBy": "order_desk",
        "LastUpdateDate": other.created,
    }


def _invoice(tenant: Tenant, facts: Facts, invoice: OpenInvoice) -> dict[str, Any]:
    customer = tenant.profile.customer(facts.task.account)
    return {
        "CustomerTransactionId": invoice.id,
        "TransactionNumber": invoice.number,
        "TransactionClass": "Invoice",
        "BillToCustomerNumber": customer.account,
        "BillToCustomerName": customer.name,
        "PurchaseOrder": None,
        "TransactionDate": invoice.dated,
        "DueDate": invoice.due,
        "PaymentTerms": customer.payment_terms,
        "InvoiceCurrencyCode": tenant.profile.currency,
        "EnteredAmount": invoice.amount,
        "InvoiceBalanceAmount": invoice.amount,
        "InvoiceStatus": "Open",
        "Comments": None,
    }
