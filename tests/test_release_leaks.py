"""Nothing of gold is in the published folder outside trajectories/, and gold that is put there is found."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.release.columns import Column, PublishedTable
from generator.release.gold import read_gold
from generator.release.leaks import figures, find_leaks
from generator.release.parquet import write_table
from generator.release.tables import TABLES
from tests.release_fixture import published

__all__ = ["published"]

HIDDEN_NAMES = {
    "contract.json",
    "plan.json",
    "solve.sh",
    "run_plan.py",
    "baseline.sqlite.gz",
    "world.sqlite",
    "test.sh",
}
ANSWERS = {
    "accepted_lines": 5,
    "rejected_lines": 3,
    "imported_units": 3160,
    "order_total": 2757.6,
    "duplicate_lines": 2,
}
"""Task 001's, as the seed has them."""

ORDER = {
    "BuyingPartyNumber": "CUST-10412",
    "CustomerPONumber": "CA-PO-77310",
    "RequestedFulfillmentOrganizationCode": "NBR1",
    "SourceTransactionNumber": "FILE-NBR-ORDER-BATCH-0209",
    "SourceTransactionSystem": "OPS",
    "TransactionType": "Standard Orders",
}
ALTERED = PublishedTable("assets", "", (Column("name", ""), Column("content", "", "binary")), ("name",))


def test_the_published_folder_has_no_gold(published: Path, rendered: Path) -> None:
    assert find_leaks(published, rendered) == []


def test_no_hidden_file_is_there_under_its_name(published: Path) -> None:
    assert not HIDDEN_NAMES & {path.name for path in published.rglob("*")}


def test_no_column_is_named_after_gold() -> None:
    names = {m.name for t in TABLES if t.name != "trajectories" for c in t.columns for m in (c, *c.members)}
    assert not names & {"solution", "checks", "gold", "answers", "decision", "plan", "expected", "trajectory"}


def test_the_gold_of_task_001(task_001: Path) -> None:
    gold = read_gold(task_001)
    assert {field: float(value) for field, value in gold.answers.items()} == ANSWERS
    assert gold.option == "import_accepted_lines_and_submit"
    assert ORDER in gold.rows
    assert "Submit order_total as the evidence has it (2757.60)." in gold.sentences


def test_figures_of_a_text() -> None:
    assert [str(figure) for figure in figures("3 lines, -2,757.60 in all; 27576,5")] == ["3", "2757.60", "27576", "5"]


def write(name: str, value: object) -> Callable[[Path, Path], None]:
    def plant(folder: Path, task: Path) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / name).write_text(text, encoding="utf-8")

    return plant


def hidden(name: str, to: str) -> Callable[[Path, Path], object]:
    return lambda folder, task: (folder / to).write_bytes((task / name).read_bytes())


def cell(value: object) -> Callable[[Path, Path], None]:
    table = PublishedTable("planted", "", (Column("note", ""),), ("note",))
    return lambda folder, task: write_table(table, [{"note": value}], folder / "planted.parquet", "")


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (hidden("tests/contract.json", "c.bin"), "c.bin: is a hidden file (erpbench-001, contract.json)"),
        (hidden("solution/plan.json", "trajectories/x.json"), "is a hidden file (erpbench-001, plan.json)"),
        (write("notes.json", {"rows": [ANSWERS]}), "notes.json: erpbench-001: its figures, by name"),
        (
            write("notes.json", {"a": [5, 3, 3160, 2757.6, 2]}),
            "notes.json: erpbench-001: its figures, one after another",
        ),
        (write("notes.md", "Right: 5, 3, 3,160, 2,757.60 and 2."), "erpbench-001: its figures, one after another"),
        (write("notes.json", {"decision": "import_accepted_lines_and_submit"}), "a decision: import_accepted_lines_"),
        (write("notes.json", ORDER | {"SubmittedFlag": True}), "notes.json: erpbench-001: an expected record"),
        (write("notes.json", {"solution": "later"}), "notes.json: the key solution"),
        (cell("Submit order_total as the evidence has it (2757.60)."), "planted.parquet: erpbench-001: a criterion's"),
        (cell(json.dumps({"checks": []})), "planted.parquet: the key checks"),
        (cell(json.dumps(ANSWERS)), "planted.parquet: erpbench-001: its figures, by name"),
        (write("files/x.txt", "the answer"), "files/x.txt: is no file of a task's drive"),
    ],
)
def test_planted_gold_is_found(
    plant: Callable[[Path, Path], None], found: str, rendered: Path, task_001: Path, tmp_path: Path
) -> None:
    for folder in ("files", "trajectories"):
        (tmp_path / folder).mkdir()
    plant(tmp_path, task_001)
    assert any(found in leak for leak in find_leaks(tmp_path, rendered))


def test_a_file_of_a_drive_that_was_written_over_is_found(published: Path, rendered: Path, tmp_path: Path) -> None:
    shutil.copytree(published / "files" / "northbridge", tmp_path / "files" / "northbridge")
    write_table(ALTERED, [{"name": "a.csv", "content": b"5,3,3160"}], tmp_path / "assets.parquet", "")
    (tmp_path / "files" / "northbridge" / "26-ops-audit.log").write_text("nothing", encoding="utf-8")
    assert find_leaks(tmp_path, rendered) == [
        "assets.parquet: a.csv: is no file of a task's drive",
        "files/northbridge/26-ops-audit.log: is no file of a task's drive",
    ]
