"""The evidence of an episode, taken as hostile until every rule here holds.

In: the folder with world.sqlite and manifest.json, and the verifier's own baseline. Out: the snapshot's state and its
trace. Whatever is missing, cut, swapped or altered raises Doctored with a code and one clear reason.
"""

import hashlib
import os
import sqlite3
import stat
from typing import Any

from verifier import jsontext
from verifier.contract import Contract
from verifier.database import (
    HEADER_BYTES,
    MAX_CHARACTERS,
    MAX_ROWS,
    MAX_TRACE_CHARACTERS,
    Contents,
    header_fault,
    open_read_only,
    read_schema,
)
from verifier.deadline import Deadline
from verifier.faults import Doctored, Malformed, TooLarge, TooSlow
from verifier.tables import TRACE, Budget, Row, State, differences, read_rows, read_state
from verifier.trace import FIRST_CHAIN, Trace, broken_link, build_trace, check_arguments

DATABASE = "world.sqlite"
MANIFEST = "manifest.json"
MAX_DATABASE_BYTES = 48 << 20
MAX_MANIFEST_BYTES = 64 << 10
SECONDS = 2.0
MANIFEST_SCHEMA = 1
MANIFEST_KEYS = frozenset({"schema_version", "task_id", "sha256", "bytes", "trace_rows", "trace_head", "world_version"})
META = "meta"


def read_evidence(folder: str, contract: Contract, baseline: Contents) -> tuple[State, Trace]:
    """The snapshot's state and trace. Raises Doctored, within about two seconds whatever the files hold.

    Sizes are bounded so that a snapshot within them takes some 100 MB at most, whatever it holds.
    """
    deadline = Deadline(SECONDS)
    manifest = _manifest(folder, contract)
    path = _regular_file(folder, DATABASE, MAX_DATABASE_BYTES)
    _no_side_files(folder)
    _check_file(path, manifest)
    try:
        db = open_read_only(path, deadline)
        try:
            return _read(db, contract, baseline, manifest, deadline)
        finally:
            db.close()
    except sqlite3.Error as error:
        if deadline.passed():
            raise Doctored("too_slow", f"{DATABASE} takes more than {SECONDS:.0f} seconds to read") from None
        code = "not_utf8" if "decode to UTF-8" in str(error) else "unreadable_database"
        raise Doctored(code, f"{DATABASE} cannot be read: {error}") from None
    except UnicodeError:
        raise Doctored("not_utf8", f"{DATABASE} holds text that is not UTF-8") from None
    except Malformed as malformed:
        raise Doctored(malformed.code, f"{DATABASE}: {malformed}") from None


def _read(
    db: sqlite3.Connection, contract: Contract, baseline: Contents, manifest: dict[str, Any], deadline: Deadline
) -> tuple[State, Trace]:
    _check_schema(db, baseline)
    found = [row[0] for row in db.execute("PRAGMA integrity_check(1)")]
    if found != ["ok"]:
        told = " ".join(str(found[0]).removeprefix("*** in database main ***").split())
        raise Doctored("integrity", f"{DATABASE} fails SQLite's integrity check: {told[:120]}")
    state = read_state(db, baseline.shapes, Budget(MAX_ROWS, MAX_CHARACTERS, deadline))
    _check_world(state, contract, baseline.state)
    rows = read_rows(db, baseline.shapes[TRACE], Budget(MAX_ROWS, MAX_TRACE_CHARACTERS, deadline))
    trace = _trace(rows, manifest, deadline)
    _check_claims(state, trace, contract, baseline.state, deadline)
    return state, trace


def _regular_file(folder: str, name: str, limit: int) -> str:
    """The path of a regular file of at most so many bytes."""
    path = os.path.join(folder, name)
    try:
        found = os.lstat(path)
    except OSError:
        raise Doctored("missing_file", f"no {name} in the evidence") from None
    if not stat.S_ISREG(found.st_mode):
        raise Doctored("not_a_file", f"{name} is not a regular file")
    if found.st_nlink > 1:
        raise Doctored("not_a_file", f"{name} has other names, under which it may change meanwhile")
    if found.st_size > limit:
        raise Doctored("too_large", f"{name} has {found.st_size} bytes, at most {limit}")
    return path


def _no_side_files(folder: str) -> None:
    beside = sorted(name for name in os.listdir(folder) if name.startswith(DATABASE) and name != DATABASE)
    if beside:
        raise Doctored("side_file", f"{beside[0]} lies beside {DATABASE}")


def _manifest(folder: str, contract: Contract) -> dict[str, Any]:
    path = _regular_file(folder, MANIFEST, MAX_MANIFEST_BYTES)
    try:
        with open(path, encoding="utf-8") as file:
            manifest = jsontext.parse(file.read())
    except (OSError, ValueError):
        raise Doctored("bad_manifest", f"{MANIFEST} is no JSON") from None
    if not isinstance(manifest, dict) or set(manifest) != MANIFEST_KEYS:
        raise Doctored("bad_manifest", f"{MANIFEST} does not have exactly the keys {', '.join(sorted(MANIFEST_KEYS))}")
    for key in ("task_id", "sha256", "trace_head", "world_version"):
        if not isinstance(manifest[key], str):
            raise Doctored("bad_manifest", f"{MANIFEST}: {key} is not text")
    for key in ("schema_version", "bytes", "trace_rows"):
        number = jsontext.comparable(manifest[key])
        if number is None or number != number.to_integral_value() or number < 0:
            raise Doctored("bad_manifest", f"{MANIFEST}: {key} is no count")
    if manifest["schema_version"] != MANIFEST_SCHEMA:
        raise Doctored(
            "bad_manifest", f"{MANIFEST} has schema version {manifest['schema_version']}, not {MANIFEST_SCHEMA}"
        )
    if manifest["task_id"] != contract.task_id:
        raise Doctored("other_task", f"the evidence is of {manifest['task_id'][:80]}, not of {contract.task_id}")
    return manifest


def _check_file(path: str, manifest: dict[str, Any]) -> None:
    digest = hashlib.sha256()
    size = 0
    with open(path, "rb") as file:
        header = file.read(HEADER_BYTES)
        block = header
        while block:
            digest.update(block)
            size += len(block)
            block = file.read(1 << 20)
    if size != manifest["bytes"]:
        raise Doctored("wrong_size", f"{DATABASE} has {size} bytes, the manifest says {manifest['bytes']}")
    if digest.hexdigest() != manifest["sha256"]:
        raise Doctored("wrong_digest", f"{DATABASE} does not have the digest of the manifest")
    fault = header_fault(header, size)
    if fault is not None:
        raise Doctored("bad_header", f"{DATABASE}: {fault}")


def _check_schema(db: sqlite3.Connection, baseline: Contents) -> None:
    """Every table and index as in the baseline, by name and SQL; no view, trigger or anything else beside them."""
    schema = read_schema(db)
    if schema == baseline.schema:
        return
    expected = set(baseline.schema)
    strange = sorted(f"{entry[0]} {entry[1]}" for entry in schema if entry not in expected)
    lacking = sorted(f"{entry[0]} {entry[1]}" for entry in expected - set(schema))
    told = f"unexpected {strange[0]}" if strange else f"no {lacking[0]}" if lacking else "entries twice"
    raise Doctored("other_schema", f"{DATABASE} has another schema than the world: {told}"[:200])


def _check_world(state: State, contract: Contract, baseline: State) -> None:
    """The facts of the world and the tables it never writes are those of the baseline."""
    for name, (value,) in ((key, row[1:]) for key, row in baseline[META].rows.items()):
        row = state[META].rows.get(name)
        found = None if row is None else row[1]
        if found == value:
            continue
        if name == "task_id":
            raise Doctored("other_task", f"the world is of task {str(found)[:80]}, not {value}")
        if name == "schema_version":
            raise Doctored("other_build", f"the world has schema version {str(found)[:80]}, not {value}")
        raise Doctored("other_world", f"the world has {name} {str(found)[:80]}, not {value}")
    changed = differences(baseline, state)
    for table in sorted({META, *contract.frozen_tables} & changed.keys()):
        difference = changed[table]
        key = [*difference.added, *difference.removed, *difference.changed][0]
        raise Doctored("frozen_table", f"{table} {key[:80]} differs, and the world never writes {table}")


def _trace(rows: list[Row], manifest: dict[str, Any], deadline: Deadline) -> Trace:
    if len(rows) != manifest["trace_rows"]:
        raise Doctored("trace_cut", f"the trace has {len(rows)} rows, the manifest says {manifest['trace_rows']}")
    try:
        trace = build_trace(rows, deadline)
        check_arguments(trace, deadline)
    except (TooLarge, TooSlow):
        raise
    except Malformed as malformed:
        raise Doctored("bad_trace", str(malformed)) from None
    broken = broken_link(rows, deadline)
    if broken is not None:
        raise Doctored("trace_chain", f"the trace's chain breaks at row {broken}")
    head = rows[-1][-1] if rows else FIRST_CHAIN
    if head != manifest["trace_head"]:
        raise Doctored("trace_head", "the trace does not end where the manifest says")
    return trace


def _check_claims(state: State, trace: Trace, contract: Contract, baseline: State, deadline: Deadline) -> None:
    """Accepted calls wrote every difference, and what they wrote stands or stood.

    A record that neither state has was cleared in the episode: its last write gave an empty value.
    """
    for table, difference in differences(baseline, state, contract.side_tables, deadline).items():
        for key in (*difference.added, *difference.removed, *difference.changed):
            if (table, key) not in trace.wrote:
                raise Doctored("unclaimed_change", f"{table} {key[:80]} differs, and no accepted call wrote it")
    for (table, key), calls in trace.wrote.items():
        if table not in state:
            raise Doctored("false_claim", f"call {calls[0]} claims to have written {table[:80]}, which is no table")
        stands = key in state[table].rows or key in baseline[table].rows
        if not stands and not _clears(trace.entries[calls[-1] - 1].arguments):
            raise Doctored("false_claim", f"call {calls[0]} claims to have written {table} {key[:80]}, which never was")


def _clears(arguments: str) -> bool:
    """Whether the call's arguments have an empty text or null, as a call that clears something must.

    The world keeps only the size of arguments once it has kept too many: there that cannot be told.
    """
    return '""' in arguments or "null" in arguments or arguments.startswith('{"truncated":')
