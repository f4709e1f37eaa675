"""Small worlds for tests: rows in, an open World out."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from erpbench_world.digest import logical_digest
from erpbench_world.dispatch import CallResult, World

TASK = "erpbench-001"
SCHEMA = Path(__file__).parent.parent / "images" / "world" / "erpbench_world" / "schema.sql"

VIEW: dict[str, Any] = {
    "task_id": TASK,
    "title": "A task for tests",
    "decision_options": [
        {"id": "import_accepted_lines_and_submit", "label": "Import what is accepted and book it"},
        {"id": "stop_and_escalate_batch", "label": "Import nothing and escalate"},
    ],
    "statuses": [{"id": "submitted"}, {"id": "not_imported"}],
    "answer_schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["accepted_lines", "order_total", "decision", "status"],
        "properties": {
            "accepted_lines": {"type": "integer"},
            "order_total": {"type": "number"},
            "decision": {"type": "string"},
            "status": {"type": "string"},
        },
    },
}


def _lookups(kind: str, *codes: str) -> list[dict[str, Any]]:
    return [{"kind": kind, "code": code, "meaning": code} for code in codes]


def _periods(application: str) -> list[dict[str, Any]]:
    """January 2026 closed, February to June open."""
    ends = {"2026-01": 31, "2026-02": 28, "2026-03": 31, "2026-04": 30, "2026-05": 31, "2026-06": 30}
    return [
        {
            "application": application,
            "period": month,
            "start_date": f"{month}-01",
            "end_date": f"{month}-{last}",
            "status": "Closed" if month == "2026-01" else "Open",
        }
        for month, last in ends.items()
    ]


DEFAULTS: dict[str, list[dict[str, Any]]] = {
    "meta": [
        {"name": name, "value": value}
        for name, value in {
            "schema_version": "1",
            "task_id": TASK,
            "tenant": "NBR",
            "company": "Northbridge Fastener Works",
            "as_of": "2026-02-09T09:00:00Z",
            "local_date": "2026-02-09",
            "timezone": "America/New_York",
            "currency": "USD",
            "analyst": "analyst",
            "business_unit": "Northbridge BU",
            "spreadsheet_id": "SHEET-NBR-OPS",
        }.items()
    ],
    "contracts": [{"task_id": TASK, "view": json.dumps(VIEW, sort_keys=True)}],
    "sequences": [
        {"name": "sales_orders", "prefix": "SO-NBR-", "next": 50011},
        {"name": "purchase_requisitions", "prefix": "REQ-NBR-", "next": 7041},
        {"name": "receiving_receipt_requests", "prefix": "RCV-NBR-", "next": 3318},
        {"name": "standard_receipts", "prefix": "", "next": 880101},
        {"name": "invoices", "prefix": "", "next": 640201},
        {"name": "invoice_holds", "prefix": "", "next": 9001},
        {"name": "absences", "prefix": "", "next": 77001},
        {"name": "sheet_changes", "prefix": "", "next": 1},
    ],
    "organizations": [
        {"code": "NBR1", "kind": "inventory", "name": "Toledo plant"},
        {"code": "NBR2", "kind": "inventory", "name": "Dayton warehouse"},
        {"code": "NBR-BU", "kind": "business_unit", "name": "Northbridge BU"},
        {"code": "NBR-LE", "kind": "employer", "name": "Northbridge Fastener Works LLC"},
        {"code": "NBR-LE2", "kind": "employer", "name": "Northbridge Logistics LLC"},
    ],
    "periods": [
        period
        for application in (
            "order_management", "receivables", "payables", "purchasing", "receiving", "hcm", "pricing",
        )
        for period in _periods(application)
    ],
    "lookups": [
        *_lookups("transaction_type", "Standard Orders", "Sample Orders"),
        *_lookups("source_system", "OPS", "SHOPIFY"),
        *_lookups("receipt_method", "ACH Lockbox", "Check"),
        *_lookups("reference_type", "Invoice", "Credit Memo", "Discount"),
        *_lookups("receipt_source", "VENDOR", "INTERNAL"),
        *_lookups("receiving_transaction", "RECEIVE"),
        *_lookups("absence_type", "Unreported absence", "Approved leave"),
        *_lookups("absence_status", "SUBMITTED", "APPROVED"),
        *_lookups("document_status", "ACTIVE", "ALERTED", "RENEWED", "OPEN", "VERIFIED"),
        *_lookups("hold_name", "PRICE_VARIANCE", "QUANTITY_VARIANCE"),
        *_lookups("job", "MACH-OP2", "WHS-ASSOC"),
        *_lookups("uom", "EA", "BX"),
    ],
    "channels": [{"name": "#ops-nbr", "purpose": "Operations"}, {"name": "#general", "purpose": "Everybody"}],
    "sheet_tabs": [
        {"tab": tab, "spreadsheetId": "SHEET-NBR-OPS", "row_count": 60, "column_count": 8}
        for tab in ("Register", "Customers")
    ],
}  # fmt: skip


def build_database(path: Path, rows: dict[str, list[dict[str, Any]]] | None = None) -> Path:
    """A database of the defaults and these rows, as the tables hold them (money in ten-thousandths, flags 0 or 1).

    A row with the key of a default one replaces it. A NOT NULL column that a row leaves out holds '' or 0.
    """
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")  # a test's world need not survive a power failure
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    for source in (DEFAULTS, rows or {}):
        for table, entries in source.items():
            columns = list(connection.execute(f'PRAGMA table_info("{table}")'))
            for entry in entries:
                unknown = set(entry) - {column[1] for column in columns}
                if unknown:
                    raise ValueError(f"{table} has no columns {sorted(unknown)}")
                row = {name: "" if kind == "TEXT" else 0 for _, name, kind, required, _, key in columns if required}
                row.update(entry)
                marks = ", ".join("?" for _ in row)
                names = ", ".join(f'"{name}"' for name in row)
                connection.execute(f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})', tuple(row.values()))
    connection.commit()
    connection.close()
    return path


def make_world(tmp_path: Path, rows: dict[str, list[dict[str, Any]]] | None = None) -> World:
    """An open world over the defaults and these rows (see build_database)."""
    tmp_path.mkdir(parents=True, exist_ok=True)
    return World(build_database(tmp_path / "world.sqlite", rows), tmp_path / "files")


def table(world: World, name: str) -> list[dict[str, Any]]:
    """All rows of a table, in key order, read over a connection of its own."""
    connection = sqlite3.connect(world.database)
    connection.row_factory = sqlite3.Row
    key = sorted((row[5], row[1]) for row in connection.execute(f'PRAGMA table_info("{name}")') if row[5])
    order = ", ".join(f'"{column}"' for _, column in key)
    found = [dict(row) for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY {order}')]
    connection.close()
    return found


def digest(world: World) -> str:
    """The world's logical digest without its trace: equal before and after a call that changed nothing."""
    connection = sqlite3.connect(world.database)
    found = logical_digest(connection, exclude=("trace",))
    connection.close()
    return found


def ok(answer: CallResult) -> dict[str, Any]:
    """The result of a call that must have succeeded."""
    assert answer.ok, answer.error
    assert answer.result is not None
    return answer.result


def refused(answer: CallResult, outcome: str = "refused") -> str:
    """The message of a call that must have ended with this outcome."""
    assert not answer.ok, answer.result
    assert answer.outcome == outcome, (answer.outcome, answer.error)
    assert answer.error is not None
    return answer.error
