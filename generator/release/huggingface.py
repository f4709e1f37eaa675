"""dist/huggingface. In: a rendered dataset, its qualification, its Bindings. Out: the folder that is published.

huggingface/
├── README.md  croissant.json  LICENSE
├── data/<table>/test-00000-of-00001.parquet     tasks, assets, tools, tenants, qualification
├── files/<tenant or task>/…                     the native files, to browse
├── trajectories/<task>.json and Parquet         oracles' episodes: the only solutions here
└── manifest.json                                what it was built from, and every file's digest
"""

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.dataset import LOCK
from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import Bindings, ReleaseError, sha256_of
from generator.release.card import Contents, Published, build_card
from generator.release.columns import PublishedTable, Row
from generator.release.croissant import PlainFile, build_croissant
from generator.release.leaks import find_leaks
from generator.release.parquet import read_table, write_table
from generator.release.placing import fresh_side
from generator.release.rows import PublishedTask, asset_rows, read_tasks, task_rows, tenant_rows, tool_rows
from generator.release.tables import ASSETS, QUALIFICATION, TASKS, TENANTS, TOOLS, TRAJECTORIES
from generator.release.trajectories import Played, play_oracles, trajectory_rows
from generator.tasks import terms

LICENCES: Mapping[str, str] = {"LICENSE": "LICENSE-DATA"}
"""Files of the project that go along, by their name in the release."""

JSON = "application/json"
SHOWN = 3


@dataclass(frozen=True)
class Ingredients:
    """What a release is made of, read once: tasks, qualification and the oracles' episodes."""

    bindings: Bindings
    published: str
    tasks: tuple[PublishedTask, ...]
    qualification: Sequence[Row]
    played: tuple[Played, ...]


def build_huggingface(dataset: Path, out: Path, bindings: Bindings, qualification: Sequence[Row]) -> None:
    """Build out anew, replacing what an earlier build left there; it stays as it was if anything is not in order.

    qualification: rows of that table. Raises ReleaseError for a dataset that is not the bindings', an oracle below the
    full score, and for gold outside trajectories/.
    """
    if sha256_of(dataset / LOCK) != bindings.dataset_lock_sha256:
        raise ReleaseError(f"{dataset / LOCK}: not the lock that the bindings name ({bindings.dataset_lock_sha256})")
    tasks = read_tasks(dataset, bindings.seed)
    played = play_oracles(dataset, tasks, bindings.version)
    ingredients = Ingredients(bindings, commit_date(bindings.commit), tasks, qualification, played)
    with fresh_side(out, bindings) as fresh:
        write_release(ingredients, fresh)
        leaks = find_leaks(fresh, dataset)
        if leaks:
            more = f" and {len(leaks) - SHOWN} more" if len(leaks) > SHOWN else ""
            raise ReleaseError(f"gold would be published: {'; '.join(leaks[:SHOWN])}{more}")


def published_qualification(folder: Path) -> list[dict[str, Any]]:
    """The rows of the qualification that a built folder holds, for a rebuild of it without playing everything again.

    Raises ReleaseError for a folder without them.
    """
    return read_table(folder / QUALIFICATION.path)


def write_release(ingredients: Ingredients, folder: Path) -> None:
    """Everything but the manifest."""
    files = [*native_files(asset_rows(ingredients.tasks), folder), *trajectory_files(ingredients.played, folder)]
    contents = Contents(ingredients.bindings, ingredients.published, write_tables(ingredients, folder))
    for name, source in LICENCES.items():
        _write(folder / name, (PROJECT_ROOT / source).read_bytes())
    _write(folder / "croissant.json", build_croissant(contents, files).encode())
    _write(folder / "README.md", build_card(contents).encode())


def write_tables(ingredients: Ingredients, folder: Path) -> tuple[Published, ...]:
    """The Parquet files, the table of tasks first."""
    tasks = ingredients.tasks
    tables: tuple[tuple[PublishedTable, Sequence[Row]], ...] = (
        (TASKS, task_rows(tasks)),
        (ASSETS, asset_rows(tasks)),
        (TOOLS, tool_rows()),
        (TENANTS, tenant_rows(tasks)),
        (QUALIFICATION, ingredients.qualification),
        (TRAJECTORIES, trajectory_rows(ingredients.played)),
    )
    return tuple(_write_table(table, rows, folder) for table, rows in tables)


def _write_table(table: PublishedTable, rows: Sequence[Row], folder: Path) -> Published:
    path = folder / table.path
    write_table(table, rows, path, terms.CANARY)
    path.chmod(0o644)
    return Published(table, rows, path.stat().st_size, sha256_of(path))


def native_files(assets: Sequence[Row], folder: Path) -> list[PlainFile]:
    """Write the browsable tree; its files in the order of paths."""
    for row in assets:
        _write(folder / row["path"], row["content"])
    found = [PlainFile(row["path"], row["media_type"], row["size"], row["sha256"]) for row in assets]
    return sorted(found, key=lambda file: file.path)


def trajectory_files(played: Sequence[Played], folder: Path) -> list[PlainFile]:
    for one in played:
        _write(folder / one.path, one.content)
    return [PlainFile(p.path, JSON, len(p.content), hashlib.sha256(p.content).hexdigest()) for p in played]


def commit_date(commit: str, root: Path = PROJECT_ROOT) -> str:
    """The date of a commit, ISO. Raises ReleaseError for a commit that git does not know."""
    command = ["git", "show", "--no-patch", "--format=%cs", commit.partition("-")[0], "--"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise ReleaseError(f"{root}: no commit {commit}: {' '.join(result.stderr.split())[:160]}")
    return result.stdout.strip()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
