"""What a document says, apart from its file format.

A family builds Documents; the writers turn each into bytes (xlsx, csv, pdf, md, docx, json, eml, yaml, log) and into
the text that the world's Drive returns, which holds every cell and line of the file.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

Cell = str | int | Decimal | dt.date | dt.datetime | bool | None
Kind = Literal["text", "integer", "number", "money", "percent", "date", "datetime", "flag"]


@dataclass(frozen=True)
class Column:
    """A table column. decimals: places shown for number, money and percent in csv, pdf, md and docx, and in the number
    format of xlsx; a value with more decimals than that is shown with all of them. A percent is the number before the
    sign: 2.5 shows as 2.50%. Numbers of the measured kinds (integer, number, money, percent) are grouped on pages, so
    that digits which name something, such as a year or an account, belong in a text column. width: characters, xlsx."""

    header: str
    kind: Kind = "text"
    width: int | None = None
    decimals: int = 2


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Sheet:
    """One worksheet: a table whose header is the first row."""

    name: str
    table: Table


@dataclass(frozen=True)
class Spreadsheet:
    """xlsx. The text is each sheet as CSV with \\r\\n, numbers in their shortest form, dates ISO; the first sheet comes
    bare, each further one after a line '[Sheet: NAME]'."""

    sheets: tuple[Sheet, ...]


@dataclass(frozen=True)
class Csv:
    """csv, UTF-8, \\n, quoted where needed; numbers with the column's decimals, dates in the office's form."""

    table: Table


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Pairs:
    """Label and value lines, as in the head of a form."""

    pairs: tuple[tuple[str, str], ...]


Block = Heading | Paragraph | Bullets | Pairs | Table


@dataclass(frozen=True)
class Form:
    """pdf: a letterhead, a title, blocks, page numbers; tables break over pages with their header repeated."""

    letterhead: tuple[str, ...]
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Text:
    """md or docx: title and blocks."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class JsonData:
    value: Any


@dataclass(frozen=True)
class YamlData:
    """comment stands above the data, one line each."""

    value: Any
    comment: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mail:
    """eml. The text is `From:`, `To:`, `Subject:` lines, an empty line and the body, as the mailbox shows it."""

    sender: str
    recipient: str
    subject: str
    date: dt.datetime
    message_id: str
    body: str


@dataclass(frozen=True)
class Log:
    """One line an event: '2026-02-03T10:12:00Z NBR text', \\n after each."""

    events: tuple[tuple[dt.datetime, str, str], ...]


Body = Spreadsheet | Csv | Form | Text | JsonData | YamlData | Mail | Log
Format = Literal["xlsx", "csv", "pdf", "md", "docx", "json", "eml", "yaml", "log"]


@dataclass(frozen=True)
class Style:
    """The office's habits as far as they show in files: date form, decimal comma, CSV delimiter, paper."""

    dates: str = "%Y-%m-%d"
    decimal_comma: bool = False
    csv_delimiter: str = ","
    paper: Literal["A4", "Letter"] = "A4"


@dataclass(frozen=True)
class Document:
    """One file of the evidence room.

    id: Drive file id. name: file name, its suffix is the format. description: Drive's description, which search sees.
    modified: Drive's modifiedTime. author: who the file's properties name; owner: address of its Drive owner.
    """

    id: str
    name: str
    body: Body
    description: str
    author: str
    owner: str
    modified: dt.datetime
    version: int = 2
    current: bool = True

    @property
    def format(self) -> str:
        return self.name.rsplit(".", 1)[1]


@dataclass(frozen=True)
class Rendered:
    """A document as bytes, with its text."""

    document: Document
    data: bytes
    text: str
    sha256: str


MIME: Mapping[str, str] = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "csv": "text/csv",
    "pdf": "application/pdf",
    "md": "text/markdown",
    "json": "application/json",
    "eml": "message/rfc822",
    "yaml": "application/yaml",
    "log": "text/plain",
}


def rows(*values: Sequence[Cell]) -> tuple[tuple[Cell, ...], ...]:
    """Table rows from sequences."""
    return tuple(tuple(row) for row in values)
