"""One episode as the checks see it: baseline, snapshot, their differences, the trace, and the primary record.

In: two states and a trace. Out: an Episode, with $primary bound by what the record is, never by its number.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.assign import assign
from verifier.contract import Binding, Contract, ExpectedRow
from verifier.matchers import row_matches
from verifier.tables import Cell, Difference, State, Table, differences
from verifier.trace import Record, Trace

Cells = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Bound:
    """The primary record: the rows that are the expected ones, and its name. Empty where they do not stand."""

    records: tuple[Record, ...] = ()
    name: str | None = None

    def keys(self, table: str) -> tuple[str, ...]:
        return tuple(key for held, key in self.records if held == table)


@dataclass(slots=True)
class Episode:
    """first_write: the index of the first accepted controlled write; submission: of the accepted submission.
    put_back: keys of the rows of the baseline that accepted calls wrote and that end as they began."""

    contract: Contract
    baseline: State
    snapshot: State
    trace: Trace
    changes: Mapping[str, Difference]
    first_write: int | None = None
    submission: int | None = None
    primary: Bound = field(default_factory=Bound)
    put_back: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _children: dict[tuple[str, str], dict[Cell, list[Cells]]] = field(default_factory=dict)

    def difference(self, table: str) -> Difference:
        return self.changes.get(table) or Difference()

    def before(self, table: str, key: str) -> Cells | None:
        return cells(self.baseline[table], key)

    def after(self, table: str, key: str) -> Cells | None:
        return cells(self.snapshot[table], key)

    def children(self, table: str, column: str, value: Cell) -> list[Cells]:
        """The snapshot's rows of a table with the value in the column."""
        index = self._children.get((table, column))
        if index is None:
            index = {}
            for key in self.snapshot[table].rows:
                row = cells(self.snapshot[table], key) or {}
                index.setdefault(row[column], []).append(row)
            self._children[table, column] = index
        return index.get(value, [])

    def is_expected(self, expected: ExpectedRow, table: str, key: str) -> bool:
        """Whether the snapshot's row of the key has the expected columns and, in any order, the expected children."""
        row = self.after(table, key)
        if row is None or not row_matches(expected.row, row, self.primary.name):
            return False
        return expected.children is None or self._has_children(expected.children, row)

    def _has_children(self, expected: Mapping[str, Any], parent: Cells) -> bool:
        column = expected["on"]
        rows = self.children(expected["table"], column, parent.get(column))
        wanted = [dict(zip(expected["columns"], values, strict=True)) for values in expected["rows"]]
        if len(rows) != len(wanted):
            return False
        name = self.primary.name
        return (
            assign([[index for index, row in enumerate(rows) if row_matches(one, row, name)] for one in wanted])
            is not None
        )

    def match_rows(self, expected: Sequence[ExpectedRow], table: str, keys: Sequence[str]) -> list[str] | None:
        """For each expected row a row of its own among the keys (or its own key), or None where one has none."""
        named = {row.key for row in expected} - {None}
        found = assign(
            [
                [
                    index
                    for index, key in enumerate(keys)
                    if (row.key == key if row.key else key not in named) and self.is_expected(row, table, key)
                ]
                for row in expected
            ]
        )
        return None if found is None else [keys[index] for index in found]


def cells(table: Table, key: str) -> Cells | None:
    row = table.rows.get(key)
    return None if row is None else dict(zip(table.shape.columns, row, strict=True))


def build_episode(contract: Contract, baseline: State, snapshot: State, trace: Trace) -> Episode:
    """The episode with $primary bound."""
    episode = Episode(
        contract,
        baseline,
        snapshot,
        trace,
        differences(baseline, snapshot),
        trace.first_accepted(contract.controlled_tools),
        trace.first_accepted({contract.submission_tool}),
    )
    episode.primary = bind(contract.primary, episode)
    episode.put_back = _put_back(episode)
    return episode


def _put_back(episode: Episode) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, key in episode.trace.wrote:
        before = episode.baseline[table].rows.get(key) if table in episode.baseline else None
        if before is not None and episode.snapshot[table].rows.get(key) == before:
            found.setdefault(table, []).append(key)
    return found


def bind(binding: Binding, episode: Episode) -> Bound:
    """The rows of the snapshot that are the expected ones.

    A row without a key may be any that the episode added; of equal ones the one written first counts. Rows beyond the
    expected ones do not unbind the record. Where nothing is to be executed, the name alone is bound.
    """
    if binding.table is None:
        return Bound((), binding.literal)
    records: list[Record] = []
    for table in dict.fromkeys(row.table or binding.table for row in binding.rows):
        expected = [row for row in binding.rows if (row.table or binding.table) == table]
        named = [row.key for row in expected if row.key is not None]
        added = _by_first_write(table, episode.difference(table).added, episode.trace, named)
        keys = episode.match_rows(expected, table, [*named, *added])
        if keys is None:
            return Bound()
        records += [(table, key) for key in keys]
    name = binding.literal
    if binding.column is not None:
        table, key = records[0]
        name = str((episode.after(table, key) or {})[binding.column])
    return Bound(tuple(records), name)


def _by_first_write(table: str, keys: Sequence[str], trace: Trace, skip: Collection[str]) -> list[str]:
    return sorted((key for key in keys if key not in skip), key=lambda key: trace.first_write((table, key)))
