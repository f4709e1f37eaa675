"""The mailbox: messages to search and read, drafts to save for review. Nothing is ever sent."""

import json
import re
from typing import Any

from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, NotFound, shown
from erpbench_world.gmail_query import matcher
from erpbench_world.registry import tool

REVIEW = "draft_for_review"
SNIPPET = 80
_ADDRESS = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\".]+(\.[^@\s,;<>\".]+)+")


@tool("gmail.messages.list")
def list_messages(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Messages in order of date. A listing has the first 80 characters of each and counts as no reading of any."""
    matches = matcher(arguments["q"])
    found = [row for row in call.rows("SELECT * FROM mail ORDER BY date, id") if matches(row)]
    return {"messages": [_listed(row) for row in found], "resultSizeEstimate": len(found)}


@tool("gmail.messages.get")
def get_message(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = call.row("SELECT * FROM mail WHERE id = ?", (arguments["id"],))
    if row is None:
        raise NotFound(f"id: no message {shown(arguments['id'])}", "id")
    call.saw("mail", row["id"])
    return {
        "body": row["body"],
        "date": row["date"],
        "from": row["sender"],
        "id": row["id"],
        "labelIds": json.loads(row["labels"]),
        "subject": row["subject"],
        "threadId": row["threadId"],
        "to": row["recipient"],
    }


@tool("gmail.drafts.create")
def create_draft(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Raises InvalidArguments if the recipient is no mail address, or list of them with commas between."""
    recipient = arguments["to"].strip()
    for address in recipient.split(","):
        if not _ADDRESS.fullmatch(address.strip()):
            raise InvalidArguments(
                f"to: expected a plain address such as name@company.example, came {shown(address.strip())}", "to"
            )
    written = call.rows("SELECT id FROM drafts")
    row = {
        "id": numbered("DRAFT", call.task_id, len(written)),
        "task_id": call.task_id,
        "recipient": recipient,
        "subject": arguments["subject"],
        "body": arguments["body"],
        "review_status": REVIEW,
        "created": call.now,
    }
    call.insert("drafts", row)
    message = {"labelIds": ["DRAFT"], "subject": row["subject"], "to": row["recipient"]}
    return {"id": row["id"], "message": message, "review_status": REVIEW}


@tool("gmail.drafts.get")
def get_draft(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    row = call.row("SELECT * FROM drafts WHERE id = ?", (arguments["id"],))
    if row is None:
        raise NotFound(f"id: no draft {shown(arguments['id'])}", "id")
    call.saw("drafts", row["id"])
    message = {"body": row["body"], "labelIds": ["DRAFT"], "subject": row["subject"], "to": row["recipient"]}
    return {"id": row["id"], "message": message, "review_status": row["review_status"]}


def numbered(prefix: str, task: str, before: int) -> str:
    """The id of the next draft or post: DRAFT-erpbench-001, then DRAFT-erpbench-001-2."""
    return f"{prefix}-{task}" if before == 0 else f"{prefix}-{task}-{before + 1}"


def _listed(row: Row) -> dict[str, Any]:
    text = " ".join(row["body"].split())
    return {
        "date": row["date"],
        "from": row["sender"],
        "id": row["id"],
        "snippet": text if len(text) <= SNIPPET else f"{text[:SNIPPET]}…",
        "subject": row["subject"],
        "threadId": row["threadId"],
    }
