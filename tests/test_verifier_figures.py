"""Readings of written figures."""

from decimal import Decimal

import pytest

from verifier import figures

D = Decimal


@pytest.mark.parametrize(
    ("run", "values"),
    [
        ("5", {D(5)}),
        ("0815", {D(815)}),
        ("2757.6", {D("2757.6")}),
        ("2.757", {D("2.757"), D(2757)}),
        ("0.757", {D("0.757")}),
        ("2757.600", {D("2757.600")}),
        ("1,234,567", {D(1234567)}),
        ("1.234.567,8", {D("1234567.8")}),
        ("1'234.50", {D("1234.50")}),
        (".5", {D("0.5")}),
        ("5,3", {D("5.3"), D(5), D(3)}),
        ("5,30", {D("5.30")}),
        ("5,3,3160", {D(5), D(3), D(3160)}),
        ("2.7.1", set()),
        ("1,23,456.7", {D(1), D(23), D("456.7")}),
        ("9" * 41, set()),
        ("1" * 40, {D("1" * 40)}),
        ("2’757.60", {D("2757.60")}),
        ("1’234,5", {D("1234.5")}),
        ("1'5", set()),
        ("2'757", {D(2757)}),
        ("5.", set()),
        (".5.5", set()),
        ("1,234,5", set()),
        ("1.234,5,6", {D("1.234"), D(1234), D(5), D(6)}),
    ],
)
def test_readings_of_a_run(run: str, values: set[Decimal]) -> None:
    assert figures.readings(run) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5", {D(5)}),
        (" 2,757.60 ", {D("2757.60")}),
        ("$2,757.60", {D("2757.60")}),
        ("2.757,60 €", {D("2757.60")}),
        ("EUR 2 757,60", {D("2757.60")}),
        ("-40.00", {D("-40.00")}),
        ("−40", {D(-40)}),
        ("28.24%", {D("28.24")}),
        ("5,3", {D("5.3")}),
        ("5 and 3", set()),
        ("5 3", set()),
        ("SO-5", set()),
        ("", set()),
        ("1" * 41, set()),
        ("1" * 40, {D("1" * 40)}),
        ("5" + " " * 40, set()),
        (".5", {D("0.5")}),
        ("5.", set()),
        ("2’757,60", {D("2757.60")}),
        ("2\u00a0757,60", {D("2757.60")}),
        ("2\u202f757.60", {D("2757.60")}),
    ],
)
def test_readings_of_a_whole_cell(text: str, values: set[Decimal]) -> None:
    assert figures.cell_readings(text) == values


@pytest.mark.parametrize(
    ("run", "count"), [("5", 1), ("2,757.60", 1), ("5,30", 1), ("5,3", 2), ("5,3,3160,2757.6,2", 5)]
)
def test_count_of_a_run(run: str, count: int) -> None:
    assert figures.count(run) == count
