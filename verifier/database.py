"""Opening SQLite files for reading: immutable, with an untrusting connection and limits.

In: a path. Out: a connection that cannot write, runs no function of the schema's own, and stops at a deadline.
"""

import os
import sqlite3
from dataclasses import dataclass

from verifier.deadline import Deadline
from verifier.tables import Budget, Shape, State, read_shapes, read_state

HEADER_BYTES = 100
PAGE_SIZES = frozenset({512, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
PROGRESS_STEPS = 20_000

MAX_ROWS = 20_000
MAX_CHARACTERS = 8 << 20
"""What the state may hold, as a Budget counts it; a world has some 200,000."""
MAX_TRACE_CHARACTERS = 8 << 20
"""What the trace may hold; the world keeps at most 6 Mi characters of arguments."""
LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 1 << 20),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (sqlite3.SQLITE_LIMIT_COLUMN, 100),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 50),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 5),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0),
)

SchemaEntry = tuple[str, str, str, str | None]


@dataclass(frozen=True, slots=True)
class Contents:
    """A database's schema (type, name, table and SQL of each object), table shapes, and state without the trace."""

    schema: tuple[SchemaEntry, ...]
    shapes: dict[str, Shape]
    state: State


def open_read_only(path: str, deadline: Deadline | None = None) -> sqlite3.Connection:
    """A connection to the file as it lies: no journal is looked for, nothing is written. Raises sqlite3.Error."""
    uri = "file:" + _escaped(os.path.abspath(path)) + "?mode=ro&immutable=1"
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    for limit, value in LIMITS:
        db.setlimit(limit, value)
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA mmap_size = 0")
    if deadline is not None:
        db.set_progress_handler(lambda: int(deadline.passed()), PROGRESS_STEPS)
    return db


def read_schema(db: sqlite3.Connection) -> tuple[SchemaEntry, ...]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    return tuple((str(kind), str(name), str(table), sql) for kind, name, table, sql in rows)


def read_contents(db: sqlite3.Connection) -> Contents:
    """Raises sqlite3.Error or Malformed."""
    shapes = read_shapes(db)
    return Contents(read_schema(db), shapes, read_state(db, shapes, Budget(MAX_ROWS, MAX_CHARACTERS)))


def header_fault(header: bytes, size: int) -> str | None:
    """What is wrong with the first bytes of a database that VACUUM INTO wrote, or None."""
    if len(header) < HEADER_BYTES or header[:16] != b"SQLite format 3\x00":
        return "it is no SQLite database"
    page = int.from_bytes(header[16:18], "big")
    page = 65536 if page == 1 else page
    if page not in PAGE_SIZES or header[20] != 0 or header[21:24] != b"\x40\x20\x20":
        return "its page layout is not SQLite's"
    if header[18:20] != b"\x01\x01":
        return "it waits for a write-ahead log"
    if int.from_bytes(header[28:32], "big") * page != size:
        return f"its header tells {int.from_bytes(header[28:32], 'big')} pages of {page} bytes, it has {size} bytes"
    if int.from_bytes(header[56:60], "big") != 1:
        return "its text is not UTF-8"
    return None


def _escaped(path: str) -> str:
    """The path as an SQLite URI takes it."""
    keep = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-_."
    return "".join(chr(byte) if byte in keep else f"%{byte:02X}" for byte in os.fsencode(path))
