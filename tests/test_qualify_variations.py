"""Legitimate variations stay strict; each of their kinds changes what it says; labels of options are told apart."""

from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families import FAMILIES
from generator.qualify import wording
from generator.qualify.routes import steps_to
from generator.qualify.script import Step
from generator.qualify.variations import KINDS, UNDERSCORED, build_variations, vary
from tests.qualify_fixture import Bench, bench
from verifier.text import tokenise


@pytest.fixture(scope="module")
def stage(task_001: Path) -> Bench:
    return bench(task_001)


@pytest.mark.parametrize("number", [1, 22, 38, 67])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_alone_stays_strict(rendered: Path, kind: str, number: int) -> None:
    stage = bench(rendered / f"erpbench-{number:03d}")
    assert stage.failed(vary(stage.stage, [kind], Random(7))) == set()


def test_nine_a_task_each_of_three_kinds_or_more_and_every_kind_over_two_tasks(rendered: Path) -> None:
    found = [list(build_variations(bench(rendered / f"erpbench-{n:03d}").stage, 100)) for n in (1, 2)]
    assert [len(of_task) for of_task in found] == [9, 9]
    assert all(3 <= len(variation.kinds) <= 7 for of_task in found for variation in of_task)
    assert {kind for of_task in found for variation in of_task for kind in variation.kinds} == set(KINDS)


def test_a_seed_gives_the_same_episodes_again(stage: Bench) -> None:
    first, again, other = (list(build_variations(stage.stage, seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


def tools(stage: Bench, kind: str) -> list[str]:
    return [step.tool for step in vary(stage.stage, [kind], Random(1))]


def test_kinds_change_what_they_say(stage: Bench) -> None:
    plain = vary(stage.stage, [], Random(1))
    assert "oracle_fusion.sales_orders.get" in [step.tool for step in plain]
    assert "oracle_fusion.sales_orders.get" not in tools(stage, "list instead of get")
    assert "items_list" in tools(stage, UNDERSCORED)
    assert not [tool for tool in tools(stage, UNDERSCORED) if "." in tool]
    assert tools(stage, "decision revised").count("erpbench.record_decision") == 2
    assert any(step.native for step in vary(stage.stage, ["native files"], Random(1)))
    wrong = [step.expect for step in vary(stage.stage, ["calls of wrong shape"], Random(1)) if step.expect != "ok"]
    assert sorted(wrong) == ["invalid", "invalid", "invalid", "unknown_tool"]


def test_a_record_is_read_by_its_own_key(stage: Bench) -> None:
    records = [("onhand_balances", "NBR1/FST-M8-40/FG"), ("mail", "M-1")]
    steps = steps_to(stage.stage.case, stage.stage.baseline, records, Random(3))
    assert steps == [
        Step(
            "oracle_fusion.onhand_balances.list",
            {"q": "OrganizationCode='NBR1' and ItemNumber='FST-M8-40' and SubinventoryCode='FG'"},
        ),
        Step("gmail.messages.get", {"id": "M-1"}),
    ]


@given(st.one_of(st.integers(-10_000_000, 10_000_000), st.decimals(-10_000_000, 10_000_000, places=2)))
def test_every_way_of_writing_a_number_is_read_as_that_number(value: int | Decimal) -> None:
    for write in wording.NUMBERS:
        assert tokenise(f"total = {write(value)}").has_number(Decimal(value)), write(value)


def test_numbers_are_written_as_offices_write_them() -> None:
    written = {write(Decimal("2757.60")) for write in wording.NUMBERS}
    assert written == {"2757.60", "2757.6", "USD 2,757.60", "2,757.60", "2.757,60", "2 757,60", "2'757.60"}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
def test_no_option_is_named_inside_another(family: object) -> None:
    """A draft may give the chosen option by its label, and must name no other option by either name."""
    options = family.task.options  # type: ignore[attr-defined]
    for one in options:
        for other in options:
            if one is not other:
                assert not any(tokenise(other.label).has_phrase(name) for name in (one.id, one.label)), one.label
