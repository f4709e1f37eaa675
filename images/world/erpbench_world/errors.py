"""What a call can be answered with other than a result.

Each message is for the agent: which argument, what was expected, what came. Neither changes anything.
"""


class CallError(Exception):
    """Base. argument is the name of the argument at fault, or None."""

    outcome = "invalid"

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


class UnknownTool(CallError):
    outcome = "unknown_tool"
