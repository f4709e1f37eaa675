"""Forging a snapshot with care: schema and pages changed past SQLite's own rules, and the manifest agrees again.

In: a folder with honest evidence. Out: the same folder, doctored.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.play_fixture import edit, reseal


def rewrite(folder: Path, table: str, old: str, new: str, *within: str, also: tuple[str, str] = ("", "")) -> None:
    """Put other SQL in the schema's entry of a table (and `also` another replacement); where there are statements, run
    them under it and put the entry back."""
    database = folder / "world.sqlite"
    db = sqlite3.connect(database, isolation_level=None)
    kept = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    db.close()
    assert old in kept
    assert also[0] in kept
    _write_sql(database, table, kept.replace(old, new).replace(*also) if also[0] else kept.replace(old, new))
    if within:
        db = sqlite3.connect(database, isolation_level=None)
        for statement in within:
            db.execute(statement)
        db.close()
        _write_sql(database, table, kept)
    reseal(folder)


def _write_sql(database: Path, table: str, sql: str) -> None:
    db = sqlite3.connect(database, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, table))
    db.close()


def enter(folder: Path, kind: str, name: str, table: str, sql: str, root: int = 0) -> None:
    """Write an entry into the schema that SQLite itself would not make."""
    quoted = sql.replace("'", "''")
    edit(
        folder,
        "PRAGMA writable_schema = ON",
        f"INSERT INTO sqlite_master VALUES ('{kind}', '{name}', '{table}', {root}, '{quoted}')",
    )


def root_page(folder: Path, name: str) -> int:
    """The number of the first page of a table or index."""
    db = sqlite3.connect(folder / "world.sqlite")
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
    db.close()
    return int(root)


def patch(folder: Path, change: Callable[[bytearray], None]) -> None:
    """Change bytes of the database in place."""
    database = folder / "world.sqlite"
    data = bytearray(database.read_bytes())
    change(data)
    database.write_bytes(data)
    reseal(folder)


def put(folder: Path, place: int, value: bytes) -> None:
    def change(data: bytearray) -> None:
        data[place : place + len(value)] = value

    patch(folder, change)
