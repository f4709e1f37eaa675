"""What many tests start from: Northbridge, its case 001, and one rendered dataset a session."""

from pathlib import Path

import pytest

from generator.dataset import build_dataset
from generator.spec.case import Case
from generator.spec.tenant import Tenant
from generator.tasks.case import find_case
from generator.tenants.load import load_tenants
from tests.attack_table import pytest_collection_modifyitems, pytest_runtest_logreport, seen

__all__ = ["pytest_collection_modifyitems", "pytest_runtest_logreport", "seen"]

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def northbridge() -> Tenant:
    return load_tenants()[0]


@pytest.fixture(scope="session")
def case_001(northbridge: Tenant) -> Case:
    return find_case([northbridge], "erpbench-001")


@pytest.fixture(scope="session")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset directory rendered by this session."""
    out = tmp_path_factory.mktemp("dataset") / "harbor_tasks"
    build_dataset(load_tenants(), out, lambda done, total: None)
    return out


@pytest.fixture(scope="session")
def task_001(rendered: Path) -> Path:
    return rendered / "erpbench-001"
