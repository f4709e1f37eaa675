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

from generator.leaderboard.files import Label, LeaderboardError, Note
from generator.spec.errors import first_fault
from generator.spec.tenant import Model

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")


class TrialEntry(Model):
    """One trial, as regraded. evidence: SHA-256 of its snapshot, or none."""

    task: Label
    trial: Label
    family: Label
    tenant: Label
    score: int = Field(ge=0, le=100)
    strict: bool
    categories: dict[Label, int]
    evidence: str = Field(pattern="^([0-9a-f]{64}|none)$")


class Entry(Model):
    """One job. release: SHA-256 of the dataset.lock that it ran on, of tasks tasks. partial: why it has no rank though
    every number in it holds; control: why it never has one, empty for an agent that competes."""

    schema_version: Literal[1] = 1
    name: str = Field(pattern=f"^{NAME.pattern}$")
    agent: Label
    agent_version: Label
    model: Note | None
    harbor: Label
    job: Label
    finished: Label | None
    release: str = Field(pattern="^[0-9a-f]{64}$")
    tasks: int = Field(ge=1)
    attempts: int = Field(ge=1)
    control: Note
    partial: tuple[Note, ...]
    trials: tuple[TrialEntry, ...] = Field(min_length=1)


def entry_name(*parts: str | None) -> str:
    """A name for files and tables out of an agent's and a model's: lower case, with dashes."""
    text = re.sub(r"[^a-z0-9._]+", "-", "-".join(part for part in parts if part).lower()).strip("-._")
    return text[:80] or "entry"


def entry_text(entry: Entry) -> str:
    return json.dumps(entry.model_dump(mode="json"), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def entry_error(path: Path, error: ValidationError) -> LeaderboardError:
    field, reason, _ = first_fault(error)
    return LeaderboardError(f"{path}: {field or 'file'}: {reason}")
