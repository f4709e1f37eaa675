"""The family's rows of the world's tables: invoices, credit memos and the receipts of earlier payments."""

from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.receivables_collection.facts import EarlierReceipt, Facts, Transaction
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    return {
        "receivables_invoices": [_transaction(tenant, entry) for entry in facts.transactions],
        "standard_receipts": [_receipt(tenant, facts, entry) for entry in facts.receipts],
        "remittance_references": [
            {
                "StandardReceiptId": receipt.id,
                "LineNumber": line,
                "ReferenceType": applied.kind,
                "ReferenceNumber": applied.transaction,
                "ApplyAmount": applied.amount,
            }
            for receipt in facts.receipts
            for line, applied in enumerate(receipt.applied, 1)
        ],
    }


def _transaction(tenant: Tenant, entry: Transaction) -> dict[str, Any]:
    return {
        "CustomerTransactionId": entry.id,
        "TransactionNumber": entry.number,
        "TransactionClass": entry.kind,
        "BillToCustomerNumber": entry.account,
        "BillToCustomerName": tenant.profile.customer(entry.account).name,
        "PurchaseOrder": entry.customer_po,
        "TransactionDate": entry.dated,
        "DueDate": entry.due,
        "PaymentTerms": entry.terms,
        "InvoiceCurrencyCode": tenant.profile.currency,
        "EnteredAmount": entry.amount,
        "InvoiceBalanceAmount": entry.balance,
        "InvoiceStatus": "Open" if entry.balance else "Closed",
        "Comments": entry.remark,
    }


def _receipt(tenant: Tenant, facts: Facts, receipt: EarlierReceipt) -> dict[str, Any]:
    """Money applied is what invoices took less credit memos netted; discounts use none."""
    sign = {"Invoice": 1, "Credit Memo": -1, "Discount": 0}
    applied = sum((sign[entry.kind] * entry.amount for entry in receipt.applied), Decimal("0.00"))
    return {
        "StandardReceiptId": receipt.id,
        "ReceiptNumber": receipt.number,
        "CustomerAccountNumber": receipt.account,
        "ReceiptAmount": receipt.amount,
        "ReceiptDate": receipt.received,
        "ReceiptMethod": receipt.method,
        "BusinessUnit": facts.business_unit,
        "Currency": tenant.profile.currency,
        "AppliedAmount": applied,
        "UnappliedAmount": receipt.amount - applied,
        "State": "Applied" if applied == receipt.amount else "Unapplied",
        "CreationDate": receipt.created,
        "CreatedBy": "ar_clerk",
    }
