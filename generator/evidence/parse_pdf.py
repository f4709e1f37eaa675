"""PDF forms read back.

In: the bytes of a PDF as generator.evidence.pdf writes them. Out: the lines of text and the tables, in reading order.
Texts are taken from the page contents with their places; a table is where a header's fill and the grid's lines are.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.evidence.lines import BREAK, EMPTY
from generator.evidence.pdf import FOOTER

_SLACK = 1.0
_CODE = re.compile(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>")


@dataclass(frozen=True)
class Fragment:
    """A string with the place of its beginning, in points from the lower left corner."""

    x: float
    y: float
    text: str
    bold: bool


@dataclass
class PageMarks:
    """What a page's contents draw: strings, lines (x0, y0, x1, y1) and filled rectangles (x, y, width, height)."""

    fragments: list[Fragment] = field(default_factory=list)
    lines: list[tuple[float, float, float, float]] = field(default_factory=list)
    fills: list[tuple[float, float, float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class PdfTable:
    """Header and rows as strings; top is where it begins on its (first) page."""

    header: tuple[str, ...]
    rows: "Rows"


@dataclass(frozen=True)
class PdfPair:
    """A label in bold with the value beside it."""

    label: str
    value: str


Rows = tuple[tuple[str, ...], ...]
PdfBlock = str | PdfPair | PdfTable


def character_map(font: Any) -> dict[int, str]:
    """Code to character, from the font's ToUnicode map."""
    data = font["/ToUnicode"].get_data().decode("latin-1")
    found = {}
    for section in re.findall(r"beginbfchar(.*?)endbfchar", data, re.DOTALL):
        for code, character in _CODE.findall(section):
            found[int(code, 16)] = chr(int(character, 16))
    return found


def page_marks(page: Any, reader: Any) -> PageMarks:
    """Follows the page's operators. Understands those that reportlab writes for our forms."""
    from pypdf.generic import ContentStream

    fonts = {name: font.get_object() for name, font in page["/Resources"]["/Font"].items()}
    maps = {name: character_map(font) for name, font in fonts.items() if "/ToUnicode" in font}
    marks = PageMarks()
    shift, stack = (0.0, 0.0), []
    place, font_name, start = (0.0, 0.0), "", (0.0, 0.0)
    pieces: list[Fragment] = []
    for operands, operator in ContentStream(page["/Contents"].get_object(), reader).operations:
        match operator:
            case b"q":
                stack.append(shift)
            case b"Q":
                shift = stack.pop()
            case b"cm":
                shift = (shift[0] + float(operands[4]), shift[1] + float(operands[5]))
            case b"Tm":
                place = (shift[0] + float(operands[4]), shift[1] + float(operands[5]))
            case b"Tf":
                font_name = operands[0]
            case b"BT":
                pieces = []
            case b"Tj":
                codes = operands[0].original_bytes
                text = "".join(maps[font_name][code] for code in codes)
                pieces.append(Fragment(*place, text, "Bold" in fonts[font_name]["/BaseFont"]))
            case b"ET" if pieces:
                # A string with letters of several subsets comes in pieces.
                text = "".join(piece.text for piece in pieces)
                marks.fragments.append(Fragment(pieces[0].x, pieces[0].y, text, pieces[0].bold))
            case b"m":
                start = (shift[0] + float(operands[0]), shift[1] + float(operands[1]))
            case b"l":
                end = (shift[0] + float(operands[0]), shift[1] + float(operands[1]))
                marks.lines.append((*start, *end))
            case b"re":
                x, y, width, height = (float(operand) for operand in operands)
                # reportlab fills from the upper edge down, with a negative height.
                low = shift[1] + min(y, y + height)
                marks.fills.append((shift[0] + x, low, width, abs(height)))
    return marks


def joined(texts: Sequence[str]) -> str:
    """The lines of one cell as one text, which keeps the mark at its end if the cell goes on elsewhere."""
    whole = ""
    for text in texts:
        if whole.endswith(BREAK):
            whole = whole.removesuffix(BREAK) + text
        else:
            whole = whole + text if not whole or whole.endswith(" ") else f"{whole} {text}"
    return whole


def _levels(values: list[float]) -> list[float]:
    """The distinct values, ascending, those within a point of each other as one."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _SLACK:
            found.append(value)
    return found


def _place(value: float, edges: list[float]) -> int:
    """Index of the interval between edges that holds the value."""
    return sum(1 for edge in edges[1:-1] if value >= edge)


def table_at(fill: tuple[float, float, float, float], marks: PageMarks) -> tuple[PdfTable, list[Fragment], float]:
    """The table whose header the fill is, the fragments it takes up, and its top."""
    left, bottom, width, height = fill
    top, right = bottom + height, left + width
    upright = [
        (line[0], min(line[1], line[3]), max(line[1], line[3])) for line in marks.lines
        if abs(line[0] - line[2]) < _SLACK and left - _SLACK <= line[0] <= right + _SLACK
    ]  # fmt: skip
    # The grid of a table that began on an earlier page is drawn in parts: the repeated header's, then the rows'.
    floor, lower = top, bottom
    while lower < floor:
        floor = lower
        below = [low for _, low, high in upright if low < floor <= high + _SLACK and high <= top + _SLACK]
        lower = min(below, default=floor)
    columns = _levels([x for x, low, high in upright if low >= floor - _SLACK and high <= top + _SLACK])
    level = [line[1] for line in marks.lines if abs(line[1] - line[3]) < _SLACK and line[0] >= left - _SLACK]
    rows = _levels([bottom, top, *(y for y in level if floor - _SLACK <= y <= top + _SLACK)])
    inside = [f for f in marks.fragments if floor < f.y < top and left <= f.x <= right]
    cells: dict[tuple[int, int], list[str]] = {}
    for fragment in sorted(inside, key=lambda f: -f.y):
        key = (len(rows) - 2 - _place(fragment.y, rows), _place(fragment.x, columns))
        cells.setdefault(key, []).append(fragment.text)
    header, *body = (
        tuple(joined(cells.get((row, column), [])) for column in range(len(columns) - 1))
        for row in range(len(rows) - 1)
    )
    return PdfTable(header, tuple(body)), inside, top


def page_blocks(marks: PageMarks) -> list[PdfBlock]:
    """Lines, pairs and tables from top to bottom."""
    placed: list[tuple[float, PdfBlock]] = []
    taken: set[Fragment] = set()
    for fill in marks.fills:
        table, inside, top = table_at(fill, marks)
        placed.append((top, table))
        taken.update(inside)
    free = [f for f in marks.fragments if f not in taken and f.y > FOOTER + _SLACK]
    by_line: dict[float, list[Fragment]] = {}
    for fragment in free:
        by_line.setdefault(round(fragment.y, 1), []).append(fragment)
    for y, line in by_line.items():
        line.sort(key=lambda f: f.x)
        first = line[0]
        if len(line) == 2 and first.bold and first.text.endswith(":"):
            placed.append((y, PdfPair(first.text[:-1], line[1].text.replace(EMPTY, ""))))
        else:
            placed.append((y, " ".join(f.text for f in line)))
    placed.sort(key=lambda item: -item[0])
    return [block for _, block in placed]


def _continues(before: str) -> bool:
    return before.endswith((" ", BREAK))


def whole_rows(rows: Rows) -> Rows:
    """A row too tall for a page goes on in the next: its last line says so."""
    result: list[tuple[str, ...]] = []
    for row in rows:
        if result and any(_continues(text) for text in result[-1]):
            row = tuple(joined((one, other)) if other else one for one, other in zip(result.pop(), row, strict=True))
        result.append(row)
    return tuple(result)


def _stripped(block: PdfBlock) -> PdfBlock:
    match block:
        case PdfTable(header, rows):
            clean = tuple(tuple(text.rstrip(" ") for text in row) for row in whole_rows(rows))
            return PdfTable(tuple(text.rstrip(" ") for text in header), clean)
        case PdfPair(label, value):
            return PdfPair(label, value.rstrip(" "))
        case str():
            return block.rstrip(" ")


def merged(blocks: list[tuple[int, PdfBlock]]) -> list[PdfBlock]:
    """Lines of a paragraph put together, tables put together over pages. blocks: page number and block."""
    result: list[PdfBlock] = []
    last_page = 0
    for page, block in blocks:
        before = result[-1] if result else None
        if isinstance(block, PdfTable) and isinstance(before, PdfTable) and page > last_page:
            if block.header == before.header:
                result[-1] = PdfTable(before.header, before.rows + block.rows)
                last_page = page
                continue
        elif isinstance(block, str) and isinstance(before, str) and _continues(before):
            result[-1] = before.removesuffix(BREAK) + block
            continue
        elif isinstance(block, str) and isinstance(before, PdfPair) and _continues(before.value):
            result[-1] = PdfPair(before.label, before.value.removesuffix(BREAK) + block)
            continue
        result.append(block)
        last_page = page
    return result


def read_pdf(data: bytes) -> list[PdfBlock]:
    """The form's lines, pairs and tables in reading order, without the footers."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    blocks: list[tuple[int, PdfBlock]] = []
    for number, page in enumerate(reader.pages):
        blocks.extend((number, block) for block in page_blocks(page_marks(page, reader)))
    return [_stripped(block) for block in merged(blocks)]
