"""Where the world finds its files and how it listens: the environment in, Settings out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from erpbench_world.catalog import NameForm


class SettingsError(Exception):
    """An environment variable is missing or wrong; the message names it."""


@dataclass(frozen=True)
class Settings:
    """seed: the task's SQLite file; files: its native files; data: where the world keeps its state and export."""

    seed: Path
    files: Path
    data: Path
    host: str
    port: int
    tool_names: NameForm
    hosts: tuple[str, ...] | None
    """Host headers to answer; None for the defaults."""


def read(environment: Mapping[str, str]) -> Settings:
    """WORLD_SEED, WORLD_FILES and WORLD_DATA are required; WORLD_HOST (127.0.0.1), WORLD_PORT (8000),
    WORLD_TOOL_NAMES (dotted) and WORLD_ALLOWED_HOSTS (names with commas between) are not. Raises SettingsError."""
    names = environment.get("WORLD_TOOL_NAMES") or "dotted"
    form = next((form for form in get_args(NameForm) if form == names), None)
    if form is None:
        raise SettingsError(f"WORLD_TOOL_NAMES: expected dotted or underscore, found {names!r}")
    port = environment.get("WORLD_PORT") or "8000"
    if not port.isdecimal() or int(port) > 65535:
        raise SettingsError(f"WORLD_PORT: expected a port number, found {port!r}")
    hosts = tuple(host.strip() for host in environment.get("WORLD_ALLOWED_HOSTS", "").split(",") if host.strip())
    return Settings(
        seed=_path(environment, "WORLD_SEED"),
        files=_path(environment, "WORLD_FILES"),
        data=_path(environment, "WORLD_DATA"),
        host=environment.get("WORLD_HOST") or "127.0.0.1",
        port=int(port),
        tool_names=form,
        hosts=hosts or None,
    )


def _path(environment: Mapping[str, str], name: str) -> Path:
    value = environment.get(name)
    if not value:
        raise SettingsError(f"{name}: expected a path, found nothing")
    return Path(value)
