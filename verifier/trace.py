"""The trace of an episode: its rows, the chain that ties them together, and when each record was seen and written.

In: rows of the trace table as the text that is stored. Out: a Trace, indexed by record. A record is (table, key).
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier import jsontext
from verifier.faults import Malformed
from verifier.tables import Row

OK = "ok"
REFUSED = "refused"
INVALID = "invalid"
UNKNOWN_TOOL = "unknown_tool"
OUTCOMES = frozenset({OK, REFUSED, INVALID, UNKNOWN_TOOL})
COLUMNS = ("idx", "server", "tool", "arguments", "outcome", "error", "saw", "wrote", "chain")
FIRST_CHAIN = "0" * 64

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
        """The arguments as an object with decimal numbers; None where they are nested too deeply to be read."""
        try:
            values = jsontext.parse(self.arguments)
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


def build_trace(rows: Sequence[Row]) -> Trace:
    """The trace of stored rows. Raises Malformed for a gap in the numbering or a column of the wrong shape."""
    trace = Trace(tuple(_entry(position, row) for position, row in enumerate(rows, start=1)))
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


def broken_link(rows: Sequence[Row]) -> int | None:
    """The index of the first row whose chain value does not follow from the rows before it."""
    previous = FIRST_CHAIN
    for position, row in enumerate(rows, start=1):
        previous = link(previous, row)
        if row[-1] != previous:
            return position
    return None


def _entry(position: int, row: Row) -> Entry:
    idx, server, tool, arguments, outcome, error, saw, wrote, _ = row
    if idx != position:
        raise Malformed(f"trace row {position} is numbered {idx}")
    if not isinstance(server, str) or not isinstance(tool, str) or not isinstance(arguments, str):
        raise Malformed(f"trace row {position}: server, tool and arguments are not text")
    if not isinstance(outcome, str) or outcome not in OUTCOMES:
        raise Malformed(f"trace row {position}: outcome {outcome!r}")
    if error is not None and not isinstance(error, str):
        raise Malformed(f"trace row {position}: error is not text")
    entry = Entry(position, server, tool, arguments, outcome, error, _records(position, saw), _records(position, wrote))
    if entry.wrote and outcome != OK:
        raise Malformed(f"trace row {position}: a call that was not accepted claims to have written")
    return entry


def check_arguments(trace: Trace) -> None:
    """Raises Malformed for arguments that are no JSON object."""
    for entry in trace.entries:
        text = entry.arguments.strip()
        if entry.argument_values() is None and not (text.startswith("{") and _too_deep(text)):
            raise Malformed(f"trace row {entry.idx}: arguments are not a JSON object")


def _too_deep(text: str) -> bool:
    """Deep nesting is an honest, if odd, argument: it is kept as text."""
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return False


def _records(position: int, cell: object) -> tuple[Record, ...]:
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
        records.append((pair[0], pair[1]))
    return tuple(records)
