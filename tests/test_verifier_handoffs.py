"""The `states` check on drafts: what is missing, mentioned, exchanged or too much, in words."""

from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import BODY, OPTION, ORDER, TASK
from tests.play_fixture import Play, Stage
from verifier.contract import load
from verifier.finding import Finding
from verifier.handoffs import states

DRAFT = f"DRAFT-{TASK}"
EXPECTED = (
    f"one row in drafts stating {OPTION} or Import the accepted lines at current list prices and submit the order"
)
SHORT = f"{OPTION} 5 3 3160 2757.60 2 {ORDER}"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("handoffs")
    return Stage(folder)


def found(stage: Stage, body: str, **changes: Any) -> Finding:
    """The draft check of task 001 on a draft with this text and the subject "erpbench-001: for review"."""
    check = stage.contract["criteria"][26]["check"] | changes
    episode = stage.grade(stage.oracle(draft=lambda play: play.draft(body=body))).episode
    assert episode is not None
    return states(check, episode)


def told(stage: Stage, body: str, **changes: Any) -> str:
    """What is wrong with it; nothing where the check holds."""
    finding = found(stage, body, **changes)
    assert finding.holds == (finding.seen == f"drafts {DRAFT} states all of it")
    return "" if finding.holds else finding.seen.removeprefix(f"drafts {DRAFT} ")


def test_a_draft_that_states_all(stage: Stage) -> None:
    finding = found(stage, BODY)
    assert finding == Finding(
        True, f"drafts {DRAFT} states all of it", f"{EXPECTED}, 5, 3, 3160, 2757.60, 2 and 1 more"
    )
    assert told(stage, SHORT) == ""


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (SHORT.replace("3160", "3161"), "does not state 3160"),
        (SHORT.replace(ORDER, "the order"), f"does not state {ORDER}"),
        (SHORT.replace(ORDER, f"not {ORDER}"), f"does not state {ORDER}"),
        (SHORT.replace("3160", "not 3160"), "does not state 3160"),
        (SHORT.replace("3160", "~~3160~~"), "does not state 3160"),
        (SHORT + " stop_and_escalate_batch", "mentions stop_and_escalate_batch"),
        (SHORT + " ~~stop_and_escalate_batch~~", "mentions stop_and_escalate_batch"),
        (SHORT + " ѕtop_and_escalate_batch", "mentions stop_and_escalate_batch"),
        (SHORT + " stop-and-escalate-batch", "mentions stop_and_escalate_batch"),
        (SHORT + " stop and escalate THE batch", "mentions Stop and escalate the batch"),
        (
            SHORT + "\naccepted lines: 3, rejected lines: 5",
            "exchanges the figures of accepted_lines, rejected_lines",
        ),
        (SHORT + "\n~~accepted lines: 3, rejected lines: 5~~", ""),
        ("", f"does not state {OPTION} or Import the accepted lines at current list prices and submit the order, "
             "does not state 5, does not state 3, does not state 3160, does not state 2757.60, does not state 2 "
             "and 1 more"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_draft(stage: Stage, body: str, wrong: str) -> None:
    assert told(stage, body) == wrong


def test_limits_are_the_most_that_is_allowed(stage: Stage) -> None:
    """SHORT has five numbers; two identifiers, and a third in the subject; 57 + 24 + 1 characters with it."""
    characters = len(SHORT) + len(f"{TASK}: for review") + 1
    exactly = {"max_numbers": 5, "max_identifiers": 3, "max_chars": characters}
    assert told(stage, SHORT, **exactly) == ""
    assert told(stage, SHORT, **exactly | {"max_numbers": 4}) == "has 5 numbers, at most 4"
    assert told(stage, SHORT, **exactly | {"max_identifiers": 2}) == "has 3 identifiers, at most 2"
    assert told(stage, SHORT, **exactly | {"max_identifiers": None}) == ""
    assert told(stage, SHORT, **exactly | {"max_chars": characters - 1}) == (
        f"has {characters} characters, at most {characters - 1}"
    )


def test_numbers_in_struck_out_parts_count_as_numbers(stage: Stage) -> None:
    assert told(stage, SHORT + " ~~7~~", max_numbers=5) == "has 6 numbers, at most 5"


def test_a_check_that_forbids_nothing(stage: Stage) -> None:
    assert told(stage, SHORT + " stop_and_escalate_batch", none_of=None) == ""


def test_only_figures_that_the_text_must_state_can_be_exchanged(stage: Stage) -> None:
    """A post that must state no figure may have any."""
    exchanged = SHORT + "\naccepted lines: 3, rejected lines: 5"
    assert told(stage, exchanged, facts=[{"one_of": [OPTION]}]) == ""


@pytest.mark.parametrize(("drafts", "seen"), [(0, "0 such rows added to drafts"), (2, "2 such rows added to drafts")])
def test_exactly_one_draft(stage: Stage, drafts: int, seen: str) -> None:
    def leave(play: Play) -> None:
        for number in range(drafts):
            play.draft(key=f"D{number}")

    episode = stage.grade(stage.oracle(draft=leave)).episode
    assert episode is not None
    finding = states(stage.contract["criteria"][26]["check"], episode)
    assert (finding.holds, finding.seen) == (False, seen)


def test_the_primary_record_that_does_not_stand_has_no_name(stage: Stage) -> None:
    episode = stage.grade(stage.oracle(drop=["order", "order back"])).episode
    assert episode is not None
    finding = states(stage.contract["criteria"][26]["check"], episode)
    assert (finding.holds, finding.seen) == (False, f"drafts {DRAFT} does not state the primary record")


def test_what_is_expected_is_told_whatever_fails(stage: Stage) -> None:
    named = {"facts": [{"one_of": ["$primary"]}]}
    expected = f"one row in drafts stating {ORDER}"
    assert found(stage, SHORT, **named) == Finding(True, f"drafts {DRAFT} states all of it", expected)
    assert found(stage, SHORT, **named, max_chars=1).expected == expected
    assert found(stage, SHORT, **named, where={"task_id": "other"}) == Finding(
        False, "0 such rows added to drafts", expected
    )


def test_the_scope_may_name_the_primary_record(stage: Stage) -> None:
    assert told(stage, ORDER, facts=[{"one_of": ["$primary"]}], where={"body": "$primary"}) == ""


def test_an_answer_in_words_is_no_figure(stage: Stage) -> None:
    """A criterion of its own for the option: the draft is read as before."""
    option = {"kind": "answer", "field": "decision", "type": "string", "value": OPTION}
    criteria = [one | {"check": option} if one["n"] == 21 else one for one in stage.contract["criteria"]]
    episode = stage.grade(stage.oracle(draft=lambda play: play.draft(body=SHORT))).episode
    assert episode is not None
    episode.contract = load(stage.contract | {"criteria": criteria})
    assert states(stage.contract["criteria"][26]["check"], episode).holds
