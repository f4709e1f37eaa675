"""The skeleton's task, its verdict on a snapshot, and trials in turns (with stand-ins for the engine)."""

import runpy
import sqlite3
import tomllib
from pathlib import Path

import pytest
import yaml

from generator.bench import trials
from generator.bench.figures import BenchError
from generator.bench.trials import NAME, SKELETON, measure_trials, write_skeleton
from generator.harbor.run import RunRequest, dataset_tasks, images_of
from generator.harbor.trials import Trial


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    (tmp_path / "skeleton").mkdir()
    return write_skeleton(tmp_path / "skeleton", "erpbench100/", "1.0.0")


def test_the_skeleton_has_the_shape_of_our_tasks(skeleton: Path) -> None:
    assert dataset_tasks(skeleton.parent) == (NAME,)
    assert images_of(skeleton) == [f"erpbench100/{name}:1.0.0" for name in ("agent", "world", "verifier")]
    config = tomllib.loads((skeleton / "task.toml").read_text())
    assert config["task"]["name"] == f"erpbench/{NAME}"
    assert config["environment"]["mcp_servers"][0]["url"] == "http://world:8000/mcp/bare"
    services = yaml.safe_load((skeleton / "environment" / "docker-compose.yaml").read_text())["services"]
    assert sorted(services) == ["main", "world"]
    assert services["main"]["networks"] == ["sealed"]
    verifier = yaml.safe_load((skeleton / "tests" / "docker-compose.yaml").read_text())["services"]["main"]
    assert verifier["network_mode"] == "none"


def test_nothing_of_the_template_is_left_and_scripts_can_run(skeleton: Path) -> None:
    for path in skeleton.rglob("*"):
        if path.is_file() and path.suffix != ".sqlite":
            assert "{{" not in path.read_text(), path
    for script in ("solution/solve.sh", "tests/test.sh"):
        assert (skeleton / script).stat().st_mode & 0o777 == 0o755
    with sqlite3.connect(skeleton / "environment" / "seed" / "items.sqlite") as database:
        rows = database.execute("SELECT ItemNumber, ItemStatusValue FROM items ORDER BY 1").fetchall()
    assert rows == [("B-1", "Active"), ("B-2", "Active"), ("B-3", "Active")]


@pytest.mark.parametrize(
    ("change", "reward"),
    [
        ("UPDATE items SET ItemStatusValue = 'Inactive' WHERE ItemNumber = 'B-2'", 1.0),
        ("UPDATE items SET ItemStatusValue = 'Active' WHERE ItemNumber = 'B-2'", 0.0),
        ("UPDATE items SET ItemStatusValue = 'Inactive'", 0.0),
        ("DELETE FROM items WHERE ItemNumber = 'B-1'", 0.0),
    ],
)
def test_the_skeletons_verdict_on_its_own_snapshot(tmp_path: Path, change: str, reward: float) -> None:
    (tmp_path / "export").mkdir()
    with sqlite3.connect(tmp_path / "items.sqlite") as database:
        database.executescript((SKELETON / "environment/seed/items.sql").read_text())
        database.execute(change)
    database.close()
    runpy.run_path(str(SKELETON / "environment/seed/snapshot.py"))["main"](tmp_path)
    verify = runpy.run_path(str(SKELETON / "tests/verify.py"))["reward"]
    assert verify(tmp_path / "export") == reward


def test_missing_or_damaged_evidence_is_nothing(tmp_path: Path) -> None:
    verify = runpy.run_path(str(SKELETON / "tests/verify.py"))["reward"]
    assert verify(tmp_path) == 0.0
    (tmp_path / "manifest.json").write_text('{"sha256": "0"}')
    (tmp_path / "items.sqlite").write_bytes(b"no database")
    assert verify(tmp_path) == 0.0


def trial(task: str, seconds: float, reward: float | None = 1.0) -> Trial:
    return Trial(task, reward, None, False, 0, 0, seconds, None if reward is not None else "no reward.json")


def test_trials_run_in_turns_and_the_first_turn_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([30.0, 40.0, 8.0, 8.8, 10.0, 12.0, 8.0, 8.0])
    ran: list[str] = []

    def run(request: RunRequest, progress: object) -> None:
        assert (request.agent, request.concurrency, len(request.tasks)) == ("oracle", 1, 1)
        ran.append(request.tasks[0])

    monkeypatch.setattr(trials, "run_harbor", run)
    monkeypatch.setattr(trials, "read_trials", lambda job: [trial(ran[-1], next(times))])
    (figure,) = measure_trials(tmp_path, "erpbench-001", 3)
    assert ran == [NAME, "erpbench-001"] * 4
    assert figure.series["skeleton, seconds"] == (8.0, 10.0, 8.0)
    assert figure.series["erpbench-001, seconds"] == (8.8, 12.0, 8.0)
    assert (figure.value, figure.met) == (pytest.approx(1.1), True)


@pytest.mark.parametrize(
    ("ended", "message"),
    [
        ([trial(NAME, 8.0, 0.0)], "came reward 0.0"),
        ([trial(NAME, 8.0, None)], r"came no reward\.json"),
        ([], "came no trial"),
    ],
)
def test_a_trial_without_its_reward_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: list[Trial], message: str
) -> None:
    monkeypatch.setattr(trials, "run_harbor", lambda request, progress: None)
    monkeypatch.setattr(trials, "read_trials", lambda job: ended)
    with pytest.raises(BenchError, match=f"{NAME}: expected an oracle trial with reward 1.0, {message}"):
        measure_trials(tmp_path, "erpbench-001", 1)
