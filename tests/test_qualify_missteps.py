"""Small wrong moves: which argument is spoiled, what a second record keeps, what half the lines are."""

from decimal import Decimal

from generator.qualify import missteps
from generator.spec.case import Write
from verifier.tables import Shape, Table

ERP = "oracle_fusion."
LINES = [
    {"ProductNumber": "A", "OrderedQuantity": 10, "OrderedUOM": "EA", "UnitListPrice": Decimal("1")},
    {"ProductNumber": "B", "OrderedQuantity": 20, "OrderedUOM": "EA", "UnitListPrice": Decimal("2")},
    {"ProductNumber": "C", "OrderedQuantity": 30, "OrderedUOM": "EA", "UnitListPrice": Decimal("3")},
]
ORDER = Write(
    f"{ERP}sales_orders.create",
    {"CustomerPONumber": "PO-1", "RequestedFulfillmentOrganizationCode": "NBR1", "SubmittedFlag": True, "lines": LINES},
    {"primary": "OrderNumber"},
)
RECEIPT = Write(
    f"{ERP}standard_receipts.create",
    {
        "ReceiptNumber": "R-1",
        "CustomerAccountNumber": "CUST-1",
        "remittanceReferences": [
            {"ReferenceType": "Invoice", "ReferenceNumber": "I-1", "ApplyAmount": Decimal("10.00")},
        ],
    },
)
NO_TABLES: dict[str, Table] = {}


def test_a_spoiled_write_belongs_to_nothing_that_exists() -> None:
    assert missteps.spoiled(ORDER).arguments["RequestedFulfillmentOrganizationCode"] == "XX9"
    assert missteps.spoiled(ORDER).arguments["lines"] == LINES


def test_a_foreign_key_is_another_tenants_unless_this_world_knows_it() -> None:
    foreign = Write(ORDER.tool, {**ORDER.arguments, "RequestedFulfillmentOrganizationCode": "ZIA1"})
    found = missteps.with_foreign_key(ORDER, foreign, NO_TABLES)
    assert found.arguments["RequestedFulfillmentOrganizationCode"] == "ZIA1"
    item = Write(f"{ERP}items.update", {"ItemId": 5})
    held = {"items": Table(Shape("items", ("ItemId",), (0,)), {"5": (5,), "6": (6,)})}
    other = missteps.with_foreign_key(item, Write(item.tool, {"ItemId": 6}), held)
    assert other.arguments["ItemId"] == 999_999_999
    assert missteps.with_foreign_key(item, Write(item.tool, {"ItemId": 7}), held).arguments["ItemId"] == 7


def test_half_the_lines_or_half_the_writes() -> None:
    halved = missteps.half([ORDER])
    assert halved is not None
    assert halved[0].arguments["lines"] == LINES[:1]
    single = Write(f"{ERP}workers.create", {"PersonNumber": "P-1"})
    assert missteps.half([single]) is None
    assert missteps.half([single, single, single]) == (single,)


def test_a_second_order_beside_the_first_is_no_repeat_of_it() -> None:
    draft = Write(ORDER.tool, {**ORDER.arguments, "SubmittedFlag": False}, ORDER.keep)
    assert missteps.beside([ORDER], [draft], NO_TABLES) == ()
    cheaper = Write(ORDER.tool, {**ORDER.arguments, "lines": LINES[:2]}, ORDER.keep)
    submit = Write(f"{ERP}purchase_requisitions.submit", {"purchaseRequisitionsUniqID": "${primary}"})
    second, follow = missteps.beside([ORDER], [cheaper, submit], NO_TABLES)
    assert second.keep == {"other_primary": "OrderNumber"}
    assert follow.arguments == {"purchaseRequisitionsUniqID": "${other_primary}"}


def test_a_second_receipt_of_the_account_has_a_number_of_its_own_and_applies_nothing() -> None:
    other = Write(RECEIPT.tool, {**RECEIPT.arguments, "ReceiptAmount": Decimal("9.00")})
    (second,) = missteps.beside([RECEIPT], [other], NO_TABLES)
    assert (second.arguments["ReceiptNumber"], second.arguments["remittanceReferences"]) == ("R-1-2", [])


def test_a_write_on_a_record_that_gold_changes_does_not_stand_beside_it() -> None:
    gold = Write(f"{ERP}shipment_lines.update", {"ShipmentLine": 1, "ShippedQuantity": 9})
    wrong = Write(gold.tool, {"ShipmentLine": 1, "ShippedQuantity": 10})
    other = Write(gold.tool, {"ShipmentLine": 2, "ShippedQuantity": 10})
    assert missteps.beside([gold], [wrong, other], NO_TABLES) == (other,)


def test_a_stranger_moves_one_figure_by_the_smallest_step() -> None:
    (order,) = missteps.as_a_stranger_asks([ORDER], NO_TABLES)
    assert [line["OrderedQuantity"] for line in order.arguments["lines"]] == [11, 20, 30]
    (receipt,) = missteps.as_a_stranger_asks([RECEIPT], NO_TABLES)
    assert receipt.arguments["remittanceReferences"][0]["ApplyAmount"] == Decimal("9.99")
    hire = Write(f"{ERP}absences.create", {"endDate": "2026-02-28"})
    assert missteps.as_a_stranger_asks([hire], NO_TABLES)[0].arguments["endDate"] == "2026-03-01"
