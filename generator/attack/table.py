"""The table of attacks. In: the JSON lines that marked tests leave. Out: rows, and the table in Markdown and JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

REPORT = "ERPBENCH_ATTACK_REPORT"
"""Names the file that the tests leave their rows in."""

JSON_FILE = "attacks.json"
MARKDOWN_FILE = "attacks.md"
ORDER = ("agent", "world", "verifier", "scoring", "injection", "supply")
FLAWS = (
    "agent and evaluator share a place",
    "answers lie within reach",
    "input reaches something that executes it",
    "a judge that can be talked to",
    "loose text matching",
    "scoring logic with gaps",
    "trust in what untrusted code reports",
    "more rights than needed",
)


class Attack(BaseModel):
    """One attack. flaw counts FLAWS from 1; outcome is held, failed or skipped; test is pytest's name of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    attack: str
    expected: str
    seen: str
    outcome: str
    flaw: int
    test: str


def read_attacks(path: Path) -> list[Attack]:
    """The rows of a report in the order of places and of the tests."""
    rows = [Attack.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(rows, key=lambda row: (ORDER.index(row.place), row.test))


def build_markdown(attacks: Sequence[Attack]) -> str:
    held = sum(row.outcome == "held" for row in attacks)
    lines = [
        "# Attacks on ERPBench-100",
        "",
        f"{held} of {len(attacks)} hold.",
        "",
        "| where | attack | expected | seen | | flaw |",
        "|---|---|---|---|---|---|",
        *(_line(row) for row in attacks),
        "",
        "Flaws: " + "; ".join(f"{number} {text}" for number, text in enumerate(FLAWS, 1)) + ".",
    ]
    return "\n".join(lines) + "\n"


def write_tables(attacks: Sequence[Attack], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    rows = [row.model_dump() for row in attacks]
    (out / JSON_FILE).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (out / MARKDOWN_FILE).write_text(build_markdown(attacks), encoding="utf-8")


def _line(row: Attack) -> str:
    cells = (row.place, row.attack, row.expected, row.seen, row.outcome)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + f" | {row.flaw} |"
