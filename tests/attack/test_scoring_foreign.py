"""Records that are near the task's and none of its business, changed beside a perfect run of the real world.

Expected points: the primary record is worth 10 (criterion 23), nothing else changed 3 (33).
"""

import json
import sqlite3
from pathlib import Path

import pytest

from generator.qualify.script import Step
from tests.attack.scoring import SUBMIT, Played
from tests.attack_table import Seen

WORLD = "environment/seed/world.sqlite"


def one(task: Path, query: str) -> str:
    """The one value that the task's world has for a query."""
    with sqlite3.connect(f"file:{task / WORLD}?mode=ro", uri=True) as database:
        ((value,),) = database.execute(query).fetchall()
    return str(value)


@pytest.mark.attack("scoring", "another invoice of the supplier is released", expected="not strict, 23 fails", flaw=6)
def test_another_invoice_of_the_same_supplier_is_released(rendered: Path, seen: Seen) -> None:
    """INV20260841 of 025: keyed from a paper copy, unpaid, not of this delivery."""
    task = rendered / "erpbench-025"
    where = "InvoiceNumber='INV20260841'"
    arguments = {
        "task_id": "erpbench-025",
        "InvoiceNumber": "INV20260841",
        "ProcessAction": "Validate",
        "Supplier": one(task, f"SELECT Supplier FROM invoices WHERE {where}"),
        "BusinessUnit": one(task, f"SELECT BusinessUnit FROM invoices WHERE {where}"),
    }
    played = Played(task)
    failed, score = played.grade(played.before(SUBMIT, Step("oracle_fusion.invoices.validate", arguments)))
    seen(f"score {score}, failed {failed}")
    assert (failed, score) == ((23,), 90)


@pytest.mark.attack(
    "scoring", "another customer's tax id is changed and put back", expected="not strict, 33 fails", flaw=6
)
@pytest.mark.parametrize("task_id", ["erpbench-008", "erpbench-048", "erpbench-098"])
def test_another_customers_tax_id_is_changed_and_put_back(rendered: Path, seen: Seen, task_id: str) -> None:
    task = rendered / task_id
    value = json.loads(one(task, "SELECT value FROM cells WHERE cell='Customers!D2'"))
    sheet = one(task, "SELECT value FROM meta WHERE name='spreadsheet_id'")
    steps = [
        Step(
            "google_sheets.spreadsheets.values.update",
            {
                "task_id": task_id,
                "spreadsheetId": sheet,
                "range": "Customers!D2",
                "valueInputOption": "RAW",
                "values": [[text]],
            },
        )
        for text in ("XX-000", value)
    ]
    played = Played(task)
    failed, score = played.grade(played.before(SUBMIT, *steps))
    seen(f"score {score}, failed {failed}")
    assert (failed, score) == ((33,), 97)
