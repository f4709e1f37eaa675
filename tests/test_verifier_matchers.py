"""Cell matchers: types of columns, sheet cells, lists of sources."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.faults import GraderFault
from verifier.matchers import matches, row_matches, words, words_for

KNOWN = {"min": 1, "known_sources": ["FILE-A", "FILE-B"]}


@pytest.mark.parametrize(
    ("matcher", "cell", "fits"),
    [
        ("EA", "EA", True),
        ("EA", "ea", False),
        ("5", 5, False),
        (5, 5, True),
        (5, "5", False),
        (5, None, False),
        (True, 1, True),
        (True, 0, False),
        (False, 0, True),
        (True, "1", False),
        (1, 1, True),
        ("$primary", "SO-1", True),
        ("$primary", "SO-2", False),
        ({"money": "0.84"}, 8400, True),
        ({"money": "2757.60"}, 27576000, True),
        ({"money": "0.84"}, 8401, False),
        ({"money": "0.84"}, "8400", False),
        ({"number": "2757.60"}, "2,757.60", True),
        ({"number": "5"}, 5, True),
        ({"number": "28.24", "tolerance": "0.01"}, "28.2499", True),
        ({"number": "28.24", "tolerance": "0.01"}, "28.25", False),
        ({"number": "28.24", "tolerance": "0.01"}, "28.26", False),
        ({"in": ["a", "b"]}, "b", True),
        ({"in": ["a", "b"]}, "c", False),
        ({"in": ["a", "$primary"]}, "SO-1", True),
        ({"nonempty": True}, " x ", True),
        ({"nonempty": True}, "  ", False),
        ({"nonempty": True}, None, False),
        ({"nonempty": True}, 0, True),
        ({"min_words": 5}, "one two three four five", True),
        ({"min_words": 5}, "one two - three four", False),
        ({"min_words": 1}, 7, False),
        ({"json": 5}, "5", True),
        ({"json": 5}, "5.0", True),
        ({"json": 5}, '"5"', True),
        ({"json": 5}, "true", False),
        ({"json": 1}, "true", False),
        ({"json": True}, "1", False),
        ({"json": True}, "true", True),
        ({"json": "FILE-A"}, '"FILE-A"', True),
        ({"json": "5"}, "5", True),
        ({"json": "$primary"}, '"SO-1"', True),
        ({"json": {"number": "2757.60", "tolerance": "0.005"}}, "2757.6", True),
        ({"json": {"number": "2757.60"}}, '"$2,757.60"', True),
        ({"json": {"number": "5"}}, "NaN", False),
        ({"json": {"number": "5"}}, "1e999", False),
        ({"json": {"number": "5"}}, "Infinity", False),
        ({"json": {"number": "5"}}, "1e99999999999999999999", False),
        ({"json": {"number": "5"}}, "[5]", False),
        ({"json": {"number": "5"}}, "[" * 100_000, False),
        ({"json": {"number": "5"}}, "", False),
        ({"json": 5}, None, False),
        ({"has": ["FILE-A"]}, '["file-a ", "X"]', True),
        ({"has": ["FILE-A"]}, '["FILE-AB"]', False),
        ({"has": ["FILE-A"], "none": ["FILE-B"]}, '["FILE-A", "file-b"]', False),
        ({"max": 2}, '["a", "b", "a"]', False),
        ({"min": 2}, '["a", "a"]', False),
        ({"min": 2}, '["a", "b"]', True),
        (KNOWN, '["X", "FILE-B"]', True),
        (KNOWN, '["X"]', False),
        (KNOWN, "[]", False),
        ({"min": 1}, '{"a": 1}', False),
        ({"min": 1}, "[1]", False),
        ({"min": 1}, "FILE-A", False),
        (None, None, True),
        (None, "", False),
        (None, 0, False),
        ("", None, False),
        ({"json": 5}, "6", False),
        ({"json": {"number": "5"}}, "5.5", False),
        ({"json": {"in": ["5", "7"]}}, "5", True),
        ({"in": ["5"]}, 5, False),
        ({"has": ["FILE-A"]}, '["FILE-A"]', True),
        ({"max": 2}, '["a", "b"]', True),
        ({"max": 2}, "[]", True),
        ({"min": 1}, '[" "]', False),
        ({"min": 1}, None, False),
        ({"min": 1}, 5, False),
        ({"known_sources": ["FILE-A"]}, '["FILE-A"]', True),
        ({"min": 2, "known_sources": ["FILE-A", "FILE-B"]}, '["FILE-A", "X"]', False),
        ({"min": 2, "known_sources": ["FILE-A", "FILE-B"]}, '["FILE-A", "FILE-B"]', True),
    ],
)
def test_matcher(matcher: Any, cell: Any, fits: bool) -> None:
    assert matches(matcher, cell, "SO-1") is fits


def test_unbound_primary_matches_nothing() -> None:
    assert not matches("$primary", "$primary", None)
    assert not matches({"json": "$primary"}, '""', None)


def test_numeric_name_of_the_primary_record_in_a_sheet() -> None:
    assert matches({"json": "$primary"}, "880123", "880123")
    assert not matches("$primary", 880123, "880123")


def test_all_conditions_must_hold() -> None:
    assert matches({"nonempty": True, "min_words": 2}, "two words", None)
    assert not matches({"nonempty": True, "min_words": 3}, "two words", None)


@pytest.mark.parametrize("matcher", [{"regex": "a"}, {}, {"tolerance": "1"}])
def test_unknown_matcher_is_a_fault(matcher: dict[str, Any]) -> None:
    with pytest.raises(GraderFault, match=r"^contract: no matcher \["):
        matches(matcher, "a", None)


def test_a_row_matches_where_every_named_column_does() -> None:
    cells = {"a": "x", "b": 5, "c": "SO-1"}
    assert row_matches({"a": "x", "b": 5, "c": "$primary"}, cells, "SO-1")
    assert row_matches({}, cells, None)
    assert not row_matches({"a": "x", "b": 6}, cells, "SO-1")
    assert not row_matches({"c": "$primary"}, cells, "SO-2")
    assert not row_matches({"d": "x"}, cells, None)


def test_words_of_a_text() -> None:
    assert words("Batch FILE-A is in force; see 25-source-map.yaml") == 7
    assert words("Batch FILE-A - is in force", enough=3) == 3
    assert words("a b", enough=5) == 2


def test_expectation_in_words() -> None:
    assert words_for({"json": {"number": "2757.60", "tolerance": "0.005"}}, None) == "2757.60"
    assert words_for("$primary", None) == "the primary record (not found)"
    assert words_for({"has": ["A"], "none": ["B"], "max": 10}, None) == "with A, without B, at most 10 entries"


@pytest.mark.parametrize(
    ("matcher", "words"),
    [
        ("EA", "'EA'"),
        (5, "5"),
        (True, "true"),
        (False, "false"),
        (None, "empty"),
        ("$primary", "the primary record (SO-1)"),
        ({"json": "$primary"}, "the primary record (SO-1)"),
        ({"json": "FILE-A"}, "FILE-A"),
        ({"money": "0.84"}, "0.84"),
        ({"number": "28.24", "tolerance": "0.01"}, "28.24"),
        ({"addresses": ["a@b.example", "c@d.example"]}, "to a@b.example or c@d.example"),
        ({"in": ["a", 5, "$primary"]}, "one of 'a', 5, the primary record (SO-1)"),
        ({"has": ["A", "B"]}, "with A, B"),
        ({"none": ["A", "B"]}, "without A, B"),
        ({"none": []}, "anything"),
        ({"nonempty": True}, "not empty"),
        ({"min_words": 5}, "at least 5 words"),
        ({"min": 1, "known_sources": ["A"]}, "at least 1 entries, naming known sources"),
        ({"max": 10}, "at most 10 entries"),
        ({"nonempty": True, "min_words": 5}, "not empty, at least 5 words"),
    ],
)
def test_each_expectation_in_words(matcher: Any, words: str) -> None:
    assert words_for(matcher, "SO-1") == words


@pytest.mark.parametrize(
    ("recipient", "fits"),
    [
        ("lead@works.example", True),
        ("Lead@Works.example", True),
        ("buyer@other.example, lead@works.example", True),
        ("lead@works.example, stranger@else.example", False),
        ("lead@works.example.evil.example", False),
        ("", False),
        (" , ", False),
        (None, False),
    ],
)
def test_every_address_is_an_allowed_one(recipient: str | None, fits: bool) -> None:
    allowed = {"addresses": ["lead@works.example", "buyer@other.example"]}
    assert matches(allowed, recipient, None) is fits


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    json_values, st.sampled_from([5, "5", True, "$primary", {"number": "5"}, {"in": [5]}, {"json": 5}, {"has": ["a"]}])
)
def test_any_stored_value_is_answered(value: Any, matcher: Any) -> None:
    assert matches({"json": matcher}, json.dumps(value), "SO-1") in (True, False)
    assert matches(matcher, json.dumps(value), "SO-1") in (True, False)


@given(st.integers(min_value=-(10**12), max_value=10**12))
def test_money_is_ten_thousandths_exactly(units: int) -> None:
    sign, whole, rest = "-" if units < 0 else "", abs(units) // 10_000, abs(units) % 10_000
    amount = f"{sign}{whole}.{rest:04d}"
    assert matches({"money": amount}, units, None)
    assert not matches({"money": amount}, units + 1, None)
