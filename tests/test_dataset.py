"""The rendered dataset: what a task directory holds, the same bytes every time, and nothing half-written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.dataset import LOCK, build_dataset, read_lock, task_directory
from generator.spec.errors import DatasetError, SpecError
from generator.tenants.load import ROOT as TENANTS
from generator.tenants.load import load_tenants

PROJECT = Path(__file__).parents[1]
NAMES = [
    "01-consolidated-order-batch.xlsx",
    "02-prior-partial-import.xlsx",
    "03-current-price-list.csv",
    "04-superseded-price-list.csv",
    "05-pick-confirmation.csv",
    "06-remittance-advice.pdf",
    "07-ar-aging.xlsx",
    "08-credit-policy.md",
    "09-reorder-policy.xlsx",
    "10-demand-forecast.csv",
    "11-supplier-invoice.pdf",
    "12-delivery-note.pdf",
    "13-ap-match-policy.md",
    "14-compliance-checklist.xlsx",
    "15-document-alert-log.csv",
    "16-shift-roster.xlsx",
    "17-shift-work-reports.csv",
    "18-channel-export.json",
    "19-customer-capture-chat.json",
    "20-headcount-approval.pdf",
    "21-candidate-register.xlsx",
    "22-wage-table.csv",
    "23-price-batch.csv",
    "24-authority-memo.eml",
    "25-source-map.yaml",
    "26-ops-audit.log",
    "starting-snapshot.json",
    "task-brief.md",
]


def test_task_001_has_its_28_files_under_the_published_names(task_001: Path) -> None:
    assert sorted(path.name for path in (task_001 / "environment/seed/files").iterdir()) == NAMES


def test_a_task_directory_stays_below_600_kb(task_001: Path) -> None:
    assert sum(path.stat().st_size for path in task_001.rglob("*") if path.is_file()) <= 600_000


def test_gold_stands_only_under_solution_and_tests_and_carries_the_canary(task_001: Path) -> None:
    plan = json.loads((task_001 / "solution/plan.json").read_text())
    contract = json.loads((task_001 / "tests/contract.json").read_text())
    assert plan["canary"] == contract["canary"]
    for path in task_001.rglob("*"):
        if path.is_file() and path.relative_to(task_001).parts[0] not in ("solution", "tests"):
            data = path.read_bytes()
            assert b"2757.6" not in data, path
            assert b"27576000" not in data, path


def test_the_committed_lock_is_what_a_build_comes_to(rendered: Path) -> None:
    assert read_lock(rendered) == read_lock(PROJECT / "harbor_tasks")


def test_another_time_zone_and_hash_seed_give_the_same_bytes(rendered: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    environment = {**os.environ, "TZ": "Pacific/Auckland", "PYTHONHASHSEED": "7", "LC_ALL": "C"}
    command = [sys.executable, "-m", "generator.cli", "dataset", "--out", str(out)]
    subprocess.run(command, env=environment, check=True, capture_output=True, cwd=PROJECT)
    assert (out / LOCK).read_bytes() == (rendered / LOCK).read_bytes()
    assert (out / "erpbench-001/tests/baseline.sqlite.gz").read_bytes() == (
        rendered / "erpbench-001/tests/baseline.sqlite.gz"
    ).read_bytes()


def test_a_half_written_directory_is_refused(tmp_path: Path) -> None:
    build_dataset(load_tenants(), tmp_path, lambda done, total: None)
    (tmp_path / "erpbench-001/tests/contract.json").unlink()
    with pytest.raises(DatasetError, match=r"erpbench-001: half-written or changed: expected sha256:\w+, came sha256"):
        task_directory(tmp_path, "erpbench-001")


def test_a_failed_build_leaves_an_earlier_one_as_it_was(tmp_path: Path) -> None:
    build_dataset(load_tenants(), tmp_path, lambda done, total: None)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    tenant = load_tenants()[0]
    items = (*tenant.profile.items, tenant.profile.items[0])
    broken = tenant.model_copy(update={"profile": tenant.profile.model_copy(update={"items": items})})
    with pytest.raises(SpecError, match="table items"):
        build_dataset([broken], tmp_path, lambda done, total: None)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_spec_with_a_wrong_field_is_named(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(TENANTS / "northbridge", tmp_path / "northbridge")
    profile = tmp_path / "northbridge" / "profile.yaml"
    profile.write_text(profile.read_text().replace("number: 0", "number: eleven"))
    with pytest.raises(SpecError, match=r"profile\.yaml: number: Input should be a valid integer.*came 'eleven'"):
        load_tenants(tmp_path)
