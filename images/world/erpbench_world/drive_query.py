"""The drive's search: a query in the provider's form in, a test of one file out.

Terms: name contains 'x' and fullText contains 'x' (the name, description or content holds it, whatever the case);
name, id, mimeType with = and !=; mimeType contains; trashed and isCurrentAuthority with = or != true or false;
modifiedTime with =, !=, <, <=, >, >=. They combine with and, or, not and parentheses. An empty query takes every file.
"""

import datetime as dt
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from erpbench_world.call import Row
from erpbench_world.errors import InvalidArguments, shown
from erpbench_world.query import quoted

Test = Callable[[Row], bool]
MAX_TOKENS = 300
MAX_NESTING = 30
_TOKEN = re.compile(r"\s*(?:(?P<symbol>\(|\)|<=|>=|!=|=|<|>)|(?P<word>[A-Za-z0-9][A-Za-z0-9_.:/+-]*)|(?P<quote>['\"]))")
_FLAGS = {"true": True, "false": False}
_COMPARISONS: dict[str, Callable[[dt.datetime, dt.datetime], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Token:
    """kind: word, symbol, text (a quoted value) or end. at is the place in the query, from 1."""

    kind: str
    value: str
    at: int


def matcher(q: str) -> Test:
    """A test for rows of drive_files. Raises InvalidArguments that says where what was expected."""
    reader = _Reader(_tokens(q))
    if reader.now.kind == "end":
        return lambda row: True
    test = reader.either(0)
    if reader.now.kind != "end":
        raise _unexpected(reader.now, "and, or, or the end")
    return test


def _tokens(q: str) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while q[at:].strip():
        found = _TOKEN.match(q, at)
        if found is None:
            rest = q[at:].lstrip()
            raise _unexpected(Token("text", rest[:40], len(q) - len(rest) + 1), "a term such as name contains 'policy'")
        kind = str(found.lastgroup)
        if kind == "quote":
            place = found.start("quote")
            value, at = quoted(q, place)
            tokens.append(Token("text", value, place + 1))
        else:
            tokens.append(Token(kind, found[kind], found.start(kind) + 1))
            at = found.end()
        if len(tokens) > MAX_TOKENS:
            raise InvalidArguments(f"q: expected at most {MAX_TOKENS} words and signs", "q")
    return [*tokens, Token("end", "", len(q) + 1)]


class _Reader:
    """Reads the tokens from left to right; not binds tighter than and, and tighter than or."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.place = 0

    @property
    def now(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.now
        self.place += token.kind != "end"
        return token

    def word(self, *words: str) -> bool:
        """Whether one of the words comes next, in any case; then it is taken."""
        if self.now.kind == "word" and self.now.value.lower() in words:
            self.take()
            return True
        return False

    def either(self, depth: int) -> Test:
        tests = [self.both(depth)]
        while self.word("or"):
            tests.append(self.both(depth))
        return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)

    def both(self, depth: int) -> Test:
        tests = [self.single(depth)]
        while self.word("and"):
            tests.append(self.single(depth))
        return tests[0] if len(tests) == 1 else lambda row: all(test(row) for test in tests)

    def single(self, depth: int) -> Test:
        if depth > MAX_NESTING:
            raise InvalidArguments(f"q: expected at most {MAX_NESTING} levels of not and parentheses", "q")
        if self.word("not"):
            inner = self.single(depth + 1)
            return lambda row: not inner(row)
        if self.now.value == "(" and self.now.kind == "symbol":
            self.take()
            test = self.either(depth + 1)
            closing = self.take()
            if (closing.kind, closing.value) != ("symbol", ")"):
                raise _unexpected(closing, "a closing parenthesis")
            return test
        return self.term()

    def term(self) -> Test:
        name = self.take()
        if name.kind != "word":
            raise _unexpected(name, f"one of {', '.join(sorted(_TERMS))}")
        build = {known.lower(): build for known, build in _TERMS.items()}.get(name.value.lower())
        if build is None:
            raise InvalidArguments(
                f"q: no field {shown(name.value)}; the fields are {', '.join(sorted(_TERMS))}", "q"
            )
        sign = self.take()
        if sign.kind not in ("symbol", "word"):
            raise _unexpected(sign, f"an operator after {name.value}")
        value = self.take()
        if value.kind not in ("text", "word"):
            raise _unexpected(value, f"a value for {name.value}, in quotes")
        return build(sign.value.lower(), value.value)


def _contains(value: str, *columns: str) -> Test:
    sought = value.casefold()
    return lambda row: any(sought in row[column].casefold() for column in columns)


def _text(column: str, *searched: str) -> Callable[[str, str], Test]:
    """= and != compare the column; contains looks into the searched columns."""

    def build(sign: str, value: str) -> Test:
        if sign == "contains" and searched:
            return _contains(value, *searched)
        if sign in ("=", "!="):
            return lambda row: (row[column] == value) == (sign == "=")
        raise _operator(column, sign, "=, !=" + (", contains" if searched else ""))

    return build


def _full_text(sign: str, value: str) -> Test:
    if sign != "contains":
        raise _operator("fullText", sign, "contains")
    return _contains(value, "name", "description", "content")


def _flag(name: str, read: Test) -> Callable[[str, str], Test]:
    def build(sign: str, value: str) -> Test:
        if sign not in ("=", "!="):
            raise _operator(name, sign, "=, !=")
        if value.lower() not in _FLAGS:
            raise InvalidArguments(f"q: {name}: expected true or false, came {shown(value)}", "q")
        sought = _FLAGS[value.lower()] == (sign == "=")
        return lambda row: read(row) == sought

    return build


def _modified(sign: str, value: str) -> Test:
    compare = _COMPARISONS.get(sign)
    if compare is None:
        raise _operator("modifiedTime", sign, ", ".join(_COMPARISONS))
    sought = _instant(value)
    return lambda row: compare(_instant(row["modifiedTime"]), sought)


def _instant(value: str) -> dt.datetime:
    """A day is its first instant; without an offset the time is UTC."""
    try:
        found = dt.datetime.fromisoformat(value)
    except ValueError:
        message = f"q: modifiedTime: expected a time such as 2026-02-09T06:00:00, came {shown(value)}"
        raise InvalidArguments(message, "q") from None
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


_TERMS: dict[str, Callable[[str, str], Test]] = {
    "name": _text("name", "name", "description", "content"),
    "id": _text("id"),
    "mimeType": _text("mimeType", "mimeType"),
    "fullText": _full_text,
    "trashed": _flag("trashed", lambda row: False),
    "isCurrentAuthority": _flag("isCurrentAuthority", lambda row: bool(row["isCurrentAuthority"])),
    "modifiedTime": _modified,
}


def _operator(field: str, sign: str, known: str) -> InvalidArguments:
    return InvalidArguments(f"q: {field} takes {known}; came {shown(sign)}", "q")


def _unexpected(token: Token, expected: str) -> InvalidArguments:
    came = "the end" if token.kind == "end" else shown(token.value)
    return InvalidArguments(f"q: expected {expected} at character {token.at}, came {came}", "q")
