"""One call, one transaction, one trace row: what is answered, what is kept, and that nothing else happens."""

import json
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import trace
from erpbench_world.call import Call
from erpbench_world.catalog import ToolSpec
from erpbench_world.dispatch import UNEXPECTED, World
from erpbench_world.errors import Refused
from erpbench_world.registry import TOOLS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.world_fixture import TASK, digest, make_world, ok, refused, table

DRAFT = {"task_id": TASK, "to": "lee@nbr-sim.example", "subject": "s", "body": "b"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


def spec(world: World, name: str) -> ToolSpec:
    found = world.catalog.find(name)
    assert found is not None
    return found


def check_chain(world: World) -> None:
    previous = "0" * 64
    for row in table(world, "trace"):
        columns = [row[name] for name in ("idx", "server", "tool", "arguments", "outcome", "error", "saw", "wrote")]
        assert row["chain"] == trace.link(previous, *columns)
        previous = row["chain"]


def test_every_tool_has_its_function(world: World) -> None:
    assert set(world.functions) == {tool.name for tool in world.catalog.tools} == set(TOOLS)


def test_an_accepted_write_and_its_trace_row(world: World) -> None:
    result = ok(world.call("drafts_create", DRAFT, "gmail"))
    assert result["id"] == "DRAFT-erpbench-001"
    (row,) = table(world, "trace")
    assert row["idx"] == 1
    assert (row["server"], row["tool"], row["outcome"], row["error"]) == ("gmail", "gmail.drafts.create", "ok", None)
    assert json.loads(row["arguments"]) == DRAFT
    assert (row["saw"], row["wrote"]) == ("[]", '[["drafts","DRAFT-erpbench-001"]]')
    check_chain(world)


def test_saw_names_each_record_once(world: World) -> None:
    def twice(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        call.saw("mail", "M")
        call.saw("mail", "M")
        return {}

    world.functions["gmail.messages.get"] = twice
    world.call("gmail.messages.get", {"id": "M"})
    assert table(world, "trace")[0]["saw"] == '[["mail","M"]]'


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome", "message"),
    [
        ("gmail.drafts.create", {**DRAFT, "task_id": "erpbench-002"}, "refused",
         'task_id: unknown task "erpbench-002"; this world holds erpbench-001'),
        ("erpbench.get_task", {"task_id": "erpbench-002"}, "invalid",
         'task_id: unknown task "erpbench-002"; this world holds erpbench-001'),
        ("gmail.drafts.create", {**DRAFT, "cc": "x"}, "invalid", "cc: not known to gmail.drafts.create"),
        ("gmail.messages.get", {"id": "M"}, "invalid", 'id: no message "M"'),
        ("gmail.messages.get", {"id": float("nan")}, "invalid", "id: expected a finite number, came nan"),
        ("gmail.messages.send", {"raw": "x"}, "unknown_tool", 'there is no tool "gmail.messages.send"'),
    ],
)  # fmt: skip
def test_failed_calls_change_nothing_and_are_traced(
    world: World, tool: str, arguments: dict[str, Any], outcome: str, message: str
) -> None:
    before = digest(world)
    assert message in refused(world.call(tool, arguments), outcome)
    assert digest(world) == before
    (row,) = table(world, "trace")
    assert (row["tool"], row["outcome"]) == (tool, outcome)
    assert message in row["error"]
    assert (row["saw"], row["wrote"]) == ("[]", "[]")
    check_chain(world)


def test_a_tool_of_another_server_is_named(world: World) -> None:
    message = refused(world.call("slack.search_messages", {"query": "x"}, "gmail"), "unknown_tool")
    assert message == 'gmail has no tool "slack.search_messages"; it is a tool of slack'
    assert refused(world.call("nope", {}, "gmail"), "unknown_tool") == 'gmail has no tool "nope"'
    assert [(row["server"], row["tool"]) for row in table(world, "trace")] == [
        ("gmail", "slack.search_messages"),
        ("gmail", "nope"),
    ]


def test_the_name_of_an_unknown_tool_is_cut_and_storable(world: World) -> None:
    refused(world.call("x\ud800\x00" * 100, {}), "unknown_tool")
    name = table(world, "trace")[0]["tool"]
    assert name == "x?" * 64
    check_chain(world)


def test_arguments_that_are_too_large_are_traced_by_their_size(world: World) -> None:
    refused(world.call("gmail.messages.list", {"q": "y" * 70_000}), "invalid")
    assert json.loads(table(world, "trace")[0]["arguments"]) == {"truncated": 70_009}


def test_an_unexpected_error_is_a_plain_answer(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        call.insert("channels", {"name": "#half", "purpose": ""})
        raise KeyError("secret detail")

    before = digest(world)
    world.functions["gmail.messages.get"] = broken
    assert refused(world.call("gmail.messages.get", {"id": "M"}), "invalid") == UNEXPECTED
    assert digest(world) == before
    assert table(world, "trace")[0]["error"] == UNEXPECTED
    assert "secret detail" in capsys.readouterr().err
    ok(world.call("erpbench.get_task", {"task_id": TASK}))
    check_chain(world)


def test_a_refusal_within_a_tool_undoes_what_it_wrote_and_its_numbers(world: World) -> None:
    def half(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        call.next_number("sales_orders")
        return TOOLS["gmail.drafts.create"](call, {**arguments, "to": "nobody"})

    before = digest(world)
    found = world.run(spec(world, "gmail.drafts.create"), DRAFT, half)
    assert "expected a plain address" in refused(found, "invalid")
    assert digest(world) == before


def test_after_the_submission_writes_are_refused_and_reads_are_not(world: World) -> None:
    answers = {"accepted_lines": 5, "order_total": 2757.6, "decision": "d", "status": "s"}
    ok(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": answers}))
    before = digest(world)
    assert "closed by its submission" in refused(world.call("gmail.drafts.create", DRAFT))
    again = world.call("erpbench.submit_answer", {"task_id": TASK, "answers": answers})
    assert refused(again) == "the answer has been submitted already; the first submission stands"
    assert digest(world) == before
    ok(world.call("erpbench.get_submission", {"task_id": TASK}))


def test_a_reopened_world_goes_on_with_the_chain(world: World) -> None:
    ok(world.call("gmail.drafts.create", DRAFT))
    world.close()
    with World(world.database, world.files) as again:
        assert ok(again.call("gmail.drafts.create", DRAFT))["id"] == "DRAFT-erpbench-001-2"
        check_chain(again)


def test_the_same_calls_give_the_same_digest(tmp_path: Path) -> None:
    worlds = [make_world(tmp_path / name) for name in "ab"]
    for one in worlds:
        ok(one.call("gmail.drafts.create", DRAFT))
        refused(one.call("gmail.drafts.create", {**DRAFT, "task_id": "x"}))
    assert digest(worlds[0]) == digest(worlds[1])
    assert [row["chain"] for row in table(worlds[0], "trace")] == [row["chain"] for row in table(worlds[1], "trace")]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(TASK),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_arguments_get_an_answer(world: World, data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(world.catalog.tools))
    known = {name: data.draw(ANY) for name in tool.input_schema["properties"]}
    arguments = {**known, "task_id": TASK} if tool.takes_task else known
    answer = world.call(tool.name, arguments)
    assert answer.outcome in ("ok", "refused", "invalid")
    assert answer.error != UNEXPECTED


def test_arguments_of_refused_and_unknown_calls_are_kept_up_to_4096_characters(world: World) -> None:
    post = {"task_id": TASK, "channel": "#ops-nbr", "review_status": "sent", "text": "y" * 5000}
    refused(world.call("slack.chat_postMessage", post))
    refused(world.call("slack.no_such_tool", {"q": "y" * 4096}), "unknown_tool")
    refused(world.call("slack.no_such_tool", {"q": "y" * 4000}), "unknown_tool")
    ok(world.call("slack.chat_postMessage", {**post, "review_status": "draft_for_review"}))
    kept = [row["arguments"] for row in table(world, "trace")]
    assert json.loads(kept[0]) == {"truncated": len(json.dumps(post))}
    assert [json.loads(kept[1]), json.loads(kept[2])] == [{"truncated": 4105}, {"q": "y" * 4000}]
    assert json.loads(kept[3])["text"] == "y" * 5000
    check_chain(world)


def test_once_too_much_is_kept_calls_are_carried_out_and_traced_by_their_size(world: World, tmp_path: Path) -> None:
    row = {"idx": 1, "server": "s", "tool": "t", "outcome": "ok", "error": None, "saw": "[]", "wrote": "[]"}
    full = make_world(tmp_path / "full", {"trace": [{**row, "arguments": "x" * (6 * 2**20 - 10), "chain": "c"}]})
    assert ok(full.call("gmail.drafts.create", DRAFT))["id"] == "DRAFT-erpbench-001"
    refused(full.call("gmail.drafts.create", {}), "invalid")
    kept = [row["arguments"] for row in table(full, "trace")][1:]
    assert kept == [f'{{"truncated": {len(json.dumps(DRAFT))}}}', '{"truncated": 2}']
    assert len(table(full, "drafts")) == 1


def test_the_error_that_is_kept_is_cut(world: World) -> None:
    def wordy(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        raise Refused("z" * 5000)

    world.functions["gmail.drafts.create"] = wordy
    assert len(refused(world.call("gmail.drafts.create", DRAFT))) == 5000
    assert table(world, "trace")[0]["error"] == "z" * 2000
    check_chain(world)


def test_all_writes_together_have_two_mebicharacters_and_the_submission_is_none_of_them(tmp_path: Path) -> None:
    post = {"task_id": TASK, "channel": "#general", "text": "y" * 65_000, "review_status": "draft_for_review"}
    size = len(json.dumps(post))
    world = make_world(tmp_path)
    taken = 2 * 1024 * 1024 // size
    for _ in range(taken):
        ok(world.call("slack.chat_postMessage", post))
    before = digest(world)
    message = "all writes of a task together may have 2097152 characters; these are used up"
    assert refused(world.call("slack.chat_postMessage", post)) == message
    assert digest(world) == before
    with World(world.database, world.files) as again:
        assert refused(again.call("slack.chat_postMessage", post)) == message
        ok(again.call("slack.conversations_history", {"channel": "#general"}))
        answers = {"accepted_lines": 5, "order_total": 1.5, "decision": "x", "status": "submitted"}
        ok(again.call("erpbench.submit_answer", {"task_id": TASK, "answers": answers}))
    assert taken == 32
