"""An entry: what the leaderboard keeps of a job (schema version 1). In: a checked job. Out: leaderboard/entries/*.json.

Entries are committed, and the tables are made from them alone, so a board can be made again anywhere, and who doubts an
entry can add the job directory once more: the same job gives the same bytes. An entry keeps what was counted (each
trial's regraded points and the digest of its evidence) and never a rank: ranks depend on who else is there.
"""

import json
import re
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from generator.leaderboard.job import LeaderboardError
from generator.spec.tenant import Model

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")


class TrialEntry(Model):
    """One trial, as regraded. evidence: SHA-256 of its snapshot, or none."""

    task: str
    trial: str
    family: str
    tenant: str
    score: int = Field(ge=0, le=100)
    strict: bool
    categories: dict[str, int]
    evidence: str


class Entry(Model):
    """One job. release: SHA-256 of the dataset.lock that it ran on, of tasks tasks. partial: why it has no rank though
    every number in it holds; control: why it never has one, empty for an agent that competes."""

    schema_version: Literal[1] = 1
    name: str = Field(pattern=f"^{NAME.pattern}$")
    agent: str
    agent_version: str
    model: str | None
    harbor: str
    job: str
    finished: str | None
    release: str
    tasks: int
    attempts: int
    control: str
    partial: tuple[str, ...]
    trials: tuple[TrialEntry, ...]


def entry_name(*parts: str | None) -> str:
    """A name for files and tables out of an agent's and a model's: lower case, with dashes."""
    text = re.sub(r"[^a-z0-9._]+", "-", "-".join(part for part in parts if part).lower()).strip("-._")
    return text[:80] or "entry"


def entry_text(entry: Entry) -> str:
    return json.dumps(entry.model_dump(mode="json"), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_entry(entry: Entry, folder: Path) -> Path:
    """Write folder/NAME.json beside its place and rename it.

    Raises LeaderboardError if another job's entry has the name, or this job is there under another name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{entry.name}.json"
    for other in read_entries(folder):
        if other.job == entry.job and other.name != entry.name:
            raise LeaderboardError(f"{folder}: job {entry.job} is there already, as {other.name}")
        if other.name == entry.name and other.job != entry.job:
            raise LeaderboardError(f"{path}: of another job ({other.job}); choose a name with --name")
    beside = folder / f".{entry.name}.new"
    try:
        beside.write_text(entry_text(entry), encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def read_entries(folder: Path) -> list[Entry]:
    """All entries in the order of their names. Raises LeaderboardError for a file that is none."""
    return [read_entry(path) for path in sorted(folder.glob("*.json"))]


def read_entry(path: Path) -> Entry:
    try:
        entry = Entry.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise LeaderboardError(f"{path}: {field or 'file'}: {first['msg']}") from None
    if entry.name != path.stem:
        raise LeaderboardError(f"{path}: of entry {entry.name}; expected the file's name")
    return entry
