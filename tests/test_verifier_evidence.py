"""Doctored snapshots: each scores 0 with the reason that names what is wrong."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contract_fixture import SCHEMA, TASK, build_baseline
from tests.play_fixture import Stage, edit, manifest_of, reject, reseal, write_evidence


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("evidence")
    return Stage(folder)


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Path:
    return write_evidence(stage.play(stage.oracle()), tmp_path / "evidence")


def test_honest_evidence_is_graded(stage: Stage, folder: Path) -> None:
    verdict = stage.grader.grade_evidence(folder)
    assert (verdict.fault, verdict.reason, verdict.score) == (None, None, 100)


def test_untouched_world_is_honest_and_scores_nothing(stage: Stage, tmp_path: Path) -> None:
    verdict = stage.grader.grade_evidence(write_evidence(stage.play([]), tmp_path / "evidence"))
    assert (verdict.fault, verdict.score) == (None, 0)


def test_no_folder(stage: Stage, tmp_path: Path) -> None:
    assert reject(stage, tmp_path / "nothing") == ("missing_file", "no manifest.json in the evidence")


def test_no_database(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    assert reject(stage, folder) == ("missing_file", "no world.sqlite in the evidence")


def test_no_manifest(stage: Stage, folder: Path) -> None:
    (folder / "manifest.json").unlink()
    assert reject(stage, folder) == ("missing_file", "no manifest.json in the evidence")


def test_database_is_a_symbolic_link(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").rename(folder / "elsewhere")
    (folder / "world.sqlite").symlink_to(folder / "elsewhere")
    assert reject(stage, folder) == ("not_a_file", "world.sqlite is not a regular file")


def test_manifest_is_a_symbolic_link(stage: Stage, folder: Path) -> None:
    (folder / "manifest.json").rename(folder / "elsewhere")
    (folder / "manifest.json").symlink_to(folder / "elsewhere")
    assert reject(stage, folder) == ("not_a_file", "manifest.json is not a regular file")


def test_database_is_a_pipe(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    os.mkfifo(folder / "world.sqlite")
    assert reject(stage, folder) == ("not_a_file", "world.sqlite is not a regular file")


def test_database_is_a_folder(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    (folder / "world.sqlite").mkdir()
    assert reject(stage, folder)[0] == "not_a_file"


@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_side_file(stage: Stage, folder: Path, suffix: str) -> None:
    (folder / f"world.sqlite{suffix}").write_bytes(b"")
    assert reject(stage, folder) == ("side_file", f"world.sqlite{suffix} lies beside world.sqlite")


def test_database_beyond_the_limit(stage: Stage, folder: Path) -> None:
    with open(folder / "world.sqlite", "r+b") as file:
        file.truncate((48 << 20) + 1)
    assert reject(stage, folder) == ("too_large", "world.sqlite has 50331649 bytes, at most 50331648")


def test_manifest_beyond_the_limit(stage: Stage, folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b" " * ((64 << 10) + 1))
    assert reject(stage, folder)[0] == "too_large"


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 60_000])
def test_manifest_that_is_no_object(stage: Stage, folder: Path, text: bytes) -> None:
    (folder / "manifest.json").write_bytes(text)
    assert reject(stage, folder)[0] == "bad_manifest"


@pytest.mark.parametrize(
    "change",
    [{"extra": 1}, {"schema_version": 2}, {"bytes": "1"}, {"trace_rows": -1}, {"trace_rows": True}, {"sha256": None}],
)
def test_manifest_of_another_shape(stage: Stage, folder: Path, change: dict[str, object]) -> None:
    reseal(folder, **change)
    assert reject(stage, folder)[0] == "bad_manifest"


def test_manifest_without_a_key(stage: Stage, folder: Path) -> None:
    manifest = manifest_of(folder)
    del manifest["trace_head"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert reject(stage, folder)[0] == "bad_manifest"


def test_manifest_of_another_task(stage: Stage, folder: Path) -> None:
    reseal(folder, task_id="erpbench-002")
    assert reject(stage, folder) == ("other_task", "the evidence is of erpbench-002, not of erpbench-001")


def test_database_cut_short(stage: Stage, folder: Path) -> None:
    data = (folder / "world.sqlite").read_bytes()
    (folder / "world.sqlite").write_bytes(data[:-4096])
    assert reject(stage, folder)[0] == "wrong_size"


def test_database_cut_short_and_resealed(stage: Stage, folder: Path) -> None:
    data = (folder / "world.sqlite").read_bytes()
    (folder / "world.sqlite").write_bytes(data[:-4096])
    reseal(folder)
    assert reject(stage, folder)[0] == "bad_header"


def test_one_byte_changed(stage: Stage, folder: Path) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[-1] ^= 1
    (folder / "world.sqlite").write_bytes(bytes(data))
    assert reject(stage, folder) == ("wrong_digest", "world.sqlite does not have the digest of the manifest")


def test_database_is_text(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").write_text("SELECT 100;" * 50)
    reseal(folder)
    assert reject(stage, folder) == ("bad_header", "world.sqlite: it is no SQLite database")


def test_database_is_empty(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").write_bytes(b"")
    reseal(folder)
    assert reject(stage, folder)[0] == "bad_header"


def test_database_in_write_ahead_mode(stage: Stage, folder: Path) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[18:20] = b"\x02\x02"
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder) == ("bad_header", "world.sqlite: it waits for a write-ahead log")


def test_pages_overwritten(stage: Stage, folder: Path) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    for page in range(3, len(data) // 4096, 2):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder)[0] in ("integrity", "unreadable_database")


def test_schema_page_overwritten(stage: Stage, folder: Path) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[100:600] = b"\xa5" * 500
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder)[0] == "unreadable_database"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("CREATE TABLE loot (a TEXT PRIMARY KEY) STRICT, WITHOUT ROWID", "unexpected table loot"),
        ("CREATE VIEW v AS SELECT 1", "unexpected view v"),
        ("CREATE TRIGGER t AFTER INSERT ON posts BEGIN DELETE FROM trace; END", "unexpected trigger t"),
        ("CREATE INDEX i ON posts (channel)", "unexpected index i"),
        ("DROP TABLE invoice_holds", "no table invoice_holds"),
        ("ALTER TABLE posts ADD COLUMN note TEXT", "unexpected table posts"),
        ("CREATE VIRTUAL TABLE f USING fts5(a)", "unexpected table f"),
    ],
)
def test_another_schema(stage: Stage, folder: Path, statement: str, named: str) -> None:
    edit(folder, statement)
    assert reject(stage, folder) == ("other_schema", f"world.sqlite has another schema than the world: {named}")


def test_world_of_another_task(stage: Stage, folder: Path) -> None:
    edit(folder, "UPDATE meta SET value = 'erpbench-011' WHERE name = 'task_id'")
    assert reject(stage, folder) == ("other_task", "the world is of task erpbench-011, not erpbench-001")


def test_world_of_an_older_build(stage: Stage, folder: Path) -> None:
    edit(folder, "UPDATE meta SET value = '0' WHERE name = 'schema_version'")
    assert reject(stage, folder) == ("other_build", "the world has schema version 0, not 1")


def test_world_of_another_tenant(stage: Stage, folder: Path) -> None:
    edit(folder, "UPDATE meta SET value = 'XYZ' WHERE name = 'tenant'")
    assert reject(stage, folder) == ("other_world", "the world has tenant XYZ, not NBR")


def test_world_without_its_task(stage: Stage, folder: Path) -> None:
    edit(folder, "DELETE FROM meta WHERE name = 'task_id'")
    assert reject(stage, folder)[0] == "other_task"


def test_frozen_table_changed(stage: Stage, folder: Path) -> None:
    edit(folder, "UPDATE accounts SET CreditLimit = 1")
    assert reject(stage, folder) == (
        "frozen_table",
        "accounts CUST-10412 differs, and the world never writes accounts",
    )


def test_text_that_is_not_utf8(stage: Stage, folder: Path) -> None:
    edit(folder, f"UPDATE posts SET text = CAST(x'ff41' AS TEXT) WHERE id = 'POST-{TASK}'")
    assert reject(stage, folder)[0] == "not_utf8"


def test_a_cell_beyond_the_limit(stage: Stage, folder: Path) -> None:
    edit(folder, f"UPDATE posts SET text = hex(zeroblob(600000)) WHERE id = 'POST-{TASK}'")
    assert reject(stage, folder)[0] == "unreadable_database"


def test_more_rows_than_a_world_can_hold(stage: Stage, folder: Path) -> None:
    edit(
        folder,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)"
        " INSERT INTO posts SELECT 'P' || i, 't', 'c', 'x', 's', 'd' FROM n",
    )
    assert reject(stage, folder) == ("too_large", "world.sqlite: table posts has more than 20000 rows")


def test_more_text_than_a_world_can_hold(stage: Stage, folder: Path) -> None:
    edit(
        folder,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 17)"
        " INSERT INTO posts SELECT 'P' || i, 't', 'c', hex(zeroblob(260000)), 's', 'd' FROM n",
    )
    assert reject(stage, folder) == ("too_large", "world.sqlite: table posts holds more text than a world can")


def test_snapshot_of_an_unrelated_database(stage: Stage, folder: Path) -> None:
    (folder / "world.sqlite").unlink()
    db = sqlite3.connect(folder / "world.sqlite")
    db.execute("CREATE TABLE a (b TEXT PRIMARY KEY) STRICT")
    db.commit()
    db.close()
    reseal(folder)
    assert reject(stage, folder)[0] == "other_schema"


def test_schema_of_the_test_is_the_worlds(stage: Stage, tmp_path: Path) -> None:
    assert SCHEMA.read_text().count("CREATE TABLE") == len(stage.grader.baseline.shapes)
    assert build_baseline(tmp_path / "again.sqlite").read_bytes() == stage.baseline.read_bytes()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(min_value=0), st.binary(min_size=1, max_size=40)), min_size=1, max_size=6))
def test_random_damage_never_crashes_the_grader(stage: Stage, folder: Path, damage: list[tuple[int, bytes]]) -> None:
    database = folder / "world.sqlite"
    original = database.read_bytes()
    data = bytearray(original)
    for place, content in damage:
        start = place % (len(data) - 40)
        data[start : start + len(content)] = content
    database.write_bytes(bytes(data))
    reseal(folder)
    verdict = stage.grader.grade_evidence(folder)
    database.write_bytes(original)
    assert len(verdict.criteria) == 34
    assert verdict.fault is None or verdict.score == 0
