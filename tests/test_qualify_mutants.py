"""Mutants: every criterion has one, each is killed with its closure, and a check that was weakened lets one survive."""

import json
from pathlib import Path
from typing import Any

import pytest

from generator.qualify.finished import Finished
from generator.qualify.mutants import build_mutants
from generator.qualify.other_rows import blank_row, unique_columns
from generator.tasks.package import BASELINE, CONTRACT
from generator.tasks.room import thread_messages
from tests.qualify_fixture import Bench, bench
from verifier.grading import Grader, read_baseline

BOUND = {23, 24, 25, 26, 27, 28, 29}


@pytest.fixture(scope="module")
def stage(task_001: Path) -> Bench:
    return bench(task_001)


@pytest.fixture(scope="module")
def oracle(stage: Bench) -> Finished:
    return stage.oracle()


@pytest.mark.parametrize("number", [1, 22, 35])
def test_every_criterion_has_mutants_and_each_fails_its_closure_alone(rendered: Path, number: int) -> None:
    stage = bench(rendered / f"erpbench-{number:03d}")
    oracle, found = stage.oracle(), set()
    for mutant in build_mutants(stage.stage.case, stage.stage.contract, oracle):
        failed = mutant.evidence.grade().failed
        assert mutant.killed(failed), (mutant.criterion, mutant.kind)
        assert not mutant.astray(failed), (mutant.criterion, mutant.kind, failed)
        found.add(mutant.criterion)
    assert found == set(range(1, 35))


def test_the_closures_of_task_001_are_those_worked_out_by_hand(stage: Bench, oracle: Finished) -> None:
    found = build_mutants(stage.stage.case, stage.stage.contract, oracle)
    closures = {(mutant.criterion, mutant.kind): set(mutant.fails) for mutant in found}
    assert closures[23, "a cell of a line"] == BOUND
    assert closures[23, "one more for the same target"] == {23}
    assert closures[23, "a standing one touched"] == {23}
    assert closures[24, "a cell of the added state"] == {24}
    assert closures[22, "a needed source not cited"] == {22}
    assert closures[26, "no source cited"] == {22, 26}
    assert closures[34, "a post that skips the review"] == {33, 34}
    assert closures[29, "the primary record not read back"] == {29}


def weakened(stage: Bench, criterion: int, change: Any) -> set[str]:
    """Kinds of mutants that survive once the contract's check of the criterion is changed."""
    raw = json.loads((stage.task / CONTRACT).read_text(encoding="utf-8"))
    change(raw["criteria"][criterion - 1]["check"])
    grader = Grader(raw, read_baseline(stage.task / BASELINE))
    oracle = Finished(grader, stage.oracle().state, stage.oracle().rows)
    return {
        mutant.kind
        for mutant in build_mutants(stage.stage.case, stage.stage.contract, oracle)
        if mutant.criterion == criterion and not mutant.killed(mutant.evidence.grade().failed)
    }


def test_a_draft_that_need_not_state_a_figure_lets_a_mutant_survive(stage: Bench) -> None:
    assert weakened(stage, 27, lambda check: check["facts"].pop(3)) == {"a figure one off"}


def test_a_second_route_that_every_oracle_takes_lets_a_mutant_survive(stage: Bench) -> None:
    def easier(check: dict[str, Any]) -> None:
        check["any"].append([["contracts", "erpbench-001"]])

    assert weakened(stage, 11, easier) == {"not read before the first write"}


def test_a_wider_tolerance_lets_a_cent_pass(stage: Bench) -> None:
    survivors = weakened(stage, 19, lambda check: check.update(tolerance="0.02"))
    assert survivors == {"one step more", "one step less"}


def test_a_cell_that_no_check_reads_lets_its_value_survive(stage: Bench) -> None:
    raw = json.loads((stage.task / CONTRACT).read_text(encoding="utf-8"))
    del raw["primary"]["rows"][0]["row"]["TransactionType"]
    grader = Grader(raw, read_baseline(stage.task / BASELINE))
    oracle = Finished(grader, stage.oracle().state, stage.oracle().rows)
    survivors = [
        mutant.kind
        for mutant in build_mutants(stage.stage.case, stage.stage.contract, oracle)
        if not mutant.killed(mutant.evidence.grade().failed)
    ]
    assert "sales_orders.TransactionType was entered" in survivors


def test_a_record_is_unseen_where_asked_and_its_call_goes_with_it(stage: Bench, oracle: Finished) -> None:
    record = ("slack_messages", str(thread_messages(stage.stage.case)[0]))
    assert len(oracle.trace.saw[record]) == 2  # before the first write, and with the post
    hidden = oracle.unseen([record], lambda index: index < oracle.first_write())
    assert len(hidden.trace.saw[record]) == 1
    assert hidden.trace.saw[record][0] > hidden.first_write()
    alone = oracle.unseen([("accounts", "CUST-10412")], lambda index: True)
    assert len(alone.rows) == len(oracle.rows) - 1
    assert [row[0] for row in alone.rows] == list(range(1, len(alone.rows) + 1))


def test_a_table_tells_its_unique_columns_and_a_blank_row(stage: Bench) -> None:
    schema = stage.grader.baseline.schema
    assert unique_columns(schema, "invoices") == (("Supplier", "InvoiceNumber"),)
    assert unique_columns(schema, "sales_orders") == ()
    assert blank_row(schema, "absences")["AbsenceId"] == 1
    assert blank_row(schema, "absences")["personNumber"] == "x"
