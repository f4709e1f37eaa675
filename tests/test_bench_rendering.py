"""What rendering costs: sizes by hand, and the ratio of fresh cases over a drawing whose cost is known."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.bench import rendering
from generator.bench.figures import BenchError
from generator.bench.processes import Run, Watched
from generator.bench.rendering import bytes_below, draw_cases, keep_cases, measure_cases, measure_dataset, measure_sizes


def write_dataset(folder: Path, count: int, extra: int = 0) -> Path:
    """Tasks of 3,000 bytes each (the last with so many more) and a lock."""
    names = [f"erpbench-{number:03d}" for number in range(1, count + 1)]
    for name in names:
        (folder / name / "tests").mkdir(parents=True)
        (folder / name / "task.toml").write_bytes(b"a" * 1000)
        (folder / name / "tests" / "contract.json").write_bytes(b"b" * 2000)
    (folder / names[-1] / "more").write_bytes(b"c" * extra)
    (folder / "dataset.lock").write_text(json.dumps({"schema_version": 1, "tasks": {name: {} for name in names}}))
    return folder


def test_sizes_are_bytes_of_files(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path, 100, extra=598_000)
    lock = (dataset / "dataset.lock").stat().st_size
    task, whole = measure_sizes(dataset)
    assert bytes_below(dataset / "erpbench-001") == 3000
    assert (task.value, task.met, task.note) == (601.0, False, "erpbench-100")
    assert len(task.series["kB"]) == 100
    assert whole.value == (100 * 3000 + 598_000 + lock) / 1e6
    assert whole.met


def test_a_part_of_a_dataset_says_nothing_of_the_whole(tmp_path: Path) -> None:
    task, whole = measure_sizes(write_dataset(tmp_path, 3))
    assert (task.value, task.met) == (3.0, True)
    assert (whole.met, whole.note) == (None, f"the goal speaks of 100 tasks, {tmp_path} has 3")


def test_a_dataset_that_is_not_rendered_is_not_measured(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path, 2)
    for path in (dataset / "erpbench-002").rglob("*.*"):
        path.unlink()
    (dataset / "erpbench-002" / "more").unlink()
    assert [figure.met for figure in measure_sizes(dataset)] == [None, None]


class Clock:
    """A clock that only drawing moves: a second a twin, and so much more for several in a row."""

    def __init__(self, wear: float = 0.0) -> None:
        self.now, self.wear = 0.0, wear

    def draw(self, seeds: Sequence[int]) -> int:
        self.now += len(seeds) + (self.wear if len(seeds) > 1 else 0)
        return 100 * len(seeds)


@pytest.mark.parametrize(("wear", "ratio", "met"), [(0.0, 10.0, True), (0.5, 10.5, True), (1.0, 11.0, False)])
def test_the_ratio_is_ten_in_a_row_against_one(
    monkeypatch: pytest.MonkeyPatch, wear: float, ratio: float, met: bool
) -> None:
    clock, keeping = Clock(wear), Clock(2.0)
    monkeypatch.setattr(rendering.gc, "collect", lambda: 0)
    monkeypatch.setattr(rendering.time, "process_time", lambda: clock.now + keeping.now)
    (figure,) = measure_cases(3, clock.draw, keeping.draw)
    assert (figure.value, figure.met) == (ratio, met)
    assert figure.series["ratio, all kept"] == (12.0,)
    assert figure.series["seconds for 100"] == (1.0, 1.0, 1.0)


def test_a_twin_with_other_than_100_cases_is_not_measured() -> None:
    (figure,) = measure_cases(1, lambda seeds: 90 * len(seeds))
    assert (figure.met, figure.note) == (None, "a twin has 90 cases, expected 100")


def test_a_twin_has_a_hundred_cases() -> None:
    assert draw_cases([5]) == 100


def test_drawing_and_keeping_build_the_same_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "load_tenants", lambda seed: range(seed))
    monkeypatch.setattr(rendering, "build_cases", lambda tenants: (object() for _ in tenants))
    assert (draw_cases([3, 4]), keep_cases([3, 4])) == (7, 7)


def run_writes(tasks: int) -> object:
    """A stand-in for the command: writes a lock of so many tasks to --out."""

    def run(command: Sequence[str]) -> Run:
        assert list(command[1:4]) == ["-m", "generator.cli", "dataset"]
        out = Path(command[-1])
        assert not out.exists()
        out.mkdir()
        (out / "dataset.lock").write_text(json.dumps({"schema_version": 1, "tasks": {n: {} for n in range(tasks)}}))
        return Run(4.5, 2.0, "", "")

    return run


def test_the_dataset_is_rendered_anew_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "run_of", run_writes(100))
    monkeypatch.setattr(rendering, "watch", lambda command: run_writes(100)(command) and Watched(283_000_000, 6.5))  # type: ignore[operator]
    seconds, peak = measure_dataset(3, memory_runs=2)
    assert (seconds.value, seconds.series["seconds"], seconds.note) == (4.5, (4.5, 4.5, 4.5), "6.5 s of processor")
    assert (peak.value, peak.series["MB"]) == (283.0, (283.0, 283.0))


def test_fewer_than_100_tasks_are_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "run_of", run_writes(20))
    monkeypatch.setattr(rendering, "watch", lambda command: run_writes(20)(command) and Watched(1, 1.0))  # type: ignore[operator]
    assert [figure.note for figure in measure_dataset(1, 1)] == ["the goal speaks of 100 tasks, 20 were rendered"] * 2


def test_a_rendering_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: Sequence[str]) -> Run:
        raise BenchError("`python -m generator.cli dataset` ended with 2: no tenants")

    monkeypatch.setattr(rendering, "run_of", fails)
    with pytest.raises(BenchError, match="no tenants"):
        measure_dataset(1, 1)
