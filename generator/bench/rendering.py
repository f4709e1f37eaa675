"""What rendering costs: `make dataset` in time and memory, fresh cases, and the size of what comes of it."""

import gc
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from generator.bench.figures import Figure, measured, not_measured
from generator.bench.processes import peak_of, python_module, seconds_of
from generator.dataset import read_lock
from generator.tasks.case import build_cases
from generator.tenants.load import load_tenants

TASKS = 100
SEEDS = range(1001, 1011)
WARM_UP = 1000
"""Seeds of twins that no release has."""


def measure_dataset(runs: int, memory_runs: int = 2) -> list[Figure]:
    """The command that `make dataset` runs once the environment is ready, into a new folder each time.

    Memory is sampled in runs of its own, which are not timed.
    """
    seconds, peaks = [], []
    tasks = 0
    for run in range(runs + memory_runs):
        with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as folder:
            out = Path(folder) / "harbor_tasks"
            command = python_module("generator.cli", "dataset", "--out", str(out))
            if run < runs:
                seconds.append(seconds_of(command))
            else:
                peaks.append(peak_of(command) / 1e6)
            tasks = len(read_lock(out))
    if tasks != TASKS:
        reason = f"the goal speaks of {TASKS} tasks, {tasks} were rendered"
        return [not_measured("dataset_seconds", reason), not_measured("dataset_peak", reason)]
    return [
        measured("dataset_seconds", "seconds", {"seconds": seconds}),
        measured("dataset_peak", "sum of processes' peaks, MB", {"sum of processes' peaks, MB": peaks}),
    ]


def draw_cases(seeds: Sequence[int]) -> int:
    """Draw the tenants of these twins and build their cases, keeping all until the last is built; how many."""
    return len([case for seed in seeds for case in build_cases(load_tenants(seed=seed))])


def measure_cases(runs: int, draw: Callable[[Sequence[int]], int] = draw_cases) -> list[Figure]:
    """Ten twins at once against the mean of the ten one by one: only Cases, nothing rendered, one process.

    Which comes first changes from run to run, so that a machine that slows down favours neither.
    """
    draw([WARM_UP])
    hundreds, thousands, ratios = [], [], []
    for run in range(runs):
        steps = [lambda: _seconds(draw, SEEDS), lambda: sum(_seconds(draw, [seed]) for seed in SEEDS) / len(SEEDS)]
        if run % 2 == 0:
            thousand, hundred = steps[0](), steps[1]()
        else:
            hundred, thousand = steps[1](), steps[0]()
        hundreds.append(hundred)
        thousands.append(thousand)
        ratios.append(thousand / hundred)
    drawn = draw(SEEDS)
    if drawn != TASKS * len(SEEDS):
        return [not_measured("cases_ratio", f"ten twins have {drawn} cases, expected {TASKS * len(SEEDS)}")]
    series = {"ratio": ratios, "seconds for 1,000": thousands, "seconds for 100, mean of ten": hundreds}
    return [measured("cases_ratio", "ratio", series)]


def _seconds(draw: Callable[[Sequence[int]], int], seeds: Sequence[int]) -> float:
    gc.collect()
    started = time.perf_counter()
    draw(seeds)
    return time.perf_counter() - started


def measure_sizes(dataset: Path) -> list[Figure]:
    """Bytes of all files below each task directory of the lock, and of the dataset with its manifests."""
    tasks = sorted(read_lock(dataset))
    sizes = [bytes_below(dataset / task) for task in tasks]
    missing = [task for task, size in zip(tasks, sizes, strict=True) if size == 0]
    if missing:
        reason = f"{dataset}: {missing[0]} is not rendered"
        return [not_measured("task_size", reason), not_measured("dataset_size", reason)]
    largest = tasks[sizes.index(max(sizes))]
    whole = sum(sizes) + sum(path.stat().st_size for path in dataset.iterdir() if path.is_file())
    figures = [measured("task_size", "kB", {"kB": [size / 1e3 for size in sizes]}, f"largest: {largest}")]
    if len(tasks) == TASKS:
        return [*figures, measured("dataset_size", "MB", {"MB": [whole / 1e6]})]
    return [*figures, not_measured("dataset_size", f"the goal speaks of {TASKS} tasks, {dataset} has {len(tasks)}")]


def bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
