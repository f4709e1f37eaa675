"""The trace of an episode: its rows, the chain that ties them together, and when each record was seen and written.

In: rows of the trace table as the text that is stored. Out: a Trace, indexed by record. A record is (table, key).
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier import jsontext
from verifier.deadline import Deadline
from verifier.faults import Malformed, TooLarge
from verifier.tables import CHECK_ROWS, Row

OK = "ok"
REFUSED = "refused"
INVALID = "invalid"
UNKNOWN_TOOL = "unknown_tool"
OUTCOMES = frozenset({OK, REFUSED, INVALID, UNKNOWN_TOOL})
COLUMNS = ("idx", "server", "tool", "arguments", "outcome", "error", "saw", "wrote", "chain")
FIRST_CHAIN = "0" * 64
MAX_ARGUMENTS = 64 << 10
"""Characters of one call's arguments; the world takes as many bytes."""
MAX_RECORDS = 20_000
"""Different records that a trace may name; a world holds about a thousand."""

Record = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One call. arguments is the stored JSON text."""

    idx: int
    server: str
    tool: str
    arguments: str
    outcome: str
    error: str | None
    saw: tuple[Record, ...]
    wrote: tuple[Record, ...]

    def argument_values(self) -> dict[str, Any] | None:
        """The arguments as an object with its numbers as written; None where they are nested too deeply to be read."""
        try:
            values = jsontext.outline(self.arguments)
        except ValueError:
            return None
        return values if isinstance(values, dict) else None


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls in order. Only accepted calls give credit for what they saw or wrote."""

    entries: tuple[Entry, ...] = ()
    saw: dict[Record, list[int]] = field(default_factory=dict)
    wrote: dict[Record, list[int]] = field(default_factory=dict)

    def last_write(self, record: Record) -> int | None:
        writes = self.wrote.get(record)
        return writes[-1] if writes else None

    def first_write(self, record: Record) -> int:
        writes = self.wrote.get(record)
        return writes[0] if writes else 0

    def first_accepted(self, tools: Collection[str]) -> int | None:
        """The index of the first accepted call of one of the tools."""
        return next((entry.idx for entry in self.entries if entry.outcome == OK and entry.tool in tools), None)


def build_trace(rows: Sequence[Row], deadline: Deadline | None = None) -> Trace:
    """The trace of stored rows. Raises Malformed for a gap in the numbering or a column of the wrong shape, TooLarge
    for more arguments or records than a world can trace, and TooSlow."""
    known: dict[Record, Record] = {}
    trace = Trace(tuple(_entry(position, row, known) for position, row in _numbered(rows, deadline)))
    for entry in trace.entries:
        if entry.outcome != OK:
            continue
        for record in entry.saw:
            trace.saw.setdefault(record, []).append(entry.idx)
        for record in entry.wrote:
            trace.wrote.setdefault(record, []).append(entry.idx)
    return trace


def link(previous: str, row: Row) -> str:
    """The chain value of a row: SHA-256 over the previous chain value and the row's other columns as compact JSON."""
    text = json.dumps(list(row[:-1]), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256((previous + text).encode("utf-8")).hexdigest()


def broken_link(rows: Sequence[Row], deadline: Deadline | None = None) -> int | None:
    """The index of the first row whose chain value does not follow from the rows before it. Raises TooSlow."""
    previous = FIRST_CHAIN
    for position, row in _numbered(rows, deadline):
        previous = link(previous, row)
        if row[-1] != previous:
            return position
    return None


def _numbered(rows: Sequence[Row], deadline: Deadline | None) -> Iterator[tuple[int, Row]]:
    """The rows from 1 on, with a look at the deadline now and then."""
    for position, row in enumerate(rows, start=1):
        if deadline is not None and position % CHECK_ROWS == 0:
            deadline.check()
        yield position, row


def _entry(position: int, row: Row, known: dict[Record, Record]) -> Entry:
    idx, server, tool, arguments, outcome, error, saw, wrote, _ = row
    if idx != position:
        raise Malformed(f"trace row {position} is numbered {idx}")
    if not isinstance(server, str) or not isinstance(tool, str) or not isinstance(arguments, str):
        raise Malformed(f"trace row {position}: server, tool and arguments are not text")
    if not isinstance(outcome, str) or outcome not in OUTCOMES:
        raise Malformed(f"trace row {position}: outcome {outcome!r}")
    if error is not None and not isinstance(error, str):
        raise Malformed(f"trace row {position}: error is not text")
    if len(arguments) > MAX_ARGUMENTS:
        raise TooLarge(f"trace row {position} has arguments of {len(arguments)} characters, at most {MAX_ARGUMENTS}")
    records = (_records(position, saw, known), _records(position, wrote, known))
    entry = Entry(position, server, tool, arguments, outcome, error, *records)
    if entry.wrote and outcome != OK:
        raise Malformed(f"trace row {position}: a call that was not accepted claims to have written")
    return entry


def check_arguments(trace: Trace, deadline: Deadline | None = None) -> None:
    """Raises Malformed for arguments that are no JSON object, and TooSlow."""
    for entry in trace.entries:
        if deadline is not None and entry.idx % CHECK_ROWS == 0:
            deadline.check()
        if not _is_object(entry.arguments):
            raise Malformed(f"trace row {entry.idx}: arguments are not a JSON object")


def _is_object(text: str) -> bool:
    """Whether the text is a JSON object; one that is nested too deeply to be read is an odd, but honest argument."""
    try:
        return isinstance(jsontext.outline(text), dict)
    except jsontext.TooDeep:
        return text.lstrip().startswith("{")
    except ValueError:
        return False


def _records(position: int, cell: object, known: dict[Record, Record]) -> tuple[Record, ...]:
    """The records of a column; equal ones are one object, since listings name the same ones again and again."""
    if cell == "[]":
        return ()
    try:
        pairs = json.loads(cell) if isinstance(cell, str) else None
    except (ValueError, RecursionError):
        pairs = None
    if not isinstance(pairs, list):
        raise Malformed(f"trace row {position}: saw and wrote are not lists of records")
    records = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise Malformed(f"trace row {position}: {pair!r} is no [table, key]"[:200])
        record = (pair[0], pair[1])
        records.append(known.setdefault(record, record))
    if len(known) > MAX_RECORDS:
        raise TooLarge(f"trace row {position}: more than {MAX_RECORDS} records are named")
    return tuple(records)
