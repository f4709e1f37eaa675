"""Search words as mail and chat take them: text in, terms out.

`from:lee "price batch" -draft after:2026/02/01` is four terms. OR between two terms means either; everything else must
hold together. A value in parentheses, subject:(price batch), means that each of its words must occur.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from erpbench_world.errors import InvalidArguments
from erpbench_world.query import quoted

MAX_TERMS = 40
_NAME = re.compile(r"([A-Za-z_]+):")
_BARE = re.compile(r'[^\s"()]+')
_SPACE = re.compile(r"[\s]*")
_OR = re.compile(r"OR(?=\s|$)")


@dataclass(frozen=True)
class Term:
    """name is the operator in lower case, or None for plain words. All of the values must occur."""

    name: str | None
    values: tuple[str, ...]
    negated: bool = False


def alternatives(
    text: str, argument: str, names: Collection[str], unsupported: Collection[str] = ()
) -> list[list[Term]]:
    """The groups that must all hold; a group holds if one of its terms does.

    names are the operators that the search has. A word with a colon that is neither one of them nor unsupported is a
    plain word (Re:). Raises InvalidArguments for an unsupported operator or an unclosed quote or parenthesis.
    """
    groups: list[list[Term]] = []
    either = False
    at = _skip(text, 0)
    while at < len(text):
        if _OR.match(text, at) and groups:
            either, at = True, _skip(text, at + 2)
            continue
        term, at = _term(text, at, argument, names, unsupported)
        if either:
            groups[-1].append(term)
        elif term.values:
            groups.append([term])
        either = False
        if sum(len(group) for group in groups) > MAX_TERMS:
            raise InvalidArguments(f"{argument}: expected at most {MAX_TERMS} terms", argument)
        at = _skip(text, at)
    return groups


def _term(
    text: str, at: int, argument: str, names: Collection[str], unsupported: Collection[str]
) -> tuple[Term, int]:
    negated = text[at] == "-" and at + 1 < len(text) and not text[at + 1].isspace()
    at += negated
    found = _NAME.match(text, at)
    name = found[1].lower() if found else None
    if name in unsupported:
        known = ", ".join(f"{one}:" for one in sorted(names))
        raise InvalidArguments(f"{argument}: {name}: is not supported; the operators are {known} and -", argument)
    if found and name in names:
        values, at = _values(text, found.end(), argument)
        return Term(name, values, negated), at
    values, at = _values(text, at, argument)
    return Term(None, values, negated), at


def _values(text: str, at: int, argument: str) -> tuple[tuple[str, ...], int]:
    if at < len(text) and text[at] == '"':
        value, at = quoted(text, at, argument)
        return (value,), at
    if at < len(text) and text[at] == "(":
        end = text.find(")", at)
        if end < 0:
            raise InvalidArguments(f"{argument}: expected a closing parenthesis after character {at + 1}", argument)
        return tuple(re.findall(r'[^\s"]+', text[at + 1 : end])), end + 1
    found = _BARE.match(text, at)
    return ((found[0],), found.end()) if found else ((), at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
