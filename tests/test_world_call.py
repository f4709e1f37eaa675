"""A call's own record of what it saw and wrote, and its numbers."""

from pathlib import Path

import pytest
from erpbench_world.call import Call

from tests.world_fixture import TASK, make_world


@pytest.fixture
def call(tmp_path: Path) -> Call:
    world = make_world(tmp_path)
    return Call(world._db, world._keys)


def test_facts_of_the_world(call: Call) -> None:
    assert (call.task_id, call.now, call.today) == (TASK, "2026-02-09T09:00:00Z", "2026-02-09")


def test_keys_join_the_columns_of_the_primary_key(call: Call) -> None:
    row = {"SubinventoryCode": "STORES", "ItemNumber": "FST-M8", "OrganizationCode": "NBR1"}
    assert call.key("onhand_balances", row) == "NBR1/FST-M8/STORES"


def test_reads_are_seen_only_when_shown(call: Call) -> None:
    rows = call.rows("SELECT * FROM channels ORDER BY name")
    assert call.seen == []
    assert call.show("channels", rows) is rows
    assert call.seen == [("channels", "#general"), ("channels", "#ops-nbr")]
    assert call.row("SELECT * FROM channels WHERE name = ?", ("#nope",)) is None


def test_writes_are_recorded(call: Call) -> None:
    call.insert("channels", {"name": "#new", "purpose": "a"})
    call.update("channels", {"name": "#new"}, {"purpose": "b"})
    assert call.row("SELECT purpose FROM channels WHERE name = '#new'") == {"purpose": "b"}
    call.delete("channels", {"name": "#new"})
    call.delete("channels", {"name": "#never"})
    assert call.row("SELECT * FROM channels WHERE name = '#new'") is None
    assert call.written == [("channels", f"#{name}") for name in ("new", "new", "new", "never")]


def test_numbers_count_up(call: Call) -> None:
    assert [call.next_number("sales_orders") for _ in range(2)] == ["SO-NBR-50011", "SO-NBR-50012"]
    assert [call.next_id("absences") for _ in range(2)] == [77001, 77002]
