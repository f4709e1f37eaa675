"""What many tests start from: Northbridge, its case 001, and one rendered dataset a session."""

import os
from pathlib import Path

import pytest

from generator.dataset import build_dataset
from generator.leaderboard.release import Release, read_release
from generator.spec.case import Case
from generator.spec.tenant import Tenant
from generator.tasks.case import find_case
from generator.tenants.load import load_tenants
from tests.attack_table import pytest_collection_modifyitems, pytest_runtest_logreport, seen
from tests.leaderboard_fixture import Studio

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


@pytest.fixture(scope="session")
def release(rendered: Path) -> Release:
    return read_release(rendered)


@pytest.fixture(scope="session")
def studio(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """Jobs of the leaderboard's tests are made here; an episode that one of them has played is not played again."""
    return Studio(release, tmp_path_factory.mktemp("studio"))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where ERPBENCH_NO_SKIPS is set, a machine that lacks what a test needs is a fault of the check, and fails it."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and exitstatus == pytest.ExitCode.OK and os.environ.get("ERPBENCH_NO_SKIPS"):
        for report in skipped:
            reporter.write_line(f"skipped, and nothing may be: {report.nodeid}: {report.longrepr[2]}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
