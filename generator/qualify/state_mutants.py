"""Mutants of ERP state: the primary record, the state that policy adds, and what is none of the task's business.

In: a criterion, its contract and the oracle's finished episode. Out: (kind, changed evidence, closure) as mutants.py
has them. Everything follows from the contract's binding, scopes and rows; nothing here knows a family.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.qualify.effects import CHILDREN, FREE_TEXT
from generator.qualify.finished import Finished
from generator.qualify.other_rows import another_row, key_columns, other_value
from generator.qualify.predict import PRIMARY, leaves
from generator.spec import contract as c
from generator.spec.case import Case
from generator.spec.contract import GoldContract
from verifier.matchers import row_matches
from verifier.tables import Cell
from verifier.trace import Record

Changed = Iterator[tuple[str, Finished, tuple[int, ...]]]
Cells = Mapping[str, Cell]


def primary_mutants(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """The record altered, cell by cell; another one for the same target; one of the same target touched."""
    fallen = referring(contract, oracle, but=criterion.n)
    for kind, changed in _altered(contract, oracle):
        yield kind, changed, fallen
    yield from _intruders(criterion, contract, oracle)
    for check in leaves(criterion.check, c.Same):
        yield from _not_the_same(check, oracle)


def secondary_mutants(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """A cell of the added state altered; a row added or touched where policy wants none."""
    bound = _bound_cells(contract, oracle)
    for check in leaves(criterion.check, c.Rows):
        if check.table == "decisions" or check.row is None:
            continue
        keys = _bound_keys(check.table, oracle) if check.key == PRIMARY else [str(check.key)]
        for key in keys:
            for column, matcher in check.row.items():
                for value in _unlike(matcher, bound.get((check.table, key, column)), oracle, check.table, key, column):
                    yield "a cell of the added state", oracle.with_cell(check.table, key, column, value), ()
    yield from _intruders(criterion, contract, oracle)
    yield from _scoped_changes(criterion, contract, oracle)
    for check in leaves(criterion.check, c.Same):
        yield from _not_the_same(check, oracle)


def _unlike(
    matcher: c.Matcher, binding: c.Matcher | None, oracle: Finished, table: str, key: str, column: str
) -> list[Cell]:
    """Values that the check does not take and the binding does; any other value where the binding does not read it."""
    if binding is None:
        return [other_value((oracle.cells(table, key) or {})[column], column)]
    choices = binding.get("in", ()) if isinstance(binding, dict) else ()
    return [choice for choice in choices if not row_matches({column: matcher}, {column: choice}, None)]


def entered_values(case: Case, oracle: Finished) -> Changed:
    """Each value that gold's writes give to a row, a step off: whichever check reads it, one of them must."""
    tools = {write.tool for write in case.gold.writes}
    done: set[tuple[str, str]] = set()
    for entry in oracle.trace.entries:
        if entry.tool not in tools or not entry.wrote or entry.tool.startswith("google_sheets"):
            continue
        given = set(_names([entry.argument_values()])) - {*FREE_TEXT}
        own = entry.wrote[0][0]
        for table, key in entry.wrote:
            if table not in (own, CHILDREN.get(own, ("",))[0]):
                continue  # what the write moves elsewhere, such as an order line's received quantity
            for column in oracle.state[table].shape.columns:
                if column in given and (table, column) not in done and column not in key_columns(table, oracle):
                    done.add((table, column))
                    yield f"{table}.{column} was entered", _moved(oracle, table, key, column), ()


def _names(value: Any) -> Iterator[str]:
    """The names of an object's members that hold something, at any depth."""
    for part in value if isinstance(value, list) else []:
        yield from _names(part)
    if isinstance(value, Mapping):
        for name, part in value.items():
            if part is not None:
                yield name
            yield from _names(part)


def stray_mutants(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """Something changed that is none of the task's business, or a write refused."""
    yield from _untouched(contract, oracle)
    tool = contract.controlled_tools[0]
    yield "a refused write", oracle.with_call(oracle.submission(), tool, outcome="refused"), ()
    yield "a refused write before any read", oracle.with_call(1, tool, outcome="refused"), ()
    send = contract.provider_writes[0]
    yield "a provider's write tried", oracle.with_call(oracle.submission(), send, outcome="unknown_tool"), ()


def _untouched(contract: GoldContract, oracle: Finished) -> Changed:
    """A record that the task has nothing to do with changed, in each table that has one; one added beside it."""
    owned = _owned(contract)
    skipped = {*contract.frozen_tables, *contract.side_tables, "trace"}
    for table in oracle.state:
        if table in skipped:
            continue
        for key in oracle.grader.baseline.state[table].rows:
            column = _free_column(table, oracle, owned)
            if column is not None and not _in_scopes(owned, table, oracle.cells(table, key)):
                yield "a foreign record changed", _claimed(_moved(oracle, table, key, column), table, key), ()
                break
    cell = "Register!A39"
    cells: dict[str, Cell] = {"cell": cell, "tab": "Register", "row": 39, "col": 1, "value": '"x"'}
    yield "a cell outside the row", _claimed(oracle.with_row("cells", cell, cells), "cells", cell), ()
    yield from _other_targets(contract, oracle, owned)


def _other_targets(contract: GoldContract, oracle: Finished, owned: list[c.Scope]) -> Changed:
    """The primary record once more, for another target: out of every scope."""
    for table, key in oracle.primary.records:
        whole = any(scope.table == table and not scope.where for scope in owned)
        if whole or key not in oracle.added(table):
            continue
        _, cells = another_row(table, key, oracle)
        while _in_scopes(owned, table, cells):
            for scope in owned:
                if scope.table == table:
                    cells |= {column: other_value(cells[column]) for column in scope.where}
        new = "/".join(str(cells[column]) for column in key_columns(table, oracle))
        yield "a record for another target", _claimed(oracle.with_row(table, new, cells), table, new), ()
        return


def referring(contract: GoldContract, oracle: Finished, but: int) -> tuple[int, ...]:
    """Criteria that speak of the primary record and so fall where it does not stand."""
    return tuple(
        criterion.n
        for criterion in contract.criteria
        if criterion.n != but and contract.primary.table is not None and _refers(criterion.check, contract, oracle)
    )


def _refers(check: c.Check, contract: GoldContract, oracle: Finished) -> bool:
    """Whether the check speaks of the record, names one of its rows, or counts rows that are its lines."""
    keys = {(table, key) for table, key in oracle.primary.records}
    lines = {row.children.table for row in contract.primary.rows if row.children is not None}
    return PRIMARY in check.model_dump_json() or any(
        (one.table, one.key) in keys or (one.where is not None and one.table in lines) for one in leaves(check, c.Rows)
    )


def _altered(contract: GoldContract, oracle: Finished) -> Iterator[tuple[str, Finished]]:
    """Each cell of the bound rows that no scope reads, and each cell of their lines, a step off; a line more, less."""
    owned = _owned(contract)
    read = {(scope.table, column) for scope in owned for column in scope.where}
    for table, key in oracle.primary.records:
        for row in _expected_of(contract, table, key, oracle):
            for column in row.row:
                if (table, column) not in read and column not in key_columns(table, oracle):
                    yield "a cell of the record", _moved(oracle, table, key, column)
            if row.children is not None:
                free = [column for column in row.children.columns if (row.children.table, column) not in read]
                yield from _altered_lines(row.children, free, table, key, oracle)


def _expected_of(contract: GoldContract, table: str, key: str, oracle: Finished) -> list[c.ExpectedRow]:
    """The binding's row that this record is; several are alike as to their columns, so the first that fits will do."""
    cells = oracle.cells(table, key) or {}
    rows = [row for row in contract.primary.rows if (row.table or contract.primary.table) == table]
    fitting = [row for row in rows if row.key in (None, key) and row_matches(row.row, cells, None)]
    return fitting[:1]


def _altered_lines(
    children: c.Children, free: list[str], table: str, key: str, oracle: Finished
) -> Iterator[tuple[str, Finished]]:
    """Each of the free columns a step off, in one line after the other; the last line missing; one line more."""
    own = (oracle.cells(table, key) or {})[children.on]
    added = oracle.added(children.table)
    lines = [line for line in added if (oracle.cells(children.table, line) or {})[children.on] == own]
    for place, column in enumerate(free if lines else ()):
        yield "a cell of a line", _moved(oracle, children.table, lines[place % len(lines)], column)
    if lines:
        yield "a line missing", oracle.without_row(children.table, lines[-1])
        new, cells = another_row(children.table, lines[-1], oracle)
        yield "a line more", _claimed(oracle.with_row(children.table, new, cells), children.table, new)


def _intruders(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """In each scope where rows are counted: one more, and one that stood before touched."""
    bound = set(oracle.primary.records)
    for check in _unique(leaves(criterion.check, c.Rows)):
        if check.where is None:
            continue
        table = check.table
        inside = [key for key in oracle.state[table].rows if _fits(check.where, oracle.cells(table, key))]
        fallen = _with_the_record(criterion, contract, oracle, table)
        for key in inside[-1:] or [""]:
            new, cells = another_row(table, key, oracle, check.where)
            if row_matches(check.where, cells, None):
                yield "one more for the same target", _claimed(oracle.with_row(table, new, cells), table, new), fallen
        before = oracle.grader.baseline.state[table].rows
        taken = {*oracle.changed(table), *(key for held, key in bound if held == table)}
        free = [key for key in inside if key in before and key not in taken]
        column = _free_column(table, oracle, [c.Scope(table=table, where=check.where)], check.ignore)
        for key in free[:1]:
            if column is not None:
                yield "a standing one touched", _claimed(_moved(oracle, table, key, column), table, key), ()


def _scoped_changes(criterion: c.Criterion, contract: GoldContract, oracle: Finished) -> Changed:
    """The rows that policy adds or changes in a scope of their own: a cell of each a step off, or one missing."""
    bound = set(oracle.primary.records)
    for check in _unique(leaves(criterion.check, c.Rows)):
        for row in check.changed_exactly or ():
            if row.key is None or row.key == PRIMARY or (check.table, row.key) in bound:
                continue
            for column in row.row:
                yield "a cell of the added state", _moved(oracle, check.table, row.key, column), ()
        if check.where is None:
            continue
        for key in oracle.added(check.table):
            if _fits(check.where, oracle.cells(check.table, key)) and (check.table, key) not in bound:
                record = _with_the_record(criterion, contract, oracle, check.table)
                fallen = (*_reading_back(contract, check.table), *record)
                yield "an added row missing", oracle.without_row(check.table, key), fallen


def _with_the_record(criterion: c.Criterion, contract: GoldContract, oracle: Finished, table: str) -> tuple[int, ...]:
    """What falls where rows of a table are lines of the primary record: it, and all that speaks of it."""
    lines = {row.children.table for row in contract.primary.rows if row.children is not None}
    return referring(contract, oracle, but=criterion.n) if table in lines else ()


def _reading_back(contract: GoldContract, table: str) -> tuple[int, ...]:
    """Criteria that want every row added to the table read, where the one that is missing was the only one."""
    return tuple(
        criterion.n
        for criterion in contract.criteria
        if any({"added": table} in route for check in leaves(criterion.check, c.Seen) for route in check.any)
    )


def _not_the_same(check: c.Same, oracle: Finished) -> Changed:
    """Where nothing may change: in each table one record touched, or added where there is none."""
    for table in check.tables:
        column = _free_column(table, oracle, [])
        key = next(iter(oracle.state[table].rows), "")
        if key and column is not None:
            yield "a record touched though declined", _claimed(_moved(oracle, table, key, column), table, key), ()
        new, cells = another_row(table, key, oracle)
        yield "a record added though declined", _claimed(oracle.with_row(table, new, cells), table, new), ()


def _claimed(changed: Finished, table: str, key: str) -> Finished:
    """The change as an accepted call's, late enough that the oracle's own record comes first."""
    record: Record = (table, key)
    return changed.with_call(changed.first_write() + _writes(changed), "any", wrote=[record])


def _writes(changed: Finished) -> int:
    """How many calls the controlled writes that follow one another span."""
    tools = changed.grader.contract.controlled_tools
    return sum(1 for row in changed.rows if row[2] in tools and row[4] == "ok")


def _owned(contract: GoldContract) -> list[c.Scope]:
    return [scope for check in leaves(contract.criteria[32].check, c.Unchanged) for scope in check.owned]


def _in_scopes(scopes: Iterable[c.Scope], table: str, cells: Cells | None) -> bool:
    return any(scope.table == table and row_matches(scope.where, cells or {}, None) for scope in scopes)


def _bound_keys(table: str, oracle: Finished) -> list[str]:
    return [key for held, key in oracle.primary.records if held == table]


def _bound_cells(contract: GoldContract, oracle: Finished) -> dict[tuple[str, str, str], c.Matcher]:
    return {
        (table, key, column): matcher
        for table, key in oracle.primary.records
        for row in _expected_of(contract, table, key, oracle)
        for column, matcher in row.row.items()
    }


def _moved(oracle: Finished, table: str, key: str, column: str) -> Finished:
    return oracle.with_cell(table, key, column, other_value((oracle.cells(table, key) or {})[column], column))


def _free_column(table: str, oracle: Finished, scopes: Iterable[c.Scope], ignore: Iterable[str] = ()) -> str | None:
    """The last column that no scope reads, that is no key and that the check does not pass over."""
    taken = {column for scope in scopes if scope.table == table for column in scope.where}
    taken |= {*key_columns(table, oracle), *ignore}
    return next((column for column in reversed(oracle.state[table].shape.columns) if column not in taken), None)


def _fits(where: Mapping[str, Any], cells: Cells | None) -> bool:
    return row_matches(where, cells or {}, None)


def _unique(checks: list[c.Rows]) -> list[c.Rows]:
    return list({check.model_dump_json(exclude={"added_exactly"}): check for check in checks}.values())
