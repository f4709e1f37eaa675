"""The containers that the engine tests look into. Each test file's stacks are started once and removed at the end."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.harbor.program import HarborError, harbor_program
from generator.harbor.run import chosen_tasks, preflight
from generator.spec.errors import ErpbenchError
from tests.e2e.stack import Stack, main_image

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The rendered dataset (ERPBENCH_E2E_DATASET, or harbor_tasks/), with its images on a running engine."""
    folder = Path(os.environ.get("ERPBENCH_E2E_DATASET", ROOT / "harbor_tasks")).resolve()
    try:
        preflight(folder, chosen_tasks(folder, "all")[:1])
    except ErpbenchError as error:
        pytest.skip(f"needs a Docker engine, `make dataset` and `make images`: {error}")
    return folder


@pytest.fixture(scope="session")
def task(dataset: Path) -> Path:
    return dataset / chosen_tasks(dataset, "all")[0]


@pytest.fixture(scope="session")
def harbor() -> Path:
    try:
        return harbor_program()
    except HarborError as error:
        pytest.skip(f"needs `make harbor`: {error}")


@pytest.fixture(scope="session", autouse=True)
def default_network() -> Iterator[None]:
    """The tests speak of the default; a switch that happens to be set here must not open the agent's network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ERPBENCH_AGENT_NETWORK", raising=False)
        yield


@pytest.fixture(scope="module")
def episode(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The agent's container and the world."""
    overlay = tmp_path_factory.mktemp("episode") / "main.yaml"
    stack = Stack(f"erpbench-e2e-{os.getpid()}", task / "environment", main_image(task, "environment"), overlay)
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()


@pytest.fixture(scope="module")
def grading(task: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The verifier's container."""
    overlay = tmp_path_factory.mktemp("grading") / "main.yaml"
    stack = Stack(f"erpbench-e2e-grade-{os.getpid()}", task / "tests", main_image(task, "verifier"), overlay)
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()
