"""Channel history, search and posts for review."""

from pathlib import Path

import pytest
from erpbench_world.dispatch import World

from tests.world_fixture import TASK, make_world, ok, refused, table

MESSAGES = [
    {"id": 1, "channel": "#ops-nbr", "ts": "2026-02-03T10:20:00Z", "thread_ts": "THREAD-IMPORT", "user": "Marcus Lee",
     "text": "Partial import of CA-PO-77310 is in."},
    {"id": 2, "channel": "#ops-nbr", "ts": "2026-02-09T09:00:00Z", "thread_ts": "THREAD-erpbench-001", "user": "Dana W",
     "text": "Please settle it."},
    {"id": 3, "channel": "#general", "ts": "2026-02-01T08:00:00Z", "thread_ts": "T3", "user": "Dana W",
     "text": "Import of cakes; erpbench-0011 is not ours."},
]  # fmt: skip
POST = {"task_id": TASK, "channel": "#ops-nbr", "text": "submitted", "review_status": "draft_for_review"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path, {"slack_messages": MESSAGES})


def test_history_is_in_order_of_time_with_posts_behind(world: World) -> None:
    for text in ("one", "two"):
        ok(world.call("slack.chat_postMessage", {**POST, "text": text}))
    result = ok(world.call("slack.conversations_history", {"channel": "#ops-nbr"}))
    assert result == {
        "channel": "#ops-nbr",
        "messages": [
            {"text": "Partial import of CA-PO-77310 is in.", "thread_ts": "THREAD-IMPORT", "ts": "2026-02-03T10:20:00Z",
             "user": "Marcus Lee"},
            {"text": "Please settle it.", "thread_ts": "THREAD-erpbench-001", "ts": "2026-02-09T09:00:00Z",
             "user": "Dana W"},
            {"review_status": "draft_for_review", "text": "one", "ts": "2026-02-09T09:00:00Z", "user": "analyst"},
            {"review_status": "draft_for_review", "text": "two", "ts": "2026-02-09T09:00:00Z", "user": "analyst"},
        ],
    }  # fmt: skip
    seen = table(world, "trace")[2]["saw"]
    assert seen == (
        '[["slack_messages","1"],["slack_messages","2"],["posts","POST-erpbench-001"],["posts","POST-erpbench-001-2"]]'
    )


def test_the_task_filter_keeps_its_thread_and_its_posts(world: World) -> None:
    ok(world.call("slack.chat_postMessage", POST))
    result = ok(world.call("slack.conversations_history", {"channel": "ops-nbr", "task_id": TASK}))
    assert [message["text"] for message in result["messages"]] == ["Please settle it.", "submitted"]
    result = ok(world.call("slack.conversations_history", {"channel": "#general", "task_id": TASK}))
    assert result["messages"] == []


def test_more_than_nine_posts_keep_their_order(world: World) -> None:
    for number in range(11):
        ok(world.call("slack.chat_postMessage", {**POST, "text": f"post {number}"}))
    result = ok(world.call("slack.conversations_history", {"channel": "#ops-nbr"}))
    assert [message["text"] for message in result["messages"][2:]] == [f"post {number}" for number in range(11)]


def test_a_post_and_its_record(world: World) -> None:
    assert ok(world.call("slack.chat_postMessage", POST)) == {
        "channel": "#ops-nbr",
        "message": {"review_status": "draft_for_review", "text": "submitted"},
        "ok": True,
        "ts": "2026-02-09T09:00:00Z",
    }
    (row,) = table(world, "posts")
    assert (row["id"], row["task_id"], row["channel"]) == ("POST-erpbench-001", TASK, "#ops-nbr")
    ok(world.call("slack.chat_postMessage", {**POST, "channel": "#general"}))


@pytest.mark.parametrize(
    ("change", "outcome", "message"),
    [
        ({"review_status": "final"}, "refused", 'review_status: expected draft_for_review, came "final"'),
        ({"channel": "#nope"}, "refused", 'channel: no channel "#nope"; the channels are #general, #ops-nbr'),
        ({"text": " \n"}, "invalid", "text: expected a message, came nothing"),
    ],
)
def test_posts_that_are_not_taken(world: World, change: dict[str, str], outcome: str, message: str) -> None:
    assert refused(world.call("slack.chat_postMessage", {**POST, **change}), outcome) == message
    assert table(world, "posts") == []


def test_an_unknown_channel_to_read_is_harmless(world: World) -> None:
    message = refused(world.call("slack.conversations_history", {"channel": "x"}), "invalid")
    assert message == 'channel: no channel "x"; the channels are #general, #ops-nbr'


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("import", [3, 1]),
        ("import in:#general", [3]),
        ("import -cakes", [1]),
        ('"partial import"', [1]),
        ("from:dana", [3, 2]),
        ("erpbench-001", [3, 2]),
        ("settle OR cakes", [3, 2]),
        ("nothing of it", []),
    ],
)
def test_search(world: World, query: str, expected: list[int]) -> None:
    result = ok(world.call("slack.search_messages", {"query": query}))
    texts = {message["id"]: message["text"] for message in MESSAGES}
    assert [match["text"] for match in result["messages"]["matches"]] == [texts[number] for number in expected]
    assert result["messages"]["total"] == len(expected)
    assert all(match["channel"].startswith("#") for match in result["messages"]["matches"])
