"""The lines of the table on made-up results: what turns each of them red, and what each counts."""

from typing import Any

import pytest

from generator.qualify.controls import KINDS
from generator.qualify.results import EpisodeResult, MutantResult, TaskResult
from generator.qualify.verdicts import BOUNDS, Line, lines


def episode(kind: str, **values: Any) -> EpisodeResult:
    return EpisodeResult(**{"kind": kind, "score": 0, "failed": (1,), "predicted": (1,), **values})


def task(*episodes: EpisodeResult, **values: Any) -> TaskResult:
    made = {"fingerprint": "", "task_id": "erpbench-001", "family": "order_import", "tenant": "northbridge"}
    return TaskResult(**{**made, "episodes": episodes, **values})


def line(name: str, *results: TaskResult) -> Line:
    return {found.name: found for found in lines(results)}[name]


def right(kind: str) -> EpisodeResult:
    return episode(kind, score=100, strict=True, failed=(), predicted=())


def test_what_was_not_run_is_neither_green_nor_red() -> None:
    holds = {found.name: found.holds for found in lines([task()])}
    assert holds.pop("seed gate") is True
    assert set(holds.values()) == {None}
    assert len(holds) == len(KINDS) + 6


def test_an_oracle_must_be_strict_and_the_task_gradable() -> None:
    assert line("oracle", task(right("oracle"))).holds is True
    short = episode("oracle", score=95, failed=(27,), predicted=())
    assert line("oracle", task(short)).failures == ("erpbench-001, order_import, oracle: score 95, fails C27",)
    assert line("oracle", task(faults=("no contract",))).holds is False


@pytest.mark.parametrize(("kind", "bound"), BOUNDS.items())
def test_a_bounded_kind_may_reach_its_bound_and_not_a_point_more(kind: str, bound: int) -> None:
    assert line(kind, task(episode(kind, score=bound))).holds is True
    above = line(kind, task(episode(kind, score=bound + 1)))
    assert above.holds is False
    assert f"scores {bound + 1}, at most {bound}" in above.failures[0]


def test_a_mistake_may_never_be_strict_nor_fail_to_be_played() -> None:
    assert line("retrier", task(episode("retrier", score=97))).holds is True
    assert line("retrier", task(episode("retrier", score=100, strict=True))).holds is False
    assert line("retrier", task(episode("retrier", fault="refused"))).holds is False


def test_a_verdict_vector_must_be_the_predicted_one() -> None:
    good = episode("sender", failed=(33, 34), predicted=(33, 34))
    bad = episode("sender", failed=(33,), predicted=(33, 34))
    assert line("every control", task(good)).holds is True
    found = line("every control", task(good, bad))
    assert (found.came, found.holds) == ("1 of 2", False)
    assert "predicted C33, C34, failed C33" in found.failures[0]


def test_the_mean_is_of_the_mistake_nearest_to_gold_in_each_task() -> None:
    near, far = episode("wrong-source", score=62, distance=1), episode("wrong-source", score=40, distance=4)
    other = task(episode("wrong-source", score=50, distance=2), task_id="erpbench-002")
    assert line("wrong-source", task(near, far), other).mean == 56.0


def mutants(**changed: Any) -> tuple[MutantResult, ...]:
    first = MutantResult(**{"criterion": 1, "kind": "not read", "killed": True, **changed})
    return (first, *(MutantResult(criterion=n, kind="k", killed=True) for n in range(2, 35)))


def test_every_criterion_needs_a_mutant_that_dies_alone() -> None:
    whole = line("mutants", task(mutants=mutants()))
    assert (whole.came, whole.holds) == ("34 of 34 criteria killed, 34 mutants", True)
    alive = line("mutants", task(mutants=mutants(killed=False)))
    assert (alive.came, alive.holds) == ("33 of 34 criteria killed, 34 mutants", False)
    assert alive.failures == ("erpbench-001, order_import: not read survives criterion 1",)
    assert "C9 beyond" in line("mutants", task(mutants=mutants(astray=(9,)))).failures[0]
    lacking = line("mutants", task(mutants=mutants()[1:]))
    assert lacking.failures == ("erpbench-001, order_import: criterion 1 has no mutant",)


def test_variations_must_be_strict_and_at_least_eight_a_task() -> None:
    assert line("legitimate variations", task(*[right("variation")] * 8)).holds is True
    assert line("legitimate variations", task(*[right("variation")] * 7)).holds is False
    one_short = [right("variation")] * 8 + [episode("variation", score=95)]
    assert line("legitimate variations", task(*one_short)).holds is False


@pytest.mark.parametrize(("untouched", "holds"), [((), True), ((33,), True), ((23,), False), ((16, 33), False)])
def test_the_seed_gate_looks_at_calculation_decision_and_state(untouched: tuple[int, ...], holds: bool) -> None:
    assert line("seed gate", task(untouched=untouched)).holds is holds


def test_the_audit_must_agree_where_it_was_run() -> None:
    assert line("evidence audit (SQL)", task(audit=())).holds is True
    found = line("evidence audit (SQL)", task(audit=("order_total: expected 1, derived 2",)))
    assert found.failures == ("erpbench-001, order_import: order_total: expected 1, derived 2",)
