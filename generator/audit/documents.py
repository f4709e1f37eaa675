"""The written evidence as rows: native files parsed back from their bytes, and mail.

In: the world's drive list and mail, the files' directory. Out: Written, rows for the audit's own tables, one shape for
files and mail alike, so that a rule that came as a sheet and one that came as a message are queried in the same way.
"""

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from generator.evidence.model import Cell, Style
from generator.evidence.parse import Parsed, ParsedTable, parse, text_table
from generator.evidence.values import bare, read_date, read_moment, read_number
from generator.spec.errors import EvidenceError

Row = dict[str, Any]
_MAIL_STYLE = Style()


@dataclass
class Written:
    """Rows by table: grid, pair, line, data, event (see load.py)."""

    grid: list[Row] = field(default_factory=list)
    pair: list[Row] = field(default_factory=list)
    line: list[Row] = field(default_factory=list)
    data: list[Row] = field(default_factory=list)
    event: list[Row] = field(default_factory=list)

    def extend(self, other: "Written") -> None:
        for name in ("grid", "pair", "line", "data", "event"):
            getattr(self, name).extend(getattr(other, name))


class Reader:
    """Parses files and remembers them by digest: the ten tasks of a tenant share 26 of their files."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, Style], Written] = {}

    def read(self, doc: str, path: Path, style: Style) -> Written:
        """The rows of a file. Raises EvidenceError if it is missing."""
        if not path.is_file():
            raise EvidenceError(f"{path}: expected a native file, found none")
        content = path.read_bytes()
        key = (doc, hashlib.sha256(content).hexdigest(), style)
        if key not in self._seen:
            self._seen[key] = written(doc, parse(path.name, content, style))
        return self._seen[key]


def written(doc: str, parsed: Parsed) -> Written:
    """A parsed file as rows."""
    rows = Written()
    for t, table in enumerate(parsed.tables, start=1):
        rows.grid.extend(grid_rows(doc, t, table))
    rows.pair.extend({"doc": doc, "n": n, "label": k, "value": v} for n, (k, v) in enumerate(parsed.pairs, start=1))
    rows.line.extend({"doc": doc, "n": n, "text": text} for n, text in enumerate(parsed.lines, start=1))
    if isinstance(parsed.value, tuple):
        rows.event.extend({"moment": _moment(at), "code": code, "text": text} for at, code, text in parsed.value)
    elif isinstance(parsed.value, dict | list):
        rows.data.append({"doc": doc, "value": json.loads(json.dumps(parsed.value, default=str))})
    return rows


def mail_rows(doc: str, body: str) -> Written:
    """A message's lines, each without its bullet or number; runs of ' | ' lines as tables, headed by their first."""
    rows, run, t = Written(), [], 0
    for n, text in enumerate([*body.splitlines(), ""], start=1):
        if " | " in text:
            run.append([cell.strip() for cell in text.split(" | ")])
            continue
        if len(run) > 1:
            t += 1
            title = rows.line[-1]["text"] if rows.line else ""
            width = len(run[0])
            body_rows = [[*row, *[""] * (width - len(row))][:width] for row in run[1:]]
            rows.grid.extend(grid_rows(doc, t, text_table(title, run[0], body_rows, _MAIL_STYLE)))
        run = []
        if text.strip():
            rows.line.append({"doc": doc, "n": n, "text": re.sub(r"^(-|\d+\.) ", "", text.strip())})
    return rows


def grid_rows(doc: str, t: int, table: ParsedTable) -> Iterable[Row]:
    """A table's rows; texts as shown, with what of them is a number, a date or a moment beside."""
    header = _unique(table.header)
    for r, (cells, texts) in enumerate(zip(table.rows, table.texts, strict=True), start=1):
        named = dict(zip(header, map(_dated, cells), strict=True))
        yield {
            "doc": doc,
            "t": t,
            "name": table.name,
            "r": r,
            "texts": dict(zip(header, (text.strip() for text in texts), strict=True)),
            "nums": {name: number for name, cell in named.items() if (number := _number(cell)) is not None},
            "days": {name: _day(cell) for name, cell in named.items() if isinstance(cell, dt.date)},
            "times": {name: _moment(cell) for name, cell in named.items() if isinstance(cell, dt.datetime)},
        }


def _dated(cell: Cell) -> Cell:
    """An ISO date or moment that an office with another form writes as text."""
    if not isinstance(cell, str):
        return cell
    return read_date(cell, _MAIL_STYLE.dates) or read_moment(cell, _MAIL_STYLE.dates) or cell


def _unique(header: Iterable[str]) -> list[str]:
    names: list[str] = []
    for name in header:
        names.append(name if name not in names else f"{name} {len(names) + 1}")
    return names


def _number(cell: Cell) -> str | None:
    """Also of a code of digits alone that a workbook keeps as text; its text stands in texts."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, str):
        value = read_number(cell, decimal_comma=False)
        return None if value is None else str(value)
    return bare(cell) if isinstance(cell, int | Decimal) else None


def _day(cell: dt.date) -> str:
    return (cell.date() if isinstance(cell, dt.datetime) else cell).isoformat()


def _moment(moment: dt.datetime) -> str:
    plain = moment.astimezone(dt.UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return plain.isoformat(sep=" ", timespec="seconds")


def file_texts(drive: Iterable[Mapping[str, Any]], formats: frozenset[str]) -> list[str]:
    """The drive's texts of files with one of the suffixes."""
    return [str(file["content"]) for file in drive if str(file["name"]).rpartition(".")[2] in formats]
