"""The mailbox's search: a Gmail query in, a test of one message out.

Supported: words, "phrases", from:, to:, subject:, label: (also in:), after:, before:, OR, and - for not. Words are
looked for in the subject, body, addresses and ids, whatever their case. after: includes its day, before: does not.
"""

import datetime as dt
import json
import re
from collections.abc import Callable

from erpbench_world.call import Row
from erpbench_world.errors import InvalidArguments, shown
from erpbench_world.words import Term, alternatives

NAMES = ("from", "to", "subject", "label", "in", "after", "before")
UNSUPPORTED = (
    "has", "filename", "is", "cc", "bcc", "size", "larger", "smaller", "older", "newer", "older_than", "newer_than",
    "category", "list", "deliveredto", "rfc822msgid",
)  # fmt: skip
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")


def matcher(q: str) -> Callable[[Row], bool]:
    """A test for rows of the mail table. Raises InvalidArguments for what the search does not know."""
    groups = [[_test(term) for term in group] for group in alternatives(q, "q", NAMES, UNSUPPORTED)]
    return lambda row: all(any(test(row) for test in group) for group in groups)


def _test(term: Term) -> Callable[[Row], bool]:
    positive = _positive(term)
    return (lambda row: not positive(row)) if term.negated else positive


def _positive(term: Term) -> Callable[[Row], bool]:
    if term.name in ("after", "before"):
        day = _day(term)
        if term.name == "after":
            return lambda row: row["date"][:10] >= day
        return lambda row: row["date"][:10] < day
    values = [value.casefold() for value in term.values]
    if term.name in ("label", "in"):
        return lambda row: all(value in _labels(row) or value == "anywhere" for value in values)
    columns = {
        "from": ("sender",),
        "to": ("recipient",),
        "subject": ("subject",),
        None: ("subject", "body", "sender", "recipient", "id", "threadId"),
    }[term.name]
    return lambda row: all(any(value in row[column].casefold() for column in columns) for value in values)


def _labels(row: Row) -> list[str]:
    return [str(label).casefold() for label in json.loads(row["labels"])]


def _day(term: Term) -> str:
    text = " ".join(term.values)
    found = _DATE.fullmatch(text)
    try:
        if found:
            return dt.date(int(found[1]), int(found[2]), int(found[3])).isoformat()
    except ValueError:
        pass
    raise InvalidArguments(f"q: {term.name}: expected a date such as 2026/02/09, came {shown(text)}", "q")
