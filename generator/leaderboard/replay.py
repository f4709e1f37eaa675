"""Whether an episode repeats the oracle's published plan. In: a plan, the calls of an episode. Out: yes or no.

The plan lies in the task directory for everybody to read, so a run that goes by it says nothing about an agent. Two
things give it away. Its wording: the draft, the post or the rationale as the plan has them, whatever the spaces; nobody
writes these sentences by chance. And its calls: the plan's reads and writes with their very arguments, its wording
aside, in whatever order, whatever else was read in between. Who rewords the plan and leaves out or replaces a read in
it cannot be told from an agent by its evidence.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from generator.tasks.package import PLAN

WORDING = {
    "gmail.drafts.create": "body",
    "slack.chat_postMessage": "text",
    "erpbench.record_decision": "rationale",
}
"""The argument of each handoff that is written in words of one's own."""
FREE = frozenset({"body", "text", "rationale", "subject", "Comments", "Description", "Justification", "HoldReason"})
"""Arguments of writes that are free text, in the handoffs and in the ERP."""
LONGEST = 4096
"""Characters of a text that are compared; the longest draft of a plan has fewer than a thousand."""


@dataclass(frozen=True)
class MadeCall:
    """An accepted call of an episode. arguments is the JSON text as the trace has it; wrote: whether it wrote."""

    tool: str
    arguments: str
    wrote: bool


@dataclass(frozen=True)
class Pattern:
    """A call of the plan. arguments: its canonical text, the wording left out; wording: what was left out."""

    tool: str
    arguments: re.Pattern[str]
    wording: re.Pattern[str] | None


def repeats_plan(task: Path, calls: Sequence[MadeCall]) -> bool:
    """Whether accepted calls repeat the plan of a task directory."""
    plan = read_plan(task)
    return _has_its_wording(plan, calls) or _has_its_calls(plan, calls)


@lru_cache(maxsize=200)
def read_plan(task: Path) -> tuple[Pattern, ...]:
    plan = json.loads((task / PLAN).read_text(encoding="utf-8"), parse_float=_number)
    return tuple(_pattern(str(call["tool"]), call["arguments"]) for call in plan["calls"])


def _pattern(tool: str, arguments: Mapping[str, Any]) -> Pattern:
    text = arguments.get(WORDING.get(tool, ""))
    wording = _with_references(_plain(text)) if isinstance(text, str) else None
    return Pattern(tool, _with_references(_canonical(arguments)), wording)


def _has_its_wording(plan: Iterable[Pattern], made: Sequence[MadeCall]) -> bool:
    telling = [call for call in made if call.tool in WORDING]
    said = [(call.tool, _plain(str(_values(call.arguments).get(WORDING[call.tool], "")))) for call in telling]
    return any(
        call.wording is not None and call.wording.fullmatch(text)
        for call in plan
        for tool, text in said
        if tool == call.tool
    )


def _has_its_calls(plan: Iterable[Pattern], made: Iterable[MadeCall]) -> bool:
    """Whether every call of the plan was made, and beside them nothing but reads."""
    left = [(one.tool, _canonical(_values(one.arguments)), one.wrote) for one in made]
    for call in plan:
        match = next((one for one in left if one[0] == call.tool and call.arguments.fullmatch(one[1])), None)
        if match is None:
            return False
        left.remove(match)
    return not any(wrote for _, _, wrote in left)


def _canonical(arguments: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in arguments.items() if name not in FREE}
    return json.dumps(kept, sort_keys=True)


def _with_references(text: str) -> re.Pattern[str]:
    """A pattern in which ${name}, which stands for an id that the world gives, is any run of what ids are made of."""
    return re.compile("".join(_parts(text)))


def _parts(text: str) -> Iterator[str]:
    for part in re.split(r"(\$\{\w+\})", text):
        yield r"[\w./:-]{1,80}" if part.startswith("${") else re.escape(part)


def _plain(text: str) -> str:
    """Letter case and spaces aside; a reference keeps its spelling."""
    return " ".join(text[:LONGEST].split()).casefold()


def _number(text: str) -> float:
    """5.0 is 5, as the world takes it."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _values(arguments: str) -> Mapping[str, Any]:
    try:
        values = json.loads(arguments, parse_float=_number)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
