"""Rows to a SQLite file through apsw, whose wheels carry their own SQLite: the same bytes on every machine."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw

from generator.families.base import Rows
from generator.spec.errors import SpecError
from generator.spec.money import units

SCHEMA = Path(__file__).parents[2] / "images" / "world" / "erpbench_world" / "schema.sql"
PAGE_SIZE = 512


def write_world(rows: Rows, path: Path) -> None:
    """Write a world file at path, which must not exist. Raises SpecError for a row that the schema refuses."""
    database = apsw.Connection(":memory:")
    database.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    database.execute(SCHEMA.read_text(encoding="utf-8"))
    with database:
        for table, table_rows in rows.items():
            _insert(database, table, table_rows)
    database.execute("VACUUM INTO ?", (str(path),))
    database.close()


def _insert(database: apsw.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        columns = ", ".join(f'"{column}"' for column in row)
        marks = ", ".join("?" for _ in row)
        try:
            database.execute(
                f'INSERT INTO "{table}" ({columns}) VALUES ({marks})', tuple(stored(value) for value in row.values())
            )
        except apsw.Error as error:
            raise SpecError(f"table {table}: {error}; row {row}") from None


def stored(value: Any) -> str | int | None:
    """A row value as the tables hold it. Raises TypeError for anything that has no stored form, floats among them."""
    if isinstance(value, bool):
        return int(value)
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Decimal):
        return units(value)
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no stored form")
