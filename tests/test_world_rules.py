"""Rules that many writes share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import rules
from erpbench_world.call import Call
from erpbench_world.errors import CallError, InvalidArguments, Refused

from tests.world_fixture import make_world


@pytest.fixture
def call(tmp_path: Path) -> Call:
    world = make_world(tmp_path)
    return Call(world._db, world._keys)


def message(error: type[CallError], run: Callable[[], object]) -> str:
    with pytest.raises(error) as caught:
        run()
    return str(caught.value)


@pytest.mark.parametrize("value", ["2026-02-30", "20260209", "2026-2-9", "2026-02-09T00:00:00", 5, None, ["x"]])
def test_what_is_no_date(value: Any) -> None:
    assert message(InvalidArguments, lambda: rules.iso_date(value, "d")).startswith(
        "d: expected an ISO date such as 2026-02-09, came "
    )


def test_a_date_is_handed_on() -> None:
    assert rules.iso_date("2024-02-29", "d") == "2024-02-29"


def test_periods(call: Call) -> None:
    rules.open_period(call, "receivables", "2026-02-28", "ReceiptDate")
    found = message(Refused, lambda: rules.open_period(call, "receivables", "2026-01-31", "ReceiptDate"))
    assert found == "ReceiptDate: 2026-01-31 lies in receivables period 2026-01, which is closed"
    found = message(Refused, lambda: rules.open_period(call, "receivables", "2027-01-01", "ReceiptDate"))
    assert found == "ReceiptDate: 2027-01-01 lies in no receivables period"


def test_lookups_and_organizations(call: Call) -> None:
    assert rules.known(call, "uom", "EA", "UOM") == "EA"
    assert message(Refused, lambda: rules.known(call, "uom", "XX", "UOM")) == 'UOM: expected one of BX, EA, came "XX"'
    assert message(Refused, lambda: rules.known(call, "uom", ["EA"], "UOM")).endswith('came ["EA"]')
    assert rules.organization(call, "inventory", "NBR1", "Org") == "NBR1"
    assert rules.organization(call, "business_unit", "Northbridge BU", "BU", column="name") == "Northbridge BU"
    found = message(Refused, lambda: rules.organization(call, "inventory", "XYZ1", "Org"))
    assert found == 'Org: "XYZ1" is not of this tenant; expected one of NBR1, NBR2'


@pytest.mark.parametrize(
    "value", [True, "3", None, 2.5, 10**9 + 1, float("nan"), float("inf"), [1], {"a": 1}, 1e300, "9" * 5000]
)
def test_what_is_no_quantity_is_invalid(value: Any) -> None:
    found = message(InvalidArguments, lambda: rules.whole(value, "Quantity"))
    assert found.startswith("Quantity: expected a whole number up to 10^9, came ")
    assert len(found) < 250


def test_quantities() -> None:
    assert rules.whole(3.0, "Quantity") == 3
    assert rules.whole(0, "Quantity", positive=False) == 0
    assert message(Refused, lambda: rules.whole(0, "Quantity")) == "Quantity: a quantity must be above zero, came 0"
    found = message(Refused, lambda: rules.whole(-1, "Quantity", positive=False))
    assert found == "Quantity: a quantity must be zero or more, came -1"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], "lines: expected a list of 1 to 200 lines"),
        ([{"A": 1, "B": 2}] * 201, "lines: expected a list of 1 to 200 lines"),
        ("x", "lines: expected a list of 1 to 200 lines"),
        ([{"A": 1, "B": 2}, 5], "lines[1]: expected an object with A, B, came 5"),
        ([{"A": 1}], "lines[0]: expected A, B and optionally C; missing B"),
        ([{"A": 1, "B": 2, "b": 3}], "lines[0]: expected A, B and optionally C; not known b"),
    ],
)
def test_what_is_no_list_of_lines(value: Any, expected: str) -> None:
    assert message(InvalidArguments, lambda: rules.line_list(value, "lines", ("A", "B"), ("C",))) == expected


def test_lines_are_handed_on() -> None:
    lines = [{"A": 1, "B": None, "C": 3}]
    assert rules.line_list(lines, "lines", ("A", "B"), ("C",)) is lines
