"""`erpbench grade`: any snapshot graded against a rendered task, each criterion in words."""

import json
from pathlib import Path

from erpbench_world.snapshot import EXPORT
from rich.table import Table

from generator.dataset import task_directory
from generator.qualify.console import wide_console
from generator.spec.errors import DatasetError
from generator.tasks.package import BASELINE, CONTRACT
from verifier.faults import GraderFault
from verifier.grading import Verdict, grade


def grade_task(task: Path, evidence: Path) -> Verdict:
    """The verdict on an evidence folder under a rendered task's contract."""
    try:
        return grade(json.loads((task / CONTRACT).read_text(encoding="utf-8")), task / BASELINE, evidence)
    except GraderFault as fault:
        raise DatasetError(f"{task}: {fault}") from None


def grade_command(evidence: Path, task: str, dataset: Path, failed: bool) -> None:
    """Print the score and what was seen and expected of each criterion."""
    folder = task_directory(dataset, task)
    if not (evidence / "manifest.json").is_file():
        hint = f"; the snapshot is in {evidence / EXPORT}" if (evidence / EXPORT).is_dir() else ""
        raise DatasetError(f"{evidence}: expected a folder with world.sqlite and manifest.json{hint}")
    verdict = grade_task(folder, evidence)
    console = wide_console()
    if verdict.reason:
        console.print(f"{task}: 0 of 100: {verdict.reason}")
        return
    table = Table(title=f"{task}: {verdict.score} of 100{', strict' if verdict.strict else ''}", show_lines=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    for column in ("criterion", "seen", "expected"):
        table.add_column(column, overflow="fold")
    for graded in verdict.criteria:
        if failed and graded.holds:
            continue
        points = f"{graded.earned}/{graded.criterion.points}"
        table.add_row(str(graded.criterion.n), points, graded.criterion.description, graded.seen, graded.expected)
    console.print(table)
