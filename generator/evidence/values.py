"""How a single value is written in a file, and read back.

In: a cell with its column and the office's style. Out: the text shown for it, its shortest text, its Excel number
format; and from text, the value it stands for. Month names are English and built in, so that no locale has a say.
"""

import datetime as dt
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from generator.evidence.model import Cell, Column, Document, Style
from generator.spec.errors import EvidenceError

Medium = Literal["page", "csv"]

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)
_TOKEN = re.compile(r"%-?[A-Za-z%]|[^%]+|%")
_EXCEL = {"%Y": "yyyy", "%y": "yy", "%m": "mm", "%-m": "m", "%d": "dd", "%-d": "d", "%b": "mmm", "%B": "mmmm"}
_READ = {
    "%Y": r"(?P<Y>\d{4})",
    "%y": r"(?P<y>\d{2})",
    "%m": r"(?P<m>\d{2})",
    "%-m": r"(?P<m>[1-9]\d?)",
    "%d": r"(?P<d>\d{2})",
    "%-d": r"(?P<d>[1-9]\d?)",
    "%b": f"(?P<b>{'|'.join(name[:3] for name in MONTHS)})",
    "%B": f"(?P<b>{'|'.join(MONTHS)})",
}
_CLOCK = re.compile(r"(?P<date>.+?)[ T](?P<h>\d{2}):(?P<min>\d{2})(:(?P<s>\d{2}))?(?P<z>Z?)")
MEASURED = frozenset({"integer", "number", "money", "percent"})
_PLACED = frozenset({"number", "money", "percent"})


def utc(document: Document, moment: dt.datetime) -> dt.datetime:
    """The moment in UTC. Raises EvidenceError for one without a zone, which would depend on the machine's."""
    if moment.tzinfo is None:
        raise EvidenceError(f"{document.name}: expected a date and time with its zone, came {moment.isoformat()}")
    return moment.astimezone(dt.UTC)


def iso_z(moment: dt.datetime) -> str:
    """2026-02-03T10:12:00Z of a moment in UTC; without the Z when it has no zone."""
    if moment.tzinfo is None:
        return moment.isoformat(timespec="seconds")
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _tokens(pattern: str) -> Iterator[str]:
    for token in _TOKEN.findall(pattern):
        if token.startswith("%") and token not in _EXCEL:
            raise EvidenceError(f"date form {pattern!r}: expected {', '.join(_EXCEL)}, came {token}")
        yield token


def show_date(day: dt.date, pattern: str) -> str:
    """The day in a strftime form. Raises EvidenceError for a directive other than those of a written date."""
    parts = {
        "%Y": f"{day.year:04d}",
        "%y": f"{day.year % 100:02d}",
        "%m": f"{day.month:02d}",
        "%-m": str(day.month),
        "%d": f"{day.day:02d}",
        "%-d": str(day.day),
        "%b": MONTHS[day.month - 1][:3],
        "%B": MONTHS[day.month - 1],
    }
    return "".join(parts.get(token, token) for token in _tokens(pattern))


def show_moment(moment: dt.datetime, pattern: str) -> str:
    """Date form, then HH:MM, seconds only where there are any, Z for a moment with a zone."""
    zoned = moment.tzinfo is not None
    at = moment.astimezone(dt.UTC) if zoned else moment
    clock = at.strftime("%H:%M:%S" if at.second else "%H:%M")
    return f"{show_date(at.date(), pattern)} {clock}{'Z' if zoned else ''}"


def shortest(number: int | Decimal) -> str:
    """1.40 as 1.4, 473.00 as 473, 1200 as 1200; never an exponent."""
    if isinstance(number, int):
        return str(number)
    text = format(number, "f") if number else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def places(number: int | Decimal, column: Column) -> int:
    """Decimals to show: the column's, or more when the number has more, so that nothing is rounded away."""
    own = len(shortest(number).partition(".")[2])
    return max(own, column.decimals) if column.kind in _PLACED else own


def show_number(number: int | Decimal, column: Column, style: Style, medium: Medium) -> str:
    """The number with its column's decimals, grouped on a page when the column measures something."""
    grouping = "," if medium == "page" and column.kind in MEASURED else ""
    text = format(Decimal(number), f"{grouping}.{places(number, column)}f")
    if style.decimal_comma:
        text = text.translate(str.maketrans(",.", ".,"))
    return f"{text}%" if column.kind == "percent" and medium == "page" else text


def shown(cell: Cell, column: Column, style: Style, medium: Medium) -> str:
    """The cell as the office writes it on a page (pdf, docx, md) or in a csv."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        words = ("false", "true") if medium == "csv" else ("No", "Yes")
        return words[cell]
    if isinstance(cell, int | Decimal):
        return show_number(cell, column, style, medium)
    if isinstance(cell, dt.datetime):
        return show_moment(cell, style.dates)
    if isinstance(cell, dt.date):
        return show_date(cell, style.dates)
    return cell


def bare(cell: Cell) -> str:
    """The cell in the text of a workbook: shortest number, ISO date, TRUE or FALSE."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | Decimal):
        return shortest(cell)
    if isinstance(cell, dt.datetime):
        return iso_z(cell)
    if isinstance(cell, dt.date):
        return cell.isoformat()
    return cell


def number_format(cell: Cell, column: Column, style: Style) -> str:
    """Excel's number format of the cell. A percent is a plain number with a sign behind it: 2.5 shows as 2.50%."""
    if isinstance(cell, dt.datetime):
        clock = "hh:mm:ss" if cell.second else "hh:mm"
        return f"{excel_date(style.dates)} {clock}" + ('"Z"' if cell.tzinfo is not None else "")
    if isinstance(cell, dt.date):
        return excel_date(style.dates)
    if isinstance(cell, bool):
        return '"TRUE";"TRUE";"FALSE"'
    if not isinstance(cell, int | Decimal) or column.kind not in MEASURED:
        return "General"
    digits = places(cell, column)
    form = "#,##0" + ("." + "0" * digits if digits else "")
    return form + '"%"' if column.kind == "percent" else form


def excel_date(pattern: str) -> str:
    """A strftime form as an Excel date format; letters between directives are quoted."""
    return "".join(
        _EXCEL.get(token) or re.sub(r"[A-Za-z]+", lambda word: f'"{word[0]}"', token) for token in _tokens(pattern)
    )


def read_date(text: str, pattern: str) -> dt.date | None:
    """The date that the text is in the form, or None."""
    form = "".join(_READ.get(token) or re.escape(token) for token in _tokens(pattern))
    found = re.fullmatch(form, text)
    if found is None:
        return None
    group = found.groupdict()
    names = [name[:3] for name in MONTHS]
    month = int(group["m"]) if group.get("m") else names.index(group["b"][:3]) + 1
    year = int(group["Y"]) if group.get("Y") else 2000 + int(group["y"])
    try:
        return dt.date(year, month, int(group["d"]))
    except ValueError:
        return None


def read_moment(text: str, pattern: str) -> dt.datetime | None:
    """The date and time that the text is in the form, or None."""
    found = _CLOCK.fullmatch(text)
    day = read_date(found["date"], pattern) if found else None
    if found is None or day is None or int(found["h"]) > 23 or int(found["min"]) > 59 or int(found["s"] or 0) > 59:
        return None
    clock = dt.time(int(found["h"]), int(found["min"]), int(found["s"] or 0))
    return dt.datetime.combine(day, clock, tzinfo=dt.UTC if found["z"] else None)


def read_number(text: str, decimal_comma: bool) -> int | Decimal | None:
    """The number that the text is, grouped or not, with or without a percent sign; a leading zero makes it a code."""
    group, point = (".", ",") if decimal_comma else (",", ".")
    form = rf"-?(0|[1-9]\d*|[1-9]\d{{0,2}}({re.escape(group)}\d{{3}})+)({re.escape(point)}\d+)?%?"
    if not re.fullmatch(form, text):
        return None
    plain = text.rstrip("%").replace(group, "").replace(point, ".")
    return Decimal(plain) if "." in plain else int(plain)


def read_cell(text: str, style: Style) -> Cell:
    """The value a cell's text stands for: None, a date, a date and time, a number, a csv flag, or the text itself."""
    if not text:
        return None
    if text in ("true", "false"):
        return text == "true"
    for value in (
        read_date(text, style.dates),
        read_moment(text, style.dates),
        read_number(text, style.decimal_comma),
    ):
        if value is not None:
            return value
    return text
