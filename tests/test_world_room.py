"""The room of the trace: what rows count for, which calls stop where, and that a reopened world counts on."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import room
from erpbench_world.call import Call
from erpbench_world.dispatch import World
from erpbench_world.room import Room
from erpbench_world.trace import Row

from tests.world_fixture import TASK, digest, make_world, ok, refused, table
from verifier import database, tables
from verifier.trace import MAX_RECORDS

DRAFT = {"task_id": TASK, "to": "lee@nbr-sim.example", "subject": "s", "body": "b"}
ANSWERS = {"accepted_lines": 5, "order_total": 1.5, "decision": "x", "status": "submitted"}
WIDE = 100_000
"""Characters of the key that the wide read of these tests names; its row counts for 100,403."""


def wide(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    call.saw("mail", "k" * WIDE)
    return {}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return with_wide_reads(make_world(tmp_path))


def with_wide_reads(world: World) -> World:
    world.functions["gmail.messages.get"] = wide
    return world


def read_wide(world: World) -> str | None:
    return world.call("gmail.messages.get", {"id": "M"}).error


def fill(world: World) -> int:
    """Wide reads until the world takes no more; how many it took."""
    taken = 0
    while read_wide(world) is None:
        taken += 1
    return taken


def totals(world: World) -> dict[str, Any]:
    return vars(world._room)


def test_a_row_counts_as_the_verifier_counts_it() -> None:
    # 288 for nine columns, 64 for the chain, and 1 + 2 + 3 + 2 + 5 + 2 + 2 characters.
    assert room.cost(Row("s", "tt", "{1}", "ok", "wrong", "[]", "[]")) == 288 + 64 + 17
    assert room.cost(Row("s", "tt", "{1}", "ok", None, "[]", "[]")) == 288 + 64 + 12
    assert room.CELL == tables.CELL_COST
    assert (room.ALL.characters, room.ALL.rows) == (database.MAX_TRACE_CHARACTERS, database.MAX_ROWS) == (2**23, 20_000)
    assert room.MAX_RECORDS * 2 == MAX_RECORDS


def test_reads_stop_at_their_bound_and_those_after_a_write_go_on(world: World) -> None:
    # 7680 Ki characters hold 78 rows of 100,403; then come the 3 of 20 that fit under 7968 Ki.
    assert fill(world) == 81
    assert len(table(world, "trace")) == 81
    ok(world.call("gmail.drafts.create", DRAFT))
    for _ in range(room.READS_PER_WRITE):
        ok(world.call("gmail.messages.list", {"q": "x"}))
    message = refused(world.call("gmail.messages.list", {"q": "x"}))
    assert message.startswith("the record of this task's calls is nearly full: about ")
    assert "Reads are answered again after the next write, 20 after each; the answer can always be submitted" in message
    assert len(table(world, "trace")) == 102
    ok(world.call("gmail.drafts.create", DRAFT))
    ok(world.call("gmail.messages.list", {"q": "x"}))


def test_the_message_tells_how_many_calls_are_left(tmp_path: Path) -> None:
    rows = [{"idx": n, "server": "s", "tool": "t", "arguments": "{}", "outcome": "ok", "saw": "[]", "wrote": "[]",
             "chain": "c"} for n in range(1, 19_021)]  # fmt: skip
    with make_world(tmp_path, {"trace": rows}) as world:
        # 19,950 rows for all writes, 19,020 are there. At 362 each they leave room for more in characters.
        assert "about 930 calls are left" in refused(world.call("gmail.messages.list", {"q": "x"}))


def test_a_refusal_for_want_of_room_is_not_traced_and_changes_nothing(world: World) -> None:
    fill(world)
    rows, before, counted = table(world, "trace"), digest(world), dict(totals(world))
    assert read_wide(world) is not None
    refused(world.call("gmail.messages.get", {}), "invalid")
    assert (table(world, "trace"), digest(world), totals(world)) == (rows, before, counted)


def test_refused_writes_are_traced_beyond_the_bound_of_reads(world: World) -> None:
    while world._room.characters < room.OPEN.characters - WIDE:
        ok(world.call("gmail.messages.get", {"id": "M"}))
    ok(world.call("gmail.messages.get", {"id": "M"}))
    refused(world.call("gmail.drafts.create", {**DRAFT, "task_id": "erpbench-002"}))
    refused(world.call("gmail.messages.send", {}), "unknown_tool")
    assert [row["outcome"] for row in table(world, "trace")[-2:]] == ["refused", "unknown_tool"]


def test_when_nothing_else_fits_the_answer_is_submitted_and_read_back(world: World) -> None:
    fill(world)
    post = {"task_id": TASK, "channel": "#general", "text": "y" * 60_000, "review_status": "draft_for_review"}
    while (last := world.call("slack.chat_postMessage", post)).ok:
        pass
    assert refused(last) == "the record of this task's calls is full: only the answer can still be submitted"
    ok(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": ANSWERS}))
    assert ok(world.call("erpbench.get_submission", {"task_id": TASK}))["answers"] == ANSWERS
    rows = table(world, "trace")
    assert [row["tool"] for row in rows[-2:]] == ["erpbench.submit_answer", "erpbench.get_submission"]
    assert len(table(world, "posts")) == sum(row["tool"] == "slack.chat_postMessage" for row in rows)


def test_a_reopened_world_counts_on(world: World) -> None:
    fill(world)
    ok(world.call("gmail.drafts.create", DRAFT))
    ok(world.call("gmail.messages.list", {"q": "x"}))
    refused(world.call("gmail.drafts.create", {}), "invalid")
    connection = sqlite3.connect(world.database)
    assert vars(Room(connection)) == totals(world)
    connection.close()
    assert totals(world)["_reads"] == 1


def test_a_call_of_more_records_than_a_row_may_name_is_invalid(world: World) -> None:
    def huge(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        call.saw("mail", "k" * room.MAX_NAMED)
        return {}

    world.functions["gmail.messages.get"] = huge
    message = "the call is of more records than one call may name; please take a part of them"
    assert refused(world.call("gmail.messages.get", {"id": "M"}), "invalid") == message
    assert table(world, "trace")[0]["error"] == message


def test_all_writes_together_touch_ten_thousand_records(tmp_path: Path) -> None:
    tab = {"tab": "Big", "spreadsheetId": "SHEET-NBR-OPS", "row_count": 4000, "column_count": 8}
    world = make_world(tmp_path, {"sheet_tabs": [tab]})
    sheet = {"task_id": TASK, "spreadsheetId": "SHEET-NBR-OPS", "valueInputOption": "RAW"}

    def write(top: int, rows: int) -> Any:
        area = f"Big!A{top}:H{top + rows - 1}"
        values = [[1] * 8] * rows
        return world.call("google_sheets.spreadsheets.values.update", {**sheet, "range": area, "values": values})

    ok(write(2, 625))
    ok(write(627, 624))
    ok(write(2, 625))
    before = digest(world)
    assert refused(write(1251, 2)) == "all writes of a task together may touch 10000 records; these are used up"
    assert digest(world) == before
    ok(write(1251, 1))
    assert len(table(world, "cells")) == 10_000
