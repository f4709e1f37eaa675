"""The database file: made from the seed on the first start, reopened on every later one.

In: the seed's SQLite file and the data directory. Out: one connection to the world's own copy, ready for calls.
"""

import os
import shutil
import sqlite3
from pathlib import Path

from erpbench_world.query import wildcard

SCHEMA_VERSION = "1"
DATABASE_NAME = "world.sqlite"


class StoreError(Exception):
    """The database cannot be used; the message names the file, what was expected and what was found."""


def prepare(seed: Path, data: Path) -> Path:
    """The world's database in the data directory, copied from the seed if there is none yet.

    The copy is written beside its place and renamed, so a process killed while copying leaves no half database; what
    it leaves of the copy is removed.
    """
    database = data / DATABASE_NAME
    if not database.exists():
        if not seed.is_file():
            raise StoreError(f"expected a seed database at {seed}, found none")
        data.mkdir(parents=True, exist_ok=True)
        for left in data.glob(f".{DATABASE_NAME}.*"):
            left.unlink(missing_ok=True)
        copy = data / f".{DATABASE_NAME}.{os.getpid()}"
        shutil.copyfile(seed, copy)
        with open(copy, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(copy, database)
    return database


def connect(database: Path) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions are begun and ended by the dispatcher alone.

    WAL with synchronous=NORMAL keeps every committed call when the process is killed (not when the machine loses its
    power before the next checkpoint). Raises StoreError if the file is no world of this schema version.
    """
    connection = sqlite3.connect(database, isolation_level=None, check_same_thread=False, cached_statements=512)
    connection.row_factory = sqlite3.Row
    try:
        for setting in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            "trusted_schema=OFF",
            "busy_timeout=5000",
            "cache_size=-8000",
            "wal_autocheckpoint=8000",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {setting}")
        found = connection.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreError(f"{database}: expected a world database, found: {error}") from None
    if found is None or found["value"] != SCHEMA_VERSION:
        connection.close()
        came = "none" if found is None else found["value"]
        raise StoreError(f"{database}: expected schema version {SCHEMA_VERSION}, found {came}")
    connection.create_function("wildcard", 2, wildcard, deterministic=True)
    return connection


def primary_keys(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """The primary key columns of each table, in key order."""
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    keys: dict[str, tuple[str, ...]] = {}
    for table in tables:
        columns = [
            (row["pk"], row["name"]) for row in connection.execute(f'PRAGMA table_info("{table}")') if row["pk"] > 0
        ]
        keys[table] = tuple(name for _, name in sorted(columns))
    return keys
