"""`python -m erpbench_world.snapshot`: the world's state for the verifier.

In: the world's database in WORLD_DATA, which may be in use. Out: export/world.sqlite, one file written with VACUUM
INTO, and export/manifest.json that describes it. Each is written beside its place and renamed, the database first.
"""

import hashlib
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

from erpbench_world import __version__, trace
from erpbench_world.store import DATABASE_NAME, SCHEMA_VERSION, StoreError

EXPORT = "export"
MANIFEST_VERSION = 1


def write_snapshot(data: Path) -> dict[str, Any]:
    """Write both files and return the manifest. Raises StoreError if there is no world to take it from.

    VACUUM INTO reads one consistent state: a call in progress is in it wholly or not at all.
    """
    database = data / DATABASE_NAME
    if not database.is_file():
        raise StoreError(f"expected a world database at {database}, found none")
    export = data / EXPORT
    export.mkdir(parents=True, exist_ok=True)
    copy = export / f".{DATABASE_NAME}.{os.getpid()}"
    copy.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(database, timeout=30)
        try:
            source.execute("VACUUM INTO ?", (str(copy),))
        finally:
            source.close()
        manifest = describe(copy)
        os.replace(copy, export / DATABASE_NAME)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{database}: expected a world database, found: {error}") from None
    finally:
        copy.unlink(missing_ok=True)
    written = export / f".manifest.json.{os.getpid()}"
    written.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(written, export / "manifest.json")
    return manifest


def describe(snapshot: Path) -> dict[str, Any]:
    """The manifest of a snapshot file: versions, task, digest, size, and the length and head of the trace."""
    connection = sqlite3.connect(f"{snapshot.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        meta = dict(connection.execute("SELECT name, value FROM meta"))
        rows = connection.execute("SELECT COUNT(*) FROM trace").fetchone()[0]
        head = trace.head(connection).chain
    finally:
        connection.close()
    if meta.get("schema_version") != SCHEMA_VERSION:
        raise StoreError(f"{snapshot}: expected schema version {SCHEMA_VERSION}, found {meta.get('schema_version')}")
    data = snapshot.read_bytes()
    return {
        "schema_version": MANIFEST_VERSION,
        "task_id": meta["task_id"],
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "trace_rows": rows,
        "trace_head": head,
        "world_version": __version__,
    }


def main() -> int:
    data = os.environ.get("WORLD_DATA")
    if not data:
        print("erpbench_world.snapshot: WORLD_DATA: expected a path, found nothing", file=sys.stderr)
        return 2
    try:
        manifest = write_snapshot(Path(data))
    except (StoreError, OSError) as error:
        print(f"erpbench_world.snapshot: {error}", file=sys.stderr)
        return 1
    print(json.dumps(manifest, sort_keys=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
