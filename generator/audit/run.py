"""The audit of rendered tasks: what the SQL of a family finds, against what the gold contract expects.

In: task directories. Out: AuditResult values. The SQL sees the evidence only (load.py); the expected values are read
from tests/contract.json here, after the query has run, and only for the comparison.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb

from generator.audit.documents import Reader
from generator.audit.load import Evidence, Tables, load
from generator.spec.errors import ErpbenchError

CONTRACT = Path("tests", "contract.json")
Answers = dict[str, Decimal | str | None]


class AuditError(ErpbenchError):
    """A family's SQL does not run, or does not end in one row."""

    code = "audit"


@dataclass(frozen=True)
class AuditResult:
    """One task. derived: the five answers, decision and status as the SQL has them; differences: a line for each that
    is not what the contract expects, empty when the two agree."""

    task_id: str
    family: str
    agreed: bool
    derived: Answers
    differences: list[str]


def audit_tasks(tasks: Sequence[Path], done: Callable[[AuditResult], None] = lambda result: None) -> list[AuditResult]:
    """Audit each task directory; done is called after each. Raises AuditError if a family's SQL does not give one row,
    EvidenceError if a task's evidence cannot be read."""
    results = []
    for result in _audited(tasks):
        done(result)
        results.append(result)
    return results


def _audited(tasks: Iterable[Path]) -> Iterator[AuditResult]:
    reader, tables = Reader(), Tables()
    for task in tasks:
        evidence = load(task, reader, tables)
        derived = derive(evidence)
        differences = compare(derived, expected(task))
        yield AuditResult(evidence.task_id, evidence.family, not differences, derived, differences)


def audit_sql(family: str) -> str:
    return files("generator.audit").joinpath("sql", f"{family}.sql").read_text(encoding="utf-8")


def derive(evidence: Evidence) -> Answers:
    """The one row that the family's SQL ends in, by column."""
    try:
        cursor = evidence.connection.execute(audit_sql(evidence.family))
        rows = cursor.fetchall()
    except duckdb.Error as error:
        raise AuditError(f"{evidence.task_id}: {evidence.family}.sql: {error}") from error
    if len(rows) != 1:
        raise AuditError(f"{evidence.task_id}: {evidence.family}.sql: expected one row, came {len(rows)}")
    names = [column[0] for column in cursor.description or ()]
    return {name: _value(cell) for name, cell in zip(names, rows[0], strict=True)}


def _value(cell: Any) -> Decimal | str | None:
    if cell is None or isinstance(cell, str):
        return cell
    return Decimal(str(cell))


def expected(task: Path) -> dict[str, Mapping[str, Any]]:
    """The answer checks of the gold contract by field: five answers, decision and status."""
    criteria = json.loads((task / CONTRACT).read_text(encoding="utf-8"))["criteria"]
    return {check["field"]: check for criterion in criteria for check in _answer_checks(criterion["check"])}


def _answer_checks(check: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if check["kind"] == "answer":
        yield check
    for part in check.get("of") or ():
        yield from _answer_checks(part)


def compare(derived: Answers, checks: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A line for each field that differs, and for each that only one side has."""
    lines = [f"{field}: the audit has it, the contract does not" for field in derived if field not in checks]
    for field, check in checks.items():
        if field not in derived:
            lines.append(f"{field}: the contract has it, the audit does not")
        elif not _same(derived[field], check):
            lines.append(f"{field}: expected {check['value']}, derived {_shown(derived[field])}")
    return lines


def _same(value: Decimal | str | None, check: Mapping[str, Any]) -> bool:
    if value is None:
        return False
    if check["type"] == "string":
        return value == str(check["value"])
    return isinstance(value, Decimal) and value == Decimal(str(check["value"]))


def _shown(value: Decimal | str | None) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else format(value.normalize(), "f")
