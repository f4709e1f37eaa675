"""A1 notation: the text of a range in, an area of one tab out, and back.

Register!A1:H40, 'Price log'!B2, Register!A:H, Register!2:5, Register!A5:H and Register all name areas; $ signs and
letter case do not matter. Areas are 1-based and include both ends.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from erpbench_world.errors import InvalidArguments, shown

MAX_LETTERS = 3
MAX_DIGITS = 7
_END = rf"\$?([A-Za-z]{{1,{MAX_LETTERS}}})?\$?([0-9]{{1,{MAX_DIGITS}}})?"
_CELLS = re.compile(rf"{_END}(?::{_END})?")


@dataclass(frozen=True)
class Area:
    tab: str
    top: int
    left: int
    bottom: int
    right: int

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    def __str__(self) -> str:
        """Register!A21:H21, or Register!A21 for a single cell."""
        first, last = f"{letters(self.left)}{self.top}", f"{letters(self.right)}{self.bottom}"
        return f"{quoted_tab(self.tab)}!{first}" + (f":{last}" if first != last else "")


def letters(column: int) -> str:
    """1 is A, 27 is AA."""
    name = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def number(name: str) -> int:
    """A is 1, AA is 27."""
    column = 0
    for letter in name.upper():
        column = column * 26 + ord(letter) - 64
    return column


def quoted_tab(tab: str) -> str:
    """The tab's name as a range writes it: in quotes unless it is one plain word."""
    return tab if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", tab) else "'" + tab.replace("'", "''") + "'"


def cell(tab: str, row: int, column: int) -> str:
    """The key of a cell's record: Register!A21, the tab's name as it is."""
    return f"{tab}!{letters(column)}{row}"


def area(text: str, sizes: Mapping[str, tuple[int, int]]) -> Area:
    """The area that the text names. sizes has the rows and columns of each tab; open ends reach to them.

    Raises InvalidArguments for an unknown tab, for what is no range, and for one that lies outside of the tab. A range
    that only ends outside is kept as it is.
    """
    name, mark, cells = text.strip().rpartition("!")
    if not mark:
        name, cells = cells, ""
    tab = _tab(name, sizes)
    if tab is None:
        known = ", ".join(quoted_tab(tab) for tab in sizes)
        message = f"range: expected a tab and cells such as Register!A1:H40, came {shown(text)}; the tabs are {known}"
        raise InvalidArguments(message, "range")
    rows, columns = sizes[tab]
    if not mark:
        return Area(tab, 1, 1, rows, columns)
    single = ":" not in cells
    found = _CELLS.fullmatch(cells.strip())
    if found is None or not _complete(found, single):
        raise InvalidArguments(f"range: expected cells such as A1:H40, came {shown(cells)}", "range")
    left, right = (number(name) if name else None for name in (found[1], found[3]))
    top, bottom = (int(digits) if digits else None for digits in (found[2], found[4]))
    if 0 in (top, bottom):
        raise InvalidArguments(f"range: expected rows from 1, came {shown(cells)}", "range")
    if single:
        right, bottom = left, top
    first_row, last_row = _ordered(top, bottom, rows)
    first_column, last_column = _ordered(left, right, columns)
    if first_row > rows or first_column > columns:
        extent = f"A1:{letters(columns)}{rows}"
        raise InvalidArguments(f"range: {shown(text)} lies outside of {tab}, which is {extent}", "range")
    return Area(tab, first_row, first_column, last_row, last_column)


def _complete(found: re.Match[str], single: bool) -> bool:
    """A single cell needs its column and row; two ends need a column each or a row each."""
    left, top, right, bottom = found.groups()
    if single:
        return bool(left and top)
    return bool((left and right) or (top and bottom))


def _ordered(first: int | None, last: int | None, size: int) -> tuple[int, int]:
    """The ends from low to high; an end that is left out is the tab's edge."""
    low, high = first or 1, last or size
    return (low, high) if low <= high or last is None else (high, low)


def _tab(name: str, sizes: Mapping[str, tuple[int, int]]) -> str | None:
    plain = name.strip()
    if len(plain) > 1 and plain[0] == plain[-1] == "'":
        plain = plain[1:-1].replace("''", "'")
    for tab in sizes:
        if tab.lower() == plain.lower():
            return tab
    return None
