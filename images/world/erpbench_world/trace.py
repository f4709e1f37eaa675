"""The trace: one row a call in, a hash chain over all rows out. The verifier recomputes the chain."""

import hashlib
import json
import sqlite3
from dataclasses import dataclass
from typing import NamedTuple

NO_CHAIN = "0" * 64
"""What stands for the previous chain before the first row."""

MAX_NOT_ACCEPTED = 4096
"""Characters of the arguments that are kept of a call that was not accepted."""
MAX_KEPT = 6 * 1024 * 1024
"""Characters of arguments that are kept of all calls of a world together."""
MAX_ERROR = 2000

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_INSERT = (
    "INSERT INTO trace (idx, server, tool, arguments, outcome, error, saw, wrote, chain)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Row(NamedTuple):
    """A call's row but for its index and chain. arguments, saw and wrote are the text that the columns hold."""

    server: str
    tool: str
    arguments: str
    outcome: str
    error: str | None
    saw: str
    wrote: str


@dataclass(frozen=True)
class Head:
    """The last row's index and chain; 0 and 64 zeros for an empty trace."""

    idx: int
    chain: str


def head(connection: sqlite3.Connection) -> Head:
    row = connection.execute("SELECT idx, chain FROM trace ORDER BY idx DESC LIMIT 1").fetchone()
    return Head(0, NO_CHAIN) if row is None else Head(int(row[0]), str(row[1]))


def bounded(arguments: str, kept: int, accepted: bool) -> str:
    """The arguments as the trace keeps them when it has kept so many characters: {"truncated": n} for n that are too
    many. What the rows cost besides is bounded in room.py."""
    if len(arguments) > MAX_KEPT - kept or not (accepted or len(arguments) <= MAX_NOT_ACCEPTED):
        return truncated(len(arguments))
    return arguments


def truncated(characters: int) -> str:
    return f'{{"truncated": {characters}}}'


def link(
    previous: str,
    idx: int,
    server: str,
    tool: str,
    arguments: str,
    outcome: str,
    error: str | None,
    saw: str,
    wrote: str,
) -> str:
    """The chain of a row: sha256 of the previous chain's 64 hex characters in ASCII, followed by the UTF-8 bytes of

        json.dumps([idx, server, tool, arguments, outcome, error, saw, wrote],
                   ensure_ascii=False, separators=(",", ":"))

    as hex. idx is a JSON number, error a JSON string or null, and arguments, saw and wrote are the strings that the
    columns hold (JSON inside a JSON string).
    """
    row = _COMPACT([idx, server, tool, arguments, outcome, error, saw, wrote])
    return hashlib.sha256(previous.encode("ascii") + row.encode("utf-8")).hexdigest()


def keys_text(keys: list[tuple[str, str]]) -> str:
    """The [table, key] pairs as the columns saw and wrote hold them: each once, in the order of first mention."""
    return _COMPACT(list(dict.fromkeys(keys))) if keys else "[]"


def append(
    connection: sqlite3.Connection,
    last: Head,
    server: str,
    tool: str,
    arguments: str,
    outcome: str,
    error: str | None,
    saw: str,
    wrote: str,
) -> Head:
    """Write the next row inside the open transaction, and return the new head. It counts once that commits."""
    idx = last.idx + 1
    chain = link(last.chain, idx, server, tool, arguments, outcome, error, saw, wrote)
    connection.execute(_INSERT, (idx, server, tool, arguments, outcome, error, saw, wrote, chain))
    return Head(idx, chain)
