"""The room of the trace: what its rows cost the verifier, and which calls it still has room for.

In: every row that is written, and those of an earlier start. Out: whether a further row fits. The verifier reads no
trace beyond ALL; so that no number of calls makes one, each kind of call stops at a bound of its own, and those that
finish a task stop last:

- reads stop at OPEN, but READS_PER_WRITE of them after each write, for reading back what it left, stop at READBACKS;
- writes that fail and tools that do not exist are no longer traced beyond ATTEMPTS, failed reads not beyond OPEN;
- writes stop at WRITES, the submission and its reading back at ALL.
"""

import json
import sqlite3
from dataclasses import dataclass
from typing import Literal

from erpbench_world.errors import InvalidArguments, NoRoom, Refused
from erpbench_world.trace import Row, bounded

CELL = 32
"""What a column counts for besides its text."""
FIXED = 9 * CELL + 64
"""What every row counts for: nine columns, and the text of its chain."""

READS_PER_WRITE = 20
MAX_WRITTEN = 2 * 1024 * 1024
"""Characters of arguments that all accepted writes of a world may have together: what they leave can be read again in
one answer, and in the verifier's memory."""
MAX_RECORDS = 10_000
"""Different records that all writes of a world may touch; the verifier reads half as many more with ease."""
MAX_NAMED = 200 * 1024
"""Characters of the keys that one call may see or write: SQLite rows of a mebibyte are not read by the verifier."""
SHORT_ROW = 1024
"""What a call of ordinary size costs; only for telling how many are left."""


@dataclass(frozen=True)
class Bound:
    characters: int
    rows: int


OPEN = Bound(7680 << 10, 19_000)
ATTEMPTS = Bound(7808 << 10, 19_400)
READBACKS = Bound(7968 << 10, 19_700)
WRITES = Bound(8064 << 10, 19_950)
ALL = Bound(8192 << 10, 20_000)

Kind = Literal["read", "write", "submission", "its reading back"]
LAST: dict[Kind, Bound] = {"read": READBACKS, "write": WRITES, "submission": ALL, "its reading back": ALL}


class Room:
    """Running totals over the trace of a world. `take` follows every row that has been committed, in order."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.characters = self.rows = 0
        self.kept = 0
        """Characters of arguments that the trace holds."""
        self.written = 0
        """Characters of the arguments of accepted writes that the trace holds."""
        self._records: set[tuple[str, str]] = set()
        self._reads = 0
        """Accepted reads beyond OPEN since the last write."""
        query = "SELECT server, tool, arguments, outcome, error, saw, wrote FROM trace ORDER BY idx"
        for columns in connection.execute(query):
            row = Row(*columns)
            wrote = [] if row.wrote == "[]" else [(table, key) for table, key in json.loads(row.wrote)]
            self.take(row, wrote, len(row.arguments))

    def take(self, row: Row, wrote: list[tuple[str, str]], size: int) -> None:
        """Count a row. wrote are its records once more; size is that of the arguments before they were cut."""
        self.characters += cost(row)
        self.rows += 1
        self.kept += len(row.arguments)
        if wrote:
            self.written += size
            self._records.update(wrote)
            self._reads = 0
        elif row.outcome == "ok" and not self._within(OPEN, 0, 0):
            self._reads += 1

    def bounded(self, arguments: str, accepted: bool) -> str:
        return bounded(arguments, self.kept, accepted)

    def check_written(self, size: int) -> None:
        """Raises Refused where a write with so many characters of arguments is too much for the world."""
        if self.written + size > MAX_WRITTEN:
            raise Refused(f"all writes of a task together may have {MAX_WRITTEN} characters; these are used up")

    def check(self, row: Row, wrote: list[tuple[str, str]], kind: Kind) -> None:
        """Raises NoRoom where the row of an accepted call does not fit, and for more records than a call or a world
        may name InvalidArguments or Refused."""
        if len(row.saw) + len(row.wrote) > MAX_NAMED:
            raise InvalidArguments("the call is of more records than one call may name; please take a part of them")
        if wrote and len(self._records) + len(wrote) > MAX_RECORDS and len(self._records.union(wrote)) > MAX_RECORDS:
            raise Refused(f"all writes of a task together may touch {MAX_RECORDS} records; these are used up")
        price = cost(row)
        if self._within(OPEN, price, 1):
            return
        reads = kind in ("read", "its reading back")
        if (reads and self._reads >= READS_PER_WRITE) or not self._within(LAST[kind], price, 1):
            raise NoRoom(self._full(reads))

    def traces_failed(self, row: Row, reads: bool) -> bool:
        """Whether the row of a call that was not accepted is kept; what it would have done is undone in any case."""
        return self._within(OPEN if reads else ATTEMPTS, cost(row), 1)

    def _within(self, bound: Bound, characters: int, rows: int) -> bool:
        return self.characters + characters <= bound.characters and self.rows + rows <= bound.rows

    def _full(self, reads: bool) -> str:
        left = max(0, min(WRITES.rows - self.rows, (WRITES.characters - self.characters) // SHORT_ROW))
        if not reads:
            return "the record of this task's calls is full: only the answer can still be submitted"
        return (
            f"the record of this task's calls is nearly full: about {left} calls are left to finish with. Reads are"
            f" answered again after the next write, {READS_PER_WRITE} after each; the answer can always be submitted"
        )


def cost(row: Row) -> int:
    """What the row counts for as the verifier counts it."""
    return FIXED + sum(len(text) for text in row if text is not None)
