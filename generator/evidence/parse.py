"""Files read back from their bytes to plain values, independent of the models they were made from.

In: a file's name and bytes, and the office's style. Out: its tables, label and value pairs, lines of text, data. Used
by the audit and the tests. Raises EvidenceError for a suffix that no writer has.
"""

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from email import message_from_bytes
from email.policy import default as mail_policy
from typing import Any

import yaml

from generator.evidence.model import Cell, Style
from generator.evidence.parse_pdf import PdfPair, PdfTable, read_pdf
from generator.evidence.values import bare, read_cell
from generator.spec.errors import EvidenceError

_PAIR = re.compile(r"- \*\*(?P<label>.+?):\*\* ?(?P<value>.*)")
_LOG_LINE = re.compile(r"(?P<at>\S+) (?P<code>\S+) (?P<text>.*)")


@dataclass(frozen=True)
class ParsedTable:
    """A table as it stands in the file.

    name: the sheet's name, or the text above the table. texts: the rows as strings. rows: the rows as values: what the
    cells of a workbook are, and elsewhere what their text reads as (read_cell), so that a code of digits alone comes
    as a number there; take it from texts.
    """

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: tuple[tuple[str, ...], ...]

    def records(self) -> list[dict[str, Cell]]:
        """Each row by header."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Parsed:
    """A file read back.

    lines: text outside of tables and pairs, one paragraph, heading, item or mail line each. value: the data of json and
    yaml, a mail's headers and body by name, a log's events as (moment, code, text).
    """

    tables: tuple[ParsedTable, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()
    value: Any = None

    def table(self, *headers: str) -> ParsedTable:
        """The first table that has all the headers. Raises KeyError with the headers that there are."""
        for table in self.tables:
            if set(headers) <= set(table.header):
                return table
        raise KeyError(f"no table with {headers}; there are {[table.header for table in self.tables]}")


@dataclass
class _Collected:
    """What a reader of a written document has found so far."""

    style: Style
    tables: list[ParsedTable] = field(default_factory=list)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def add_table(self, header: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
        name = self.lines[-1] if self.lines else ""
        self.tables.append(text_table(name, header, texts, self.style))

    def parsed(self) -> Parsed:
        return Parsed(tuple(self.tables), tuple(self.pairs), tuple(self.lines))


def text_table(name: str, header: Sequence[str], texts: Sequence[Sequence[str]], style: Style) -> ParsedTable:
    """A table of strings with the values that they read as."""
    rows = tuple(tuple(read_cell(text, style) for text in row) for row in texts)
    return ParsedTable(name, tuple(header), rows, tuple(tuple(row) for row in texts))


def _workbook_value(cell: Any) -> Cell:
    value, form = cell.value, str(cell.number_format)
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        number = Decimal(repr(value))
        return int(number) if number == number.to_integral_value() else number
    if isinstance(value, dt.datetime):
        if "h" not in form:
            return value.date()
        # Excel keeps a fraction of a day; openpyxl may be microseconds off.
        moment = (value + dt.timedelta(microseconds=500_000)).replace(microsecond=0)
        return moment.replace(tzinfo=dt.UTC) if form.endswith('"Z"') else moment
    raise EvidenceError(f"cell {cell.coordinate}: cannot read {value!r}")


def parse_xlsx(data: bytes, style: Style) -> Parsed:
    """A table a sheet; the header is the first row."""
    from openpyxl import load_workbook

    tables = []
    for sheet in load_workbook(io.BytesIO(data)).worksheets:
        rows = [tuple(_workbook_value(cell) for cell in row) for row in sheet.iter_rows()]
        texts = tuple(tuple(bare(cell) for cell in row) for row in rows[1:])
        tables.append(ParsedTable(sheet.title, tuple(bare(cell) for cell in rows[0]), tuple(rows[1:]), texts))
    return Parsed(tables=tuple(tables))


def parse_csv(data: bytes, style: Style) -> Parsed:
    """One table."""
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""), delimiter=style.csv_delimiter)
    return Parsed(tables=(text_table("", header, rows, style),))


def parse_pdf(data: bytes, style: Style) -> Parsed:
    """Tables, pairs and lines of the pages, without the footers."""
    found = _Collected(style)
    for block in read_pdf(data):
        match block:
            case PdfTable():
                found.add_table(block.header, block.rows)
            case PdfPair():
                found.pairs.append((block.label, block.value))
            case str():
                found.lines.append(block)
    return found.parsed()


def parse_docx(data: bytes, style: Style) -> Parsed:
    """Tables, pairs and paragraphs in the order of the document."""
    import docx
    from docx.table import Table as WordTable

    found = _Collected(style)
    for block in docx.Document(io.BytesIO(data)).iter_inner_content():
        if isinstance(block, WordTable):
            rows = [["\n".join(p.text for p in cell.paragraphs) for cell in row.cells] for row in block.rows]
            found.add_table(rows[0], rows[1:])
            continue
        label, tab, value = block.text.partition(":\t")
        if tab and block.runs[0].bold:
            found.pairs.append((label, value))
        elif block.text:
            found.lines.append(block.text)
    return found.parsed()


def _cells(line: str) -> list[str]:
    # A pipe within a cell has a backslash before it, never a space.
    return [_unescaped(part) for part in line.removeprefix("| ").removesuffix(" |").split(" | ")]


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\\|])", r"\1", text.replace("<br>", "\n"))


def parse_md(data: bytes, style: Style) -> Parsed:
    """Tables, pairs and lines; marks of headings and items are left off."""
    found = _Collected(style)
    lines = data.decode().splitlines()
    position = 0
    while position < len(lines):
        line = lines[position]
        pair = _PAIR.fullmatch(line)
        if line.startswith("| "):
            end = position
            while end < len(lines) and lines[end].startswith("| "):
                end += 1
            header, _, *rows = lines[position:end]
            found.add_table(_cells(header), [_cells(row) for row in rows])
            position = end
            continue
        if pair is not None:
            found.pairs.append((pair["label"], pair["value"]))
        elif line:
            found.lines.append(re.sub(r"^(#+|-|\d+\.) ", "", line))
        position += 1
    return found.parsed()


def parse_json(data: bytes, style: Style) -> Parsed:
    """Numbers with decimals as Decimal."""
    return Parsed(value=json.loads(data, parse_float=Decimal))


def _exact(value: Any) -> Any:
    match value:
        case float():
            return Decimal(repr(value))
        case dict():
            return {key: _exact(item) for key, item in value.items()}
        case list():
            return [_exact(item) for item in value]
    return value


def parse_yaml(data: bytes, style: Style) -> Parsed:
    """Numbers with decimals as Decimal, dates as dates."""
    return Parsed(value=_exact(yaml.safe_load(data)))


def parse_eml(data: bytes, style: Style) -> Parsed:
    """sender, recipient, subject, date, message_id and body, the body with \\n."""
    message = message_from_bytes(data, policy=mail_policy)
    body = str(message.get_content()).replace("\r\n", "\n")
    value = {
        "sender": str(message["From"]),
        "recipient": str(message["To"]),
        "subject": str(message["Subject"]),
        "date": message["Date"].datetime,
        "message_id": str(message["Message-ID"]),
        "body": body,
    }
    return Parsed(lines=tuple(body.splitlines()), value=value)


def _events(text: str) -> Iterator[tuple[dt.datetime, str, str]]:
    for line in text.splitlines():
        found = _LOG_LINE.fullmatch(line)
        if found is None:
            raise EvidenceError(f"log: expected a moment, a code and a text, came {line!r}")
        moment = dt.datetime.strptime(found["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.UTC)
        yield moment, found["code"], found["text"]


def parse_log(data: bytes, style: Style) -> Parsed:
    """The events in order."""
    text = data.decode()
    return Parsed(lines=tuple(text.splitlines()), value=tuple(_events(text)))


_READERS: Mapping[str, Callable[[bytes, Style], Parsed]] = {
    "xlsx": parse_xlsx,
    "csv": parse_csv,
    "pdf": parse_pdf,
    "docx": parse_docx,
    "md": parse_md,
    "json": parse_json,
    "yaml": parse_yaml,
    "eml": parse_eml,
    "log": parse_log,
}


def parse(name: str, data: bytes, style: Style) -> Parsed:
    """The file read back."""
    suffix = name.rpartition(".")[2]
    if suffix not in _READERS:
        raise EvidenceError(f"{name}: expected one of {', '.join(_READERS)}, came .{suffix}")
    return _READERS[suffix](data, style)
