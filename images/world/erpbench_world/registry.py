"""Which function answers which tool."""

from collections.abc import Callable
from typing import Any

from erpbench_world.call import Call

Tool = Callable[[Call, dict[str, Any]], dict[str, Any]]
TOOLS: dict[str, Tool] = {}


def tool(name: str) -> Callable[[Tool], Tool]:
    """Register a function under a tool's dotted name. Arguments have been validated against the catalog's schema."""

    def register(function: Tool) -> Tool:
        if name in TOOLS:
            raise ValueError(f"two functions for {name}")
        TOOLS[name] = function
        return function

    return register
