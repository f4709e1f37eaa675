"""The `seen` check: some route of records was wholly read, at the right time."""

from dataclasses import dataclass
from typing import Any

from verifier.contract import PRIMARY, Check
from verifier.episode import Episode
from verifier.faults import GraderFault
from verifier.finding import Finding, listed
from verifier.trace import Record


@dataclass(frozen=True, slots=True)
class _Window:
    """When a read counts: after one call and before another. why_not is set where no read can count."""

    after: int = 0
    before: int | None = None
    why_not: str = ""


def seen(check: Check, episode: Episode) -> Finding:
    """Some route is read: each of its records was returned by an accepted call inside the check's time window.

    before "first_controlled_write": earlier than the first accepted controlled write and than the accepted submission;
    anywhere where there is neither.
    after_write: after the last write of that same record, which must have been written. after_key: after the last write
    of a named record. before_submission: earlier than the accepted submission; anywhere where there is none.
    """
    if check.get("before") not in (None, "first_controlled_write"):
        raise GraderFault(f"contract: no moment {check['before']!r}")
    gaps = []
    for route in check["any"]:
        records, problem = _records(route, episode)
        missing = [problem] if problem else []
        for record in records:
            gap = _gap(record, check, episode)
            if gap:
                missing.append(gap)
        if not missing:
            return Finding(True, "read: " + listed([_named(record) for record in records]), _expected(check, episode))
        gaps.append(listed(missing))
    return Finding(False, "; or ".join(gaps), _expected(check, episode))


def _records(route: list[Any], episode: Episode) -> tuple[list[Record], str]:
    """The records of a route, and what keeps it from being read at all."""
    records: list[Record] = []
    for element in route:
        if element == PRIMARY:
            if episode.contract.primary.table is None:
                raise GraderFault("contract: a read of $primary in a task that executes nothing")
            if not episode.primary.records:
                return [], "the expected primary record does not stand"
            records += episode.primary.records
        elif isinstance(element, dict):
            table = element["added"]
            added = episode.difference(table).added
            if not added:
                return [], f"no row was added to {table}"
            records += [(table, key) for key in added]
        else:
            table, key = element
            records.append((table, key))
    return records, ""


def _gap(record: Record, check: Check, episode: Episode) -> str:
    """Why the record was not read inside the window; empty where it was."""
    window = _window(record, check, episode)
    if window.why_not:
        return window.why_not
    reads = episode.trace.saw.get(record, [])
    if any(index > window.after and (window.before is None or index < window.before) for index in reads):
        return ""
    when = f" after call {window.after}" if window.after else ""
    when += f" before call {window.before}" if window.before is not None else ""
    read_at = f" (read at call {listed([str(index) for index in reads])})" if reads else ""
    return f"no read of {_named(record)}{when}{read_at}"


def _window(record: Record, check: Check, episode: Episode) -> _Window:
    after, before = 0, None
    if check.get("after_write"):
        write = episode.trace.last_write(record)
        if write is None:
            return _Window(why_not=f"{_named(record)} was never written")
        after = write
    if check.get("after_key"):
        table, key = check["after_key"]
        write = episode.trace.last_write((table, key))
        if write is None:
            return _Window(why_not=f"{_named((table, key))} was never written")
        after = max(after, write)
    limits = [
        episode.first_write if check.get("before") else None,
        episode.submission if check.get("before") or check.get("before_submission") else None,
    ]
    given = [limit for limit in limits if limit is not None]
    before = min(given) if given else None
    return _Window(after, before)


def _expected(check: Check, episode: Episode) -> str:
    routes = [listed([_element(element) for element in route]) for route in check["any"]]
    when = [" before the first accepted controlled write and the submission"] if check.get("before") else []
    when += [" after its last write"] if check.get("after_write") else []
    when += [f" after the last write of {_named(tuple(check['after_key']))}"] if check.get("after_key") else []
    when += [" before the submission"] if check.get("before_submission") else []
    return "a read of " + ", or of ".join(routes) + " and".join(when)


def _element(element: Any) -> str:
    if element == PRIMARY:
        return "the primary record"
    return f"what was added to {element['added']}" if isinstance(element, dict) else _named(tuple(element))


def _named(record: Any) -> str:
    return f"{record[0]} {record[1]}"
