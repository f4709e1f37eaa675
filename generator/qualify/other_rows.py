"""Rows that may stand beside those there are: another key, other values where a table wants them unique.

In: a table of a finished episode and a row to be like. Out: the new row's key and cells, or another value of a cell.
"""

import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from generator.qualify.finished import Finished
from verifier.database import SchemaEntry
from verifier.tables import Cell


def other_value(value: Cell, column: str = "") -> Cell:
    """Another value of the same type: a step more; a flag turned; free text, whose presence alone counts, gone."""
    if column.endswith("Flag") and value in (0, 1):
        return 1 - int(value)
    if column == "Comments":
        return None if value else "x"
    if isinstance(value, int):
        return value + 1
    return "x" if value is None else f"{value}x"


def key_columns(table: str, oracle: Finished) -> list[str]:
    shape = oracle.state[table].shape
    return [shape.columns[place] for place in shape.key]


def another_row(
    table: str, like: str, oracle: Finished, where: Mapping[str, Any] | None = None
) -> tuple[str, dict[str, Cell]]:
    """A row like this one that may stand beside it: another key, and other values where the table wants them unique.

    Where like is empty the row is made of the table's types, with the plain values of where.
    """
    if not like:
        plain = {column: value for column, value in (where or {}).items() if isinstance(value, str | int)}
        cells = {**blank_row(oracle.grader.baseline.schema, table), **plain}
        return "/".join(str(cells[column]) for column in key_columns(table, oracle)), cells
    new = _new_key(table, like, oracle)
    cells = dict(oracle.cells(table, like) or {})
    for columns in unique_columns(oracle.grader.baseline.schema, table):
        cells[columns[-1]] = other_value(cells[columns[-1]])
    return new, {**cells, **_key_cells(table, new, oracle)}


@lru_cache(maxsize=256)
def blank_row(schema: tuple[SchemaEntry, ...], table: str) -> Mapping[str, Cell]:
    """A row of a table by the types of its columns: 1 for an integer, x for a text."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute(str(next(entry[3] for entry in schema if entry[:2] == ("table", table))))
        rows = db.execute(f'PRAGMA table_info("{table}")').fetchall()
        return {row[1]: 1 if row[2] == "INTEGER" else "x" for row in rows}
    finally:
        db.close()


@lru_cache(maxsize=256)
def unique_columns(schema: tuple[SchemaEntry, ...], table: str) -> tuple[tuple[str, ...], ...]:
    """The column lists, beside the primary key, that the table wants unique."""
    db = sqlite3.connect(":memory:")
    try:
        db.execute(str(next(entry[3] for entry in schema if entry[:2] == ("table", table))))
        indexes = db.execute(f'PRAGMA index_list("{table}")').fetchall()
        names = [row[1] for row in indexes if row[2] and row[3] == "u"]
        return tuple(tuple(row[2] for row in db.execute(f'PRAGMA index_info("{name}")')) for name in names)
    finally:
        db.close()


def _new_key(table: str, like: str, oracle: Finished) -> str:
    """A key that no row of the table has: the last part of this one counted up or lengthened."""
    head, _, last = like.rpartition("/")
    number = int(last) if last.isdigit() else 0
    while True:
        number += 1
        fresh = str(number) if last.isdigit() else f"{last}-{number}"
        key = f"{head}/{fresh}" if head else fresh
        if key not in oracle.state[table].rows:
            return key


def _key_cells(table: str, key: str, oracle: Finished) -> dict[str, Cell]:
    columns = key_columns(table, oracle)
    parts: list[Any] = key.split("/") if len(columns) > 1 else [key]
    like = next(iter(oracle.state[table].rows.values()))
    places = oracle.state[table].shape.key
    return {
        column: int(part) if isinstance(like[place], int) else part
        for column, part, place in zip(columns, parts, places, strict=True)
    }
