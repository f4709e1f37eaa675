"""What rendering costs: `make dataset` in time and memory, fresh cases, and the size of what comes of it."""

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from generator.bench.figures import Figure, measured, not_measured
from generator.bench.processes import Run, Watched, python_module, run_of, watch
from generator.dataset import read_lock
from generator.tasks.case import build_cases
from generator.tenants.load import load_tenants

TASKS = 100
SEEDS = range(1001, 1011)
WARM_UP = 1000
"""Seeds of twins that no release has."""
Draw = Callable[[Sequence[int]], int]


def measure_dataset(runs: int, memory_runs: int = 2) -> list[Figure]:
    """The command that `make dataset` runs once the environment is ready, into a new folder each time.

    Memory is sampled in runs of its own, which are not timed.
    """
    timed: list[Run] = []
    watched: list[Watched] = []
    tasks = 0
    for run in range(runs + memory_runs):
        with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as folder:
            out = Path(folder) / "harbor_tasks"
            command = python_module("generator.cli", "dataset", "--out", str(out))
            if run < runs:
                timed.append(run_of(command))
            else:
                watched.append(watch(command))
            tasks = len(read_lock(out))
    if tasks != TASKS:
        reason = f"the goal speaks of {TASKS} tasks, {tasks} were rendered"
        return [not_measured("dataset_seconds", reason), not_measured("dataset_peak", reason)]
    processor = [run.processor for run in watched]
    seconds = {"seconds": [run.seconds for run in timed], "seconds of processor": processor}
    peaks = {"MB": [run.peak / 1e6 for run in watched]}
    return [
        measured("dataset_seconds", "seconds", seconds, f"{statistics.median(processor):.1f} s of processor"),
        measured("dataset_peak", "MB", peaks, "sum of every process's own peak"),
    ]


def draw_cases(seeds: Sequence[int]) -> int:
    """Draw the tenants of these twins and build their cases, one twin after the other; how many cases there were."""
    return sum(len(list(build_cases(load_tenants(seed=seed)))) for seed in seeds)


def keep_cases(seeds: Sequence[int]) -> int:
    """The same with every case kept until the last is built."""
    return len([case for seed in seeds for case in build_cases(load_tenants(seed=seed))])


def measure_cases(runs: int, draw: Draw = draw_cases, keep: Draw = keep_cases) -> list[Figure]:
    """Ten twins in a row against the mean of the ten one by one: Cases alone, nothing rendered, one process, in seconds
    of processor.

    The goal is held against twins built one after the other, which is how every command takes them. Keeping all 1,000
    is measured beside it: there Python's collector walks through what is kept, and the ratio says what that costs.
    """
    cases = draw([WARM_UP])
    if cases != TASKS:
        return [not_measured("cases_ratio", f"a twin has {cases} cases, expected {TASKS}")]
    pairs = [_ten_and_one(draw) for _ in range(runs)]
    thousand, hundred = _ten_and_one(keep)
    series = {
        "ratio": [thousands / hundreds for thousands, hundreds in pairs],
        "seconds for 1,000": [thousands for thousands, _ in pairs],
        "seconds for 100": [hundreds for _, hundreds in pairs],
        "ratio, all kept": [thousand / hundred],
    }
    kept = f"{thousand / hundred:.1f} x with all 1,000 kept in memory"
    return [measured("cases_ratio", "ratio", series, f"in seconds of processor, one twin after the other; {kept}")]


def _ten_and_one(draw: Draw) -> tuple[float, float]:
    """Seconds for ten twins in a row, and for one: the mean of the same ten. Half of those are drawn before and half
    after, so that a machine that slows down favours neither."""
    half = len(SEEDS) // 2
    before = [_processor_seconds(draw, [seed]) for seed in SEEDS[:half]]
    ten = _processor_seconds(draw, SEEDS)
    after = [_processor_seconds(draw, [seed]) for seed in SEEDS[half:]]
    return ten, (sum(before) + sum(after)) / len(SEEDS)


def _processor_seconds(draw: Draw, seeds: Sequence[int]) -> float:
    gc.collect()
    started = time.process_time()
    draw(seeds)
    return time.process_time() - started


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
    figures = [measured("task_size", "kB", {"kB": [size / 1e3 for size in sizes]}, largest, different_things=True)]
    if len(tasks) == TASKS:
        return [*figures, measured("dataset_size", "MB", {"MB": [whole / 1e6]})]
    return [*figures, not_measured("dataset_size", f"the goal speaks of {TASKS} tasks, {dataset} has {len(tasks)}")]


def bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
