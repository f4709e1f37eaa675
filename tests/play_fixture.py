"""Episodes of task 001 played on a copy of its baseline, and the evidence that they leave, honest or doctored."""

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.contract_fixture import (
    ANSWERS,
    AUTHORITY,
    BATCH,
    BODY,
    ITEMS,
    LINES,
    OLD_BATCH,
    OLD_PRICES,
    OPTION,
    ORDER,
    POST,
    PRICES,
    RATIONALE,
    REGISTER,
    REQUEST,
    REVIEWER,
    TASK,
    build_baseline,
    build_contract,
    cell_names,
    order_row,
    units,
)
from verifier.grading import Grader, Verdict, read_baseline
from verifier.trace import FIRST_CHAIN, link

MOST_SECONDS = 2.0
"""Of work: a machine that is busy with something else makes no refusal late."""


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


def manifest_of(folder: Path) -> dict[str, object]:
    data: dict[str, object] = json.loads((folder / "manifest.json").read_text())
    return data


def reseal(folder: Path, **changes: object) -> None:
    """Make the manifest agree with the altered database again, trace figures as they were."""
    kept = {key: manifest_of(folder)[key] for key in ("trace_rows", "trace_head")}
    write_manifest(folder, **kept | changes)


def edit(folder: Path, *statements: str) -> None:
    db = sqlite3.connect(folder / "world.sqlite", isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()
    reseal(folder)


def rechain(folder: Path) -> None:
    """Recompute the chain over an altered trace, as a careful forger would."""
    db = sqlite3.connect(folder / "world.sqlite", isolation_level=None)
    chain = FIRST_CHAIN
    rows = db.execute("SELECT * FROM trace ORDER BY idx").fetchall()
    for row in rows:
        chain = link(chain, row)
        db.execute("UPDATE trace SET chain = ? WHERE idx = ?", (chain, row[0]))
    db.close()
    write_manifest(folder, trace_rows=len(rows), trace_head=chain)


def reject(stage: Stage, folder: Path, seen: Callable[[object], None] | None = None) -> tuple[str | None, str]:
    """Code and reason of the refusal, or None and nothing; it takes two seconds of work at most and earns nothing."""
    worked, began = time.process_time(), time.monotonic()
    verdict = stage.grader.grade_evidence(folder)
    work, wall = time.process_time() - worked, time.monotonic() - began
    if seen is not None:
        seen(f"score {verdict.score}, {verdict.fault or 'graded'} in {wall:.2f} s: {verdict.reason or 'honest'}")
    assert work <= MOST_SECONDS
    if verdict.fault is not None:
        assert (verdict.score, verdict.strict, len(verdict.failed)) == (0, False, 34)
        assert verdict.criteria[0].seen == f"the evidence is not usable: {verdict.reason}"
    return verdict.fault, verdict.reason or ""
