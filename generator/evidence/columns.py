"""Columns that fit a page: the texts of a table, and the type size and widths at which they are read best.

In: a model table, the office's style, the room in points. Out: texts, a type size, a width for each column.
Both pdf and docx are measured with the face that we have the widths of.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.evidence.fonts import BOLD, REGULAR, text_width
from generator.evidence.model import Style, Table
from generator.evidence.values import MEASURED, shown

_LARGEST_LEAST = 0.3
"""Share of the room that a single word may claim."""


@dataclass(frozen=True)
class Texts:
    """The table as strings: header, rows, and which columns stand right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]


def texts_of(table: Table, style: Style) -> Texts:
    """Headers and cells as the page shows them."""
    rows = tuple(
        tuple(shown(cell, column, style, "page") for cell, column in zip(row, table.columns, strict=True))
        for row in table.rows
    )
    right = tuple(column.kind in MEASURED for column in table.columns)
    return Texts(tuple(column.header for column in table.columns), rows, right)


def _least_and_natural(texts: Texts, room: float, size: float, pad: float) -> tuple[list[float], list[float]]:
    """For each column the width of its widest word (a number's is the number) and of its widest text."""
    least, natural = [], []
    for index, header in enumerate(texts.header):
        cells = {row[index] for row in texts.rows}
        words = cells if texts.right[index] else {word for cell in cells for word in cell.split()}
        header_word = max((text_width(word, BOLD, size) for word in header.split()), default=0.0)
        widest_word = max((text_width(word, REGULAR, size) for word in words), default=0.0)
        widest_cell = max((text_width(cell, REGULAR, size) for cell in cells), default=0.0)
        # Half a point more, so that rounding in the reader's program does not break a word.
        # An endless word may be broken rather than squeeze all other columns.
        least.append(min(max(widest_word, header_word) + 2 * pad + 0.5, room * _LARGEST_LEAST))
        natural.append(max(widest_cell, text_width(header, BOLD, size)) + 2 * pad + 0.5)
    return least, natural


def _shared(least: Sequence[float], natural: Sequence[float], room: float) -> list[float]:
    """Widths between least and natural: modest wishes are met in full, what is left is for the widest columns."""
    widths, spare = list(least), room - sum(least)
    wishing = sorted(range(len(widths)), key=lambda index: natural[index] - least[index])
    for position, index in enumerate(wishing):
        more = min(natural[index] - least[index], spare / (len(wishing) - position))
        widths[index] += more
        spare -= more
    return widths


def fit(texts: Texts, room: float, sizes: Sequence[float], pad: float) -> tuple[float, list[float]]:
    """Type size and column widths that fill the room: the largest size at which hardly a word has to be broken, or the
    smallest with widths in proportion."""
    for size in sizes:
        least, natural = _least_and_natural(texts, room, size, pad)
        if sum(natural) <= room:
            return size, [width * room / sum(natural) for width in natural]
        if sum(least) <= room:
            return size, _shared(least, natural, room)
    return sizes[-1], [width * room / sum(least) for width in least]
