"""Every string that a document shows, and the check that a file can hold its characters.

In: a document. Out: its strings with the column they stand in; or EvidenceError naming document and character.
"""

import unicodedata
from collections.abc import Container, Iterator

from generator.evidence.model import (
    Bullets,
    Csv,
    Document,
    Form,
    Heading,
    Pairs,
    Paragraph,
    Spreadsheet,
    Style,
    Table,
    Text,
)
from generator.evidence.values import shown
from generator.spec.errors import EvidenceError


def table_strings(table: Table, style: Style) -> Iterator[str]:
    """Headers and cells as a page shows them. Raises EvidenceError for a row that is not as long as the header."""
    width = len(table.columns)
    for number, row in enumerate(table.rows, 1):
        if len(row) != width:
            raise EvidenceError(f"row {number}: expected {width} cells, came {len(row)}")
        for cell, column in zip(row, table.columns, strict=True):
            yield shown(cell, column, style, "page")
    for column in table.columns:
        yield column.header


def strings(document: Document, style: Style) -> Iterator[str]:
    """The strings of a tabular or written document; none for data, mail and log, which their own formats encode."""
    body = document.body
    yield document.author
    match body:
        case Spreadsheet():
            for sheet in body.sheets:
                yield sheet.name
                yield from table_strings(sheet.table, style)
        case Csv():
            yield from table_strings(body.table, style)
        case Form() | Text():
            yield body.title
            if isinstance(body, Form):
                yield from body.letterhead
            for block in body.blocks:
                match block:
                    case Heading() | Paragraph():
                        yield block.text
                    case Bullets():
                        yield from block.items
                    case Pairs():
                        for label, value in block.pairs:
                            yield from (label, value)
                    case Table():
                        yield from table_strings(block, style)


def check_characters(document: Document, style: Style, glyphs: Container[int] | None = None) -> None:
    """Raises EvidenceError for a control character, and for one that the glyphs (code points) do not have."""
    try:
        used = {character for text in strings(document, style) for character in text}
    except EvidenceError as error:
        raise EvidenceError(f"{document.name}: {error}") from None
    for character in sorted(used - {"\n"}):
        if unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn"):
            raise EvidenceError(f"{document.name}: {_named(character)} cannot stand in a document")
        if glyphs is not None and ord(character) not in glyphs:
            raise EvidenceError(f"{document.name}: the font has no glyph for {_named(character)}")


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, 'control character')} ({character!r})"
