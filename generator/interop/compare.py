"""What a consumer read against what stands there. In: a probe's lines and the sources' fields. Out: a Reading a route.

A consumer that leaves tasks out silently, that loads empty shells or that loads a task twice is found here: each task
must come once, with every field that the consumer carries equal to the source.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.interop.consumers import InteropError
from generator.interop.source import Fields

LONGEST_VALUE = 60


@dataclass(frozen=True)
class About:
    """What a probe says of itself: versions by distribution, Python's version, the network interfaces it saw."""

    versions: Mapping[str, str]
    python: str
    interfaces: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """One route (folder or registry) of one consumer: the tasks expected, those that came, and the problems."""

    route: str
    expected: int
    loaded: int
    problems: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return self.loaded == self.expected and not self.problems


def parse_lines(text: str, who: str) -> tuple[About, list[dict[str, Any]]]:
    """A probe's output. Raises InteropError if it is not a probe's, e.g. cut short before its first line."""
    try:
        first, *rest = [json.loads(line) for line in text.splitlines()]
        about = first["about"]
        return About(about["versions"], about["python"], tuple(about["interfaces"])), rest
    except (ValueError, KeyError, TypeError) as error:
        raise InteropError(f"{who}: the probe's output is not its own ({type(error).__name__}: {error})") from None


def compare(
    route: str, lines: Iterable[Mapping[str, Any]], sources: Mapping[str, Fields], fields: Sequence[str]
) -> Reading:
    """The reading of one route. A task counts as loaded if it came, right or wrong; a wrong one is also a problem."""
    mine = [line for line in lines if line["route"] == route]
    read = [line for line in mine if "task" in line]
    reasons = {line["refused"]: str(line["reason"]) for line in mine if "refused" in line}
    times = Counter(str(line["task"]) for line in read)
    problems = [f"{task}: not in the dataset" for task in times if task not in sources]
    problems += [f"{task}: read {count} times" for task, count in times.items() if count > 1]
    for task in sources:
        if task not in times:
            problems.append(f"{task}: not loaded: {reasons.get(task, 'no reason given')}")
    for line in read:
        if line["task"] in sources:
            problems += differences(str(line["task"]), line["read"], sources[line["task"]], fields)
    return Reading(route, len(sources), len(set(times) & set(sources)), tuple(problems))


def differences(task: str, read: Fields, source: Fields, fields: Sequence[str]) -> list[str]:
    """One line for each field that was not read, read differently, or read though the consumer is said to drop it."""
    told = []
    for field in fields:
        if field not in read:
            told.append(f"{task}: {field} was not read")
        elif read[field] != source[field]:
            told.append(f"{task}: {field}: expected {_shown(source[field])}, read {_shown(read[field])}")
    return told + [f"{task}: {field} is read but not compared" for field in read if field not in fields]


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
