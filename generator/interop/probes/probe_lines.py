"""What the probes share. In: Harbor's own task objects, of whichever version. Out: JSON lines on standard output.

A line is one of: about (who reads, and which network interfaces there are), task (what was read of one task), refused
(a task directory that does not load, and why). Standard output carries nothing else: whatever a consumer prints goes to
standard error.
"""

import importlib.metadata
import json
import os
import platform
import re
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

REASON_LENGTH = 400
# pydantic ends each error with a link to its own pages.
POINTER = re.compile(r" For further information visit \S+")


class Told(Protocol):
    """Who is told what was read and what was not."""

    def task(self, route: str, directory: str, fields: dict[str, Any]) -> None: ...

    def refused(self, route: str, directory: str, reason: object) -> None: ...


class Lines:
    """Writes JSON lines to what was standard output when it was made, and sends all later output to standard error."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def about(self, *distributions: str) -> None:
        interfaces = sorted(name for _, name in socket.if_nameindex())
        versions = {name: importlib.metadata.version(name) for name in distributions}
        self._write({"about": {"versions": versions, "python": platform.python_version(), "interfaces": interfaces}})

    def task(self, route: str, directory: str, fields: dict[str, Any]) -> None:
        self._write({"route": route, "task": directory, "read": fields})

    def refused(self, route: str, directory: str, reason: object) -> None:
        text = POINTER.sub("", " ".join(str(reason).split())) or type(reason).__name__
        self._write({"route": route, "refused": directory, "reason": text[:REASON_LENGTH]})

    def _write(self, line: dict[str, Any]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()


def directories(dataset: Path) -> Iterator[Path]:
    """The task directories, one level deep, as every consumer looks for them."""
    return (path for path in sorted(dataset.iterdir()) if (path / "task.toml").exists())


def read_all(
    lines: Told, route: str, dataset: Path, found: Iterable[Path], read: Callable[[Path], dict[str, Any]]
) -> None:
    """A line for each task directory that the consumer found, and one for each that it did not find or cannot read."""
    errors: dict[str, object] = {}
    loaded = set()
    for path in found:
        try:
            lines.task(route, path.name, read(path))
            loaded.add(path.name)
        except Exception as error:
            errors[path.name] = error
    for path in directories(dataset):
        if path.name not in loaded:
            lines.refused(route, path.name, errors.get(path.name) or _reason(path, read))


def _reason(path: Path, read: Callable[[Path], object]) -> object:
    """Why a consumer may have left a directory out: it gives no reason itself, but reading the directory alone does."""
    try:
        read(path)
    except Exception as error:
        return error
    return "left out without a reason; read alone it loads"


def harbor_fields(task: Any) -> dict[str, Any]:
    """What a harbor.models.task.task.Task holds of its directory."""
    config = task.config
    environment, verifier = config.environment, config.verifier
    return {
        "name": task.name,
        "instruction": task.instruction,
        "description": config.task.description,
        "keywords": list(config.task.keywords),
        "image": environment.docker_image,
        "workdir": environment.workdir,
        "cpus": environment.cpus,
        "memory_mb": environment.memory_mb,
        "agent_user": str(config.agent.user),
        "agent_timeout": config.agent.timeout_sec,
        "verifier_timeout": verifier.timeout_sec,
        "mcp_servers": [[server.name, server.transport, server.url] for server in environment.mcp_servers],
        "verifier_mode": verifier.environment_mode.value,
        "verifier_image": verifier.environment.docker_image,
        "collect": [[hook.service, hook.command, hook.timeout_sec] for hook in verifier.collect],
        "artifacts": [[artifact.source, artifact.service] for artifact in config.artifacts],
    }


def arguments() -> tuple[Path, str, Path | None]:
    """DATASET NAME [REGISTRY]: the folder of tasks, the dataset's name, and the registry file to load it from too."""
    dataset, name, *registry = sys.argv[1:]
    return Path(dataset), name, Path(registry[0]) if registry else None
