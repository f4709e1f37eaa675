"""Figures under each other's names, and the arrangements that look like it and are right or open."""

from decimal import Decimal

import pytest

from verifier.exchanged import exchanged_figures

VALUES = {
    "accepted_lines": Decimal(5),
    "rejected_lines": Decimal(3),
    "imported_units": Decimal(3160),
    "order_total": Decimal("2757.60"),
    "hires": Decimal(2),
}
BOTH = ["accepted_lines", "rejected_lines"]


@pytest.mark.parametrize(
    "text",
    [
        "accepted lines: 3\nrejected lines: 5",
        "accepted lines: 3, rejected lines: 5",
        "ACCEPTED_LINES=3; REJECTED-LINES=5",
        "Accepted lines are 3; rejected lines is 5",
        "**Accepted lines:** 3 and **rejected lines:** `5`",
        "| accepted lines | 3 |\n| rejected lines | 5 |",
        "rejected lines 5. Accepted lines 3.",
        "accepted lines: 3 (three); rejected lines: +5",
    ],
)
def test_exchanged(text: str) -> None:
    assert exchanged_figures(text, VALUES) == BOTH


def test_a_ring_of_more_than_two_and_other_notations() -> None:
    text = "accepted lines: 3; rejected lines: 3,160; imported units: $2,757.60; order total: 5"
    assert exchanged_figures(text, VALUES) == ["accepted_lines", "rejected_lines", "imported_units", "order_total"]
    text = "imported units: USD 2 757,60\norder total: EUR 3 160"
    assert exchanged_figures(text, VALUES) == ["imported_units", "order_total"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "accepted lines: 5, rejected lines: 3",
        "accepted lines: 3",
        "accepted lines: 3, rejected lines: 3",
        "accepted lines: 4, rejected lines: 6",
        "accepted lines: 3 of 5, rejected lines: 5",
        "accepted lines: 3 and 8, rejected lines: 5",
        "3 accepted lines: 3, rejected lines: 5",
        "5 accepted lines 3 rejected lines 5",
        "accepted lines, 3, rejected lines, 5",
        "accepted lines (3), rejected lines (5): accepted lines 5, rejected lines 3",
        "accepted lines: 3, rejected lines: 5; in the end accepted lines: 5",
        "accepted lines: 5; the sheet says accepted lines: 3, rejected lines: 5",
        "accepted lines\n3\nrejected lines\n5",
        "unaccepted lines: 3, rejected lines2: 5",
        "import_accepted_lines 3, rejected_lines_5 5",
        "accepted lines 3 rejected lines 5",
        "accepted  lines: 3, rejected lines: 5",
        "hires: 5, accepted lines: 2",
    ],
)
def test_right_or_open(text: str) -> None:
    assert exchanged_figures(text, VALUES) == []


def test_equal_figures_cannot_be_exchanged() -> None:
    values = {"late_reports": Decimal(2), "missing_staff": Decimal(2), "expected_staff": Decimal(9)}
    assert exchanged_figures("late reports: 2, missing staff: 2, expected staff: 9", values) == []


def test_two_names_are_enough() -> None:
    values = {"accepted_lines": Decimal(5), "rejected_lines": Decimal(3)}
    assert exchanged_figures("accepted lines: 3, rejected lines: 5", values) == BOTH


def test_names_that_no_text_has() -> None:
    assert exchanged_figures("a: 5, b: 3", {"a": Decimal(3), "b": Decimal(5)}) == []
    assert exchanged_figures("a_(: 5, b_(: 3", {"a_(": Decimal(3), "b_(": Decimal(5)}) == []
