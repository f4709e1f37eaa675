"""Tables of a world's SQLite file as rows by key, and the differences between two states.

In: a connection. Out: for each table its shape and its rows, keyed as the trace keys them (primary key columns joined
with "/"). Nothing here decides whether a database may be trusted; evidence.py does before it reads.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.deadline import Deadline
from verifier.faults import Malformed, TooLarge

Cell = str | int | None
Row = tuple[Cell, ...]

TRACE = "trace"
CELL_COST = 32
"""What a cell counts for besides its text: roughly its share of the memory that a row takes."""
CHECK_ROWS = 256


@dataclass(frozen=True, slots=True)
class Shape:
    """Column names of a table, in order, and the positions of its primary key columns."""

    name: str
    columns: tuple[str, ...]
    key: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    shape: Shape
    rows: Mapping[str, Row]

    def cell(self, row: Row, column: str) -> Cell:
        return row[self.shape.columns.index(column)]


State = Mapping[str, Table]
"""Every table but the trace."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Keys of the rows that an episode added, removed and changed, in key order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


class Budget:
    """How many rows a table and how many characters all tables together may hold, and how long reading may take."""

    def __init__(self, rows: int, characters: int, deadline: Deadline | None = None) -> None:
        self.rows = rows
        self._left = characters
        self._deadline = deadline

    def take(self, table: str, row: Row, count: int) -> None:
        """Raises TooLarge or TooSlow where the row, of which the table had count before, is beyond the budget."""
        if count >= self.rows:
            raise TooLarge(f"table {table} has more than {self.rows} rows")
        self._left -= sum(len(cell) for cell in row if isinstance(cell, str)) + CELL_COST * len(row)
        if self._left < 0:
            raise TooLarge(f"table {table} holds more text than a world can")
        if self._deadline is not None and count % CHECK_ROWS == 0:
            self._deadline.check()


def read_shapes(db: sqlite3.Connection) -> dict[str, Shape]:
    """The shape of each table. Raises Malformed for a table without a primary key."""
    shapes = {}
    for (name,) in list(_select(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")):
        info = list(_select(db, "SELECT cid, name, pk FROM pragma_table_info(?) ORDER BY cid", name))
        key = tuple(position for _, position in sorted((pk, cid) for cid, _, pk in info if pk))
        if not key:
            raise Malformed(f"table {name} has no primary key")
        shapes[name] = Shape(name, tuple(column for _, column, _ in info), key)
    return shapes


def read_rows(db: sqlite3.Connection, shape: Shape, budget: Budget) -> list[Row]:
    """The rows of a table in key order. Raises Malformed for a cell that is no text or integer, and see Budget.take."""
    columns = ", ".join(_quoted(column) for column in shape.columns)
    order = ", ".join(_quoted(shape.columns[position]) for position in shape.key)
    rows: list[Row] = []
    for row in _select(db, f"SELECT {columns} FROM {_quoted(shape.name)} ORDER BY {order}"):
        budget.take(shape.name, row, len(rows))
        for cell in row:
            if cell is not None and type(cell) is not str and type(cell) is not int:
                raise Malformed(f"table {shape.name} holds a {type(cell).__name__}")
        rows.append(row)
    return rows


def read_table(db: sqlite3.Connection, shape: Shape, budget: Budget) -> Table:
    """The table keyed as the trace keys it. Raises Malformed where two rows would have the same key."""
    rows: dict[str, Row] = {}
    for row in read_rows(db, shape, budget):
        key = "/".join(str(row[position]) for position in shape.key)
        if key in rows:
            raise Malformed(f"two rows of {shape.name} have the key {key!r}")
        rows[key] = row
    return Table(shape, rows)


def read_state(
    db: sqlite3.Connection, shapes: Mapping[str, Shape], budget: Budget, known: State | None = None
) -> dict[str, Table]:
    """All tables but the trace. Tables in `known` are taken from there: the caller vouches that they are equal."""
    known = known or {}
    return {
        name: known[name] if name in known else read_table(db, shape, budget)
        for name, shape in shapes.items()
        if name != TRACE
    }


def differences(
    baseline: State, snapshot: State, skip: Collection[str] = (), deadline: Deadline | None = None
) -> dict[str, Difference]:
    """What an episode changed, for each table that differs and is not skipped. Raises TooSlow."""
    found = {}
    for name, table in snapshot.items():
        if deadline is not None:
            deadline.check()
        before = baseline[name].rows
        if name in skip or table.rows is before or table.rows == before:
            continue
        found[name] = Difference(
            tuple(key for key in table.rows if key not in before),
            tuple(key for key in before if key not in table.rows),
            tuple(key for key, row in table.rows.items() if key in before and before[key] != row),
        )
    return found


def _select(db: sqlite3.Connection, sql: str, *parameters: Cell) -> Iterator[Any]:
    """Rows as plain tuples, whatever row factory the connection has."""
    cursor = db.cursor()
    cursor.row_factory = None
    yield from cursor.execute(sql, parameters)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
