"""The provider's q: what parses, what is selected, and what the messages say."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.call import Call
from erpbench_world.errors import InvalidArguments
from erpbench_world.query import MAX_CONDITIONS, Condition, FieldType, parse, select, wildcard
from hypothesis import given
from hypothesis import strategies as st

from tests.world_fixture import make_world

ITEM_FIELDS: dict[str, FieldType] = {
    "ItemId": "integer",
    "ItemNumber": "text",
    "ItemDescription": "text",
    "ItemClass": "text",
    "ListPrice": "money",
    "PriceEffectiveDate": "date",
}
ITEMS: list[dict[str, Any]] = [
    {"ItemId": 1, "ItemNumber": "FST-M8", "ItemDescription": "Śruba M8", "ListPrice": 8400,
     "PriceEffectiveDate": "2026-01-01"},
    {"ItemId": 2, "ItemNumber": "NUT-M8", "ItemDescription": "Bolt's nut", "ListPrice": 1900,
     "PriceEffectiveDate": "2025-07-01"},
    {"ItemId": 3, "ItemNumber": "ANC-12", "ItemDescription": "100% steel", "ItemClass": "ANCHOR", "ListPrice": 24500,
     "PriceEffectiveDate": "2026-02-09"},
]  # fmt: skip
ORDER_FIELDS: dict[str, FieldType] = {"OrderNumber": "text", "SubmittedFlag": "flag", "CreationDate": "date"}
ORDERS: list[dict[str, Any]] = [
    {"OrderNumber": "SO-1", "SubmittedFlag": 1, "CreationDate": "2026-02-03T10:12:00Z"},
    {"OrderNumber": "SO-2", "SubmittedFlag": 0, "CreationDate": "2026-02-04T00:00:00Z"},
]


@pytest.fixture
def call(tmp_path: Path) -> Call:
    world = make_world(tmp_path, {"items": ITEMS, "sales_orders": ORDERS})
    return Call(world._db, world._keys)


def ids(call: Call, q: str | None) -> list[int]:
    return [row["ItemId"] for row in select(call, "items", q, ITEM_FIELDS)]


@pytest.mark.parametrize(
    "text",
    [
        "CustomerPONumber='CA-PO-77310' and StatusCode!='Closed'",
        "  CustomerPONumber =  'CA-PO-77310'AND StatusCode <> \"Closed\"  ",
        "CustomerPONumber=CA-PO-77310;StatusCode!=Closed;",
    ],
)
def test_spacing_case_quotes_and_joins_are_free(text: str) -> None:
    assert parse(text) == (
        Condition("CustomerPONumber", "=", "CA-PO-77310"),
        Condition("StatusCode", "!=", "Closed"),
    )


def test_an_empty_expression_has_no_conditions() -> None:
    assert parse("") == parse("   ") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A='O''Brien'", "O'Brien"),
        (r"A='O\'Brien'", "O'Brien"),
        ("A=\"say \"\"so\"\"\"", 'say "so"'),
        (r"A='C:\temp'", r"C:\temp"),
        (r"A='back\\slash'", r"back\slash"),
        ("A='x and B=1; C'", "x and B=1; C"),
        ("A=''", ""),
    ],
)
def test_quotes_inside_values(text: str, value: str) -> None:
    assert parse(text) == (Condition("A", "=", value),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A='x' or B='y'", "at character 7, came \"or B='y'\"" ),
        ("A", "an operator after A"),
        ("A=", "a value for A at character 3, came the end"),
        ("='x'", "a field name at character 1"),
        ("A='x", "a closing quote at character 3"),
        ("A='x' and ", "a condition after and"),
        ("A likewise 'x'", "an operator after A"),
        ("A=lower('x')", "expected and, ;"),
        ("; A=1", "a field name at character 1"),
    ],
)
def test_what_does_not_parse_says_where(text: str, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parse(text)
    assert message.replace('"', "'") in str(caught.value).replace('"', "'")


@pytest.mark.parametrize("text", ["a" * 5000, "a" * 5000 + "=", "a" * 5000 + "='" + "x" * 5000 + "'"])
def test_a_long_name_is_told_by_its_beginning(text: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        parse(text)
    assert "a" * 60 in str(caught.value)
    assert len(str(caught.value)) < 200


def test_too_many_conditions_are_invalid() -> None:
    assert len(parse(";".join(["A=1"] * MAX_CONDITIONS))) == 40
    with pytest.raises(InvalidArguments, match="at most 40 conditions"):
        parse(";".join(["A=1"] * 41))


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        (None, [1, 2, 3]),
        ("", [1, 2, 3]),
        ("ItemNumber='FST-M8'", [1]),
        ("itemnumber='FST-M8'", [1]),
        ("ItemNumber='fst-m8'", []),
        ("ItemNumber like 'fst%'", [1]),
        ("ItemNumber LIKE '%m8'", [1, 2]),
        ("ItemDescription like 'ŚRUBA%'", [1]),
        ("ItemDescription like '100% s%'", [3]),
        ("ItemNumber like '_UT-M8'", []),
        ("ItemDescription='Bolt''s nut'", [2]),
        ("ListPrice=0.84", [1]),
        ("ListPrice='0.84'", [1]),
        ("ListPrice > .84", [3]),
        ("ListPrice >= 0.8400 and ListPrice < 2.45", [1]),
        ("ListPrice = 0.84001", []),
        ("ListPrice < 0.84001", [1, 2]),
        ("ItemId != 2", [1, 3]),
        ("ItemId <= 2.5", [1, 2]),
        ("PriceEffectiveDate >= '2026-01-01'", [1, 3]),
        ("PriceEffectiveDate like '2025%'", [2]),
        ("ItemClass is null", [1, 2]),
        ("ItemClass IS  NOT  NULL", [3]),
        ("ItemClass != 'BOLT'", [3]),
        ("ItemNumber='x'' or ''1''=''1'", []),
    ],
)
def test_selection(call: Call, q: str | None, expected: list[int]) -> None:
    assert ids(call, q) == expected


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("SubmittedFlag=true", ["SO-1"]),
        ("SubmittedFlag = 'Y'", ["SO-1"]),
        ("SubmittedFlag != TRUE", ["SO-2"]),
        ("SubmittedFlag='n'", ["SO-2"]),
        ("CreationDate='2026-02-03'", ["SO-1"]),
        ("CreationDate <= 2026-02-03", ["SO-1"]),
        ("CreationDate > '2026-02-03T10:12:00Z'", ["SO-2"]),
    ],
)
def test_flags_and_days_of_instants(call: Call, q: str, expected: list[str]) -> None:
    assert [row["OrderNumber"] for row in select(call, "sales_orders", q, ORDER_FIELDS)] == expected


@pytest.mark.parametrize(
    ("table", "q", "message"),
    [
        ("items", "Nope='x'", "no field 'Nope'; the fields are ItemClass, ItemDescription, ItemId, ItemNumber, "
         "ListPrice, PriceEffectiveDate"),
        ("items", "ListPrice='cheap'", "ListPrice: expected a number, came 'cheap'"),
        ("items", "ItemId=1e999", "ItemId: expected a number"),
        ("items", "ItemId=NaN", "ItemId: expected a number"),
        ("items", "ListPrice like '0%'", "like is for text"),
        ("items", "PriceEffectiveDate > 'yesterday'", "expected an ISO date"),
        ("sales_orders", "SubmittedFlag=maybe", "expected true or false, came 'maybe'"),
        ("sales_orders", "SubmittedFlag>true", "expected = or !="),
    ],
)  # fmt: skip
def test_wrong_fields_and_values_are_named(call: Call, table: str, q: str, message: str) -> None:
    fields = ITEM_FIELDS if table == "items" else ORDER_FIELDS
    with pytest.raises(InvalidArguments) as caught:
        select(call, table, q, fields)
    assert message in str(caught.value)


def test_extra_condition_and_order(call: Call) -> None:
    rows = select(call, "items", "ItemId > 1", ITEM_FIELDS, "ListPrice < 24500", order='"ItemNumber"')
    assert [row["ItemId"] for row in rows] == [2]
    rows = select(call, "items", "", ITEM_FIELDS, order='"ItemNumber"')
    assert [row["ItemNumber"] for row in rows] == ["ANC-12", "FST-M8", "NUT-M8"]


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("a%c", "abc", 1), ("a%c", "ac", 1), ("a%a", "a", 0), ("%", "", 1), ("%b%", "abc", 1), ("a%b%b", "ab", 0),
        ("abc", "ABC", 1), ("%x", None, 0), ("%ab%ab", "abab", 1), ("%ab%ab", "ab", 0),
    ],
)  # fmt: skip
def test_wildcard(pattern: str, value: str | None, expected: int) -> None:
    assert wildcard(pattern, value) == expected


@given(st.text(alphabet="ab", max_size=8), st.text(alphabet="ab", max_size=8), st.text(alphabet="ab", max_size=8))
def test_a_value_made_of_the_pieces_matches(first: str, middle: str, last: str) -> None:
    assert wildcard(f"{first}%{last}", f"{first}{middle}{last}") == 1


@given(st.text(max_size=40))
def test_any_text_parses_or_is_invalid(text: str) -> None:
    try:
        conditions = parse(text)
    except InvalidArguments:
        return
    assert all(condition.field.isidentifier() for condition in conditions)


@given(st.text(max_size=30))
def test_a_quoted_value_comes_back_as_it_was(value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace("'", "''")
    assert parse(f"A='{escaped}'") == (Condition("A", "=", value),)
