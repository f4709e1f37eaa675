"""The gold contract: criteria as data, each with one check from a small language (schema version 1).

Written to tests/contract.json of a task and read by the verifier, which shares no code with this module. Keys of
records are the table's primary key columns joined with "/". A route of a `seen` check is a list of elements, all
needed:
["table", "key"] as in the trace, "$primary" (every bound record), or {"added": "table"} (every row the episode added).
"""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from generator.spec.tenant import Model

Category = Literal["discovery", "calculation", "decision", "erp_state", "handoff", "readback", "containment"]
WEIGHTS: dict[str, tuple[int, ...]] = {
    "discovery": (1,) * 15,
    "calculation": (5,) * 5,
    "decision": (10, 5),
    "erp_state": (10, 4, 3, 3),
    "handoff": (5, 5),
    "readback": (3, 3, 2, 2),
    "containment": (3, 2),
}

RouteElement = tuple[str, str] | Literal["$primary"] | dict[Literal["added"], str]
Route = tuple[RouteElement, ...]
Scalar = str | int | bool
# A cell matcher: a scalar, "$primary", or one of {"money": "0.84"} (ten-thousandths in the cell), {"number": "2757.60",
# "tolerance": "0.005"}, {"json": matcher} (the cell holds JSON), {"in": [...]}, {"addresses": [...]} (each address of
# a text with commas between is one of them), {"nonempty": true}, {"min_words": 5},
# {"has": [...], "none": [...], "min": 1, "max": 10, "known_sources": [...]} (the cell holds a JSON array of strings).
Matcher = Scalar | dict[str, Any]
Row = dict[str, Matcher]


class Seen(Model):
    """Some route was wholly read: before the first accepted controlled write, after the last write of each of its
    records (after_write), after the last write of a record (after_key), before the accepted submission."""

    kind: Literal["seen"] = "seen"
    any: tuple[Route, ...]
    before: Literal["first_controlled_write"] | None = None
    after_write: bool = False
    after_key: tuple[str, str] | None = None
    before_submission: bool = False


class Answer(Model):
    kind: Literal["answer"] = "answer"
    field: str
    type: Literal["integer", "money", "percent", "hours", "string"]
    value: str | int
    tolerance: str | None = None


class Children(Model):
    """Child rows joined on a column, compared as a multiset over the named columns."""

    table: str
    on: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Matcher, ...], ...]


class ExpectedRow(Model):
    """table: only in a binding, where a row stands in another table than the binding's."""

    table: str | None = None
    key: str | None = None
    row: Row = Field(default_factory=dict)
    children: Children | None = None


class Rows(Model):
    """Rows of one table against the baseline.

    With `key` and `row`: the snapshot's row of that key ("$primary" is each bound record) matches. With `where`: the
    rows in scope (either version matches) that the episode added are exactly `added_exactly`, those it changed exactly
    `changed_exactly`, and none was removed; differences in `ignore` columns do not count as a change.
    """

    kind: Literal["rows"] = "rows"
    table: str
    key: str | None = None
    row: Row | None = None
    where: Row | None = None
    added_exactly: tuple[ExpectedRow, ...] | None = None
    changed_exactly: tuple[ExpectedRow, ...] | None = None
    ignore: tuple[str, ...] = ()


class Fact(Model):
    """What a text must state: one of the spellings (an identifier, a phrase, "$primary") or a number."""

    one_of: tuple[str, ...] = ()
    number: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> "Fact":
        if bool(self.one_of) == (self.number is not None):
            raise ValueError("a fact has either one_of or number")
        return self


class States(Model):
    """Exactly one added row matches `where`, and the text of its columns states every fact and none of `none_of`
    (identifiers, or phrases as whole words in sequence), with no more numbers, identifiers and characters than said."""

    kind: Literal["states"] = "states"
    table: str
    where: Row
    columns: tuple[str, ...]
    facts: tuple[Fact, ...]
    none_of: tuple[str, ...] = ()
    max_numbers: int
    max_identifiers: int | None = None
    max_chars: int


class Every(Model):
    """Each row that the episode added to the table matches."""

    kind: Literal["every"] = "every"
    table: str
    row: Row


class Same(Model):
    """The tables are as in the baseline."""

    kind: Literal["same"] = "same"
    tables: tuple[str, ...]


class Scope(Model):
    """Rows of a table that another criterion owns; all of them when `where` is empty."""

    table: str
    where: Row = Field(default_factory=dict)


class Unchanged(Model):
    """Nothing differs from the baseline but rows in the scopes."""

    kind: Literal["unchanged"] = "unchanged"
    owned: tuple[Scope, ...]


class NoRefused(Model):
    """No controlled write, and no call of a known provider write that the world does not have, was refused."""

    kind: Literal["no_refused"] = "no_refused"


class NoCall(Model):
    """The tool was never called, accepted or refused, except with these argument values."""

    kind: Literal["no_call"] = "no_call"
    tool: str
    unless: dict[str, Scalar] = Field(default_factory=dict)


class Acted(Model):
    """A decision was recorded: the gate of everything that also holds when nothing was done."""

    kind: Literal["acted"] = "acted"


class All(Model):
    kind: Literal["all"] = "all"
    of: tuple["Check", ...]


class AnyOf(Model):
    kind: Literal["any"] = "any"
    of: tuple["Check", ...]


class Not(Model):
    kind: Literal["not"] = "not"
    of: "Check"


Check = Annotated[
    Seen | Answer | Rows | States | Every | Same | Unchanged | NoRefused | NoCall | Acted | All | AnyOf | Not,
    Field(discriminator="kind"),
]


class Criterion(Model):
    """One graded criterion. implies: criteria that necessarily fail with it."""

    n: int
    category: Category
    name: str
    points: int
    description: str
    check: Check
    implies: tuple[int, ...] = ()


class Name(Model):
    """How the primary record is called: by a column of its row, or by a literal of the evidence (or NONE)."""

    column: str | None = None
    literal: str | None = None


class Binding(Model):
    """$primary: the rows of the table that ARE the expected ones. Extra rows do not unbind it."""

    table: str | None
    rows: tuple[ExpectedRow, ...] = ()
    name: Name


class GoldContract(Model):
    """All that the verifier knows of a task.

    controlled_tools: state-changing tools but the submission. provider_writes: names of provider writes the world does
    not have, refused when called. side_tables: tables that change with any write and belong to no criterion.
    frozen_tables: tables the world never writes; a difference there is doctored evidence.
    """

    schema_version: Literal[1] = 1
    canary: str
    task_id: str
    tenant: str
    world_schema: int
    baseline_sha256: str
    controlled_tools: tuple[str, ...]
    submission_tool: str
    provider_writes: tuple[str, ...]
    side_tables: tuple[str, ...]
    frozen_tables: tuple[str, ...]
    primary: Binding
    criteria: tuple[Criterion, ...]

    @model_validator(mode="after")
    def _weights(self) -> "GoldContract":
        got: dict[str, list[int]] = {}
        for criterion in self.criteria:
            got.setdefault(criterion.category, []).append(criterion.points)
        want = {category: list(points) for category, points in WEIGHTS.items()}
        if got != want:
            raise ValueError(f"criteria of {self.task_id} weigh {got}, expected {want}")
        return self
