"""Workbooks.

In: a document whose body is a Spreadsheet. Out: xlsx bytes with styled headers, frozen and filtered, real dates and
numbers with number formats, and a print setup. openpyxl writes, the archive is packed anew.
"""

import datetime as dt
import io
import textwrap
import zipfile
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from generator.evidence.characters import check_characters
from generator.evidence.model import Cell, Column, Document, Sheet, Spreadsheet, Style, Table
from generator.evidence.values import MEASURED, number_format, shown, utc
from generator.evidence.zipping import repack
from generator.spec.errors import EvidenceError

WIDEST = 46
LINE = 15.0
_PORTRAIT_CHARACTERS = 88
_PAPER = {"Letter": 1, "A4": 9}
_FORBIDDEN_IN_NAME = set("[]:*?/\\")
_FACE = "Calibri"
_INDENT = {"left": 1, "center": 0, "right": 0}
_EDGE = Side(style="thin", color="D0D7DE")
_BORDER = Border(left=_EDGE, right=_EDGE, top=_EDGE, bottom=_EDGE)


class CellStyles:
    """The workbook's named styles, one for each header side and each number format and alignment in use."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._known: dict[tuple[str, str, bool], str] = {}

    def header(self, column: Column) -> str:
        """The header's style, on the side where the column's values stand."""
        side = "right" if column.kind in MEASURED else "left"
        key = ("header", side, True)
        if key not in self._known:
            style = NamedStyle(
                name=f"Header {side}",
                font=Font(name=_FACE, size=11, bold=True, color="FFFFFF"),
                fill=PatternFill("solid", start_color="2F4B66"),
                alignment=Alignment(horizontal=side, vertical="center", wrap_text=True, indent=_INDENT[side]),
                border=_BORDER,
            )
            self._add(key, style)
        return self._known[key]

    def body(self, form: str, side: str, wrapped: bool) -> str:
        """The style of cells with a number format."""
        key = (form, side, wrapped)
        if key not in self._known:
            style = NamedStyle(
                name=f"Cell {len(self._known) + 1}",
                font=Font(name=_FACE, size=11),
                number_format=form,
                alignment=Alignment(
                    horizontal=side, vertical="top", wrap_text=wrapped, indent=_INDENT[side]
                ),
                border=_BORDER,
            )
            self._add(key, style)
        return self._known[key]

    def _add(self, key: tuple[str, str, bool], style: NamedStyle) -> None:
        self._workbook.add_named_style(style)
        self._known[key] = style.name


def side_of(column: Column, cell: Cell) -> str:
    """Numbers stand right, flags in the middle, all else left."""
    if isinstance(cell, bool):
        return "center"
    return "right" if column.kind in MEASURED and not isinstance(cell, str) else "left"


def widths(table: Table, style: Style) -> tuple[int, ...]:
    """Column widths in characters: the column's own, or its longest text up to a limit beyond which cells wrap."""
    found = []
    for index, column in enumerate(table.columns):
        longest = max((len(shown(row[index], column, style, "page")) for row in table.rows), default=0)
        word = max((len(part) for part in column.header.split()), default=0)
        # A header may take two lines; the filter button takes the room of about three characters.
        header = max(word, len(column.header) // 2 + 2) + 4
        fitting = min(max(longest + 4, header, 9), WIDEST)
        # A number or date that does not fit is shown as ### and cannot be read; a text wraps.
        asked = column.width or fitting
        found.append(asked if column.kind == "text" else max(asked, longest + 4))
    return tuple(found)


def lines_in(text: str, width: int) -> int:
    """Lines that a wrapped text takes in a column; a little generous, as faces differ."""
    return sum(max(len(textwrap.wrap(part, max(width - 1, 1))), 1) for part in text.split("\n"))


def native(cell: Cell, document: Document) -> Any:
    """The cell as openpyxl takes it. Excel knows no zones: a zoned moment stands in UTC, and its format ends in Z."""
    if isinstance(cell, dt.datetime) and cell.tzinfo is not None:
        return utc(document, cell).replace(tzinfo=None)
    return cell


def fill_sheet(worksheet: Worksheet, table: Table, document: Document, style: Style, styles: CellStyles) -> None:
    """Header and rows, each cell with its value and style."""
    room = widths(table, style)
    for position, (column, width) in enumerate(zip(table.columns, room, strict=True), 1):
        cell = worksheet.cell(1, position)
        _set_text(cell, column.header)
        cell.style = styles.header(column)
        worksheet.column_dimensions[get_column_letter(position)].width = width
    tallest = max(lines_in(column.header, width - 2) for column, width in zip(table.columns, room, strict=True))
    worksheet.row_dimensions[1].height = LINE * tallest + 4
    for number, row in enumerate(table.rows, 2):
        tallest = 1
        for position, (value, column, width) in enumerate(zip(row, table.columns, room, strict=True), 1):
            cell = worksheet.cell(number, position)
            wrapped = isinstance(value, str) and (len(value) > width - 3 or "\n" in value)
            if isinstance(value, str):
                tallest = max(tallest, lines_in(value, width) if wrapped else 1)
                _set_text(cell, value)
            elif value is not None:
                cell.value = native(value, document)
            cell.style = styles.body(number_format(value, column, style), side_of(column, value), wrapped)
        if tallest > 1:
            # Not every program works out the height of a wrapped row on opening.
            worksheet.row_dimensions[number].height = LINE * tallest


def _set_text(cell: Any, text: str) -> None:
    # A text that begins with '=' or looks like an error code is a text all the same.
    cell.value = text
    cell.data_type = "s"


def lay_out(worksheet: Worksheet, sheet: Sheet, style: Style) -> None:
    """Frozen and filtered header, paper, repeated header row, footer with the page number."""
    last = f"{get_column_letter(len(sheet.table.columns))}{len(sheet.table.rows) + 1}"
    worksheet.freeze_panes = "A2"
    worksheet.auto_filter.ref = f"A1:{last}"
    worksheet.print_title_rows = "1:1"
    worksheet.page_setup.paperSize = _PAPER[style.paper]
    wide = sum(widths(sheet.table, style)) > _PORTRAIT_CHARACTERS
    worksheet.page_setup.orientation = "landscape" if wide else "portrait"
    worksheet.page_setup.fitToWidth = 1
    worksheet.page_setup.fitToHeight = 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    footer: Any = worksheet.oddFooter
    footer.left.text, footer.center.text, footer.right.text = "&F", "&A", "Page &P of &N"


def check_sheets(document: Document, body: Spreadsheet) -> None:
    """Raises EvidenceError for a workbook without sheets, or a sheet name that Excel refuses."""
    if not body.sheets:
        raise EvidenceError(f"{document.name}: expected at least one sheet, came none")
    names = [sheet.name.casefold() for sheet in body.sheets]
    for sheet in body.sheets:
        fits = 1 <= len(sheet.name) <= 31 and not set(sheet.name) & _FORBIDDEN_IN_NAME
        if not fits or names.count(sheet.name.casefold()) > 1:
            raise EvidenceError(
                f"{document.name}: sheet {sheet.name!r}: expected 1 to 31 characters without []:*?/\\, each name once"
            )


def xlsx_bytes(document: Document, body: Spreadsheet, style: Style) -> bytes:
    """The workbook. Raises EvidenceError for a sheet name or a character that Excel refuses."""
    check_characters(document, style)
    check_sheets(document, body)
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    styles = CellStyles(workbook)
    for sheet in body.sheets:
        worksheet = workbook.create_sheet(sheet.name)
        fill_sheet(worksheet, sheet.table, document, style, styles)
        lay_out(worksheet, sheet, style)
    moment = utc(document, document.modified).replace(tzinfo=None, microsecond=0)
    properties = workbook.properties
    properties.creator = properties.lastModifiedBy = document.author
    properties.created = properties.modified = moment
    properties.title = document.name.rsplit(".", 1)[0]
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", zipfile.ZIP_STORED) as archive:
        ExcelWriter(workbook, archive).write_data()
    return repack(stored.getvalue())
