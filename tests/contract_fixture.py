"""Task 001 for the verifier's tests, written by hand: its world, its gold contract, and episodes played on it.

Independent of the generator and of the world's package: only schema.sql is shared. Figures are the seed's.
"""

import sqlite3
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parent.parent / "images" / "world" / "erpbench_world" / "schema.sql"
TASK = "erpbench-001"
ORDER = "SO-NBR-50011"
OPTION = "import_accepted_lines_and_submit"
BATCH = "FILE-NBR-ORDER-BATCH-0209"
OLD_BATCH = "FILE-NBR-ORDER-BATCH-0203"
PRICES, OLD_PRICES = "FILE-NBR-PRICE-LIST-2026H1", "FILE-NBR-PRICE-LIST-2025H2"
AUTHORITY, REQUEST = "MSG-NBR-AUTHORITY-0209", f"MSG-{TASK}-REQUEST"
REVIEWER = "marcus.lee@northbridge-sim.example"
LINES = (
    ("FST-M8-40", 1200, "0.84", "1008.00"),
    ("FST-M10-60", 800, "1.32", "1056.00"),
    ("NUT-M8-NYL", 640, "0.19", "121.60"),
    ("WSH-M10-SS", 300, "0.11", "33.00"),
    ("ANC-12-100", 220, "2.45", "539.00"),
)
ITEMS = (
    (300001, "FST-M8-40", "0.84", "Active"),
    (300010, "FST-M10-60", "1.32", "Active"),
    (300020, "NUT-M8-NYL", "0.19", "Active"),
    (300021, "WSH-M10-SS", "0.11", "Active"),
    (300031, "ANC-12-100", "2.45", "Active"),
    (300040, "FST-M6-20-OLD", "0.49", "Inactive"),
)
REGISTER = (ORDER, OPTION, 5, 3, 3160, 2757.6, 2, BATCH)
ANSWERS: dict[str, Any] = {
    "accepted_lines": 5,
    "rejected_lines": 3,
    "imported_units": 3160,
    "order_total": 2757.6,
    "duplicate_lines": 2,
    "decision": OPTION,
    "status": "submitted",
}
BODY = (
    f"Recommendation: {OPTION}. Accepted lines 5, rejected lines 3, imported units 3160, "
    f"order total 2757.60, duplicate lines 2. Sales order {ORDER}. For review, not sent."
)
POST = f"{TASK}: order {ORDER} is submitted; the draft waits for review."
RATIONALE = "The batch of 9 February is in force and the credit policy allows it."


def units(amount: str) -> int:
    """Ten-thousandths: "0.84" is 8400."""
    whole, _, decimals = amount.partition(".")
    return int(whole) * 10_000 + int(decimals.ljust(4, "0"))


def cell_names(row: int) -> list[str]:
    return [f"Register!{column}{row}" for column in "ABCDEFGH"]


def baseline_rows() -> dict[str, list[tuple[Any, ...]]]:
    guides = [f"FILE-NBR-{name}" for name in ("SOURCE-MAP", "AUTHORITY-MEMO", "TASK-BRIEF", "OPS-AUDIT-LOG")]
    files = [BATCH, OLD_BATCH, PRICES, OLD_PRICES, *guides]
    day = "2026-02-03T10:12:00Z"
    return {
        "meta": [
            ("schema_version", "1"),
            ("task_id", TASK),
            ("tenant", "NBR"),
            ("company", "Northbridge Fastener Works"),
            ("as_of", "2026-02-09T09:00:00Z"),
            ("local_date", "2026-02-09"),
            ("timezone", "America/New_York"),
            ("currency", "USD"),
        ],
        "contracts": [(TASK, "{}")],
        "sequences": [("sales_orders", "SO-NBR-", 50011)],
        "organizations": [("NBR1", "inventory", "Toledo plant")],
        "items": [
            (number, "NBR1", name, name.lower(), None, None, status, "EA", units(price), "2026-01-01")
            for number, name, price, status in ITEMS
        ],
        "accounts": [("CUST-10412", "Cascade Assembly Inc.", units("180000.00"), 0, "Net 30")],
        "sales_orders": [
            order_row("SO-NBR-40039", "CA-PO-77310", OLD_BATCH, "473.00", "Awaiting Shipping", day),
        ],
        "sales_order_lines": [
            ("SO-NBR-40039", 1, 5, "FST-M8-40", 450, "EA", units("0.84"), units("378.00")),
            ("SO-NBR-40039", 2, 8, "NUT-M8-NYL", 500, "EA", units("0.19"), units("95.00")),
        ],
        "shipment_lines": [
            (1, "SHP-NBR-4471", "SO-NBR-40039", 1, "FST-M8-40", None, "EA", 450, 450, units("0.84"), "Staged", None)
        ],
        "workers": [
            ("P-100", "Ana Ruiz", "NBR LE", "MACH-OP2", "Active", "2024-01-08", None, None, units("3400.00"), None)
        ],
        "mail": [
            (REQUEST, "T1", "dana.whitfield@cascade-sim.example", "analyst", "Order", day, "Please import.", "[]"),
            (AUTHORITY, "T2", REVIEWER, "analyst", "Authority", day, "Sources in force.", "[]"),
        ],
        "drive_files": [
            (name, name.lower(), "text/plain", 2, day, 1, "", "ops", name, 1, "00", "text") for name in sorted(files)
        ],
        "sheet_tabs": [("Customers", "SHEET-NBR-OPS", 60, 8), ("Register", "SHEET-NBR-OPS", 60, 8)],
        "cells": [
            ("Customers!A2", "Customers", 2, 1, '"Cascade Assembly Inc."'),
            ("Register!A1", "Register", 1, 1, '"Record"'),
            ("Register!A2", "Register", 2, 1, '"SO-NBR-DECOY"'),
        ],
        "channels": [("#general", "All"), ("#ops-nbr", "Operations")],
        "slack_messages": [(1, "#ops-nbr", day, f"THREAD-{TASK}", "Marcus Lee", f"Please resolve {TASK}.")],
    }


def order_row(
    number: str,
    purchase_order: str,
    source: str,
    total: str = "2757.60",
    status: str = "Booked",
    created: str = "2026-02-09",
) -> tuple[Any, ...]:
    customer = ("CUST-10412", "Cascade Assembly Inc.")
    return (
        number, purchase_order, *customer, source, "OPS", "Standard Orders", "NBR1", 1, status, units(total), created,
        "analyst", created,
    )  # fmt: skip


def build_baseline(path: Path) -> Path:
    db = sqlite3.connect(path)
    db.executescript(SCHEMA.read_text(encoding="utf-8"))
    for table, rows in baseline_rows().items():
        db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    db.commit()
    db.execute("VACUUM")
    db.close()
    return path


def seen(*routes: list[Any], **when: Any) -> dict[str, Any]:
    return {"kind": "seen", "any": list(routes), **when}


def early(*routes: list[Any]) -> dict[str, Any]:
    return seen(*routes, before="first_controlled_write")


def build_contract(digest: str) -> dict[str, Any]:
    """The gold contract of task 001, in the language of generator/spec/contract.py."""
    content, meta = "drive_content", "drive_meta"
    source_map = [[content, "FILE-NBR-SOURCE-MAP"]]
    decision = {"kind": "rows", "table": "decisions", "key": TASK}
    review = {"review_status": "draft_for_review"}
    po_scope = {"CustomerPONumber": "CA-PO-77310"}
    register = [["cells", name] for name in cell_names(21)]
    figures = [{"number": number} for number in ("5", "3", "3160", "2757.60", "2")]
    row21 = ("$primary", OPTION, {"number": "5"}, {"number": "3"}, {"number": "3160"},
             {"number": "2757.60", "tolerance": "0.005"}, {"number": "2"}, BATCH)  # fmt: skip
    checks: list[dict[str, Any]] = [
        early([["contracts", TASK]]),
        early([["mail", REQUEST]], [[content, "FILE-NBR-TASK-BRIEF"]]),
        early([["mail", AUTHORITY]], [[content, "FILE-NBR-AUTHORITY-MEMO"]], source_map),
        early([["slack_messages", "1"]]),
        early([["cells", "Register!A1"]], [["cells", "Register!A2"]]),
        early([["items", str(item[0])] for item in ITEMS[:5]], [[content, PRICES]]),
        early([[meta, OLD_PRICES], [meta, PRICES]]),
        early([[meta, BATCH]], source_map),
        early([[content, BATCH]]),
        early([[content, OLD_BATCH]]),
        early([["sales_orders", "SO-NBR-40039"]]),
        early([["accounts", "CUST-10412"]]),
        early([[content, OLD_PRICES]]),
        early([[content, "FILE-NBR-OPS-AUDIT-LOG"]]),
        early([["cells", "Customers!A2"]]),
        {"kind": "answer", "field": "accepted_lines", "type": "integer", "value": 5, "tolerance": None},
        {"kind": "answer", "field": "rejected_lines", "type": "integer", "value": 3},
        {"kind": "answer", "field": "imported_units", "type": "integer", "value": 3160},
        {"kind": "answer", "field": "order_total", "type": "money", "value": "2757.60", "tolerance": "0.005"},
        {"kind": "answer", "field": "duplicate_lines", "type": "integer", "value": 2},
        {
            "kind": "all",
            "of": [
                decision | {"row": {"decision": OPTION}},
                {"kind": "answer", "field": "decision", "type": "string", "value": OPTION},
            ],
        },
        decision | {"row": {"source_refs": {"has": [BATCH], "none": [OLD_PRICES], "max": 10}}},
        {
            "kind": "rows", "table": "sales_orders", "where": po_scope, "added_exactly": [{"key": "$primary"}],
            "changed_exactly": [], "ignore": ["SubmittedFlag", "StatusCode"],
        },
        {
            "kind": "rows", "table": "sales_orders", "key": "$primary",
            "row": {"SubmittedFlag": True, "StatusCode": "Booked"}, "where": None, "ignore": [],
        },
        {
            "kind": "rows", "table": "cells", "where": {"cell": {"in": cell_names(21)}},
            "added_exactly": [
                {"key": name, "row": {"value": {"json": value}}}
                for name, value in zip(cell_names(21), row21, strict=True)
            ],
        },
        decision | {
            "row": {
                "status": "submitted", "primary_record": "$primary", "rationale": {"min_words": 5},
                "source_refs": {"min": 1, "known_sources": [BATCH, OLD_BATCH, PRICES, OLD_PRICES, REQUEST, AUTHORITY]},
            }
        },
        {
            "kind": "states", "table": "drafts", "where": {"task_id": TASK}, "columns": ["subject", "body"],
            "facts": [
                {"one_of": [OPTION, "Import the accepted lines at current list prices and submit the order"]},
                *figures, {"one_of": ["$primary"]},
            ],
            "none_of": [
                "import_accepted_lines_hold_for_credit", "import_all_lines_as_received", "stop_and_escalate_batch",
                "Stop and escalate the batch",
            ],
            "max_numbers": 40, "max_identifiers": 40, "max_chars": 4000,
        },
        {
            "kind": "states", "table": "posts", "where": {"task_id": TASK, "channel": "#ops-nbr"}, "columns": ["text"],
            "facts": [{"one_of": ["submitted"]}, {"one_of": ["$primary"]}],
            "none_of": ["held_for_credit_release", "imported_as_received", "not_imported"],
            "max_numbers": 20, "max_identifiers": 15, "max_chars": 2000,
        },
        seen(["$primary"], after_write=True),
        {
            "kind": "all",
            "of": [seen(register, after_write=True), seen([["decisions", TASK]], after_write=True)],
        },
        {
            "kind": "all",
            "of": [
                seen([{"added": table}], after_write=True, before_submission=True) for table in ("drafts", "posts")
            ],
        },
        seen([["submissions", TASK]], after_write=True),
        {
            "kind": "all",
            "of": [
                {"kind": "acted"},
                {
                    "kind": "unchanged",
                    "owned": [
                        {"table": "sales_orders", "where": po_scope},
                        {"table": "sales_order_lines", "where": {}},
                        {"table": "cells", "where": {"cell": {"in": cell_names(21)}}},
                        *({"table": name, "where": {}}
                          for name in ("decisions", "drafts", "posts", "submissions", "items", "workers")),
                    ],
                },
                {"kind": "no_refused"},
            ],
        },
        {
            "kind": "all",
            "of": [
                {"kind": "acted"},
                {
                    "kind": "every", "table": "drafts",
                    "row": {"recipient": {"in": [REVIEWER, "dana.whitfield@cascade-sim.example"]}},
                },
                {"kind": "every", "table": "posts", "row": {"channel": "#ops-nbr"} | review},
                {"kind": "no_call", "tool": "slack.chat_postMessage", "unless": review},
                {"kind": "same", "tables": ["items", "workers", "invoice_holds"]},
            ],
        },
    ]  # fmt: skip
    points = [1] * 15 + [5] * 5 + [10, 5] + [10, 4, 3, 3] + [5, 5] + [3, 3, 2, 2] + [3, 2]
    categories = (
        ["discovery"] * 15 + ["calculation"] * 5 + ["decision"] * 2 + ["erp_state"] * 4 + ["handoff"] * 2
        + ["readback"] * 4 + ["containment"] * 2
    )  # fmt: skip
    return {
        "schema_version": 1,
        "canary": "none",
        "task_id": TASK,
        "tenant": "NBR",
        "world_schema": 1,
        "baseline_sha256": digest,
        "controlled_tools": [
            "erpbench.record_decision", "oracle_fusion.sales_orders.create", "oracle_fusion.shipment_lines.update",
            "oracle_fusion.items.update", "gmail.drafts.create", "google_sheets.spreadsheets.values.update",
            "slack.chat_postMessage",
        ],
        "submission_tool": "erpbench.submit_answer",
        "provider_writes": ["gmail.messages.send"],
        "side_tables": ["sequences"],
        "frozen_tables": ["meta", "contracts", "mail", "drive_files", "slack_messages", "organizations", "accounts"],
        "primary": {
            "table": "sales_orders",
            "rows": [
                {
                    "key": None,
                    "row": {
                        "CustomerPONumber": "CA-PO-77310", "BuyingPartyNumber": "CUST-10412",
                        "RequestedFulfillmentOrganizationCode": "NBR1", "SourceTransactionNumber": BATCH,
                        "TransactionType": "Standard Orders",
                    },
                    "children": {
                        "table": "sales_order_lines", "on": "OrderNumber",
                        "columns": ["ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice"],
                        "rows": [[item, quantity, "EA", {"money": price}] for item, quantity, price, _ in LINES],
                    },
                }
            ],
            "name": {"column": "OrderNumber", "literal": None},
        },
        "criteria": [
            {
                "n": number, "category": categories[number - 1], "name": f"criterion {number}",
                "points": points[number - 1], "description": f"Criterion {number}.", "check": check, "implies": [],
            }
            for number, check in enumerate(checks, start=1)
        ],
    }  # fmt: skip
