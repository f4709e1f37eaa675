"""Money between JSON numbers and ten-thousandths."""

from decimal import Decimal
from typing import Any

import pytest
from erpbench_world import money
from erpbench_world.errors import InvalidArguments
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("value", "units"),
    [(0.84, 8400), (2757.6, 27_576_000), (5, 50_000), (-3.25, -32_500), (0.0001, 1), (0.1 + 0.2, None)],
)
def test_parse(value: float, units: int | None) -> None:
    if units is None:
        with pytest.raises(InvalidArguments, match="at most four decimals"):
            money.parse(value, "x")
    else:
        assert money.parse(value, "x") == units


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("5", 'Price: expected a number, came "5"'),
        (True, "Price: expected a number, came true"),
        (None, "Price: expected a number, came null"),
        (float("nan"), "Price: expected a finite number, came NaN"),
        (float("inf"), "Price: expected a finite number, came Infinity"),
        (10**12, "Price: expected less than 1000000000000, came 1000000000000"),
        (0.00001, "Price: expected at most four decimals, came 1e-05"),
    ],
)
def test_what_is_no_amount(value: Any, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        money.parse(value, "Price")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("quantity", "price", "amount"),
    [(1200, 8400, 10_080_000), (3, 33_333, 100_000), (1, 50, 100), (1, 49, 0), (3, 150, 500)],
)
def test_a_line_is_rounded_half_up_to_the_cent(quantity: int, price: int, amount: int) -> None:
    assert money.extend(quantity, price) == amount


@given(st.integers(-(10**12), 10**12))
def test_what_is_shown_reads_back(units: int) -> None:
    assert money.parse(money.show(units), "x") == units
    assert Decimal(str(money.show(units))) == Decimal(units) / 10_000
