"""Reading messages and saving drafts."""

from pathlib import Path

import pytest
from erpbench_world.dispatch import World

from tests.world_fixture import TASK, make_world, ok, refused, table

MAIL = [
    {"id": "MSG-2", "threadId": "T", "sender": "dana@nbr.example", "recipient": "analyst@nbr.example", "subject": "Two",
     "date": "2026-02-09T08:00:00Z", "body": "word " * 30, "labels": '["INBOX"]'},
    {"id": "MSG-1", "threadId": "T", "sender": "lee@nbr.example", "recipient": "analyst@nbr.example", "subject": "One",
     "date": "2026-02-08T08:00:00Z", "body": "Short\n\nbody", "labels": '["INBOX", "IMPORTANT"]'},
]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path, {"mail": MAIL})


def test_a_message_in_full(world: World) -> None:
    result = ok(world.call("gmail.messages.get", {"id": "MSG-1"}))
    assert result == {
        "body": "Short\n\nbody",
        "date": "2026-02-08T08:00:00Z",
        "from": "lee@nbr.example",
        "id": "MSG-1",
        "labelIds": ["INBOX", "IMPORTANT"],
        "subject": "One",
        "threadId": "T",
        "to": "analyst@nbr.example",
    }
    assert table(world, "trace")[0]["saw"] == '[["mail","MSG-1"]]'


def test_a_listing_is_by_date_and_counts_as_no_reading(world: World) -> None:
    result = ok(world.call("gmail.messages.list", {"q": ""}))
    assert [message["id"] for message in result["messages"]] == ["MSG-1", "MSG-2"]
    assert result["resultSizeEstimate"] == 2
    first, second = result["messages"]
    assert set(first) == {"id", "threadId", "snippet", "from", "subject", "date"}
    assert first["snippet"] == "Short body"
    assert second["snippet"] == "word " * 16 + "…"
    assert table(world, "trace")[0]["saw"] == "[]"


def test_an_unknown_message(world: World) -> None:
    assert refused(world.call("gmail.messages.get", {"id": "MSG-9"}), "invalid") == 'id: no message "MSG-9"'
    assert refused(world.call("gmail.drafts.get", {"id": "DRAFT-9"}), "invalid") == 'id: no draft "DRAFT-9"'


def test_drafts_are_numbered_and_read_back(world: World) -> None:
    draft = {"task_id": TASK, "to": " lee@nbr.example ", "subject": "erpbench-001 — review", "body": "text"}
    assert ok(world.call("gmail.drafts.create", draft)) == {
        "id": "DRAFT-erpbench-001",
        "message": {"labelIds": ["DRAFT"], "subject": "erpbench-001 — review", "to": "lee@nbr.example"},
        "review_status": "draft_for_review",
    }
    assert ok(world.call("gmail.drafts.create", draft))["id"] == "DRAFT-erpbench-001-2"
    assert ok(world.call("gmail.drafts.create", draft))["id"] == "DRAFT-erpbench-001-3"
    found = ok(world.call("gmail.drafts.get", {"id": "DRAFT-erpbench-001-2"}))
    assert found["message"]["body"] == "text"
    assert found["review_status"] == "draft_for_review"
    assert table(world, "trace")[3]["saw"] == '[["drafts","DRAFT-erpbench-001-2"]]'
    assert table(world, "drafts")[0]["created"] == "2026-02-09T09:00:00Z"


@pytest.mark.parametrize("to", ["stranger@elsewhere.example", "a@b.example, c.d+e@f-g.example"])
def test_any_address_is_accepted(world: World, to: str) -> None:
    ok(world.call("gmail.drafts.create", {"task_id": TASK, "to": to, "subject": "", "body": ""}))
    assert table(world, "drafts")[0]["recipient"] == to


@pytest.mark.parametrize(
    "to", ["", "Dana", "dana@", "@nbr.example", "dana@nbr", "Dana <dana@nbr.example>", "a@b.c,,d@e.f"]
)
def test_what_is_no_address_is_invalid(world: World, to: str) -> None:
    arguments = {"task_id": TASK, "to": to, "subject": "s", "body": "b"}
    message = refused(world.call("gmail.drafts.create", arguments), "invalid")
    assert message.startswith("to: expected a plain address such as name@company.example, came ")
    assert table(world, "drafts") == []
