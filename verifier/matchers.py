"""Cell matchers: whether a stored value is what the contract expects, and the expectation in words.

A matcher is a scalar, "$primary", or an object of conditions that must all hold. Columns are compared by type: text
with text, integers with integers, flags (true, false) with 1 and 0. Inside {"json": …} the cell is JSON, as sheet
cells are: there numbers and numeric strings are equal, and booleans equal nothing but themselves.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from itertools import islice
from typing import Any

from verifier import figures, jsontext
from verifier.contract import PRIMARY
from verifier.faults import GraderFault
from verifier.jsontext import close, comparable

MONEY_UNITS = 10_000
_PART = re.compile(r"\S+")
ARRAY = frozenset({"has", "none", "min", "max", "known_sources"})
CONDITIONS = frozenset({"money", "number", "tolerance", "json", "in", "addresses", "nonempty", "min_words"}) | ARRAY


def matches(matcher: Any, cell: Any, primary: str | None, in_json: bool = False) -> bool:
    """Whether the cell (text, integer, null; in JSON any value) fits. primary: the primary record's name, if bound."""
    if isinstance(matcher, Mapping):
        return _conditions(matcher, cell, primary, in_json)
    if matcher == PRIMARY and isinstance(matcher, str):
        return primary is not None and _scalar(primary, cell, in_json)
    return _scalar(matcher, cell, in_json)


def _scalar(expected: Any, cell: Any, in_json: bool) -> bool:
    if isinstance(expected, bool) or isinstance(cell, bool):
        if in_json:
            return isinstance(cell, bool) and cell is expected
        return isinstance(expected, bool) and type(cell) is int and cell == int(expected)
    if expected is None or cell is None:
        return expected is None and cell is None
    if isinstance(expected, str) and isinstance(cell, str) and expected == cell:
        return True
    if in_json:
        return bool(_numbers(expected) & _numbers(cell))
    return not isinstance(expected, str) and not isinstance(cell, str) and comparable(expected) == comparable(cell)


def _numbers(value: Any) -> figures.Readings:
    """The numbers that a sheet's cell can stand for."""
    if isinstance(value, str):
        return figures.cell_readings(value)
    number = comparable(value)
    return figures.NONE if number is None else frozenset({number})


def _conditions(matcher: Mapping[str, Any], cell: Any, primary: str | None, in_json: bool) -> bool:
    unknown = set(matcher) - CONDITIONS
    if unknown or not set(matcher) - {"tolerance"}:
        raise GraderFault(f"contract: no matcher {sorted(matcher)}")
    if "money" in matcher and not _is_money(Decimal(str(matcher["money"])), cell):
        return False
    if "number" in matcher:
        wanted, tolerance = Decimal(str(matcher["number"])), Decimal(str(matcher.get("tolerance") or 0))
        if not any(close(number, wanted, tolerance) for number in _numbers(cell)):
            return False
    if "json" in matcher and not _in_json(matcher["json"], cell, primary):
        return False
    if "in" in matcher and not any(matches(one, cell, primary, in_json) for one in matcher["in"]):
        return False
    if "addresses" in matcher and not _addressed(matcher["addresses"], cell):
        return False
    if matcher.get("nonempty") and (cell is None or not str(cell).strip()):
        return False
    if "min_words" in matcher and words(cell, matcher["min_words"]) < matcher["min_words"]:
        return False
    return not ARRAY & set(matcher) or _array(matcher, cell)


def _addressed(allowed: Any, cell: Any) -> bool:
    """Each address of a text with commas between is one of the allowed, without case."""
    found = _folded(cell.split(",")) if isinstance(cell, str) else frozenset()
    return bool(found) and found <= _folded(allowed)


def _is_money(amount: Decimal, cell: Any) -> bool:
    return type(cell) is int and cell == amount * MONEY_UNITS


def _in_json(matcher: Any, cell: Any, primary: str | None) -> bool:
    if not isinstance(cell, str):
        return False
    try:
        value = jsontext.parse(cell)
    except ValueError:
        return False
    return matches(matcher, value, primary, in_json=True)


def words(cell: Any, enough: int | None = None) -> int:
    """How many of the text's parts between spaces have a letter or digit; no more than enough are counted."""
    if not isinstance(cell, str):
        return 0
    found = (part for part in _PART.finditer(cell) if any(character.isalnum() for character in part[0]))
    return sum(1 for _ in islice(found, enough))


def _array(matcher: Mapping[str, Any], cell: Any) -> bool:
    """The conditions on a JSON array of strings, compared without case and outer spaces, repeats counted once.

    has: all are in it. none: none is. max: at most so many entries. min: at least so many entries, and where
    known_sources is given (min 1 unless said otherwise), at least so many that name one of those.
    """
    try:
        entries = jsontext.parse(cell) if isinstance(cell, str) else None
    except ValueError:
        entries = None
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return False
    found = _folded(entries)
    if not _folded(matcher.get("has") or ()) <= found or _folded(matcher.get("none") or ()) & found:
        return False
    if matcher.get("max") is not None and len(entries) > matcher["max"]:
        return False
    known = matcher.get("known_sources")
    if known is not None:
        return len(found & _folded(known)) >= (matcher.get("min") or 1)
    return len(found) >= (matcher.get("min") or 0)


def _folded(names: Any) -> frozenset[str]:
    return frozenset(name.strip().casefold() for name in names) - {""}


def row_matches(row: Mapping[str, Any], cells: Mapping[str, Any], primary: str | None) -> bool:
    """Whether every named column of a row fits its matcher."""
    return all(matches(matcher, cells.get(column), primary) for column, matcher in row.items())


def words_for(matcher: Any, primary: str | None) -> str:
    """The expectation in words, for a verdict."""
    if isinstance(matcher, str) and matcher == PRIMARY:
        return f"the primary record ({primary or 'not found'})"
    if not isinstance(matcher, Mapping):
        return repr(matcher) if isinstance(matcher, str) else str(matcher).lower() if matcher is not None else "empty"
    parts = []
    for key, value in matcher.items():
        if key in ("json", "money"):
            parts.append(words_for(value, primary).strip("'"))
        elif key == "number":
            parts.append(f"{value}")
        elif key == "addresses":
            parts.append("to " + " or ".join(value))
        elif key == "in":
            parts.append("one of " + ", ".join(words_for(one, primary) for one in value))
        elif key == "has":
            parts.append("with " + ", ".join(value))
        elif key == "none" and value:
            parts.append("without " + ", ".join(value))
        elif key == "nonempty":
            parts.append("not empty")
        elif key == "min_words":
            parts.append(f"at least {value} words")
        elif key == "known_sources":
            parts.append("naming known sources")
        elif key in ("min", "max"):
            parts.append(f"{'at least' if key == 'min' else 'at most'} {value} entries")
    return ", ".join(parts) or "anything"
