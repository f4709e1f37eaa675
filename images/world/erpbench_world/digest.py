"""The logical digest of a database: what it holds, whatever the layout of its pages.

In: a connection. Out: a SHA-256 in hex over tables, columns and rows in key order, values as SQLite's quote() writes
them.
"""

import hashlib
import sqlite3
from collections.abc import Iterable


def logical_digest(connection: sqlite3.Connection, exclude: Iterable[str] = ()) -> str:
    """The digest of all tables but the excluded ones (e.g. ("trace",)). Two databases with the same rows have the same.

    Fed to the hash, each line ended with a line feed: "table <name>", then "columns <names joined with a comma>", then
    one line a row, its quoted values joined with a comma, in the order of the primary key.
    """
    digest = hashlib.sha256()
    skipped = set(exclude)
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for table in sorted(row[0] for row in names):
        if table in skipped:
            continue
        columns = [(row[5], row[1]) for row in connection.execute(f'PRAGMA table_info("{table}")')]
        listed = ",".join(f'"{name}"' for _, name in columns)
        key = ",".join(f'"{name}"' for place, name in sorted(columns) if place > 0) or listed
        digest.update(f"table {table}\ncolumns {','.join(name for _, name in columns)}\n".encode())
        quoted = " || ',' || ".join(f'quote("{name}")' for _, name in columns)
        for row in connection.execute(f'SELECT {quoted} FROM "{table}" ORDER BY {key}'):
            digest.update(f"{row[0]}\n".encode())
    return digest.hexdigest()
