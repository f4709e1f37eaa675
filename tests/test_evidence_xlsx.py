"""Workbooks: values with their types and formats, the look and the print setup, fixed properties."""

import datetime as dt
import io
from decimal import Decimal

import pytest
from openpyxl import load_workbook

from generator.evidence.model import Column, Sheet, Spreadsheet, Table
from generator.evidence.xlsx import lines_in, widths, xlsx_bytes
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import AMERICAN, OFFICE, ORDER, POLISH, SHIFT, STOCK, document, sample

ORDER_BOOK = Spreadsheet((Sheet("Order", ORDER), Sheet("Stock", STOCK), Sheet("Shift", SHIFT)))


def test_cells_keep_their_types_and_show_in_the_office_form() -> None:
    book = load_workbook(io.BytesIO(xlsx_bytes(sample("order.xlsx"), ORDER_BOOK, POLISH)))
    sheet = book["Order"]
    assert [cell.value for cell in sheet[2]] == [
        1, "CA-PO-77310", "FST-M8-40", "M8 x 40 hex bolt, zinc", 1200, 0.89, dt.datetime(2026, 2, 20),
    ]  # fmt: skip
    assert [cell.number_format for cell in sheet[2]][4:] == ["#,##0", "#,##0.00", "dd.mm.yyyy"]
    assert (sheet["C4"].value, sheet["C4"].data_type) == ("0042", "s")
    assert (sheet["D4"].value, sheet["D4"].data_type) == ('=SUM(A1:A2) is "text"', "s")
    assert book["Shift"]["D3"].value is True
    assert book["Shift"]["C2"].number_format == 'dd.mm.yyyy hh:mm:ss"Z"'


def test_look_and_print_setup() -> None:
    book = load_workbook(io.BytesIO(xlsx_bytes(sample("order.xlsx"), ORDER_BOOK, AMERICAN)))
    sheet = book["Stock"]
    assert (sheet.freeze_panes, sheet.auto_filter.ref, sheet.print_title_rows) == ("A2", "A1:H61", "$1:$1")
    assert (sheet.page_setup.paperSize, sheet.page_setup.orientation) == (1, "landscape")
    assert sheet.oddFooter is not None
    assert sheet.oddFooter.right.text == "Page &P of &N"
    assert sheet["A1"].font.b is True
    assert (sheet["A1"].alignment.horizontal, sheet["B1"].alignment.horizontal) == ("right", "left")
    assert sheet["H8"].alignment.wrap_text is True
    assert sheet.row_dimensions[8].height == 15 * lines_in(STOCK.rows[6][7], 46)  # type: ignore[arg-type]
    assert book["Shift"].page_setup.orientation == "portrait"


def test_properties_name_author_and_date_of_the_document() -> None:
    properties = load_workbook(io.BytesIO(xlsx_bytes(sample("order.xlsx"), ORDER_BOOK, OFFICE))).properties
    assert (properties.creator, properties.lastModifiedBy) == ("Åse Bjørnstad", "Åse Bjørnstad")
    assert properties.created == properties.modified == dt.datetime(2026, 2, 9, 6, 0)


def test_column_widths_follow_the_longest_text_within_limits() -> None:
    table = Table(
        (Column("A", "integer"), Column("Unit price (customer sheet)", "money"), Column("N"), Column("W", width=12)),
        ((1, Decimal("0.89"), "x" * 200, "text"),),
    )
    # 27 characters of header make two lines of 15 and room for the filter button.
    assert widths(table, OFFICE) == (9, 19, 46, 12)


@pytest.mark.parametrize("name", ["", "x" * 32, "A/B", "Order?"])
def test_sheet_names_that_excel_refuses(name: str) -> None:
    with pytest.raises(EvidenceError, match=r"order\.xlsx: sheet"):
        xlsx_bytes(sample("order.xlsx"), Spreadsheet((Sheet(name, ORDER),)), OFFICE)


def test_two_sheets_of_one_name_and_no_sheet_at_all() -> None:
    twice = Spreadsheet((Sheet("Order", ORDER), Sheet("ORDER", ORDER)))
    with pytest.raises(EvidenceError, match="each name once"):
        xlsx_bytes(sample("order.xlsx"), twice, OFFICE)
    with pytest.raises(EvidenceError, match="at least one sheet"):
        xlsx_bytes(document("a.xlsx", Spreadsheet(())), Spreadsheet(()), OFFICE)
