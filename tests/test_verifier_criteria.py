"""All criteria on one episode: what is earned, how it is judged, and what would hold though nothing was done."""

from pathlib import Path

import pytest

from tests.play_fixture import Stage
from verifier.contract import Check, Contract, Criterion, load
from verifier.criteria import Graded, grade_criteria, vacuous_criteria
from verifier.faults import GraderFault


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("criteria")
    return Stage(folder)


def graded(check: Check, holds: bool = True) -> Graded:
    return Graded(Criterion(7, "name", "discovery", 3, "text", check), holds, "seen", "expected")


def test_points_are_earned_only_where_it_holds() -> None:
    assert graded({"kind": "acted"}).earned == 3
    assert graded({"kind": "acted"}, holds=False).earned == 0


def test_how_it_is_judged_names_each_kind_once() -> None:
    rows, answer = {"kind": "rows"}, {"kind": "answer"}
    assert graded(rows).how == "rows of the snapshot against the verifier's own baseline"
    assert graded({"kind": "not", "of": {"kind": "acted"}}).how == "the decision row of the snapshot"
    assert graded({"kind": "all", "of": [rows, {"kind": "any", "of": [answer, rows]}]}).how == (
        "rows of the snapshot against the verifier's own baseline; "
        "the stored submission, compared as a decimal within the field's tolerance"
    )


def test_every_criterion_of_an_episode_says_what_was_seen(stage: Stage) -> None:
    verdict = stage.grade(stage.oracle())
    told = [(one.criterion.n, one.seen, one.expected) for one in verdict.criteria[15:17]]
    assert told == [
        (16, "accepted_lines 5", "accepted_lines submitted as 5"),
        (17, "rejected_lines 3", "rejected_lines submitted as 3"),
    ]
    assert verdict.criteria[0].how == "records that accepted calls returned, by the trace's order of calls"


def altered(stage: Stage, number: int, check: dict[str, object]) -> Contract:
    """The contract with another check in one of its criteria."""
    criteria = [one | {"check": check} if one["n"] == number else one for one in stage.contract["criteria"]]
    return load(stage.contract | {"criteria": criteria})


def test_criteria_that_hold_on_the_untouched_world(stage: Stage) -> None:
    state = stage.grader.baseline.state
    assert vacuous_criteria(load(stage.contract), state) == []
    assert vacuous_criteria(altered(stage, 33, {"kind": "no_refused"}), state) == [33]


def test_a_check_that_cannot_be_read_is_told_with_its_number(stage: Stage) -> None:
    episode = stage.grade(stage.oracle()).episode
    assert episode is not None
    episode.contract = altered(stage, 16, {"kind": "answer", "field": "accepted_lines", "type": "colour", "value": 5})
    with pytest.raises(GraderFault, match=r"^contract: no answer type 'colour' \(criterion 16\)$"):
        grade_criteria(episode)
