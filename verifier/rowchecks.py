"""Checks on rows against the baseline: rows, every, same, unchanged."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.contract import PRIMARY, Check, ExpectedRow, expected_row
from verifier.episode import Cells, Episode
from verifier.faults import GraderFault
from verifier.finding import Finding, listed
from verifier.matchers import row_matches, words_for
from verifier.tables import TRACE


def rows(check: Check, episode: Episode) -> Finding:
    """With key and row: the snapshot's row of that key matches. With where: in its scope the episode added exactly
    added_exactly, changed exactly changed_exactly (none where absent), and removed nothing."""
    findings = []
    if check.get("row") is not None:
        findings.append(_row(check, episode))
    if check.get("where") is not None:
        findings.append(_scope(check, episode))
    failed = [finding for finding in findings if not finding.holds]
    return Finding(
        not failed,
        "; ".join(finding.seen for finding in failed or findings),
        "; ".join(finding.expected for finding in findings),
    )


def _row(check: Check, episode: Episode) -> Finding:
    table, key, row = check["table"], check.get("key"), check["row"]
    if key is None:
        raise GraderFault(f"contract: rows of {table} with a row but no key")
    keys = _keys(key, table, episode)
    expected = f"{table} {'primary record' if key == PRIMARY else key} with " + _wanted(row, episode)
    if not keys:
        return Finding(False, "the expected primary record does not stand", expected)
    wrong = []
    for one in keys:
        cells = episode.after(table, one)
        if cells is None:
            wrong.append(f"no row {one} in {table}")
        elif not row_matches(row, cells, episode.primary.name):
            wrong.append(f"{table} {one} has " + _unfit(row, cells, episode))
    return Finding(not wrong, listed(wrong) or f"{table} {listed(keys)} as expected", expected)


def _keys(key: str, table: str, episode: Episode) -> Sequence[str]:
    if key != PRIMARY:
        return (key,)
    if episode.contract.primary.table is None:
        raise GraderFault("contract: a row of $primary in a task that executes nothing")
    return episode.primary.keys(table)


def _scope(check: Check, episode: Episode) -> Finding:
    table, where = check["table"], check["where"]
    ignore = frozenset(check.get("ignore") or ())
    difference = episode.difference(table)
    name = episode.primary.name
    added = [key for key in difference.added if _in_scope(where, episode.after(table, key), name)]
    removed = [key for key in difference.removed if _in_scope(where, episode.before(table, key), name)]
    changed = [
        key
        for key in difference.changed
        if (_in_scope(where, episode.before(table, key), name) or _in_scope(where, episode.after(table, key), name))
        and _differs(episode.before(table, key), episode.after(table, key), ignore)
    ]
    wrong = [f"{table} {key} was removed" for key in removed]
    wrong += _unlike("added", check.get("added_exactly"), added, table, episode)
    wrong += _unlike("changed", check.get("changed_exactly"), changed, table, episode)
    counts = [len(check.get(part) or ()) for part in ("added_exactly", "changed_exactly")]
    told = f"in {table}: {counts[0]} rows added, {counts[1]} changed"
    expected = "; ".join([told, *(_described(row, episode) for row in check.get("added_exactly") or ())])
    return Finding(not wrong, listed(wrong) or f"{told} as expected", expected)


def _unlike(verb: str, wanted: Sequence[Any] | None, keys: Sequence[str], table: str, episode: Episode) -> list[str]:
    """What is wrong with the rows in scope: too many, too few, or another content."""
    expected = _expanded(wanted or (), table, episode)
    if expected is None:
        return ["the expected primary record does not stand"]
    if len(keys) == len(expected) and episode.match_rows(expected, table, keys) is not None:
        return []
    if len(keys) != len(expected):
        return [f"{len(keys)} rows of {table} {verb}, expected {len(expected)}: {listed(keys) or 'none'}"]
    lone = expected[0] if len(expected) == 1 and expected[0].row else None
    cells = episode.after(table, keys[0])
    if lone is not None and cells is not None and (lone.key is None or lone.key == keys[0]):
        return [f"{table} {keys[0]} {verb} with " + (_unfit(lone.row, cells, episode) or "other lines")]
    return [f"the rows of {table} that were {verb} are not the expected ones: {listed(keys)}"]


def _expanded(wanted: Sequence[Any], table: str, episode: Episode) -> list[ExpectedRow] | None:
    """The expected rows, $primary replaced by the bound keys; None where it is bound to nothing."""
    found: list[ExpectedRow] = []
    for one in wanted:
        row = expected_row(one)
        if row.key != PRIMARY:
            found.append(row)
            continue
        keys = _keys(PRIMARY, table, episode)
        if not keys:
            return None
        found += [ExpectedRow(None, key, row.row, row.children) for key in keys]
    return found


def every(check: Check, episode: Episode) -> Finding:
    """Each row that the episode added to the table matches."""
    table, row = check["table"], check["row"]
    wrong = []
    for key in episode.difference(table).added:
        cells = episode.after(table, key) or {}
        if not row_matches(row, cells, episode.primary.name):
            wrong.append(f"{table} {key} has " + _unfit(row, cells, episode))
    return Finding(
        not wrong,
        listed(wrong) or f"{len(episode.difference(table).added)} rows added to {table}, each as expected",
        f"every row added to {table} with " + _wanted(row, episode),
    )


def same(check: Check, episode: Episode) -> Finding:
    """The tables are as in the baseline, and no row of it was changed and put back."""
    changed = [text for table in check["tables"] for text in _told(table, episode)]
    return Finding(not changed, listed(changed) or "nothing changed", "no change in " + ", ".join(check["tables"]))


def unchanged(check: Check, episode: Episode) -> Finding:
    """Every difference lies in an owned scope, a row that was changed and put back included: others saw it meanwhile.

    Rows that the episode itself added and removed again are no difference. Side tables and the trace belong to nobody
    and never count.
    """
    scopes: dict[str, list[Mapping[str, Any]]] = {}
    for scope in check["owned"]:
        scopes.setdefault(scope["table"], []).append(scope.get("where") or {})
    name = episode.primary.name
    stray = []
    for table in sorted({*episode.changes, *episode.put_back}):
        if table in episode.contract.side_tables or table == TRACE:
            continue
        for key, verb in _changed_keys(table, episode):
            versions = (episode.before(table, key), episode.after(table, key))
            if not any(_in_scope(where, cells, name) for where in scopes.get(table, ()) for cells in versions):
                stray.append(f"{table} {key} was {verb}")
    expected = "no change outside " + ", ".join(sorted(scopes)) + " as far as the task owns these"
    return Finding(not stray, listed(stray) or "no other record changed", expected)


def _told(table: str, episode: Episode) -> list[str]:
    return [f"{table} {key} was {verb}" for key, verb in _changed_keys(table, episode)]


def _changed_keys(table: str, episode: Episode) -> Iterator[tuple[str, str]]:
    difference = episode.difference(table)
    yield from ((key, "added") for key in difference.added)
    yield from ((key, "removed") for key in difference.removed)
    yield from ((key, "changed") for key in difference.changed)
    yield from ((key, "changed and put back") for key in episode.put_back.get(table, ()))


def _in_scope(where: Mapping[str, Any], cells: Cells | None, name: str | None) -> bool:
    return cells is not None and row_matches(where, cells, name)


def _differs(before: Cells | None, after: Cells | None, ignore: frozenset[str]) -> bool:
    return any((before or {}).get(column) != cell for column, cell in (after or {}).items() if column not in ignore)


def _wanted(row: Mapping[str, Any], episode: Episode) -> str:
    return ", ".join(f"{column} {words_for(matcher, episode.primary.name)}" for column, matcher in row.items())


def _described(one: Mapping[str, Any], episode: Episode) -> str:
    row = expected_row(one)
    head = "the primary record" if row.key == PRIMARY else "a row"
    return head + (" with " + _wanted(row.row, episode) if row.row else "")


def _unfit(row: Mapping[str, Any], cells: Cells, episode: Episode) -> str:
    """The columns that do not fit, as they are."""
    return ", ".join(
        f"{column} {str(cells.get(column))[:80]!r}"
        for column, matcher in row.items()
        if not row_matches({column: matcher}, cells, episode.primary.name)
    )
