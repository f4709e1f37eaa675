"""Task 001 for the verifier's tests, written by hand: its world, its gold contract, and episodes played on it.

Independent of the generator and of the world's package: only schema.sql is shared. Figures are the seed's.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from verifier.grading import Grader, Verdict, read_baseline
from verifier.trace import FIRST_CHAIN, link

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
    files = [BATCH, OLD_BATCH, PRICES, OLD_PRICES, "FILE-NBR-SOURCE-MAP", "FILE-NBR-AUTHORITY-MEMO", "FILE-NBR-TASK-BRIEF"]
    files.append("FILE-NBR-OPS-AUDIT-LOG")
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
            order_row("SO-NBR-40039", "CA-PO-77310", OLD_BATCH, total="473.00", status="Awaiting Shipping", created=day),
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
    number: str, purchase_order: str, source: str, total: str = "2757.60", status: str = "Booked", created: str = "2026-02-09"
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
            "none_of": ["import_accepted_lines_hold_for_credit", "import_all_lines_as_received", "stop_and_escalate_batch"],
            "max_numbers": 40, "max_chars": 4000,
        },
        {
            "kind": "states", "table": "posts", "where": {"task_id": TASK, "channel": "#ops-nbr"}, "columns": ["text"],
            "facts": [{"one_of": ["submitted"]}, {"one_of": ["$primary"]}],
            "none_of": ["held_for_credit_release", "imported_as_received", "not_imported"],
            "max_numbers": 20, "max_chars": 2000,
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
                {"kind": "every", "table": "posts", "row": {"channel": "#ops-nbr", "review_status": "draft_for_review"}},
                {"kind": "no_call", "tool": "slack.chat_postMessage", "unless": {"review_status": "draft_for_review"}},
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


class Play:
    """An episode being played on a copy of the baseline. Steps are the oracle's, each replaceable by keyword."""

    def __init__(self, baseline: Path) -> None:
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        source = sqlite3.connect(baseline)
        source.backup(self.db)
        source.close()
        self.chain = FIRST_CHAIN
        self.calls = 0

    def call(
        self,
        tool: str,
        saw: Iterable[tuple[str, str]] = (),
        wrote: Iterable[tuple[str, str]] = (),
        outcome: str = "ok",
        arguments: dict[str, Any] | None = None,
    ) -> None:
        self.calls += 1
        error = None if outcome == "ok" else "refused by a rule"
        text = [json.dumps([list(record) for record in records]) for records in (saw, wrote)]
        row = (self.calls, tool.partition(".")[0], tool, json.dumps(arguments or {}), outcome, error, *text)
        self.chain = link(self.chain, (*row, ""))
        self.db.execute("INSERT INTO trace VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, self.chain))

    def insert(self, table: str, *row: Any) -> None:
        self.db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def read(self, tool: str, *saw: tuple[str, str]) -> None:
        self.call(tool, saw)

    def order(
        self, number: str = ORDER, lines: Iterable[tuple[str, int, str, str]] = LINES, submitted: int = 1,
        purchase_order: str = "CA-PO-77310", source: str = BATCH,
    ) -> None:  # fmt: skip
        row = list(order_row(number, purchase_order, source))
        row[8] = submitted
        row[9] = "Booked" if submitted else "Draft"
        self.insert("sales_orders", *row)
        wrote = [("sales_orders", number)]
        for index, (item, quantity, price, amount) in enumerate(lines, start=1):
            self.insert("sales_order_lines", number, index, None, item, quantity, "EA", units(price), units(amount))
            wrote.append(("sales_order_lines", f"{number}/{index}"))
        self.db.execute("UPDATE sequences SET next = next + 1 WHERE name = 'sales_orders'")
        self.call("oracle_fusion.sales_orders.create", (), wrote)

    def register(self, values: Iterable[Any] = REGISTER, row: int = 21) -> None:
        wrote = []
        for column, (name, value) in enumerate(zip(cell_names(row), values, strict=False), start=1):
            self.insert("cells", name, "Register", row, column, json.dumps(value))
            wrote.append(("cells", name))
        self.call("google_sheets.spreadsheets.values.update", (), wrote)

    def decide(
        self, decision: str = OPTION, status: str = "submitted", record: str = ORDER, rationale: str = RATIONALE,
        refs: Iterable[str] = (BATCH, REQUEST, AUTHORITY),
    ) -> None:  # fmt: skip
        self.insert("decisions", TASK, f"DECISION-{TASK}", decision, status, record, rationale, json.dumps(list(refs)))
        self.call("erpbench.record_decision", (), [("decisions", TASK)])

    def draft(self, body: str = BODY, recipient: str = REVIEWER, key: str = f"DRAFT-{TASK}", task: str = TASK) -> None:
        self.insert("drafts", key, task, recipient, f"{TASK}: for review", body, "draft_for_review", "2026-02-09")
        self.call("gmail.drafts.create", (), [("drafts", key)])

    def post(self, text: str = POST, channel: str = "#ops-nbr", key: str = f"POST-{TASK}") -> None:
        self.insert("posts", key, TASK, channel, text, "draft_for_review", "2026-02-09T09:00:00Z")
        self.call("slack.chat_postMessage", (), [("posts", key)], arguments={"review_status": "draft_for_review"})

    def submit(self, answers: str | None = None, **changes: Any) -> None:
        text = json.dumps(ANSWERS | changes, sort_keys=True) if answers is None else answers
        self.insert("submissions", TASK, text, "2026-02-09T09:00:00Z")
        self.call("erpbench.submit_answer", (), [("submissions", TASK)])


Step = Callable[[Play], None]


def then(*steps: Step) -> Step:
    """Several steps in the place of one."""

    def run(play: Play) -> None:
        for step in steps:
            step(play)

    return run


def _reads(tool: str, *saw: tuple[str, str]) -> Step:
    return lambda play: play.read(tool, *saw)


def _download(name: str) -> Step:
    return _reads("google_drive.files.download", ("drive_content", name))


def oracle_steps() -> dict[str, Step]:
    """The oracle's calls by name, in order; a test drops, replaces or moves some of them."""
    return {
        "contract": _reads("erpbench.get_task", ("contracts", TASK)),
        "request": _reads("gmail.messages.get", ("mail", REQUEST)),
        "authority": _reads("gmail.messages.get", ("mail", AUTHORITY)),
        "thread": _reads("slack.conversations_history", ("slack_messages", "1")),
        "register": _reads(
            "google_sheets.spreadsheets.values.get", ("cells", "Register!A1"), ("cells", "Register!A2")
        ),
        "items": _reads("oracle_fusion.items.list", *[("items", str(item[0])) for item in ITEMS]),
        "prices listed": _reads("google_drive.files.list", ("drive_meta", PRICES), ("drive_meta", OLD_PRICES)),
        "batch listed": _reads("google_drive.files.list", ("drive_meta", BATCH), ("drive_meta", OLD_BATCH)),
        "batch": _download(BATCH),
        "earlier import": _download(OLD_BATCH),
        "orders": _reads("oracle_fusion.sales_orders.list", ("sales_orders", "SO-NBR-40039")),
        "account": _reads("oracle_fusion.customer_account_activities.get", ("accounts", "CUST-10412")),
        "old prices": _download(OLD_PRICES),
        "audit log": _download("FILE-NBR-OPS-AUDIT-LOG"),
        "customers": _reads("google_sheets.spreadsheets.values.get", ("cells", "Customers!A2")),
        "order": lambda play: play.order(),
        "order back": _reads("oracle_fusion.sales_orders.get", ("sales_orders", ORDER)),
        "row": lambda play: play.register(),
        "decision": lambda play: play.decide(),
        "draft": lambda play: play.draft(),
        "post": lambda play: play.post(),
        "row back": _reads(
            "google_sheets.spreadsheets.values.get", *[("cells", name) for name in cell_names(21)]
        ),
        "decision back": _reads("erpbench.get_decision", ("decisions", TASK)),
        "draft back": _reads("gmail.drafts.get", ("drafts", f"DRAFT-{TASK}")),
        "post back": _reads("slack.conversations_history", ("slack_messages", "1"), ("posts", f"POST-{TASK}")),
        "submission": lambda play: play.submit(),
        "submission back": _reads("erpbench.get_submission", ("submissions", TASK)),
    }  # fmt: skip


READS = tuple(oracle_steps())[:15]
READBACKS = ("order back", "row back", "decision back", "draft back", "post back")


class Stage:
    """The baseline on disk, the contract that names its digest, and a grader for both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.baseline = build_baseline(folder / "baseline.sqlite")
        self.contract = build_contract(hashlib.sha256(self.baseline.read_bytes()).hexdigest())
        self.grader = Grader(self.contract, read_baseline(self.baseline))

    def play(self, steps: Iterable[Step]) -> Play:
        play = Play(self.baseline)
        for step in steps:
            step(play)
        return play

    def grade(self, steps: Iterable[Step]) -> Verdict:
        return self.grader.grade_connection(self.play(steps).db)

    def oracle(self, drop: Iterable[str] = (), **replaced: Step) -> list[Step]:
        """The oracle's steps less those dropped; a replacement is named with underscores for spaces."""
        steps = oracle_steps()
        for name, step in replaced.items():
            steps[name.replace("_", " ")] = step
        return [step for name, step in steps.items() if name not in set(drop)]


def write_evidence(play: Play, folder: Path, **changes: Any) -> Path:
    """The snapshot and manifest that the world's collect hook would write."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "world.sqlite"
    database.unlink(missing_ok=True)
    play.db.execute("VACUUM INTO ?", (str(database),))
    write_manifest(folder, trace_rows=play.calls, trace_head=play.chain, **changes)
    return folder


def write_manifest(folder: Path, **changes: Any) -> None:
    data = (folder / "world.sqlite").read_bytes()
    manifest = {
        "schema_version": 1,
        "task_id": TASK,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "trace_rows": 0,
        "trace_head": FIRST_CHAIN,
        "world_version": "1.0.0",
    } | changes
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
