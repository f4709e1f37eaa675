"""`erpbench inspect`: one task for a person: the request, the sources, gold, where each mistake leads, the criteria."""

import shutil
import tempfile
from pathlib import Path

from rich.panel import Panel
from rich.table import Table

from generator.dataset import task_directory
from generator.qualify.console import wide_console
from generator.qualify.picture import write_pictures
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


def inspect_command(task: str, dataset: Path, unpack: bool, pictures: Path | None = None) -> None:
    """Print the task; with unpack, copy its native files into a new folder and say where; pictures: folder for SVGs."""
    case = find_case(load_tenants(), task)
    files = task_directory(dataset, task) / FILES if unpack else None
    console = wide_console()
    console.print(Panel(build_request(case).strip(), title=f"{task}: the request", padding=(1, 2)))
    console.print(sources_table(case))
    console.print(outcomes_table(case))
    console.print(criteria_table(case))
    for path in write_pictures(case, pictures) if pictures is not None else ():
        console.print(f"picture: {path}")
    if files is not None:
        folder = Path(tempfile.mkdtemp(prefix=f"{task}-")) / "files"
        shutil.copytree(files, folder)
        console.print(f"{len(list(folder.iterdir()))} files in {folder}")


def sources_table(case: Case) -> Table:
    """Each subject's documents, and which of them is in force on the day."""
    table = Table(title="sources by subject")
    for column in ("subject", "document", "issued", "edition", "status", "in the memo", "Drive says", "in force"):
        table.add_column(column, overflow="fold")
    memos = [memo(case.tenant, case.sources)]
    for source in case.sources:
        found = in_force(source.subject, case.tenant.profile.today, case.sources, memos, ())
        lagging = case.tenant.profile.habits.drive_lags
        flagged = source.id not in memos[0].names if lagging else source.drive_flag
        counts = "yes" if isinstance(found, Source) and found.id == source.id else "no"
        table.add_row(
            source.subject,
            source.id,
            source.issued.isoformat(),
            str(source.edition),
            source.status,
            "yes" if source.memo_name else "",
            "current" if flagged else "not current",
            counts if isinstance(found, Source) else "contradiction",
        )
    return table


def outcomes_table(case: Case) -> Table:
    """Gold and every counterfactual, a column a field; answers that differ from gold are marked."""
    table = Table(title="gold, and where each mistake leads (* differs from gold)")
    table.add_column("path", overflow="fold")
    table.add_column("kind", overflow="fold")
    for name in case.gold.answers:
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("option", overflow="fold")
    table.add_row("gold", "", *map(plain, case.gold.answers.values()), case.gold.option)
    for wrong in case.counterfactuals:
        moved = differing(case, wrong.outcome)
        answers = (plain(value) + ("*" if name in moved else "") for name, value in wrong.outcome.answers.items())
        table.add_row(wrong.name, wrong.kind, *answers, wrong.outcome.option)
    return table


def criteria_table(case: Case) -> Table:
    criteria = build_contract(case, "0" * 64).criteria
    table = Table(title=f"{len(criteria)} criteria, {sum(c.points for c in criteria)} points")
    table.add_column("", justify="right")
    table.add_column("category")
    table.add_column("points", justify="right")
    table.add_column("criterion")
    for criterion in criteria:
        table.add_row(str(criterion.n), criterion.category, str(criterion.points), criterion.description)
    return table
