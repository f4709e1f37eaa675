"""The report of a run. In: a Report. Out: bench.json with every raw number, and bench.md with a table of the goals."""

from pathlib import Path

from generator.bench.figures import Figure, Report

JSON = "bench.json"
MARKDOWN = "bench.md"


def build_markdown(report: Report) -> str:
    """The table, the machine it was measured on, and the runs behind each figure."""
    machine = report.machine
    lines = [
        f"# Figures of ERPBench-100 {report.version}",
        "",
        f"{machine.processors} processors ({machine.processor}), {machine.memory_gb:.0f} GB, Python {machine.python},"
        f" {machine.kernel}; load {machine.load_before:.2f} at the start, {machine.load_after:.2f} at the end.",
        "",
        "| what | goal | measured | met | note |",
        "|---|---|---|---|---|",
        *(_row(figure) for figure in report.figures),
        "",
        "## Runs",
        "",
    ]
    for figure in report.figures:
        lines += [f"- {figure.goal.what}: {name}: {_numbers(runs)}" for name, runs in figure.series.items()]
    return "\n".join(lines) + "\n"


def goal_text(figure: Figure) -> str:
    """E.g. ≤ 8 s, ≥ 0.8 x."""
    return f"{'≥' if figure.goal.at_least else '≤'} {figure.goal.limit:,g} {figure.goal.unit}"


def value_text(figure: Figure) -> str:
    return "not measured" if figure.value is None else f"{shown(figure.value)} {figure.goal.unit}"


def met_text(figure: Figure) -> str:
    return {True: "yes", False: "**no**", None: "–"}[figure.met]


def shown(number: float) -> str:
    """Three figures: 0.284, 7.61, 55.8, 1,197."""
    digits = next((digits for limit, digits in ((1, 3), (10, 2), (100, 1)) if abs(number) < limit), 0)
    return f"{number:,.{digits}f}"


def _row(figure: Figure) -> str:
    return f"| {figure.goal.what} | {goal_text(figure)} | {value_text(figure)} | {met_text(figure)} | {figure.note} |"


def _numbers(runs: tuple[float, ...]) -> str:
    if len(runs) > 20:
        return f"{len(runs)} numbers from {shown(min(runs))} to {shown(max(runs))}"
    return ", ".join(shown(run) for run in runs)


def write_report(report: Report, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / JSON).write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    (out / MARKDOWN).write_text(build_markdown(report), encoding="utf-8")
