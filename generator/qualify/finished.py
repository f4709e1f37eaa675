"""A finished episode as evidence that can be changed in one place: the state's tables and the trace's rows.

In: a world after its calls. Out: copies of its evidence with one small change each, graded in process. A changed copy
is evidence that another episode could have left: what is added is claimed by a call, what was not seen is in no call.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from verifier.database import MAX_CHARACTERS, MAX_ROWS
from verifier.episode import Bound, build_episode
from verifier.grading import Grader, Verdict
from verifier.tables import TRACE, Budget, Cell, Row, State, Table, read_rows, read_state
from verifier.trace import OK, Record, Trace, build_trace

IDX, SERVER, TOOL, ARGUMENTS, OUTCOME, ERROR, SAW, WROTE = range(8)


@dataclass(frozen=True)
class Finished:
    """The evidence of an episode. rows are the trace's, as stored."""

    grader: Grader
    state: State
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, grader: Grader, db: sqlite3.Connection) -> Self:
        budget = Budget(MAX_ROWS, MAX_CHARACTERS)
        shapes = grader.baseline.shapes
        known = {table: grader.baseline.state[table] for table in grader.contract.frozen_tables}
        return cls(grader, read_state(db, shapes, budget, known), tuple(read_rows(db, shapes[TRACE], budget)))

    @cached_property
    def trace(self) -> Trace:
        return build_trace(self.rows)

    @cached_property
    def primary(self) -> Bound:
        """The primary record as the checks bind it."""
        return build_episode(self.grader.contract, self.grader.baseline.state, self.state, self.trace).primary

    def grade(self) -> Verdict:
        return self.grader.grade_states(self.state, self.trace)

    def cells(self, table: str, key: str) -> dict[str, Cell] | None:
        held = self.state[table]
        row = held.rows.get(key)
        return None if row is None else dict(zip(held.shape.columns, row, strict=True))

    def added(self, table: str) -> list[str]:
        return [key for key in self.state[table].rows if key not in self.grader.baseline.state[table].rows]

    def changed(self, table: str) -> list[str]:
        before = self.grader.baseline.state[table].rows
        return [key for key, row in self.state[table].rows.items() if key in before and before[key] != row]

    def touched(self) -> list[tuple[str, str]]:
        """Every record that the episode added or changed, those of tables that change with any write left out."""
        skipped = {*self.grader.contract.side_tables, TRACE}
        tables = [table for table in self.state if table not in skipped]
        return [(table, key) for table in tables for key in (*self.added(table), *self.changed(table))]

    def first_write(self) -> int:
        """The index of the first accepted controlled write; past the end where there is none."""
        return self.trace.first_accepted(self.grader.contract.controlled_tools) or len(self.rows) + 1

    def submission(self) -> int:
        return self.trace.first_accepted({self.grader.contract.submission_tool}) or len(self.rows) + 1

    # Copies with one change

    def with_cell(self, table: str, key: str, column: str, value: Cell) -> "Finished":
        held = self.state[table]
        place = held.shape.columns.index(column)
        row = held.rows[key]
        return self._with_row(table, key, (*row[:place], value, *row[place + 1 :]))

    def with_row(self, table: str, key: str, cells: Mapping[str, Cell]) -> "Finished":
        columns = self.state[table].shape.columns
        return self._with_row(table, key, tuple(cells.get(column) for column in columns))

    def without_row(self, table: str, key: str) -> "Finished":
        held = self.state[table]
        rows = {one: row for one, row in held.rows.items() if one != key}
        return self._with_table(table, Table(held.shape, rows))

    def _with_row(self, table: str, key: str, row: Row) -> "Finished":
        held = self.state[table]
        return self._with_table(table, Table(held.shape, {**held.rows, key: row}))

    def _with_table(self, name: str, table: Table) -> "Finished":
        changed = Finished(self.grader, {**self.state, name: table}, self.rows)
        # The rows are the same, so the trace is, and reading it again would be a fifth of the work.
        changed.__dict__["trace"] = self.trace
        return changed

    def with_call(
        self,
        before: int,
        tool: str,
        *,
        outcome: str = OK,
        arguments: Mapping[str, Any] | None = None,
        saw: Iterable[Record] = (),
        wrote: Iterable[Record] = (),
    ) -> "Finished":
        """One more call, before the one with that index."""
        error = None if outcome == OK else "refused by a rule"
        records = [json.dumps([list(record) for record in found]) for found in (saw, wrote)]
        server = tool.partition(".")[0]
        row: Row = (before, server, tool, json.dumps(dict(arguments or {})), outcome, error, *records, "")
        return self._with_rows((*self.rows[: before - 1], row, *self.rows[before - 1 :]))

    def unseen(self, records: Iterable[Record], when: Callable[[int], bool]) -> "Finished":
        """The records are in no call's answer among the calls with these indices; a call that showed nothing else is
        left out."""
        hidden = set(records)
        kept: list[Row] = []
        for row in self.rows:
            saw = [tuple(record) for record in json.loads(str(row[SAW]))]
            left = [record for record in saw if record not in hidden]
            if len(left) == len(saw) or not when(int(str(row[IDX]))):
                kept.append(row)
            elif left or row[WROTE] != "[]":
                kept.append((*row[:SAW], json.dumps(left), *row[SAW + 1 :]))
        return self._with_rows(tuple(kept))

    def _with_rows(self, rows: tuple[Row, ...]) -> "Finished":
        return Finished(self.grader, self.state, tuple((n, *row[1:]) for n, row in enumerate(rows, start=1)))
