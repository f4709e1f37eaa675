"""Starting from a seed, reopening, and refusing what is no world."""

import sqlite3
from pathlib import Path

import pytest
from erpbench_world import store

from tests.world_fixture import TASK, build_database


def test_the_first_start_copies_the_seed_and_later_ones_keep_the_state(tmp_path: Path) -> None:
    seed = build_database(tmp_path / "seed.sqlite")
    before = seed.read_bytes()
    database = store.prepare(seed, tmp_path / "data")
    assert database == tmp_path / "data" / "world.sqlite"
    with store.connect(database) as connection:
        connection.execute("INSERT INTO channels VALUES ('#new', '')")
    connection.close()
    assert store.prepare(seed, tmp_path / "data") == database
    again = store.connect(database)
    assert again.execute("SELECT COUNT(*) FROM channels").fetchone()[0] == 3
    again.close()
    assert seed.read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["world.sqlite"]


def test_an_existing_world_needs_no_seed(tmp_path: Path) -> None:
    database = store.prepare(build_database(tmp_path / "seed.sqlite"), tmp_path / "data")
    assert store.prepare(tmp_path / "gone.sqlite", tmp_path / "data") == database


def test_a_missing_seed_is_named(tmp_path: Path) -> None:
    with pytest.raises(store.StoreError, match=r"expected a seed database at .*gone.sqlite"):
        store.prepare(tmp_path / "gone.sqlite", tmp_path / "data")


def test_settings_of_the_connection(tmp_path: Path) -> None:
    connection = store.connect(build_database(tmp_path / "world.sqlite"))
    settings = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 1]
    assert connection.execute("SELECT wildcard('A%', 'abc')").fetchone()[0] == 1
    assert connection.execute("SELECT value FROM meta WHERE name = 'task_id'").fetchone()["value"] == TASK


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    path = build_database(tmp_path / "w.sqlite", {"meta": [{"name": "schema_version", "value": "2"}]})
    with pytest.raises(store.StoreError, match="expected schema version 1, found 2"):
        store.connect(path)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(store.StoreError, match="expected a world database"):
        store.connect(tmp_path / "w.sqlite")
    sqlite3.connect(tmp_path / "empty.sqlite").execute("CREATE TABLE t (x)").connection.close()
    with pytest.raises(store.StoreError, match="no such table: meta"):
        store.connect(tmp_path / "empty.sqlite")


def test_primary_keys_are_in_key_order(tmp_path: Path) -> None:
    keys = store.primary_keys(store.connect(build_database(tmp_path / "w.sqlite")))
    assert keys["onhand_balances"] == ("OrganizationCode", "ItemNumber", "SubinventoryCode")
    assert keys["trace"] == ("idx",)
    assert all(keys.values())
