"""Markdown documents.

In: a Text body and the office's style. Out: UTF-8 bytes: a title, blocks with an empty line between them, tables with
pipes, numbers to the right.
"""

from collections.abc import Iterator, Sequence

from generator.evidence.characters import check_characters
from generator.evidence.model import Block, Bullets, Document, Heading, Pairs, Paragraph, Style, Table, Text
from generator.evidence.values import MEASURED, shown


def cell_text(text: str) -> str:
    """Text that keeps to its cell: a pipe escaped, a line break as a tag."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>")


def _row(texts: Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |"


def table_lines(table: Table, style: Style) -> Iterator[str]:
    """Header, alignment line and rows."""
    yield _row([cell_text(column.header) for column in table.columns])
    yield _row(["---:" if column.kind in MEASURED else "---" for column in table.columns])
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        yield _row([cell_text(shown(cell, column, style, "page")) for cell, column in cells])


def block_lines(block: Block, style: Style) -> Iterator[str]:
    """The lines of one block."""
    match block:
        case Heading(text):
            yield f"## {text}"
        case Paragraph(text):
            yield text
        case Bullets(items, numbered):
            for number, item in enumerate(items, 1):
                yield f"{number}. {item}" if numbered else f"- {item}"
        case Pairs(pairs):
            for label, value in pairs:
                yield f"- **{label}:** {value}"
        case Table():
            yield from table_lines(block, style)


def markdown_bytes(document: Document, body: Text, style: Style) -> bytes:
    """The document. Raises EvidenceError for a ragged row or a control character."""
    check_characters(document, style)
    parts = [f"# {body.title}", *("\n".join(block_lines(block, style)) for block in body.blocks)]
    return ("\n\n".join(parts) + "\n").encode()
