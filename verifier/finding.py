"""What a check found: whether it holds, what was seen and what was expected, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN = 6


@dataclass(frozen=True, slots=True)
class Finding:
    holds: bool
    seen: str
    expected: str


def listed(parts: Sequence[str]) -> str:
    """The parts in one line, the first few of them when there are many."""
    more = len(parts) - SHOWN
    return ", ".join(parts[:SHOWN]) + (f" and {more} more" if more > 0 else "")
