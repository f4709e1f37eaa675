"""What a grading costs, and what is no grading."""

import shutil
from pathlib import Path

import pytest

from generator.bench import grading
from generator.bench.figures import BenchError
from generator.bench.grading import Grading, grade_oracle, measure_verifier


def test_a_grading_is_a_process_with_its_own_time_and_peak(task_001: Path) -> None:
    first, second = grade_oracle(task_001, 2)
    for run in (first, second):
        assert 0.02 < run.seconds < 10
        assert 0.02 < run.processor < 5
        # An interpreter has 8 MB at least, and this process, whose memory must not be counted, far more than 64.
        assert 8_000_000 < run.peak < 64_000_000


def test_a_verdict_below_100_is_an_error(task_001: Path, tmp_path: Path) -> None:
    task = shutil.copytree(task_001, tmp_path / "erpbench-001")
    contract = task / "tests" / "contract.json"
    contract.write_text(contract.read_text().replace("2757.6", "2757.7"))
    with pytest.raises(BenchError, match=r"erpbench-001: expected 100 of 100, strict; came erpbench-001: \d+ of 100"):
        grade_oracle(task, 1)


def test_the_slowest_task_and_the_highest_peak_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs = {
        "erpbench-001": [Grading(0.2, 0.1, 25_000_000), Grading(0.9, 0.1, 25_000_000), Grading(0.1, 0.1, 70_000_000)],
        "erpbench-012": [Grading(0.3, 0.2, 24_000_000), Grading(0.3, 0.2, 24_000_000), Grading(0.3, 0.2, 24_000_000)],
    }
    monkeypatch.setattr(grading, "read_lock", lambda dataset: dict.fromkeys(runs))
    monkeypatch.setattr(grading, "task_directory", lambda dataset, task: dataset / task)
    monkeypatch.setattr(grading, "grade_oracle", lambda task, count: runs[task.name][:count])
    seconds, peak = measure_verifier(tmp_path, 3)
    assert seconds.series["median of each task"] == (0.2, 0.3)
    assert (seconds.value, seconds.met) == (0.3, True)
    assert seconds.note == "the largest of 2 tasks; 0.15 s of processor"
    assert (peak.value, peak.met) == (70.0, False)
