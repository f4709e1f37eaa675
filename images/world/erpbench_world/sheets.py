"""The operations workbook: ranges to read and write, rows to append. One cell is one record, e.g. Register!A21."""

import json
import re
from typing import Any

from erpbench_world import a1
from erpbench_world.call import Call
from erpbench_world.errors import InvalidArguments, NotFound, Refused, shown
from erpbench_world.registry import tool

HEADER_ROW = 1
MAX_CELLS = 5000
INPUT_OPTIONS = ("RAW", "USER_ENTERED")
_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3}){1,4}|\d{1,15})(\.\d{1,15})?|[+-]?\.\d{1,15}")
_BOOLEANS = {"TRUE": True, "FALSE": False}


@tool("google_sheets.spreadsheets.values.get")
def get_values(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Values as the provider trims them: no empty cells at the end of a row, no empty rows at the end, "" within."""
    if arguments["spreadsheetId"] != call.meta["spreadsheet_id"]:
        raise NotFound(_unknown(call, arguments["spreadsheetId"]), "spreadsheetId")
    area = a1.area(arguments["range"], _sizes(call))
    rows: dict[int, dict[int, Any]] = {}
    for row in _cells(call, area):
        call.saw("cells", row["cell"])
        rows.setdefault(row["row"], {})[row["col"]] = json.loads(row["value"])
    values: list[list[Any]] = []
    for number in range(area.top, max(rows, default=0) + 1):
        filled = rows.get(number, {})
        values.append([filled.get(column, "") for column in range(area.left, max(filled, default=0) + 1)])
    return {"range": str(area), "spreadsheetId": arguments["spreadsheetId"], "values": values}


@tool("google_sheets.spreadsheets.values.update")
def update_values(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Raises InvalidArguments for values that do not fit into the range, Refused for a write into the header row."""
    area, values = _write_request(call, arguments)
    height, width = len(values), max(len(row) for row in values)
    if height > area.height or width > area.width:
        came = f"{height} x {width}"
        message = f"values: {area} takes at most {area.height} x {area.width} cells (rows x columns), came {came}"
        raise InvalidArguments(message, "values")
    written = a1.Area(area.tab, area.top, area.left, area.top + height - 1, area.left + width - 1)
    return _write(call, arguments, written, values)


@tool("google_sheets.spreadsheets.values.append")
def append_values(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Rows go below the last row of the tab that holds anything, from the range's first column on."""
    area, values = _write_request(call, arguments)
    last = call.row("SELECT MAX(row) AS row FROM cells WHERE tab = ?", (area.tab,))
    top = (last["row"] if last and last["row"] else HEADER_ROW) + 1
    right = area.left + max(len(row) for row in values) - 1
    return _write(call, arguments, a1.Area(area.tab, top, area.left, top + len(values) - 1, right), values)


def _write_request(call: Call, arguments: dict[str, Any]) -> tuple[a1.Area, list[list[Any]]]:
    """The area named and the values as cells hold them (None clears a cell)."""
    if arguments["spreadsheetId"] != call.meta["spreadsheet_id"]:
        raise Refused(_unknown(call, arguments["spreadsheetId"]), "spreadsheetId")
    option = arguments["valueInputOption"]
    if option not in INPUT_OPTIONS:
        message = f"valueInputOption: expected {' or '.join(INPUT_OPTIONS)}, came {shown(option)}"
        raise InvalidArguments(message, "valueInputOption")
    area = a1.area(arguments["range"], _sizes(call))
    rows = arguments["values"]
    if not rows or not any(isinstance(row, list) and row for row in rows):
        raise InvalidArguments('values: expected an array of rows such as [["a", 1]], came no value', "values")
    values = [_row(row, f"values[{index}]", option) for index, row in enumerate(rows)]
    return area, values


def _row(row: Any, where: str, option: str) -> list[Any]:
    if not isinstance(row, list):
        raise InvalidArguments(f"{where}: expected an array of cells, came {shown(row)}", where)
    for index, value in enumerate(row):
        if not (value is None or isinstance(value, str | int | float)):
            place = f"{where}[{index}]"
            raise InvalidArguments(f"{place}: expected text, a number, true, false or null, came {shown(value)}", place)
    entered = [_entered(value) if option == "USER_ENTERED" else value for value in row]
    return [None if value == "" else value for value in entered]


def _entered(value: Any) -> Any:
    """What typing the text into a cell makes of it: 2,757.60 a number, TRUE a boolean, anything else the text."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.upper() in _BOOLEANS:
        return _BOOLEANS[text.upper()]
    if _NUMBER.fullmatch(text):
        plain = text.replace(",", "")
        return float(plain) if "." in plain else int(plain)
    return value


def _write(call: Call, arguments: dict[str, Any], area: a1.Area, values: list[list[Any]]) -> dict[str, Any]:
    rows, columns = _sizes(call)[area.tab]
    if area.bottom > rows or area.right > columns:
        extent = f"A1:{a1.letters(columns)}{rows}"
        raise InvalidArguments(f"range: {area} does not fit into {area.tab}, which is {extent}", "range")
    if area.height * area.width > MAX_CELLS:
        raise InvalidArguments(f"values: expected at most {MAX_CELLS} cells in one call", "values")
    if area.top <= HEADER_ROW:
        raise Refused(f"range: row {HEADER_ROW} of {area.tab} is its header and may not be overwritten", "range")
    present = {row["cell"] for row in _cells(call, area)}
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            _put(call, area.tab, area.top + down, area.left + across, value, present)
    return {
        "changeId": f"CHANGE-{call.task_id}-{call.next_id('sheet_changes')}",
        "spreadsheetId": arguments["spreadsheetId"],
        "updatedRange": str(area),
        "updatedRows": len(values),
    }


def _put(call: Call, tab: str, row: int, column: int, value: Any, present: set[str]) -> None:
    cell = a1.cell(tab, row, column)
    if value is None:
        call.delete("cells", {"cell": cell})
        return
    text = json.dumps(value, ensure_ascii=False)
    if cell in present:
        call.update("cells", {"cell": cell}, {"value": text})
    else:
        call.insert("cells", {"cell": cell, "tab": tab, "row": row, "col": column, "value": text})


def _cells(call: Call, area: a1.Area) -> list[dict[str, Any]]:
    return call.rows(
        "SELECT * FROM cells WHERE tab = ? AND row BETWEEN ? AND ? AND col BETWEEN ? AND ? ORDER BY row, col",
        (area.tab, area.top, area.bottom, area.left, area.right),
    )


def _sizes(call: Call) -> dict[str, tuple[int, int]]:
    rows = call.rows("SELECT tab, row_count, column_count FROM sheet_tabs ORDER BY tab")
    return {row["tab"]: (row["row_count"], row["column_count"]) for row in rows}


def _unknown(call: Call, spreadsheet: str) -> str:
    return f"spreadsheetId: no workbook {shown(spreadsheet)}; this tenant's is {call.meta['spreadsheet_id']}"
