"""The family's rows of the world's tables: purchase orders, what was received and billed on them before, and invoices
that were keyed without an order."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.purchasing import order_rows, supplier
from generator.families.receiving_ap_match.facts import EarlierInvoice, EarlierReceipt, Facts, ManualEntry
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    profile = tenant.profile
    manual = facts.manual_entries.entries if facts.manual_entries else ()
    return {
        **order_rows(profile, (facts.task.order, facts.decoy.order)),
        "receiving_receipt_requests": [_receipt(tenant, facts, receipt) for receipt in facts.earlier_receipts],
        "receiving_receipt_lines": [
            {
                "ReceiptNumber": receipt.number,
                "LineNumber": number,
                "DocumentNumber": receipt.order,
                "DocumentLineNumber": line,
                "ItemNumber": facts.order(receipt.order).line(line).item,
                "Quantity": quantity,
                "TransactionType": facts.receipt_transaction,
            }
            for receipt in facts.earlier_receipts
            for number, (line, quantity) in enumerate(receipt.lines, 1)
        ],
        "invoices": [
            *(_invoice(tenant, facts, invoice) for invoice in facts.earlier_invoices),
            *(_manual(tenant, facts, entry) for entry in manual),
        ],
        "invoice_lines": [
            {
                "InvoiceId": invoice.id,
                "LineNumber": number,
                "PurchaseOrderNumber": invoice.order,
                "PurchaseOrderLineNumber": line,
                "ItemNumber": facts.order(invoice.order).line(line).item,
                "Description": facts.order(invoice.order).line(line).description,
                "Quantity": quantity,
                "UnitPrice": price,
                "LineAmount": line_amount(quantity, price),
            }
            for invoice in facts.earlier_invoices
            for number, (line, quantity, price) in enumerate(invoice.lines, 1)
        ]
        + [
            {
                "InvoiceId": entry.id,
                "LineNumber": 1,
                "Description": entry.description,
                "Quantity": 1,
                "UnitPrice": entry.amount,
                "LineAmount": entry.amount,
            }
            for entry in manual
        ],
    }


def _receipt(tenant: Tenant, facts: Facts, receipt: EarlierReceipt) -> dict[str, Any]:
    return {
        "ReceiptNumber": receipt.number,
        "ReceiptSourceCode": facts.receipt_source,
        "OrganizationCode": receipt.organization,
        "VendorName": supplier(tenant.profile, facts.order(receipt.order).supplier).name,
        "CreationDate": receipt.created,
        "CreatedBy": receipt.created_by,
    }


def _invoice(tenant: Tenant, facts: Facts, invoice: EarlierInvoice) -> dict[str, Any]:
    return {
        "InvoiceId": invoice.id,
        "InvoiceNumber": invoice.number,
        "Supplier": supplier(tenant.profile, facts.order(invoice.order).supplier).name,
        "BusinessUnit": facts.business_unit,
        "InvoiceAmount": sum((line_amount(quantity, price) for _, quantity, price in invoice.lines), Decimal("0.00")),
        "InvoiceCurrency": tenant.profile.currency,
        "InvoiceDate": invoice.dated,
        "ValidationStatus": invoice.validation,
        "PaidStatus": invoice.paid,
        "CreationDate": invoice.created,
        "CreatedBy": "ap_clerk",
    }


def _manual(tenant: Tenant, facts: Facts, entry: ManualEntry) -> dict[str, Any]:
    return {
        "InvoiceId": entry.id,
        "InvoiceNumber": entry.number,
        "Supplier": supplier(tenant.profile, entry.supplier).name,
        "BusinessUnit": facts.business_unit,
        "InvoiceAmount": entry.amount,
        "InvoiceCurrency": tenant.profile.currency,
        "InvoiceDate": entry.dated,
        "ValidationStatus": "Not validated",
        "PaidStatus": "Unpaid",
        "CreationDate": entry.created,
        "CreatedBy": "ap_clerk",
    }
