"""Our own checks of a task directory: a right one has no problem, each damage gives its own line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.harbor.shape import task_problems
from tests.harbor_fixture import CANARY, write_task

AGENT_SIDE = "environment/docker-compose.yaml"
VERIFIER_SIDE = "tests/docker-compose.yaml"


def test_a_rendered_task_has_no_problem(tmp_path: Path) -> None:
    assert task_problems(write_task(tmp_path)) == []


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def damage(task: Path) -> None:
        text = (task / name).read_text()
        assert old in text
        (task / name).write_text(text.replace(old, new))

    return damage


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda task: (task / "tests/contract.json").unlink(), "tests/contract.json: missing"),
        (lambda task: (task / "notes.txt").write_text("x"), "notes.txt: not a file of a task"),
        (lambda task: (task / "solution/solve.sh").chmod(0o644), "solution/solve.sh: not executable"),
        (replaced("task.toml", '"1.4"', '"1.3"'), "task.toml: schema_version '1.3', expected '1.4'"),
        (replaced("task.toml", "erpbench-001", "erpbench-002"), "task.toml: name 'erpbench/erpbench-002' is not the"),
        (replaced("task.toml", "cpus = 1", "cpus = 1.5"), "task.toml: environment.cpus is 1.5, expected an integer"),
        (replaced("task.toml", "[verifier]", "[verifier]\nuser = 1"), "task.toml: the verifier and its collect hooks"),
        (replaced("task.toml", 'service = "world"\n', 'service = "wurld"\n'), "task.toml: names the service wurld"),
        (
            replaced(AGENT_SIDE, "internal: true", "internal: false"),
            f"{AGENT_SIDE}: the sealed network is not internal",
        ),
        (replaced(AGENT_SIDE, ":-sealed", ""), f"{AGENT_SIDE}: a variable without a default"),
        (replaced(AGENT_SIDE, "seed:ro", "seed"), f"{AGENT_SIDE}: world: ./seed:/seed is a writable bind mount"),
        (replaced(AGENT_SIDE, "    mem_limit: 384m\n", ""), f"{AGENT_SIDE}: world: expected mem_limit"),
        (
            replaced(AGENT_SIDE, "    memswap_limit: 384m\n", ""),
            f"{AGENT_SIDE}: world: expected a memswap_limit like its mem_limit",
        ),
        (replaced(AGENT_SIDE, "size=32m,", ""), f"{AGENT_SIDE}: world: tmpfs /tmp has no size"),
        (replaced(AGENT_SIDE, "size=16m,", ""), f"{AGENT_SIDE}: main: volume main-solution has no size, and no"),
        (replaced(AGENT_SIDE, "fsize: ", "nofile: "), f"{AGENT_SIDE}: world: volume world-data has no size, and no"),
        (replaced(VERIFIER_SIDE, "size=64m,", ""), f"{VERIFIER_SIDE}: main: volume logs has no size, and no"),
        (replaced(VERIFIER_SIDE, "pids_limit: 64", "pids_limit: 0"), f"{VERIFIER_SIDE}: main: expected pids_limit"),
        (
            replaced(AGENT_SIDE, "\n  world:\n", "\n  world:\n    container_name: w\n"),
            f"{AGENT_SIDE}: world.container_name",
        ),
        (replaced(AGENT_SIDE, "read_only: true", "read_only: false"), f"{AGENT_SIDE}: main: expected read_only"),
        (replaced("tests/contract.json", CANARY, ""), "tests/contract.json: has no canary"),
        (replaced("instruction.md", "order", CANARY), "instruction.md: has the canary, and is not gold"),
    ],
)
def test_each_damage_is_named(tmp_path: Path, damage: Callable[[Path], None], problem: str) -> None:
    task = write_task(tmp_path)
    damage(task)
    assert any(line.startswith(f"erpbench-001/{problem}") for line in task_problems(task)), task_problems(task)
