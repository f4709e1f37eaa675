"""`erpbench audit`: each rendered task's gold derived again in SQL; a table by family, a line for each difference."""

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from generator.audit.run import AuditResult, audit_tasks
from generator.dataset import task_directory
from generator.harbor.run import chosen_tasks
from generator.qualify.console import wide_console


def audit_command(dataset: Path, tasks: str) -> int:
    """Print what comes of it; 0 if both derivations agree in every task, else 1."""
    folders = [task_directory(dataset, name) for name in chosen_tasks(dataset, tasks)]
    console = wide_console()
    started = time.monotonic()
    results = _with_progress(folders, console)
    console.print(agreement(results))
    for result in results:
        for difference in result.differences:
            console.print(f"{result.task_id} ({result.family}): {difference}", markup=False, highlight=False)
    agreed = sum(result.agreed for result in results)
    console.print(f"audit: {agreed} of {len(results)} tasks agree, {time.monotonic() - started:.1f} s")
    return 0 if agreed == len(results) else 1


def _with_progress(folders: Sequence[Path], console: Console) -> list[AuditResult]:
    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        line = bar.add_task("tasks", total=len(folders))
        return audit_tasks(folders, lambda result: bar.advance(line))


def agreement(results: Sequence[AuditResult]) -> Table:
    """Families in the order of their first task, with how many of their tasks agree."""
    table = Table(title="gold derived again, in SQL")
    table.add_column("family")
    table.add_column("tasks", justify="right")
    table.add_column("agree", justify="right")
    for family in dict.fromkeys(result.family for result in results):
        group = [result.agreed for result in results if result.family == family]
        table.add_row(family, str(len(group)), str(sum(group)))
    return table
