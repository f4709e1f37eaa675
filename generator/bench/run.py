"""`erpbench bench`: every measurement in its order, a line for each figure, and the reports.

In: a rendered dataset, and which measurements to make. Out: the Report, written to bench.json and bench.md.
"""

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.bench.figures import Figure, Machine, Report, not_measured
from generator.bench.grading import measure_verifier
from generator.bench.qualification import measure_qualification
from generator.bench.rendering import measure_cases, measure_dataset, measure_sizes
from generator.bench.report import goal_text, met_text, value_text, write_report
from generator.bench.serving import measure_calls, measure_start
from generator.bench.trials import check_trials, measure_trials
from generator.dataset import task_directory
from generator.images.definition import project_version

TASK = "erpbench-001"
CASE_RUNS = 3
"""Each draws 2,000 cases."""
PARTS = ("dataset", "cases", "sizes", "qualification", "start", "calls", "verifier", "trial")
Say = Callable[[str], None]


@dataclass(frozen=True)
class BenchRequest:
    """parts are names of PARTS; harbor says whether trials may be run; runs is how often each thing is repeated."""

    dataset: Path
    out: Path
    parts: tuple[str, ...]
    harbor: bool
    runs: int


def run_bench(request: BenchRequest, say: Say) -> Report:
    """Raises at once if trials are asked for and cannot be run, or the dataset is not rendered."""
    task = task_directory(request.dataset, TASK)
    if request.harbor and "trial" in request.parts:
        check_trials(request.dataset, TASK)
    measurements: dict[str, Callable[[], list[Figure]]] = {
        "dataset": lambda: measure_dataset(request.runs),
        "cases": lambda: measure_cases(min(request.runs, CASE_RUNS)),
        "sizes": lambda: measure_sizes(request.dataset),
        "qualification": lambda: measure_qualification(request.dataset),
        "start": lambda: measure_start(task, request.runs),
        "calls": lambda: measure_calls(task),
        "verifier": lambda: measure_verifier(request.dataset, request.runs),
        "trial": lambda: _trials(request),
    }
    before = os.getloadavg()[0]
    report = Report(version=project_version(), machine=machine(before), figures=())
    for part in PARTS:
        if part in request.parts:
            say(f"bench: measuring {part}")
            figures = measurements[part]()
            for figure in figures:
                say(figure_line(figure))
            # Written as it grows, so that a part that fails takes nothing with it.
            report = Report(version=report.version, machine=machine(before), figures=(*report.figures, *figures))
            write_report(report, request.out)
    return report


def _trials(request: BenchRequest) -> list[Figure]:
    if not request.harbor:
        return [not_measured("trial_ratio", "not measured here: needs --harbor, with an engine, the images and Harbor")]
    return measure_trials(request.dataset, TASK, request.runs)


def figure_line(figure: Figure) -> str:
    verdict = {"yes": "met", "**no**": "MISSED", "–": ""}[met_text(figure)]
    note = f" ({figure.note})" if figure.note else ""
    return f"bench:   {figure.goal.what}: {value_text(figure)}, goal {goal_text(figure)} {verdict}".rstrip() + note


def machine(load_before: float) -> Machine:
    return Machine(
        processors=os.cpu_count() or 1,
        processor=_processor(Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()),
        memory_gb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9,
        python=platform.python_version(),
        kernel=f"{platform.system()} {platform.release()}",
        load_before=load_before,
        load_after=os.getloadavg()[0],
    )


def _processor(lines: Sequence[str]) -> str:
    """The processor's name as /proc/cpuinfo has it, or the architecture where it has none."""
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def bench_command(request: BenchRequest, report_only: bool, say: Say) -> int:
    """0 if no goal is missed or only a report is wanted, else 1. What was not measured is no miss, and is named."""
    report = run_bench(request, say)
    skipped = [figure for figure in report.figures if figure.met is None]
    met = len(report.figures) - len(report.missed) - len(skipped)
    say(f"bench: {met} met, {len(report.missed)} missed, {len(skipped)} not measured; {request.out}/")
    return 1 if report.missed and not report_only else 0
