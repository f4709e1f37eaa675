"""The check language: one function a kind. In: a check and an episode. Out: a Finding, with what was seen in words.

Sequence checks are in reads.py, row checks in rowchecks.py, text checks in handoffs.py; this module has the rest and
the dispatcher.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from verifier import jsontext
from verifier.contract import Check
from verifier.episode import Episode
from verifier.faults import GraderFault
from verifier.finding import Finding, listed
from verifier.handoffs import states
from verifier.jsontext import Written, close, comparable, number_of
from verifier.reads import seen
from verifier.rowchecks import every, rows, same, unchanged
from verifier.trace import INVALID, REFUSED, UNKNOWN_TOOL, Entry

DEFAULT_TOLERANCE = {"money": "0.005", "percent": "0.01", "hours": "0.005"}


def evaluate(check: Check, episode: Episode) -> Finding:
    """The finding of a check. Raises GraderFault where the check cannot be read."""
    return FUNCTIONS[check["kind"]](check, episode)


def answer(check: Check, episode: Episode) -> Finding:
    """The submitted answer has this value. Numbers must be JSON numbers; an integer may be written 5.0."""
    field, kind, value = check["field"], check["type"], check["value"]
    tolerance = Decimal(str(check.get("tolerance") or DEFAULT_TOLERANCE.get(kind, "0")))
    expected = f"{field} submitted as {value}"
    submitted = submitted_answers(episode)
    if submitted is None:
        return Finding(False, "no answer was submitted", expected)
    if field not in submitted:
        return Finding(False, f"the submission has no {field}", expected)
    given = submitted[field]
    return Finding(_is_answer(given, kind, value, tolerance), f"{field} {_shown(given)}", expected)


def _is_answer(given: Any, kind: str, value: Any, tolerance: Decimal) -> bool:
    if kind == "string":
        return isinstance(given, str) and given == value
    if kind not in ("integer", *DEFAULT_TOLERANCE):
        raise GraderFault(f"contract: no answer type {kind!r}")
    number = comparable(given)
    if number is None or (kind == "integer" and number != number.to_integral_value()):
        return False
    return close(number, Decimal(str(value)), tolerance)


def submitted_answers(episode: Episode) -> dict[str, Any] | None:
    row = episode.after("submissions", episode.contract.task_id)
    if row is None or not isinstance(row["answers"], str):
        return None
    try:
        answers = jsontext.parse(row["answers"])
    except ValueError:
        return None
    return answers if isinstance(answers, dict) else None


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value[:80]}"' if isinstance(value, str) else str(jsontext.plain(value))[:80]


def no_refused(check: Check, episode: Episode) -> Finding:
    """No controlled write was refused, and no provider write that the world lacks was tried."""
    lacking = {_flat(name) for name in episode.contract.provider_writes}
    refused = [
        entry
        for entry in episode.trace.entries
        if (entry.outcome == REFUSED and entry.tool in episode.contract.controlled_tools)
        or (entry.outcome == UNKNOWN_TOOL and {_flat(entry.tool), _flat(f"{entry.server}.{entry.tool}")} & lacking)
    ]
    found = listed([f"call {entry.idx} {entry.tool} {entry.outcome}" for entry in refused])
    return Finding(not refused, found or "no refused write", "no controlled write refused")


def _flat(name: str) -> str:
    """Both spellings of a tool's name, dotted and underscored, as one."""
    return name.replace(".", "_")


def no_call(check: Check, episode: Episode) -> Finding:
    """The tool was not called but with these argument values.

    A call of invalid shape counts too when it gives one of the arguments another value, not when it merely lacks it.
    """
    tool, unless = check["tool"], check.get("unless") or {}
    calls = [entry for entry in episode.trace.entries if entry.tool == tool and _offends(entry, unless)]
    found = listed([f"call {entry.idx} {tool} {entry.outcome}" for entry in calls])
    expected = f"no call of {tool}" + "".join(f" with {name} other than {value}" for name, value in unless.items())
    return Finding(not calls, found or "no such call", expected)


def _offends(entry: Entry, unless: dict[str, Any]) -> bool:
    if not unless:
        return True
    given = entry.argument_values() or {}
    wrong = [name for name, value in unless.items() if not _same_argument(given.get(name), value)]
    if entry.outcome == INVALID:
        return any(name in given for name in wrong)
    return bool(wrong)


def _same_argument(given: Any, value: Any) -> bool:
    if isinstance(given, bool) or isinstance(value, bool):
        return given is value
    if isinstance(given, Written):
        return not isinstance(value, str) and number_of(given) == comparable(value)
    return bool(given == value)


def acted(check: Check, episode: Episode) -> Finding:
    """A decision for the task was recorded."""
    key = episode.contract.task_id
    holds = episode.after("decisions", key) is not None and episode.before("decisions", key) is None
    return Finding(holds, "a decision was recorded" if holds else "no decision was recorded", "a recorded decision")


def every_of(check: Check, episode: Episode) -> Finding:
    """All parts hold; what is seen is told of those that do not."""
    findings = [evaluate(part, episode) for part in check["of"]]
    failed = [finding for finding in findings if not finding.holds]
    return Finding(
        not failed,
        "; ".join(finding.seen for finding in failed or findings),
        "; ".join(finding.expected for finding in findings),
    )


def any_of(check: Check, episode: Episode) -> Finding:
    findings = [evaluate(part, episode) for part in check["of"]]
    held = [finding for finding in findings if finding.holds]
    return Finding(
        bool(held),
        "; ".join(finding.seen for finding in held or findings),
        " or ".join(finding.expected for finding in findings),
    )


def not_this(check: Check, episode: Episode) -> Finding:
    finding = evaluate(check["of"], episode)
    return Finding(not finding.holds, finding.seen, f"not: {finding.expected}")


FUNCTIONS: dict[str, Callable[[Check, Episode], Finding]] = {
    "seen": seen,
    "answer": answer,
    "rows": rows,
    "states": states,
    "every": every,
    "same": same,
    "unchanged": unchanged,
    "no_refused": no_refused,
    "no_call": no_call,
    "acted": acted,
    "all": every_of,
    "any": any_of,
    "not": not_this,
}
