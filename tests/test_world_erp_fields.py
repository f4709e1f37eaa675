"""Values of arguments and line keys."""

from collections.abc import Callable
from typing import Any

import pytest
from erpbench_world import fields
from erpbench_world.errors import CallError, InvalidArguments, Refused
from hypothesis import given
from hypothesis import strategies as st

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_text_loses_surrounding_blanks_only() -> None:
    assert fields.text("  CA-PO 77310\t", "x") == "CA-PO 77310"
    assert fields.note("first\nsecond", "x") == "first\nsecond"


@pytest.mark.parametrize("value", ["", " \n", None, 5, ["a"], "a\x00b", "a\x1bb", "a\ud800", "x" * 241])
def test_what_is_no_text_is_invalid(value: Any) -> None:
    with pytest.raises(InvalidArguments, match=r"^x: expected"):
        fields.text(value, "x")


@pytest.mark.parametrize(("value", "expected"), [(300031, 300031), (300031.0, 300031), (0, 0)])
def test_a_record_number_may_be_a_whole_float(value: Any, expected: int) -> None:
    found = fields.record_id(value, "x")
    assert found == expected
    assert isinstance(found, int)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1.5, True, "7", None, -1, 10**30, 1e300])
def test_what_is_no_record_number_is_invalid(value: Any) -> None:
    with pytest.raises(InvalidArguments):
        fields.record_id(value, "x")


def test_lines_without_a_number_take_their_place() -> None:
    assert fields.line_numbers([{}, {"LineNumber": 7}, {"LineNumber": None}], "lines") == [1, 7, 3]


def test_a_line_number_that_another_line_has_by_its_place_is_invalid() -> None:
    with pytest.raises(InvalidArguments, match="line number 1 is used twice"):
        fields.line_numbers([{}, {"LineNumber": 1}], "lines")


def test_prices_have_four_decimals_and_amounts_two() -> None:
    assert fields.price(0.3133, "x") == 3133
    assert fields.amount(2757.6, "x") == 27576000
    with pytest.raises(InvalidArguments, match="whole cents"):
        fields.amount(0.3133, "x")


def test_negative_money_is_refused_and_zero_where_it_must_be_positive() -> None:
    with pytest.raises(Refused, match="zero or more"):
        fields.price(-0.01, "x")
    with pytest.raises(Refused, match="above zero"):
        fields.amount(0, "x")
    assert fields.amount(0, "x", positive=False) == 0


def test_an_extended_amount_is_rounded_half_up_to_the_cent() -> None:
    assert fields.extended(3, 3350, "x") == 10100
    assert fields.extended(10**9, 9_999_999, "x") == 9_999_999_000_000_000
    with pytest.raises(InvalidArguments, match="ledger"):
        fields.extended(10**9, 10_000_000, "x")


CHECKS: list[Callable[[Any, str], str | int]] = [
    fields.text,
    fields.note,
    fields.record_id,
    fields.line_number,
    fields.price,
    fields.amount,
]


@pytest.mark.parametrize("check", CHECKS)
@given(value=ANYTHING)
def test_any_value_is_taken_as_the_same_kind_or_named_in_a_call_error(
    check: Callable[[Any, str], str | int], value: Any
) -> None:
    try:
        taken: str | int | None = check(value, "x")
    except CallError as error:
        taken, message = None, str(error)
    else:
        message = "x: "
    assert message.startswith("x: ")
    assert taken is None or isinstance(taken, str) == isinstance(value, str)
