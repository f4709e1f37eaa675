"""JSON with numbers as decimals or as written, and what comes of numbers that are none."""

from decimal import Decimal
from typing import Any

import pytest

from verifier import jsontext
from verifier.jsontext import TooDeep, Written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", Decimal(5)),
        ("2757.60", Decimal("2757.60")),
        ("1e3", Decimal(1000)),
        ('["5", true, null]', ["5", True, None]),
        ("Infinity", Decimal("Infinity")),
    ],
)
def test_parse(text: str, value: Any) -> None:
    found = jsontext.parse(text)
    assert found == value
    assert type(found) is type(value)


def test_what_is_no_number_is_a_decimal_too() -> None:
    """NaN and Infinity are no JSON, but Python's reader takes them: as a Decimal they are found to be no number."""
    assert isinstance(jsontext.parse("NaN"), Decimal)
    assert jsontext.comparable(jsontext.parse("-Infinity")) is None


def test_a_number_beyond_decimal_is_none() -> None:
    assert jsontext.parse("1e99999999999999999999").is_nan()
    assert jsontext.number_of(Written("1e99999999999999999999")) is None


def test_limits_of_what_is_parsed() -> None:
    assert jsontext.parse(" " * ((256 << 10) - 1) + "5") == 5
    with pytest.raises(ValueError, match=r"^JSON longer than the world takes$"):
        jsontext.parse(" " * (256 << 10) + "5")
    with pytest.raises(TooDeep, match=r"^JSON nested too deeply$"):
        jsontext.parse("[" * 100_000)
    with pytest.raises(TooDeep, match=r"^JSON nested too deeply$"):
        jsontext.outline("[" * 100_000)
    with pytest.raises(ValueError, match="Expecting"):
        jsontext.parse("[")


def test_outline_keeps_numbers_as_written() -> None:
    found = jsontext.outline('{"a": 5, "b": [1e3, NaN], "c": "5"}')
    assert found == {"a": "5", "b": ["1e3", "NaN"], "c": "5"}
    assert isinstance(found["a"], Written)
    assert [isinstance(one, Written) for one in (*found["b"], found["c"])] == [True, True, False]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("5.0", Decimal(5)),
        ("1e3", Decimal(1000)),
        ("NaN", None),
        ("Infinity", None),
        ("1e30", Decimal(10**30)),
        ("1e31", None),
    ],
)
def test_number_of_what_is_written(written: str, number: Decimal | None) -> None:
    assert jsontext.number_of(Written(written)) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (5, Decimal(5)),
        (0, Decimal(0)),
        (Decimal("-2.5"), Decimal("-2.5")),
        (True, None),
        (5.0, None),
        ("5", None),
        (None, None),
        (Decimal("1e-30"), Decimal("1e-30")),
        (Decimal("1e-31"), None),
        (Decimal("-1e31"), None),
        (Decimal("-Infinity"), None),
    ],
)
def test_comparable(value: Any, number: Decimal | None) -> None:
    assert jsontext.comparable(value) == number


@pytest.mark.parametrize(
    ("left", "right", "tolerance", "close"),
    [
        ("5", "5.0", "0", True),
        ("5", "6", "0", False),
        ("2757.604", "2757.60", "0.005", True),
        ("2757.605", "2757.60", "0.005", False),
        ("2757.595", "2757.60", "0.005", False),
        ("2757.596", "2757.60", "0.005", True),
    ],
)
def test_close(left: str, right: str, tolerance: str, close: bool) -> None:
    assert jsontext.close(Decimal(left), Decimal(right), Decimal(tolerance)) is close


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Decimal(5), 5),
        (Decimal("5.0"), 5),
        (Decimal("2757.60"), 2757.6),
        (Decimal("NaN"), "NaN"),
        (Decimal("1e31"), "1E+31"),
        ([Decimal(1), "a", None, True], [1, "a", None, True]),
        ((Decimal(1),), [1]),
        ({"a": {"b": Decimal("0.5")}}, {"a": {"b": 0.5}}),
        (Decimal("1" * 100), "1" * 80),
    ],
)
def test_plain(value: Any, plain: Any) -> None:
    found = jsontext.plain(value)
    assert found == plain
    assert type(found) is type(plain)


def test_plain_ends_at_a_depth() -> None:
    assert jsontext.plain([[[5]]], depth=2) == [["…"]]
    assert jsontext.plain({"a": {"b": 5}}, depth=1) == {"a": "…"}
    nested: Any = 5
    for _ in range(60):
        nested = [nested]
    found = jsontext.plain(nested)
    for _ in range(40):
        (found,) = found
    assert found == "…"
