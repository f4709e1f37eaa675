"""The outcome of Northbridge's price batch, each figure worked out by hand, its episodes, and drawn batches."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families import family
from generator.families.price_batch.draw import SLOTS, option_of
from generator.families.price_batch.facts import BatchLine, Facts, StandingPrice
from generator.families.price_batch.outcome import outcome
from generator.families.price_batch.records import records
from generator.families.price_batch.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Judgement, Outcome
from generator.spec.tenant import Tenant, read_yaml
from generator.tasks.case import find_case
from generator.tasks.plan import build_plan
from generator.tenants.load import ROOT
from tests.drawn_fixture import (
    drawn_case,
    northbridge_case,
    over_their_bounds,
    play,
    profile_of,
    profiles,
    render_case,
)

FAMILY = "price_batch"
APRIL = dt.date(2026, 4, 1)
FACTS = read_yaml(ROOT / "northbridge" / "price_batch.yaml", Facts)
TENANT = Tenant(profile=profile_of("northbridge"), facts={})


@pytest.fixture(scope="module")
def case(northbridge: Tenant) -> Case:
    return find_case([northbridge], "erpbench-010")


@pytest.fixture(scope="module")
def task(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render_case(case, tmp_path_factory.mktemp("task"))


def mistake(case: Case, name: str) -> Counterfactual:
    return next(c for c in case.counterfactuals if c.name == name)


def answers(result: Outcome) -> list[str]:
    return [str(value) for value in result.answers.values()]


def prices(result: Outcome) -> set[tuple[int, Decimal, str]]:
    return {(w.arguments["ItemId"], w.arguments["ListPrice"], w.arguments["EffectiveDate"]) for w in result.writes}


def line(number: int, item: str, price: str | None, **values: Any) -> BatchLine:
    given = {"organization": "NBR1", "uom": "EA", "effective": APRIL, **values}
    return BatchLine(line=number, item=item, price=None if price is None else Decimal(price), **given)


def with_lines(facts: Facts, *lines: BatchLine, **update: Any) -> Facts:
    batch = facts.batch.model_copy(update={"lines": lines, "currency": update.pop("currency", None)})
    return facts.model_copy(update={"batch": batch, "correction": None, **update})


def result_of(tenant: Tenant, case: Case, facts: Facts) -> Outcome:
    return outcome(tenant, facts, records(tenant, facts), case.judgement)


def test_gold_enters_four_prices_and_refers_two_lines(case: Case) -> None:
    # (0.88 - 0.84) / 0.84, (0.203 - 0.19) / 0.19, (2.72 - 2.45) / 2.45, (0.214 - 0.203) / 0.203:
    # 4.7619 + 6.8421 + 11.0204 + 5.4187 = 28.0431, a quarter of it 7.0108
    assert answers(case.gold) == ["11", "4", "6", "1", "7.01"]
    assert (case.gold.option, case.gold.status) == ("apply_accepted_refer_exceptions", "applied_with_referrals")
    assert case.gold.operative == "FILE-NBR-PRICE-BATCH-2026Q2"
    assert case.gold.primary is not None
    assert case.gold.primary.name == ("literal", "PB-NBR-2026-Q2")
    assert prices(case.gold) == {
        (300001, Decimal("0.88"), "2026-04-01"),
        (300020, Decimal("0.203"), "2026-04-01"),
        (300031, Decimal("2.72"), "2026-04-01"),
        (300020, Decimal("0.214"), "2026-06-01"),
    }


@pytest.mark.parametrize(
    ("name", "expected", "option"),
    [
        # 2.3810 + 3.0303 + 4.2105 + 7.2727 + 8.5714, a fifth of it
        ("earlier_version", ["8", "5", "3", "0", "5.09"], "apply_accepted_lines"),
        # lines 9, 2, 3, 4, 12: 4.7619 + 6.8182 + 6.8421 + 5.4545 + 5.4187, a fifth of it
        ("earlier_policy", ["11", "5", "5", "1", "5.86"], "apply_accepted_refer_exceptions"),
        # lines 7 and 11: (4.5977 + 7.4074) / 2
        ("other_organization", ["11", "2", "8", "1", "6.00"], "apply_accepted_refer_exceptions"),
        ("batch_as_received", ["12", "12", "0", "0", "2687.89"], "apply_whole_batch"),
        ("ignores_correction", ["12", "4", "6", "2", "5.79"], "apply_accepted_refer_exceptions"),
        # and line 1, 3.5714
        ("ignores_later_line", ["11", "5", "6", "0", "6.32"], "apply_accepted_refer_exceptions"),
        ("ignores_item_status", ["11", "5", "5", "1", "6.42"], "apply_accepted_refer_exceptions"),  # and 4.0816
        ("ignores_unit", ["11", "2", "8", "1", "7.89"], "apply_accepted_refer_exceptions"),  # lines 9 and 5
        # line 12 against 0.19 is 12.63 % and out of its band
        ("ignores_first_step", ["11", "3", "7", "1", "7.54"], "apply_accepted_refer_exceptions"),
        ("ignores_band", ["11", "5", "5", "1", "6.97"], "apply_accepted_refer_exceptions"),  # and 6.8182
        ("ignores_floor", ["11", "5", "5", "1", "6.70"], "apply_accepted_refer_exceptions"),  # and 5.4545
    ],
)
def test_each_mistake_has_its_figures(case: Case, name: str, expected: list[str], option: str) -> None:
    wrong = mistake(case, name).outcome
    assert (answers(wrong), wrong.option) == (expected, option)


def test_the_case_keeps_the_rules_of_the_dataset(case: Case) -> None:
    assert case_problems(case) == []


@pytest.mark.parametrize(
    ("price", "factor", "accepted"),
    [
        ("0.882", "1.18", 1),  # 0.84 x 1.05, the band of class A
        ("0.8821", "1.18", 0),
        ("0.8378", "1.18", 1),  # the cost 0.710 x 1.18
        ("0.8378", "1.1801", 0),
    ],
)
def test_the_band_and_the_floor_include_their_bounds(
    northbridge: Tenant, case: Case, price: str, factor: str, accepted: int
) -> None:
    policy = case.facts.policy.model_copy(update={"floor_factor": Decimal(factor)})
    result = result_of(northbridge, case, with_lines(case.facts, line(1, "FST-M8-40", price), policy=policy))
    assert result.answers["accepted_lines"] == accepted


def test_a_price_that_holds_today_takes_the_place_of_the_list_price(northbridge: Tenant, case: Case) -> None:
    facts = with_lines(case.facts, line(1, "FST-M8-40", "0.86", effective=dt.date(2026, 2, 9)))
    primary = result_of(northbridge, case, facts).primary
    assert primary is not None
    assert [(row.table, row.key, dict(row.row)) for row in primary.rows] == [
        ("items", "300001", {"ListPrice": {"money": "0.8600"}, "PriceEffectiveDate": "2026-02-09"}),
        (
            None,
            None,
            {"ItemId": 300001, "EffectiveDate": "2026-01-01", "kind": "history", "ListPrice": {"money": "0.84"}},
        ),
    ]


def test_a_standing_price_is_the_old_one_and_may_stay_for_its_day(northbridge: Tenant, case: Case) -> None:
    policy = case.facts.policy.model_copy(update={"keeps_standing": True})
    standing = (
        StandingPrice(organization="NBR1", item="FST-M8-40", effective=dt.date(2026, 3, 1), price=Decimal("0.86")),
        StandingPrice(organization="NBR1", item="ANC-12-100", effective=APRIL, price=Decimal("2.55")),
    )
    facts = with_lines(
        case.facts, line(1, "FST-M8-40", "0.88"), line(2, "ANC-12-100", "2.60"), standing=standing, policy=policy
    )
    # (0.88 - 0.86) / 0.86 = 2.3256 %
    assert answers(result_of(northbridge, case, facts)) == ["2", "1", "0", "1", "2.33"]


def test_a_foreign_batch_is_entered_at_the_policys_rate(northbridge: Tenant, case: Case) -> None:
    rates = [{"currency": "EUR", "rate": "1.1"}]
    policy = type(case.facts.policy).model_validate({**case.facts.policy.model_dump(), "rates": rates})
    facts = with_lines(case.facts, line(1, "ANC-12-100", "2.3001"), currency="EUR", policy=policy)
    result = result_of(northbridge, case, facts)
    # 2.3001 x 1.1 = 2.53011, entered as 2.5301; 0.0801 / 2.45 = 3.2694 %
    assert prices(result) == {(300031, Decimal("2.5301"), "2026-04-01")}
    assert answers(result)[4] == "3.27"


def test_changes_in_percent_go_from_the_old_price_and_steps_are_rounded_to(northbridge: Tenant, case: Case) -> None:
    policy = case.facts.policy.model_copy(update={"step": Decimal("0.05")})
    lines = (
        line(1, "ANC-12-100", None, change=Decimal("4.0")),
        line(2, "ANC-12-100", None, change=Decimal("4.0"), effective=dt.date(2026, 5, 1)),
    )
    result = result_of(northbridge, case, with_lines(case.facts, *lines, policy=policy))
    # 2.45 x 1.04 = 2.548, entered as 2.55; 2.55 x 1.04 = 2.652, entered as 2.65; (4.0816 + 3.9216) / 2
    assert [price for _, price, _ in sorted(prices(result), key=lambda entry: entry[2])] == [
        Decimal("2.55"),
        Decimal("2.65"),
    ]
    assert answers(result)[4] == "4.00"


def test_a_version_on_file_that_nobody_released_stops_everything(northbridge: Tenant, case: Case) -> None:
    release = case.facts.release.model_copy(update={"version": 1})
    facts = case.facts.model_copy(update={"release": release})
    result = result_of(northbridge, case, facts)
    assert (result.option, result.status) == ("stop_batch_unapproved", "not_applied")
    assert (result.obstacle, result.cited) == ("PB-NBR-2026-Q2", ("MSG-NBR-PRICE-RELEASE-Q2",))
    assert answers(result) == answers(case.gold)
    assert (result.writes, result.primary) == ((), None)


def test_what_the_decoys_organization_may_enter_is_its_own_release(northbridge: Tenant, case: Case) -> None:
    late = case.facts.release.model_copy(update={"version": 1})
    facts = case.facts.model_copy(update={"release": late, "decoy_release": case.facts.release})
    decoy = Judgement(sources=case.judgement.sources, target="decoy")
    assert outcome(northbridge, facts, {}, decoy).status == "applied_with_referrals"


@given(st.lists(st.sampled_from(["FST-M8-40", "FST-M10-60", "ANC-12-100"]), min_size=1, max_size=12))
def test_every_line_is_superseded_rejected_or_accepted(items: list[str]) -> None:
    tenant, facts = TENANT, FACTS
    policy = facts.policy
    classes = [
        {"organization": "NBR1", "item": item, "price_class": "A", "cost": "0.10"} for item in sorted(set(items))
    ]
    known = type(policy).model_validate({**policy.model_dump(), "classes": classes})
    lines = [line(number, item, f"{1 + number / 10:.2f}") for number, item in enumerate(items, 1)]
    result = outcome(tenant, with_lines(facts, *lines, policy=known), {}, TASK.judgement(tenant, facts))
    count = result.answers
    assert count["batch_lines"] == len(items)
    assert count["superseded_lines"] == len(items) - len(set(items))
    assert count["accepted_lines"] + count["rejected_lines"] == len(set(items))


def test_the_oracle_scores_100_and_each_mistake_stays_within_its_bound(case: Case, task: Path) -> None:
    verdict = play(case, task)
    assert (verdict.score, verdict.failed) == (100, ())
    assert len(build_plan(case).calls) == 30
    assert over_their_bounds(case, task) == []
    assert play(case, task, mistake(case, "earlier_policy").outcome).score == 52
    assert play(case, task, mistake(case, "other_organization").outcome).score == 49
    assert play(case, task, mistake(case, "batch_as_received").outcome).score == 29


def test_a_price_for_a_referred_line_costs_the_secondary_state_and_nothing_else_of_it(case: Case, task: Path) -> None:
    reached = mistake(case, "ignores_floor").outcome
    failed = play(case, task, reached).failed
    assert 24 in failed
    assert 23 not in failed


def test_slots_leave_no_option_to_more_than_six_tenants() -> None:
    assert len(SLOTS) == 10
    assert Counter(map(option_of, SLOTS)) == {
        "apply_accepted_lines": 5,
        "apply_accepted_refer_exceptions": 4,
        "stop_batch_unapproved": 1,
    }
    assert option_of(SLOTS[5]) == "stop_batch_unapproved"


@pytest.mark.parametrize("variant", SLOTS)
def test_a_hundred_draws_of_a_variant_are_fair_cases(variant: str) -> None:
    for seed in range(100):
        drawn = drawn_case(FAMILY, profile_of("northbridge"), variant, seed)
        assert case_problems(drawn) == []
        assert drawn.gold.option == option_of(variant)


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


def test_drawn_prices_can_be_entered() -> None:
    """Effective dates lie in open pricing periods and after the price in force, prices have at most four decimals."""
    for profile in profiles():
        pricing = [p for p in profile.periods if p.application == "pricing" and p.status == "Open"]
        since = {item.id: item.price_effective for item in profile.items}
        for variant in ("at_once", "one_item_in_steps", "other_currency"):
            drawn = drawn_case(FAMILY, profile, variant, 3)
            for outcome_of in (drawn.gold, *(c.outcome for c in drawn.counterfactuals)):
                for id, price, day in prices(outcome_of):
                    effective = dt.date.fromisoformat(day)
                    assert since[id] < effective
                    assert any(p.start <= effective <= p.end for p in pricing)
                    assert price == price.quantize(Decimal("0.0001"))


def test_the_same_stream_draws_the_same_batch() -> None:
    one, again = (drawn_case(FAMILY, profile_of("northbridge"), "price_steps", 7).facts for _ in range(2))
    assert one == again


@pytest.mark.parametrize("variant", ["unreleased", "standing_prices", "at_once"])
def test_drawn_cases_play_as_they_should(variant: str, tmp_path: Path) -> None:
    drawn = northbridge_case(FAMILY, variant, 3)
    folder = render_case(drawn, tmp_path)
    verdict = play(drawn, folder)
    assert (verdict.score, verdict.failed) == (100, ())
    assert over_their_bounds(drawn, folder) == []


def test_what_a_batch_asks_for_stands_in_its_policy() -> None:
    expected = {
        "other_currency": "is entered in USD at",
        "price_steps": "is rounded half up to a multiple of",
        "changes_in_percent": "gives a change in percent",
        "standing_prices": "gives way to it and counts as superseded",
        "larger_units": "is divided by its pieces",
    }
    for variant, sentence in expected.items():
        drawn = drawn_case(FAMILY, profile_of("northbridge"), variant, 4)
        sent = {m.id: m.body for m in family(FAMILY).mail(drawn.tenant, drawn.facts)}
        assert sentence in sent[drawn.facts.policy.mail.source]
