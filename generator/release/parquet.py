"""Parquet files of published tables. In: rows. Out: one file a table, the same bytes for the same rows.

DuckDB writes them, in one thread and in the table's order; rows go over as JSON lines, bytes as base64.
"""

import base64
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from generator.release.bindings import ReleaseError
from generator.release.columns import Column, PublishedTable, Row, duckdb_type, quoted


def write_table(table: PublishedTable, rows: Sequence[Row], path: Path, canary: str) -> None:
    """Write the rows, the canary among the file's own metadata.

    Raises ReleaseError for a row that has not exactly the table's columns, and for two rows of the same key.
    """
    check_rows(table, rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(":memory:") as db:
        source = Path(folder) / "rows.json"
        source.write_text("".join(f"{_line(table, row)}\n" for row in rows), encoding="utf-8")
        db.execute("SET threads = 1")
        types = ", ".join(f"{_text(column.name)}: {_text(_read_type(column))}" for column in table.columns)
        read = f"read_json({_text(str(source))}, format = 'newline_delimited', columns = {{{types}}})"
        chosen = ", ".join(_read(column) for column in table.columns)
        order = ", ".join(quoted(name) for name in table.order)
        options = f"FORMAT parquet, COMPRESSION zstd, KV_METADATA {{canary: {_text(canary)}}}"
        db.execute(f"COPY (SELECT {chosen} FROM {read} ORDER BY {order}) TO {_text(str(path))} ({options})")


def check_rows(table: PublishedTable, rows: Sequence[Row]) -> None:
    """Raises ReleaseError."""
    expected = {column.name for column in table.columns}
    keys: set[tuple[Any, ...]] = set()
    for row in rows:
        if row.keys() != expected:
            differs = ", ".join(sorted(row.keys() ^ expected))
            raise ReleaseError(f"table {table.name}: expected exactly its columns in each row, differs in {differs}")
        key = tuple(row[name] for name in table.order)
        if key in keys:
            raise ReleaseError(f"table {table.name}: two rows of {', '.join(map(str, key))}")
        keys.add(key)


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file in its order. Raises ReleaseError for a file that is none."""
    with duckdb.connect(":memory:") as db:
        db.execute("SET threads = 1")
        try:
            found = db.execute(f"SELECT * FROM read_parquet({_text(str(path))})")
        except duckdb.Error as error:
            raise ReleaseError(f"{path}: cannot be read as Parquet: {str(error).splitlines()[0]}") from None
        names = [described[0] for described in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _line(table: PublishedTable, row: Row) -> str:
    binary = {column.name for column in table.columns if column.kind == "binary"}
    plain = {name: base64.b64encode(value).decode() if name in binary else value for name, value in row.items()}
    return json.dumps(plain, ensure_ascii=False)


def _read_type(column: Column) -> str:
    return "VARCHAR" if column.kind == "binary" else duckdb_type(column)


def _read(column: Column) -> str:
    name = quoted(column.name)
    return f"from_base64({name}) AS {name}" if column.kind == "binary" else name


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
