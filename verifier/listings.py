"""The long reports, piece by piece: trace.json and state-diff.json.

In: a verdict. Out: pieces of JSON text, one line a call or row, so that no report is ever held whole: an episode may
have made calls or rows by the thousand.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from verifier.episode import Cells, Episode
from verifier.grading import Verdict
from verifier.tables import Difference
from verifier.trace import Entry

SCHEMA_VERSION = 1
MOST_BRACKETS = 200
"""Arguments with more opening brackets may be nested more deeply than readers of the report can take."""
LONGEST_OBJECT = 16 << 10
SHOWN = 2048


def trace_text(verdict: Verdict) -> Iterator[str]:
    """The calls in order; none where the evidence was not usable."""
    yield _head(verdict) + ', "calls": ['
    yield from _items(_call(entry) for entry in (verdict.episode.trace.entries if verdict.episode else ()))
    yield "]}\n"


def state_diff_text(verdict: Verdict) -> Iterator[str]:
    """For each table that differs the rows added, removed and changed; amounts in ten-thousandths, as stored."""
    yield _head(verdict) + ', "tables": {'
    episode = verdict.episode
    if episode is not None:
        for number, (table, difference) in enumerate(episode.changes.items()):
            yield ("," if number else "") + f"\n{_json(table)}: {{"
            yield from _table(episode, table, difference)
            yield "}"
    yield "}}\n"


def _table(episode: Episode, table: str, difference: Difference) -> Iterator[str]:
    lists: dict[str, Iterable[dict[str, Any]]] = {
        "added": ({"key": key, "row": episode.after(table, key)} for key in difference.added),
        "removed": ({"key": key, "row": episode.before(table, key)} for key in difference.removed),
        "changed": (_change(episode, table, key) for key in difference.changed),
    }
    for number, (name, rows) in enumerate(lists.items()):
        yield (", " if number else "") + f'"{name}": ['
        yield from _items(_json(row) for row in rows)
        yield "]"


def _change(episode: Episode, table: str, key: str) -> dict[str, Any]:
    before: Cells = episode.before(table, key) or {}
    after: Cells = episode.after(table, key) or {}
    columns = [column for column in after if before[column] != after[column]]
    return {
        "key": key,
        "before": {name: before[name] for name in columns},
        "after": {name: after[name] for name in columns},
    }


def _call(entry: Entry) -> str:
    head = _json({"index": entry.idx, "server": entry.server, "tool": entry.tool})
    rest = _json({"outcome": entry.outcome, "error": entry.error, "saw": entry.saw, "wrote": entry.wrote})
    return f'{head[:-1]}, "arguments": {arguments_text(entry.arguments)}, {rest[1:]}'


def arguments_text(stored: str) -> str:
    """The stored arguments as JSON text that any reader takes; as a JSON string of their first characters where they
    are very long, nested too deeply or hold a number that is out of range."""
    if len(stored) <= LONGEST_OBJECT and stored.count("[") + stored.count("{") <= MOST_BRACKETS:
        try:
            return _json(json.loads(stored, parse_constant=str))
        except ValueError:
            pass
    return _json(stored if len(stored) <= SHOWN else stored[:SHOWN] + "…")


def _head(verdict: Verdict) -> str:
    return _json({"schema_version": SCHEMA_VERSION, "task_id": verdict.contract.task_id})[:-1]


def _items(texts: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        yield ("," if number else "") + "\n" + text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
