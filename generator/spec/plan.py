"""An oracle plan: the calls of a right episode, whose arguments may refer to earlier results (schema version 1).

Written to solution/plan.json; run by the agent container's client over MCP, and in process by the qualification. A
call's
`keep` maps a variable to a field of its result; a string argument may hold "${variable}" anywhere, and a string that is
nothing else stands for the value itself (a number stays a number).
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from generator.spec.tenant import Model

Stage = Literal["scope", "investigate", "execute", "decide", "handoff", "verify", "submit"]
_REFERENCE = re.compile(r"\$\{(\w+)\}")


class PlanCall(Model):
    stage: Stage
    tool: str
    arguments: dict[str, Any]
    keep: dict[str, str] = Field(default_factory=dict)


class OraclePlan(Model):
    schema_version: Literal[1] = 1
    canary: str
    task_id: str
    calls: tuple[PlanCall, ...]


def resolve(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with every "${variable}" in its strings replaced. Raises KeyError for a variable nothing has kept."""
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value)
        if whole:
            return variables[whole.group(1)]
        return _REFERENCE.sub(lambda match: str(variables[match.group(1)]), value)
    if isinstance(value, Mapping):
        return {key: resolve(inner, variables) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(inner, variables) for inner in value]
    return value
