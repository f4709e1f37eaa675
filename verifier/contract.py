"""The gold contract as the verifier reads it: a JSON object in, a checked Contract out.

Whatever is wrong with a contract is the grader's fault, never the episode's: GraderFault, with the criterion's number.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.faults import GraderFault

SCHEMA_VERSION = 1
TOTAL_POINTS = 100
PRIMARY = "$primary"

Check = Mapping[str, Any]

# Keys of each check kind besides "kind": those it must have, and those it may have (absent or null).
KINDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "seen": (frozenset({"any"}), frozenset({"before", "after_write", "after_key", "before_submission"})),
    "answer": (frozenset({"field", "type", "value"}), frozenset({"tolerance"})),
    "rows": (frozenset({"table"}), frozenset({"key", "row", "where", "added_exactly", "changed_exactly", "ignore"})),
    "states": (
        frozenset({"table", "where", "columns", "facts", "max_numbers", "max_chars"}),
        frozenset({"none_of", "max_identifiers"}),
    ),
    "every": (frozenset({"table", "row"}), frozenset()),
    "same": (frozenset({"tables"}), frozenset()),
    "unchanged": (frozenset({"owned"}), frozenset()),
    "no_refused": (frozenset(), frozenset()),
    "no_call": (frozenset({"tool"}), frozenset({"unless"})),
    "acted": (frozenset(), frozenset()),
    "all": (frozenset({"of"}), frozenset()),
    "any": (frozenset({"of"}), frozenset()),
    "not": (frozenset({"of"}), frozenset()),
}


@dataclass(frozen=True, slots=True)
class Criterion:
    n: int
    name: str
    category: str
    points: int
    description: str
    check: Check


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """A row by matchers of its columns; key None stands for a row that the episode added.

    table is set only in a binding, for a row that stands in another table than the binding's.
    """

    table: str | None
    key: str | None
    row: Mapping[str, Any]
    children: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Binding:
    """What $primary is. table None: the task executes nothing, and the literal names that."""

    table: str | None
    rows: tuple[ExpectedRow, ...]
    column: str | None
    literal: str | None


@dataclass(frozen=True, slots=True)
class Contract:
    task_id: str
    tenant: str
    world_schema: int
    baseline_sha256: str
    controlled_tools: frozenset[str]
    submission_tool: str
    provider_writes: frozenset[str]
    side_tables: frozenset[str]
    frozen_tables: frozenset[str]
    primary: Binding
    criteria: tuple[Criterion, ...]


def load(data: Mapping[str, Any]) -> Contract:
    """The contract of the JSON object. Raises GraderFault naming what is missing or of the wrong shape."""
    try:
        if data["schema_version"] != SCHEMA_VERSION:
            raise GraderFault(f"contract schema {data['schema_version']!r}; this verifier reads {SCHEMA_VERSION}")
        contract = Contract(
            task_id=_text(data["task_id"]),
            tenant=_text(data["tenant"]),
            world_schema=int(data["world_schema"]),
            baseline_sha256=_text(data["baseline_sha256"]),
            controlled_tools=_names(data["controlled_tools"]),
            submission_tool=_text(data["submission_tool"]),
            provider_writes=_names(data["provider_writes"]),
            side_tables=_names(data["side_tables"]),
            frozen_tables=_names(data["frozen_tables"]),
            primary=_binding(data["primary"]),
            criteria=tuple(_criterion(entry) for entry in data["criteria"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise GraderFault(f"contract: {type(error).__name__}: {error}") from None
    numbers = [criterion.n for criterion in contract.criteria]
    if len(set(numbers)) != len(numbers):
        raise GraderFault("contract: two criteria have the same number")
    points = sum(criterion.points for criterion in contract.criteria)
    if points != TOTAL_POINTS:
        raise GraderFault(f"contract: the criteria weigh {points} points, expected {TOTAL_POINTS}")
    return contract


def expected_row(data: Mapping[str, Any]) -> ExpectedRow:
    return ExpectedRow(data.get("table"), data.get("key"), data.get("row") or {}, data.get("children"))


def check_tables(contract: Contract, columns: Mapping[str, Collection[str]]) -> None:
    """Raises GraderFault where the contract names a table or column that the baseline does not have."""
    for table in (*contract.side_tables, *contract.frozen_tables):
        if table not in columns:
            raise GraderFault(f"contract: no table {table!r} in the baseline")
    if contract.primary.table is not None:
        for row in contract.primary.rows:
            _expected("primary", row.table or contract.primary.table, (row,), columns)
        _known("primary", contract.primary.table, [contract.primary.column] if contract.primary.column else [], columns)
    for criterion in contract.criteria:
        _check_names(f"criterion {criterion.n}", criterion.check, columns)


def _check_names(where: str, check: Check, columns: Mapping[str, Collection[str]]) -> None:
    for part in _parts(check):
        _check_names(where, part, columns)
    for table in check.get("tables") or ():
        _known(where, table, (), columns)
    for scope in check.get("owned") or ():
        _known(where, scope["table"], scope.get("where") or (), columns)
    if "table" in check:
        table = check["table"]
        for names in ("row", "where", "columns", "ignore"):
            _known(where, table, check.get(names) or (), columns)
        for rows in ("added_exactly", "changed_exactly"):
            _expected(where, table, tuple(expected_row(row) for row in check.get(rows) or ()), columns)


def _expected(where: str, table: str, rows: tuple[ExpectedRow, ...], columns: Mapping[str, Collection[str]]) -> None:
    for row in rows:
        _known(where, table, row.row, columns)
        if row.children is not None:
            child = row.children
            _known(where, child["table"], [child["on"], *child["columns"]], columns)
            if any(len(values) != len(child["columns"]) for values in child["rows"]):
                raise GraderFault(f"contract: {where}: a child row of {child['table']} has another number of columns")


def _known(where: str, table: str, names: Collection[str], columns: Mapping[str, Collection[str]]) -> None:
    if table not in columns:
        raise GraderFault(f"contract: {where}: no table {table!r} in the baseline")
    for name in names:
        if name not in columns[table]:
            raise GraderFault(f"contract: {where}: table {table} has no column {name!r}")


def _parts(check: Check) -> tuple[Check, ...]:
    if check["kind"] in ("all", "any"):
        return tuple(check["of"])
    return (check["of"],) if check["kind"] == "not" else ()


def _criterion(data: Mapping[str, Any]) -> Criterion:
    number, points = data["n"], data["points"]
    if not isinstance(number, int) or not isinstance(points, int) or points <= 0:
        raise GraderFault(f"contract: criterion {number!r} has {points!r} points")
    _check_shape(number, data["check"])
    return Criterion(
        number, _text(data["name"]), _text(data["category"]), points, str(data["description"]), data["check"]
    )


def _check_shape(number: int, check: Check) -> None:
    kind = check.get("kind")
    if kind not in KINDS:
        raise GraderFault(f"contract: criterion {number}: no check kind {kind!r}")
    required, optional = KINDS[kind]
    given = {key for key, value in check.items() if key != "kind" and value is not None}
    if not required <= given or not given <= required | optional:
        raise GraderFault(
            f"contract: criterion {number}: {kind} with keys {sorted(given)}, expected {sorted(required)}"
        )
    if kind in ("all", "any", "seen") and not check["of" if kind != "seen" else "any"]:
        raise GraderFault(f"contract: criterion {number}: {kind} of nothing")
    if kind == "rows" and not any(check.get(part) is not None for part in ("row", "where")):
        raise GraderFault(f"contract: criterion {number}: rows needs a row or a scope")
    for part in _parts(check):
        _check_shape(number, part)


def _binding(data: Mapping[str, Any]) -> Binding:
    name = data["name"]
    binding = Binding(
        data.get("table"),
        tuple(expected_row(row) for row in data.get("rows") or ()),
        name.get("column"),
        name.get("literal"),
    )
    if (binding.column is None) == (binding.literal is None):
        raise GraderFault("contract: the primary record's name is either a column or a literal")
    if binding.table is None and (binding.rows or binding.literal is None):
        raise GraderFault("contract: a task that executes nothing binds no rows and has a literal name")
    if binding.table is not None and not binding.rows:
        raise GraderFault(f"contract: the primary record of {binding.table} has no rows")
    if binding.column is not None and len(binding.rows) > 1:
        raise GraderFault("contract: several primary rows need a literal name")
    return binding


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise GraderFault(f"contract: expected text, found {value!r}")
    return value


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, list | tuple):
        raise GraderFault(f"contract: expected a list of names, found {value!r}")
    return frozenset(_text(entry) for entry in value)
