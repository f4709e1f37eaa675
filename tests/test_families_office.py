"""The office's forms of dates, amounts and lists, in an English and in a continental office."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.evidence.values import read_number
from generator.families import office
from generator.spec.tenant import Habits, TenantProfile
from tests.northbridge_trade_fixture import trade


@pytest.fixture(scope="module")
def toledo() -> TenantProfile:
    return trade().tenant.profile


@pytest.fixture(scope="module")
def lodz(toledo: TenantProfile) -> TenantProfile:
    habits = Habits(dates="%d.%m.%Y", decimal_comma=True, csv_delimiter=";")
    return toledo.model_copy(update={"habits": habits, "currency": "PLN"})


def test_dates(toledo: TenantProfile, lodz: TenantProfile) -> None:
    day = dt.date(2026, 2, 9)
    assert (office.day(toledo, day), office.day(lodz, day)) == ("02/09/2026", "09.02.2026")


def test_amounts(toledo: TenantProfile, lodz: TenantProfile) -> None:
    assert office.money(toledo, Decimal("66436")) == "USD 66,436.00"
    assert office.money(lodz, Decimal("66436.5")) == "PLN 66.436,50"
    assert (office.count(toledo, 11950), office.count(lodz, 11950)) == ("11,950", "11.950")
    assert office.number(toledo, Decimal("0.4125")) == "0.4125"


def test_rates(toledo: TenantProfile, lodz: TenantProfile) -> None:
    rates = [Decimal("2"), Decimal("10"), Decimal("1.50"), Decimal("0")]
    assert [office.percent(toledo, rate) for rate in rates] == ["2 %", "10 %", "1.5 %", "0 %"]
    assert office.percent(lodz, Decimal("1.50")) == "1,5 %"


@given(cents=st.integers(0, 10**9), comma=st.booleans())
def test_numbers_read_back(cents: int, comma: bool) -> None:
    toledo = trade().tenant.profile
    profile = toledo.model_copy(update={"habits": Habits(decimal_comma=comma)})
    amount = Decimal(cents) / 100
    assert read_number(office.number(profile, amount), comma) == amount
    assert read_number(office.percent(profile, amount).removesuffix(" %"), comma) == amount


def test_lists() -> None:
    assert office.in_words(("a",)) == "a"
    assert office.in_words(("a", "b")) == "a and b"
    assert office.in_words(("a", "b", "c")) == "a, b and c"
    assert office.numbered(("one", "two")) == "1. one\n2. two"
    assert office.listing(("one", "two")) == "- one\n- two"


def test_documents_in_force_are_filed_at_six(toledo: TenantProfile) -> None:
    assert office.filed_in_force(toledo) == dt.datetime(2026, 2, 9, 6, tzinfo=dt.UTC)
