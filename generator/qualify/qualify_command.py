"""`erpbench qualify`: all tasks on the machine's cores, with a progress bar, resumable; reports and an exit code.

A task's result is kept under parts/ with a fingerprint of the task, the code and the kinds; a run that was interrupted,
or repeated with nothing changed, takes it from there.
"""

import hashlib
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from generator.dataset import dataset_seed, read_lock, task_directory
from generator.harbor.run import chosen_tasks
from generator.images.definition import PROJECT_ROOT
from generator.qualify.console import wide_console
from generator.qualify.qualify import ALL_KINDS, qualify_task
from generator.qualify.report import write_readme, write_reports
from generator.qualify.results import TaskResult
from generator.qualify.verdicts import Line, lines
from generator.spec.errors import UnknownTask

PARTS = "parts"
CODE = ("generator", "verifier", "images/world/erpbench_world")
SUFFIXES = (".py", ".json", ".sql", ".yaml", ".j2")
SHOWN = 4
"""How many failures of a line are told on the terminal; the reports have them all."""


@dataclass(frozen=True)
class Request:
    """tasks and kinds as given on the command line: names with commas between, or all."""

    dataset: Path
    out: Path
    tasks: str = "all"
    kinds: str = "all"
    fresh: bool = False
    readme: Path | None = None


def qualify_command(request: Request) -> int:
    """Qualify and print the table; 0 if every line holds (of those asked for, if only some were), else 1."""
    console = wide_console()
    kinds = chosen_kinds(request.kinds)
    names = chosen_tasks(request.dataset, request.tasks)
    folders = [task_directory(request.dataset, name) for name in names]
    started = time.monotonic()
    results = _results(folders, dataset_seed(request.dataset), kinds, request, console)
    found = lines(results)
    write_reports(results, found, request.out)
    if request.readme is not None:
        write_readme(found, request.readme)
    console.print(overview(found))
    for line in found:
        for failure in line.failures[:SHOWN]:
            console.print(f"{line.name}: {failure}", markup=False, highlight=False)
        if len(line.failures) > SHOWN:
            console.print(f"{line.name}: and {len(line.failures) - SHOWN} more")
    held = passes(found, whole=kinds == ALL_KINDS)
    episodes = sum(len(task.episodes) for task in results)
    mutants = sum(len(task.mutants) for task in results)
    done = f"{len(results)} tasks, {episodes:,} episodes, {mutants:,} mutants, {time.monotonic() - started:.1f} s"
    verdict = "every line holds" if held else "not qualified"
    console.print(f"qualify: {done}; {verdict}; reports in {request.out}")
    return 0 if held else 1


def passes(found: Sequence[Line], whole: bool) -> bool:
    """Whether every line holds. A line that was not run only passes where no more than some were asked for."""
    return all(line.holds or (line.holds is None and not whole) for line in found)


def chosen_kinds(given: str) -> tuple[str, ...]:
    """Kinds of a list with semicolons or commas between, or all. A name may be the beginning of several.

    >>> chosen_kinds("oracle;hedger")
    ('oracle', 'hedger, same target', 'hedger, decoy target')
    """
    if given == "all":
        return ALL_KINDS
    names = [name.strip() for name in given.replace(",", ";").split(";") if name.strip()]
    unknown = [name for name in names if not any(kind.startswith(name) for kind in ALL_KINDS)]
    if unknown or not names:
        known = ", ".join(dict.fromkeys(kind.split(",")[0] for kind in ALL_KINDS))
        raise UnknownTask(f"{', '.join(unknown) or 'no kind named'}: expected kinds of {known}")
    return tuple(kind for kind in ALL_KINDS if any(kind.startswith(name) for name in names))


def _results(
    folders: Sequence[Path], seed: int, kinds: tuple[str, ...], request: Request, console: Console
) -> list[TaskResult]:
    parts = request.out / PARTS
    parts.mkdir(parents=True, exist_ok=True)
    digests, code = read_lock(request.dataset), code_digest()
    prints = {
        folder: hashlib.sha256(repr((digests[folder.name]["digest"], code, seed, kinds)).encode()).hexdigest()
        for folder in folders
    }
    done = {} if request.fresh else {folder: _kept(parts, folder, prints[folder]) for folder in folders}
    results = {folder: result for folder, result in done.items() if result is not None}
    columns = (TextColumn("qualifying"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        line = bar.add_task("tasks", total=len(folders), completed=len(results))
        missing = [folder for folder in folders if folder not in results]
        for folder, result in _qualified(missing, seed, kinds, prints):
            _keep(parts, result)
            results[folder] = result
            bar.advance(line)
    return [results[folder] for folder in folders]


def _qualified(
    folders: Sequence[Path], seed: int, kinds: tuple[str, ...], prints: dict[Path, str]
) -> Iterator[tuple[Path, TaskResult]]:
    """Tasks side by side on the machine's cores; one alone stays in this process."""
    workers = min(len(folders), os.cpu_count() or 1)
    if workers <= 1:
        yield from ((folder, qualify_task(folder, seed, kinds, prints[folder])) for folder in folders)
        return
    # Spawned, not forked: the progress bar has a thread of its own by now.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(qualify_task, folder, seed, kinds, prints[folder]): folder for folder in folders}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _kept(parts: Path, folder: Path, fingerprint: str) -> TaskResult | None:
    """The result of an earlier run, if it is of this task, this code and these kinds."""
    try:
        result = TaskResult.model_validate_json((parts / f"{folder.name}.json").read_bytes())
    except (OSError, ValidationError):
        return None
    return result if result.fingerprint == fingerprint else None


def _keep(parts: Path, result: TaskResult) -> None:
    path = parts / f"{result.task_id}.json"
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(result.model_dump_json(), encoding="utf-8")
    beside.replace(path)


def code_digest() -> str:
    """One digest of all code and data that a qualification depends on."""
    digest = hashlib.sha256()
    for folder in CODE:
        for path in sorted((PROJECT_ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                digest.update(f"{path.relative_to(PROJECT_ROOT)}\n".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def overview(found: Sequence[Line]) -> Table:
    table = Table(title="qualification")
    for column, justify in (("episodes of", "left"), ("n", "right"), ("must show", "left"), ("came", "left")):
        table.add_column(column, justify="right" if justify == "right" else "left", overflow="fold")
    table.add_column("mean", justify="right")
    table.add_column("")
    for line in found:
        mark = {True: "[green]ok[/]", False: "[red]FAILS[/]", None: "not run"}[line.holds]
        mean = "" if line.mean is None else f"{line.mean:.1f}"
        table.add_row(line.name, f"{line.episodes:,}", line.must, line.came, mean, mark)
    return table
