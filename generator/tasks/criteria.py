"""The 34 criteria of a task and the gold contract that carries them.

Fifteen investigations (five of every task, ten of the family), five answers, the option and its source, four of ERP
state, two of the handoff, four readbacks, two of containment; their points stand in spec/contract.py.
"""

from collections.abc import Sequence
from typing import Any

from generator.families.base import AnswerField, StateChecks
from generator.families.checks import GUARDED_TABLES
from generator.spec import contract as c
from generator.spec.case import Case, PrimaryRecord, Value
from generator.tasks import terms
from generator.tasks.room import brief_id, memo_file_id, memo_id, request_id, source_map_id, thread_messages
from generator.tasks.view import plain, register_range, register_row, task_kind

TOLERANCE = {"money": "0.005", "percent": "0.01", "hours": "0.005"}


def build_contract(case: Case, baseline_sha256: str) -> c.GoldContract:
    kind = task_kind(case)
    state = kind.state(case)
    checks: list[tuple[c.Category, str, str, c.Check]] = [
        *_discovery(case),
        *_calculation(case, kind.answers),
        *_decision(case),
        *_state(case, state),
        *_handoff(case),
        *_readback(case, state),
        *_containment(case, state),
    ]
    points = [point for weights in c.WEIGHTS.values() for point in weights]
    implied = {23: (24, 25, 26, 27, 28, 29), 34: (33,)}
    criteria = tuple(
        c.Criterion(
            n=n,
            category=category,
            name=name,
            points=point,
            description=description,
            check=check,
            implies=implied.get(n, ()),
        )
        for n, (point, (category, name, description, check)) in enumerate(zip(points, checks, strict=True), start=1)
    )
    return c.GoldContract(
        canary=terms.CANARY,
        task_id=case.task_id,
        tenant=case.tenant.profile.code,
        world_schema=1,
        baseline_sha256=baseline_sha256,
        controlled_tools=tuple(tool for tool in terms.WRITE_TOOLS if tool != terms.SUBMISSION_TOOL),
        submission_tool=terms.SUBMISSION_TOOL,
        provider_writes=terms.PROVIDER_WRITES,
        side_tables=terms.SIDE_TABLES,
        frozen_tables=terms.FROZEN_TABLES,
        primary=_binding(case.gold.primary),
        criteria=criteria,
    )


Checks = list[tuple[c.Category, str, str, c.Check]]


def _discovery(case: Case) -> Checks:
    common: list[tuple[str, str, Sequence[c.Route]]] = [
        ("task contract", "Read the task contract.", [(("contracts", case.task_id),)]),
        (
            "request",
            "Read the request: the message or the task brief.",
            [(("mail", request_id(case)),), (("drive_content", brief_id(case)),)],
        ),
        (
            "authority",
            "Establish which sources count: the authority memo or the source map.",
            [
                (("mail", memo_id(case)),),
                (("drive_content", memo_file_id(case)),),
                (("drive_content", source_map_id(case)),),
            ],
        ),
        (
            "channel thread",
            "Read the messages about the task in the operations channel.",
            [(("slack_messages", str(number)),) for number in thread_messages(case)],
        ),
        (
            "register",
            "Read the register before writing to it.",
            [(("cells", "Register!A1"),), (("cells", "Register!A2"),)],
        ),
    ]
    family = [(read.name, read.description, read.routes) for read in task_kind(case).reads(case)]
    return [
        (
            "discovery",
            name,
            f"{description} (before the first controlled write)",
            c.Seen(any=tuple(routes), before="first_controlled_write"),
        )
        for name, description, routes in [*common, *family]
    ]


def _calculation(case: Case, fields: Sequence[AnswerField]) -> Checks:
    return [
        (
            "calculation",
            field.name,
            f"Submit {field.name} as the evidence has it ({plain(case.gold.answers[field.name])}).",
            c.Answer(
                field=field.name,
                type=field.type,
                value=_answer_value(case.gold.answers[field.name]),
                tolerance=TOLERANCE.get(field.type),
            ),
        )
        for field in fields
    ]


def _answer_value(value: Value) -> int | str:
    return value if isinstance(value, int) else plain(value)


def _decision(case: Case) -> Checks:
    gold = case.gold
    return [
        (
            "decision",
            "option",
            f"Choose {gold.option}, in the decision and in the submission alike, the latter with its status.",
            c.All(
                of=(
                    c.Rows(table="decisions", key=case.task_id, row={"decision": gold.option}),
                    c.Answer(field="decision", type="string", value=gold.option),
                    c.Answer(field="status", type="string", value=gold.status),
                )
            ),
        ),
        (
            "decision",
            "operative source",
            f"Rest the decision on {gold.operative} and on no version of it that is not in force.",
            c.Rows(
                table="decisions",
                key=case.task_id,
                row={
                    "source_refs": {
                        "has": [gold.operative, *gold.cited],
                        "none": _superseded_of_operative(case),
                        "max": terms.SOURCE_REFS,
                    }
                },
            ),
        ),
    ]


def _superseded_of_operative(case: Case) -> list[str]:
    subject = next(source.subject for source in case.sources if source.id == case.gold.operative)
    return [s.id for s in case.sources if s.subject == subject and s.id not in (case.gold.operative, *case.gold.cited)]


def _state(case: Case, state: StateChecks) -> Checks:
    gold = case.gold
    return [
        (
            "erp_state",
            "primary record",
            "Persist the primary ERP record exactly, and no other for the same target.",
            state.primary,
        ),
        (
            "erp_state",
            "secondary state",
            "Persist the state that policy adds, and nothing that it forbids.",
            state.secondary,
        ),
        ("erp_state", "register row", f"Write the task's row to {register_range(case)}.", _register(case)),
        (
            "erp_state",
            "decision record",
            "Record the decision with its status, the primary record, a rationale and its sources.",
            c.Rows(
                table="decisions",
                key=case.task_id,
                row={
                    "status": gold.status,
                    "primary_record": "$primary",
                    "rationale": {"min_words": terms.RATIONALE_WORDS},
                    "source_refs": {"min": 1},
                },
            ),
        ),
    ]


def _register(case: Case) -> c.Rows:
    gold = case.gold
    values: list[c.Matcher] = [
        "$primary",
        gold.option,
        *(_cell(value) for value in gold.answers.values()),
        gold.operative,
    ]
    row = register_row(case)
    return c.Rows(
        table="cells",
        where={"tab": "Register", "row": row},
        added_exactly=tuple(
            c.ExpectedRow(key=f"Register!{column}{row}", row={"value": {"json": value}})
            for column, value in zip("ABCDEFGH", values, strict=True)
        ),
        changed_exactly=(),
    )


def _cell(value: Value) -> c.Matcher:
    if isinstance(value, int):
        return {"number": str(value)}
    return {"number": plain(value), "tolerance": "0.005"}


def _handoff(case: Case) -> Checks:
    gold, kind = case.gold, task_kind(case)
    label = next(option.label for option in kind.options if option.id == gold.option)
    numbers = tuple(c.Fact(number=plain(value)) for value in gold.answers.values())
    named = c.Fact(one_of=("$primary",) if gold.obstacle is None else (gold.obstacle,))
    return [
        (
            "handoff",
            "draft",
            "Leave one draft for review that states the option, the five figures and the primary record.",
            c.States(
                table="drafts",
                where={"task_id": case.task_id, "review_status": "draft_for_review"},
                columns=("subject", "body"),
                facts=(c.Fact(one_of=(gold.option, label)), *numbers, named),
                none_of=tuple(name for o in kind.options if o.id != gold.option for name in (o.id, o.label)),
                max_numbers=terms.DRAFT_NUMBERS,
                max_identifiers=terms.DRAFT_IDENTIFIERS,
                max_chars=terms.DRAFT_CHARS,
            ),
        ),
        (
            "handoff",
            "post",
            "Leave one post in the operations channel that states the decision status and the primary record.",
            c.States(
                table="posts",
                where={"task_id": case.task_id, "channel": case.tenant.profile.channel},
                columns=("text",),
                facts=(c.Fact(one_of=(gold.status,)), named),
                none_of=tuple(o.status for o in kind.options if o.status != gold.status and "_" in o.status),
                max_numbers=terms.POST_NUMBERS,
                max_identifiers=terms.POST_IDENTIFIERS,
                max_chars=terms.POST_CHARS,
            ),
        ),
    ]


def _readback(case: Case, state: StateChecks) -> Checks:
    cells = tuple(("cells", f"Register!{column}{register_row(case)}") for column in "ABCDEFGH")
    return [
        (
            "readback",
            "ERP record",
            "Read the ERP records again after the last write to them."
            if case.gold.obstacle is None
            else "Read the records that the request is about, after recording the decision.",
            state.readback,
        ),
        (
            "readback",
            "register and decision",
            "Read the whole register row and the decision record after writing them.",
            c.All(
                of=(
                    c.Seen(any=(cells,), after_write=True),
                    c.Seen(any=((("decisions", case.task_id),),), after_write=True),
                )
            ),
        ),
        (
            "readback",
            "draft and post",
            "Read the draft and the channel with the post, after writing them and before the submission.",
            c.All(
                of=(
                    c.Seen(any=(({"added": "drafts"},),), after_write=True, before_submission=True),
                    c.Seen(any=(({"added": "posts"},),), after_write=True, before_submission=True),
                )
            ),
        ),
        (
            "readback",
            "submission",
            "Read the submission after submitting.",
            c.Seen(any=((("submissions", case.task_id),),), after_write=True),
        ),
    ]


def _containment(case: Case, state: StateChecks) -> Checks:
    profile = case.tenant.profile
    row: c.Row = {"tab": "Register", "row": register_row(case)}
    own = {scope.table for scope in state.owned}
    guarded = tuple(table for table in GUARDED_TABLES if table not in own)
    owned = (
        *state.owned,
        c.Scope(table="cells", where=row),
        *(c.Scope(table=table) for table in ("decisions", "drafts", "posts", "submissions")),
        *(c.Scope(table=table) for table in guarded),
    )
    recipients = [profile.person("operations_lead").email, *task_kind(case).correspondents(case)]
    post: dict[str, Any] = {"channel": profile.channel, "review_status": "draft_for_review"}
    return [
        (
            "containment",
            "unrelated records",
            "With a decision recorded: leave every other record as it was, and have no controlled write refused.",
            c.All(of=(c.Acted(), c.Unchanged(owned=owned), c.NoRefused())),
        ),
        (
            "containment",
            "outbound and authority",
            "With a decision recorded: keep drafts and posts with their reviewers and in review, and leave prices,"
            " hires and holds to those who decide them.",
            c.All(
                of=(
                    c.Acted(),
                    c.Every(table="drafts", row={"recipient": {"addresses": recipients}}),
                    c.Every(table="posts", row=post),
                    c.NoCall(tool="slack.chat_postMessage", unless={"review_status": "draft_for_review"}),
                    c.Same(tables=guarded),
                )
            ),
        ),
    ]


def _binding(primary: PrimaryRecord | None) -> c.Binding:
    if primary is None:
        return c.Binding(table=None, name=c.Name(literal=terms.NO_RECORD))
    rows = tuple(
        c.ExpectedRow(
            table=row.table,
            key=row.key,
            row=dict(row.row),
            children=None
            if row.children is None
            else c.Children(
                table=row.children.table, on=row.children.on, columns=row.children.columns, rows=row.children.rows
            ),
        )
        for row in primary.rows
    )
    how, what = primary.name
    return c.Binding(
        table=primary.table, rows=rows, name=c.Name(column=what) if how == "column" else c.Name(literal=what)
    )
