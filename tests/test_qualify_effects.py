"""What writes leave behind, on small worlds: rows added and changed, by the rules of each write tool."""

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.qualify.effects import Aftermath
from generator.spec.case import Write
from verifier.tables import Shape, State, Table

ERP = "oracle_fusion."


def state(**tables: list[dict[str, Any]]) -> State:
    """Tables by name; the first column of each is its key."""
    built = {}
    for name, rows in tables.items():
        columns = tuple(rows[0])
        keyed = {str(row[columns[0]]): tuple(row.values()) for row in rows}
        built[name] = Table(Shape(name, columns, (0,)), keyed)
    return built


def empty(name: str) -> Table:
    return Table(Shape(name, ("key",), (0,)), {})


INVOICE = {
    "CustomerTransactionId": 7,
    "TransactionNumber": "INV-1",
    "TransactionClass": "Invoice",
    "InvoiceBalanceAmount": 1_000_000,
    "InvoiceStatus": "Open",
}


def receipt(*amounts: tuple[str, str]) -> Write:
    references = [{"ReferenceType": kind, "ReferenceNumber": "INV-1", "ApplyAmount": Decimal(a)} for kind, a in amounts]
    arguments = {"ReceiptNumber": "R-1", "ReceiptAmount": Decimal("100"), "remittanceReferences": references}
    return Write(f"{ERP}standard_receipts.create", arguments)


def receivables(*writes: Write) -> dict[str, dict[str, Any]]:
    tables = {**state(receivables_invoices=[INVOICE])}
    tables |= {name: empty(name) for name in ("standard_receipts", "remittance_references")}
    after = Aftermath(tables, "2026-02-09").carry_out(writes)
    return {effect.table: effect.after for effect in after.effects()}


def test_a_receipt_lowers_the_balance_and_leaves_the_invoice_open() -> None:
    found = receivables(receipt(("Invoice", "99.99")))
    assert found["receivables_invoices"]["InvoiceBalanceAmount"] == 100
    assert found["receivables_invoices"]["InvoiceStatus"] == "Open"
    assert found["standard_receipts"]["ReceiptAmount"] == 1_000_000


def test_payment_and_discount_together_close_the_invoice() -> None:
    found = receivables(receipt(("Invoice", "98.00"), ("Discount", "2.00")))
    assert (found["receivables_invoices"]["InvoiceBalanceAmount"], found["receivables_invoices"]["InvoiceStatus"]) == (
        0,
        "Closed",
    )


@given(st.decimals("0.01", "150", places=2))
def test_the_balance_falls_by_what_is_applied(amount: Decimal) -> None:
    found = receivables(receipt(("Invoice", str(amount))))
    assert found["receivables_invoices"]["InvoiceBalanceAmount"] == 1_000_000 - int(amount * 10_000)


ITEM = {"ItemId": 5, "ListPrice": 8_400, "PriceEffectiveDate": "2026-01-01"}


def prices(day: str) -> dict[str, tuple[Any, ...]]:
    tables = {**state(items=[ITEM]), "item_prices": empty("item_prices")}
    write = Write(f"{ERP}items.update", {"ItemId": 5, "ListPrice": Decimal("0.90"), "EffectiveDate": day})
    effects = Aftermath(tables, "2026-02-09").carry_out([write]).effects()
    return {e.table: (e.after["ListPrice"], e.after.get("kind"), e.after.get("EffectiveDate")) for e in effects}


def test_a_later_price_is_scheduled_and_the_item_stays() -> None:
    assert prices("2026-04-01") == {"item_prices": (9_000, "scheduled", "2026-04-01")}


def test_a_price_as_from_today_keeps_the_old_one_in_the_history() -> None:
    assert prices("2026-02-09") == {
        "item_prices": (8_400, "history", "2026-01-01"),
        "items": (9_000, None, None),
    }


def test_a_price_of_the_same_date_corrects_and_keeps_nothing() -> None:
    assert prices("2026-01-01") == {"items": (9_000, None, None)}


def test_a_held_invoice_that_is_validated_needs_revalidation() -> None:
    tables = {name: empty(name) for name in ("invoices", "invoice_lines", "invoice_holds", "purchase_order_lines")}
    names = {"BusinessUnit": "U", "Supplier": "S", "InvoiceNumber": "I-1"}
    create = Write(f"{ERP}invoices.create", {**names, "invoiceLines": []}, {"invoice": "InvoiceId"})
    hold = Write(f"{ERP}invoice_holds.create", {"InvoiceId": "${invoice}", "HoldName": "PRICE", "HoldReason": "p"})
    validate = Write(f"{ERP}invoices.validate", {**names, "ProcessAction": "Validate"})

    def status(*writes: Write) -> str:
        effects = Aftermath(tables, "2026-02-09").carry_out(writes).effects()
        return next(str(e.after["ValidationStatus"]) for e in effects if e.table == "invoices")

    assert status(create) == "Not validated"
    assert status(create, validate) == "Validated"
    assert status(create, hold, validate) == "Needs Revalidation"
    assert status(create, validate, hold) == "Needs Revalidation"


def test_writing_what_stands_already_is_no_effect() -> None:
    tables = state(shipment_lines=[{"ShipmentLine": 1, "ShippedQuantity": 9, "Comments": None}])
    same = Write(f"{ERP}shipment_lines.update", {"ShipmentLine": 1, "ShippedQuantity": 9})
    other = Write(f"{ERP}shipment_lines.update", {"ShipmentLine": 1, "ShippedQuantity": 9, "Comments": "Counted."})
    assert Aftermath(tables, "2026-02-09").carry_out([same]).effects() == ()
    (effect,) = Aftermath(tables, "2026-02-09").carry_out([other]).effects()
    assert effect.after["Comments"] == "text"
