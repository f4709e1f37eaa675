"""Doctored snapshots: each scores 0 with the reason that names what is wrong."""

import json
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.attack_table import Seen
from tests.contract_fixture import SCHEMA, TASK, build_baseline
from tests.play_fixture import Stage, edit, manifest_of, reject, reseal, write_evidence
from verifier import evidence


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


@pytest.mark.attack("verifier", "no folder", expected="score 0, missing_file", flaw=7)
def test_no_folder(stage: Stage, tmp_path: Path, seen: Seen) -> None:
    assert reject(stage, tmp_path / "nothing", seen) == ("missing_file", "no manifest.json in the evidence")


@pytest.mark.attack("verifier", "no database", expected="score 0, missing_file", flaw=7)
def test_no_database(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").unlink()
    assert reject(stage, folder, seen) == ("missing_file", "no world.sqlite in the evidence")


@pytest.mark.attack("verifier", "no manifest", expected="score 0, missing_file", flaw=7)
def test_no_manifest(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "manifest.json").unlink()
    assert reject(stage, folder, seen) == ("missing_file", "no manifest.json in the evidence")


@pytest.mark.attack("verifier", "database is a symbolic link", expected="score 0, not_a_file", flaw=7)
def test_database_is_a_symbolic_link(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").rename(folder / "elsewhere")
    (folder / "world.sqlite").symlink_to(folder / "elsewhere")
    assert reject(stage, folder, seen) == ("not_a_file", "world.sqlite is not a regular file")


@pytest.mark.attack("verifier", "manifest is a symbolic link", expected="score 0, not_a_file", flaw=7)
def test_manifest_is_a_symbolic_link(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "manifest.json").rename(folder / "elsewhere")
    (folder / "manifest.json").symlink_to(folder / "elsewhere")
    assert reject(stage, folder, seen) == ("not_a_file", "manifest.json is not a regular file")


@pytest.mark.attack("verifier", "database is a pipe", expected="score 0, not_a_file", flaw=7)
def test_database_is_a_pipe(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").unlink()
    os.mkfifo(folder / "world.sqlite")
    assert reject(stage, folder, seen) == ("not_a_file", "world.sqlite is not a regular file")


@pytest.mark.attack("verifier", "database is a folder", expected="score 0, not_a_file", flaw=7)
def test_database_is_a_folder(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").unlink()
    (folder / "world.sqlite").mkdir()
    assert reject(stage, folder, seen)[0] == "not_a_file"


@pytest.mark.attack("verifier", "world.sqlite{suffix} beside the database", expected="score 0, side_file", flaw=7)
@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_side_file(stage: Stage, folder: Path, seen: Seen, suffix: str) -> None:
    (folder / f"world.sqlite{suffix}").write_bytes(b"")
    assert reject(stage, folder, seen) == ("side_file", f"world.sqlite{suffix} lies beside world.sqlite")


@pytest.mark.attack("verifier", "database beyond the limit", expected="score 0, too_large", flaw=7)
def test_database_beyond_the_limit(stage: Stage, folder: Path, seen: Seen) -> None:
    with open(folder / "world.sqlite", "r+b") as file:
        file.truncate((48 << 20) + 1)
    assert reject(stage, folder, seen) == ("too_large", "world.sqlite has 50331649 bytes, at most 50331648")


@pytest.mark.attack("verifier", "manifest beyond the limit", expected="score 0, too_large", flaw=7)
def test_manifest_beyond_the_limit(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "manifest.json").write_bytes(b" " * ((64 << 10) + 1))
    assert reject(stage, folder, seen)[0] == "too_large"


@pytest.mark.attack("verifier", "manifest is {text!r:.12}", expected="score 0, bad_manifest", flaw=7)
@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 60_000])
def test_manifest_that_is_no_object(stage: Stage, folder: Path, seen: Seen, text: bytes) -> None:
    (folder / "manifest.json").write_bytes(text)
    assert reject(stage, folder, seen)[0] == "bad_manifest"


@pytest.mark.attack("verifier", "manifest with {change}", expected="score 0, bad_manifest", flaw=7)
@pytest.mark.parametrize(
    "change",
    [{"extra": 1}, {"schema_version": 2}, {"bytes": "1"}, {"trace_rows": -1}, {"trace_rows": True}, {"sha256": None}],
)
def test_manifest_of_another_shape(stage: Stage, folder: Path, seen: Seen, change: dict[str, object]) -> None:
    reseal(folder, **change)
    assert reject(stage, folder, seen)[0] == "bad_manifest"


@pytest.mark.attack("verifier", "manifest without a key", expected="score 0, bad_manifest", flaw=7)
def test_manifest_without_a_key(stage: Stage, folder: Path, seen: Seen) -> None:
    manifest = manifest_of(folder)
    del manifest["trace_head"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert reject(stage, folder, seen)[0] == "bad_manifest"


@pytest.mark.attack("verifier", "manifest of another task", expected="score 0, other_task", flaw=7)
def test_manifest_of_another_task(stage: Stage, folder: Path, seen: Seen) -> None:
    reseal(folder, task_id="erpbench-002")
    assert reject(stage, folder, seen) == ("other_task", "the evidence is of erpbench-002, not of erpbench-001")


@pytest.mark.attack("verifier", "database cut short", expected="score 0, wrong_size", flaw=7)
def test_database_cut_short(stage: Stage, folder: Path, seen: Seen) -> None:
    data = (folder / "world.sqlite").read_bytes()
    (folder / "world.sqlite").write_bytes(data[:-4096])
    assert reject(stage, folder, seen)[0] == "wrong_size"


@pytest.mark.attack("verifier", "database cut short and resealed", expected="score 0, bad_header", flaw=7)
def test_database_cut_short_and_resealed(stage: Stage, folder: Path, seen: Seen) -> None:
    data = (folder / "world.sqlite").read_bytes()
    (folder / "world.sqlite").write_bytes(data[:-4096])
    reseal(folder)
    assert reject(stage, folder, seen)[0] == "bad_header"


@pytest.mark.attack("verifier", "one byte changed", expected="score 0, wrong_digest", flaw=7)
def test_one_byte_changed(stage: Stage, folder: Path, seen: Seen) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[-1] ^= 1
    (folder / "world.sqlite").write_bytes(bytes(data))
    assert reject(stage, folder, seen) == ("wrong_digest", "world.sqlite does not have the digest of the manifest")


@pytest.mark.attack("verifier", "database is text", expected="score 0, bad_header", flaw=7)
def test_database_is_text(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").write_text("SELECT 100;" * 50)
    reseal(folder)
    assert reject(stage, folder, seen) == ("bad_header", "world.sqlite: it is no SQLite database")


@pytest.mark.attack("verifier", "database is empty", expected="score 0, bad_header", flaw=7)
def test_database_is_empty(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").write_bytes(b"")
    reseal(folder)
    assert reject(stage, folder, seen)[0] == "bad_header"


@pytest.mark.attack("verifier", "database in write ahead mode", expected="score 0, bad_header", flaw=7)
def test_database_in_write_ahead_mode(stage: Stage, folder: Path, seen: Seen) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[18:20] = b"\x02\x02"
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder, seen) == ("bad_header", "world.sqlite: it waits for a write-ahead log")


@pytest.mark.attack("verifier", "pages overwritten", expected="score 0, integrity or unreadable_database", flaw=7)
def test_pages_overwritten(stage: Stage, folder: Path, seen: Seen) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    for page in range(3, len(data) // 4096, 2):
        data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder, seen)[0] in ("integrity", "unreadable_database")


@pytest.mark.attack("verifier", "schema page overwritten", expected="score 0, unreadable_database", flaw=7)
def test_schema_page_overwritten(stage: Stage, folder: Path, seen: Seen) -> None:
    data = bytearray((folder / "world.sqlite").read_bytes())
    data[100:600] = b"\xa5" * 500
    (folder / "world.sqlite").write_bytes(bytes(data))
    reseal(folder)
    assert reject(stage, folder, seen)[0] == "unreadable_database"


@pytest.mark.attack("verifier", "{statement}", expected="score 0, other_schema", flaw=7)
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
def test_another_schema(stage: Stage, folder: Path, seen: Seen, statement: str, named: str) -> None:
    edit(folder, statement)
    assert reject(stage, folder, seen) == ("other_schema", f"world.sqlite has another schema than the world: {named}")


@pytest.mark.attack("verifier", "world of another task", expected="score 0, other_task", flaw=7)
def test_world_of_another_task(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE meta SET value = 'erpbench-011' WHERE name = 'task_id'")
    assert reject(stage, folder, seen) == ("other_task", "the world is of task erpbench-011, not erpbench-001")


@pytest.mark.attack("verifier", "world of an older build", expected="score 0, other_build", flaw=7)
def test_world_of_an_older_build(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE meta SET value = '0' WHERE name = 'schema_version'")
    assert reject(stage, folder, seen) == ("other_build", "the world has schema version 0, not 1")


@pytest.mark.attack("verifier", "world of another tenant", expected="score 0, other_world", flaw=7)
def test_world_of_another_tenant(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE meta SET value = 'XYZ' WHERE name = 'tenant'")
    assert reject(stage, folder, seen) == ("other_world", "the world has tenant XYZ, not NBR")


@pytest.mark.attack("verifier", "world without its task", expected="score 0, other_task", flaw=7)
def test_world_without_its_task(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "DELETE FROM meta WHERE name = 'task_id'")
    assert reject(stage, folder, seen)[0] == "other_task"


@pytest.mark.attack("verifier", "frozen table changed", expected="score 0, frozen_table", flaw=7)
def test_frozen_table_changed(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, "UPDATE accounts SET CreditLimit = 1")
    assert reject(stage, folder, seen) == (
        "frozen_table",
        "accounts CUST-10412 differs, and the world never writes accounts",
    )


@pytest.mark.attack("verifier", "text that is not utf8", expected="score 0, not_utf8", flaw=7)
def test_text_that_is_not_utf8(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, f"UPDATE posts SET text = CAST(x'ff41' AS TEXT) WHERE id = 'POST-{TASK}'")
    assert reject(stage, folder, seen)[0] == "not_utf8"


@pytest.mark.attack("verifier", "a cell beyond the limit", expected="score 0, unreadable_database", flaw=7)
def test_a_cell_beyond_the_limit(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(folder, f"UPDATE posts SET text = hex(zeroblob(600000)) WHERE id = 'POST-{TASK}'")
    assert reject(stage, folder, seen)[0] == "unreadable_database"


@pytest.mark.attack("verifier", "more rows than a world can hold", expected="score 0, too_large", flaw=7)
def test_more_rows_than_a_world_can_hold(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)"
        " INSERT INTO posts SELECT 'P' || i, 't', 'c', 'x', 's', 'd' FROM n",
    )
    assert reject(stage, folder, seen) == ("too_large", "world.sqlite: table posts has more than 20000 rows")


@pytest.mark.attack("verifier", "more text than a world can hold", expected="score 0, too_large", flaw=7)
def test_more_text_than_a_world_can_hold(stage: Stage, folder: Path, seen: Seen) -> None:
    edit(
        folder,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 17)"
        " INSERT INTO posts SELECT 'P' || i, 't', 'c', hex(zeroblob(260000)), 's', 'd' FROM n",
    )
    assert reject(stage, folder, seen) == ("too_large", "world.sqlite: table posts holds more text than a world can")


@pytest.mark.attack("verifier", "snapshot of an unrelated database", expected="score 0, other_schema", flaw=7)
def test_snapshot_of_an_unrelated_database(stage: Stage, folder: Path, seen: Seen) -> None:
    (folder / "world.sqlite").unlink()
    db = sqlite3.connect(folder / "world.sqlite")
    db.execute("CREATE TABLE a (b TEXT PRIMARY KEY) STRICT")
    db.commit()
    db.close()
    reseal(folder)
    assert reject(stage, folder, seen)[0] == "other_schema"


def test_schema_of_the_test_is_the_worlds(stage: Stage, tmp_path: Path) -> None:
    assert SCHEMA.read_text().count("CREATE TABLE") == len(stage.grader.baseline.shapes)
    assert build_baseline(tmp_path / "again.sqlite").read_bytes() == stage.baseline.read_bytes()


@pytest.mark.attack("verifier", "text as bytes that only the reader sees", expected="score 0, not_utf8", flaw=7)
def test_text_that_cannot_be_told_in_utf8(stage: Stage, folder: Path, seen: Seen) -> None:
    """Half of a pair of surrogates: SQLite stores its three bytes, and no reader may take them for text."""
    edit(folder, f"UPDATE posts SET text = CAST(x'eda080' AS TEXT) WHERE id = 'POST-{TASK}'")
    assert reject(stage, folder, seen)[0] == "not_utf8"


@pytest.mark.attack("verifier", "a name in the schema that is no UTF-8", expected="score 0, not_utf8", flaw=7)
def test_name_that_is_not_utf8(stage: Stage, folder: Path, seen: Seen) -> None:
    """SQLite quotes the name in its message, and the message cannot be read."""
    edit(
        folder,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT), sql = 'CREATE' WHERE name = 'posts'",
    )
    assert reject(stage, folder, seen)[0] in ("not_utf8", "unreadable_database")


@pytest.mark.attack("verifier", "more than can be read in time", expected="score 0, too_slow", flaw=7)
def test_reading_ends_at_the_deadline(stage: Stage, folder: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "SECONDS", -1.0)
    monkeypatch.setattr("verifier.database.PROGRESS_STEPS", 1)
    assert reject(stage, folder, seen) == ("too_slow", "world.sqlite takes more than -1 seconds to read")


def test_the_limits_themselves_are_within(stage: Stage, folder: Path) -> None:
    """Sizes of exactly the limit are not refused for their size."""
    database, manifest = folder / "world.sqlite", folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().ljust(64 << 10))
    assert reject(stage, folder) == (None, "")
    with open(database, "r+b") as file:
        file.truncate(48 << 20)
    assert reject(stage, folder)[0] == "wrong_size"


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
