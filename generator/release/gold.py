"""What must not be published of a task. In: its contract, its solution. Out: Gold, in the forms of a leak."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from generator.release.bindings import ReleaseError
from generator.tasks.package import CONTRACT

HIDDEN = ("solution", "tests")
"""Folders of a task directory that only oracle and verifier have."""

TOLD = ("calculation", "decision")
"""Categories whose descriptions name what is right."""


@dataclass(frozen=True)
class Gold:
    """One task's gold. answers: the figures by field, in the contract's order; option: the right decision; sentences:
    descriptions that name what is right; rows: cells of expected records, only those that are literal; digests: of
    every hidden file."""

    task_id: str
    answers: Mapping[str, Decimal]
    option: str
    sentences: frozenset[str]
    rows: tuple[Mapping[str, Any], ...]
    digests: Mapping[str, str]

    @property
    def vector(self) -> tuple[Decimal, ...]:
        return tuple(abs(value) for value in self.answers.values())


def read_gold(task: Path) -> Gold:
    """Raises ReleaseError for a contract without figures or without a decision: nothing could be looked for then."""
    contract = json.loads((task / CONTRACT).read_text(encoding="utf-8"))
    criteria = contract["criteria"]
    answers, option = {}, ""
    for criterion in criteria:
        for check in _checks(criterion["check"]):
            if check["kind"] == "answer" and check["type"] != "string":
                answers[check["field"]] = Decimal(str(check["value"]))
            elif check["kind"] == "answer" and check["field"] == "decision":
                option = check["value"]
    if not answers or not option:
        raise ReleaseError(f"{task / CONTRACT}: expected criteria with figures and with a decision")
    return Gold(
        task_id=task.name,
        answers=answers,
        option=option,
        sentences=frozenset(c["description"] for c in criteria if c["category"] in TOLD),
        rows=tuple(row for row in _expected_rows(contract) if len(row) > 1),
        digests={hashlib.sha256(path.read_bytes()).hexdigest(): path.name for path in _hidden_files(task)},
    )


def _hidden_files(task: Path) -> list[Path]:
    return [path for folder in HIDDEN for path in sorted((task / folder).rglob("*")) if path.is_file()]


def _checks(check: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The check, and those that it is made of."""
    yield check
    for inner in check.get("of") or ():
        yield from _checks(inner)


def _expected_rows(contract: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Literal cells of the primary record and of its lines."""
    for expected in contract["primary"]["rows"]:
        yield {name: value for name, value in expected["row"].items() if isinstance(value, str | int)}
        children = expected["children"]
        for cells in children["rows"] if children else ():
            pairs = zip(children["columns"], cells, strict=True)
            yield {name: value for name, value in pairs if isinstance(value, str | int)}
