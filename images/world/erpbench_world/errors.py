"""What a call can be answered with other than a result.

Each message is for the agent: which argument, what was expected, what came. Neither changes anything.
"""

import json
from typing import Any, ClassVar, Literal

SHOWN = 120
"""How many characters of a wrong value a message repeats."""


def shown(value: Any) -> str:
    """The value as JSON for a message, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"


class CallError(Exception):
    """Base. argument is the name of the argument at fault, or None."""

    outcome: ClassVar[Literal["refused", "invalid", "unknown_tool"]] = "invalid"

    def __init__(self, message: str, argument: str | None = None) -> None:
        super().__init__(message)
        self.argument = argument


class InvalidArguments(CallError):
    """The arguments do not fit the schema or the shape of a line. Traced, harmless, never held against the episode."""

    outcome = "invalid"


class NotFound(CallError):
    """A read names a record that does not exist. Harmless like an invalid call."""

    outcome = "invalid"


class Refused(CallError):
    """The arguments fit, but a rule of the world forbids the write: a foreign task or record, a closed period, a
    number already used, a negative quantity, a post that is not for review."""

    outcome = "refused"


class NoRoom(CallError):
    """The trace has no room left for a call of its kind (see room.py). Not traced, and so held against no episode."""

    outcome = "refused"


class UnknownTool(CallError):
    """The server has no tool of this name."""

    outcome = "unknown_tool"
