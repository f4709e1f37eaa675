"""The release that jobs are held against. In: a rendered dataset, whole. Out: its digest, and what each task is."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from generator.dataset import LOCK, read_lock, task_directory
from generator.leaderboard.files import LeaderboardError
from generator.release.bindings import sha256_of


@dataclass(frozen=True)
class ReleaseTask:
    """digest is Harbor's, as in dataset.lock."""

    task: str
    directory: Path
    digest: str
    family: str
    tenant: str


@dataclass(frozen=True)
class Release:
    """digest is the SHA-256 of dataset.lock, which names every task's digest: the release's own."""

    digest: str
    tasks: dict[str, ReleaseTask]


def read_release(dataset: Path) -> Release:
    """Raises DatasetError for a dataset that is not rendered, or a directory that is not as the lock has it."""
    locked = read_lock(dataset)
    return Release(
        digest=release_digest(dataset),
        tasks={name: _task(dataset, name, str(locked[name]["digest"])) for name in sorted(locked)},
    )


def release_digest(dataset: Path) -> str:
    read_lock(dataset)
    return sha256_of(dataset / LOCK)


def _task(dataset: Path, name: str, digest: str) -> ReleaseTask:
    directory = task_directory(dataset, name)
    try:
        metadata = tomllib.loads((directory / "task.toml").read_text(encoding="utf-8"))["metadata"]
        return ReleaseTask(name, directory, digest, str(metadata["family"]), str(metadata["company"]))
    except (KeyError, ValueError) as error:
        raise LeaderboardError(f"{directory / 'task.toml'}: expected family and company, came {error!r}") from None
