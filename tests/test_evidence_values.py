"""How values are written and read: literal forms, and show and read being inverse for all values."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.evidence.model import Cell, Column, Kind, Style
from generator.evidence.values import (
    bare,
    excel_date,
    number_format,
    read_cell,
    read_date,
    read_number,
    show_date,
    shown,
)
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import OFFICE, POLISH

DAY = dt.date(2026, 2, 9)
FORMS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%-d %B %Y", "%d-%b-%Y", "%d/%m/%y", "%-m/%-d/%Y")


@pytest.mark.parametrize(
    ("form", "written", "excel"),
    [
        ("%Y-%m-%d", "2026-02-09", "yyyy-mm-dd"),
        ("%d.%m.%Y", "09.02.2026", "dd.mm.yyyy"),
        ("%-d %B %Y", "9 February 2026", "d mmmm yyyy"),
        ("%d-%b-%y", "09-Feb-26", "dd-mmm-yy"),
        ("%-d de %B", "9 de February", 'd "de" mmmm'),
    ],
)
def test_dates_in_the_office_form(form: str, written: str, excel: str) -> None:
    assert show_date(DAY, form) == written
    assert excel_date(form) == excel


def test_unknown_directive_is_refused() -> None:
    with pytest.raises(EvidenceError, match="came %H"):
        show_date(DAY, "%Y-%H")


@given(st.dates(dt.date(2000, 1, 1), dt.date(2099, 12, 31)), st.sampled_from(FORMS))
def test_dates_read_back(day: dt.date, form: str) -> None:
    assert read_date(show_date(day, form), form) == day


@pytest.mark.parametrize("text", ["2026-02-30", "2026-2-9", "2026-02-09x", "", "09.02.2026"])
def test_no_date(text: str) -> None:
    assert read_date(text, "%Y-%m-%d") is None


@pytest.mark.parametrize(
    ("cell", "kind", "decimals", "page", "comma_page", "comma_csv", "plain"),
    [
        (Decimal("2757.60"), "money", 2, "2,757.60", "2.757,60", "2757,60", "2757.6"),
        (Decimal("1.4"), "money", 2, "1.40", "1,40", "1,40", "1.4"),
        (1200, "integer", 2, "1,200", "1.200", "1200", "1200"),
        (12, "money", 2, "12.00", "12,00", "12,00", "12"),
        (Decimal("0.1255"), "number", 2, "0.1255", "0,1255", "0,1255", "0.1255"),
        (Decimal("-1234.5"), "number", 1, "-1,234.5", "-1.234,5", "-1234,5", "-1234.5"),
        (Decimal("28.24"), "percent", 2, "28.24%", "28,24%", "28,24", "28.24"),
        (100200, "text", 2, "100200", "100200", "100200", "100200"),
        (Decimal("0.00"), "money", 2, "0.00", "0,00", "0,00", "0"),
        (Decimal("1E+3"), "integer", 2, "1,000", "1.000", "1000", "1000"),
        (True, "flag", 2, "Yes", "Yes", "true", "TRUE"),
        (False, "flag", 2, "No", "No", "false", "FALSE"),
        (None, "money", 2, "", "", "", ""),
        ("n/a", "money", 2, "n/a", "n/a", "n/a", "n/a"),
        (DAY, "date", 2, "2026-02-09", "09.02.2026", "09.02.2026", "2026-02-09"),
        (dt.datetime(2026, 2, 8, 22, 5), "datetime", 2, "2026-02-08 22:05", "08.02.2026 22:05", "08.02.2026 22:05",
         "2026-02-08T22:05:00"),
        (dt.datetime(2026, 2, 8, 22, 5, 9, tzinfo=dt.timezone(dt.timedelta(hours=2))), "datetime", 2,
         "2026-02-08 20:05:09Z", "08.02.2026 20:05:09Z", "08.02.2026 20:05:09Z", "2026-02-08T20:05:09Z"),
    ],
)  # fmt: skip
def test_cells_as_shown(
    cell: Cell, kind: Kind, decimals: int, page: str, comma_page: str, comma_csv: str, plain: str
) -> None:
    column = Column("C", kind, decimals=decimals)
    assert shown(cell, column, OFFICE, "page") == page
    assert shown(cell, column, POLISH, "page") == comma_page
    assert shown(cell, column, POLISH, "csv") == comma_csv
    assert bare(cell) == plain


@pytest.mark.parametrize(
    ("cell", "kind", "form"),
    [
        (1200, "integer", "#,##0"),
        (Decimal("1.4"), "money", "#,##0.00"),
        (Decimal("0.125"), "money", "#,##0.000"),
        (Decimal("2.5"), "percent", '#,##0.00"%"'),
        (4711, "text", "General"),
        (DAY, "date", "dd.mm.yyyy"),
        (dt.datetime(2026, 2, 8, 22, 5), "datetime", "dd.mm.yyyy hh:mm"),
        (dt.datetime(2026, 2, 8, 22, 5, tzinfo=dt.UTC), "datetime", 'dd.mm.yyyy hh:mm"Z"'),
        (True, "flag", '"TRUE";"TRUE";"FALSE"'),
        ("text", "money", "General"),
    ],
)
def test_number_formats(cell: Cell, kind: Kind, form: str) -> None:
    assert number_format(cell, Column("C", kind), POLISH) == form


@pytest.mark.parametrize(
    ("text", "comma", "number"),
    [
        ("2,757.60", False, Decimal("2757.60")),
        ("2.757,60", True, Decimal("2757.60")),
        ("2757,60", True, Decimal("2757.60")),
        ("1,200", False, 1200),
        ("-7.25%", False, Decimal("-7.25")),
        ("0", False, 0),
        ("0042", False, None),
        ("12,34", False, None),
        ("1,2345", False, None),
        ("4.1.2", False, None),
        ("1e5", False, None),
        ("", False, None),
    ],
)
def test_numbers_read(text: str, comma: bool, number: int | Decimal | None) -> None:
    assert read_number(text, comma) == number


@given(st.decimals(-(10**9), 10**9, places=2), st.booleans())
def test_money_reads_back_from_a_page_and_from_csv(amount: Decimal, comma: bool) -> None:
    style, column = Style(decimal_comma=comma), Column("Amount", "money")
    for text in (shown(amount, column, style, "page"), shown(amount, column, style, "csv")):
        assert read_cell(text, style) == amount


@given(st.datetimes(dt.datetime(2000, 1, 1), dt.datetime(2099, 12, 31)), st.booleans(), st.sampled_from(FORMS))
def test_moments_read_back(moment: dt.datetime, zoned: bool, form: str) -> None:
    moment = moment.replace(microsecond=0, tzinfo=dt.UTC if zoned else None)
    style = Style(dates=form)
    assert read_cell(shown(moment, Column("At", "datetime"), style, "page"), style) == moment


def test_text_that_is_no_value_stays_text() -> None:
    for text in ("FST-M8-40", "0042", "2026-02-09 25:00", "M8 x 40", "Yes", "%"):
        assert read_cell(text, OFFICE) == text
