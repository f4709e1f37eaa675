"""Hiring: outcomes on Northbridge's round worked out by hand, the task played, and rounds drawn for every variant."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.hire_against_headcount import FAMILY
from generator.families.hire_against_headcount.draw import SLOTS, draw
from generator.families.hire_against_headcount.facts import Facts, Grade
from generator.families.hire_against_headcount.outcome import grade_of, outcome, seats_held
from generator.families.hire_against_headcount.records import records
from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.qualify.explain import grade_task
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Outcome
from generator.spec.errors import SpecError
from generator.spec.streams import stream
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tasks.case import build_case
from generator.tasks.package import build_package, write_package
from generator.tasks.plan import build_plan
from generator.tasks.room import tenant_files
from generator.tenants.load import ROOT
from generator.worlds.rows import tenant_rows
from verifier.grading import Verdict

BOUNDS = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}
DECLINING = "line_lapsed"
REFERRING = ("amended_down", "permit_a_day_short", "raised_heads", "more_seats_than_people")
PROFILES = sorted(path.parent.name for path in ROOT.glob("*/profile.yaml"))


@pytest.fixture(scope="module")
def case(northbridge: Tenant) -> Case:
    return build_case(northbridge, FAMILY, tenant_rows(northbridge))


@pytest.fixture(scope="module")
def task(northbridge: Tenant, case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(northbridge, case, tmp_path_factory.mktemp("hire"))


def written(tenant: Tenant, case: Case, folder: Path) -> Path:
    package = build_package(case, tenant_rows(tenant), tenant_files(tenant), "0.0.0", "erpbench100/")
    write_package(package, folder / case.task_id)
    return folder / case.task_id


def played(task: Path, case: Case, outcome: Outcome | None = None) -> Verdict:
    with fresh_world(task) as world:
        run_plan(world, build_plan(case, outcome))
        return grade_task(task, evidence(world))


def counterfactual(case: Case, name: str) -> Counterfactual:
    return next(found for found in case.counterfactuals if found.name == name)


def figures(outcome: Outcome) -> list[str]:
    return [str(value) for value in outcome.answers.values()]


def drawn(profile: TenantProfile, others: Tenant, variant: str, seed: int) -> Case:
    facts = draw(profile, variant, stream(seed, profile.code, FAMILY.id, variant))
    tenant = Tenant(profile=profile, facts={**others.facts, FAMILY.id: facts})
    return build_case(tenant, FAMILY, records(tenant, facts))


# Northbridge's round


def test_three_inspectors_are_hired_and_nunez_is_referred(case: Case) -> None:
    # ten heads were cut to eight; five hold a seat on 2026-03-02 (3101, 3102, 3104, 3105 and 3106)
    assert figures(case.gold) == ["3", "5", "3", "11005.00", "54"]  # 4050 + 3665 + 3290; 24 + 18 + 12
    assert (case.gold.option, case.gold.status) == ("hire_clear_and_refer_exceptions", "hired_with_referrals")
    assert case.gold.operative == "FILE-NBR-HEADCOUNT-APPROVAL-2026"
    assert case.gold.primary is not None
    assert case.gold.primary.name == ("literal", "HC-NBR-2026-04")


def test_the_hires_have_their_reserved_numbers_terms_and_wages(case: Case) -> None:
    hires = [write.arguments for write in case.gold.writes]
    keys = ("CandidateId", "PersonNumber", "MonthlySalary", "ContractEndDate")
    assert [tuple(hire[key] for key in keys) for hire in hires] == [
        ("CAND-NBR-121", "P-NBR-3122", Decimal("4050.00"), "2028-03-01"),
        ("CAND-NBR-127", "P-NBR-3124", Decimal("3665.00"), "2027-09-01"),
        ("CAND-NBR-136", "P-NBR-3127", Decimal("3290.00"), "2027-03-01"),
    ]
    assert {hire["HireDate"] for hire in hires} == {"2026-03-02"}
    assert {hire["LegalEmployerName"] for hire in hires} == {"Northbridge Fastener Works LLC"}


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("superseded_approval", ["5", "5", "5", "18335.00", "90"]),  # + Demir 3665 and Petit 3665, 18 months each
        ("unsigned_request", ["4", "5", "4", "14670.00", "72"]),  # + Demir
        ("other_job", ["2", "3", "2", "5865.00", "24"]),  # Marlow W2 3055, Cho W1 2810
        ("shortlist_as_listed", ["4", "4", "4", "15700.00", "48"]),  # 4000 + 3700 + 3950 + 4050, a year each
        ("ignores_permit", ["3", "6", "3", "11380.00", "60"]),  # Nunez for Oduya
        ("ignores_ties", ["3", "5", "3", "11380.00", "60"]),  # Demir for Oduya
        ("ignores_wage_date", ["3", "5", "3", "10630.00", "54"]),  # 3910 + 3540 + 3180
        ("ignores_already_started", ["3", "6", "3", "11765.00", "66"]),  # Klein and Clarke 4050, Tran
        ("ignores_past_leavers", ["2", "5", "2", "7715.00", "42"]),  # Clarke and Tran
    ],
)
def test_each_mistake_comes_to_its_own_figures(case: Case, name: str, answers: list[str]) -> None:
    assert figures(counterfactual(case, name).outcome) == answers


def test_the_mistaken_worker_cites_what_he_believed(case: Case) -> None:
    believed = {found.name: found.outcome.operative for found in case.counterfactuals if found.kind == "wrong_source"}
    assert believed == {
        "superseded_approval": "MSG-NBR-HEADCOUNT-0112",
        "unsigned_request": "MSG-NBR-HEADCOUNT-RAISE",
    }


def test_the_case_keeps_every_rule(case: Case) -> None:
    assert case_problems(case) == []


def test_the_oracle_scores_100_and_doing_nothing_0(case: Case, task: Path) -> None:
    verdict = played(task, case)
    assert (verdict.score, verdict.strict) == (100, True)
    assert 25 <= len(build_plan(case).calls) <= 32
    with fresh_world(task) as world:
        assert grade_task(task, evidence(world)).score == 0


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("superseded_approval", 49),  # four answers, source, primary, register, decision, draft, post
        ("unsigned_request", 57),  # four answers, source, primary, register, draft
        ("other_job", 29),
        ("shortlist_as_listed", 32),
        ("ignores_wage_date", 83),  # one answer, the terms, register, draft: the right people were hired
    ],
)
def test_a_mistake_carried_through_scores_what_follows_from_it(case: Case, task: Path, name: str, score: int) -> None:
    assert played(task, case, counterfactual(case, name).outcome).score == score


# The rules, one by one


@pytest.mark.parametrize(("last", "held"), [("2026-03-01", 0), ("2026-03-02", 1), ("2026-03-03", 1)])
def test_the_last_working_day_still_holds_the_seat(last: str, held: int) -> None:
    row = {
        "JobCode": "QA",
        "LegalEmployerName": "X",
        "AssignmentStatus": "Active",
        "LastWorkingDate": dt.date.fromisoformat(last),
    }
    assert seats_held({"workers": [row]}, "X", "QA", dt.date(2026, 3, 2)) == held


def test_an_inactive_worker_holds_no_seat() -> None:
    row = {"JobCode": "QA", "LegalEmployerName": "X", "AssignmentStatus": "Inactive", "LastWorkingDate": None}
    assert seats_held({"workers": [row]}, "X", "QA", dt.date(2026, 3, 2)) == 0


@pytest.mark.parametrize(("permit", "eligible"), [("2028-02-29", 4), ("2028-03-01", 5)])
def test_a_permit_must_last_to_the_last_day_of_the_contract(
    northbridge: Tenant, case: Case, permit: str, eligible: int
) -> None:
    # Clarke's contract runs from 2026-03-02 for 24 months, to 2028-03-01
    tenant, facts = with_candidate(northbridge, "CAND-NBR-121", permit_until=dt.date.fromisoformat(permit))
    assert outcome(tenant, facts, records(tenant, facts), case.judgement).answers["eligible_candidates"] == eligible


@pytest.mark.parametrize(("valid", "eligible"), [("2026-02-08", 4), ("2026-02-09", 5)])
def test_a_certificate_counts_on_its_last_day(northbridge: Tenant, case: Case, valid: str, eligible: int) -> None:
    tenant, facts = with_candidate(northbridge, "CAND-NBR-142", certificate_until=dt.date.fromisoformat(valid))
    assert outcome(tenant, facts, records(tenant, facts), case.judgement).answers["eligible_candidates"] == eligible


def test_who_fails_on_the_permit_with_a_score_too_low_is_not_referred(northbridge: Tenant, case: Case) -> None:
    tenant, facts = with_candidate(northbridge, "CAND-NBR-124", score=60)
    found = outcome(tenant, facts, records(tenant, facts), case.judgement)
    assert (found.option, found.status) == ("hire_to_headcount", "hired")
    assert figures(found) == figures(case.gold)


def test_a_missing_signature_stops_the_round_and_leaves_the_figures(northbridge: Tenant, case: Case) -> None:
    facts = northbridge.facts[FAMILY.id]
    unsigned = facts.model_copy(update={"approval": facts.approval.model_copy(update={"countersigned": None})})
    found = outcome(northbridge, unsigned, records(northbridge, unsigned), case.judgement)
    assert (found.option, found.status, found.obstacle) == ("stop_headcount_unapproved", "not_hired", "HC-NBR-2026-04")
    assert (found.writes, found.primary) == ((), None)
    assert figures(found) == figures(case.gold)


def with_candidate(tenant: Tenant, id: str, **update: Any) -> tuple[Tenant, Facts]:
    facts = tenant.facts[FAMILY.id]
    candidates = tuple(one.model_copy(update=update) if one.id == id else one for one in facts.candidates)
    changed = facts.model_copy(update={"candidates": candidates})
    return tenant.model_copy(update={"facts": {**tenant.facts, FAMILY.id: changed}}), changed


@given(
    day=st.dates(dt.date(2024, 1, 1), dt.date(2032, 12, 28)).filter(lambda day: day.day <= 28),
    months=st.integers(1, 60),
)
def test_a_contract_ends_the_day_before_the_same_day_a_term_later(day: dt.date, months: int) -> None:
    after = Grade(job="J", grade="G", from_years=0, term_months=months).ends(day) + dt.timedelta(days=1)
    assert after.day == day.day
    assert (after.year - day.year) * 12 + after.month - day.month == months


@pytest.mark.parametrize(("on", "grade"), [("2026-02-26", "Q1"), ("2026-02-27", "Q2"), ("2026-03-02", "Q2")])
def test_the_grade_goes_by_years_completed_on_the_day(northbridge: Tenant, on: str, grade: str) -> None:
    facts = northbridge.facts[FAMILY.id]
    demir = facts.candidate("CAND-NBR-133")  # experience since 2023-02-27; Q2 from three years
    assert grade_of(facts, demir, dt.date.fromisoformat(on)).grade == grade


# Drawn rounds


@pytest.fixture(scope="module", params=PROFILES)
def profile(request: pytest.FixtureRequest) -> TenantProfile:
    return read_yaml(ROOT / request.param / "profile.yaml", TenantProfile)


def test_each_variant_has_a_slot_and_the_ninth_declines() -> None:
    assert len(set(SLOTS)) == len(SLOTS) == 10
    assert (SLOTS[0], SLOTS[9]) == ("amended_down", DECLINING)


def expected_option(variant: str) -> str:
    if variant == DECLINING:
        return "stop_headcount_unapproved"
    return "hire_clear_and_refer_exceptions" if variant in REFERRING else "hire_to_headcount"


@pytest.mark.parametrize("variant", SLOTS)
def test_drawn_rounds_keep_every_rule(northbridge: Tenant, variant: str) -> None:
    for seed in range(100):
        found = drawn(northbridge.profile, northbridge, variant, seed)
        assert case_problems(found) == []
        assert found.gold.option == expected_option(variant)


def test_every_tenant_can_have_every_variant(northbridge: Tenant, profile: TenantProfile) -> None:
    for variant in SLOTS:
        found = drawn(profile, northbridge, variant, 7)
        assert case_problems(found) == []
        assert found.gold.option == expected_option(variant)


def test_no_answer_is_the_same_in_more_than_half_of_the_slots(northbridge: Tenant) -> None:
    for seed in range(20):
        cases = [drawn(northbridge.profile, northbridge, variant, seed) for variant in SLOTS]
        for name in cases[0].gold.answers:
            assert max(Counter(found.gold.answers[name] for found in cases).values()) <= 5


def test_the_same_stream_gives_the_same_round(northbridge: Tenant) -> None:
    first, second = (draw(northbridge.profile, "pay_round", stream(3, "NBR")) for _ in range(2))
    assert first == second


def test_everybody_has_a_number_and_a_name_of_their_own(profile: TenantProfile) -> None:
    for variant in SLOTS:
        facts = draw(profile, variant, stream(11, profile.code, variant))
        numbers = [one.person_number for one in (*facts.workers, *facts.candidates)]
        assert len(set(numbers)) == len(numbers)
        names = Counter(one.name for one in (*facts.workers, *facts.candidates))
        twice = [name for name, count in names.items() if count > 1]
        assert twice == [facts.candidate(hired.candidate).name for hired in facts.already_hired]
        assert not set(names) & {person.name for person in profile.people}


def test_a_lapsed_line_shows_its_date_and_its_rule(northbridge: Tenant, tmp_path: Path) -> None:
    facts = draw(northbridge.profile, DECLINING, stream(5, "NBR"))
    tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}})
    text = next(file.text for file in tenant_files(tenant) if file.document.name.startswith("20-"))
    released_to = facts.approval.line(facts.job, facts.employer).released_to
    assert released_to is not None
    assert released_to < facts.hire_date
    assert released_to.strftime(northbridge.profile.habits.dates) in text
    assert "no earlier approval takes its place" in " ".join(text.split())


@pytest.mark.parametrize("variant", ["more_seats_than_people", DECLINING])
def test_a_drawn_task_is_played_to_100_and_its_mistakes_stay_in_bounds(
    northbridge: Tenant, variant: str, tmp_path: Path
) -> None:
    facts = draw(northbridge.profile, variant, stream(21, "NBR", variant))
    tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}})
    found = build_case(tenant, FAMILY, tenant_rows(tenant))
    task = written(tenant, found, tmp_path)
    assert played(task, found).score == 100
    for kind, bound in BOUNDS.items():
        for mistake in (one for one in found.counterfactuals if one.kind == kind):
            assert played(task, found, mistake.outcome).score <= bound


def test_a_profile_without_an_open_period_cannot_be_drawn_for(northbridge: Tenant) -> None:
    shut = tuple(period for period in northbridge.profile.periods if period.application != "hcm")
    with pytest.raises(SpecError, match="no open hcm period"):
        draw(northbridge.profile.model_copy(update={"periods": shut}), "pay_round", stream(1, "NBR"))
