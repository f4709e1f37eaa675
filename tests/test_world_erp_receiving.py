"""Receipts of delivered purchase-order lines."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

CREATE = "oracle_fusion.receiving_receipt_requests.create"
LINE: dict[str, Any] = {
    "DocumentNumber": "PO-NBR-2001",
    "DocumentLineNumber": 1,
    "ItemNumber": "FST-M8-40",
    "Quantity": 300,
    "TransactionType": "RECEIVE",
}


def _order_line(order: str, number: int, ordered: int, received: int, **other: Any) -> dict[str, Any]:
    return {
        "OrderNumber": order,
        "LineNumber": number,
        "ItemNumber": "FST-M8-40",
        "Quantity": ordered,
        "ReceivedQuantity": received,
        "LineStatus": "Open",
        **other,
    }


def _world(path: Path) -> World:
    return make_world(
        path,
        {
            "suppliers": [
                {"SupplierNumber": "SUP-01", "Supplier": "Great Lakes Wire"},
                {"SupplierNumber": "SUP-02", "Supplier": "Maumee Zinc"},
            ],
            "purchase_orders": [
                {"OrderNumber": "PO-NBR-2001", "Supplier": "Great Lakes Wire", "Status": "Open"},
                {"OrderNumber": "PO-NBR-2002", "Supplier": "Maumee Zinc", "Status": "Open"},
                {"OrderNumber": "PO-NBR-1990", "Supplier": "Great Lakes Wire", "Status": "Closed"},
            ],
            "purchase_order_lines": [
                _order_line("PO-NBR-2001", 1, 1000, 400),
                _order_line("PO-NBR-2001", 2, 50, 0, ItemNumber="NUT-M8-NYL"),
                _order_line("PO-NBR-2001", 3, 50, 0, LineStatus="Cancelled"),
                _order_line("PO-NBR-2002", 1, 100, 0),
                _order_line("PO-NBR-1990", 1, 100, 0),
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


def _create(world: World, *lines: dict[str, Any], **changes: Any) -> Any:
    arguments = {
        "task_id": TASK,
        "ReceiptSourceCode": "VENDOR",
        "OrganizationCode": "NBR1",
        "lines": list(lines) or [LINE],
        **changes,
    }
    return world.call(CREATE, arguments)


def _received(world: World) -> list[int]:
    lines = table(world, "purchase_order_lines")
    return [line["ReceivedQuantity"] for line in lines if line["OrderNumber"] == "PO-NBR-2001"]


def test_a_receipt_takes_the_supplier_from_the_order_and_adds_to_what_was_received(world: World) -> None:
    nuts = {**LINE, "DocumentLineNumber": 2, "ItemNumber": "NUT-M8-NYL", "Quantity": 50}
    receipt = ok(_create(world, LINE, nuts))
    assert receipt == {
        "ReceiptNumber": "RCV-NBR-3318",
        "ReceiptSourceCode": "VENDOR",
        "OrganizationCode": "NBR1",
        "VendorName": "Great Lakes Wire",
        "CreationDate": "2026-02-09T09:00:00Z",
        "CreatedBy": "analyst",
        "lines": [{**LINE, "LineNumber": 1}, {**nuts, "LineNumber": 2}],
    }
    assert _received(world) == [700, 50, 0]
    listed = ok(world.call("oracle_fusion.receiving_receipt_requests.list", {"q": "VendorName like 'great%'"}))
    assert listed == {"count": 1, "items": [receipt]}


def test_more_than_was_ordered_is_received_as_it_came(world: World) -> None:
    """400 received before and 650 now are 1050 on an order of 1000; 5 more make 1055."""
    receipt = ok(_create(world, {**LINE, "Quantity": 650}, VendorName="Great Lakes Wire"))
    assert receipt["lines"] == [{**LINE, "Quantity": 650, "LineNumber": 1}]
    assert _received(world) == [1050, 0, 0]
    ok(_create(world, {**LINE, "Quantity": 5}))
    assert _received(world) == [1055, 0, 0]


def test_two_lines_for_one_order_line_count_together(world: World) -> None:
    receipt = ok(_create(world, {**LINE, "Quantity": 500}, {**LINE, "Quantity": 101}))
    assert [line["Quantity"] for line in receipt["lines"]] == [500, 101]
    assert _received(world) == [1001, 0, 0]


@pytest.mark.parametrize(
    ("line", "changes", "outcome", "part"),
    [
        ({}, {"ReceiptSourceCode": "GIFT"}, "refused", "ReceiptSourceCode: expected one of INTERNAL, VENDOR"),
        ({}, {"OrganizationCode": "HBC1"}, "refused", 'OrganizationCode: "HBC1" is not of this tenant'),
        ({}, {"VendorName": "Nobody"}, "refused", "VendorName: no supplier Nobody in this tenant"),
        ({}, {"VendorName": "Maumee Zinc"}, "refused", "PO-NBR-2001 is with Great Lakes Wire, not Maumee Zinc"),
        ({"TransactionType": "SHIP"}, {}, "refused", "TransactionType: expected one of RECEIVE"),
        ({"DocumentNumber": "PO-1"}, {}, "refused", "no purchase order PO-1 in this tenant"),
        ({"DocumentNumber": "PO-NBR-1990"}, {}, "refused", "PO-NBR-1990 has the status Closed; expected Open"),
        ({"DocumentLineNumber": 8}, {}, "refused", "purchase order PO-NBR-2001 has no line 8"),
        ({"DocumentLineNumber": 3}, {}, "refused", "line 3 of purchase order PO-NBR-2001 has the status Cancelled"),
        ({"ItemNumber": "NUT-M8-NYL"}, {}, "refused", "is for FST-M8-40, came NUT-M8-NYL"),
        ({"Quantity": -1}, {}, "refused", "lines[0].Quantity: a quantity must be above zero, came -1"),
        ({"Quantity": True}, {}, "invalid", "lines[0].Quantity: expected a whole number"),
        ({"DocumentLineNumber": "1"}, {}, "invalid", "expected a line number from 1 up"),
    ],
)
def test_a_wrong_receipt_says_why_and_changes_nothing(
    untouched: World, line: dict[str, Any], changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, {**LINE, **line}, **changes), outcome)
    assert digest(untouched) == before


def test_one_receipt_holds_one_suppliers_orders(world: World) -> None:
    other = {**LINE, "DocumentNumber": "PO-NBR-2002", "Quantity": 5}
    assert "PO-NBR-2002 is with Maumee Zinc, not Great Lakes Wire" in refused(_create(world, LINE, other))


def test_nothing_is_received_in_a_closed_period(tmp_path: Path) -> None:
    period = {"application": "receiving", "period": "2026-02", "start_date": "2026-02-01", "end_date": "2026-02-28"}
    world = make_world(tmp_path, {"periods": [{**period, "status": "Closed"}]})
    assert "lies in receiving period 2026-02, which is closed" in refused(_create(world))
