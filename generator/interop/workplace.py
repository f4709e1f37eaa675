"""Where a probe runs. In: a dataset. Out: a temporary folder in which its registry's relative paths hold.

work/
├── home/                  HOME and TMPDIR of the probe
├── harbor_tasks           a link to the dataset, under the name that registry.json has for it
└── git/repository.git     only for a consumer that wants tasks from git, with a registry.json of its own beside it
"""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from generator.interop.consumers import Consumer, InteropError

GIT_IDENTITY = ("-c", "user.name=erpbench", "-c", "user.email=erpbench@localhost", "-c", "commit.gpgsign=false")


def lay_out(work: Path, dataset: Path, entry: dict[str, Any]) -> Path:
    """Make the folders and the link; the link, relative to work. Raises InteropError if paths differ in it."""
    (work / "home").mkdir(parents=True)
    parents = {PurePosixPath(task["path"]).parent for task in entry["tasks"]}
    if len(parents) != 1:
        raise InteropError(f"{dataset / 'registry.json'}: expected tasks in one folder, its paths name {len(parents)}")
    link = parents.pop()
    if link.is_absolute() or ".." in link.parts or not link.parts:
        raise InteropError(
            f"{dataset / 'registry.json'}: expected paths like harbor_tasks/erpbench-001, found {link}/…"
        )
    (work / link).parent.mkdir(parents=True, exist_ok=True)
    (work / link).symlink_to(dataset.resolve(), target_is_directory=True)
    return Path(link)


def registry_for(consumer: Consumer, work: Path, link: Path, entry: dict[str, Any]) -> Path:
    """The registry file for this consumer: the dataset's own, or one of a git repository made of it."""
    if not consumer.git_registry:
        return link / "registry.json"
    names = [PurePosixPath(task["path"]).name for task in entry["tasks"]]
    git = work / "git"
    git.mkdir()
    repository = git / "repository.git"
    commit = commit_tasks(repository, (work / link).resolve(), names)
    source = {"git_url": repository.as_uri(), "git_commit_id": commit}
    tasks = [{**task, "path": name, **source} for task, name in zip(entry["tasks"], names, strict=True)]
    registry = git / "registry.json"
    registry.write_text(json.dumps([{**entry, "tasks": tasks}]), encoding="utf-8")
    return registry


def commit_tasks(repository: Path, dataset: Path, names: Sequence[str]) -> str:
    """Commit the task directories to a new bare repository; its id. Raises InteropError with git's own words."""
    _git("init", "--quiet", "--bare", "--initial-branch=main", str(repository))
    tree = (f"--git-dir={repository}", f"--work-tree={dataset}")
    _git(*tree, "add", "--force", "--", *names, cwd=dataset)
    _git(*tree, *GIT_IDENTITY, "commit", "--quiet", "--message=The rendered tasks", cwd=dataset)
    return _git(*tree, "rev-parse", "HEAD").strip()


def _git(*arguments: str, cwd: Path | None = None) -> str:
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        result = subprocess.run(
            ["git", *arguments], cwd=cwd, env={**kept, **settings}, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise InteropError("the git command is not on PATH; verifiers loads a registry's tasks from git") from None
    if result.returncode != 0:
        raise InteropError(f"git {arguments[-1]}: {result.stderr.strip()}")
    return result.stdout
