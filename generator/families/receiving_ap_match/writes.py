"""The ERP writes of a receipt, its invoice and the invoice's holds, and the record that they make.

In: an Entry, what is received and keyed. Out: the writes in order, and the rows by which the record is known. What
becomes of the invoice is part of what it is: on exactly these holds, or validated (and perhaps put on hold thereafter).
So the same invoice on other holds, or on any instead of being validated, is another record.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.families.purchasing import supplier
from generator.families.receiving_ap_match.facts import BilledLine, Facts, Match, SupplierInvoice
from generator.spec.case import ExpectedChildren, ExpectedRow, PrimaryRecord, Write
from generator.spec.money import total
from generator.spec.tenant import Tenant

OPTIONS_TO_STATUS = {
    "receive_and_validate": "validated_for_payment",
    "receive_and_hold_variance": "on_hold_variance",
    "enter_as_invoiced": "entered_as_invoiced",
    "return_invoice_unentered": "not_entered",
}
VALIDATED = "Validated"
ORDER_COLUMNS = ("PurchaseOrderNumber", "PurchaseOrderLineNumber", "ItemNumber")
NOTHING = {"in": [None]}
"""A cell without a value."""


@dataclass(frozen=True)
class Entry:
    """received: (order line, quantity); keyed: invoice line, quantity and unit price as entered; holds: their names."""

    match: Match
    invoice: SupplierInvoice
    received: tuple[tuple[int, int], ...]
    keyed: tuple[tuple[BilledLine, int, Decimal], ...]
    holds: tuple[str, ...]

    @property
    def amount(self) -> Decimal:
        return total((quantity, price) for _, quantity, price in self.keyed)


def writes(tenant: Tenant, facts: Facts, entry: Entry) -> tuple[Write, ...]:
    """The receipt, the invoice, and its holds or its validation."""
    vendor = supplier(tenant.profile, entry.match.order.supplier).name
    invoice = {"BusinessUnit": facts.business_unit, "Supplier": vendor, "InvoiceNumber": entry.invoice.number}
    return (
        Write("oracle_fusion.receiving_receipt_requests.create", _receipt(facts, entry), {"receipt": "ReceiptNumber"}),
        Write("oracle_fusion.invoices.create", {**invoice, **_invoice(tenant, entry)}, {"invoice": "InvoiceId"}),
        *(
            Write(
                "oracle_fusion.invoice_holds.create",
                {
                    "InvoiceId": "${invoice}",
                    "HoldName": name,
                    "HoldReason": f"Found in the match of {entry.invoice.number} with {entry.match.order.number}",
                },
            )
            for name in entry.holds
        ),
        *(() if entry.holds else (Write("oracle_fusion.invoices.validate", {"ProcessAction": "Validate", **invoice}),)),
    )


def _receipt(facts: Facts, entry: Entry) -> dict[str, Any]:
    order = entry.match.order
    return {
        "ReceiptSourceCode": facts.receipt_source,
        "OrganizationCode": facts.organization,
        "lines": [
            {
                "DocumentNumber": order.number,
                "DocumentLineNumber": line,
                "ItemNumber": order.line(line).item,
                "Quantity": quantity,
                "TransactionType": facts.receipt_transaction,
            }
            for line, quantity in entry.received
        ],
    }


def _invoice(tenant: Tenant, entry: Entry) -> dict[str, Any]:
    return {
        "InvoiceAmount": entry.amount,
        "InvoiceCurrency": tenant.profile.currency,
        "InvoiceDate": entry.invoice.dated.isoformat(),
        "invoiceLines": [
            {"Quantity": quantity, "UnitPrice": price, **_billed(entry.match, line)}
            for line, quantity, price in entry.keyed
        ],
    }


def _billed(match: Match, line: BilledLine) -> dict[str, Any]:
    if line.order_line is None:
        return {"Description": line.description}
    return {
        "PurchaseOrderNumber": match.order.number,
        "PurchaseOrderLineNumber": line.order_line,
        "ItemNumber": match.order.line(line.order_line).item,
    }


def primary(tenant: Tenant, facts: Facts, entry: Entry) -> PrimaryRecord:
    """Called by the supplier's invoice number; the supplier tells it from another's of the same number."""
    order = entry.match.order
    vendor = supplier(tenant.profile, order.supplier).name
    receipt = ExpectedRow(
        table="receiving_receipt_requests",
        row={
            "ReceiptSourceCode": facts.receipt_source,
            "OrganizationCode": facts.organization,
            "VendorName": vendor,
        },
        children=ExpectedChildren(
            table="receiving_receipt_lines",
            on="ReceiptNumber",
            columns=("DocumentNumber", "DocumentLineNumber", "ItemNumber", "Quantity", "TransactionType"),
            rows=tuple(
                (order.number, line, order.line(line).item, quantity, facts.receipt_transaction)
                for line, quantity in entry.received
            ),
        ),
    )
    held = ExpectedChildren(
        table="invoice_holds", on="InvoiceId", columns=("HoldName",), rows=tuple((name,) for name in entry.holds)
    )
    invoice = ExpectedRow(
        row={
            "InvoiceNumber": entry.invoice.number,
            "Supplier": vendor,
            "BusinessUnit": facts.business_unit,
            "InvoiceAmount": {"money": str(entry.amount)},
            "InvoiceCurrency": tenant.profile.currency,
            "InvoiceDate": entry.invoice.dated.isoformat(),
            **({} if entry.holds else {"ValidationStatus": {"in": [VALIDATED, "Needs Revalidation"]}}),
        },
        children=held if entry.holds else None,
    )
    lines = (
        ExpectedRow(
            table="invoice_lines",
            row={**_keys(entry.match, line), "Quantity": quantity, "UnitPrice": {"money": f"{price.normalize():f}"}},
        )
        for line, quantity, price in entry.keyed
    )
    return PrimaryRecord(table="invoices", rows=(invoice, *lines, receipt), name=("literal", entry.invoice.number))


def _keys(match: Match, line: BilledLine) -> dict[str, Any]:
    keys = _billed(match, line)
    return keys if line.order_line else dict.fromkeys(ORDER_COLUMNS, NOTHING)
