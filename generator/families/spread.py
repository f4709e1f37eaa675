"""How answers are spread over a family's tasks. In: the answers of each. Out: values that too many of them share.

An agent that has seen half of a family's tasks must not know the rest of an answer from them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.spec.case import Value

MOST_EQUAL = 0.5  # no answer has the same value in more of a family's tasks
FEWEST = 5  # tasks, below which nothing can be said


@dataclass(frozen=True)
class Shared:
    """A value of an answer and in how many of the tasks it is right."""

    field: str
    value: Value
    count: int


def too_alike(answers: Sequence[Mapping[str, Value]]) -> list[Shared]:
    """
    >>> too_alike([{"lines": n, "days": 7} for n in (1, 2, 3, 4, 4, 4)])
    [Shared(field='days', value=7, count=6)]
    """
    if len(answers) < FEWEST:
        return []
    most = [(field, *Counter(task[field] for task in answers).most_common(1)[0]) for field in answers[0]]
    return [Shared(field, value, count) for field, value, count in most if count > MOST_EQUAL * len(answers)]
