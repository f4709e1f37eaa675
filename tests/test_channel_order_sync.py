"""The outcome of Northbridge's shop export, each figure worked out by hand, its episodes, and drawn exports."""

import datetime as dt
import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from generator.families import family
from generator.families.channel_order_sync.buyers import respelled
from generator.families.channel_order_sync.draw import OPTIONS, SLOTS
from generator.families.channel_order_sync.facts import CaptureMessage, Facts, ShopOrder
from generator.families.channel_order_sync.outcome import outcome
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Outcome
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant
from generator.tasks.case import find_case
from generator.tasks.plan import build_plan
from tests.drawn_fixture import (
    drawn_case,
    northbridge_case,
    over_their_bounds,
    play,
    profile_of,
    profiles,
    render_case,
)

FAMILY = "channel_order_sync"


@pytest.fixture(scope="module")
def case(northbridge: Tenant) -> Case:
    return find_case([northbridge], "erpbench-008")


@pytest.fixture(scope="module")
def task(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render_case(case, tmp_path_factory.mktemp("task"))


def mistake(case: Case, name: str) -> Counterfactual:
    return next(c for c in case.counterfactuals if c.name == name)


def answers(result: Outcome) -> list[str]:
    return [str(value) for value in result.answers.values()]


def orders(result: Outcome) -> dict[str, dict[str, object]]:
    """Created orders by the shop's id."""
    created = [dict(w.arguments) for w in result.writes if w.tool == "oracle_fusion.sales_orders.create"]
    return {str(order["SourceTransactionNumber"]): order for order in created}


def with_rows(facts: Facts, *rows: ShopOrder) -> Facts:
    exports = tuple(
        e.model_copy(update={"orders": rows}) if e.source == facts.task_export else e for e in facts.exports
    )
    return facts.model_copy(update={"exports": exports})


def row_of(facts: Facts, name: str) -> ShopOrder:
    return next(row for row in facts.export(facts.task_export).orders if row.name == name)


def test_gold_takes_over_four_orders_for_1266_30(case: Case) -> None:
    # 20 x 18.90, 12 x 18.90, 10 x 18.90 (the later row), 25 of 30 x 18.90: 378.00 + 226.80 + 189.00 + 472.50
    assert answers(case.gold) == ["13", "2", "2", "4", "1266.30"]
    assert (case.gold.option, case.gold.status) == ("sync_and_hold_exceptions", "synced_with_exceptions")
    assert case.gold.operative == "FILE-NBR-CHANNEL-EXPORT-0209"
    assert case.gold.primary is not None
    assert case.gold.primary.name == ("literal", "CHX-NBR-0209")
    created = orders(case.gold)
    assert list(created) == ["SHOP-20411", "SHOP-20412", "SHOP-20413", "SHOP-20414"]
    assert created["SHOP-20411"]["BuyingPartyNumber"] == "CUST-NBR-DECOY1"
    assert created["SHOP-20413"]["BuyingPartyNumber"] == "CUST-10412"
    assert created["SHOP-20414"]["BuyingPartyName"] == "Lakeshore Fence & Deck"
    assert created["SHOP-20414"]["lines"] == [
        {"ProductNumber": "KIT-DECK-50", "OrderedQuantity": 25, "OrderedUOM": "EA", "UnitListPrice": Decimal("18.90")}
    ]


def test_gold_adds_the_two_new_buyers_with_the_tax_id_of_the_last_word(case: Case) -> None:
    assert case.gold.writes[-1].arguments["values"] == [
        ["Harbor Point Rigging LLC", "", "orders@harborpoint-sim.example", "TX-OH-5521", "webshop"],
        ["Lakeshore Fence & Deck", "", "office@lakeshorefence-sim.example", "TX-OH-7730", "webshop"],
    ]


@pytest.mark.parametrize(
    ("name", "expected", "option"),
    [
        # 378.00 + 226.80 + 8 x 18.90 + 30 x 18.90 + 4 x 18.90 + 25 x 2.52
        ("earlier_export", ["8", "2", "0", "6", "1461.60"], "sync_missing_orders"),
        # 500 x 0.87 + 100 x 2.52 + 5 x 18.90
        ("other_shop", ["5", "1", "0", "3", "781.50"], "sync_missing_orders"),
        ("every_row_as_exported", ["13", "0", "0", "13", "2426.40"], "sync_all_rows"),
        ("ignores_repeats", ["13", "3", "0", "5", "1417.50"], "sync_and_hold_exceptions"),  # + 8 x 18.90
        ("ignores_latest_row", ["13", "2", "2", "4", "1228.50"], "sync_and_hold_exceptions"),  # 8 instead of 10
        ("ignores_refunds", ["13", "2", "2", "6", "1499.40"], "sync_and_hold_exceptions"),  # + 5 and 4 kits, 25 anchors
        ("ignores_old_numbers", ["13", "1", "2", "5", "1367.10"], "sync_and_hold_exceptions"),  # + 40 x 2.52
        ("ignores_customer_po", ["13", "1", "2", "5", "1483.80"], "sync_and_hold_exceptions"),  # + 250 x 0.87
        ("ignores_tests", ["13", "2", "2", "5", "1285.20"], "sync_and_hold_exceptions"),  # + 18.90
        ("ignores_last_day", ["13", "2", "2", "5", "1379.70"], "sync_and_hold_exceptions"),  # + 6 x 18.90
        ("ignores_chat", ["13", "2", "2", "3", "1039.50"], "sync_and_hold_exceptions"),  # less 226.80
    ],
)
def test_each_mistake_has_its_figures(case: Case, name: str, expected: list[str], option: str) -> None:
    wrong = mistake(case, name).outcome
    assert (answers(wrong), wrong.option) == (expected, option)


def test_whoever_goes_by_the_name_adds_known_customers_again(case: Case) -> None:
    wrong = mistake(case, "ignores_tax_id").outcome
    assert answers(wrong) == answers(case.gold)
    assert [row[0] for row in wrong.writes[-1].arguments["values"]] == [
        "Industrial Outlet Company",
        "Harbor Point Rigging LLC",
        "Cascade Assembly, Incorporated",
        "Lakeshore Fence & Deck",
    ]


def test_the_case_keeps_the_rules_of_the_dataset(case: Case) -> None:
    assert case_problems(case) == []


def test_a_sync_without_a_held_order_is_one_without_exceptions(northbridge: Tenant, case: Case) -> None:
    facts = with_rows(case.facts, row_of(case.facts, "W1181"), row_of(case.facts, "W1188"), row_of(case.facts, "W1189"))
    result = outcome(northbridge, facts, {}, case.judgement)
    assert (answers(result), result.status) == (["3", "0", "0", "1", "378.00"], "synced")


@pytest.mark.parametrize(
    ("created", "taken"),
    [("2026-02-09T04:59:00Z", 1), ("2026-02-09T05:00:00Z", 0), ("2026-02-08T05:00:00Z", 1)],
)
def test_the_last_day_ends_at_local_midnight(northbridge: Tenant, case: Case, created: str, taken: int) -> None:
    row = row_of(case.facts, "W1189").model_copy(update={"created": dt.datetime.fromisoformat(created)})
    result = outcome(northbridge, with_rows(case.facts, row), {}, case.judgement)
    assert result.answers["orders_created"] == taken


def test_an_order_cancelled_in_the_system_is_taken_over_again(northbridge: Tenant, case: Case) -> None:
    row = row_of(case.facts, "W1181")
    held = {"SourceTransactionNumber": row.id, "CustomerPONumber": row.name}
    facts = with_rows(case.facts, row)
    for status, expected in (("Cancelled", (0, 1)), ("Booked", (1, 0))):
        result = outcome(northbridge, facts, {"sales_orders": [{**held, "StatusCode": status}]}, case.judgement)
        assert (result.answers["already_synced"], result.answers["orders_created"]) == expected


def test_a_known_buyer_may_give_the_tax_id_in_the_chat(northbridge: Tenant, case: Case) -> None:
    row = row_of(case.facts, "W1187")
    word = CaptureMessage(at=row.created, sender="R. Talbot", order="W1187", text="TX-NBR-0002", captured="TX-NBR-0002")
    capture = case.facts.capture.model_copy(update={"messages": (word,)})
    facts = with_rows(case.facts, row).model_copy(update={"capture": capture})
    result = outcome(northbridge, facts, {}, case.judgement)
    assert orders(result)[row.id]["BuyingPartyNumber"] == "CUST-NBR-DECOY1"
    assert len(result.writes) == 1


def test_control_figures_that_do_not_add_up_stop_everything(northbridge: Tenant, case: Case) -> None:
    export = case.facts.export(case.facts.task_export)
    wrong = export.model_copy(update={"stated_goods": Decimal("2426.41")})
    facts = case.facts.model_copy(update={"exports": (wrong, *case.facts.exports[1:])})
    result = outcome(northbridge, facts, {}, case.judgement)
    assert (result.option, result.status, result.obstacle) == ("stop_export_unreliable", "not_synced", "CHX-NBR-0209")
    assert (result.writes, result.primary) == ((), None)
    # Nothing stands in the system here, so that W1175 and W1179 are counted: 1266.30 + 100.80 + 217.50
    assert answers(result) == ["13", "0", "2", "6", "1584.60"]


def test_the_oracle_scores_100_and_each_mistake_stays_within_its_bound(case: Case, task: Path) -> None:
    verdict = play(case, task)
    assert (verdict.score, verdict.failed) == (100, ())
    assert over_their_bounds(case, task) == []
    # 3 of them for a buyer who is no new customer: a row of the tab that is none of the sync's
    assert play(case, task, mistake(case, "earlier_export").outcome).score == 29
    assert play(case, task, mistake(case, "other_shop").outcome).score == 24
    assert play(case, task, mistake(case, "every_row_as_exported").outcome).score == 37


def test_customers_may_be_added_in_another_order_and_one_by_one(case: Case, task: Path, tmp_path: Path) -> None:
    rows = case.gold.writes[-1].arguments["values"]
    append = case.gold.writes[-1]
    one_by_one = tuple(
        type(append)(append.tool, {**append.arguments, "values": [row], "range": "Customers"}) for row in reversed(rows)
    )
    assert play(case, task, replace(case.gold, writes=(*case.gold.writes[:-1], *one_by_one))).strict


def test_the_oracle_makes_32_calls(case: Case) -> None:
    calls: tuple[PlanCall, ...] = build_plan(case).calls
    assert len(calls) == 32


def test_slots_leave_no_option_to_more_than_six_tenants() -> None:
    assert len(SLOTS) == 10
    assert Counter(OPTIONS.values()) == {
        "sync_missing_orders": 5,
        "sync_and_hold_exceptions": 4,
        "stop_export_unreliable": 1,
    }
    assert OPTIONS[SLOTS[8]] == "stop_export_unreliable"


@pytest.mark.parametrize("variant", SLOTS)
def test_a_hundred_draws_of_a_variant_are_fair_cases(variant: str) -> None:
    for seed in range(100):
        drawn = drawn_case(FAMILY, profile_of("northbridge"), variant, seed)
        assert case_problems(drawn) == []
        assert drawn.gold.option == OPTIONS[variant]


def test_every_profile_has_fair_cases_of_every_variant() -> None:
    for profile in profiles():
        for variant in SLOTS:
            assert case_problems(drawn_case(FAMILY, profile, variant, 1)) == []


def test_no_answer_is_the_same_in_more_than_half_of_a_dataset() -> None:
    for seed in range(5):
        cases = [drawn_case(FAMILY, profile, SLOTS[profile.number], seed) for profile in profiles()]
        for field in cases[0].gold.answers:
            shared = Counter(one.gold.answers[field] for one in cases).most_common(1)[0][1]
            assert shared <= 5, f"{field} with seed {seed}"


def test_drawn_orders_keep_to_the_clock_of_the_tenant() -> None:
    for profile in profiles():
        facts = drawn_case(FAMILY, profile, "local_day", 2).facts
        export = facts.export(facts.task_export)
        zone = ZoneInfo(profile.timezone)
        assert all(row.updated < export.generated <= profile.as_of for row in export.orders)
        days = {row.created.astimezone(zone).date() for row in export.orders}
        assert facts.rules.last_day + dt.timedelta(days=1) in days
        assert facts.rules.last_day in days


def test_the_same_stream_draws_the_same_export() -> None:
    one, again = (drawn_case(FAMILY, profile_of("northbridge"), "packs", 7).facts for _ in range(2))
    assert one == again


@pytest.mark.parametrize("variant", ["control_figures", "packs", "entered_again"])
def test_drawn_cases_play_as_they_should(variant: str, tmp_path: Path) -> None:
    drawn = northbridge_case(FAMILY, variant, 3)
    folder = render_case(drawn, tmp_path)
    verdict = play(drawn, folder)
    assert (verdict.score, verdict.failed) == (100, ())
    assert over_their_bounds(drawn, folder) == []


def test_a_declined_sync_that_is_executed_scores_57(tmp_path: Path) -> None:
    drawn = northbridge_case(FAMILY, "control_figures", 4)
    assert play(drawn, render_case(drawn, tmp_path), mistake(drawn, "ignores_control_figures").outcome).score == 57


def test_packs_are_named_in_the_rules_and_in_the_export(tmp_path: Path) -> None:
    drawn = drawn_case(FAMILY, profile_of("northbridge"), "packs", 5)
    facts: Facts = drawn.facts
    sent = {m.id: m.body for m in family(FAMILY).mail(drawn.tenant, facts)}
    pack = facts.packs[0]
    assert f"{pack.sku} is {pack.pieces} EA of {pack.item}" in sent[facts.rules.source]
    (export, _) = family(FAMILY).documents(drawn.tenant, facts)
    assert any(pack.sku in json.dumps(export.body.value) for pack in facts.packs)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Cascade Assembly Inc.", "Cascade Assembly Incorporated"),
        ("Soko la Chai", "SOKO LA CHAI"),
        ("Havgreb ApS", "Havgreb Anpartsselskab"),
    ],
)
def test_another_spelling_is_another_spelling(name: str, expected: str) -> None:
    assert respelled(name) == expected
