"""The two ways in which grading can fail to be ordinary.

Doctored evidence scores 0 with its reason. A fault of the grader's own inputs ends without a score, so that nobody
mistakes it for an episode that failed.
"""


class Doctored(Exception):
    """The evidence is missing, cut, swapped or altered. code names the rule that it breaks."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class GraderFault(Exception):
    """Contract, baseline or output folder are not usable: exit code 3, no reward."""


class Malformed(Exception):
    """Stored values are not of the shape that the world writes: doctored in a snapshot, a fault in a baseline."""

    code = "malformed"


class TooLarge(Malformed):
    """More rows or text than a world can hold."""

    code = "too_large"


class TooSlow(Malformed):
    """More work than any world takes to read."""

    code = "too_slow"
