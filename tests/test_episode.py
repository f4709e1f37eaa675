"""Task 001 played in process and graded by the verifier: the oracle, doing nothing, and each mistake carried to its
end."""

import json
from pathlib import Path

import pytest

from generator.qualify.episode import evidence, fresh_world, run_call, run_plan
from generator.qualify.explain import grade_task
from generator.spec.case import Case, Outcome
from generator.spec.plan import OraclePlan, PlanCall
from generator.tasks.package import BASELINE, CONTRACT, PLAN
from generator.tasks.plan import build_plan, handoff_calls, readback_calls, scope_calls, submit_calls, write_calls
from verifier.grading import Verdict, vacuous


def played(task: Path, calls: tuple[PlanCall, ...]) -> Verdict:
    """The verdict after the calls; none of them may be refused."""
    with fresh_world(task) as world:
        variables: dict[str, str] = {}
        for call in calls:
            result = run_call(world, call, variables)
            assert result.ok, f"{call.tool}: {result.error}"
        return grade_task(task, evidence(world))


def outcome(case: Case, name: str) -> Outcome:
    return next(c.outcome for c in case.counterfactuals if c.name == name)


def test_the_committed_plan_is_strict_and_takes_28_calls(task_001: Path) -> None:
    plan = OraclePlan.model_validate_json((task_001 / PLAN).read_text())
    with fresh_world(task_001) as world:
        assert len(run_plan(world, plan)) == 28
        verdict = grade_task(task_001, evidence(world))
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())


def test_doing_nothing_scores_nothing(task_001: Path) -> None:
    assert played(task_001, ()).score == 0


def test_answers_alone_score_28(task_001: Path, case_001: Case) -> None:
    verdict = played(task_001, (scope_calls(case_001)[0], *submit_calls(case_001, case_001.gold)))
    assert (verdict.score, verdict.strict) == (28, False)


def test_reading_everything_and_writing_nothing_scores_42(task_001: Path, case_001: Case) -> None:
    reads = build_plan(case_001).calls[:16]
    assert {call.stage for call in reads} == {"scope", "investigate"}
    verdict = played(task_001, (*reads, *submit_calls(case_001, case_001.gold)))
    assert verdict.score == 42


def test_the_right_writes_alone_score_48(task_001: Path, case_001: Case) -> None:
    gold = case_001.gold
    readback = PlanCall(stage="verify", tool="oracle_fusion.sales_orders.get", arguments={"OrderKey": "${primary}"})
    calls = (*write_calls(case_001, gold), *handoff_calls(case_001, gold), readback, *readback_calls(case_001))
    assert played(task_001, calls).score == 48


@pytest.mark.parametrize(
    ("name", "failed"),
    [
        # One wrong total; the order is another one, and everything that refers to it falls.
        ("superseded_price_list", (19, 23, 24, 25, 26, 27, 29)),
        ("ignores_price_list", (19, 23, 24, 25, 26, 27, 29)),
        ("ignores_item_status", (16, 17, 18, 19, 23, 24, 25, 26, 27, 29)),
        ("ignores_earlier_import", (16, 17, 18, 19, 20, 23, 24, 25, 26, 27, 29)),
    ],
)
def test_a_wrong_order_loses_what_refers_to_it(
    task_001: Path, case_001: Case, name: str, failed: tuple[int, ...]
) -> None:
    verdict = played(task_001, build_plan(case_001, outcome(case_001, name)).calls)
    assert set(failed) <= set(verdict.failed)
    assert verdict.score <= 62


def test_the_superseded_list_scores_62(task_001: Path, case_001: Case) -> None:
    assert played(task_001, build_plan(case_001, outcome(case_001, "superseded_price_list")).calls).score == 62


def test_the_sheet_as_received_stays_within_42(task_001: Path, case_001: Case) -> None:
    assert played(task_001, build_plan(case_001, outcome(case_001, "sheet_as_received")).calls).score <= 42


def test_the_namesakes_order_stays_within_52(task_001: Path, case_001: Case) -> None:
    assert played(task_001, build_plan(case_001, outcome(case_001, "namesake_customer")).calls).score <= 52


def test_no_criterion_holds_on_the_untouched_world(task_001: Path) -> None:
    contract = json.loads((task_001 / CONTRACT).read_text())
    assert vacuous(contract, task_001 / BASELINE) == []
