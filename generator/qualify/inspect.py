"""`erpbench inspect`: one task for a person: the request, the sources, gold, where each mistake leads, the criteria."""

import shutil
import tempfile
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from generator.dataset import task_directory
from generator.qualify.rules import differing
from generator.spec.case import Case
from generator.spec.source import Source, in_force
from generator.tasks.case import find_case
from generator.tasks.criteria import build_contract
from generator.tasks.package import FILES
from generator.tasks.room import build_request
from generator.tasks.view import plain
from generator.tenants.documents import memo
from generator.tenants.load import load_tenants


def inspect_command(task: str, dataset: Path, unpack: bool) -> None:
    """Print the task; with unpack, copy its native files into a new folder and say where."""
    case = find_case(load_tenants(), task)
    console = Console()
    console.print(Panel(build_request(case).strip(), title=f"{task}: the request", padding=(1, 2)))
    console.print(sources_table(case))
    console.print(outcomes_table(case))
    console.print(criteria_table(case))
    if unpack:
        folder = Path(tempfile.mkdtemp(prefix=f"{task}-")) / "files"
        shutil.copytree(task_directory(dataset, task) / FILES, folder)
        console.print(f"{len(list(folder.iterdir()))} files in {folder}")


def sources_table(case: Case) -> Table:
    """Each subject's documents, and which of them is in force on the day."""
    table = Table(title="sources by subject")
    for column in ("subject", "document", "issued", "edition", "status", "in the memo", "Drive says", "in force"):
        table.add_column(column)
    memos = [memo(case.tenant, case.sources)]
    for source in case.sources:
        found = in_force(source.subject, case.tenant.profile.today, case.sources, memos, ())
        counts = "yes" if isinstance(found, Source) and found.id == source.id else "no"
        table.add_row(
            source.subject,
            source.id,
            source.issued.isoformat(),
            str(source.edition),
            source.status,
            "yes" if source.memo_name else "",
            "current" if source.drive_flag else "not current",
            counts if isinstance(found, Source) else "contradiction",
        )
    return table


def outcomes_table(case: Case) -> Table:
    """Gold and every counterfactual: answers, option, and how many answers part from gold."""
    table = Table(title="gold, and where each mistake leads")
    for column in ("path", "kind", *case.gold.answers, "option", "answers that differ"):
        table.add_column(column)
    table.add_row("gold", "", *map(plain, case.gold.answers.values()), case.gold.option, "")
    for wrong in case.counterfactuals:
        answers = map(plain, wrong.outcome.answers.values())
        moved = str(len(differing(case, wrong.outcome)))
        table.add_row(wrong.name, wrong.kind, *answers, wrong.outcome.option, moved)
    return table


def criteria_table(case: Case) -> Table:
    table = Table(title="34 criteria, 100 points")
    table.add_column("", justify="right")
    table.add_column("category")
    table.add_column("points", justify="right")
    table.add_column("criterion")
    for criterion in build_contract(case, "0" * 64).criteria:
        table.add_row(str(criterion.n), criterion.category, str(criterion.points), criterion.description)
    return table
