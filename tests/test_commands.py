"""What each command prints and leaves when all goes well, and the tables of inspect and rules by their figures."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.dataset import build_dataset, read_lock, spread_tasks
from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.spec.errors import DatasetError
from generator.spec.plan import OraclePlan
from generator.tenants.load import load_tenants

ROOT = Path(__file__).parents[1]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_check_rebuilds_and_agrees_or_names_what_differs(rendered: Path, tmp_path: Path) -> None:
    result = run("dataset", "--check", "--out", rendered)
    assert result.exit_code == 0
    assert "every digest as in" in result.output
    lock = json.loads((rendered / "dataset.lock").read_text())
    lock["tasks"]["erpbench-001"]["assets"]["07-ar-aging.xlsx"] = "0" * 64
    (tmp_path / "dataset.lock").write_text(json.dumps(lock))
    result = run("dataset", "--check", "--out", tmp_path)
    assert result.exit_code == 2
    assert "erpbench-001: files 07-ar-aging.xlsx" in result.stderr


def test_a_lock_of_another_version_or_shape_is_refused(rendered: Path, tmp_path: Path) -> None:
    lock = json.loads((rendered / "dataset.lock").read_text())
    (tmp_path / "dataset.lock").write_text(json.dumps({**lock, "schema_version": 9}))
    with pytest.raises(DatasetError, match="expected schema version 1, came 9"):
        read_lock(tmp_path)
    (tmp_path / "dataset.lock").write_text('{"schema_version": 1, "tasks": [1]}')
    with pytest.raises(DatasetError, match="not a dataset lock"):
        read_lock(tmp_path)


def test_a_render_replaces_only_what_a_render_with_its_seed_made(rendered: Path, tmp_path: Path) -> None:
    twin, release, notes = tmp_path / "twin", tmp_path / "release", tmp_path / "notes"
    for folder, name in ((twin, "dataset.lock"), (release, "manifest.json"), (notes, "todo.txt")):
        folder.mkdir()
        (folder / name).write_bytes((rendered / "dataset.lock").read_bytes())
    for folder, reason in ((twin, "holds the dataset of seed 100"), (release, "a release"), (notes, "other files")):
        result = run("dataset", "--seed", "7", "--out", folder)
        assert (result.exit_code, len(list(folder.iterdir()))) == (2, 1)
        assert reason in result.stderr


def test_a_datasets_registry_names_its_own_folder(tmp_path: Path) -> None:
    build_dataset(load_tenants(seed=7)[:1], tmp_path / "mine", lambda done, total: None, 7)
    (dataset,) = json.loads((tmp_path / "mine" / "registry.json").read_text())
    assert {task["path"].split("/")[0] for task in dataset["tasks"]} == {"mine"}


def test_a_few_tasks_meet_every_tenant_and_family() -> None:
    names = [f"erpbench-{number:03d}" for number in range(1, 101)]
    chosen = [int(name[-3:]) - 1 for name in spread_tasks(names)]
    assert len(chosen) == 10
    assert {number // 10 for number in chosen} == {number % 10 for number in chosen} == set(range(10))
    assert spread_tasks(names[:10]) == names[:10]


def test_inspect_shows_request_gold_mistakes_and_criteria(rendered: Path) -> None:
    result = run("inspect", "erpbench-001", "--dataset", rendered)
    assert result.exit_code == 0
    for text in (
        "Cascade Assembly Inc.",
        "2757.60",
        "2617.80*",
        "FILE-NBR-PRICE-LIST-2025H2",
        "34 criteria, 100 points",
    ):
        assert text in result.output


def test_inspect_unpacks_the_28_files(rendered: Path) -> None:
    result = run("inspect", "erpbench-001", "--dataset", rendered, "--open")
    found = re.search(r"28 files in (\S+)", result.output)
    assert found is not None
    assert (Path(found[1]) / "06-remittance-advice.pdf").read_bytes().startswith(b"%PDF-")
    shutil.rmtree(Path(found[1]).parent)


def test_rules_hold_for_the_release() -> None:
    result = run("rules")
    assert (result.exit_code, result.output.strip().splitlines()[-1][-11:]) == (0, " 0 problems")


def test_grade_explains_an_episode(rendered: Path, tmp_path: Path) -> None:
    task = rendered / "erpbench-001"
    plan = OraclePlan.model_validate_json((task / "solution" / "plan.json").read_text())
    with fresh_world(task, tmp_path / "data") as world:
        run_plan(world, plan.model_copy(update={"calls": plan.calls[:-2]}))
        folder = evidence(world)
    result = run("grade", folder, "--task", "erpbench-001", "--dataset", rendered)
    assert "erpbench-001: 63 of 100" in result.output  # no submission: five answers, the option, its readback
    assert "no answer was submitted" in result.output
    result = run("grade", folder.parent, "--task", "erpbench-001", "--dataset", rendered)
    assert result.exit_code == 2
    assert "the snapshot is in" in result.stderr


def test_replay_of_the_plan_differs_in_nothing(rendered: Path) -> None:
    plan = rendered / "erpbench-001" / "solution" / "plan.json"
    result = run("replay", plan, "--task", "erpbench-001", "--dataset", rendered)
    assert result.exit_code == 0
    assert "28 calls, 0 differ" in result.output


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_world_serves_until_told_to_stop_and_keeps_its_snapshot(
    rendered: Path, tmp_path: Path, stop: signal.Signals
) -> None:
    keep = tmp_path / "kept"
    command = [sys.executable, "-m", "generator.cli", "world", "--task", "erpbench-001", "--port", "0"]
    command += ["--dataset", str(rendered), "--keep", str(keep)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": f"{ROOT}:{ROOT / 'images/world'}"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as served:
        assert served.stdout is not None
        served.stdout.readline()
        hint = served.stdout.readline()
        url, program = re.findall(r"ERP_URL=(\S+) python3 (\S+) list", hint)[0]
        wait_for(f"{url}/healthz")
        listed = subprocess.run(
            [sys.executable, ROOT / program, "list", "slack"],
            env={"ERP_URL": url},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "slack.chat_postMessage" in listed.stdout
        served.send_signal(stop)
        served.wait(timeout=20)
    assert sorted(path.name for path in (keep / "export").iterdir()) == ["manifest.json", "world.sqlite"]


def wait_for(url: str) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2) as answer:
            if answer.status == 200:
                return
        time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
