"""What $primary is bound to, and how checks on it behave where it is several records, or none."""

from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import BATCH, LINES, ORDER, TASK, build_contract
from tests.play_fixture import Play, Stage, Step, then
from verifier.contract import load
from verifier.episode import Bound, build_episode
from verifier.faults import GraderFault
from verifier.grading import Grader, read_baseline
from verifier.tables import Budget, read_rows, read_state
from verifier.trace import build_trace


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("episode")
    return Stage(folder)


def bound(stage: Stage, play: Play, primary: dict[str, Any] | None = None) -> Bound:
    contract = load(stage.contract | ({"primary": primary} if primary else {}))
    shapes, budget = stage.grader.baseline.shapes, Budget(1000, 10**6)
    state = read_state(play.db, shapes, budget)
    trace = build_trace(read_rows(play.db, shapes["trace"], budget))
    return build_episode(contract, stage.grader.baseline.state, state, trace).primary


def test_the_created_record_is_bound_by_what_it_is(stage: Stage) -> None:
    play = stage.play([lambda play: play.order(number="SO-NBR-50077")])
    assert bound(stage, play) == Bound((("sales_orders", "SO-NBR-50077"),), "SO-NBR-50077")


def test_a_record_of_the_same_number_with_other_lines_is_not_bound(stage: Stage) -> None:
    assert bound(stage, stage.play([lambda play: play.order(lines=LINES[:4])])) == Bound()
    assert bound(stage, stage.play([lambda play: play.order(source="FILE-OTHER")])) == Bound()
    assert bound(stage, stage.play([lambda play: play.order(lines=(*LINES, LINES[0]))])) == Bound()


def test_of_equal_records_the_one_written_first_is_bound(stage: Stage) -> None:
    play = stage.play([lambda play: play.order(number="SO-NBR-9"), lambda play: play.order(number="SO-NBR-10")])
    assert bound(stage, play).name == "SO-NBR-9"


def test_a_changed_row_is_bound_by_its_key(stage: Stage) -> None:
    primary = {
        "table": "shipment_lines",
        "rows": [{"key": "1", "row": {"ShippedQuantity": 440}}],
        "name": {"literal": "SHP-NBR-4471"},
    }

    def step(play: Play) -> None:
        play.db.execute("UPDATE shipment_lines SET ShippedQuantity = 440")

    assert bound(stage, stage.play([step]), primary) == Bound((("shipment_lines", "1"),), "SHP-NBR-4471")
    assert bound(stage, stage.play([]), primary) == Bound()


def absence_contract(stage: Stage) -> dict[str, Any]:
    """Two absences are the primary record, named by the shift."""
    contract = build_contract(stage.contract["baseline_sha256"])
    contract["primary"] = {
        "table": "absences",
        "rows": [{"key": None, "row": {"personNumber": person}} for person in ("P-1", "P-2")],
        "name": {"literal": "SHIFT-B"},
    }
    checks: dict[int, dict[str, Any]] = {
        23: {"kind": "rows", "table": "absences", "where": {}, "added_exactly": [{"key": "$primary"}]},
        24: {"kind": "rows", "table": "absences", "key": "$primary", "row": {"absenceStatusCd": "SUBMITTED"}},
    }
    for number, check in checks.items():
        contract["criteria"][number - 1]["check"] = check
    return contract


def absence(number: int, person: str, status: str = "SUBMITTED") -> Step:
    def step(play: Play) -> None:
        play.insert(
            "absences", number, person, "Unreported", "2026-02-09", "2026-02-09", "NBR LE", status, "d", "analyst"
        )
        play.call("oracle_fusion.absences.create", (), [("absences", str(number))])

    return step


def held(grader: Grader, stage: Stage, *steps: Step) -> set[int]:
    failed = grader.grade_connection(stage.play(steps).db).failed
    return {23, 24, 29} - set(failed)


def test_several_records_are_bound_together(stage: Stage) -> None:
    grader = Grader(absence_contract(stage), read_baseline(stage.baseline))

    def read(*keys: str) -> Step:
        return lambda play: play.read("x", *[("absences", key) for key in keys])

    both = then(absence(7, "P-2"), absence(8, "P-1"))
    assert held(grader, stage, both, read("7", "8")) == {23, 24, 29}
    assert held(grader, stage, both, read("7")) == {23, 24}
    assert held(grader, stage, absence(7, "P-2"), read("7", "8"), absence(8, "P-1")) == {23, 24}
    assert held(grader, stage, absence(7, "P-2"), read("7")) == set()
    assert held(grader, stage, absence(7, "P-2"), absence(8, "P-1", "APPROVED"), read("7", "8")) == {23, 29}
    assert held(grader, stage, both, absence(9, "P-3"), read("7", "8")) == {24, 29}


def test_a_record_over_two_tables_is_bound_whole_or_not_at_all(stage: Stage) -> None:
    """As a receipt of goods and the supplier's invoice are; here an absence and a worker's last day."""
    primary = {
        "table": "absences",
        "rows": [
            {"table": None, "key": None, "row": {"personNumber": "P-1"}},
            {"table": "workers", "key": "P-100", "row": {"LastWorkingDate": "2026-02-28"}},
        ],
        "name": {"literal": "CASE-7"},
    }

    def leave(play: Play) -> None:
        play.db.execute("UPDATE workers SET LastWorkingDate = '2026-02-28'")

    both = stage.play([absence(7, "P-1"), leave])
    assert bound(stage, both, primary) == Bound((("absences", "7"), ("workers", "P-100")), "CASE-7")
    assert bound(stage, both, primary).keys("workers") == ("P-100",)
    assert bound(stage, stage.play([absence(7, "P-1")]), primary) == Bound()
    assert bound(stage, stage.play([leave]), primary) == Bound()


def decline_contract(stage: Stage) -> dict[str, Any]:
    """The task as one to be declined: nothing is executed, the record is NONE."""
    contract = build_contract(stage.contract["baseline_sha256"])
    contract["primary"] = {"table": None, "rows": [], "name": {"column": None, "literal": "NONE"}}
    decided = {"kind": "rows", "table": "decisions", "key": TASK, "row": {"decision": "stop_and_escalate_batch"}}
    same = {"kind": "same", "tables": ["sales_orders", "sales_order_lines"]}
    orders = {"kind": "seen", "any": [[["sales_orders", "SO-NBR-40039"]]], "after_key": ["decisions", TASK]}
    for number, check in {23: {"kind": "all", "of": [decided, same]}, 24: decided, 29: orders}.items():
        contract["criteria"][number - 1]["check"] = check
    return contract


def test_nothing_executed_is_named_none(stage: Stage) -> None:
    grader = Grader(decline_contract(stage), read_baseline(stage.baseline))
    decide: Step = lambda play: play.decide(  # noqa: E731
        "stop_and_escalate_batch", "submitted", "NONE", refs=(BATCH,)
    )
    look: Step = lambda play: play.read("x", ("sales_orders", "SO-NBR-40039"))  # noqa: E731
    failed = set(grader.grade_connection(stage.play([decide, look]).db).failed)
    assert {23, 24, 26, 29} & failed == set()
    early = set(grader.grade_connection(stage.play([look, decide]).db).failed)
    assert {23, 24, 26, 29} & early == {29}
    executed = set(grader.grade_connection(stage.play([decide, lambda play: play.order(), look]).db).failed)
    assert {23, 24, 26, 29} & executed == {23}


@pytest.mark.parametrize(
    "check",
    [
        {"kind": "seen", "any": [["$primary"]]},
        {"kind": "rows", "table": "sales_orders", "key": "$primary", "row": {}},
        {"kind": "rows", "table": "sales_orders", "where": {}, "added_exactly": [{"key": "$primary"}]},
    ],
)
def test_rows_of_the_primary_record_in_a_declining_task_are_a_fault(stage: Stage, check: dict[str, Any]) -> None:
    contract = decline_contract(stage)
    contract["criteria"][23]["check"] = check
    with pytest.raises(GraderFault, match="executes nothing"):
        Grader(contract, read_baseline(stage.baseline))


def test_untouched_world_binds_nothing(stage: Stage) -> None:
    assert bound(stage, stage.play([])) == Bound()
    assert bound(stage, stage.play([lambda play: play.order()])).records == (("sales_orders", ORDER),)
