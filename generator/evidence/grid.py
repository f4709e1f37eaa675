"""Tables on a PDF page.

In: a model table, the office's style and the width of the page's text. Out: a platypus table with a repeated header,
column widths that fit, and cells whose text is wrapped and never cut.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.platypus import Table as PlatypusTable
from reportlab.platypus import TableStyle

from generator.evidence.columns import fit, texts_of
from generator.evidence.fonts import BOLD, REGULAR
from generator.evidence.lines import INK, wrap
from generator.evidence.model import Style, Table

SIZES = (8.5, 8.0, 7.5, 7.0, 6.5)
PAD = 4.0
TALLEST = 40
"""Lines of a cell up to which a row stays on one page. What is taller is drawn as several rows: platypus would let the
text run out of the page."""


def page_rows(cells: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """The row, in as many parts as it takes for each to fit on a page."""
    for first in range(0, max(map(len, cells)), TALLEST):
        yield ["\n".join(lines[first : first + TALLEST]) for lines in cells]


def grid(table: Table, style: Style, room: float) -> PlatypusTable:
    """The table for the page."""
    texts = texts_of(table, style)
    size, widths = fit(texts, room, SIZES, PAD)
    inner = [width - 2 * PAD for width in widths]

    def cell(text: str, index: int, font: str) -> list[str]:
        lines = wrap(text, inner[index], font, size)
        # Lines set to the right end in their last letter; a space behind it would push them out of line.
        return [line.rstrip(" ") for line in lines] if texts.right[index] else lines

    header = ["\n".join(cell(text, index, BOLD)) for index, text in enumerate(texts.header)]
    body = [
        part
        for row in texts.rows
        for part in page_rows([cell(text, index, REGULAR) for index, text in enumerate(row)])
    ]
    commands: list[Any] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, size, size * 1.25),
        ("FONT", (0, 0), (-1, 0), BOLD, size, size * 1.25),
        ("TEXTCOLOR", (0, 0), (-1, -1), (0.12, 0.14, 0.17)),
        ("TEXTCOLOR", (0, 0), (-1, 0), (1, 1, 1)),
        ("BACKGROUND", (0, 0), (-1, 0), INK),
        ("GRID", (0, 0), (-1, -1), 0.4, (0.75, 0.79, 0.83)),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), PAD),
        ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
        *(("ALIGN", (index, 0), (index, -1), "RIGHT") for index, right in enumerate(texts.right) if right),
    ]
    flowable = PlatypusTable(
        [header, *body],
        colWidths=widths,
        repeatRows=1,
        hAlign="LEFT",
        spaceBefore=6,
        spaceAfter=10,
    )
    flowable.setStyle(TableStyle(commands))
    return flowable
