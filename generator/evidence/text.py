"""The text of a document: what the world's Drive returns for it, every cell and line.

In: a document and the office's style. Out: text; for csv, md, json, yaml and log the file's own.
"""

import csv
import io
from collections.abc import Iterator

from generator.evidence.messages import mail_text
from generator.evidence.model import (
    Block,
    Bullets,
    Document,
    Form,
    Heading,
    Mail,
    Pairs,
    Paragraph,
    Spreadsheet,
    Style,
    Table,
    Text,
)
from generator.evidence.values import bare, shown

SEPARATOR = " | "


def spreadsheet_text(body: Spreadsheet) -> str:
    """Each sheet as CSV with \\r\\n, numbers in their shortest form, dates ISO; further sheets after their name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for number, sheet in enumerate(body.sheets):
        if number:
            out.write(f"[Sheet: {sheet.name}]\r\n")
        writer.writerow(column.header for column in sheet.table.columns)
        writer.writerows([bare(cell) for cell in row] for row in sheet.table.rows)
    return out.getvalue()


def block_lines(block: Block, style: Style) -> Iterator[str]:
    """The lines of one block in reading order."""
    match block:
        case Heading(text) | Paragraph(text):
            yield text
        case Bullets(items, numbered):
            for number, item in enumerate(items, 1):
                yield f"{number}. {item}" if numbered else f"• {item}"
        case Pairs(pairs):
            for label, value in pairs:
                yield f"{label}: {value}"
        case Table(columns, rows):
            yield SEPARATOR.join(column.header for column in columns)
            for row in rows:
                yield SEPARATOR.join(
                    shown(cell, column, style, "page") for cell, column in zip(row, columns, strict=True)
                )


def written_text(body: Form | Text, style: Style) -> str:
    """Letterhead, title and blocks, a line each; line breaks within a cell or value become spaces."""
    head = (*body.letterhead, body.title) if isinstance(body, Form) else (body.title,)
    lines = [*head, *(line for block in body.blocks for line in block_lines(block, style))]
    return "".join(line.replace("\n", " ") + "\n" for line in lines)


def text_of(document: Document, style: Style, data: bytes) -> str:
    """The document's text. data: its bytes, which for the textual formats are the text."""
    match document.body:
        case Spreadsheet():
            return spreadsheet_text(document.body)
        case Mail():
            return mail_text(document.body)
        case Form() | Text() if document.format != "md":
            return written_text(document.body, style)
    return data.decode()
