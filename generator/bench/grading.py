"""What a grading costs: the verifier as a process of its own on an oracle's evidence, in time and memory."""

import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.bench.figures import BenchError, Figure, measured
from generator.bench.processes import run_of
from generator.dataset import read_lock, spread_tasks, task_directory
from generator.images.definition import PROJECT_ROOT
from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.spec.plan import OraclePlan
from generator.tasks.package import BASELINE, CONTRACT, PLAN

# As images/verifier/grade starts it. A process's peak is asked of itself: what its parent is told includes the parent's
# own memory before the program was loaded.
LAUNCHER = """
import runpy, sys
sys.path.insert(0, {root!r})
try:
    runpy.run_module("verifier", run_name="__main__", alter_sys=True)
finally:
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM:")), file=sys.stderr)
"""


@dataclass(frozen=True)
class Grading:
    """seconds from the start of the process to its end, seconds of processor, and its peak in bytes."""

    seconds: float
    processor: float
    peak: int


def measure_verifier(dataset: Path, runs: int) -> list[Figure]:
    """One task of every family and tenant; a task's seconds are the median of its runs, and the slowest task counts."""
    seconds: dict[str, list[float]] = {}
    processor: list[float] = []
    peaks: dict[str, list[float]] = {}
    for task in spread_tasks(sorted(read_lock(dataset))):
        gradings = grade_oracle(task_directory(dataset, task), runs)
        seconds[task] = [grading.seconds for grading in gradings]
        processor += [grading.processor for grading in gradings]
        peaks[task] = [grading.peak / 1e6 for grading in gradings]
    medians = [statistics.median(of_task) for of_task in seconds.values()]
    highest = [max(of_task) for of_task in peaks.values()]
    note = f"the largest of {len(seconds)} tasks"
    times = {"median of each task": medians, "seconds of processor": processor, **seconds}
    used = f"{note}; {statistics.median(processor):.2f} s of processor"
    return [
        measured("verifier_seconds", "median of each task", times, used, different_things=True),
        measured(
            "verifier_peak",
            "largest of each task",
            {"largest of each task": highest, **peaks},
            note,
            different_things=True,
        ),
    ]


def grade_oracle(task: Path, runs: int) -> list[Grading]:
    """Grade the evidence of the task's oracle so often. Raises BenchError if the verdict is not 100 and strict."""
    plan = OraclePlan.model_validate_json((task / PLAN).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as folder:
        with fresh_world(task, Path(folder)) as world:
            run_plan(world, plan)
            snapshot = evidence(world)
        return [_grade(task, snapshot, Path(folder) / f"graded-{run}") for run in range(runs)]


def _grade(task: Path, snapshot: Path, out: Path) -> Grading:
    paths = {"contract": task / CONTRACT, "baseline": task / BASELINE, "evidence": snapshot, "out": out}
    launcher = LAUNCHER.format(root=str(PROJECT_ROOT))
    command = [sys.executable, "-I", "-c", launcher, *arguments(paths)]
    # -I reads no PYTHON* variables, so the environment is as good as the container's.
    run = run_of(command)
    if "100 of 100, strict" not in run.output:
        raise BenchError(f"{task.name}: expected 100 of 100, strict; came {run.output.strip()[:300]}")
    return Grading(run.seconds, run.processor, int(run.errors.split()[-1]) * 1024)


def arguments(paths: dict[str, Path]) -> Sequence[str]:
    return [part for name, path in paths.items() for part in (f"--{name}", str(path))]
