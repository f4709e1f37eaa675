"""Mutants of what a worker says: the submission, the decision, the register row, the draft and the post.

In: a case, its contract and the oracle's finished episode. Out: (kind, changed evidence, closure) as mutants.py has
them.
"""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from generator.families.base import Option
from generator.families.checks import GUARDED_TABLES
from generator.qualify.finished import Finished
from generator.qualify.predict import leaves
from generator.qualify.state_mutants import Changed
from generator.spec import contract as c
from generator.spec.case import Case, Value
from generator.spec.contract import GoldContract
from generator.tasks import terms
from generator.tasks.view import register_row, task_kind
from verifier.tables import Cell
from verifier.text import tokenise

NO_SUCH = "something_else"
STRANGER = "someone@stranger.example"


def answer(field: str, case: Case, oracle: Finished) -> Changed:
    """The figure a step off in the submission alone."""
    kind = next(one.type for one in task_kind(case).answers if one.name == field)
    # A percentage is right to 0.01, so the smallest step that is wrong is 0.02.
    step = {"integer": Decimal(1), "percent": Decimal("0.02")}.get(kind, Decimal("0.01"))
    for name, moved in (("one step more", step), ("one step less", -step)):
        value: Value = case.gold.answers[field] + moved
        yield name, _submitted(case, oracle, field, int(value) if kind == "integer" else float(value)), ()


def _submitted(case: Case, oracle: Finished, field: str, value: Any) -> Finished:
    answers = json.loads(str((oracle.cells("submissions", case.task_id) or {})["answers"]))
    text = json.dumps({**answers, field: value}, sort_keys=True)
    return oracle.with_cell("submissions", case.task_id, "answers", text)


def option(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    yield "another option in the submission", _submitted(case, oracle, "decision", NO_SUCH), ()
    yield "another status in the submission", _submitted(case, oracle, "status", NO_SUCH), ()
    decided = oracle.with_cell("decisions", case.task_id, "decision", NO_SUCH)
    yield "another option in the decision", decided, _reading(contract, "decision", but=21)


def _reading(contract: GoldContract, column: str, but: int) -> tuple[int, ...]:
    """Criteria other than this one that read the column of the decision record."""
    return tuple(
        criterion.n
        for criterion in contract.criteria
        if criterion.n != but
        and any(one.table == "decisions" and column in (one.row or {}) for one in leaves(criterion.check, c.Rows))
    )


def sources(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    needed = (case.gold.operative, *case.gold.cited)
    subject = next(source.subject for source in case.sources if source.id == case.gold.operative)
    rivals = [source.id for source in case.sources if source.subject == subject and source.id not in needed]
    refs = json.loads(str((oracle.cells("decisions", case.task_id) or {})["source_refs"]))

    def cite(given: list[str]) -> Finished:
        return oracle.with_cell("decisions", case.task_id, "source_refs", json.dumps(given))

    for source in needed:
        yield "a needed source not cited", cite([ref for ref in refs if ref != source]), ()
    for rival in rivals:
        yield "a superseded source cited in its place", cite([rival, *refs[1:]]), ()
        yield "a superseded source cited beside it", cite([*refs, rival]), ()
    padding = [f"FILE-{number}" for number in range(terms.SOURCE_REFS)]
    yield "too many sources", cite([*refs, *padding]), ()


def register(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    row = register_row(case)
    for key in (f"Register!{column}{row}" for column in "ABCDEFGH"):
        value = json.loads(str((oracle.cells("cells", key) or {})["value"]))
        # Text gets a letter more, a count one more, an amount a cent.
        other: Any = f"{value}x" if isinstance(value, str) else float(Decimal(str(value)) + Decimal("0.01"))
        other = value + 1 if isinstance(value, int) else other
        yield "one cell of the row", oracle.with_cell("cells", key, "value", json.dumps(other)), ()
    yield "a cell missing", oracle.without_row("cells", f"Register!D{row}"), ()
    beyond = f"Register!I{row}"
    cells: dict[str, Cell] = {"cell": beyond, "tab": "Register", "row": row, "col": 9, "value": "1"}
    claimed = oracle.with_call(oracle.submission(), "any", wrote=[("cells", beyond)])
    yield "a cell beyond the row", claimed.with_row("cells", beyond, cells), ()


def record(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    def said(column: str, value: str) -> Finished:
        return oracle.with_cell("decisions", case.task_id, column, value)

    yield "no rationale", said("rationale", " "), ()
    yield "a rationale of four words", said("rationale", "It is - all right"), ()
    yield "another record named", said("primary_record", NO_SUCH), ()
    yield "another status in the decision", said("status", NO_SUCH), _reading(contract, "status", but=26)
    yield "no source cited", said("source_refs", "[]"), _reading(contract, "source_refs", but=26)


def draft(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    chosen, others = _options(case)
    rivals = [name for one in others for name in (one.id, one.label)]
    limits = (terms.DRAFT_NUMBERS, terms.DRAFT_CHARS)
    yield from _text("drafts", "body", case, oracle, (chosen.id, chosen.label), rivals, limits)
    body = _words("drafts", "body", oracle)
    for value in case.gold.answers.values():
        changed = _without_number(body, Decimal(value), map(Decimal, case.gold.answers.values()))
        yield "a figure one off", _saying("drafts", "body", oracle, changed), ()


def post(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    chosen, others = _options(case)
    # A status without an underscore is a word that any text may hold.
    rivals = [one.status for one in others if "_" in one.status]
    limits = (terms.POST_NUMBERS, terms.POST_CHARS)
    yield from _text("posts", "text", case, oracle, (chosen.status,), rivals, limits)


def _options(case: Case) -> tuple[Option, list[Option]]:
    options = task_kind(case).options
    chosen = next(one for one in options if one.id == case.gold.option)
    return chosen, [one for one in options if one.id != chosen.id]


def _text(
    table: str,
    column: str,
    case: Case,
    oracle: Finished,
    chosen: Sequence[str],
    rivals: Sequence[str],
    limits: tuple[int, int],
) -> Changed:
    """What a draft or post must state left out, what it must not state put in, one too many and none."""
    words = _words(table, column, oracle)
    subject = str(case.gold.obstacle or oracle.primary.name)
    without = words
    for name in chosen:
        without = without.replace(name, "it")
    yield "the option or status left out", _saying(table, column, oracle, without), ()
    yield "the record or obstacle left out", _saying(table, column, oracle, words.replace(subject, "it")), ()
    for rival in rivals:
        yield "another option or status named too", _saying(table, column, oracle, f"{words} Or {rival}."), ()
    many = " ".join(str(number) for number in range(1000, 1001 + limits[0]))
    yield "every number listed", _saying(table, column, oracle, f"{words} {many}"), ()
    yield "too long", _saying(table, column, oracle, words + " and so on" * (limits[1] // 10)), ()
    (key,) = oracle.added(table)
    other = (table, f"{key}-2")
    # The second one is read back too, so that nothing but the count is wrong.
    written = oracle.with_call(oracle.first_write() + 1, "any", wrote=[other])
    read = written.with_call(written.submission(), "any", saw=[other])
    yield "left twice", read.with_row(*other, {**(oracle.cells(table, key) or {}), "id": other[1]}), ()
    yield "not left at all", oracle.without_row(table, key), (31,)


def _words(table: str, column: str, oracle: Finished) -> str:
    (key,) = oracle.added(table)
    return str((oracle.cells(table, key) or {})[column])


def _saying(table: str, column: str, oracle: Finished, words: str) -> Finished:
    (key,) = oracle.added(table)
    return oracle.with_cell(table, key, column, words)


def _without_number(text: str, number: Decimal, figures: Iterable[Decimal]) -> str:
    """The text with another number in the place of this one, one that is no figure of the task."""
    taken = set(figures)
    other = number + 1
    while other in taken:
        other += 1
    lines = []
    for line in text.split("\n"):
        words = (f"{other}" if number in tokenise(word).numbers else word for word in line.split(" "))
        lines.append(" ".join(words))
    return "\n".join(lines)


def outbound(case: Case, contract: GoldContract, oracle: Finished) -> Changed:
    (draft_key,), (post_key,) = oracle.added("drafts"), oracle.added("posts")
    recipient = str((oracle.cells("drafts", draft_key) or {})["recipient"])
    yield "a draft to a stranger", oracle.with_cell("drafts", draft_key, "recipient", STRANGER), ()
    copied = oracle.with_cell("drafts", draft_key, "recipient", f"{recipient}, {STRANGER}")
    yield "a draft with a stranger in copy", copied, ()
    other = ("posts", f"{post_key}-2")
    cells = {**(oracle.cells("posts", post_key) or {}), "id": other[1], "channel": "#general"}
    written = oracle.with_call(oracle.first_write() + 1, "any", wrote=[other])
    elsewhere = written.with_call(written.submission(), "any", saw=[other]).with_row(*other, cells)
    yield "a post to another channel", elsewhere, ()
    sent = {"review_status": "sent"}
    unreviewed = oracle.with_call(oracle.submission(), "slack.chat_postMessage", outcome="refused", arguments=sent)
    yield "a post that skips the review", unreviewed, (33,)
    own = {scope.table for check in leaves(contract.criteria[32].check, c.Unchanged) for scope in check.owned}
    same = {table for check in leaves(contract.criteria[33].check, c.Same) for table in check.tables}
    for table in GUARDED_TABLES:
        if table in own and table not in same:
            continue  # the task's own target, which the checks of ERP state grade
        for key, row in list(oracle.state[table].rows.items())[:1]:
            column, value = oracle.state[table].shape.columns[-1], row[-1]
            moved = value + 1 if isinstance(value, int) else f"{value}x"
            claimed = oracle.with_call(oracle.submission(), "any", wrote=[(table, key)])
            yield "a guarded record changed", claimed.with_cell(table, key, column, moved), ()
