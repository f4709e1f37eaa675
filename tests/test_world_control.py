"""The task's contract, the decision and the submission."""

import json
from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World

from tests.world_fixture import TASK, VIEW, make_world, ok, refused, table

DECISION: dict[str, Any] = {
    "task_id": TASK,
    "decision": "import_accepted_lines_and_submit",
    "status": "submitted",
    "primary_record": "SO-NBR-50011",
    "rationale": "Zażółć",
    "source_refs": ["FILE-NBR-ORDER-BATCH-0209", "MSG-NBR-AUTHORITY-0209"],
}
ANSWERS: dict[str, Any] = {"status": "submitted", "order_total": 2757.6, "decision": "d", "accepted_lines": 5}


SOURCES: dict[str, list[dict[str, Any]]] = {
    "drive_files": [{"id": "FILE-NBR-ORDER-BATCH-0209", "name": "order_batch.csv"}],
    "mail": [{"id": "MSG-NBR-AUTHORITY-0209", "threadId": "THREAD-7", "labels": "[]"}],
    "slack_messages": [{"id": 41, "channel": "#ops-nbr", "ts": "1770600000.000100", "thread_ts": "THREAD-9"}],
    "sales_orders": [{"OrderNumber": "SO-NBR-40039"}],
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path, SOURCES)


def test_get_task_shows_the_view_as_it_is(world: World) -> None:
    assert ok(world.call("erpbench.get_task", {"task_id": TASK})) == VIEW
    assert table(world, "trace")[0]["saw"] == '[["contracts","erpbench-001"]]'


def test_a_decision_comes_back_as_recorded(world: World) -> None:
    expected = {**DECISION, "decision_id": "DECISION-erpbench-001"}
    assert ok(world.call("erpbench.record_decision", DECISION)) == expected
    assert ok(world.call("erpbench.get_decision", {"task_id": TASK})) == expected
    first, second = table(world, "trace")
    assert (first["saw"], first["wrote"]) == ("[]", '[["decisions","erpbench-001"]]')
    assert second["saw"] == '[["decisions","erpbench-001"]]'
    stored = table(world, "decisions")[0]
    assert stored["source_refs"] == '["FILE-NBR-ORDER-BATCH-0209", "MSG-NBR-AUTHORITY-0209"]'
    assert stored["rationale"] == "Zażółć"


def test_blanks_around_option_status_and_record_are_left_out(world: World) -> None:
    blanks = {name: f" {DECISION[name]}\n" for name in ("decision", "status", "primary_record")}
    found = ok(world.call("erpbench.record_decision", {**DECISION, **blanks}))
    assert found == {**DECISION, "decision_id": "DECISION-erpbench-001"}
    (row,) = table(world, "decisions")
    stored = (row["decision"], row["status"], row["primary_record"])
    assert stored == ("import_accepted_lines_and_submit", "submitted", "SO-NBR-50011")


def test_the_last_decision_counts(world: World) -> None:
    ok(world.call("erpbench.record_decision", DECISION))
    ok(world.call("erpbench.record_decision", {**DECISION, "status": "not_imported", "rationale": ""}))
    (row,) = table(world, "decisions")
    assert (row["status"], row["rationale"]) == ("not_imported", "")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decision": "import"}, "decision: expected one of import_accepted_lines_and_submit, stop_and_escalate_batch, "
         'came "import"'),
        ({"status": "done"}, 'status: expected one of submitted, not_imported, came "done"'),
    ],
)  # fmt: skip
def test_unknown_options_are_invalid_and_listed(world: World, change: dict[str, str], message: str) -> None:
    assert refused(world.call("erpbench.record_decision", {**DECISION, **change}), "invalid") == message
    assert table(world, "decisions") == []


@pytest.mark.parametrize(
    "entry",
    ["FILE-OTHER", "order_batch.csv", "THREAD-7", "41", "SO-NBR-40039", " MSG-NBR-AUTHORITY-0209", ""],
)
def test_a_source_that_is_no_file_or_message_is_named_and_the_decision_on_record_stays(
    world: World, entry: str
) -> None:
    recorded = ok(world.call("erpbench.record_decision", DECISION))
    changed = {**DECISION, "status": "not_imported", "source_refs": ["FILE-NBR-ORDER-BATCH-0209", entry]}
    assert refused(world.call("erpbench.record_decision", changed), "invalid") == (
        f'source_refs[1]: expected the id of a Drive file or of a message of this world, came "{entry}"'
    )
    assert ok(world.call("erpbench.get_decision", {"task_id": TASK})) == recorded


def test_a_decision_rests_on_at_most_50_entries(world: World) -> None:
    refs = ["MSG-NBR-AUTHORITY-0209"] * 51
    message = refused(world.call("erpbench.record_decision", {**DECISION, "source_refs": refs}), "invalid")
    assert message == "source_refs: expected at most 50 entries, came 51"
    assert table(world, "decisions") == []


def test_a_repeated_source_counts_once_in_the_place_of_its_first(world: World) -> None:
    file, message = DECISION["source_refs"]
    refs = [message, file, *[message] * 48]
    recorded = ok(world.call("erpbench.record_decision", {**DECISION, "source_refs": refs}))
    assert recorded["source_refs"] == ["MSG-NBR-AUTHORITY-0209", "FILE-NBR-ORDER-BATCH-0209"]
    stored = table(world, "decisions")[0]["source_refs"]
    assert stored == '["MSG-NBR-AUTHORITY-0209", "FILE-NBR-ORDER-BATCH-0209"]'


def test_a_rationale_has_at_most_4000_characters(world: World) -> None:
    message = refused(world.call("erpbench.record_decision", {**DECISION, "rationale": "ż" * 4001}), "invalid")
    assert message == "rationale: expected at most 4000 characters, came 4001"
    assert table(world, "decisions") == []
    assert ok(world.call("erpbench.record_decision", {**DECISION, "rationale": "ż" * 4000}))["rationale"] == "ż" * 4000


def test_options_may_be_plain_ids(tmp_path: Path) -> None:
    view = {**VIEW, "decision_options": ["a"], "statuses": ["b"]}
    world = make_world(tmp_path, {**SOURCES, "contracts": [{"task_id": TASK, "view": json.dumps(view)}]})
    ok(world.call("erpbench.record_decision", {**DECISION, "decision": "a", "status": "b"}))


def test_a_submission_comes_back_with_sorted_keys(world: World) -> None:
    expected = {
        "answers": ANSWERS,
        "submission_id": "SUBMISSION-erpbench-001",
        "submitted": "2026-02-09T09:00:00Z",
        "task_id": TASK,
    }
    assert ok(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": ANSWERS})) == expected
    assert ok(world.call("erpbench.get_submission", {"task_id": TASK})) == expected
    stored = table(world, "submissions")[0]["answers"]
    assert stored == '{"accepted_lines": 5, "decision": "d", "order_total": 2757.6, "status": "submitted"}'
    first, second = table(world, "trace")
    assert first["wrote"] == second["saw"] == '[["submissions","erpbench-001"]]'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"accepted_lines": True}, "answers.accepted_lines: expected a whole number, came true"),
        ({"accepted_lines": "5"}, 'answers.accepted_lines: expected a whole number, came "5"'),
        ({"accepted_lines": 5.5}, "answers.accepted_lines: expected a whole number, came 5.5"),
        ({"order_total": False}, "answers.order_total: expected a number, came false"),
        ({"order_total": "2757.60"}, 'answers.order_total: expected a number, came "2757.60"'),
        ({"note": "x"}, "note: not known to the answer, which takes accepted_lines, decision, order_total, status"),
    ],
)
def test_answers_of_the_wrong_shape_are_invalid_and_the_task_stays_open(
    world: World, change: dict[str, Any], message: str
) -> None:
    arguments = {"task_id": TASK, "answers": {**ANSWERS, **change}}
    assert refused(world.call("erpbench.submit_answer", arguments), "invalid") == message
    ok(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": ANSWERS}))


def test_a_missing_answer_is_named(world: World) -> None:
    message = refused(world.call("erpbench.submit_answer", {"task_id": TASK, "answers": {}}), "invalid")
    assert message == "accepted_lines, order_total, decision, status: required by the answer, not given"


def test_nothing_to_read_back_yet(world: World) -> None:
    message = refused(world.call("erpbench.get_decision", {"task_id": TASK}), "invalid")
    assert message == "no decision is on record for erpbench-001 yet"
    message = refused(world.call("erpbench.get_submission", {"task_id": TASK}), "invalid")
    assert message == "no answer has been submitted for erpbench-001 yet"
