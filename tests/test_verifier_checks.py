"""Checks on calls and their combinations, on episodes of task 001: what holds, and what is told."""

from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import TASK
from tests.play_fixture import Play, Stage, Step
from verifier.checks import evaluate
from verifier.episode import Episode
from verifier.finding import Finding, listed

ACTED = {"kind": "acted"}
SLACK = "slack.chat_postMessage"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("checks")
    return Stage(folder)


def episode(stage: Stage, *steps: Step) -> Episode:
    found = stage.grade(steps).episode
    assert found is not None
    return found


def call(tool: str, outcome: str = "ok", arguments: dict[str, Any] | None = None) -> Step:
    return lambda play: play.call(tool, outcome=outcome, arguments=arguments)


def decided(play: Play) -> None:
    play.decide()


# Combinations


def test_any_holds_where_one_part_does_and_tells_of_it(stage: Stage) -> None:
    check = {"kind": "any", "of": [ACTED, {"kind": "no_refused"}]}
    assert evaluate(check, episode(stage)) == Finding(
        True, "no refused write", "a recorded decision or no controlled write refused"
    )
    assert evaluate(check, episode(stage, decided)).seen == "a decision was recorded; no refused write"
    refused = call(SLACK, "refused")
    assert evaluate(check, episode(stage, refused)) == Finding(
        False,
        f"no decision was recorded; call 1 {SLACK} refused",
        "a recorded decision or no controlled write refused",
    )


def test_all_tells_only_of_the_parts_that_fail(stage: Stage) -> None:
    check = {"kind": "all", "of": [ACTED, {"kind": "no_refused"}]}
    assert evaluate(check, episode(stage)) == Finding(
        False, "no decision was recorded", "a recorded decision; no controlled write refused"
    )
    assert evaluate(check, episode(stage, decided)).seen == "a decision was recorded; no refused write"


def test_not_is_the_opposite(stage: Stage) -> None:
    check = {"kind": "not", "of": ACTED}
    assert evaluate(check, episode(stage)) == Finding(True, "no decision was recorded", "not: a recorded decision")
    assert evaluate(check, episode(stage, decided)).holds is False


# Calls


@pytest.mark.parametrize(
    ("unless", "outcome", "arguments", "holds"),
    [
        ({}, "refused", None, False),
        ({"review": "draft"}, "ok", {"review": "draft"}, True),
        ({"review": "draft"}, "ok", {"review": "Draft"}, False),
        ({"review": "draft"}, "ok", {}, False),
        ({"review": "draft"}, "invalid", {}, True),
        ({"review": "draft"}, "invalid", {"review": "sent"}, False),
        ({"review": "draft"}, "refused", {"review": "draft", "other": 1}, True),
        ({"flag": True}, "ok", {"flag": True}, True),
        ({"flag": True}, "ok", {"flag": 1}, False),
        ({"flag": True}, "ok", {"flag": "true"}, False),
        ({"flag": 1}, "ok", {"flag": True}, False),
        ({"count": 5}, "ok", {"count": 5}, True),
        ({"count": 5}, "ok", {"count": 5.0}, True),
        ({"count": 5}, "ok", {"count": 6}, False),
        ({"count": "5"}, "ok", {"count": 5}, False),
        ({"count": 5}, "ok", {"count": "5"}, False),
        ({"a": "x", "b": "y"}, "ok", {"a": "x", "b": "y"}, True),
        ({"a": "x", "b": "y"}, "ok", {"a": "x", "b": "z"}, False),
    ],
)
def test_no_call_but_with_these_arguments(
    stage: Stage, unless: dict[str, Any], outcome: str, arguments: dict[str, Any] | None, holds: bool
) -> None:
    check = {"kind": "no_call", "tool": SLACK, "unless": unless}
    assert evaluate(check, episode(stage, call(SLACK, outcome, arguments))).holds is holds
    assert evaluate(check, episode(stage, call("gmail.drafts.create", outcome, arguments))).holds is True


def test_no_call_in_words(stage: Stage) -> None:
    check = {"kind": "no_call", "tool": SLACK, "unless": {"review": "draft"}}
    assert evaluate(check, episode(stage, call(SLACK), call(SLACK, "refused"))) == Finding(
        False, f"call 1 {SLACK} ok, call 2 {SLACK} refused", f"no call of {SLACK} with review other than draft"
    )
    assert evaluate({"kind": "no_call", "tool": SLACK}, episode(stage)) == Finding(
        True, "no such call", f"no call of {SLACK}"
    )


def test_arguments_that_are_too_deep_have_no_values(stage: Stage) -> None:
    nested: list[Any] = []
    for _ in range(900):
        nested = [nested]
    step: Step = lambda play: play.call(SLACK, arguments={"review": "draft", "x": nested})  # noqa: E731
    entry = episode(stage, step).trace.entries[0]
    deep = entry.__class__(1, "slack", SLACK, "[" * 100_000, "ok", None, (), ())
    listed_values = entry.__class__(1, "slack", SLACK, "[1]", "ok", None, (), ())
    assert (deep.argument_values(), listed_values.argument_values()) == (None, None)
    assert entry.argument_values() is not None


@pytest.mark.parametrize(
    ("tool", "outcome", "holds"),
    [
        (SLACK, "refused", False),
        (SLACK, "invalid", True),
        ("oracle_fusion.items.list", "refused", True),
        ("gmail.messages.send", "unknown_tool", False),
        ("gmail_messages_send", "unknown_tool", False),
        ("gmail.messages.sent", "unknown_tool", True),
        ("gmail.messages.send", "ok", True),
    ],
)
def test_refused_writes(stage: Stage, tool: str, outcome: str, holds: bool) -> None:
    finding = evaluate({"kind": "no_refused"}, episode(stage, call(tool, outcome)))
    told = "no refused write" if holds else f"call 1 {tool} {outcome}"
    assert finding == Finding(holds, told, "no controlled write refused")


# Answers


@pytest.mark.parametrize(
    ("answers", "seen"),
    [
        (None, "no answer was submitted"),
        ("[5]", "no answer was submitted"),
        ("{", "no answer was submitted"),
        ("{}", "the submission has no count"),
        ('{"count": 5}', "count 5"),
        ('{"count": 5.50}', "count 5.5"),
        ('{"count": "5"}', 'count "5"'),
        ('{"count": "' + "9" * 90 + '"}', f'count "{"9" * 80}"'),
        ('{"count": true}', "count true"),
        ('{"count": null}', "count None"),
        ('{"count": [5]}', "count [5]"),
    ],
)
def test_what_is_told_of_an_answer(stage: Stage, answers: str | None, seen: str) -> None:
    steps = [] if answers is None else [lambda play: play.submit(answers=answers)]
    finding = evaluate({"kind": "answer", "field": "count", "type": "integer", "value": 5}, episode(stage, *steps))
    assert finding == Finding(seen == "count 5", seen, "count submitted as 5")


@pytest.mark.parametrize(("given", "holds"), [('"go"', True), ('"Go"', False), ("5", False), ("null", False)])
def test_a_string_is_compared_letter_for_letter(stage: Stage, given: str, holds: bool) -> None:
    submit: Step = lambda play: play.submit(answers=f'{{"option": {given}}}')  # noqa: E731
    check = {"kind": "answer", "field": "option", "type": "string", "value": "go"}
    assert evaluate(check, episode(stage, submit)).holds is holds


def test_a_decision_of_the_baseline_is_none_of_the_episode(stage: Stage) -> None:
    found = episode(stage, decided)
    found.baseline = {**found.baseline, "decisions": found.snapshot["decisions"]}
    assert found.before("decisions", TASK) is not None
    assert evaluate(ACTED, found).holds is False


def test_a_long_list_is_told_in_part() -> None:
    assert listed(["a"] * 6) == "a, a, a, a, a, a"
    assert listed(["a"] * 8) == "a, a, a, a, a, a and 2 more"
    assert listed([]) == ""
