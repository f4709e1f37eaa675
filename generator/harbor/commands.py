"""The commands `erpbench oracle` and `erpbench lint`: the real Harbor on rendered tasks."""

import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from generator.harbor.dataset import LINT_EXCEPTIONS
from generator.harbor.lint import lint_tasks
from generator.harbor.program import HarborError
from generator.harbor.run import RunRequest, chosen_tasks, preflight, run_harbor
from generator.harbor.shape import task_problems
from generator.harbor.trials import Trial, as_expected, read_trials, unexpected

DATASET = click.option(
    "--dataset",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("harbor_tasks"),
    show_default=True,
    help="The folder with registry.json.",
)
TASKS = click.option("--tasks", default="all", show_default=True, help="Names, comma-separated, or all.")


def trial_table(trials: list[Trial], agent: str) -> Table:
    table = Table(title=f"agent {agent}")
    table.add_column("task", no_wrap=True)
    for column in ("reward", "erp_score", "strict", "criteria", "seconds"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for trial in trials:
        table.add_row(
            trial.task_id,
            "-" if trial.reward is None else f"{trial.reward:.4f}",
            "-" if trial.erp_score is None else f"{trial.erp_score:.1f}",
            "yes" if trial.strict else "no",
            f"{trial.passed}/{trial.criteria}",
            f"{trial.seconds:.1f}",
            "ok" if as_expected(trial, agent) else "UNEXPECTED",
        )
    return table


def run_with_progress(request: RunRequest, console: Console) -> None:
    """A bar on a terminal, a line for every tenth of the trials elsewhere."""
    total = len(request.tasks)
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console) as bar:
            bar_id = bar.add_task(f"harbor run, {request.agent}", total=total)
            run_harbor(request, lambda done: bar.update(bar_id, completed=done))
        return
    step = max(1, total // 10)
    said = 0

    def say(done: int) -> None:
        nonlocal said
        if done >= said + step or (done == total and done > said):
            said = done
            console.print(f"{request.agent}: {done} of {total} trials")

    run_harbor(request, say)


@click.command("oracle")
@TASKS
@click.option("-n", "--concurrency", type=click.IntRange(1, 64), default=2, show_default=True, help="Trials at once.")
@click.option("--agent", type=click.Choice(["oracle", "nop"]), default="oracle", show_default=True)
@click.option("--offline", is_flag=True, help="Run Harbor in a network namespace without interfaces (root).")
@click.option("--jobs", type=click.Path(path_type=Path), default=Path("jobs"), show_default=True, help="Where jobs go.")
@DATASET
def oracle_command(tasks: str, concurrency: int, agent: str, offline: bool, jobs: Path, dataset: Path) -> None:
    """Run tasks end to end with the real Harbor and expect 1.0 from the oracle, 0.0 from nop."""
    console = Console()
    chosen = chosen_tasks(dataset, tasks)
    preflight(dataset, chosen)
    job = jobs.resolve() / time.strftime(f"{agent}-%Y%m%d-%H%M%S")
    request = RunRequest(dataset.resolve(), chosen, agent, concurrency, offline, job)
    started = time.monotonic()
    run_with_progress(request, console)
    trials = read_trials(job)
    console.print(trial_table(trials, agent))
    wrong = unexpected(trials, chosen, agent)
    console.print(f"{len(chosen) - len(wrong)} of {len(chosen)} as expected, {time.monotonic() - started:.0f} s, {job}")
    for line in wrong:
        click.echo(line, err=True)
    if wrong:
        raise SystemExit(1)


@click.command("lint")
@TASKS
@click.option("--shape-only", is_flag=True, help="Only our own checks, which need neither Harbor nor docker.")
@DATASET
def lint_command(tasks: str, shape_only: bool, dataset: Path) -> None:
    """Check task directories: our own rules, then `harbor lint` with all of its."""
    directories = [dataset / task for task in chosen_tasks(dataset, tasks)]
    problems = [problem for directory in directories for problem in task_problems(directory)]
    if not shape_only:
        report = lint_tasks(directories)
        problems += report.findings
        for rule, count in report.set_aside.items():
            if count == 0:
                problems.append(f"{rule}: listed as an exception, but finds nothing; take it off the list")
            else:
                click.echo(f"set aside: {rule}, {count} findings: {LINT_EXCEPTIONS[rule]}")
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise HarborError(f"lint: {len(problems)} problems in {len(directories)} tasks")
    click.echo(f"lint: {len(directories)} tasks in order")
