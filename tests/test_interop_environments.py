"""The real consumers on three tasks of the rendered dataset: they load them, and one that is broken is named."""

import json
import os
import shutil
from pathlib import Path

import pytest

from generator.images.definition import PROJECT_ROOT
from generator.interop.consumers import CONSUMERS, Consumer
from generator.interop.run import InteropRequest, Result, expected_tasks, run_consumer
from generator.interop_command import ENVIRONMENTS

NAMES = ("erpbench-001", "erpbench-002", "erpbench-003")
RENDERED = PROJECT_ROOT / "harbor_tasks"
# Harbor takes fractions from 0.25 on; 0.24, which verifiers brings, and inspect-harbor do not.
REFUSED_CPUS = {"harbor": '"one"', "inspect": "0.5", "verifiers": "0.5", "nemo": '"one"'}
INSTALLED = Path(os.environ.get(ENVIRONMENTS) or PROJECT_ROOT)


@pytest.fixture(params=CONSUMERS, ids=lambda consumer: consumer.name)
def consumer(request: pytest.FixtureRequest) -> Consumer:
    chosen: Consumer = request.param
    if not (INSTALLED / chosen.environment / f"{chosen.lock}.stamp").is_file():
        pytest.skip(f"{chosen.environment} is not installed; `make {chosen.target}` installs it")
    return chosen


@pytest.fixture
def three_tasks(tmp_path: Path) -> Path:
    """A copy of three tasks, with a registry of their own."""
    if not (RENDERED / NAMES[0] / "task.toml").is_file():
        pytest.skip("no rendered tasks; `make dataset` renders them")
    for name in NAMES:
        shutil.copytree(RENDERED / name, tmp_path / "tasks" / name)
    (entry,) = json.loads((RENDERED / "registry.json").read_text(encoding="utf-8"))
    entry["tasks"] = [task for task in entry["tasks"] if Path(task["path"]).name in NAMES]
    (tmp_path / "tasks" / "registry.json").write_text(json.dumps([entry]), encoding="utf-8")
    return tmp_path / "tasks"


def run(consumer: Consumer, dataset: Path) -> Result:
    request = InteropRequest(dataset, INSTALLED, tasks=len(NAMES))
    return run_consumer(consumer, request, *expected_tasks(request))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_a_consumer_leaves_out_or_changes_is_told_by_name(consumer: Consumer, three_tasks: Path) -> None:
    """Cpus that it refuses: it leaves such a task out without an error, or stops there; the count and its name tell.

    A canary line at the top of an instruction: all strip it, so what they read is not what stands there.
    """
    edit(three_tasks / "erpbench-001" / "instruction.md", "**Northbridge", "# canary 1234\n**Northbridge")
    edit(three_tasks / "erpbench-002" / "task.toml", "\ncpus = 1\n", f"\ncpus = {REFUSED_CPUS[consumer.name]}\n")
    result = run(consumer, three_tasks)
    assert not result.complete
    for reading in result.readings:
        assert (reading.expected, reading.loaded < 3) == (3, True)
        (broken,) = [line for line in reading.problems if line.startswith("erpbench-002")]
        assert "not loaded:" in broken
        assert "cpus" in broken
    folder, _ = result.readings
    (changed,) = [line for line in folder.problems if line.startswith("erpbench-001")]
    assert f"{'prompt' if 'prompt' in consumer.fields else 'instruction'}: expected" in changed
