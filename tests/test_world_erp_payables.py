"""Suppliers' invoices, their validation and holds."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

CREATE = "oracle_fusion.invoices.create"
VALIDATE = "oracle_fusion.invoices.validate"
HOLD = "oracle_fusion.invoice_holds.create"
GET = "oracle_fusion.invoices.get"
LINE: dict[str, Any] = {
    "LineNumber": 1,
    "PurchaseOrderNumber": "PO-NBR-2001",
    "PurchaseOrderLineNumber": 1,
    "ItemNumber": "FST-M8-40",
    "Quantity": 600,
    "UnitPrice": 0.3175,
}
FREIGHT: dict[str, Any] = {"LineNumber": 2, "Description": "Freight", "Quantity": 1, "UnitPrice": 45}
INVOICE: dict[str, Any] = {
    "task_id": TASK,
    "BusinessUnit": "Northbridge BU",
    "Supplier": "Great Lakes Wire",
    "InvoiceNumber": "GLW-8842",
    "InvoiceAmount": 235.5,
    "InvoiceCurrency": "USD",
    "InvoiceDate": "2026-02-06",
    "invoiceLines": [LINE, FREIGHT],
}


def _invoice(number: int, name: str, supplier: str, **other: Any) -> dict[str, Any]:
    return {
        "InvoiceId": number,
        "InvoiceNumber": name,
        "Supplier": supplier,
        "BusinessUnit": "Northbridge BU",
        "InvoiceAmount": 1000000,
        "InvoiceCurrency": "USD",
        "InvoiceDate": "2026-01-20",
        "ValidationStatus": "Not validated",
        "PaidStatus": "Unpaid",
        **other,
    }


def _world(path: Path) -> World:
    return make_world(
        path,
        {
            "organizations": [{"code": "NBR-BU2", "kind": "business_unit", "name": "Northbridge Logistics BU"}],
            "suppliers": [
                {"SupplierNumber": "SUP-01", "Supplier": "Great Lakes Wire"},
                {"SupplierNumber": "SUP-02", "Supplier": "Maumee Zinc"},
            ],
            "purchase_orders": [
                {"OrderNumber": "PO-NBR-2001", "Supplier": "Great Lakes Wire", "Status": "Open"},
                {"OrderNumber": "PO-NBR-2002", "Supplier": "Maumee Zinc", "Status": "Open"},
            ],
            "purchase_order_lines": [
                {
                    "OrderNumber": "PO-NBR-2001",
                    "LineNumber": 1,
                    "ItemNumber": "FST-M8-40",
                    "Quantity": 1000,
                    "BilledQuantity": 250,
                }
            ],
            "invoices": [
                _invoice(640101, "GLW-8801", "Great Lakes Wire"),
                _invoice(640102, "GLW-8801", "Maumee Zinc"),
                _invoice(640103, "MZ-17", "Maumee Zinc", PaidStatus="Paid", ValidationStatus="Validated"),
                _invoice(640104, "MZ-18", "Maumee Zinc", BusinessUnit="Northbridge Logistics BU"),
            ],
        },
    )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return _world(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> World:
    """For calls that change nothing."""
    return _world(tmp_path_factory.mktemp("untouched"))


def _create(world: World, **changes: Any) -> Any:
    return world.call(CREATE, {**INVOICE, **changes})


def _validate(world: World, number: str, supplier: str = "Great Lakes Wire", **changes: Any) -> Any:
    arguments = {"ProcessAction": "Validate", "BusinessUnit": "Northbridge BU", **changes}
    return world.call(VALIDATE, {"task_id": TASK, "Supplier": supplier, "InvoiceNumber": number, **arguments})


def _hold(world: World, invoice: int, name: str = "PRICE_VARIANCE", reason: str = "Price above the order") -> Any:
    return world.call(HOLD, {"task_id": TASK, "InvoiceId": invoice, "HoldName": name, "HoldReason": reason})


def _billed(world: World) -> int:
    return int(table(world, "purchase_order_lines")[0]["BilledQuantity"])


def test_an_invoice_is_entered_with_its_lines_and_bills_the_order(world: World) -> None:
    """600 x 0.3175 is 190.50, and 45.00 of freight: 235.50."""
    invoice = ok(_create(world))
    assert invoice == {
        "InvoiceId": 640201,
        "InvoiceNumber": "GLW-8842",
        "Supplier": "Great Lakes Wire",
        "BusinessUnit": "Northbridge BU",
        "InvoiceAmount": 235.5,
        "InvoiceCurrency": "USD",
        "InvoiceDate": "2026-02-06",
        "ValidationStatus": "Not validated",
        "PaidStatus": "Unpaid",
        "CreationDate": "2026-02-09T09:00:00Z",
        "CreatedBy": "analyst",
        "lines": [{**LINE, "LineAmount": 190.5}, {**FREIGHT, "UnitPrice": 45.0, "LineAmount": 45.0}],
        "holds": [],
    }
    assert _billed(world) == 850
    assert ok(world.call(GET, {"invoicesUniqID": "GLW-8842"})) == invoice
    listed = ok(world.call("oracle_fusion.invoices.list", {"q": "InvoiceNumber='GLW-8842'"}))
    assert listed["items"] == [{key: value for key, value in invoice.items() if key != "holds"}]


def test_keys_of_the_order_may_be_null_for_a_line_without_one(world: World) -> None:
    empty = {"PurchaseOrderNumber": None, "PurchaseOrderLineNumber": None, "ItemNumber": None}
    invoice = ok(_create(world, invoiceLines=[{**FREIGHT, **empty}], InvoiceAmount=45))
    assert invoice["lines"] == [{**FREIGHT, "UnitPrice": 45.0, "LineAmount": 45.0}]


def test_more_than_was_ordered_may_be_billed(world: World) -> None:
    ok(_create(world, invoiceLines=[{**LINE, "Quantity": 1000, "UnitPrice": 1}], InvoiceAmount=1000))
    assert _billed(world) == 1250


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"InvoiceAmount": 235.51}, "refused", "the lines come to 235.5, the invoice says 235.51"),
        ({"InvoiceAmount": -235.5}, "refused", "InvoiceAmount: an amount must be above zero"),
        ({"BusinessUnit": "Harbor BU"}, "refused", 'BusinessUnit: "Harbor BU" is not of this tenant'),
        ({"Supplier": "Nobody"}, "refused", "Supplier: no supplier Nobody in this tenant"),
        ({"Supplier": "Maumee Zinc"}, "refused", "PO-NBR-2001 is with Great Lakes Wire, not Maumee Zinc"),
        ({"InvoiceNumber": "GLW-8801"}, "refused", "stands as InvoiceId 640101, dated 2026-01-20, 100.0"),
        ({"InvoiceCurrency": "CAD"}, "refused", "InvoiceCurrency: the ledger is kept in USD, came CAD"),
        ({"InvoiceDate": "2026-01-31"}, "refused", "lies in payables period 2026-01, which is closed"),
        ({"InvoiceDate": "06/02/2026"}, "invalid", "InvoiceDate: expected an ISO date"),
        (
            {"invoiceLines": [{**LINE, "PurchaseOrderNumber": "PO-1"}]},
            "refused",
            "no purchase order PO-1 in this tenant",
        ),
        ({"invoiceLines": [{**LINE, "PurchaseOrderLineNumber": 7}]}, "refused", "PO-NBR-2001 has no line 7"),
        ({"invoiceLines": [{**LINE, "ItemNumber": "NUT"}]}, "refused", "is for FST-M8-40, came NUT"),
        ({"invoiceLines": [{**LINE, "Quantity": -1}]}, "refused", "Quantity: a quantity must be above zero, came -1"),
        ({"invoiceLines": [{**LINE, "UnitPrice": -1}]}, "refused", "UnitPrice: a price must be zero or more, came -1"),
        ({"invoiceLines": [{**LINE, "ItemNumber": None}]}, "invalid", "expected all of PurchaseOrderNumber"),
        ({"invoiceLines": [{**LINE, "Amount": 5}]}, "invalid", "not known Amount"),
        ({"invoiceLines": [LINE, {**FREIGHT, "LineNumber": 1}]}, "invalid", "line number 1 is used twice"),
        ({"invoiceLines": []}, "invalid", "expected a list of 1 to 200 lines"),
    ],
)
def test_a_wrong_invoice_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, **changes), outcome)
    assert digest(untouched) == before


def test_an_invoice_is_found_by_number_or_identifier_and_an_ambiguous_number_lists_both(world: World) -> None:
    assert ok(world.call(GET, {"invoicesUniqID": "MZ-17"}))["InvoiceId"] == 640103
    assert ok(world.call(GET, {"invoicesUniqID": "640102"}))["Supplier"] == "Maumee Zinc"
    assert refused(world.call(GET, {"invoicesUniqID": "GLW-8801"}), "invalid") == (
        "invoicesUniqID: several suppliers have an invoice GLW-8801: Great Lakes Wire, InvoiceId 640101;"
        " Maumee Zinc, InvoiceId 640102; ask by InvoiceId"
    )
    assert refused(world.call(GET, {"invoicesUniqID": "GLW-1"}), "invalid") == "invoicesUniqID: no invoice GLW-1"


def test_an_invoice_is_validated_once(world: World) -> None:
    assert ok(_validate(world, "GLW-8801"))["ValidationStatus"] == "Validated"
    assert [row["ValidationStatus"] for row in table(world, "invoices")[:2]] == ["Validated", "Not validated"]
    assert "invoice GLW-8801 of Great Lakes Wire is validated already" in refused(_validate(world, "GLW-8801"))


def test_validating_a_held_invoice_is_accepted_and_needs_revalidation(world: World) -> None:
    ok(_hold(world, 640101))
    for _ in range(2):
        invoice = ok(_validate(world, "GLW-8801"))
        assert invoice["ValidationStatus"] == "Needs Revalidation"
    assert [hold["HoldName"] for hold in invoice["holds"]] == ["PRICE_VARIANCE"]


@pytest.mark.parametrize(
    ("number", "changes", "outcome", "part"),
    [
        ("GLW-1", {}, "refused", "Great Lakes Wire has no invoice GLW-1 in this tenant"),
        ("MZ-17", {}, "refused", "Great Lakes Wire has no invoice MZ-17"),
        ("GLW-8801", {"Supplier": "Nobody"}, "refused", "no supplier Nobody"),
        ("MZ-18", {"Supplier": "Maumee Zinc"}, "refused", "MZ-18 belongs to Northbridge Logistics BU"),
        ("GLW-8801", {"BusinessUnit": "Harbor BU"}, "refused", "is not of this tenant"),
        ("GLW-8801", {"ProcessAction": "Pay"}, "invalid", "ProcessAction: expected Validate"),
    ],
)
def test_a_wrong_validation_says_why_and_changes_nothing(
    untouched: World, number: str, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_validate(untouched, number, **changes), outcome)
    assert digest(untouched) == before


def test_a_hold_stands_on_the_invoice(world: World) -> None:
    hold = ok(_hold(world, 640102))
    assert hold == {
        "HoldId": 9001,
        "InvoiceId": 640102,
        "HoldName": "PRICE_VARIANCE",
        "HoldReason": "Price above the order",
        "HeldBy": "analyst",
        "HoldDate": "2026-02-09",
    }
    del hold["InvoiceId"]
    assert ok(world.call(GET, {"invoicesUniqID": "640102"}))["holds"] == [hold]
    ok(_hold(world, 640102, "QUANTITY_VARIANCE"))
    assert "is on the hold PRICE_VARIANCE already" in refused(_hold(world, 640102))


def test_a_hold_on_a_validated_invoice_asks_for_revalidation(world: World) -> None:
    ok(_validate(world, "GLW-8801"))
    ok(_hold(world, 640101))
    assert ok(world.call(GET, {"invoicesUniqID": "640101"}))["ValidationStatus"] == "Needs Revalidation"


@pytest.mark.parametrize(
    ("arguments", "outcome", "part"),
    [
        ((640999,), "refused", "InvoiceId: no invoice 640999 in this tenant"),
        ((640103,), "refused", "invoice MZ-17 has been paid; it cannot be held"),
        ((640101, "WHIM"), "refused", "HoldName: expected one of PRICE_VARIANCE, QUANTITY_VARIANCE"),
        ((640101, "PRICE_VARIANCE", " "), "invalid", "HoldReason: expected text, came a blank"),
    ],
)
def test_a_wrong_hold_says_why_and_changes_nothing(
    untouched: World, arguments: tuple[Any, ...], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_hold(untouched, *arguments), outcome)
    assert digest(untouched) == before
