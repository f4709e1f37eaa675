"""The outcome of the reorder run on Northbridge's stock, each figure worked out by hand from the sheet; drawn runs."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from generator.families import family
from generator.families.acceptance import trial_case
from generator.families.base import Rows
from generator.families.inventory_reorder.draw import SLOTS, VARIANTS, draw
from generator.families.inventory_reorder.facts import Facts, ReorderPolicy, SpendingRelease
from generator.families.inventory_reorder.outcome import arrival, levels, outcome, position
from generator.families.inventory_reorder.records import records
from generator.families.inventory_reorder.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Judgement
from generator.spec.contract import Seen
from generator.spec.source import Contradiction, Memo, Source, in_force
from generator.spec.streams import stream
from generator.spec.tenant import Tenant, TenantProfile
from generator.tasks.case import build_case, find_case
from generator.tasks.criteria import build_contract
from generator.tasks.plan import build_plan
from generator.tasks.room import build_request
from generator.worlds.rows import tenant_rows
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of

FAMILY = "inventory_reorder"
BOUNDS = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}
R4 = "FILE-NBR-REORDER-POLICY-R4"
Figures = list[int | Decimal]


@pytest.fixture(scope="module")
def case(northbridge: Tenant) -> Case:
    return find_case([northbridge], "erpbench-004")


@pytest.fixture(scope="module")
def facts(case: Case) -> Facts:
    assert isinstance(case.facts, Facts)
    return case.facts


@pytest.fixture(scope="module")
def rows(northbridge: Tenant) -> Rows:
    return tenant_rows(northbridge)


def counterfactual(case: Case, name: str) -> Counterfactual:
    return next(c for c in case.counterfactuals if c.name == name)


def with_policy(facts: Facts, **changes: object) -> Facts:
    policies = tuple(p.model_copy(update=changes) if p.medium == "drive" else p for p in facts.policies)
    return facts.model_copy(update={"policies": policies})


def test_gold_is_three_items_of_11950_units_for_3266(case: Case) -> None:
    # 5,500 x 0.41 + 6,000 x 0.08 + 450 x 1.18 = 2,255 + 480 + 531; 21 days from 02-09 is 03-02, needed on 02-24
    assert list(case.gold.answers.values()) == [3, 11950, Decimal("3266.00"), 21, 6]
    assert (case.gold.option, case.gold.status) == ("requisition_and_submit", "submitted_for_approval")
    assert (case.gold.operative, case.gold.cited, case.gold.obstacle) == (R4, (), None)
    lines = case.gold.writes[0].arguments["lines"]
    assert [(line["ItemNumber"], line["Supplier"], line["RequestedDeliveryDate"]) for line in lines] == [
        ("FST-M8-40", "Great Lakes Wire Products", "2026-02-20"),
        ("NUT-M8-NYL", "Maumee Thread & Tap", "2026-02-19"),
        ("ANC-12-100", "Pacific Anchor Supply", "2026-02-24"),
    ]


@pytest.mark.parametrize(
    ("name", "figures", "option"),
    [
        # R3: M8 bolts 4,500 for 0.39 (to 8,000), washers 6,000 for 0.04 (6,200 of 7,000)
        ("replaced_policy", [2, 10500, Decimal("1995.00"), 12, 1], "requisition_and_submit"),
        ("announced_policy", [5, 26550, Decimal("7244.00"), 21, 6], "requisition_hold_for_approval"),
        # Dayton: 2,000 x 0.41 + 250 x 1.18
        ("other_organization", [2, 2250, Decimal("1115.00"), 21, 3], "requisition_and_submit"),
        # 6,000 x 0.41 + 2,000 x 0.66 + 8,000 x 0.08 + 4,000 x 0.05
        ("forecast_as_suggested", [4, 20000, Decimal("4620.00"), 12, 1], "requisition_as_forecast"),
        # + 4,000 M10 bolts at 0.66
        ("ignores_stale_reservations", [4, 15950, Decimal("5906.00"), 21, 6], "requisition_hold_for_approval"),
        # the bolts promised for 02-27 taken in
        ("ignores_supply_window", [2, 6450, Decimal("1011.00"), 21, 6], "requisition_and_submit"),
        # the anchors received already counted again
        ("ignores_part_received", [2, 11500, Decimal("2735.00"), 12, 1], "requisition_and_submit"),
        ("ignores_cancelled_supply", [2, 5950, Decimal("2786.00"), 21, 6], "requisition_and_submit"),
        ("ignores_other_organizations", [2, 6450, Decimal("1011.00"), 21, 6], "requisition_and_submit"),
        # + 6,000 washers at 0.05
        ("ignores_at_reorder_point", [4, 17950, Decimal("3566.00"), 21, 6], "requisition_and_submit"),
        # 5,200 + 5,850 + 420
        ("ignores_order_multiple", [3, 11470, Decimal("3095.60"), 21, 6], "requisition_and_submit"),
        # nuts at 0.07
        ("ignores_blocked_supplier", [3, 11950, Decimal("3206.00"), 21, 6], "requisition_and_submit"),
    ],
)
def test_mistakes_carried_through(case: Case, name: str, figures: Figures, option: str) -> None:
    wrong = counterfactual(case, name).outcome
    assert (list(wrong.answers.values()), wrong.option) == (figures, option)


def test_only_rules_that_bite_are_among_the_mistakes(case: Case) -> None:
    names = {c.name for c in case.counterfactuals}
    assert not names & {"ignores_submit_limit", "ignores_working_days", "ignores_spending_release"}
    assert len(names) == 12


@pytest.mark.parametrize(
    ("item", "units"),
    # 5,950 - 2,150; 3,500 - 1,300 + 700; 4,250 - 2,600 + 500; 7,000 - 800; 430 - 210 + 60
    [("FST-M8-40", 3800), ("FST-M10-60", 2900), ("NUT-M8-NYL", 2150), ("WSH-M10-SS", 6200), ("ANC-12-100", 280)],
)
def test_stock_positions(northbridge: Tenant, facts: Facts, rows: Rows, item: str, units: int) -> None:
    assert position(northbridge, facts, rows, facts.policy, "NBR1", item) == units


@pytest.mark.parametrize(("limit", "submitted"), [("3266.00", True), ("3265.99", False)])
def test_a_requisition_at_the_limit_is_submitted_and_one_cent_over_is_not(
    northbridge: Tenant, facts: Facts, rows: Rows, limit: str, submitted: bool
) -> None:
    limited = with_policy(facts, submit_limit=Decimal(limit))
    result = outcome(northbridge, limited, rows, Judgement({"reorder_policy": R4}))
    done = [write.tool.rsplit(".", 1)[1] for write in result.writes]
    assert done == (["create", "submit"] if submitted else ["create"])
    assert result.status == ("submitted_for_approval" if submitted else "saved_pending_approval")


def released(facts: Facts, amount: str, valid_to: dt.date) -> Facts:
    release = SpendingRelease(
        source="MSG-NBR-SPENDING-RELEASE-0112",
        issued=dt.datetime(2026, 1, 12, 15, 0, tzinfo=dt.UTC),
        organization="NBR1",
        amount=Decimal(amount),
        valid_to=valid_to,
    )
    return with_policy(facts, release_limit=Decimal("3000.00")).model_copy(update={"release": release})


@pytest.mark.parametrize(
    ("amount", "valid_to", "entered"),
    [
        ("3266.00", dt.date(2026, 2, 9), True),
        ("3265.99", dt.date(2026, 2, 9), False),
        ("9000.00", dt.date(2026, 2, 8), False),
    ],
)
def test_a_release_counts_to_its_amount_and_to_its_last_day(
    northbridge: Tenant, facts: Facts, rows: Rows, amount: str, valid_to: dt.date, entered: bool
) -> None:
    result = outcome(northbridge, released(facts, amount, valid_to), rows, Judgement({"reorder_policy": R4}))
    assert list(result.answers.values()) == [3, 11950, Decimal("3266.00"), 21, 6]
    if entered:
        assert (result.option, result.obstacle) == ("requisition_and_submit", None)
    else:
        assert (result.option, result.status, result.writes) == ("stop_refer_to_purchasing", "not_requested", ())
        assert (result.operative, result.obstacle) == (R4, "MSG-NBR-SPENDING-RELEASE-0112")
        assert result.cited == ("MSG-NBR-SPENDING-RELEASE-0112",)


def test_arrival_in_working_days_leaves_out_weekends_and_closed_days(facts: Facts) -> None:
    monday = dt.date(2026, 2, 9)
    policy = facts.policy.model_copy(update={"lead_time_calendar": "working", "closed_days": (dt.date(2026, 2, 12),)})
    assert arrival(monday, facts.policy, 5) == dt.date(2026, 2, 14)
    assert arrival(monday, policy, 5) == dt.date(2026, 2, 17)  # 10, 11, 13, 16, 17
    assert arrival(monday, policy, 5, frozenset({"working_days"})) == dt.date(2026, 2, 14)


def test_levels_in_weeks_are_weeks_of_the_forecast_demand(facts: Facts) -> None:
    level = facts.policy.levels[0].model_copy(update={"reorder_point": 3, "order_up_to": 7})
    policy: ReorderPolicy = facts.policy.model_copy(update={"levels_in": "weeks"})
    assert levels(facts, policy, level) == (4350, 10150)  # 1,450 a week


def test_the_request_names_no_value_of_the_answer(case: Case) -> None:
    request = build_request(case)
    assert "NBR1" in request
    assert not any(character.isdigit() for character in request.replace("NBR1", ""))
    assert not any(token in request for token in ("FILE-", "MSG-", "requisition_", "oracle_fusion", "erpbench"))


def reads_of(case: Case) -> list[tuple[str, set[tuple[str, str]]]]:
    found = []
    for criterion in build_contract(case, "0" * 64).criteria[:15]:
        assert isinstance(criterion.check, Seen)
        keys = {element for element in criterion.check.any[0] if isinstance(element, tuple)}
        found.append((criterion.name, keys))
    return found


def test_no_read_is_implied_by_another(case: Case) -> None:
    reads = reads_of(case)
    for name, keys in reads:
        assert keys, name
        assert not [other for other, opened in reads if other != name and keys <= opened], name


@pytest.fixture(scope="module")
def stage(northbridge: Tenant) -> Stage:
    return stage_of(northbridge)


def test_episodes_stay_within_their_bounds(stage: Stage, tmp_path: Path) -> None:
    case, task = stage.case(FAMILY), stage.render(FAMILY, tmp_path)
    assert case_problems(case) == []
    assert played(task, ()).score == 0
    oracle = played_outcome(task, case)
    assert (oracle.score, oracle.strict) == (100, True)
    for wrong in case.counterfactuals:
        verdict = played_outcome(task, case, wrong.outcome)
        assert verdict.score <= BOUNDS.get(wrong.kind, 99), wrong.name


@pytest.mark.parametrize("variant", ["release_lapsed", "limit_in_working_days"])
def test_drawn_episodes_stay_within_their_bounds(northbridge: Tenant, tmp_path: Path, variant: str) -> None:
    drawn = draw(northbridge.profile, variant, stream(7, FAMILY, variant))
    tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY: drawn}})
    stage = stage_of(tenant)
    case, task = stage.case(FAMILY), stage.render(FAMILY, tmp_path)
    assert case_problems(case) == []
    assert played(task, ()).score == 0
    assert played_outcome(task, case).score == 100
    for wrong in case.counterfactuals:
        assert played_outcome(task, case, wrong.outcome).score <= BOUNDS.get(wrong.kind, 99), wrong.name


def test_slots_have_the_options_that_the_dataset_wants() -> None:
    options = Counter(VARIANTS[variant].option for variant in SLOTS)
    assert len(SLOTS) == 10
    assert options == {
        "requisition_and_submit": 6,
        "requisition_hold_for_approval": 3,
        "stop_refer_to_purchasing": 1,
    }
    assert VARIANTS[SLOTS[4]].option == "stop_refer_to_purchasing"


def trial(profile: TenantProfile, variant: str, number: int) -> Case:
    drawn = draw(profile, variant, stream(number, profile.code, FAMILY, variant))
    return trial_case(FAMILY, TASK, outcome, records, profile, drawn)


@pytest.mark.parametrize("variant", SLOTS)
def test_a_hundred_draws_of_a_variant_make_fair_cases(northbridge: Tenant, variant: str) -> None:
    for number in range(100):
        case = trial(northbridge.profile, variant, number)
        assert case_problems(case) == []
        assert case.gold.option == VARIANTS[variant].option


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)
def test_every_profile_can_have_every_variant(profile: TenantProfile) -> None:
    for variant in SLOTS:
        for number in range(2):
            case = trial(profile, variant, number)
            assert case_problems(case) == []
            assert case.gold.option == VARIANTS[variant].option


@pytest.mark.parametrize("variant", SLOTS)
def test_draws_stand_among_the_other_families_records(northbridge: Tenant, variant: str) -> None:
    drawn = draw(northbridge.profile, variant, stream(3, FAMILY, variant))
    tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY: drawn}})
    rows = tenant_rows(tenant)
    case = build_case(tenant, family(FAMILY), rows)
    assert case_problems(case) == []
    numbers = [row["OrderNumber"] for row in rows["sales_orders"]]
    assert len(numbers) == len(set(numbers))
    assert {entry.order for entry in drawn.reservations} <= set(numbers)
    for name, keys in reads_of(case):
        assert keys, name
    assert 25 <= len(build_plan(case).calls) <= 32


def test_the_release_repeats_no_answer_in_more_than_half_of_its_slots() -> None:
    found = [trial(profile, SLOTS[profile.number], 100).gold.answers for profile in profiles()]
    for field in found[0]:
        assert Counter(answers[field] for answers in found).most_common(1)[0][1] <= 5, field


def test_the_same_stream_draws_the_same_run(northbridge: Tenant) -> None:
    first, second = (draw(northbridge.profile, "weeks_of_demand", stream(1, "x")) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)
def test_the_edition_judged_right_is_the_one_in_force(profile: TenantProfile) -> None:
    for variant in SLOTS:
        drawn = draw(profile, variant, stream(5, profile.code, FAMILY, variant))
        tenant = Tenant(profile=profile, facts={FAMILY: drawn})
        found = family(FAMILY).sources(tenant, drawn)
        memo = Memo("MEMO", profile.today, tuple(source.id for source in found if source.memo_name))
        policy = in_force("reorder_policy", profile.today, found, [memo], ())
        assert isinstance(policy, Source)
        assert policy.id == TASK.judgement(tenant, drawn).sources["reorder_policy"]
        if drawn.release is not None:
            released = in_force("spending_release", profile.today, found, [memo], ())
            assert isinstance(released, Contradiction) == (VARIANTS[variant].release == "lapsed")
