"""Items and their prices, by the figures of the seed's item master."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

LIST = "oracle_fusion.items.list"
UPDATE = "oracle_fusion.items.update"


def _item(number: int, code: str, organization: str, price: int, **other: Any) -> dict[str, Any]:
    return {
        "ItemId": number,
        "OrganizationCode": organization,
        "ItemNumber": code,
        "ItemDescription": f"Description of {code}",
        "ItemStatusValue": "Active",
        "PrimaryUOMValue": "EA",
        "ListPrice": price,
        "PriceEffectiveDate": "2026-01-01",
        **other,
    }


def _world(path: Path) -> World:
    return make_world(
        path,
        {
            "items": [
                _item(300031, "ANC-12-100", "NBR1", 24500),
                _item(300010, "FST-M10-60", "NBR1", 13200, ItemClass="Bolts", LongDescription="Zinc, 100 a box"),
                _item(300110, "FST-M10-60", "NBR2", 14000, PriceEffectiveDate="2026-02-05"),
            ],
            "item_prices": [
                {"ItemId": 300031, "EffectiveDate": "2025-07-01", "kind": "history", "ListPrice": 23300},
                {"ItemId": 300110, "EffectiveDate": "2025-03-01", "kind": "history", "ListPrice": 12100},
                {"ItemId": 300110, "EffectiveDate": "2025-09-01", "kind": "history", "ListPrice": 12900},
                {"ItemId": 300110, "EffectiveDate": "2026-03-01", "kind": "scheduled", "ListPrice": 14500},
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


def _update(world: World, **changes: Any) -> Any:
    arguments = {"task_id": TASK, "ItemId": 300031, "ListPrice": 2.5, "EffectiveDate": "2026-02-09", **changes}
    return world.call(UPDATE, arguments)


def test_items_come_by_number_then_organization_with_only_the_keys_that_have_a_value(world: World) -> None:
    assert ok(world.call(LIST, {})) == {
        "count": 3,
        "items": [
            {
                "ItemDescription": "Description of ANC-12-100",
                "ItemId": 300031,
                "ItemNumber": "ANC-12-100",
                "ItemStatusValue": "Active",
                "ListPrice": 2.45,
                "OrganizationCode": "NBR1",
                "PriceEffectiveDate": "2026-01-01",
                "PriceHistory": [{"EffectiveDate": "2025-07-01", "ListPrice": 2.33}],
                "PrimaryUOMValue": "EA",
            },
            {
                "ItemClass": "Bolts",
                "ItemDescription": "Description of FST-M10-60",
                "ItemId": 300010,
                "ItemNumber": "FST-M10-60",
                "ItemStatusValue": "Active",
                "ListPrice": 1.32,
                "LongDescription": "Zinc, 100 a box",
                "OrganizationCode": "NBR1",
                "PriceEffectiveDate": "2026-01-01",
                "PrimaryUOMValue": "EA",
            },
            {
                "ItemDescription": "Description of FST-M10-60",
                "ItemId": 300110,
                "ItemNumber": "FST-M10-60",
                "ItemStatusValue": "Active",
                "ListPrice": 1.4,
                "OrganizationCode": "NBR2",
                "PriceEffectiveDate": "2026-02-05",
                "PriceHistory": [
                    {"EffectiveDate": "2025-03-01", "ListPrice": 1.21},
                    {"EffectiveDate": "2025-09-01", "ListPrice": 1.29},
                ],
                "PrimaryUOMValue": "EA",
                "ScheduledPrices": [{"EffectiveDate": "2026-03-01", "ListPrice": 1.45}],
            },
        ],
    }


def test_a_list_declares_the_items_and_the_prices_it_returned(world: World) -> None:
    ok(world.call(LIST, {"q": "OrganizationCode='NBR1' and ListPrice > 2"}))
    assert table(world, "trace")[-1]["saw"].replace(" ", "") == (
        '[["items","300031"],["item_prices","300031/2025-07-01"]]'
    )


def test_an_unknown_field_lists_the_fields(world: World) -> None:
    message = refused(world.call(LIST, {"q": "Colour='red'"}), "invalid")
    assert "ItemNumber" in message
    assert "PriceEffectiveDate" in message


def test_a_price_up_to_today_replaces_the_price_and_keeps_the_old_one_as_history(world: World) -> None:
    item = ok(_update(world))
    assert (item["ListPrice"], item["PriceEffectiveDate"]) == (2.5, "2026-02-09")
    assert item["PriceHistory"] == [
        {"EffectiveDate": "2025-07-01", "ListPrice": 2.33},
        {"EffectiveDate": "2026-01-01", "ListPrice": 2.45},
    ]
    assert "ScheduledPrices" not in item
    stored = next(row for row in table(world, "items") if row["ItemId"] == 300031)
    assert (stored["ListPrice"], stored["PriceEffectiveDate"]) == (25000, "2026-02-09")
    wrote = table(world, "trace")[-1]["wrote"].replace(" ", "")
    assert wrote == '[["item_prices","300031/2026-01-01"],["items","300031"]]'


def test_a_second_price_for_the_same_day_corrects_the_first_and_leaves_the_history_alone(world: World) -> None:
    ok(_update(world, ListPrice=2.5))
    item = ok(_update(world, ListPrice=2.48))
    assert (item["ListPrice"], item["PriceEffectiveDate"]) == (2.48, "2026-02-09")
    assert item["PriceHistory"] == [
        {"EffectiveDate": "2025-07-01", "ListPrice": 2.33},
        {"EffectiveDate": "2026-01-01", "ListPrice": 2.45},
    ]
    assert table(world, "trace")[-1]["wrote"].replace(" ", "") == '[["items","300031"]]'


def test_the_day_after_the_current_prices_date_is_a_change_and_not_a_correction(world: World) -> None:
    item = ok(_update(world, ItemId=300110, ListPrice=1.42, EffectiveDate="2026-02-06"))
    assert (item["ListPrice"], item["PriceEffectiveDate"]) == (1.42, "2026-02-06")
    assert item["PriceHistory"] == [
        {"EffectiveDate": "2025-03-01", "ListPrice": 1.21},
        {"EffectiveDate": "2025-09-01", "ListPrice": 1.29},
        {"EffectiveDate": "2026-02-05", "ListPrice": 1.4},
    ]
    assert item["ScheduledPrices"] == [{"EffectiveDate": "2026-03-01", "ListPrice": 1.45}]


def test_a_later_price_is_scheduled_and_a_second_one_for_the_day_takes_its_place(world: World) -> None:
    first = ok(_update(world, EffectiveDate="2026-04-01", ListPrice=2.55))
    assert (first["ListPrice"], first["PriceEffectiveDate"]) == (2.45, "2026-01-01")
    assert first["ScheduledPrices"] == [{"EffectiveDate": "2026-04-01", "ListPrice": 2.55}]
    second = ok(_update(world, EffectiveDate="2026-04-01", ListPrice=2.6))
    assert second["ScheduledPrices"] == [{"EffectiveDate": "2026-04-01", "ListPrice": 2.6}]
    assert ok(world.call(LIST, {"q": "ItemId=300031"}))["items"] == [second]


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"ItemId": 999}, "refused", "ItemId: no item 999 in this tenant"),
        ({"ListPrice": 0}, "refused", "ListPrice: a list price must be above zero"),
        ({"ListPrice": -0.1}, "refused", "ListPrice: a price must be zero or more, came -0.1"),
        ({"EffectiveDate": "2026-01-31"}, "refused", "2026-01-31 lies in pricing period 2026-01, which is closed"),
        (
            {"ItemId": 300110, "EffectiveDate": "2026-02-04"},
            "refused",
            "2026-02-04 lies before 2026-02-05, the date from which the current price of FST-M10-60 holds",
        ),
        ({"EffectiveDate": "2027-01-01"}, "refused", "2027-01-01 lies in no pricing period"),
        ({"EffectiveDate": "1 April 2026"}, "invalid", "EffectiveDate: expected an ISO date"),
        ({"ListPrice": 2.45678}, "invalid", "ListPrice: expected at most four decimals"),
        ({"ItemId": -1}, "invalid", "ItemId: expected the number of a record"),
    ],
)
def test_a_wrong_price_change_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_update(untouched, **changes), outcome)
    assert digest(untouched) == before


def test_a_whole_float_is_an_item_id(world: World) -> None:
    assert ok(_update(world, ItemId=300031.0))["ItemId"] == 300031
