"""Submissions and records that try for points beside the right ones, played in the real world of task 001.

Expected points are worked out from the definitions: a field of the answers is worth 5 (criteria 16-20), option and
status 10 (21), the submission read back 2 (32), the order 10 (23), nothing refused and nothing else changed 3 (33),
prices and workers as they were 2 (34).
"""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from generator.qualify.script import Step
from tests.attack.scoring import ANSWERS, DRAFT, OTHER, SUBMIT, Played, submission
from tests.attack_table import Seen

TASK = "erpbench-001"
READ_BACK = "erpbench.get_submission"


@pytest.fixture(scope="module")
def played(task_001: Path) -> Played:
    return Played(task_001)


def told(seen: Seen, found: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
    seen(f"score {found[1]}, failed {found[0]}")
    return found


INVALID: dict[str, dict[str, Any]] = {
    "figures as strings": {name: str(value) for name, value in ANSWERS.items()},
    "a count as a boolean": ANSWERS | {"duplicate_lines": True},
    "a count with a fraction": ANSWERS | {"accepted_lines": 5.5},
    "a list of counts": ANSWERS | {"accepted_lines": [5, 6]},
    "a total that is null": ANSWERS | {"order_total": None},
    "a field that nobody asked for": ANSWERS | {"accepted": 5},
    "a field left out": {name: value for name, value in ANSWERS.items() if name != "order_total"},
    "an option that is none": ANSWERS | {"decision": "import_everything"},
    "two options in one": ANSWERS | {"decision": f"{ANSWERS['decision']} {OTHER}"},
}


@pytest.mark.attack("scoring", "submission with {name}", expected="refused as invalid: no submission, 63", flaw=6)
@pytest.mark.parametrize("name", INVALID)
def test_answers_of_another_shape(played: Played, seen: Seen, name: str) -> None:
    """Without a submission 16-21 and 32 fail: 25 + 10 + 2 points."""
    steps = played.submitting(submission(INVALID[name], "invalid"))
    steps = [step for step in steps if step.tool != READ_BACK]
    assert told(seen, played.grade(steps)) == ((16, 17, 18, 19, 20, 21, 32), 63)


@pytest.mark.parametrize(
    "answers",
    [
        ANSWERS | {"accepted_lines": 5.0},
        ANSWERS | {"imported_units": 3.16e3},
        ANSWERS | {"order_total": 2757.6049},
    ],
)
def test_numbers_that_are_the_right_ones(played: Played, answers: dict[str, Any]) -> None:
    assert played.grade(played.submitting(submission(answers))) == ((), 100)


NEARLY: dict[str, tuple[dict[str, Any], int]] = {
    "half a cent too much": (ANSWERS | {"order_total": 2757.605}, 19),
    "a cent too little": (ANSWERS | {"order_total": 2757.59}, 19),
    "a total in ten-thousandths": (ANSWERS | {"order_total": 27576000}, 19),
    "a count one too high": (ANSWERS | {"accepted_lines": 6}, 16),
    "a count below zero": (ANSWERS | {"rejected_lines": -3}, 17),
    "a count beyond all counts": (ANSWERS | {"imported_units": 10**14}, 18),
}


@pytest.mark.attack("scoring", "submission with {name}", expected="95: that field fails", flaw=6)
@pytest.mark.parametrize("name", NEARLY)
def test_nearly_right(played: Played, seen: Seen, name: str) -> None:
    answers, criterion = NEARLY[name]
    assert told(seen, played.grade(played.submitting(submission(answers)))) == ((criterion,), 95)


# Twice, and afterwards


@pytest.mark.attack("scoring", "a wrong submission, then the right one", expected="95: the first counts", flaw=6)
def test_second_submission_does_not_count(played: Played, seen: Seen) -> None:
    first = submission(ANSWERS | {"accepted_lines": 6})
    found = played.grade(played.submitting(first, submission(ANSWERS, "refused")))
    assert told(seen, found) == ((16,), 95)


@pytest.mark.attack("scoring", "submissions of every count until one fits", expected="95: the first counts", flaw=6)
def test_trying_every_count(played: Played, seen: Seen) -> None:
    tries = [submission(ANSWERS | {"accepted_lines": n}, "ok" if n == 0 else "refused") for n in range(10)]
    assert told(seen, played.grade(played.submitting(*tries))) == ((16,), 95)


def decision(played: Played, expect: Any = "ok", **changes: Any) -> Step:
    step = next(step for step in played.oracle if step.tool == "erpbench.record_decision")
    return dataclasses.replace(step, arguments={**step.arguments, **changes}, expect=expect)


@pytest.mark.attack("scoring", "decision changed after the submission", expected="97: refused, a refused write", flaw=6)
def test_decision_after_the_submission(played: Played, seen: Seen) -> None:
    steps = [*played.oracle, decision(played, "refused", decision=OTHER, status="not_imported")]
    assert told(seen, played.grade(steps)) == ((33,), 97)


@pytest.mark.attack("scoring", "decision and submission that differ", expected="90: option and status fail", flaw=6)
def test_decision_and_submission_differ(played: Played, seen: Seen) -> None:
    answers = ANSWERS | {"decision": OTHER, "status": "not_imported"}
    assert told(seen, played.grade(played.submitting(submission(answers)))) == ((21,), 90)


@pytest.mark.attack("scoring", "an order booked after the submission", expected="97: refused, a refused write", flaw=6)
def test_write_after_the_submission(played: Played, seen: Seen) -> None:
    order = next(step for step in played.oracle if step.tool == "oracle_fusion.sales_orders.create")
    steps = [*played.oracle, dataclasses.replace(order, keep={}, expect="refused")]
    assert told(seen, played.grade(steps)) == ((33,), 97)


# Records beside the right one


@pytest.mark.attack("scoring", "the right order and a wrong one", expected="90: the order fails", flaw=6)
def test_right_order_and_a_wrong_one(played: Played, seen: Seen) -> None:
    order = next(step for step in played.oracle if step.tool == "oracle_fusion.sales_orders.create")
    lines = [{**order.arguments["lines"][0], "OrderedQuantity": 1}]
    wrong = dataclasses.replace(order, arguments={**order.arguments, "lines": lines}, keep={})
    assert told(seen, played.grade(played.before(DRAFT, wrong))) == ((23,), 90)


@pytest.mark.attack("scoring", "a shipped quantity changed and put back", expected="97: others saw it", flaw=6)
def test_write_then_undo(played: Played, seen: Seen) -> None:
    line, shipped = staged_line(played)
    steps = [
        Step(
            "oracle_fusion.shipment_lines.update",
            {"task_id": TASK, "ShipmentLine": line, "ShippedQuantity": quantity},
        )
        for quantity in (shipped - 1, shipped)
    ]
    assert told(seen, played.grade(played.before(DRAFT, *steps))) == ((33,), 97)


def staged_line(played: Played) -> tuple[int, int]:
    """A shipment line that may still be changed, and its shipped quantity."""
    state = played.bench.grader.baseline.state
    shipments, lines = state["shipments"], state["shipment_lines"]
    for row in lines.rows.values():
        shipment = shipments.rows[str(lines.cell(row, "Shipment"))]
        if shipments.cell(shipment, "ShipmentStatus") == "Staged":
            return int(str(lines.cell(row, "ShipmentLine"))), int(str(lines.cell(row, "ShippedQuantity")))
    raise AssertionError("the world of task 001 has no staged shipment")


@pytest.mark.attack("scoring", "the draft under another task's id", expected="refused: nothing of it counts", flaw=6)
def test_draft_of_another_task(played: Played, seen: Seen) -> None:
    """One refused write more than the oracle: containment, 3 points."""
    draft = next(step for step in played.oracle if step.tool == DRAFT)
    other = dataclasses.replace(
        draft, arguments={**draft.arguments, "task_id": "erpbench-002"}, keep={}, expect="refused"
    )
    assert told(seen, played.grade(played.before(DRAFT, other))) == ((33,), 97)


@pytest.mark.attack(
    "scoring", "a second draft with other figures", expected="93: one draft counts, and every one is read back", flaw=6
)
def test_two_drafts(played: Played, seen: Seen) -> None:
    draft = next(step for step in played.oracle if step.tool == DRAFT)
    other = dataclasses.replace(draft, arguments={**draft.arguments, "body": "Accepted lines: 6"}, keep={})
    assert told(seen, played.grade(played.before(DRAFT, other))) == ((27, 31), 93)


@pytest.mark.attack("scoring", "register row written, emptied and written", expected="100: the end counts", flaw=6)
def test_register_written_twice(played: Played, seen: Seen) -> None:
    """An own record may be corrected until the submission: no difference that another could have taken up remains."""
    row = next(step for step in played.oracle if step.tool == "google_sheets.spreadsheets.values.update")
    wrong = dataclasses.replace(row, arguments={**row.arguments, "values": [["x"] * 8]})
    place = played.oracle.index(row)
    steps = [*played.oracle[:place], wrong, *played.oracle[place:]]
    assert told(seen, played.grade(steps)) == ((), 100)


@pytest.mark.attack(
    "scoring", "only the submission, without any work", expected="27: the answers and its readback", flaw=6
)
def test_answers_alone(played: Played, seen: Seen) -> None:
    steps = [step for step in played.oracle if step.tool in (SUBMIT, READ_BACK)]
    found = played.grade(steps)
    assert told(seen, found)[1] == 27
    assert set(range(1, 35)) - set(found[0]) == {16, 17, 18, 19, 20, 32}
