"""`erpbench dataset`: progress on a terminal, plain lines elsewhere, and the comparison with the lock."""

import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from generator.dataset import LOCK, RenderedTask, build_dataset, dataset_seed, read_lock
from generator.spec.errors import DatasetError
from generator.tenants.load import ROOT, load_tenants

MANIFEST = "manifest.json"


def render_dataset(out: Path, tenants: Path | None, seed: int) -> None:
    """Build into out and say what came of it."""
    console = Console()
    _refuse_to_replace(out, seed)
    before = (out / LOCK).read_bytes() if (out / LOCK).is_file() else None
    started = time.monotonic()
    tasks = _build(out, tenants, seed, console)
    seconds = time.monotonic() - started
    size = sum(task.size for task in tasks) / 1e6
    lock = "written" if before is None else "unchanged" if (out / LOCK).read_bytes() == before else "CHANGED"
    console.print(
        f"dataset: {len(tasks)} task{'s' * (len(tasks) != 1)} in {out}, {size:.1f} MB, {seconds:.1f} s; {LOCK} {lock}"
    )


def _refuse_to_replace(out: Path, seed: int) -> None:
    """Raises DatasetError where out holds something that a render with this seed did not make."""
    if not out.is_dir() or not any(out.iterdir()):
        return
    if (out / MANIFEST).exists():
        raise DatasetError(f"{out}: holds a release ({MANIFEST}): expected a rendered dataset, or an empty folder")
    if not (out / LOCK).is_file():
        raise DatasetError(f"{out}: holds other files: expected a rendered dataset ({LOCK}), or an empty folder")
    came = dataset_seed(out)
    if came != seed:
        raise DatasetError(f"{out}: holds the dataset of seed {came}: expected that of seed {seed}, or an empty folder")


def check_dataset(out: Path, tenants: Path | None, seed: int) -> None:
    """Build into a folder of its own and compare. Raises DatasetError naming what differs."""
    expected = read_lock(out)
    with tempfile.TemporaryDirectory(prefix="erpbench-check-") as folder:
        _build(Path(folder), tenants, seed, Console(stderr=True))
        came = read_lock(Path(folder))
    differences = [
        f"{task}: {_differences(expected.get(task), came.get(task))}"
        for task in sorted(expected.keys() | came.keys())
        if expected.get(task) != came.get(task)
    ]
    if differences:
        more = f" and {len(differences) - 1} more tasks" if len(differences) > 1 else ""
        raise DatasetError(f"{out / LOCK}: a rebuild differs: {differences[0]}{more}")
    print(f"dataset: {len(expected)} tasks rebuilt, every digest as in {out / LOCK}")


def _differences(expected: dict[str, Any] | None, came: dict[str, Any] | None) -> str:
    if expected is None or came is None:
        return "only in the rebuild" if expected is None else "only in the lock"
    want, have = expected["assets"], came["assets"]
    assets = [name for name in sorted(want.keys() | have.keys()) if want.get(name) != have.get(name)]
    return (
        f"files {', '.join(assets)}"
        if assets
        else "not in its native files but elsewhere (world, contract, plan or templates)"
    )


def _build(out: Path, tenants: Path | None, seed: int, console: Console) -> list[RenderedTask]:
    loaded = load_tenants(ROOT if tenants is None else tenants, seed)
    if not loaded:
        raise DatasetError(f"{tenants}: no tenants; expected folders with a profile.yaml")
    columns = (TextColumn("rendering"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        line = bar.add_task("tasks", total=None)
        return build_dataset(loaded, out, lambda done, total: bar.update(line, completed=done, total=total), seed)
