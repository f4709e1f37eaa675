"""What a mistaken worker would write about Northbridge's trade families is accepted by the world.

A wrong path that the world refuses would be another kind of mistake than the one it stands for.
"""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from generator.families.base import Rows
from generator.families.purchasing import supplier
from generator.families.receiving_ap_match.facts import Match
from generator.worlds.rows import meta_rows
from generator.worlds.writer import stored
from tests.northbridge_trade_fixture import cents, table, trade
from tests.world_fixture import make_world, ok

TASK = "erpbench-001"
Write = Callable[..., dict[str, Any]]


def masters() -> Rows:
    profile = trade().tenant.profile
    return {
        "items": [
            {
                "ItemId": item.id,
                "OrganizationCode": item.organization,
                "ItemNumber": item.number,
                "ItemDescription": item.description,
                "ItemStatusValue": item.status,
                "PrimaryUOMValue": item.uom,
                "ListPrice": item.list_price,
                "PriceEffectiveDate": item.price_effective,
            }
            for item in profile.items
        ],
        "accounts": [
            {
                "AccountId": customer.account,
                "CustomerName": customer.name,
                "CreditLimit": customer.credit_limit,
                "CreditHoldFlag": customer.credit_hold,
                "PaymentTerms": customer.payment_terms,
            }
            for customer in profile.customers
        ],
        "suppliers": [
            {
                "SupplierNumber": entry.number,
                "Supplier": entry.name,
                "SupplierStatus": entry.status,
                "LeadTimeDays": entry.lead_time_days,
                "PaymentTerms": entry.payment_terms,
            }
            for entry in profile.suppliers
        ],
        "lookups": [{"kind": e.kind, "code": e.code, "meaning": e.meaning} for e in profile.lookups],
        "organizations": [{"code": o.code, "kind": o.kind, "name": o.name} for o in profile.organizations],
    }


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Calls a tool of Northbridge's world and gives its result; a refusal fails the test."""
    merged = {**trade().rows, **masters(), **meta_rows(trade().tenant, TASK)}
    world = make_world(
        tmp_path, {name: [{c: stored(v) for c, v in row.items()} for row in rows] for name, rows in merged.items()}
    )

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        return ok(world.call(f"oracle_fusion.{tool}", {"task_id": TASK, **arguments}))

    return call


def test_account_read_is_that_of_the_release(tmp_path: Path) -> None:
    merged = {**trade().rows, **masters(), **meta_rows(trade().tenant, TASK)}
    world = make_world(
        tmp_path, {name: [{c: stored(v) for c, v in row.items()} for row in rows] for name, rows in merged.items()}
    )
    assert ok(world.call("oracle_fusion.customer_account_activities.get", {"AccountId": "CUST-10412"})) == {
        "AccountId": "CUST-10412",
        "AsOfDate": "2026-02-09",
        "CreditHoldFlag": False,
        "CreditLimit": 180000.0,
        "CustomerName": "Cascade Assembly Inc.",
        "OpenReceivablesAmount": 73050.0,
        "OpenTransactions": 5,
        "PastDueAmount": 50830.0,
        "PaymentTerms": "Net 30",
    }


@pytest.mark.parametrize(("line", "quantity"), [(447101, 980), (447103, 300), (447601, 290), (447602, 840)])
def test_count_of_the_day_before_and_other_shipment(write: Write, line: int, quantity: int) -> None:
    assert write("shipment_lines.update", ShipmentLine=line, ShippedQuantity=quantity)["ShippedQuantity"] == quantity


@pytest.mark.parametrize(
    ("source", "unapplied"),
    [
        ("FILE-NBR-REMITTANCE-0206", 0.0),
        ("MSG-NBR-REMITTANCE-0204", 0.0),
        ("MSG-NBR-REMITTANCE-SERVICES-0205", 0.0),
    ],
)
def test_advices_as_listed(write: Write, source: str, unapplied: float) -> None:
    """Every deduction granted as a discount, claims too."""
    facts = trade().tenant.facts["receivables_collection"]
    advice = facts.advice(source)
    listed: list[tuple[str, str, Decimal]] = []
    for line in advice.lines:
        listed.append((facts.transaction(line.transaction).kind, line.transaction, line.paid))
        listed.extend(("Discount", line.transaction, off) for off in (line.discount, line.claim) if off)
    receipt = write(
        "standard_receipts.create",
        ReceiptNumber=advice.reference,
        ReceiptAmount=float(advice.amount),
        ReceiptDate=advice.value_date.isoformat(),
        CustomerAccountNumber=advice.account,
        ReceiptMethod=advice.method,
        BusinessUnit=facts.business_unit,
        Currency=trade().tenant.profile.currency,
        remittanceReferences=[
            {"ReferenceType": kind, "ReferenceNumber": reference, "ApplyAmount": float(amount)}
            for kind, reference, amount in listed
        ],
    )
    assert receipt["UnappliedAmount"] == unapplied


@pytest.mark.parametrize(
    ("organization", "amount"), [("NBR1", 4620.0), ("NBR2", 0.41 * 1000 + 1.18 * 100 + 9.60 * 150)]
)
def test_forecast_as_suggested(write: Write, organization: str, amount: float) -> None:
    """At the cost of the policy in force, from the suppliers that the forecast names."""
    profile = trade().tenant.profile
    facts = trade().tenant.facts["inventory_reorder"]
    lines = []
    for row in table(trade().files["10"].text):
        if row["Organization"] == organization and row["Suggested order"] != "0":
            level = facts.policy.level(organization, row["Item"])
            offers = [offer for offer in (level.first, level.second) if offer]
            cost = next(o.unit_cost for o in offers if supplier(profile, o.supplier).name == row["Suggested supplier"])
            lines.append(
                {
                    "ItemNumber": row["Item"],
                    "Quantity": int(row["Suggested order"]),
                    "UOM": "EA",
                    "UnitPrice": float(cost),
                    "Supplier": row["Suggested supplier"],
                    "RequestedDeliveryDate": dt.datetime.strptime(row["Needed by"], "%m/%d/%Y").date().isoformat(),
                }
            )
    requisition = write(
        "purchase_requisitions.create",
        RequisitioningBU=profile.business_unit,
        Preparer=profile.person("analyst").name,
        Description="Reorder",
        Justification="Forecast",
        lines=lines,
    )
    assert requisition["RequisitionTotal"] == pytest.approx(amount)
    submitted = write("purchase_requisitions.submit", purchaseRequisitionsUniqID=requisition["Requisition"])
    assert submitted["DocumentStatus"] == "Pending Approval"


@pytest.mark.parametrize("which", ["task", "decoy"])
def test_deliveries_and_invoices_as_received(write: Write, which: str) -> None:
    facts = trade().tenant.facts["receiving_ap_match"]
    case: Match = getattr(facts, which)
    vendor = supplier(trade().tenant.profile, case.order.supplier).name
    write(
        "receiving_receipt_requests.create",
        ReceiptSourceCode=facts.receipt_source,
        OrganizationCode=facts.organization,
        lines=[
            {
                "DocumentNumber": case.order.number,
                "DocumentLineNumber": line.order_line,
                "ItemNumber": case.order.line(line.order_line).item,
                "Quantity": line.shipped,
                "TransactionType": facts.receipt_transaction,
            }
            for line in case.report(case.delivery).lines
        ],
    )
    invoice = {"BusinessUnit": facts.business_unit, "Supplier": vendor, "InvoiceNumber": case.invoice.number}
    write(
        "invoices.create",
        **invoice,
        InvoiceAmount=float(sum(cents(line.quantity * line.unit_price) for line in case.invoice.lines)),
        InvoiceCurrency="USD",
        InvoiceDate=case.invoice.dated.isoformat(),
        invoiceLines=[
            {"Quantity": line.quantity, "UnitPrice": float(line.unit_price)}
            | (
                {"Description": line.description}
                if line.order_line is None
                else {
                    "PurchaseOrderNumber": case.order.number,
                    "PurchaseOrderLineNumber": line.order_line,
                    "ItemNumber": case.order.line(line.order_line).item,
                }
            )
            for line in case.invoice.lines
        ],
    )
    assert write("invoices.validate", **invoice, ProcessAction="Validate")["ValidationStatus"] == "Validated"


@pytest.mark.parametrize(
    ("source", "total"),
    [
        ("FILE-NBR-CHANNEL-EXPORT-0209", 2426.40),
        ("MSG-NBR-CHANNEL-EXPORT-0208", 1736.40),
        ("MSG-NBR-TRADE-EXPORT-0209", 1134.30),
    ],
)
def test_exports_row_by_row(write: Write, source: str, total: float) -> None:
    """Repeats, cancelled rows and orders that stand already, all entered once more at what was exported."""
    facts = trade().tenant.facts["channel_order_sync"]
    created = [
        write(
            "sales_orders.create",
            SourceTransactionNumber=order.id,
            SourceTransactionSystem=facts.source_system,
            CustomerPONumber=order.name,
            TransactionType=facts.transaction_type,
            RequestedFulfillmentOrganizationCode=facts.organization,
            SubmittedFlag=True,
            BuyingPartyName=order.buyer.name,
            lines=[
                {
                    "ProductNumber": line.sku,
                    "OrderedQuantity": line.quantity,
                    "OrderedUOM": "EA",
                    "UnitListPrice": float(line.price),
                }
                for line in order.lines
            ],
        )
        for order in facts.export(source).orders
    ]
    assert sum(order["OrderTotal"] for order in created) == pytest.approx(total)
