"""The outcome of document compliance on Northbridge's review, each figure worked out by hand, and reviews drawn."""

import datetime as dt
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.document_compliance import FAMILY
from generator.families.document_compliance.draw import VARIANTS
from generator.families.document_compliance.facts import Facts
from generator.families.document_compliance.outcome import outcome, review
from generator.families.document_compliance.records import records
from generator.families.document_compliance.task import RULES, reads
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Judgement
from generator.spec.tenant import Tenant
from generator.tenants.load import ROOT, load_tenant, load_tenants
from tests.drawn_people_fixture import case_of, drawn, implied, late_words, sources_in_force, texts
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of

FIELDS = (
    "expiring_in_window",
    "unalerted_expiring",
    "workers_blocked",
    "checks_verified",
    "days_to_earliest_expiry",
)
FIXED = "NBR"


@pytest.fixture(scope="module")
def northbridge() -> Tenant:
    tenant = load_tenant(ROOT / "northbridge")
    assert tenant is not None
    return tenant


@pytest.fixture(scope="module")
def stage(northbridge: Tenant) -> Stage:
    return stage_of(northbridge)


@pytest.fixture(scope="module")
def case(stage: Stage) -> Case:
    return stage.case(FAMILY.id)


@pytest.fixture(scope="module")
def task(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stage.render(FAMILY.id, tmp_path_factory.mktemp("compliance"))


def mistake(case: Case, name: str) -> Counterfactual:
    return next(one for one in case.counterfactuals if one.name == name)


def changed_records(one: Counterfactual | Case) -> tuple[list[int], list[int]]:
    """Numbers of the records that get an alert, and of the checks that are verified."""
    result = one.gold if isinstance(one, Case) else one.outcome
    checks = [w.arguments["DocumentRecordId"] for w in result.writes if "VerifiedFlag" in w.arguments]
    return [w.arguments["DocumentRecordId"] for w in result.writes if "VerifiedFlag" not in w.arguments], checks


def test_gold_is_seven_expiring_five_unalerted_four_blocked_three_verified_and_nine_days(case: Case) -> None:
    assert case.gold.answers == dict(zip(FIELDS, (7, 5, 4, 3, 9), strict=True))
    assert case.gold.option == "alert_verify_and_recommend_block"
    assert case.gold.status == "alerts_recorded_block_recommended"
    assert case.gold.operative == "FILE-NBR-COMPLIANCE-CHECKLIST-0209"
    assert changed_records(case) == ([1101, 1102, 1110, 1111, 1112], [1201, 1202, 1207])


def test_the_blocked_are_two_with_expired_papers_and_two_without_a_right_to_work(case: Case) -> None:
    facts: Facts = case.facts
    found = review(case.tenant, facts, records(case.tenant, facts), facts.employer, facts.checklist)
    assert found.blocked == {"P-NBR-1109", "P-NBR-1142", "P-NBR-1167", "P-NBR-1178"}
    assert found.earliest == dt.date(2026, 2, 18)


@pytest.mark.parametrize(
    ("name", "answers", "option"),
    [
        ("superseded_checklist", (3, 2, 5, 1, 9), "alert_verify_and_recommend_block"),
        ("other_employer", (3, 2, 1, 1, 5), "alert_verify_and_recommend_block"),
        ("clerks_marks", (10, 7, 2, 5, 9), "update_as_checklist"),
        ("ignores_bounds", (5, 3, 4, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_renewals", (8, 6, 4, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_leavers", (8, 6, 4, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_assignment", (7, 5, 5, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_alerted_expiry", (7, 4, 4, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_person_number", (7, 5, 3, 4, 9), "alert_verify_and_recommend_block"),
        ("ignores_paper_validity", (7, 5, 3, 4, 9), "alert_verify_and_recommend_block"),
        ("ignores_blocking_kinds", (7, 5, 6, 3, 9), "alert_verify_and_recommend_block"),
        ("ignores_block", (7, 5, 4, 3, 9), "alert_and_verify"),
    ],
)
def test_each_mistake_has_its_figures(case: Case, name: str, answers: tuple[int, ...], option: str) -> None:
    wrong = mistake(case, name).outcome
    assert (tuple(wrong.answers.values()), wrong.option) == (answers, option)


def test_the_clerks_marks_are_carried_out_as_they_stand(case: Case) -> None:
    marked = changed_records(mistake(case, "clerks_marks"))
    assert marked == ([1104, 1105, 1106, 1109, 1110, 1111, 1112], [1201, 1202, 1203, 1206, 1207])


def test_the_case_keeps_the_rules_of_a_fair_one(case: Case) -> None:
    assert case_problems(case) == []
    assert implied(reads(case)) == []
    assert {one.subject for one in case.counterfactuals if one.kind == "ignored_rule"} <= set(RULES)


@settings(max_examples=60)
@given(st.integers(-120, 200))
def test_a_paper_is_inside_its_window_from_the_day_to_the_day_plus_ninety(case: Case, days: int) -> None:
    facts: Facts = case.facts
    permit = facts.document(1101).model_copy(update={"expires": dt.date(2026, 2, 9) + dt.timedelta(days=days)})
    alone = facts.model_copy(update={"documents": (permit,), "checks": (), "alerts": (), "renewals": ()})
    found = review(case.tenant, alone, records(case.tenant, alone), alone.employer, alone.checklist)
    assert (len(found.expiring), len(found.blocked)) == (int(0 <= days <= 90), int(days < 0))


def test_a_later_record_of_the_same_kind_replaces_the_earlier_one(case: Case) -> None:
    facts: Facts = case.facts
    old = facts.document(1110)
    renewed = old.model_copy(update={"id": 1190, "expires": dt.date(2028, 3, 30)})
    facts = facts.model_copy(update={"documents": (*facts.documents, renewed)})
    result = outcome(case.tenant, facts, records(case.tenant, facts), case.judgement)
    assert tuple(result.answers.values()) == (6, 4, 4, 3, 9)


def test_the_oracle_scores_all_points_and_doing_nothing_none(task: Path, case: Case) -> None:
    verdict = played_outcome(task, case)
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())
    assert played(task, ()).score == 0


@pytest.mark.parametrize(
    ("name", "score"), [("superseded_checklist", 42), ("other_employer", 39), ("clerks_marks", 37)]
)
def test_the_controls_score_what_their_points_come_to(task: Path, case: Case, name: str, score: int) -> None:
    assert played_outcome(task, case, mistake(case, name).outcome).score == score


def test_every_mistake_can_be_carried_through_and_none_is_strict(task: Path, case: Case) -> None:
    assert [one.name for one in case.counterfactuals if played_outcome(task, case, one.outcome).strict] == []


# Drawn reviews


def slots() -> list[str]:
    return list(FAMILY.slots)


def test_the_slots_are_ten_and_decline_at_six_and_four_recommend_a_block() -> None:
    options = [VARIANTS[name].option for name in slots()]
    assert [number for number, option in enumerate(options) if option == "stop_refer_to_hr"] == [6]
    assert [number for number, option in enumerate(options) if option.endswith("block")] == [0, 3, 5, 8]


@pytest.mark.parametrize("variant", slots())
def test_drawn_reviews_are_fair_and_of_their_variant(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for profile in profiles():
        for number in range(25 if profile.code == FIXED else 2):
            tenant = drawn(profile, FAMILY, variant, number)
            drawn_case = case_of(tenant, FAMILY, monkeypatch)
            assert case_problems(drawn_case) == []
            assert drawn_case.gold.option == VARIANTS[variant].option
            assert late_words(tenant, FAMILY) == []


@pytest.mark.parametrize("variant", slots())
def test_the_papers_of_a_drawn_review_hold_what_it_needs(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for profile in profiles():
        tenant = drawn(profile, FAMILY, variant, 0)
        facts = tenant.facts[FAMILY.id]
        assert sources_in_force(tenant, FAMILY)["compliance_checklist"] == facts.checklist.source
        written = texts(tenant, FAMILY)
        holders = {one.person_number for one in (*facts.documents, *facts.checks)}
        needed = [facts.checklist.number, *(one.name for one in facts.workers if one.person_number in holders)]
        needed += [renewal.new_number for renewal in facts.renewals] + [one.reference for one in facts.releases]
        assert [text for text in needed if text not in written] == []
        assert implied(reads(case_of(tenant, FAMILY, monkeypatch))) == []
        office = {person.name for person in profile.people}
        assert office & {worker.name for worker in facts.workers} == set()


def test_five_variants_have_the_higher_bounds_of_each_count_and_five_the_lower() -> None:
    made = VARIANTS.values()
    assert Counter(one.owed for one in made) == {(4, 7): 5, (2, 3): 5}
    assert Counter(one.verified for one in made) == {(3, 6): 5, (1, 2): 5}
    assert Counter(one.expiring for one in made) == {(11, 20): 5, (3, 10): 5}


@pytest.fixture(scope="module")
def reviews() -> dict[tuple[int, str], Tenant]:
    """A review of each variant for forty datasets, by dataset and variant."""
    return {
        (number, variant): drawn(profile, FAMILY, variant, 1000 + number)
        for number in range(40)
        for profile, variant in zip(profiles(), slots(), strict=True)
    }


def right_answers(tenant: Tenant) -> tuple[int, ...]:
    facts = tenant.facts[FAMILY.id]
    believed = Judgement({"compliance_checklist": facts.checklist.source})
    return tuple(map(int, outcome(tenant, facts, records(tenant, facts), believed).answers.values()))


def test_fewer_than_one_in_a_hundred_pairs_of_datasets_share_a_reviews_answers(
    reviews: dict[tuple[int, str], Tenant],
) -> None:
    vectors = [{right_answers(reviews[number, variant]) for variant in slots()} for number in range(40)]
    assert sum(1 for one, other in combinations(vectors, 2) if one & other) < 8  # of 780 pairs


def test_drawn_figures_spread_over_their_bounds(reviews: dict[tuple[int, str], Tenant]) -> None:
    expiring, owed, blocked, verified, days = zip(*map(right_answers, reviews.values()), strict=True)
    assert set(expiring) == set(range(3, 21))
    assert (set(owed), set(verified)) == (set(range(2, 8)), set(range(1, 7)))
    assert set(blocked) == {0, *range(2, 8)}
    assert (min(days), max(days) > 50, len(set(days)) > 45) == (0, True, True)
    assert max(Counter(days).values()) < 30


def test_what_is_to_be_changed_and_read_stays_within_bounds(reviews: dict[tuple[int, str], Tenant]) -> None:
    for tenant in reviews.values():
        _, owed, _, verified, _ = right_answers(tenant)
        assert owed + verified + len(tenant.facts[FAMILY.id].renewals) <= 9


def test_the_earlier_checklist_takes_in_an_owing_paper_and_leaves_another_out(
    reviews: dict[tuple[int, str], Tenant],
) -> None:
    for tenant in reviews.values():
        facts = tenant.facts[FAMILY.id]
        rows = records(tenant, facts)
        owing, earlier = (
            {one["DocumentRecordId"] for one in review(tenant, facts, rows, facts.employer, checklist).owed}
            for checklist in (facts.checklist, facts.earlier)
        )
        assert (owing & earlier != set() or earlier - owing != set(), owing - earlier != set()) == (True, True)


def test_the_same_stream_draws_the_same_review() -> None:
    profile = profiles()[0]
    assert drawn(profile, FAMILY, "leaving_soon", 1) == drawn(profile, FAMILY, "leaving_soon", 1)
    assert drawn(profile, FAMILY, "leaving_soon", 1) != drawn(profile, FAMILY, "leaving_soon", 2)


def test_no_answer_is_the_same_in_more_than_half_of_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        answers = [
            case_of(drawn(profile, FAMILY, variant, number), FAMILY, monkeypatch).gold.answers
            for profile, variant in zip(profiles(), slots(), strict=True)
        ]
        for name in FIELDS:
            values = [one[name] for one in answers]
            assert max(values.count(value) for value in values) <= 5, name


def test_a_review_without_its_release_is_declined_and_that_can_be_graded(northbridge: Tenant, tmp_path: Path) -> None:
    facts = drawn(northbridge.profile, FAMILY, "release_missing", 0).facts[FAMILY.id]
    stage = stage_of(northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}}))
    case, task = stage.case(FAMILY.id), stage.render(FAMILY.id, tmp_path)
    carried_out = mistake(case, "ignores_release").outcome
    assert (case.gold.option, case.gold.status) == ("stop_refer_to_hr", "not_updated")
    assert (case.gold.obstacle, case.gold.writes, case.gold.primary) == ("RL-NBR-0209-1", (), None)
    assert case.gold.answers == carried_out.answers
    assert "Release RL-NBR-0209-1 for Northbridge Fastener Works LLC is not given yet" in texts(stage.tenant, FAMILY)
    assert played_outcome(task, case).strict
    assert played(task, ()).score == 0
    assert {one.name for one in case.counterfactuals if not one.outcome.writes} == set()
    assert played_outcome(task, case, carried_out).score <= 57


def test_a_judgement_of_the_released_employer_is_not_stopped(northbridge: Tenant) -> None:
    tenant = drawn(northbridge.profile, FAMILY, "release_missing", 1)
    facts = tenant.facts[FAMILY.id]
    right = Judgement({"compliance_checklist": facts.checklist.source}, target="decoy")
    assert outcome(tenant, facts, records(tenant, facts), right).obstacle is None


def test_whether_an_alert_is_owed_does_not_show_in_the_status() -> None:
    """Every employer under review has a paper in its window that stands ACTIVE and whose alert the log has."""
    for tenant in load_tenants():
        facts = tenant.facts[FAMILY.id]
        logged = {(alert.record, alert.expiry) for alert in facts.alerts}
        last = {kind.document_type: kind.window_days for kind in facts.checklist.kinds}
        held = [d for d in facts.documents if d.status == "ACTIVE" and (d.id, d.expires) in logged]
        today = tenant.profile.today
        due = [d for d in held if 0 <= (d.expires - today).days <= last[d.document_type]]
        assert due, tenant.profile.slug
