"""SIGKILL at any instant: while writers work over MCP, in a long transaction, and while the seed is copied.

After each the world starts on the same state and goes on. Every acknowledged write is there with its trace row, every
traced write has its rows, and nothing is half-written.
"""

import contextlib
import http.client
import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import erpbench_world
import pytest
from erpbench_world import trace
from erpbench_world.dispatch import World
from erpbench_world.snapshot import write_snapshot

from tests.attack_table import Seen
from tests.world_fixture import TASK, build_database
from tests.world_process import Process

LONG = os.environ.get("ERPBENCH_ATTACK_LONG") == "1"
ROUNDS = 60 if LONG else 6
STARTS = 40 if LONG else 5
SHEET = {"task_id": TASK, "spreadsheetId": "SHEET-NBR-OPS", "valueInputOption": "RAW"}
COLUMNS = 8
ROWS = 4


class Writer(threading.Thread):
    """Writes one draft, or a block of cells that all hold the same number, and keeps what was acknowledged."""

    def __init__(self, world: Process, name: str) -> None:
        super().__init__(name=name)
        self.world = world
        self.acknowledged: list[tuple[str, str]] = []

    def run(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            for number in range(100_000):
                subject = f"{self.name}-{number}"
                draft = {"task_id": TASK, "to": "lee@company.example", "subject": subject, "body": "b" * 500}
                self.acknowledged.append((self.world.call("gmail", "drafts_create", draft)["id"], subject))
                block = {**SHEET, "range": f"Register!A2:H{ROWS + 1}", "values": [[subject] * COLUMNS] * ROWS}
                self.world.call("google_sheets", "spreadsheets_values_update", block)


def check(database: Path) -> sqlite3.Connection:
    """The state is whole, and says the same as the trace. The connection is still open."""
    db = sqlite3.connect(database)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    chain = trace.NO_CHAIN
    wrote: dict[str, set[str]] = {"drafts": set(), "cells": set()}
    block = None
    for place, row in enumerate(db.execute("SELECT * FROM trace ORDER BY idx"), start=1):
        chain = trace.link(chain, *row[:-1])
        assert (row[0], row[-1]) == (place, chain), f"the chain breaks at row {place}"
        for table, key in json.loads(row[7]):
            wrote[table].add(key)
        if row[2].endswith("values.update") and row[4] == "ok":
            block = json.loads(row[3])["values"][0][0]
    assert {key for (key,) in db.execute("SELECT id FROM drafts")} == wrote["drafts"]
    assert {key for (key,) in db.execute("SELECT cell FROM cells")} == wrote["cells"]
    assert [json.loads(value) for (value,) in db.execute("SELECT DISTINCT value FROM cells")] == (
        [] if block is None else [block]
    ), "a block of cells is half-written"
    return db


@pytest.mark.attack(
    "world", "SIGKILL at random instants while two writers work", expected="state and trace agree", flaw=7
)
def test_killed_while_it_writes(tmp_path: Path, seen: Seen) -> None:
    seed = build_database(tmp_path / "seed.sqlite")
    instants, kept_in_all = random.Random(20), 0
    for number in range(ROUNDS):
        data = tmp_path / f"data-{number}"
        world = Process(seed, data)
        writers = [Writer(world, f"{number}-{name}") for name in "ab"]
        for writer in writers:
            writer.start()
        time.sleep(instants.uniform(0.05, 0.8))
        world.kill()
        for writer in writers:
            writer.join(30)
        acknowledged = {key: subject for writer in writers for key, subject in writer.acknowledged}
        kept_in_all += len(acknowledged)
        with contextlib.closing(check(data / "world.sqlite")) as db:
            kept = dict(db.execute("SELECT id, subject FROM drafts"))
            assert {key: kept.get(key) for key in acknowledged} == acknowledged
        assert write_snapshot(data)["trace_rows"] >= len(acknowledged)
        with Process(seed, data) as again:
            assert again.call("gmail", "messages_list", {"q": ""}) == {"messages": [], "resultSizeEstimate": 0}
            draft = {"task_id": TASK, "to": "a@b.example", "subject": "s", "body": "b"}
            made = again.call("gmail", "drafts_create", draft)
            assert made.get("id") not in acknowledged
        check(data / "world.sqlite").close()
    seen(f"{ROUNDS} kills, {kept_in_all} acknowledged writes, none lost, none half-written")
    assert kept_in_all >= ROUNDS


HOLD = """
import os, sys, time
from pathlib import Path
from erpbench_world import dispatch, store
world = dispatch.World(Path(sys.argv[1]), Path(sys.argv[2]))
def slow(call, arguments):
    for number in range(200_000):
        call.insert("channels", {"name": f"#{number}", "purpose": "x" * 200})
        if number == 20_000:
            os.kill(os.getpid(), 9)
    return {}
world.functions["erpbench.get_decision"] = slow
world.call("erpbench.get_decision", {"task_id": "%s"})
""" % TASK  # noqa: UP031


@pytest.mark.attack("world", "SIGKILL after 20,000 rows of one transaction", expected="none of them is there", flaw=7)
def test_killed_in_a_long_transaction(tmp_path: Path, seen: Seen) -> None:
    database = build_database(tmp_path / "world.sqlite")
    with World(database, tmp_path) as world:
        assert world.call("gmail.messages.list", {"q": ""}).ok
    environment = {**os.environ, "PYTHONPATH": str(Path(erpbench_world.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", HOLD, str(database), str(tmp_path)], env=environment, check=False)
    assert done.returncode == -9
    with contextlib.closing(check(database)) as db:
        channels = db.execute("SELECT COUNT(*) FROM channels").fetchone()[0]
        rows = db.execute("SELECT COUNT(*) FROM trace").fetchone()[0]
    seen(f"{channels} channels as before, {rows} row of trace")
    assert (channels, rows) == (2, 1)
    with World(database, tmp_path) as world:
        assert world.call("gmail.messages.list", {"q": ""}).ok


@pytest.mark.attack("world", "SIGKILL while it starts and copies its seed", expected="starts on a whole world", flaw=7)
def test_killed_while_it_starts(tmp_path: Path, seen: Seen) -> None:
    mail: list[dict[str, Any]] = [
        {"id": f"M{number}", "labels": "[]", "body": "x" * 50_000, "date": "2026-02-09T06:00:00Z"}
        for number in range(400)
    ]
    seed, data = build_database(tmp_path / "seed.sqlite", {"mail": mail}), tmp_path / "data"
    instants = random.Random(3)
    early = 0
    for _ in range(STARTS):
        world = Process(seed, data, wait=False)
        time.sleep(instants.uniform(0.05, 1.2))
        world.kill()
        early += not (data / "world.sqlite").exists()
    with Process(seed, data) as world:
        assert len(world.call("gmail", "messages_list", {"q": ""})["messages"]) == 400
    check(data / "world.sqlite").close()
    left = {path.name for path in data.iterdir()}
    seen(f"{STARTS} kills, {early} of them before there was a database; no copy left over")
    assert left - {"world.sqlite-shm", "world.sqlite-wal"} == {"world.sqlite"}
