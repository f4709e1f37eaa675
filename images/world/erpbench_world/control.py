"""The task's own tools: what it asks for, the decision on record and the submitted answer.

The contract's view is the JSON object that the seed holds; used of it are decision_options and statuses (lists of ids,
or of objects with an id) and answer_schema (a JSON schema).
"""

import json
from typing import Any

from jsonschema import Draft202012Validator

from erpbench_world import catalog
from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, NotFound, shown
from erpbench_world.registry import tool

MAX_SOURCES = 50
MAX_RATIONALE = 4000


def view(call: Call) -> dict[str, Any]:
    """The contract as the agent may see it."""
    row = call.row("SELECT view FROM contracts WHERE task_id = ?", (call.task_id,))
    if row is None:
        raise NotFound(f"task_id: no contract is stored for {call.task_id}", "task_id")
    document: dict[str, Any] = json.loads(row["view"])
    return document


@tool("erpbench.get_task")
def get_task(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    call.saw("contracts", call.task_id)
    return view(call)


@tool("erpbench.get_decision")
def get_decision(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = call.row("SELECT * FROM decisions WHERE task_id = ?", (call.task_id,))
    if row is None:
        raise NotFound(f"no decision is on record for {call.task_id} yet")
    call.saw("decisions", call.task_id)
    return _decision(row)


@tool("erpbench.record_decision")
def record_decision(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """The option, status and primary record are stored without blanks around them.

    Raises InvalidArguments, with the ids to choose from, for an unknown option or status; for a rationale above
    MAX_RATIONALE characters; and for sources that are too many or unknown (see _sources)."""
    contract = view(call)
    decision, status = arguments["decision"].strip(), arguments["status"].strip()
    _one_of(decision, contract["decision_options"], "decision")
    _one_of(status, contract["statuses"], "status")
    rationale: str = arguments["rationale"]
    if len(rationale) > MAX_RATIONALE:
        raise InvalidArguments(
            f"rationale: expected at most {MAX_RATIONALE} characters, came {len(rationale)}", "rationale"
        )
    sources = _sources(call, arguments["source_refs"])
    row = {
        "task_id": call.task_id,
        "decision_id": f"DECISION-{call.task_id}",
        "decision": decision,
        "status": status,
        "primary_record": arguments["primary_record"].strip(),
        "rationale": rationale,
        "source_refs": json.dumps(sources, ensure_ascii=False),
    }
    if call.row("SELECT task_id FROM decisions WHERE task_id = ?", (call.task_id,)) is None:
        call.insert("decisions", row)
    else:
        call.update("decisions", {"task_id": call.task_id}, row)
    return _decision(row)


@tool("erpbench.submit_answer")
def submit_answer(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Raises InvalidArguments if the answer does not fit the contract's answer_schema.

    A second submission never gets here: the dispatcher refuses every write after the first.
    """
    validator = Draft202012Validator(view(call)["answer_schema"])
    catalog.check(validator, arguments["answers"], "the answer", "answers")
    row = {
        "task_id": call.task_id,
        "answers": json.dumps(arguments["answers"], sort_keys=True, ensure_ascii=False),
        "submitted": call.now,
    }
    call.insert("submissions", row)
    return _submission(row)


@tool("erpbench.get_submission")
def get_submission(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = call.row("SELECT * FROM submissions WHERE task_id = ?", (call.task_id,))
    if row is None:
        raise NotFound(f"no answer has been submitted for {call.task_id} yet")
    call.saw("submissions", call.task_id)
    return _submission(row)


def _one_of(value: str, choices: list[Any], argument: str) -> None:
    ids = [choice["id"] if isinstance(choice, dict) else choice for choice in choices]
    if value not in ids:
        raise InvalidArguments(f"{argument}: expected one of {', '.join(ids)}, came {shown(value)}", argument)


def _sources(call: Call, given: list[str]) -> list[str]:
    """The sources in their order, each once. Raises InvalidArguments for more than MAX_SOURCES entries, and for one
    that is neither a Drive file nor a message of this world."""
    if len(given) > MAX_SOURCES:
        raise InvalidArguments(f"source_refs: expected at most {MAX_SOURCES} entries, came {len(given)}", "source_refs")
    known = {row["id"] for row in call.rows("SELECT id FROM drive_files UNION SELECT id FROM mail")}
    for index, entry in enumerate(given):
        if entry not in known:
            where = f"source_refs[{index}]"
            raise InvalidArguments(
                f"{where}: expected the id of a Drive file or of a message of this world, came {shown(entry)}", where
            )
    return list(dict.fromkeys(given))


def _decision(row: Row) -> dict[str, Any]:
    return {**row, "source_refs": json.loads(row["source_refs"])}


def _submission(row: Row) -> dict[str, Any]:
    return {**row, "answers": json.loads(row["answers"]), "submission_id": f"SUBMISSION-{row['task_id']}"}
