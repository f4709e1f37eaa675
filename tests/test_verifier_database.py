"""The connection to a snapshot: it writes nothing, attaches nothing, and needs no deadline."""

import sqlite3
from pathlib import Path

import pytest

from tests.contract_fixture import build_baseline
from verifier.database import header_fault, open_read_only
from verifier.faults import GraderFault
from verifier.grading import Grader, read_baseline
from verifier.tables import TRACE, Shape, Table


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return build_baseline(tmp_path / "a #?%25 world.sqlite")


def test_any_path_is_opened_for_reading_only(database: Path) -> None:
    db = open_read_only(str(database))
    assert db.execute("SELECT value FROM meta WHERE name = 'tenant'").fetchone() == ("NBR",)
    for statement in ("DELETE FROM meta", "CREATE TABLE a (b)", "ATTACH ':memory:' AS other"):
        with pytest.raises(sqlite3.OperationalError):
            db.execute(statement)
    db.close()
    assert sorted(path.name for path in database.parent.iterdir()) == [database.name]


def test_limits_of_a_connection(database: Path) -> None:
    db = open_read_only(str(database))
    with pytest.raises(sqlite3.DataError, match="too big"):
        db.execute("SELECT hex(zeroblob(600000))")
    assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
    assert db.execute("PRAGMA query_only").fetchone() == (1,)
    assert db.execute("PRAGMA cell_size_check").fetchone() == (1,)
    db.close()


def header(size: int = 4096, **places: bytes) -> bytes:
    """A header of one page, with other bytes at some places (at16=…)."""
    made = bytearray(100)
    fields = {
        0: b"SQLite format 3\0",
        16: b"\x10\0",
        18: b"\1\1",
        21: b"\x40\x20\x20",
        28: b"\0\0\0\1",
        56: b"\0\0\0\1",
    }
    fields |= {int(name[2:]): value for name, value in places.items()}
    for place, value in fields.items():
        made[place : place + len(value)] = value
    return bytes(made)


@pytest.mark.parametrize(
    ("head", "size", "fault"),
    [
        (header(), 4096, None),
        (header(at16=b"\0\1"), 65536, None),
        (header(at16=b"\2\0"), 512, None),
        (header()[:99], 4096, "it is no SQLite database"),
        (header(at0=b"SQLite format 2"), 4096, "it is no SQLite database"),
        (header(at16=b"\1\0"), 256, "its page layout is not SQLite's"),
        (header(at20=b"\1"), 4096, "its page layout is not SQLite's"),
        (header(at23=b"\x21"), 4096, "its page layout is not SQLite's"),
        (header(at18=b"\2\2"), 4096, "it waits for a write-ahead log"),
        (header(at18=b"\1\2"), 4096, "it waits for a write-ahead log"),
        (header(), 8192, "its header tells 1 pages of 4096 bytes, it has 8192 bytes"),
        (header(at28=b"\0\0\1\0"), 4096, "its header tells 256 pages of 4096 bytes, it has 4096 bytes"),
        (header(at56=b"\0\0\0\2"), 4096, "its text is not UTF-8"),
    ],
)
def test_header(head: bytes, size: int, fault: str | None) -> None:
    assert header_fault(head, size) == fault


def test_a_baseline_with_calls_in_its_trace_is_a_fault(database: Path) -> None:
    db = sqlite3.connect(database)
    db.execute("INSERT INTO trace VALUES (1, 's', 't', '{}', 'ok', NULL, '[]', '[]', '')")
    db.commit()
    db.close()
    with pytest.raises(GraderFault, match=r"has a trace of 1 calls, expected none$"):
        read_baseline(database)


@pytest.mark.parametrize("table", ["submissions", TRACE])
def test_a_baseline_without_a_needed_table_is_a_fault(database: Path, table: str) -> None:
    db = sqlite3.connect(database)
    db.execute(f"DROP TABLE {table}")
    db.commit()
    db.close()
    contract = {
        "schema_version": 1, "task_id": "erpbench-001", "tenant": "NBR", "world_schema": 1, "baseline_sha256": "0",
        "controlled_tools": [], "submission_tool": "s", "provider_writes": [], "side_tables": [], "frozen_tables": [],
        "primary": {"table": None, "name": {"literal": "NONE"}},
        "criteria": [{"n": 1, "points": 100, "name": "a", "category": "b", "description": "c",
                      "check": {"kind": "acted"}}],
    }  # fmt: skip
    with pytest.raises(GraderFault, match=f"^baseline: no table {table}$"):
        Grader(contract, read_baseline(database))


def test_a_cell_by_its_column() -> None:
    table = Table(Shape("a", ("b", "c"), (0,)), {"x": ("x", 5)})
    assert table.cell(table.rows["x"], "c") == 5
