"""One call in progress: the open transaction, the clock, and what the call has seen and written.

Tools are functions of (call, arguments) that return the result as a JSON object. Everything they read for the agent
they declare with `saw`, everything they write goes through `insert` and `update`, which declare it with `wrote`.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Row = dict[str, Any]


@dataclass
class Call:
    """db has sqlite3.Row rows and an open transaction that the dispatcher commits or rolls back."""

    db: sqlite3.Connection
    keys: Mapping[str, tuple[str, ...]]
    """Primary key columns of each table, in order."""
    seen: list[tuple[str, str]] = field(default_factory=list)
    written: list[tuple[str, str]] = field(default_factory=list)
    facts: Mapping[str, str] | None = None
    """The meta table as already read: no call changes it, so the dispatcher reads it once."""

    @cached_property
    def meta(self) -> Mapping[str, str]:
        if self.facts is not None:
            return self.facts
        return {row["name"]: row["value"] for row in self.db.execute("SELECT name, value FROM meta")}

    @property
    def task_id(self) -> str:
        return self.meta["task_id"]

    @property
    def now(self) -> str:
        """The world's clock, as_of: 2026-02-09T09:00:00Z."""
        return self.meta["as_of"]

    @property
    def today(self) -> str:
        """The tenant's local date of as_of."""
        return self.meta["local_date"]

    def key(self, table: str, row: Mapping[str, Any]) -> str:
        return "/".join(str(row[column]) for column in self.keys[table])

    def saw(self, table: str, key: str) -> None:
        """Declare a record's content as returned. drive_meta and drive_content are a file's metadata and content."""
        self.seen.append((table, key))

    def rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[Row]:
        """Rows for the tool's own use; nothing is declared as seen."""
        return [dict(row) for row in self.db.execute(sql, parameters)]

    def row(self, sql: str, parameters: tuple[Any, ...] = ()) -> Row | None:
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def show(self, table: str, rows: list[Row]) -> list[Row]:
        """Declare the rows of the table as seen, and hand them on."""
        for row in rows:
            self.saw(table, self.key(table, row))
        return rows

    def insert(self, table: str, row: Row) -> None:
        columns = ", ".join(f'"{column}"' for column in row)
        marks = ", ".join("?" for _ in row)
        self.db.execute(f'INSERT INTO "{table}" ({columns}) VALUES ({marks})', tuple(row.values()))
        self.written.append((table, self.key(table, row)))

    def update(self, table: str, key: Row, changes: Row) -> None:
        """Change the row with these key columns. The caller has made sure that it exists."""
        settings = ", ".join(f'"{column}" = ?' for column in changes)
        where = " AND ".join(f'"{column}" = ?' for column in key)
        self.db.execute(f'UPDATE "{table}" SET {settings} WHERE {where}', (*changes.values(), *key.values()))
        self.written.append((table, self.key(table, key)))

    def delete(self, table: str, key: Row) -> None:
        """Remove the row with these key columns, if there is one."""
        where = " AND ".join(f'"{column}" = ?' for column in key)
        self.db.execute(f'DELETE FROM "{table}" WHERE {where}', tuple(key.values()))
        self.written.append((table, self.key(table, key)))

    def next_number(self, sequence: str) -> str:
        """The next identifier of a sequence, e.g. SO-NBR-50011; it is used up only if the transaction commits."""
        row = self.db.execute("SELECT prefix, next FROM sequences WHERE name = ?", (sequence,)).fetchone()
        self.db.execute("UPDATE sequences SET next = next + 1 WHERE name = ?", (sequence,))
        return f"{row['prefix']}{row['next']}"

    def next_id(self, sequence: str) -> int:
        """The next number of a sequence without its prefix."""
        row = self.db.execute("SELECT next FROM sequences WHERE name = ?", (sequence,)).fetchone()
        self.db.execute("UPDATE sequences SET next = next + 1 WHERE name = ?", (sequence,))
        return int(row["next"])
