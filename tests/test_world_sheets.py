"""Reading, writing and appending cells."""

import json
from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World

from tests.world_fixture import TASK, digest, make_world, ok, refused, table

SHEET = "SHEET-NBR-OPS"
HEADER = ["Record", "Option", "Values", "", "", "", "", "Source"]
DECOY = ["SO-NBR-DECOY", "closed_manual_order", 1, 0, 1280.0, 0, 0, "MANUAL-2026-01"]
ROW = ["SO-NBR-50011", "import", 5, 3, 3160, 2757.6, 2, "FILE-0209"]
GET = "google_sheets.spreadsheets.values.get"
UPDATE = "google_sheets.spreadsheets.values.update"
APPEND = "google_sheets.spreadsheets.values.append"


def cells(tab: str, rows: list[list[Any]]) -> list[dict[str, Any]]:
    letters = "ABCDEFGH"
    return [
        {"cell": f"{tab}!{letters[col]}{row + 1}", "tab": tab, "row": row + 1, "col": col + 1, "value": json.dumps(v)}
        for row, values in enumerate(rows)
        for col, v in enumerate(values)
        if v != ""
    ]


@pytest.fixture
def world(tmp_path: Path) -> World:
    content = [*cells("Register", [HEADER, DECOY]), *cells("Customers", [["Customer", "Number"]])]
    return make_world(tmp_path, {"cells": content})


def read(world: World, area: str) -> list[list[Any]]:
    found: list[list[Any]] = ok(world.call(GET, {"spreadsheetId": SHEET, "range": area}))["values"]
    return found


def request(area: str, values: Any, option: str = "RAW", **changes: str) -> dict[str, Any]:
    arguments = {"task_id": TASK, "spreadsheetId": SHEET, "range": area, "valueInputOption": option, "values": values}
    return {**arguments, **changes}


def test_a_read_is_trimmed_like_the_providers(world: World) -> None:
    result = ok(world.call(GET, {"spreadsheetId": SHEET, "range": "Register!A1:H40"}))
    assert result == {"range": "Register!A1:H40", "spreadsheetId": SHEET, "values": [HEADER, DECOY]}
    assert json.dumps(result["values"][1][4]) == "1280.0"
    assert read(world, "Register!C1:G2") == [["Values"], [1, 0, 1280.0, 0, 0]]
    assert read(world, "Register!A3:H40") == []


def test_seen_are_the_cells_with_content(world: World) -> None:
    read(world, "Register!G1:H2")
    seen = json.loads(table(world, "trace")[0]["saw"])
    assert seen == [["cells", "Register!H1"], ["cells", "Register!G2"], ["cells", "Register!H2"]]


def test_a_written_row_reads_back(world: World) -> None:
    assert ok(world.call(UPDATE, request("Register!A21:H21", [ROW]))) == {
        "changeId": "CHANGE-erpbench-001-1",
        "spreadsheetId": SHEET,
        "updatedRange": "Register!A21:H21",
        "updatedRows": 1,
    }
    assert read(world, "Register!A21:H21") == [ROW]
    assert read(world, "Register!A20:H22") == [[], ROW]
    wrote = json.loads(table(world, "trace")[0]["wrote"])
    assert wrote == [["cells", f"Register!{letter}21"] for letter in "ABCDEFGH"]
    assert read(world, "Register!A1:H2") == [HEADER, DECOY]


def test_a_second_write_replaces_and_empty_values_clear(world: World) -> None:
    ok(world.call(UPDATE, request("Register!A21:H21", [ROW])))
    result = ok(world.call(UPDATE, request("Register!A21:C21", [[None, "", "x"]])))
    assert result["changeId"] == "CHANGE-erpbench-001-2"
    assert read(world, "Register!A21:H21") == [["", "", "x", 3, 3160, 2757.6, 2, "FILE-0209"]]
    assert {row["cell"] for row in table(world, "cells") if row["row"] == 21} == {f"Register!{x}21" for x in "CDEFGH"}
    wrote = json.loads(table(world, "trace")[1]["wrote"])
    assert wrote == [["cells", "Register!A21"], ["cells", "Register!B21"], ["cells", "Register!C21"]]


def test_fewer_values_than_the_range_leave_the_rest(world: World) -> None:
    result = ok(world.call(UPDATE, request("Register!A2:H40", [["SO-1"], ["SO-2", "b"]])))
    assert (result["updatedRange"], result["updatedRows"]) == ("Register!A2:B3", 2)
    assert read(world, "Register!A2:C3") == [["SO-1", "closed_manual_order", 1], ["SO-2", "b"]]


def test_raw_keeps_text_and_user_entered_reads_it(world: World) -> None:
    values = ["5", "2,757.60", "-3", "TRUE", "12-3", "1,2", " 7 ", ".5"]
    ok(world.call(UPDATE, request("Register!A3:H3", [values])))
    assert read(world, "Register!A3:H3") == [values]
    ok(world.call(UPDATE, request("Register!A3:H3", [values], "USER_ENTERED")))
    assert read(world, "Register!A3:H3") == [[5, 2757.6, -3, True, "12-3", "1,2", 7, 0.5]]


def test_rows_are_appended_below_the_last_one(world: World) -> None:
    result = ok(world.call(APPEND, request("Customers", [["New Co", ""], ["Newer Co", "C-1", "x@y.example"]])))
    assert (result["updatedRange"], result["updatedRows"]) == ("Customers!A2:C3", 2)
    result = ok(world.call(APPEND, request("Customers!B1:E1", [["C-2"]])))
    assert result["updatedRange"] == "Customers!B4"
    assert result["changeId"] == "CHANGE-erpbench-001-2"
    assert read(world, "Customers!A:E") == [
        ["Customer", "Number"], ["New Co"], ["Newer Co", "C-1", "x@y.example"], ["", "C-2"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "outcome", "message"),
    [
        (request("Register!A1:H1", [["x"]]), "refused", "range: row 1 of Register is its header"),
        (request("Register!A:H", [["x"]]), "refused", "range: row 1 of Register is its header"),
        (request("Register!A21", [["x"]], spreadsheetId="SHEET-OTHER"), "refused",
         'spreadsheetId: no workbook "SHEET-OTHER"; this tenant\'s is SHEET-NBR-OPS'),
        (request("Register!A21", [["x", "y"]]), "invalid", "values: Register!A21 takes at most 1 x 1 cells"),
        (request("Register!A21:B21", [["x"], ["y"]]), "invalid", "values: Register!A21:B21 takes at most 1 x 2 cells"),
        (request("Register!H60:I61", [["x", "y"]]), "invalid", "range: Register!H60:I60 does not fit into Register"),
        (request("Nope!A1", [["x"]]), "invalid", "range: expected a tab and cells"),
        (request("Register!A21", []), "invalid", "values: expected an array of rows"),
        (request("Register!A21", [[]]), "invalid", "values: expected an array of rows"),
        (request("Register!A21:B22", [["x"], "y"]), "invalid", 'values[1]: expected an array of cells, came "y"'),
        (request("Register!A21", [[{"a": 1}]]), "invalid", "values[0][0]: expected text, a number, true, false"),
        (request("Register!A21", [["x"]], "AS_IS"), "invalid", "valueInputOption: expected RAW or USER_ENTERED"),
    ],
)  # fmt: skip
def test_writes_that_are_not_taken(world: World, arguments: dict[str, Any], outcome: str, message: str) -> None:
    before = digest(world)
    assert refused(world.call(UPDATE, arguments), outcome).startswith(message)
    assert digest(world) == before


def test_an_append_into_a_full_tab_is_invalid(world: World) -> None:
    ok(world.call(UPDATE, request("Register!A60", [["last"]])))
    message = refused(world.call(APPEND, request("Register", [["x"]])), "invalid")
    assert message == "range: Register!A61 does not fit into Register, which is A1:H60"


def test_reading_another_workbook_is_harmless(world: World) -> None:
    message = refused(world.call(GET, {"spreadsheetId": "X", "range": "Register"}), "invalid")
    assert message == 'spreadsheetId: no workbook "X"; this tenant\'s is SHEET-NBR-OPS'
