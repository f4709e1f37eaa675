"""Trajectory files in three forms, as one list of steps.

- an oracle plan (solution/plan.json): calls whose arguments may refer to earlier results, no recorded results;
- steps: {"steps": [{"tool", "arguments", "output" | "output_prefix" | "figures"}]}, a published run; output_prefix
is the
  beginning of the result as JSON with sorted keys, figures the identifiers, dates and numbers of it in order;
- a trial's trace: {"calls": [...]} or a list, each with tool, arguments, outcome and the keys it saw and wrote.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.spec.errors import TrajectoryError, first_fault
from generator.spec.plan import OraclePlan


@dataclass(frozen=True)
class Step:
    """One call with what was recorded of it; None where nothing was.

    keys: (saw, wrote) of a trace, as sets of [table, key] in text.
    """

    tool: str
    arguments: Mapping[str, Any]
    keep: Mapping[str, str] = field(default_factory=dict)
    output: Any = None
    output_prefix: str | None = None
    figures: tuple[str, ...] | None = None
    outcome: str | None = None
    keys: tuple[tuple[str, ...], tuple[str, ...]] | None = None


def read_trajectory(path: Path) -> tuple[Step, ...]:
    """Raises TrajectoryError naming the file, what was expected and what came."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TrajectoryError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise TrajectoryError(f"{path}: cannot be read as JSON: {error}") from None
    rows = data.get("calls", data.get("steps")) if isinstance(data, dict) else data
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise TrajectoryError(f"{path}: expected an oracle plan, a list of steps or a trace; came {_kind(data)}")
    if isinstance(data, dict) and "calls" in data and all("stage" in row for row in rows):
        return _plan_steps(path, data)
    return tuple(_step(path, number, row) for number, row in enumerate(rows, start=1))


def _kind(data: Any) -> str:
    return f"an object with {', '.join(sorted(map(str, data)))[:80]}" if isinstance(data, dict) else type(data).__name__


def _plan_steps(path: Path, data: dict[str, Any]) -> tuple[Step, ...]:
    try:
        plan = OraclePlan.model_validate(data)
    except ValidationError as error:
        field, reason, _ = first_fault(error)
        raise TrajectoryError(f"{path}: {field}: {reason}") from None
    return tuple(Step(call.tool, call.arguments, call.keep) for call in plan.calls)


def _step(path: Path, number: int, row: dict[str, Any]) -> Step:
    tool, arguments = row.get("tool"), row.get("arguments")
    if isinstance(arguments, str):
        arguments = _parsed(arguments)
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        raise TrajectoryError(f"{path}: step {number}: expected tool (a name) and arguments (an object)")
    figures = row.get("figures")
    keys = (record_keys(row["saw"]), record_keys(row["wrote"])) if "saw" in row and "wrote" in row else None
    return Step(
        tool=tool,
        arguments=arguments,
        output=row.get("output"),
        output_prefix=row.get("output_prefix"),
        figures=tuple(figures) if isinstance(figures, list) else None,
        outcome=row.get("outcome"),
        keys=keys,
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def record_keys(pairs: Any) -> tuple[str, ...]:
    """[table, key] pairs, as a list or as its JSON text, as sorted "table/key"."""
    pairs = _parsed(pairs) if isinstance(pairs, str) else pairs
    return tuple(sorted(f"{table}/{key}" for table, key in pairs or ()))
