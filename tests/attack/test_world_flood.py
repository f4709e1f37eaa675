"""More calls than a trace can hold: the verifier reads what is left of them, and the task can still be finished."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import trace
from erpbench_world.dispatch import CallResult, World
from erpbench_world.room import OPEN, cost

from tests.attack_table import Seen
from tests.world_fixture import TASK, make_world, ok, table
from verifier.database import MAX_ROWS, MAX_TRACE_CHARACTERS, open_read_only
from verifier.deadline import Deadline
from verifier.evidence import SECONDS
from verifier.tables import TRACE, Budget, read_rows, read_shapes
from verifier.trace import broken_link, build_trace, check_arguments

Call = Callable[[World], CallResult]
ANSWERS = {"accepted_lines": 5, "order_total": 1.5, "decision": "x", "status": "submitted"}
DRAFT = {"task_id": TASK, "to": "lee@nbr-sim.example", "subject": "s", "body": "b"}
FORMS: dict[str, Call] = {
    "a small read": lambda world: world.call("erpbench.get_task", {"task_id": TASK}),
    "a tool that is not there": lambda world: world.call("gmail.nope", {"q": [1] * 1300}),
    "a write of wrong shape": lambda world: world.call("gmail.drafts.create", {"q": [1] * 1300}),
    "a read of wrong shape": lambda world: world.call("gmail.messages.get", {"q": "\U0001f40c" * 1000}),
    "a sheet read whole": lambda world: world.call(
        "google_sheets.spreadsheets.values.get", {"spreadsheetId": "SHEET-NBR-OPS", "range": "Register"}
    ),
}
MADE = 150


@pytest.mark.attack("world", "more of {form} than the trace can hold", expected="finished, trace read", flaw=6)
@pytest.mark.parametrize("form", FORMS)
def test_a_flood_of_calls_leaves_a_task_that_can_be_finished(form: str, tmp_path: Path, seen: Seen) -> None:
    names = [(f"Register!{column}{row}", column, row) for row in range(1, 61) for column in "ABCDEFGH"]
    cells = [
        {"cell": cell, "tab": "Register", "row": row, "col": ord(column) - 64, "value": "1"}
        for cell, column, row in names
    ]
    world = flood(tmp_path, {"cells": cells}, FORMS[form])
    ok(world.call("gmail.drafts.create", DRAFT))
    ok(world.call("gmail.drafts.get", {"id": f"DRAFT-{TASK}"}))
    ok(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": ANSWERS}))
    ok(world.call("erpbench.get_submission", {"task_id": TASK}))
    copy = tmp_path / "copy.sqlite"
    world._db.execute("VACUUM INTO ?", (str(copy),))
    world.close()
    db = open_read_only(str(copy))
    deadline = Deadline(SECONDS)
    rows = read_rows(db, read_shapes(db)[TRACE], Budget(MAX_ROWS, MAX_TRACE_CHARACTERS, deadline))
    read = build_trace(rows, deadline)
    check_arguments(read, deadline)
    assert broken_link(rows, deadline) is None
    db.close()
    seen(f"finished, {len(rows)} rows read")
    assert [entry.tool for entry in read.entries[-4:]] == [
        "gmail.drafts.create",
        "gmail.drafts.get",
        "erpbench.submit_answer",
        "erpbench.get_submission",
    ]


def flood(folder: Path, rows: dict[str, list[dict[str, Any]]], call: Call) -> World:
    """A world after so many of the calls. The first and the last hundreds are made; the trace of those between, which
    are like the first, is written as the world would write it, as long as they are within the bound of reads."""
    with make_world(folder, rows) as world:
        call(world)
        columns = "server, tool, arguments, outcome, error, saw, wrote"
        first = trace.Row(*world._db.execute(f"SELECT {columns} FROM trace").fetchone())
        alike = min(OPEN.rows, OPEN.characters // cost(first)) - MADE
        head = trace.head(world._db)
        world._db.execute("BEGIN")
        for _ in range(alike):
            head = trace.append(world._db, head, *first)
        world._db.execute("COMMIT")
    world = World(world.database, world.files)
    world._db.execute("PRAGMA synchronous=OFF")
    for _ in range(2 * MADE):
        call(world)
    return world


def test_seventeen_thousand_small_reads_and_four_thousand_listings_of_two_kilobytes_are_all_taken(
    tmp_path: Path,
) -> None:
    listing = '[["workers","' + "w" * 1500 + '"]]'
    row = {"server": "oracle_fusion", "tool": "oracle_fusion.workers.list", "arguments": "{}", "outcome": "ok"}
    rows = [{**row, "idx": n, "saw": listing, "wrote": "[]", "chain": "c"} for n in range(1, 4000)]
    with make_world(tmp_path / "listings", {"trace": rows}) as world:
        ok(world.call("erpbench.get_task", {"task_id": TASK}))
    small = [{**row, "idx": n, "saw": "[]", "wrote": "[]", "chain": "c"} for n in range(1, 17_000)]
    with make_world(tmp_path / "small", {"trace": small}) as world:
        ok(world.call("erpbench.get_task", {"task_id": TASK}))
        assert len(table(world, "trace")) == 17_000
