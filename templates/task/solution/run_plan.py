"""Run the calls of an oracle plan against the world, in one process.

In: a plan file (a call has a tool, arguments with "${variable}" in them, and keep: variable to result field) and the
`erp` client of the agent's image. Out: one line a call on standard output; stops with exit code 1 at the first error.
"""

import importlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, "/usr/local/lib/erpbench")
REFERENCE = re.compile(r"\$\{(\w+)\}")


class PlanError(Exception):
    """The plan cannot be read, refers to what no call has kept, or a result lacks a field that it keeps."""


def resolve(value: Any, variables: Mapping[str, Any]) -> Any:
    """The value with every "${variable}" in its strings replaced; a string that is nothing else becomes the value.

    Raises PlanError for a variable that nothing has kept.
    """
    if isinstance(value, str):
        unknown = [name for name in REFERENCE.findall(value) if name not in variables]
        if unknown:
            raise PlanError(f"no earlier call has kept {', '.join(unknown)}")
        whole = REFERENCE.fullmatch(value)
        if whole:
            return variables[whole.group(1)]
        return REFERENCE.sub(lambda match: str(variables[match.group(1)]), value)
    if isinstance(value, dict):
        return {key: resolve(inner, variables) for key, inner in value.items()}
    if isinstance(value, list):
        return [resolve(inner, variables) for inner in value]
    return value


def run(plan: Mapping[str, Any], client: Any) -> int:
    """Make the calls through the client (its call(tool, arguments) gives the result); returns how many were made."""
    variables: dict[str, Any] = {}
    for number, call in enumerate(plan["calls"], 1):
        tool = call["tool"]
        try:
            result = client.call(tool, resolve(call["arguments"], variables))
            for variable, field in call.get("keep", {}).items():
                if not isinstance(result, dict) or field not in result:
                    raise PlanError(f"the result has no field {field} to keep as {variable}")
                variables[variable] = result[field]
        except Exception as error:
            raise PlanError(f"call {number}, {tool}: {error}") from error
        print(f"{number:3d}  {call.get('stage', '')}  {tool}", flush=True)
    return len(plan["calls"])


def main(path: Path) -> int:
    erp: Any = importlib.import_module("erp")

    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
        print(f"{run(plan, erp.Erp())} calls made for {plan['task_id']}")
    except (OSError, ValueError, KeyError, PlanError, erp.ErpError) as error:
        print(f"run_plan: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
