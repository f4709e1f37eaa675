"""Fuzzing of evidence: snapshots with damaged bytes or forged rows, manifests, and submissions.

In: bytes, taken as a script of changes to honest evidence. Out: nothing; AssertionError where the verdict is neither a
refusal for a known reason with 0 points nor a score from 0 to 100 that can be written as JSON.
"""

import json
import sqlite3
import tempfile
from decimal import Decimal
from pathlib import Path

from tests.contract_fixture import ANSWERS, TASK
from tests.fuzz.text_targets import Target
from tests.play_fixture import Stage, write_evidence, write_manifest
from verifier.grading import Verdict
from verifier.listings import state_diff_text, trace_text
from verifier.report import build_details, build_reward, build_verdict
from verifier.tables import Table
from verifier.trace import FIRST_CHAIN, link

REFUSALS = frozenset({
    "missing_file", "not_a_file", "side_file", "too_large", "too_slow", "bad_manifest", "wrong_size", "wrong_digest",
    "bad_header", "not_utf8", "unreadable_database", "malformed", "other_schema", "integrity", "other_task",
    "other_build", "other_world", "frozen_table", "bad_trace", "trace_cut", "trace_chain", "trace_head",
    "unclaimed_change", "false_claim",
})  # fmt: skip
TRACE_COLUMNS = ("server", "tool", "arguments", "outcome", "error", "saw", "wrote")
STATE_COLUMNS = (
    ("decisions", "source_refs"), ("decisions", "primary_record"), ("submissions", "answers"), ("cells", "value"),
    ("drafts", "body"), ("drafts", "recipient"), ("posts", "text"), ("sales_orders", "OrderNumber"),
)  # fmt: skip


def judged(verdict: Verdict) -> None:
    """What must hold of every verdict."""
    assert verdict.fault is None or verdict.fault in REFUSALS, verdict.fault
    assert verdict.fault is None or (verdict.score == 0 and verdict.reason), verdict.fault
    assert type(verdict.score) is int
    assert 0 <= verdict.score <= 100
    assert len(verdict.criteria) == 34
    for built in (build_reward(verdict), build_details(verdict), build_verdict(verdict)):
        json.dumps(built, allow_nan=False)
    json.loads("".join(trace_text(verdict)))
    json.loads("".join(state_diff_text(verdict)))


class Bench:
    """Honest evidence on disk, and a grader."""

    def __init__(self) -> None:
        self.kept = tempfile.TemporaryDirectory(prefix="erpbench-fuzz-")
        self.stage = Stage(Path(self.kept.name))
        self.folder = write_evidence(self.stage.play(self.stage.oracle()), Path(self.kept.name) / "evidence")
        self.database = self.folder / "world.sqlite"
        self.honest = self.database.read_bytes()
        self.manifest = (self.folder / "manifest.json").read_bytes()
        head = json.loads(self.manifest)
        self.rows, self.head = head["trace_rows"], head["trace_head"]

    def grade(self) -> Verdict:
        return self.stage.grader.grade_evidence(self.folder)


def pages() -> Target:
    """Up to eight patches of up to sixteen bytes: each has two bytes for the page, two for the place, one for the
    length."""
    bench = Bench()

    def check(data: bytes) -> None:
        damaged = bytearray(bench.honest)
        for _ in range(8):
            if len(data) < 6:
                break
            page, place, length = int.from_bytes(data[:2]), int.from_bytes(data[2:4]), data[4] % 16 + 1
            patch, data = data[5 : 5 + length], data[5 + length :]
            # Half of the places lie in a page's head, where damage is structure and not only content.
            start = page % (len(damaged) // 4096) * 4096 + (place % 40 if place & 0x8000 else place % 4096)
            damaged[start : start + len(patch)] = patch[: len(damaged) - start]
        bench.database.write_bytes(damaged)
        write_manifest(bench.folder, trace_rows=bench.rows, trace_head=bench.head)
        judged(bench.grade())

    return check


def rows() -> Target:
    """One cell of the trace or of the state is any text, and the chain is made to fit again."""
    bench = Bench()

    def check(data: bytes) -> None:
        if len(data) < 3:
            return
        which, row, value = data[0], data[1], data[2:].decode("utf-8", errors="replace").replace("\0", "")
        db = sqlite3.connect(":memory:", isolation_level=None)
        db.deserialize(bench.honest)
        try:
            if which % 2:
                column = TRACE_COLUMNS[which // 2 % len(TRACE_COLUMNS)]
                db.execute(f"UPDATE trace SET {column} = ? WHERE idx = ?", (value, row % bench.rows + 1))
            else:
                table, column = STATE_COLUMNS[which // 2 % len(STATE_COLUMNS)]
                db.execute(f"UPDATE {table} SET {column} = ?", (value,))
            head = chained(db)
            bench.database.write_bytes(db.serialize())
        except sqlite3.IntegrityError:
            return
        finally:
            db.close()
        write_manifest(bench.folder, trace_rows=bench.rows, trace_head=head)
        judged(bench.grade())

    return check


def chained(db: sqlite3.Connection) -> str:
    """Make the trace's chain fit its rows again; the chain's end."""
    chain = FIRST_CHAIN
    for row in db.execute("SELECT * FROM trace ORDER BY idx").fetchall():
        chain = link(chain, row)
        db.execute("UPDATE trace SET chain = ? WHERE idx = ?", (chain, row[0]))
    return chain


def manifests() -> Target:
    """Any manifest: refused, unless it says what the honest one does."""
    bench = Bench()
    honest = json.loads(bench.manifest)

    def check(data: bytes) -> None:
        (bench.folder / "manifest.json").write_bytes(data)
        verdict = bench.grade()
        judged(verdict)
        if verdict.fault is None:
            told = json.loads(data.decode("utf-8"))
            assert {**told, "world_version": ""} == {**honest, "world_version": ""}, data

    return check


def submissions() -> Target:
    """Any stored submission: an answer counts exactly where a slow reading of the JSON finds the right number."""
    bench = Bench()
    episode = bench.grade().episode
    assert episode is not None
    fields = [(16 + place, name, Decimal(str(ANSWERS[name]))) for place, name in enumerate(list(ANSWERS)[:5])]
    held = episode.snapshot["submissions"]

    def check(data: bytes) -> None:
        text = data.decode("utf-8", errors="replace")
        row = (TASK, text, "2026-02-09T09:00:00Z")
        verdict = bench.stage.grader.grade_states(
            {**episode.snapshot, "submissions": Table(held.shape, {TASK: row})}, episode.trace
        )
        judged(verdict)
        told = answers_of(text)
        for number, name, value in fields:
            right = is_right(told.get(name), value, Decimal("0.005") if name == "order_total" else Decimal(0))
            assert (number not in verdict.failed) == right, (text, name)

    return check


def answers_of(text: str) -> dict[str, object]:
    try:
        told = json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


class _Number(str):
    """A number as written, told apart from a string."""


def is_right(given: object, value: Decimal, tolerance: Decimal) -> bool:
    if not isinstance(given, _Number):
        return False
    try:
        number = Decimal(given)
    except ArithmeticError:
        return False
    if not number.is_finite() or abs(number.adjusted()) > 30:
        return False
    return number == value or abs(number - value) < tolerance
