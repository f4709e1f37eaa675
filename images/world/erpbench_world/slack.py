"""The channels: messages people wrote, posts of the episode, search, and posting for review.

A channel is named with or without its #. Posts carry the analyst's name and their review status.
"""

import re
from typing import Any

from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, NotFound, Refused, shown
from erpbench_world.gmail import REVIEW, numbered
from erpbench_world.registry import tool
from erpbench_world.words import Term, alternatives


@tool("slack.conversations_history")
def history(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Messages and posts in order of time. With task_id only messages whose text or thread names it, and its posts."""
    channel = _channel(call, arguments["channel"])
    if channel is None:
        raise NotFound(_unknown(call, arguments["channel"]), "channel")
    found = [message for message in _messages(call) if message["channel"] == channel]
    task = arguments.get("task_id")
    if task is not None:
        found = [message for message in found if _names(message, task)]
    return {"channel": channel, "messages": [_shown(call, message) for message in found]}


@tool("slack.search_messages")
def search(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Messages of all channels that hold every word (in text, name or thread), in order of time."""
    groups = alternatives(arguments["query"], "query", ("in", "from"))
    matches = [
        {"channel": message["channel"], **_shown(call, message)}
        for message in _messages(call)
        if all(any(_holds(message, term) for term in group) for group in groups)
    ]
    return {"messages": {"matches": matches, "total": len(matches)}, "query": arguments["query"]}


@tool("slack.chat_postMessage")
def post(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Raises Refused for another review status than draft_for_review and for an unknown channel."""
    if arguments["review_status"] != REVIEW:
        raise Refused(f"review_status: expected {REVIEW}, came {shown(arguments['review_status'])}", "review_status")
    channel = _channel(call, arguments["channel"])
    if channel is None:
        raise Refused(_unknown(call, arguments["channel"]), "channel")
    if not arguments["text"].strip():
        raise InvalidArguments("text: expected a message, came nothing", "text")
    row = {
        "id": numbered("POST", call.task_id, len(call.rows("SELECT id FROM posts"))),
        "task_id": call.task_id,
        "channel": channel,
        "text": arguments["text"],
        "review_status": REVIEW,
        "ts": call.now,
    }
    call.insert("posts", row)
    return {
        "channel": channel,
        "message": {"review_status": REVIEW, "text": row["text"]},
        "ok": True,
        "ts": row["ts"],
    }


def _messages(call: Call) -> list[Row]:
    """All messages and posts in order of time; at the same time what people wrote first, then posts as they came."""
    written = call.rows("SELECT * FROM slack_messages ORDER BY ts, id")
    posted = call.rows("SELECT * FROM posts")
    posted.sort(key=lambda row: (len(row["id"]), row["id"]))
    analyst = call.meta["analyst"]
    posts = [{**row, "user": analyst, "thread_ts": ""} for row in posted]
    return sorted([*written, *posts], key=lambda row: row["ts"])


def _shown(call: Call, message: Row) -> dict[str, Any]:
    """The message as the provider shows it, declared as seen."""
    result = {"text": message["text"], "ts": message["ts"], "user": message["user"]}
    if "review_status" in message:
        call.saw("posts", message["id"])
        return {**result, "review_status": message["review_status"]}
    call.saw("slack_messages", str(message["id"]))
    return {**result, "thread_ts": message["thread_ts"]}


def _names(message: Row, task: str) -> bool:
    text = f"{message['text']} {message['thread_ts']}"
    named = re.search(rf"(?<![0-9A-Za-z]){re.escape(task)}(?![0-9A-Za-z])", text) is not None
    return named or message.get("task_id") == task


def _holds(message: Row, term: Term) -> bool:
    columns = {"in": ("channel",), "from": ("user",), None: ("text", "user", "thread_ts")}[term.name]
    text = [message[column].casefold() for column in columns]
    found = all(any(value.casefold() in part for part in text) for value in term.values)
    return found != term.negated


def _channel(call: Call, name: str) -> str | None:
    known = [row["name"] for row in call.rows("SELECT name FROM channels")]
    for candidate in (name, f"#{name}"):
        if candidate in known:
            return candidate
    return None


def _unknown(call: Call, name: str) -> str:
    known = ", ".join(row["name"] for row in call.rows("SELECT name FROM channels ORDER BY name"))
    return f"channel: no channel {shown(name)}; the channels are {known}"
