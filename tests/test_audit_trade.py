"""The audit of the trade families: it agrees with the gold of the release, and a changed figure makes it disagree.

Each change is made in one place of a copy of a rendered task; what the SQL then comes to is worked out by hand.
"""

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import docx
import openpyxl
import pytest

from generator.audit.documents import Reader
from generator.audit.load import load
from generator.audit.run import AuditResult, audit_tasks, derive

FILES = Path("environment", "seed", "files")
WORLD = Path("environment", "seed", "world.sqlite")
FAMILIES = (
    "order_import",
    "shipment_verification",
    "receivables_collection",
    "inventory_reorder",
    "receiving_ap_match",
)


def in_text(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(task: Path) -> None:
        path = task / FILES / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    return change


def in_workbook(file: str, sheet: str, cell: str, old: object, new: object) -> Callable[[Path], None]:
    def change(task: Path) -> None:
        path = task / FILES / file
        book = openpyxl.load_workbook(path)
        assert book[sheet][cell].value == old
        book[sheet][cell].value = new
        book.save(path)

    return change


def in_word(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(task: Path) -> None:
        path = task / FILES / file
        document = docx.Document(str(path))
        (paragraph,) = (p for p in document.paragraphs if old in p.text)
        paragraph.runs[0].text = paragraph.text.replace(old, new)
        for run in paragraph.runs[1:]:
            run.text = ""
        document.save(str(path))

    return change


def in_world(statement: str, *values: object) -> Callable[[Path], None]:
    def change(task: Path) -> None:
        with sqlite3.connect(task / WORLD) as connection:
            assert connection.execute(statement, values).rowcount == 1

    return change


def audited(task: Path) -> AuditResult:
    (result,) = audit_tasks([task])
    return result


@pytest.fixture
def copied(rendered: Path, tmp_path: Path) -> Callable[[str], Path]:
    def copy(task: str) -> Path:
        return Path(shutil.copytree(rendered / task, tmp_path / task))

    return copy


@pytest.fixture(scope="module")
def results(rendered: Path) -> list[AuditResult]:
    """Of the first five tasks of every tenant, in their order."""
    return audit_tasks([rendered / f"erpbench-{tenant + n:03d}" for tenant in range(0, 100, 10) for n in range(1, 6)])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_ten_tasks_of_a_family_agree(results: list[AuditResult], family: str) -> None:
    of_family = [result for result in results if result.family == family]
    assert len(of_family) == 10
    assert [(result.task_id, result.differences) for result in of_family if not result.agreed] == []


def test_the_first_task_comes_to_the_figures_of_the_seed(task_001: Path) -> None:
    assert audited(task_001).derived == {
        "accepted_lines": 5,
        "rejected_lines": 3,
        "imported_units": 3160,
        "order_total": Decimal("2757.60"),
        "duplicate_lines": 2,
        "decision": "import_accepted_lines_and_submit",
        "status": "submitted",
    }


@pytest.mark.parametrize(
    ("task", "change", "differences"),
    [
        # 1,200 bolts at 0.94 instead of 0.84.
        (
            "erpbench-001",
            in_text("03-current-price-list.csv", 'zinc",0.84,Active', 'zinc",0.94,Active'),
            ["order_total: expected 2757.60, derived 2877.6"],
        ),
        # The earlier order cancelled: its lines 5 (450 at 0.84) and 8 (500 at 0.19) go in.
        (
            "erpbench-001",
            in_world("UPDATE sales_orders SET StatusCode = 'Cancelled' WHERE OrderNumber = 'SO-NBR-40039'"),
            [
                "accepted_lines: expected 5, derived 7",
                "rejected_lines: expected 3, derived 1",
                "imported_units: expected 3160, derived 4110",
                "order_total: expected 2757.60, derived 3230.6",
                "duplicate_lines: expected 2, derived 0",
            ],
        ),
        # A hold on the account stops the submission, whatever the figures.
        (
            "erpbench-001",
            in_world("UPDATE accounts SET CreditHoldFlag = 1 WHERE AccountId = 'CUST-10412'"),
            [
                "decision: expected import_accepted_lines_and_submit, derived import_accepted_lines_hold_for_credit",
                "status: expected submitted, derived held_for_credit_release",
            ],
        ),
        # The release form countersigned: the order goes in.
        (
            "erpbench-011",
            in_workbook(
                "01-consolidated-order-batch.xlsx",
                "Cover",
                "B8",
                "RF-PS-6965, not signed yet",
                "RF-PS-6965, countersigned 2026-03-17",
            ),
            [
                "decision: expected stop_and_escalate_batch, derived import_accepted_lines_and_submit",
                "status: expected not_imported, derived submitted",
            ],
        ),
        # 110 anchors picked of 120 staged: 10 more come off, and 40 at 2.33 less can ship.
        (
            "erpbench-002",
            in_text("05-pick-confirmation.csv", "ANC-12-100,LOT-2395,150,", "ANC-12-100,LOT-2395,110,"),
            [
                "units_removed: expected 2440, derived 2450",
                "shippable_value: expected 1867.50, derived 1774.3",
            ],
        ),
        # LOT-2418 released as well: its 400 pieces at 0.80 ship, and one line fewer is held.
        (
            "erpbench-002",
            in_world(
                "UPDATE mail SET body = replace(body, 'now: LOT-2417.', 'now: LOT-2417 and LOT-2418.')"
                " WHERE id = 'MSG-NBR-LOT-STATUS-0208'"
            ),
            [
                "units_removed: expected 2440, derived 2040",
                "lines_held: expected 2, derived 1",
                "shippable_value: expected 1867.50, derived 2187.5",
            ],
        ),
        # 3.41 % of the limit is past due: more than 3 %.
        (
            "erpbench-003",
            in_text("08-credit-policy.md", "is at most 15 % of the limit", "is at most 3 % of the limit"),
            [
                "decision: expected apply_receipt_terms_continue, derived apply_receipt_recommend_hold",
                "status: expected applied_in_terms, derived applied_hold_recommended",
            ],
        ),
        # The oldest invoice is 18 days past due: more than 10.
        (
            "erpbench-043",
            in_word("08-credit-policy.docx", "more than 60 days past due", "more than 10 days past due"),
            [
                "decision: expected apply_receipt_terms_continue, derived apply_receipt_recommend_hold",
                "status: expected applied_in_terms, derived applied_hold_recommended",
            ],
        ),
        # 5,500 bolts of the first supplier at 0.43 instead of 0.41.
        (
            "erpbench-004",
            in_workbook("09-reorder-policy.xlsx", "R4", "G2", 0.41, 0.43),
            ["requisition_amount: expected 3266.00, derived 3376"],
        ),
        # The spending release valid to the end of June.
        (
            "erpbench-044",
            in_world(
                "UPDATE mail SET body = replace(body, 'through 2026-06-13;', 'through 2026-06-30;')"
                " WHERE id = 'MSG-SPH-SPENDING-RELEASE-0520'"
            ),
            [
                "decision: expected stop_refer_to_purchasing, derived requisition_and_submit",
                "status: expected not_requested, derived submitted_for_approval",
            ],
        ),
        # 40 coils at 87.90 instead of 86.40: 60.00 off, within 2 % and a cap of 140.00.
        (
            "erpbench-005",
            in_text("13-ap-match-policy.md", "by at most USD 40.00 for the line", "by at most USD 140.00 for the line"),
            [
                "lines_matched: expected 2, derived 3",
                "matched_amount: expected 1411.20, derived 4927.2",
                "held_lines: expected 3, derived 2",
            ],
        ),
    ],
)
def test_a_changed_figure_makes_it_disagree(
    copied: Callable[[str], Path], task: str, change: Callable[[Path], None], differences: Sequence[str]
) -> None:
    folder = copied(task)
    change(folder)
    assert audited(folder).differences == differences


def test_nothing_but_the_seed_directory_is_needed(rendered: Path, tmp_path: Path) -> None:
    shutil.copytree(rendered / "erpbench-025" / "environment", tmp_path / "environment")
    derived = derive(load(tmp_path, Reader()))
    (whole,) = audit_tasks([rendered / "erpbench-025"])
    assert derived == whole.derived
