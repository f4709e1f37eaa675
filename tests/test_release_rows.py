"""What is published of tasks, files, tools and tenants, against what an agent of the world sees."""

import hashlib
import json
from collections import Counter
from pathlib import Path

from generator.qualify.episode import fresh_world
from generator.release.parquet import read_table
from generator.release.tables import ASSETS, TASKS, TENANTS, TOOLS
from tests.release_fixture import published

__all__ = ["published"]


def test_task_001_as_its_row_says_it(published: Path, rendered: Path) -> None:
    rows = read_table(published / TASKS.path)
    assert [row["task_id"] for row in rows] == [f"erpbench-{n:03d}" for n in range(1, 101)]
    row = rows[0]
    assert {name: row[name] for name in ("tenant", "family", "currency", "local_date", "points", "criteria")} == {
        "tenant": "northbridge",
        "family": "order_import",
        "currency": "USD",
        "local_date": "2026-02-09",
        "points": 100,
        "criteria": 34,
    }
    assert row["tool_servers"] == ["erpbench", "oracle_fusion", "gmail", "google_drive", "google_sheets", "slack"]
    assert [(field["name"], field["type"]) for field in row["answer_fields"]] == [
        ("accepted_lines", "integer"),
        ("rejected_lines", "integer"),
        ("imported_units", "integer"),
        ("order_total", "number"),
        ("duplicate_lines", "integer"),
    ]
    assert [status["id"] for status in row["statuses"]] == [
        "submitted",
        "held_for_credit_release",
        "imported_as_received",
        "not_imported",
    ]
    assert row["prompt"] == (rendered / "erpbench-001" / "instruction.md").read_text(encoding="utf-8")
    assert (row["harbor_task"], row["register_range"]) == ("erpbench/erpbench-001", "Register!A21:H21")
    assert len(row["sources"]) == 28


def test_the_task_contract_is_what_get_task_shows(published: Path, rendered: Path) -> None:
    row = read_table(published / TASKS.path)[41]
    with fresh_world(rendered / row["task_id"]) as world:
        shown = world.call("erpbench.get_task", {"task_id": "erpbench-042"}).result
    assert json.loads(row["task_contract"]) == shown


def test_every_native_file_once_with_its_tasks(published: Path) -> None:
    rows = read_table(published / ASSETS.path)
    assert len(rows) == len({row["sha256"] for row in rows}) == 460
    assert Counter(len(row["task_ids"]) for row in rows) == {10: 260, 1: 200}
    assert sorted({row["format"] for row in rows}) == [
        "csv",
        "docx",
        "eml",
        "json",
        "log",
        "md",
        "pdf",
        "xlsx",
        "yaml",
    ]
    for row in rows:
        assert hashlib.sha256(row["content"]).hexdigest() == row["sha256"]
        assert (published / row["path"]).read_bytes() == row["content"]
        assert row["size"] == len(row["content"])
    assert (published / "files" / "northbridge" / "24-authority-memo.eml").is_file()
    assert (published / "files" / "erpbench-042" / "task-brief.md").is_file()


def test_the_tools_are_the_catalogs(published: Path) -> None:
    rows = {row["name"]: row for row in read_table(published / TOOLS.path)}
    assert len(rows) == 52
    create = rows["oracle_fusion.sales_orders.create"]
    assert (create["server"], create["listed_name"]) == ("oracle_fusion", "sales_orders_create")
    assert (create["read_only"], create["destructive"], create["idempotent"]) == (False, False, False)
    assert create["provider_operation"] == "POST /fscmRestApi/resources/11.13.18.05/salesOrdersForOrderHub"
    assert "CustomerPONumber" in json.loads(create["input_schema"])["required"]
    assert rows["erpbench.get_task"]["provider_operation"] == ""


def test_the_tenants_in_their_order(published: Path) -> None:
    rows = read_table(published / TENANTS.path)
    assert [row["slug"] for row in rows][:2] == ["northbridge", "ziarnopiec"]
    assert {(row["files"], len(row["task_ids"])) for row in rows} == {(46, 10)}
    assert rows[1]["currency"] == "PLN"
    assert {"role": "operations_lead", "name": "Marcus Lee", "title": "Operations lead"}.items() <= next(
        person for person in rows[0]["people"] if person["role"] == "operations_lead"
    ).items()
