"""Sales orders, by the seed's own import of CA-PO-77310."""

import json
from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

LIST = "oracle_fusion.sales_orders.list"
GET = "oracle_fusion.sales_orders.get"
CREATE = "oracle_fusion.sales_orders.create"

PRICES = {"FST-M8-40": 8400, "FST-M10-60": 13200, "NUT-M8-NYL": 1900, "WSH-M10-SS": 1100, "ANC-12-100": 24500}
LINES: list[dict[str, Any]] = [
    {"ProductNumber": "FST-M8-40", "OrderedQuantity": 1200, "OrderedUOM": "EA", "UnitListPrice": 0.84},
    {"ProductNumber": "FST-M10-60", "OrderedQuantity": 800, "OrderedUOM": "EA", "UnitListPrice": 1.32},
    {"ProductNumber": "NUT-M8-NYL", "OrderedQuantity": 640, "OrderedUOM": "EA", "UnitListPrice": 0.19},
    {"ProductNumber": "WSH-M10-SS", "OrderedQuantity": 300, "OrderedUOM": "EA", "UnitListPrice": 0.11},
    {"ProductNumber": "ANC-12-100", "OrderedQuantity": 220, "OrderedUOM": "EA", "UnitListPrice": 2.45},
]
ORDER: dict[str, Any] = {
    "task_id": TASK,
    "SourceTransactionNumber": "FILE-NBR-ORDER-BATCH-0209",
    "SourceTransactionSystem": "OPS",
    "CustomerPONumber": "CA-PO-77310",
    "TransactionType": "Standard Orders",
    "BuyingPartyNumber": "CUST-10412",
    "RequestedFulfillmentOrganizationCode": "NBR1",
    "SubmittedFlag": True,
    "lines": LINES,
}


def _world(path: Path) -> World:
    items = [
        {
            "ItemId": 300001 + index,
            "OrganizationCode": "NBR1",
            "ItemNumber": number,
            "ItemStatusValue": "Active",
            "PrimaryUOMValue": "EA",
            "ListPrice": price,
        }
        for index, (number, price) in enumerate(PRICES.items())
    ]
    items.append({**items[0], "ItemId": 300090, "ItemNumber": "FST-M6-20-OLD", "ItemStatusValue": "Inactive"})
    return make_world(
        path,
        {
            "items": items,
            "accounts": [{"AccountId": "CUST-10412", "CustomerName": "Cascade Assembly Inc."}],
            "sales_orders": [
                {
                    "OrderNumber": "SO-NBR-40039",
                    "CustomerPONumber": "CA-PO-77310",
                    "BuyingPartyNumber": "CUST-10412",
                    "BuyingPartyName": "Cascade Assembly Inc.",
                    "SourceTransactionNumber": "FILE-NBR-ORDER-BATCH-0203",
                    "SourceTransactionSystem": "OPS",
                    "TransactionType": "Standard Orders",
                    "RequestedFulfillmentOrganizationCode": "NBR1",
                    "SubmittedFlag": 1,
                    "StatusCode": "Awaiting Shipping",
                    "OrderTotal": 4730000,
                    "CreationDate": "2026-02-03T10:12:00Z",
                    "CreatedBy": "ops_lead",
                    "LastUpdateDate": "2026-02-03T10:12:00Z",
                }
            ],
            "sales_order_lines": [
                _stored_line(1, 5, "FST-M8-40", 450, 8400, 3780000),
                _stored_line(2, 8, "NUT-M8-NYL", 500, 1900, 950000),
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


def _stored_line(number: int, source: int, item: str, quantity: int, price: int, amount: int) -> dict[str, Any]:
    return {
        "OrderNumber": "SO-NBR-40039",
        "LineNumber": number,
        "SourceLineNumber": source,
        "ProductNumber": item,
        "OrderedQuantity": quantity,
        "OrderedUOM": "EA",
        "UnitListPrice": price,
        "ExtendedAmount": amount,
    }


def _create(world: World, **changes: Any) -> Any:
    arguments = {key: value for key, value in {**ORDER, **changes}.items() if value is not None}
    return world.call(CREATE, arguments)


def _with_line(**changes: Any) -> dict[str, Any]:
    return {"lines": [{**LINES[0], **changes}]}


def test_the_earlier_import_is_listed_as_the_seed_shows_it(world: World) -> None:
    found = ok(world.call(LIST, {"q": "CustomerPONumber='CA-PO-77310'"}))
    text = json.dumps(found, sort_keys=True)
    assert text.startswith(
        '{"count": 1, "items": [{"BuyingPartyName": "Cascade Assembly Inc.", "BuyingPartyNumber": "CUST-10412", '
        '"CreatedBy": "ops_lead", "CreationDate": "2026-02-03T10:12:00Z", "CustomerPONumber": "CA-PO-77310", '
        '"LastUpdateDate": "2026-02-03T10:12:00Z", "OrderKey": "SO-NBR-40039", "OrderNumber": "SO-NBR-40039", '
        '"OrderTotal": 473.0, "RequestedFulfillmentOrganizationCode": "NBR1", "SourceTransactionNumber": '
        '"FILE-NBR-ORDER-BATCH-0203", "SourceTransactionSystem": "OPS", "StatusCode": "Awaiting Shipping", '
        '"SubmittedFlag": true, '
    )
    assert found["items"][0]["lines"][0] == {
        "LineNumber": 1,
        "SourceLineNumber": 5,
        "ProductNumber": "FST-M8-40",
        "OrderedQuantity": 450,
        "OrderedUOM": "EA",
        "UnitListPrice": 0.84,
        "ExtendedAmount": 378.0,
    }


def test_the_seeds_import_is_booked_with_its_number_and_total(world: World) -> None:
    order = ok(_create(world))
    assert (order["OrderNumber"], order["OrderKey"]) == ("SO-NBR-50011", "SO-NBR-50011")
    assert (order["OrderTotal"], order["StatusCode"], order["SubmittedFlag"]) == (2757.6, "Booked", True)
    assert (order["BuyingPartyName"], order["CreatedBy"]) == ("Cascade Assembly Inc.", "analyst")
    assert (order["CreationDate"], order["LastUpdateDate"]) == ("2026-02-09T09:00:00Z", "2026-02-09T09:00:00Z")
    assert [line["ExtendedAmount"] for line in order["lines"]] == [1008.0, 1056.0, 121.6, 33.0, 539.0]
    assert order["lines"][4] == {
        "LineNumber": 5,
        "ProductNumber": "ANC-12-100",
        "OrderedQuantity": 220,
        "OrderedUOM": "EA",
        "UnitListPrice": 2.45,
        "ExtendedAmount": 539.0,
    }
    assert ok(world.call(GET, {"OrderKey": "SO-NBR-50011"})) == order
    keys = ["SO-NBR-50011", *(f"SO-NBR-50011/{line}" for line in range(1, 6))]
    for column in ("saw", "wrote"):
        assert [key for _, key in json.loads(table(world, "trace")[0][column])] == keys


def test_an_order_that_is_not_submitted_is_a_draft(world: World) -> None:
    order = ok(_create(world, SubmittedFlag=False))
    assert (order["StatusCode"], order["SubmittedFlag"]) == ("Draft", False)


def test_each_line_is_rounded_half_up_to_the_cent_before_the_lines_are_summed(world: World) -> None:
    line = {**LINES[0], "OrderedQuantity": 1, "UnitListPrice": 0.125}
    order = ok(_create(world, lines=[line, {**line, "ProductNumber": "WSH-M10-SS"}]))
    assert order["OrderTotal"] == 0.26


def test_an_order_for_a_customer_without_an_account_may_have_a_total_alone(world: World) -> None:
    order = ok(_create(world, BuyingPartyNumber=None, BuyingPartyName="Walk-in buyer", lines=None, OrderTotal=84.5))
    assert (order["BuyingPartyName"], order["OrderTotal"], order["lines"]) == ("Walk-in buyer", 84.5, [])
    assert "BuyingPartyNumber" not in order


def test_a_different_second_order_for_the_purchase_order_is_accepted(world: World) -> None:
    ok(_create(world))
    second = ok(_create(world, **_with_line(UnitListPrice=0.8)))
    assert second["OrderNumber"] == "SO-NBR-50012"


def test_an_exact_repeat_in_any_order_of_lines_is_refused(world: World) -> None:
    ok(_create(world))
    before = digest(world)
    message = refused(_create(world, lines=LINES[::-1]))
    assert message == (
        "SourceTransactionNumber: order SO-NBR-50011 already holds FILE-NBR-ORDER-BATCH-0209"
        " for CA-PO-77310 with the same lines"
    )
    assert digest(world) == before


def test_an_inactive_item_is_ordered_like_any_other(world: World) -> None:
    """1200 x 0.84 is 1008."""
    order = ok(_create(world, **_with_line(ProductNumber="FST-M6-20-OLD")))
    assert (order["lines"][0]["ProductNumber"], order["OrderTotal"]) == ("FST-M6-20-OLD", 1008.0)


def test_an_item_is_ordered_in_any_known_unit_and_extended_as_entered(world: World) -> None:
    """12 boxes at 84 come to 1008, whatever a box of an item kept in EA holds."""
    order = ok(_create(world, **_with_line(OrderedUOM="BX", OrderedQuantity=12, UnitListPrice=84)))
    line = order["lines"][0]
    assert (line["OrderedUOM"], line["OrderedQuantity"], line["ExtendedAmount"]) == ("BX", 12, 1008.0)
    stored = [row["OrderedUOM"] for row in table(world, "sales_order_lines") if row["OrderNumber"] == "SO-NBR-50011"]
    assert stored == ["BX"]


def test_line_numbers_and_source_lines_are_kept(world: World) -> None:
    order = ok(_create(world, **_with_line(LineNumber=4, SourceLineNumber=7)))
    assert [(line["LineNumber"], line["SourceLineNumber"]) for line in order["lines"]] == [(4, 7)]


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"RequestedFulfillmentOrganizationCode": "HBC1"}, "refused", '"HBC1" is not of this tenant'),
        ({"RequestedFulfillmentOrganizationCode": "NBR-BU"}, "refused", "expected one of NBR1, NBR2"),
        ({"TransactionType": "Gift"}, "refused", "TransactionType: expected one of Sample Orders, Standard Orders"),
        ({"SourceTransactionSystem": "FAX"}, "refused", "SourceTransactionSystem: expected one of OPS, SHOPIFY"),
        ({"BuyingPartyNumber": "CUST-99999"}, "refused", 'no customer account "CUST-99999" in this tenant'),
        ({"BuyingPartyName": "Cascade"}, "refused", "account CUST-10412 is Cascade Assembly Inc."),
        ({"BuyingPartyNumber": None}, "invalid", "BuyingPartyNumber: expected an account number"),
        ({"lines": None}, "invalid", "lines: expected lines, or OrderTotal"),
        ({"lines": []}, "invalid", "lines: expected lines, or OrderTotal"),
        ({"OrderTotal": 2757.61}, "refused", "the lines come to 2757.6, the header says 2757.61"),
        ({"lines": None, "OrderTotal": -1}, "refused", "OrderTotal: an amount must be zero or more"),
        (_with_line(ProductNumber="FST-XX"), "refused", "no item FST-XX in organization NBR1"),
        ({"RequestedFulfillmentOrganizationCode": "NBR2"}, "refused", "no item FST-M8-40 in organization NBR2"),
        (_with_line(OrderedUOM="PALLET"), "refused", "lines[0].OrderedUOM: expected one of BX, EA"),
        (_with_line(OrderedQuantity=-5), "refused", "lines[0].OrderedQuantity: a quantity must be above zero"),
        (_with_line(OrderedQuantity=0), "refused", "a quantity must be above zero"),
        (_with_line(UnitListPrice=-0.01), "refused", "lines[0].UnitListPrice: a price must be zero or more"),
        (_with_line(OrderedQuantity=2.5), "invalid", "lines[0].OrderedQuantity: expected a whole number"),
        (_with_line(UnitListPrice="0.84"), "invalid", "lines[0].UnitListPrice: expected a number"),
        (_with_line(Quantity=3), "invalid", "not known Quantity"),
        (_with_line(LineNumber=0), "invalid", "expected a line number from 1 up"),
        ({"lines": [LINES[0], {**LINES[1], "LineNumber": 1}]}, "invalid", "line number 1 is used twice"),
        ({"lines": [{"ProductNumber": "FST-M8-40"}]}, "invalid", "missing OrderedQuantity, OrderedUOM, UnitListPrice"),
        ({"CustomerPONumber": "  "}, "invalid", "CustomerPONumber: expected text, came a blank"),
        (_with_line(OrderedQuantity=10**9, UnitListPrice=10**11), "invalid", "above what the ledger holds"),
    ],
)
def test_a_wrong_order_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, **changes), outcome)
    assert digest(untouched) == before


def test_no_order_is_entered_in_a_closed_period(tmp_path: Path) -> None:
    period = {"application": "order_management", "period": "2026-02", "start_date": "2026-02-01"}
    world = make_world(tmp_path, {"periods": [{**period, "end_date": "2026-02-28", "status": "Closed"}]})
    assert refused(_create(world)) == "order date: 2026-02-09 lies in order_management period 2026-02, which is closed"


def test_an_unknown_order_is_not_found(world: World) -> None:
    assert refused(world.call(GET, {"OrderKey": "SO-NBR-1"}), "invalid") == "OrderKey: no sales order SO-NBR-1"


def test_a_foreign_task_is_refused(world: World) -> None:
    assert "unknown task" in refused(_create(world, task_id="erpbench-002"))
