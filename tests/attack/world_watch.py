"""A world under watch: every call is checked for what must hold of any call.

In: an open world and a call. Out: the call's result, after it was checked: no internal error, nothing of the machine in
the text, no table changed but by an accepted write, one more link of the trace, JSON within bounds, in little time.
"""

import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

from erpbench_world import trace
from erpbench_world.catalog import MAX_ARGUMENTS
from erpbench_world.dispatch import UNEXPECTED, CallResult, World

from tests.attack.world_calls import Drawn

MAX_ERROR_TEXT = 4000
MAX_RESULT_TEXT = 2**20
MAX_SECONDS = 1.0
"""Of processor, whatever a call is given."""
INSIDE = re.compile(r"Traceback|File \"|site-packages|erpbench_world|sqlite3\.|\.py\b|/(?:tmp|seed|opt|home|var)/")
"""What an answer would tell of the machine or the program."""
State = dict[str, list[tuple[Any, ...]]]


class Watch:
    """Calls on one fresh world; counts holds how many ended with each outcome."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.counts: Counter[str] = Counter()
        self.accepted: set[str] = set()
        self.largest = 0
        self.slowest = 0.0
        self._db = world._db
        self._keys = world._keys
        self._chain = trace.NO_CHAIN
        self._rows = 0
        self._state = self.state()

    def state(self) -> State:
        """Every table but the trace, whole."""
        cursor = self._db.cursor()
        cursor.row_factory = None
        return {name: cursor.execute(f'SELECT * FROM "{name}"').fetchall() for name in self._keys if name != "trace"}

    def call(self, call: Drawn) -> CallResult:
        """Raises AssertionError that names the call."""
        started = time.process_time()
        result = self.world.call(call.tool, call.arguments, call.server)
        used = time.process_time() - started
        self.counts[result.outcome] += 1
        self.slowest = max(self.slowest, used)
        try:
            assert used < MAX_SECONDS, f"took {used:.1f} seconds of processor"
            self._check_answer(call, result)
            self._check_state(result, self._check_trace(result))
        except AssertionError as error:
            raise AssertionError(f"{call!r}: {error}") from None
        return result

    def _check_answer(self, call: Drawn, result: CallResult) -> None:
        assert result.error != UNEXPECTED, "an internal error"
        if result.ok:
            text = json.dumps(result.result, ensure_ascii=False, allow_nan=False)
            assert json.loads(text) == result.result
            text.encode("utf-8")
            assert len(text) <= MAX_RESULT_TEXT, f"an answer of {len(text)} characters"
            self.largest = max(self.largest, len(text))
        else:
            assert result.error, "a failed call without a message"
            result.error.encode("utf-8")
            told = INSIDE.search(result.error)
            assert told is None or told[0] in repr((call.tool, call.arguments)), f"tells {told} of the program"
            assert len(result.error) <= MAX_ERROR_TEXT, f"a message of {len(result.error)} characters"

    def _check_trace(self, result: CallResult) -> tuple[Any, ...]:
        """Exactly one more row, linked to the one before it, that tells what came of the call."""
        cursor = self._db.cursor()
        cursor.row_factory = None
        (count,) = cursor.execute("SELECT COUNT(*) FROM trace").fetchone()
        row: tuple[Any, ...] = cursor.execute("SELECT * FROM trace ORDER BY idx DESC LIMIT 1").fetchone()
        self._rows += 1
        assert (row[0], count) == (self._rows, self._rows), f"{self._rows} calls, {count} rows, the last {row[0]}"
        self._chain = trace.link(self._chain, *row[:-1])
        assert row[-1] == self._chain, "the chain breaks"
        assert row[4] == result.outcome
        assert (row[5] is None) == result.ok
        assert isinstance(json.loads(row[3]), dict)
        assert len(row[3]) <= MAX_ARGUMENTS
        return row

    def _check_state(self, result: CallResult, row: tuple[Any, ...]) -> None:
        """Only an accepted write changes tables, and it says which rows; money and quantities stay whole numbers."""
        state = self.state()
        spec = self.world.catalog.find(row[2])
        if not result.ok or spec is None or not spec.writes:
            assert state == self._state, f"{result.outcome}, and changed {self._changed(state)}"
            return
        self.accepted.add(spec.name)
        claimed = {(table, key) for table, key in json.loads(row[7])}
        changed = self._changed(state)
        assert changed <= claimed, f"changed {changed - claimed} without saying so"
        assert claimed, "was accepted and wrote nothing"
        for table, rows in state.items():
            if rows is not self._state[table] and rows != self._state[table]:
                assert all(cell is None or type(cell) in (int, str) for row in rows for cell in row), table
        self._state = state

    def _changed(self, state: State) -> set[tuple[str, str]]:
        """Keys of the rows that differ; the number ranges are nobody's record."""
        found: set[tuple[str, str]] = set()
        for table in state:
            if table != "sequences":
                keys = self._positions(table)
                different = set(state[table]) ^ set(self._state[table])
                found |= {(table, "/".join(str(row[place]) for place in keys)) for row in different}
        return found

    def _positions(self, table: str) -> list[int]:
        names = [row[1] for row in self._db.execute(f'PRAGMA table_info("{table}")')]
        return [names.index(name) for name in self._keys[table]]


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process holds."""
    fields = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").partition("VmRSS:")[2].split()
    return int(fields[0]) * 1024
