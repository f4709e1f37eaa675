"""Submitted answers of each type against the contract's value: numbers within the type's tolerance, nothing else."""

from typing import Any

import pytest

from tests.contract_fixture import build_contract
from tests.play_fixture import Stage
from verifier.grading import Grader, read_baseline


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("answers"))


def holds(stage: Stage, kind: str, value: Any, given: Any, tolerance: str | None = None) -> bool:
    """Whether the order total, taken for an answer of this type and value, counts when submitted so."""
    contract = build_contract(stage.contract["baseline_sha256"])
    contract["criteria"][18]["check"].update(type=kind, value=value, tolerance=tolerance)
    steps = stage.oracle(submission=lambda play: play.submit(order_total=given))
    verdict = Grader(contract, read_baseline(stage.baseline)).grade_connection(stage.play(steps).db)
    return 19 not in verdict.failed


@pytest.mark.parametrize(
    ("kind", "value", "given", "counts"),
    [
        ("hours", "2.25", 2.25, True),
        ("hours", "2.00", 2, True),
        ("hours", "2.25", 2.2549, True),
        ("hours", "2.25", 2.255, False),
        ("hours", "2.25", 2.5, False),
        ("hours", "2.25", "2.25", False),
        ("hours", "1.00", True, False),
        ("money", "2757.60", 2757.6, True),
        ("money", "2757.60", 2757.604, True),
        ("money", "2757.60", 2757.605, False),
        ("money", "2757.60", 2757.595, False),
        ("money", "2757.60", 2757.61, False),
        ("percent", "28.24", 28.249, True),
        ("percent", "28.24", 28.25, False),
        ("percent", "28.24", 28.23, False),
        ("integer", 5, 5, True),
        ("integer", 5, 5.0, True),
        ("integer", 5, 5.5, False),
    ],
)
def test_an_answer_counts_within_the_tolerance_of_its_type(
    stage: Stage, kind: str, value: Any, given: Any, counts: bool
) -> None:
    assert holds(stage, kind, value, given) == counts


def test_a_stated_tolerance_goes_before_the_types_own(stage: Stage) -> None:
    assert holds(stage, "hours", "2.25", 2.29, tolerance="0.05")
    assert not holds(stage, "hours", "2.25", 2.3, tolerance="0.05")
