"""Contracts that cannot be used are the grader's fault, and the message says where."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import build_contract
from tests.play_fixture import Stage
from verifier.contract import load
from verifier.faults import GraderFault
from verifier.grading import Grader, read_baseline

Contract = dict[str, Any]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("contract")
    return Stage(folder)


def check(number: int, **changes: Any) -> Callable[[Contract], None]:
    return lambda contract: contract["criteria"][number - 1]["check"].update(changes)


def replace(number: int, value: Any) -> Callable[[Contract], None]:
    return lambda contract: contract["criteria"][number - 1].update(check=value)


def primary(**changes: Any) -> Callable[[Contract], None]:
    return lambda contract: contract["primary"].update(changes)


FAULTS: dict[str, tuple[Callable[[Contract], None], str]] = {
    "another schema": (lambda contract: contract.update(schema_version=2), "contract schema 2; this verifier reads 1"),
    "a key missing": (lambda contract: contract.pop("controlled_tools"), "KeyError: 'controlled_tools'"),
    "points": (lambda contract: contract["criteria"][0].update(points=2), "the criteria weigh 101 points"),
    "no points": (lambda contract: contract["criteria"][0].update(points=0), "criterion 1 has 0 points"),
    "numbers": (lambda contract: contract["criteria"][0].update(n=2), "two criteria have the same number"),
    "kind": (check(1, kind="guess"), "criterion 1: no check kind 'guess'"),
    "kind inside": (replace(33, {"kind": "all", "of": [{"kind": "x"}]}), "criterion 33: no check kind 'x'"),
    "key of a check": (check(16, fields=["a"]), "criterion 16: answer with keys"),
    "all of nothing": (replace(33, {"kind": "all", "of": []}), "criterion 33: all of nothing"),
    "no route": (check(1, any=[]), "criterion 1: seen of nothing"),
    "rows of nothing": (replace(24, {"kind": "rows", "table": "items"}), "criterion 24: rows needs a row or a scope"),
    "row without a key": (
        replace(24, {"kind": "rows", "table": "items", "row": {}}),
        "rows of items with a row but no key",
    ),
    "table": (check(24, table="orders"), "criterion 24: no table 'orders' in the baseline"),
    "column": (check(24, row={"Flag": True}), "criterion 24: table sales_orders has no column 'Flag'"),
    "scope": (
        replace(33, {"kind": "unchanged", "owned": [{"table": "cells", "where": {"a": 1}}]}),
        "criterion 33: table cells has no column 'a'",
    ),
    "side table": (lambda contract: contract.update(side_tables=["x"]), "no table 'x' in the baseline"),
    "answer type": (check(16, type="float"), "no answer type 'float'"),
    "moment": (check(1, before="noon"), "no moment 'noon'"),
    "matcher": (check(26, row={"status": {"like": "a"}}), "no matcher"),
    "two names": (primary(name={"column": "OrderNumber", "literal": "X"}), "either a column or a literal"),
    "no rows": (primary(rows=[]), "the primary record of sales_orders has no rows"),
    "nothing with rows": (primary(table=None), "executes nothing binds no rows"),
    "several rows by column": (primary(rows=[{"row": {}}, {"row": {}}]), "several primary rows need a literal name"),
    "column of the name": (primary(name={"column": "Number"}), "primary: table sales_orders has no column 'Number'"),
    "children of another length": (
        lambda contract: contract["primary"]["rows"][0]["children"]["rows"][0].append("x"),
        "primary: a child row of sales_order_lines has another number of columns",
    ),
    "names that are no list": (
        lambda contract: contract.update(side_tables="x"),
        "expected a list of names, found 'x'",
    ),
    "task": (lambda contract: contract.update(task_id="erpbench-002"), "baseline: task_id is 'erpbench-001'"),
    "world schema": (lambda contract: contract.update(world_schema=9), "baseline: schema_version is '1'"),
}


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in ("answer type", "matcher")])
def test_fault_is_named_when_the_grader_is_made(stage: Stage, name: str) -> None:
    contract = build_contract(stage.contract["baseline_sha256"])
    change, message = FAULTS[name]
    change(contract)
    with pytest.raises(GraderFault) as raised:
        Grader(contract, read_baseline(stage.baseline))
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["answer type", "matcher"])
def test_fault_is_named_when_it_is_reached(stage: Stage, name: str) -> None:
    contract = build_contract(stage.contract["baseline_sha256"])
    change, message = FAULTS[name]
    change(contract)
    with pytest.raises(GraderFault) as raised:
        Grader(contract, read_baseline(stage.baseline)).grade_connection(stage.play(stage.oracle()).db)
    assert message in str(raised.value)


def test_nulls_stand_for_absent_keys(stage: Stage) -> None:
    contract = build_contract(stage.contract["baseline_sha256"])
    contract["criteria"][0]["check"].update(after_key=None, after_write=False, before_submission=False)
    assert load(contract).criteria[0].points == 1


@pytest.mark.parametrize("data", [{}, {"schema_version": 1}, {"schema_version": 1, "task_id": 3}])
def test_what_is_no_contract_is_a_fault(data: Contract) -> None:
    with pytest.raises(GraderFault):
        load(data)
