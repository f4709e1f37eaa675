"""`erpbench leaderboard`: add a Harbor job, show the board."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from generator.harbor.commands import DATASET
from generator.leaderboard.add import build_entry
from generator.leaderboard.board import MARKDOWN, PARQUET, Line, build_board, write_board
from generator.leaderboard.entries import read_entries, write_entry
from generator.leaderboard.release import Release, read_release
from generator.qualify.console import wide_console

ENTRIES = "entries"
BOARD = click.option(
    "--board",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("leaderboard"),
    show_default=True,
    help="The folder with entries/, LEADERBOARD.md and leaderboard.parquet.",
)


@click.group("leaderboard")
def leaderboard() -> None:
    """Runs of this release, regraded from their evidence: ranked if whole, listed with a reason otherwise."""


@leaderboard.command("add")
@click.argument("job", type=click.Path(path_type=Path, file_okay=False))
@click.option("--name", default=None, help="The entry's name; by default the agent's and the model's.")
@click.option("--replace", is_flag=True, help="Put the entry in the place of the same job's, though they differ.")
@DATASET
@BOARD
def add_command(job: Path, name: str | None, replace: bool, dataset: Path, board: Path) -> None:
    """Check and regrade the Harbor job directory JOB, keep it as an entry and make the tables anew.

    A job whose records contradict one another, the release or their evidence is refused, naming the trial; so is one
    whose evidence is another entry's, or whose name another entry has.
    """
    release = read_release(dataset)
    console = Console()
    columns = (TextColumn("regrading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        line = bar.add_task("trials", total=None)
        entry = build_entry(job, release, name, tick=lambda done, total: bar.update(line, completed=done, total=total))
    path = write_entry(entry, board / ENTRIES, replace)
    (own,) = (one for one in _make(board, release) if one.entry.name == entry.name)
    standing = own.listed or f"rank {own.rank}"
    click.echo(f"{path}: {len(entry.trials)} trials regraded; {standing}")


@leaderboard.command("show")
@DATASET
@BOARD
def show_command(dataset: Path, board: Path) -> None:
    """Make LEADERBOARD.md and leaderboard.parquet from the entries, and show the ranks."""
    lines = _make(board, read_release(dataset))
    wide_console().print(overview(lines))
    click.echo(f"leaderboard: {len(lines)} entries; {board / MARKDOWN}, {board / PARQUET}")


def _make(board: Path, release: Release) -> list[Line]:
    lines = build_board(read_entries(board / ENTRIES), release)
    write_board(lines, release.digest, board)
    return lines


def overview(lines: list[Line]) -> Table:
    table = Table(title="leaderboard")
    for column in ("rank", "entry", "tasks", "attempts", "score", "strict", ""):
        table.add_column(column, overflow="fold")
    for line in lines:
        found = line.figures
        table.add_row(
            "–" if line.rank is None else str(line.rank),
            escape(line.entry.name),
            str(found.tasks),
            str(line.entry.attempts),
            f"{float(found.score.value):.1f}",
            f"{100 * float(found.strict.value):.1f} %",
            escape(line.listed),
        )
    return table
