"""The dataset directory: all task directories, registry.json, dataset.toml and dataset.lock, written beside, then
renamed.

harbor_tasks/
├── erpbench-001/ …    rendered, not committed
├── registry.json      for `harbor run -d erpbench100 --registry-path`
├── dataset.toml       names and digests for `harbor sync` and `harbor publish`
└── dataset.lock       the seed and every task's digests: what a rebuild must come to
"""

import json
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.families import FAMILIES
from generator.harbor.dataset import DatasetEntry, dataset_toml, registry
from generator.harbor.digest import task_digest
from generator.images.definition import image_prefix, project_version
from generator.spec.errors import DatasetError
from generator.spec.streams import RELEASE_SEED
from generator.spec.tenant import Tenant
from generator.tasks.case import build_cases
from generator.tasks.package import build_package, write_package
from generator.tasks.room import tenant_files
from generator.worlds.rows import tenant_rows

LOCK = "dataset.lock"
LOCK_SCHEMA = 1


@dataclass(frozen=True)
class RenderedTask:
    """One line of the lock."""

    task_id: str
    digest: str
    files: int
    size: int
    assets: dict[str, str]


def build_dataset(
    tenants: Sequence[Tenant], out: Path, tick: Callable[[int, int], None], seed: int = RELEASE_SEED
) -> list[RenderedTask]:
    """Render all tasks of the tenants into out, replacing what an earlier build left there.

    tick is called with (tasks done, tasks in all). Nothing of out changes unless every task was rendered.
    """
    out.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=".building-", dir=out))
    try:
        tasks: list[RenderedTask] = []
        total = len(tenants) * sum(family.task is not None for family in FAMILIES)
        for done in _render_all(tenants, building):
            tasks.extend(done)
            tick(len(tasks), total)
        tasks.sort(key=lambda task: task.task_id)
        _write_manifests(tasks, building, seed, out.resolve().name)
        _replace(building, out)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return tasks


def _render_all(tenants: Sequence[Tenant], building: Path) -> Iterator[list[RenderedTask]]:
    """Tenants side by side on the machine's cores; one alone stays in this process."""
    workers = min(len(tenants), os.cpu_count() or 1)
    if workers == 1:
        yield from (_render_tenant(tenant, building) for tenant in tenants)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
        futures = [pool.submit(_render_tenant, tenant, building) for tenant in tenants]
        for future in as_completed(futures):
            yield future.result()


def _render_tenant(tenant: Tenant, building: Path) -> list[RenderedTask]:
    rows, files = tenant_rows(tenant), tenant_files(tenant)
    rendered = []
    for case in build_cases([tenant]):
        package = build_package(case, rows, files, project_version(), image_prefix())
        write_package(package, building / case.task_id)
        rendered.append(
            RenderedTask(
                task_id=case.task_id,
                digest=package.digest,
                files=len(package.files),
                size=sum(len(data) for data in package.files.values()),
                assets=dict(package.assets),
            )
        )
    return rendered


def _write_manifests(tasks: list[RenderedTask], folder: Path, seed: int, name: str) -> None:
    """registry.json names the tasks by the folder they will lie in, so that another dataset's are never meant."""
    entries = [DatasetEntry(task.task_id, task.digest) for task in tasks]
    manifests = {
        "registry.json": registry(entries, project_version(), name),
        "dataset.toml": dataset_toml(entries, project_version()),
        LOCK: lock_text(tasks, seed),
    }
    for name, text in manifests.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o644)


def lock_text(tasks: Sequence[RenderedTask], seed: int) -> str:
    """dataset.lock: the seed, and by task its Harbor digest, its number of files and the digest of each native file."""
    lock = {
        "schema_version": LOCK_SCHEMA,
        "version": project_version(),
        "seed": seed,
        "tasks": {task.task_id: {"digest": task.digest, "files": task.files, "assets": task.assets} for task in tasks},
    }
    return json.dumps(lock, indent=1, sort_keys=True) + "\n"


def _replace(building: Path, out: Path) -> None:
    """Move the new build into place: task directories of an earlier build go, everything else stays."""
    old = Path(tempfile.mkdtemp(prefix=".replaced-", dir=out))
    try:
        for path in out.glob("erpbench-[0-9][0-9][0-9]"):
            path.rename(old / path.name)
        for path in sorted(building.iterdir()):
            path.replace(out / path.name)
    finally:
        shutil.rmtree(old, ignore_errors=True)


def read_lock(dataset: Path) -> dict[str, Any]:
    """The lock's tasks. Raises DatasetError if there is no readable lock."""
    return _lock(dataset)[1]


def dataset_seed(dataset: Path) -> int:
    """The seed that the dataset was rendered with. Raises DatasetError if there is no readable lock."""
    seed = _lock(dataset)[0]
    if not isinstance(seed, int):
        raise DatasetError(f"{dataset / LOCK}: expected a seed, came {seed!r}")
    return seed


def _lock(dataset: Path) -> tuple[Any, dict[str, Any]]:
    """Seed, as it stands there, and tasks."""
    try:
        lock = json.loads((dataset / LOCK).read_text(encoding="utf-8"))
        version, tasks = lock["schema_version"], dict(lock["tasks"])
    except FileNotFoundError:
        raise DatasetError(f"{dataset}: no {LOCK}; expected a rendered dataset (run `make dataset`)") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{dataset / LOCK}: not a dataset lock: {error}") from None
    if version != LOCK_SCHEMA:
        raise DatasetError(f"{dataset / LOCK}: expected schema version {LOCK_SCHEMA}, came {version!r}")
    return lock.get("seed"), tasks


def task_directory(dataset: Path, task: str) -> Path:
    """The directory of a rendered task, found whole and of the lock's build.

    Raises DatasetError for a dataset without the task, and for a directory that is missing, half-written or changed.
    """
    tasks = read_lock(dataset)
    if task not in tasks:
        raise DatasetError(f"{dataset}: no task {task!r}; the lock has {_span(sorted(tasks))}")
    folder = dataset / task
    if not folder.is_dir():
        raise DatasetError(f"{folder}: not rendered; run `make dataset`")
    came, expected = task_digest(folder), tasks[task]["digest"]
    if came != expected:
        raise DatasetError(f"{folder}: half-written or changed: expected {expected}, came {came}; run `make dataset`")
    return folder


def spread_tasks(names: Sequence[str]) -> list[str]:
    """Few tasks that meet every tenant (each ten numbers) and every family (each last digit) among the names.

    >>> spread_tasks(["erpbench-001", "erpbench-002", "erpbench-011", "erpbench-012"])
    ['erpbench-001', 'erpbench-012']
    """
    places = {name: divmod(int(name.rsplit("-", 1)[1]) - 1, 10) for name in names}
    tenants, families, chosen = set(), set(), []
    for wanted in (2, 1):
        for name in sorted(names):
            tenant, family = places[name]
            if (tenant not in tenants) + (family not in families) >= wanted:
                chosen.append(name)
                tenants.add(tenant)
                families.add(family)
    return sorted(chosen)


def _span(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) < 4 else f"{names[0]} to {names[-1]}"
