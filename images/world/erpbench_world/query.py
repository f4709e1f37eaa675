"""The provider's query expression q: `Field='value' and Other>='value'` in, rows of one table out.

Conditions are joined by `and` or `;`. Operators are =, != (or <>), <, <=, >, >=, like, is null, is not null, with any
spacing and in any letter case. Values stand in single or double quotes (a quote inside is doubled or has a backslash
before it), or bare where they hold no space: 12, 0.84, true, NBR1. An empty q selects everything.

Values reach SQLite as parameters only; a field must be one of the resource's own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments
from erpbench_world.money import UNITS

FieldType = Literal["text", "integer", "money", "flag", "date"]
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "like", "is null", "is not null"]

MAX_CONDITIONS = 40
MAX_VALUE = 500
_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*")
_OPERATOR = re.compile(r"(!=|<>|<=|>=|=|<|>|like(?![A-Za-z0-9_])|is\s+not\s+null\b|is\s+null\b)\s*", re.IGNORECASE)
_BARE = re.compile(r"[^\s;'\"()]+")
_JOIN = re.compile(r"\s*(?:;\s*|and(?![A-Za-z0-9_])\s*)", re.IGNORECASE)
_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2})?")
_FLAGS = {"true": 1, "y": 1, "yes": 1, "1": 1, "false": 0, "n": 0, "no": 0, "0": 0}


@dataclass(frozen=True)
class Condition:
    """One comparison. value is the text as written, without its quotes; empty for is null and is not null."""

    field: str
    operator: Operator
    value: str


def parse(text: str) -> tuple[Condition, ...]:
    """The conditions of q. Raises InvalidArguments that says at which place what was expected."""
    conditions: list[Condition] = []
    at = _end(_SPACE, text, 0)
    while at < len(text):
        condition, at = _condition(text, at)
        conditions.append(condition)
        if len(conditions) > MAX_CONDITIONS:
            raise InvalidArguments(f"q: expected at most {MAX_CONDITIONS} conditions", "q")
        end = _end(_SPACE, text, at)
        if end == len(text):
            break
        join = _JOIN.match(text, at)
        if join is None:
            raise _unexpected(text, end, "and, ; or the end (or, parentheses and functions are not supported)")
        at = join.end()
        if at == len(text) and ";" not in join[0]:
            raise _unexpected(text, at, "a condition after and")
    return tuple(conditions)


def _condition(text: str, at: int) -> tuple[Condition, int]:
    name = _NAME.match(text, at)
    if name is None:
        raise _unexpected(text, at, "a field name")
    found = _OPERATOR.match(text, name.end())
    if found is None:
        raise _unexpected(text, name.end(), f"an operator after {name[1][:60]}: =, !=, <, <=, >, >=, like, is null")
    operator = _operator(found[1])
    if operator in ("is null", "is not null"):
        return Condition(name[1], operator, ""), found.end()
    value, end = _value(text, found.end(), name[1])
    if len(value) > MAX_VALUE:
        raise InvalidArguments(f"q: expected a value of at most {MAX_VALUE} characters for {name[1][:60]}", "q")
    return Condition(name[1], operator, value), end


def _operator(text: str) -> Operator:
    normal = " ".join(text.lower().split())
    known: dict[str, Operator] = {
        "=": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
        "like": "like", "is null": "is null", "is not null": "is not null",
    }  # fmt: skip
    return known[normal]


def _value(text: str, at: int, field: str) -> tuple[str, int]:
    if at < len(text) and text[at] in "'\"":
        return quoted(text, at)
    bare = _BARE.match(text, at)
    if bare is None:
        raise _unexpected(text, at, f"a value for {field[:60]}")
    return bare[0], bare.end()


def quoted(text: str, at: int, argument: str = "q") -> tuple[str, int]:
    """The string that opens at this quote, and the place after its closing quote.

    A quote inside is written twice or with a backslash before it; any other backslash but \\\\ stands for itself.
    """
    mark = text[at]
    parts: list[str] = []
    place = at + 1
    while place < len(text):
        letter = text[place]
        following = text[place + 1 : place + 2]
        if (letter == "\\" and following in ("'", '"', "\\")) or (letter == mark and following == mark):
            parts.append(following)
            place += 2
        elif letter == mark:
            return "".join(parts), place + 1
        else:
            parts.append(letter)
            place += 1
    raise _unexpected(text, at, "a closing quote", argument)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _unexpected(text: str, at: int, expected: str, argument: str = "q") -> InvalidArguments:
    rest = text[at : at + 40]
    came = f"{rest!r}" if rest else "the end"
    return InvalidArguments(f"{argument}: expected {expected} at character {at + 1}, came {came}", argument)


def select(
    call: Call,
    table: str,
    q: str | None,
    fields: Mapping[str, FieldType],
    extra: str = "",
    *,
    order: str = "",
) -> list[Row]:
    """The rows of the table that meet every condition of q, as the table holds them; nothing is declared as seen.

    fields are the columns that q may name, with their types; names match in any letter case. extra is one more SQL
    condition, order an ORDER BY list (the primary key by default): both are the program's own text, never a caller's.

    Types: text compares as it is written, like ignores case and takes % for any characters; a date field compared with
    a day compares days, also where it holds an instant; money and integers compare as numbers; a flag takes true or
    false, Y or N. A field without a value meets no condition but is null.
    """
    clauses: list[str] = []
    values: list[str | int | float] = []
    for condition in parse(q or ""):
        clause, parameters = _clause(condition, fields)
        clauses.append(clause)
        values.extend(parameters)
    if extra:
        clauses.append(f"({extra})")
    where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
    ordered = order or ", ".join(f'"{column}"' for column in call.keys[table])
    return call.rows(f'SELECT * FROM "{table}"{where} ORDER BY {ordered}', tuple(values))


def _clause(condition: Condition, fields: Mapping[str, FieldType]) -> tuple[str, tuple[str | int | float, ...]]:
    column = _column(condition.field, fields)
    kind = fields[column]
    name = f'"{column}"'
    if condition.operator == "is null":
        return f"{name} IS NULL", ()
    if condition.operator == "is not null":
        return f"{name} IS NOT NULL", ()
    if condition.operator == "like":
        if kind not in ("text", "date"):
            raise InvalidArguments(f"q: like is for text; {column} is of type {kind}", "q")
        return f"wildcard(?, {name})", (condition.value,)
    value = _typed(condition, column, kind)
    if kind == "date" and len(str(value)) == 10:
        name = f"substr({name}, 1, 10)"
    return f"{name} {condition.operator} ?", (value,)


def _column(field: str, fields: Mapping[str, FieldType]) -> str:
    if field in fields:
        return field
    for name in fields:
        if name.lower() == field.lower():
            return name
    raise InvalidArguments(f"q: no field {field[:60]!r}; the fields are {', '.join(sorted(fields))}", "q")


def _typed(condition: Condition, column: str, kind: FieldType) -> str | int | float:
    value = condition.value.strip()
    if kind == "text":
        return condition.value
    if kind == "flag":
        if condition.operator not in ("=", "!="):
            raise InvalidArguments(f"q: {column} is a flag; expected = or !=, came {condition.operator}", "q")
        if value.lower() not in _FLAGS:
            raise _mistyped(column, "true or false", value)
        return _FLAGS[value.lower()]
    if kind == "date":
        if not _DAY.fullmatch(value) and not _INSTANT.fullmatch(value):
            raise _mistyped(column, "an ISO date such as 2026-02-09", value)
        return value
    if not _NUMBER.fullmatch(value):
        raise _mistyped(column, "a number", value)
    number = Decimal(value) * (UNITS if kind == "money" else 1)
    return _number(number)


def _number(number: Decimal) -> int | float:
    """The number for SQLite: an integer where it is one and fits in 64 bits, else the nearest float."""
    whole = int(number)
    return whole if whole == number and abs(whole) < 2**63 else float(number)


def _mistyped(column: str, expected: str, value: str) -> InvalidArguments:
    return InvalidArguments(f"q: {column}: expected {expected}, came {value[:60]!r}", "q")


def wildcard(pattern: str, value: str | None) -> int:
    """1 if the value has the pattern's pieces between % in order, whatever their case. Installed as SQL function.

    It takes time in proportion to the lengths, unlike SQLite's own LIKE, and knows the case of every alphabet.
    """
    if value is None:
        return 0
    pieces = pattern.casefold().split("%")
    text = str(value).casefold()
    if len(pieces) == 1:
        return int(text == pieces[0])
    first, *middle, last = pieces
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return 0
    place, stop = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, place, stop)
        if found < 0:
            return 0
        place = found + len(piece)
    return 1
