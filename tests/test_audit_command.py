"""`erpbench audit`: what it prints and its exit codes, on a dataset of two tasks."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.harbor.digest import task_digest

NAMES = ("erpbench-001", "erpbench-002")


def audit(dataset: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", "--dataset", str(dataset), *arguments])


@pytest.fixture
def dataset(rendered: Path, tmp_path: Path) -> Path:
    for name in ("registry.json", "dataset.lock"):
        shutil.copy(rendered / name, tmp_path)
    for name in NAMES:
        shutil.copytree(rendered / name, tmp_path / name)
    return tmp_path


def changed_price(dataset: Path) -> None:
    path = dataset / "erpbench-001" / "environment" / "seed" / "files" / "03-current-price-list.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",0.84,", ",0.94,"), encoding="utf-8")


def test_tasks_that_agree_are_counted_by_family(dataset: Path) -> None:
    result = audit(dataset, "--tasks", ",".join(NAMES))
    assert result.exit_code == 0, result.output
    assert "order_import" in result.output
    assert "audit: 2 of 2 tasks agree" in result.output


def test_a_disagreement_is_a_line_and_exit_code_1(dataset: Path) -> None:
    changed_price(dataset)
    lock = json.loads((dataset / "dataset.lock").read_text(encoding="utf-8"))
    lock["tasks"]["erpbench-001"]["digest"] = task_digest(dataset / "erpbench-001")
    (dataset / "dataset.lock").write_text(json.dumps(lock), encoding="utf-8")
    result = audit(dataset, "--tasks", ",".join(NAMES))
    assert result.exit_code == 1
    assert "erpbench-001 (order_import): order_total: expected 2757.60, derived 2877.6\n" in result.output
    assert "audit: 1 of 2 tasks agree" in result.output


def test_a_task_that_is_not_of_the_lock_s_build_is_refused(dataset: Path) -> None:
    changed_price(dataset)
    result = audit(dataset, "--tasks", "erpbench-001")
    assert result.exit_code == 2
    assert "half-written or changed" in result.stderr
