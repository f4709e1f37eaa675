"""Shipments and the correction of their lines."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from erpbench_world.shipments import most_shippable
from hypothesis import given
from hypothesis import strategies as st
from world_fixture import TASK, digest, make_world, ok, refused, table

UPDATE = "oracle_fusion.shipment_lines.update"


def _line(number: int, shipment: str, **other: Any) -> dict[str, Any]:
    return {
        "ShipmentLine": number,
        "Shipment": shipment,
        "OrderNumber": "SO-NBR-40021",
        "OrderLineNumber": 1,
        "ItemNumber": "FST-M8-40",
        "UOM": "EA",
        "RequestedQuantity": 500,
        "ShippedQuantity": 480,
        "UnitSellingPrice": 8400,
        "LineStatus": "Staged",
        **other,
    }


def _shipment(number: str, status: str, carrier: str | None = None) -> dict[str, Any]:
    return {
        "Shipment": number,
        "OrderNumber": "SO-NBR-40021",
        "BuyingPartyNumber": "CUST-10412",
        "ShipFromOrganizationCode": "NBR1",
        "ShipmentStatus": status,
        "PlannedShipDate": "2026-02-10",
        "CarrierName": carrier,
    }


def _world(path: Path) -> World:
    return make_world(
        path,
        {
            "shipments": [
                _shipment("SHP-NBR-4471", "Open"),
                _shipment("SHP-NBR-4400", "Confirmed", "Lakeside Freight"),
                _shipment("SHP-NBR-4399", "Shipped"),
            ],
            "shipment_lines": [
                _line(61, "SHP-NBR-4471", LotNumber="L-0206"),
                _line(62, "SHP-NBR-4471", LineStatus="Cancelled"),
                _line(63, "SHP-NBR-4400"),
                _line(64, "SHP-NBR-4399"),
                _line(65, "SHP-NBR-4471", RequestedQuantity=7, ShippedQuantity=7, LineStatus="Picked"),
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


def _update(world: World, line: int, quantity: float, **other: Any) -> Any:
    return world.call(UPDATE, {"task_id": TASK, "ShipmentLine": line, "ShippedQuantity": quantity, **other})


def test_shipments_are_listed_without_their_lines(world: World) -> None:
    found = ok(world.call("oracle_fusion.shipments.list", {"q": "ShipmentStatus = 'Confirmed'"}))
    assert found == {
        "count": 1,
        "items": [
            {
                "Shipment": "SHP-NBR-4400",
                "OrderNumber": "SO-NBR-40021",
                "BuyingPartyNumber": "CUST-10412",
                "ShipFromOrganizationCode": "NBR1",
                "ShipmentStatus": "Confirmed",
                "PlannedShipDate": "2026-02-10",
                "CarrierName": "Lakeside Freight",
            }
        ],
    }


def test_a_line_is_corrected_and_listed_with_its_comment(world: World) -> None:
    line = ok(_update(world, 61, 455.0, Comments="pick confirmation"))
    assert line == {
        "ShipmentLine": 61,
        "Shipment": "SHP-NBR-4471",
        "OrderNumber": "SO-NBR-40021",
        "OrderLineNumber": 1,
        "ItemNumber": "FST-M8-40",
        "LotNumber": "L-0206",
        "UOM": "EA",
        "RequestedQuantity": 500,
        "ShippedQuantity": 455,
        "UnitSellingPrice": 0.84,
        "LineStatus": "Staged",
        "Comments": "pick confirmation",
    }
    listed = ok(
        world.call("oracle_fusion.shipment_lines.list", {"q": "Shipment='SHP-NBR-4471' and LineStatus='Staged'"})
    )
    assert listed == {"count": 1, "items": [line]}
    row = table(world, "trace")[0]
    assert row["wrote"].replace(" ", "") == '[["shipment_lines","61"]]'


@pytest.mark.parametrize(("line", "quantity"), [(61, 0), (61, 500), (61, 501), (61, 625), (65, 9)])
def test_the_bounds_are_zero_and_a_quarter_above_what_was_requested(world: World, line: int, quantity: int) -> None:
    """A quarter above 7 is 8.75, which allows 9."""
    assert ok(_update(world, line, quantity))["ShippedQuantity"] == quantity


@given(st.integers(0, 10**9))
def test_the_most_is_the_first_whole_quantity_at_or_above_a_quarter_more(requested: int) -> None:
    most = most_shippable(requested)
    assert Fraction(most) >= Fraction(5, 4) * requested > most - 1


def test_a_blank_comment_leaves_the_comment_alone(world: World) -> None:
    ok(_update(world, 61, 455, Comments="pick confirmation"))
    assert ok(_update(world, 61, 450, Comments=" "))["Comments"] == "pick confirmation"


@pytest.mark.parametrize(
    ("line", "quantity", "part"),
    [
        (99, 5, "ShipmentLine: no shipment line 99 in this tenant"),
        (61, -1, "ShippedQuantity: a quantity must be zero or more, came -1"),
        (61, 626, "ShippedQuantity: 626 is above 625, the most that line 61 takes with 500 requested"),
        (65, 10, "ShippedQuantity: 10 is above 9, the most that line 65 takes with 7 requested"),
        (62, 5, "ShipmentLine: line 62 is cancelled"),
        (63, 5, "on shipment SHP-NBR-4400, whose status is Confirmed; it cannot be changed"),
        (64, 5, "on shipment SHP-NBR-4399, whose status is Shipped; it cannot be changed"),
    ],
)
def test_a_wrong_correction_says_why_and_changes_nothing(untouched: World, line: int, quantity: int, part: str) -> None:
    before = digest(untouched)
    assert part in refused(_update(untouched, line, quantity))
    assert digest(untouched) == before
