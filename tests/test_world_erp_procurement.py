"""On-hand balances, suppliers, purchase orders and requisitions."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

CREATE = "oracle_fusion.purchase_requisitions.create"
SUBMIT = "oracle_fusion.purchase_requisitions.submit"
GET = "oracle_fusion.purchase_requisitions.get"
LINE: dict[str, Any] = {
    "ItemNumber": "FST-M8-40",
    "Quantity": 1500,
    "UOM": "EA",
    "UnitPrice": 0.3133,
    "Supplier": "Great Lakes Wire",
    "RequestedDeliveryDate": "2026-02-23",
}


def _world(path: Path) -> World:
    item = {"OrganizationCode": "NBR1", "PrimaryUOMValue": "EA", "ItemStatusValue": "Active"}
    order = {"Supplier": "Great Lakes Wire", "ProcurementBU": "Northbridge BU", "ShipToOrganizationCode": "NBR1"}
    return make_world(
        path,
        {
            "items": [
                {**item, "ItemId": 1, "ItemNumber": "FST-M8-40"},
                {**item, "ItemId": 2, "ItemNumber": "FST-OLD", "ItemStatusValue": "Inactive"},
                {**item, "ItemId": 3, "ItemNumber": "FST-OLD2", "ItemStatusValue": "Inactive"},
                {**item, "ItemId": 4, "ItemNumber": "FST-OLD2", "OrganizationCode": "NBR2"},
            ],
            "suppliers": [
                {
                    "SupplierNumber": "SUP-01",
                    "Supplier": "Great Lakes Wire",
                    "SupplierStatus": "Active",
                    "LeadTimeDays": 12,
                },
                {"SupplierNumber": "SUP-02", "Supplier": "Maumee Zinc", "SupplierStatus": "Blocked"},
                {"SupplierNumber": "SUP-03", "Supplier": "Old Rail Steel", "SupplierStatus": "Inactive"},
            ],
            "purchase_orders": [
                {
                    **order,
                    "OrderNumber": "PO-NBR-2001",
                    "Status": "Open",
                    "CurrencyCode": "USD",
                    "CreationDate": "2026-01-20",
                },
            ],
            "purchase_order_lines": [
                {
                    "OrderNumber": "PO-NBR-2001",
                    "LineNumber": number,
                    "ItemNumber": "FST-M8-40",
                    "Description": "Bolt",
                    "Quantity": 1000 * number,
                    "UOM": "EA",
                    "UnitPrice": 3100,
                    "PromisedDate": "2026-02-20",
                    "LineStatus": "Open",
                }
                for number in (1, 2)
            ],
            "onhand_balances": [
                {
                    "OrganizationCode": "NBR1",
                    "ItemNumber": "FST-M8-40",
                    "SubinventoryCode": "STORES",
                    "OnhandQuantity": 2400,
                    "ReservedQuantity": 900,
                    "UOM": "EA",
                }
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
        "RequisitioningBU": "Northbridge BU",
        "Preparer": "Dana Whitfield",
        "Description": "Replenishment",
        "Justification": "Below reorder point",
        "lines": list(lines) or [LINE],
        **changes,
    }
    return world.call(CREATE, arguments)


def test_balances_show_what_is_on_hand_and_reserved(world: World) -> None:
    assert ok(world.call("oracle_fusion.onhand_balances.list", {"q": "OnhandQuantity >= 2400"})) == {
        "count": 1,
        "items": [
            {
                "OrganizationCode": "NBR1",
                "ItemNumber": "FST-M8-40",
                "SubinventoryCode": "STORES",
                "OnhandQuantity": 2400,
                "ReservedQuantity": 900,
                "UOM": "EA",
            }
        ],
    }
    assert table(world, "trace")[0]["saw"].replace(" ", "") == '[["onhand_balances","NBR1/FST-M8-40/STORES"]]'


def test_suppliers_are_listed_with_lead_times(world: World) -> None:
    found = ok(world.call("oracle_fusion.suppliers.list", {"q": "SupplierStatus='Active'"}))
    assert [(item["Supplier"], item["LeadTimeDays"]) for item in found["items"]] == [("Great Lakes Wire", 12)]


def test_a_purchase_order_holds_its_lines_and_they_can_be_listed_alone(world: World) -> None:
    order = ok(world.call("oracle_fusion.purchase_orders.get", {"purchaseOrdersUniqID": "PO-NBR-2001"}))
    assert order["lines"][1] == {
        "LineNumber": 2,
        "ItemNumber": "FST-M8-40",
        "Description": "Bolt",
        "Quantity": 2000,
        "UOM": "EA",
        "UnitPrice": 0.31,
        "PromisedDate": "2026-02-20",
        "ReceivedQuantity": 0,
        "BilledQuantity": 0,
        "LineStatus": "Open",
    }
    assert ok(world.call("oracle_fusion.purchase_orders.list", {}))["items"] == [order]
    lines = ok(world.call("oracle_fusion.purchase_order_lines.list", {"purchaseOrdersUniqID": "PO-NBR-2001"}))
    assert lines == {"count": 2, "items": [{"OrderNumber": "PO-NBR-2001", **line} for line in order["lines"]]}
    saw = [row["saw"].replace(" ", "") for row in table(world, "trace")]
    child = '["purchase_order_lines","PO-NBR-2001/1"],["purchase_order_lines","PO-NBR-2001/2"]]'
    assert saw == ['[["purchase_orders","PO-NBR-2001"],' + child] * 2 + ["[" + child]


@pytest.mark.parametrize("tool", ["purchase_orders.get", "purchase_order_lines.list"])
def test_an_unknown_purchase_order_is_not_found(world: World, tool: str) -> None:
    answer = world.call(f"oracle_fusion.{tool}", {"purchaseOrdersUniqID": "PO-NBR-1"})
    assert refused(answer, "invalid") == "purchaseOrdersUniqID: no purchase order PO-NBR-1"


def test_a_requisition_is_incomplete_until_it_is_submitted(world: World) -> None:
    """1500 x 0.3133 is 469.95; 3 x 0.335 is 1.005, rounded to 1.01."""
    second = {**LINE, "Quantity": 3, "UnitPrice": 0.335, "Supplier": "SUP-01", "LineNumber": 9}
    made = ok(_create(world, LINE, second))
    assert made == {
        "Requisition": "REQ-NBR-7041",
        "RequisitioningBU": "Northbridge BU",
        "Preparer": "Dana Whitfield",
        "Description": "Replenishment",
        "Justification": "Below reorder point",
        "DocumentStatus": "Incomplete",
        "RequisitionTotal": 470.96,
        "CreationDate": "2026-02-09T09:00:00Z",
        "lines": [
            {**LINE, "LineNumber": 1},
            {**LINE, "LineNumber": 9, "Quantity": 3, "UnitPrice": 0.335},
        ],
    }
    assert ok(world.call(GET, {"purchaseRequisitionsUniqID": "REQ-NBR-7041"})) == made
    submitted = ok(world.call(SUBMIT, {"task_id": TASK, "purchaseRequisitionsUniqID": "REQ-NBR-7041"}))
    assert submitted == {**made, "DocumentStatus": "Pending Approval", "SubmittedDate": "2026-02-09"}
    before = digest(world)
    again = world.call(SUBMIT, {"task_id": TASK, "purchaseRequisitionsUniqID": "REQ-NBR-7041"})
    assert "requisition REQ-NBR-7041 has the status Pending Approval" in refused(again)
    assert digest(world) == before


def test_an_unknown_requisition_is_refused_on_submission_and_not_found_on_reading(world: World) -> None:
    unknown = {"purchaseRequisitionsUniqID": "REQ-NBR-1"}
    assert "no requisition REQ-NBR-1 in this tenant" in refused(world.call(SUBMIT, {"task_id": TASK, **unknown}))
    assert "no requisition REQ-NBR-1" in refused(world.call(GET, unknown), "invalid")


def test_an_item_active_in_another_organization_can_be_requested(world: World) -> None:
    assert ok(_create(world, {**LINE, "ItemNumber": "FST-OLD2"}))["lines"][0]["ItemNumber"] == "FST-OLD2"


def test_a_blocked_supplier_can_be_named_and_the_requisition_submitted(world: World) -> None:
    made = ok(_create(world, {**LINE, "Supplier": "Maumee Zinc"}))
    assert (made["lines"][0]["Supplier"], made["RequisitionTotal"]) == ("Maumee Zinc", 469.95)
    submitted = ok(world.call(SUBMIT, {"task_id": TASK, "purchaseRequisitionsUniqID": made["Requisition"]}))
    assert submitted["DocumentStatus"] == "Pending Approval"


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"ItemNumber": "FST-X"}, "refused", "lines[0].ItemNumber: no item FST-X in this tenant"),
        ({"ItemNumber": "FST-OLD"}, "refused", "has the status Inactive; expected Active"),
        ({"Quantity": 0}, "refused", "lines[0].Quantity: a quantity must be above zero"),
        ({"Quantity": -3}, "refused", "came -3"),
        ({"UOM": "BX"}, "refused", "FST-M8-40 is kept in EA; no conversion from BX"),
        ({"UOM": "??"}, "refused", "lines[0].UOM: expected one of BX, EA"),
        ({"UnitPrice": -1}, "refused", "lines[0].UnitPrice: a price must be zero or more"),
        ({"Supplier": "Nobody"}, "refused", "no supplier Nobody in this tenant"),
        ({"Supplier": "Old Rail Steel"}, "refused", "Old Rail Steel has the status Inactive"),
        ({"Supplier": "SUP-03"}, "refused", "Old Rail Steel has the status Inactive"),
        ({"RequestedDeliveryDate": "2026-02-08"}, "refused", "2026-02-08 lies before today, 2026-02-09"),
        ({"RequestedDeliveryDate": "soon"}, "invalid", "RequestedDeliveryDate: expected an ISO date"),
        ({"Supplier": None}, "invalid", "lines[0].Supplier: expected text, came null"),
        ({"Price": 1}, "invalid", "not known Price"),
    ],
)
def test_a_wrong_line_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, {**LINE, **changes}), outcome)
    assert digest(untouched) == before


def test_a_requisition_needs_a_unit_of_this_tenant_lines_and_an_open_period(world: World, tmp_path: Path) -> None:
    assert "RequisitioningBU" in refused(_create(world, RequisitioningBU="Harbor BU"))
    assert "expected a list of 1 to 200 lines" in refused(_create(world, lines=[]), "invalid")
    period = {"application": "purchasing", "period": "2026-02", "start_date": "2026-02-01", "end_date": "2026-02-28"}
    closed = make_world(tmp_path / "closed", {"periods": [{**period, "status": "Closed"}]})
    assert "2026-02-09 lies in purchasing period 2026-02, which is closed" in refused(_create(closed))
