"""The snapshot for the verifier, also while the world is in use."""

import hashlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from erpbench_world import snapshot
from erpbench_world.digest import logical_digest
from erpbench_world.dispatch import World
from erpbench_world.store import StoreError

from tests.world_fixture import TASK, digest, make_world, ok, table


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


def exported(data: Path) -> sqlite3.Connection:
    uri = (data / "export" / "world.sqlite").as_uri()
    return sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True)


def test_the_snapshot_holds_the_state_and_the_manifest_describes_it(world: World) -> None:
    ok(world.call("erpbench.get_task", {"task_id": TASK}))
    world.call("nope", {})
    data = world.database.parent
    manifest = snapshot.write_snapshot(data)
    written = (data / "export" / "world.sqlite").read_bytes()
    assert json.loads((data / "export" / "manifest.json").read_text()) == manifest
    assert manifest == {
        "schema_version": 1,
        "task_id": "erpbench-001",
        "sha256": hashlib.sha256(written).hexdigest(),
        "bytes": len(written),
        "trace_rows": 2,
        "trace_head": table(world, "trace")[1]["chain"],
        "world_version": "1.0.0",
    }
    assert logical_digest(exported(data), exclude=("trace",)) == digest(world)
    assert sorted(path.name for path in (data / "export").iterdir()) == ["manifest.json", "world.sqlite"]


def test_an_untouched_world_has_an_empty_trace(world: World) -> None:
    manifest = snapshot.write_snapshot(world.database.parent)
    assert (manifest["trace_rows"], manifest["trace_head"]) == (0, "0" * 64)


def test_a_second_snapshot_replaces_the_first(world: World) -> None:
    data = world.database.parent
    first = snapshot.write_snapshot(data)
    assert snapshot.write_snapshot(data) == first
    ok(world.call("erpbench.get_task", {"task_id": TASK}))
    second = snapshot.write_snapshot(data)
    assert (second["trace_rows"], second["sha256"] != first["sha256"]) == (1, True)


def test_an_open_transaction_is_not_in_it(world: World) -> None:
    world._db.execute("BEGIN IMMEDIATE")
    world._db.execute("INSERT INTO channels VALUES ('#half', '')")
    snapshot.write_snapshot(world.database.parent)
    world._db.execute("ROLLBACK")
    names = [row[0] for row in exported(world.database.parent).execute("SELECT name FROM channels")]
    assert names == ["#general", "#ops-nbr"]


def test_as_a_command(world: World) -> None:
    package = Path(snapshot.__file__).parent.parent
    environment = {"PYTHONPATH": str(package), "WORLD_DATA": str(world.database.parent)}
    command = [sys.executable, "-m", "erpbench_world.snapshot"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["task_id"] == TASK
    done = subprocess.run(command, env={**environment, "WORLD_DATA": "/nonexistent"}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "expected a world database at /nonexistent/world.sqlite, found none" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_world_is_refused(tmp_path: Path) -> None:
    (tmp_path / "world.sqlite").write_bytes(b"junk" * 1000)
    with pytest.raises(StoreError, match="expected a world database"):
        snapshot.write_snapshot(tmp_path)
    assert list((tmp_path / "export").iterdir()) == []
