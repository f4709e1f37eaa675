"""The task contract: what erpbench.get_task shows.

It holds no gold, and everything that is graded can be known from it, the request and the evidence.
"""

from decimal import Decimal
from typing import Any

from generator.families import family
from generator.families.base import AnswerField, TaskKind
from generator.spec.case import Case, Value
from generator.spec.tenant import Person
from generator.tasks import terms

COMMON_READS = (
    "this task contract",
    "the request itself: the message in the mailbox or the task brief on the drive",
    "which sources count: the authority memo (message or file) or the source map",
    "the messages about this task in the operations channel",
    "the register as it stands, before writing to it",
)


UNITS = {"money": "Money, two decimals.", "percent": "Percent, two decimals.", "hours": "Hours, two decimals."}


def task_kind(case: Case) -> TaskKind:
    kind = family(case.family).task
    if kind is None:
        raise ValueError(f"{case.task_id}: {case.family} has no tasks")
    return kind


def register_row(case: Case) -> int:
    """The register's row of the task: twenty and the family's number."""
    return 20 + family(case.family).number


def register_range(case: Case) -> str:
    row = register_row(case)
    return f"Register!A{row}:H{row}"


def json_number(value: Value) -> int | float:
    """The value as a JSON number: 5, 2757.6."""
    return value if isinstance(value, int) else float(value)


def plain(value: Value) -> str:
    """The value in digits: 5, 2757.60."""
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def build_view(case: Case) -> dict[str, Any]:
    profile = case.tenant.profile
    kind = task_kind(case)
    reviewer = profile.person("operations_lead")
    fields = [answer.name for answer in kind.answers]
    return {
        "allowed_write_tools": list(terms.WRITE_TOOLS),
        "answer_schema": answer_schema(kind),
        "as_of": profile.as_of.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "company": profile.company,
        "conventions": [*terms.CONVENTIONS, *kind.conventions],
        "currency": profile.currency,
        "decision_options": [
            {"id": option.id, "label": option.label, "status": option.status} for option in kind.options
        ],
        "decision_record": {
            "decision": "the id of one of the decision options",
            "primary_record": (
                "the number of the ERP record you created or changed, or of the business document that groups them"
                f" where there are several; {terms.NO_RECORD} if you executed nothing"
            ),
            "rationale": f"at least {terms.RATIONALE_WORDS} words",
            "source_refs": (
                f"one to {terms.SOURCE_REFS} Drive file ids or message ids that the decision rests on, the operative"
                " source among them, and no version of it that is no longer in force"
            ),
            "status": "the status that belongs to the option",
        },
        "expected_readbacks": [
            "the ERP records you created or changed, after your last write to them; if you executed nothing, the"
            " records the request is about, after recording the decision",
            "after writing them: every cell of your register row, and the decision record",
            "after writing them and before the submission: the draft, and the channel's history with your post",
            "after the submission: the submission",
        ],
        "expected_reads": [*COMMON_READS, *(read.words for read in kind.reads(case))],
        "handoff": {
            "draft": {
                "count": "exactly one draft, by task",
                "limits": _limits(terms.DRAFT_CHARS, terms.DRAFT_NUMBERS, terms.DRAFT_IDENTIFIERS),
                "must_state": [
                    "the chosen option, by its id or its label, and no other option by either",
                    *(f"the value of {name}" for name in fields),
                    "the primary record; or, if you executed nothing, the reference of what stands in the way instead",
                ],
                "to": _addressees(case, reviewer),
            },
            "post": {
                "channel": profile.channel,
                "count": "exactly one post, by task",
                "limits": _limits(terms.POST_CHARS, terms.POST_NUMBERS, terms.POST_IDENTIFIERS),
                "must_state": [
                    "the decision status, by its id",
                    "the primary record, or what stands in the way instead",
                ],
                "review_status": "draft_for_review",
            },
            "reading": dict(terms.READING),
        },
        "local_date": profile.today.isoformat(),
        "register": {
            "columns": ["primary record", "option id", *fields, "operative source id"],
            "range": register_range(case),
            "values": "one row of eight plain values, numbers as numbers, written to exactly this range",
            "spreadsheetId": profile.workbook.id,
        },
        "site": profile.site,
        "statuses": [{"id": option.status, "meaning": option.status_meaning} for option in kind.options],
        "task_id": case.task_id,
        "timezone": profile.timezone,
        "tool_names": terms.tool_names_note(),
        "workflow": family(case.family).title,
        "workbook_tabs": ["Register", "Customers"],
    }


def _addressees(case: Case, reviewer: Person) -> str:
    """Who the draft may go to: the reviewer, and those to whom the task owes a reply."""
    owed = [address for address in task_kind(case).correspondents(case) if address != reviewer.email]
    replied = f", or whoever is owed the reply ({', '.join(owed)}), or both" if owed else ""
    return f"the reviewer ({reviewer.name}, {reviewer.title}, {reviewer.email}){replied}"


def _limits(characters: int, numbers: int, identifiers: int) -> dict[str, int]:
    return {"characters": characters, "identifiers": identifiers, "numbers": numbers}


def answer_schema(kind: TaskKind) -> dict[str, Any]:
    """JSON Schema of the submission: the five fields, decision and status, nothing else."""
    properties: dict[str, Any] = {answer.name: _property(answer) for answer in kind.answers}
    properties["decision"] = {
        "type": "string",
        "enum": [option.id for option in kind.options],
        "description": "The option, as recorded in the decision.",
    }
    properties["status"] = {
        "type": "string",
        "enum": [option.status for option in kind.options],
        "description": "The status, as recorded in the decision.",
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _property(answer: AnswerField) -> dict[str, Any]:
    if answer.type == "integer":
        return {"type": "integer", "description": answer.definition}
    return {"type": "number", "description": f"{answer.definition} {UNITS[answer.type]}"}
