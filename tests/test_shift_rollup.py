"""The outcome of the shift roll-up on Northbridge's late shift, each figure worked out by hand, and shifts drawn."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.families.channels import message_number
from generator.families.shift_rollup import FAMILY
from generator.families.shift_rollup.draw import VARIANTS
from generator.families.shift_rollup.facts import Facts
from generator.families.shift_rollup.outcome import outcome, roll_up
from generator.families.shift_rollup.records import records
from generator.families.shift_rollup.task import RULES, TASK, reads
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Judgement
from generator.spec.tenant import Tenant
from generator.tasks.room import chat
from generator.tenants.load import ROOT, load_tenant
from tests.drawn_people_fixture import case_of, drawn, implied, late_words, sources_in_force, texts
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of

FIELDS = ("expected_staff", "reporting_staff", "late_reports", "overtime_hours", "missing_staff")
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
    return stage.render(FAMILY.id, tmp_path_factory.mktemp("shift"))


def mistake(case: Case, name: str) -> Counterfactual:
    return next(one for one in case.counterfactuals if one.name == name)


def figures(answers: Any) -> list[str]:
    return [str(value) for value in answers.values()]


def absent(one: Counterfactual | Case) -> list[str]:
    result = one.gold if isinstance(one, Case) else one.outcome
    return [str(write.arguments["personNumber"])[-4:] for write in result.writes]


def test_gold_is_twelve_expected_nine_reporting_four_late_two_and_a_quarter_hours_three_missing(case: Case) -> None:
    assert case.gold.answers == dict(zip(FIELDS, (12, 9, 4, Decimal("2.25"), 3), strict=True))
    assert (case.gold.option, case.gold.status) == ("record_absences", "absences_recorded")
    assert case.gold.operative == "FILE-NBR-SHIFT-ROSTER-0208"
    assert absent(case) == ["2106", "2111", "2115"]
    assert case.gold.writes[0].arguments == {
        "personNumber": "P-NBR-2106",
        "absenceType": "Unreported absence",
        "startDate": "2026-02-08",
        "endDate": "2026-02-08",
        "employer": "Northbridge Fastener Works LLC",
        "absenceStatusCd": "SUBMITTED",
    }


@pytest.mark.parametrize(
    ("name", "answers", "missing"),
    [
        ("superseded_roster", ["12", "8", "4", "2.00", "4"], ["2106", "2111", "2114", "2115"]),
        ("neighbouring_shift", ["7", "6", "1", "0.50", "1"], ["2124"]),
        ("reports_as_filed", ["14", "25", "4", "3.75", "2"], ["2109", "2112"]),
        ("ignores_swap", ["12", "8", "3", "2.25", "4"], ["2106", "2111", "2112", "2115"]),
        ("ignores_proposed_swap", ["12", "9", "4", "2.25", "3"], ["2106", "2115", "2126"]),
        ("ignores_chat_leave", ["13", "10", "4", "2.25", "3"], ["2106", "2111", "2115"]),
        ("ignores_open_leave", ["11", "9", "4", "2.25", "2"], ["2111", "2115"]),
        ("ignores_shift_day", ["12", "11", "3", "0.25", "1"], ["2105"]),
        ("ignores_valid_until", ["12", "10", "5", "2.25", "2"], ["2111", "2115"]),
        # Lindgren's second start and second end, the latter with another 0.75
        ("ignores_persons", ["12", "11", "4", "3.00", "3"], ["2106", "2111", "2115"]),
        # 16 + 9 + 39 + 47 + 55 = 166 minutes
        ("ignores_rounding", ["12", "9", "4", "2.77", "3"], ["2106", "2111", "2115"]),
        ("ignores_grace", ["12", "9", "5", "2.25", "3"], ["2106", "2111", "2115"]),
    ],
)
def test_each_mistake_has_its_figures(case: Case, name: str, answers: list[str], missing: list[str]) -> None:
    wrong = mistake(case, name)
    assert (figures(wrong.outcome.answers), absent(wrong)) == (answers, missing)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("superseded_roster", "record_absences_and_escalate_cover"),
        ("neighbouring_shift", "record_absences_and_escalate_cover"),
        ("reports_as_filed", "record_all_unreported"),
        ("ignores_valid_until", "record_absences"),
    ],
)
def test_fewer_than_nine_reporting_are_escalated(case: Case, name: str, option: str) -> None:
    assert mistake(case, name).outcome.option == option


def test_the_case_keeps_the_rules_of_a_fair_one(case: Case) -> None:
    assert case_problems(case) == []
    assert implied(reads(case)) == []
    assert {one.subject for one in case.counterfactuals if one.kind == "ignored_rule"} <= set(RULES)
    assert TASK.answers[3].type == "hours"


def test_messages_are_numbered_as_the_world_keeps_them(case: Case) -> None:
    note = next(one for one in chat(case) if "change places" in one.text and one.author == "Ken Abbott")
    assert chat(case)[int(message_number(case, note)) - 1] == note


@pytest.mark.parametrize(
    ("rounding", "minutes", "hours"),
    [
        ("down", 490, "0.00"),
        ("down", 494, "0.00"),
        ("down", 495, "0.25"),
        ("down", 509, "0.25"),
        ("down", 510, "0.50"),
        ("nearest", 490, "0.00"),
        ("nearest", 491, "0.25"),
        ("nearest", 502, "0.25"),
        ("nearest", 503, "0.50"),
    ],
)
def test_overtime_is_rounded_for_each_person(case: Case, rounding: str, minutes: int, hours: str) -> None:
    facts: Facts = case.facts
    worked = tuple(
        report.model_copy(update={"minutes": minutes if report.person_number == "P-NBR-2113" else 480})
        for report in facts.reports
        if report.kind == "End"
    )
    rules = facts.rules.model_copy(update={"overtime_rounding": rounding})
    facts = facts.model_copy(update={"reports": worked, "rules": rules})
    result = outcome(case.tenant, facts, records(case.tenant, facts), case.judgement)
    assert str(result.answers["overtime_hours"]) == hours


def test_leave_that_is_withdrawn_makes_the_person_expected_again(case: Case) -> None:
    facts: Facts = case.facts
    noted = dt.datetime(2026, 2, 8, 9)
    leaves = tuple(
        leave.model_copy(update={"withdrawn": noted if leave.person_number == "P-NBR-2109" else None})
        for leave in facts.leaves
    )
    found = roll_up(facts.model_copy(update={"leaves": leaves}), facts.shift(facts.task), facts.roster)
    assert (len(found.expected), "P-NBR-2109" in found.missing) == (13, True)


@settings(max_examples=60)
@given(st.integers(-200, 200))
def test_a_report_counts_from_an_hour_before_the_start_to_an_hour_after_the_end(case: Case, minutes: int) -> None:
    facts: Facts = case.facts
    shift = facts.shift(facts.task)
    first = next(report for report in facts.reports if report.person_number == "P-NBR-2115")
    before = first.model_copy(update={"filed": shift.start + dt.timedelta(minutes=minutes)})
    after = first.model_copy(update={"filed": shift.end + dt.timedelta(minutes=minutes)})
    for report, counts in ((before, minutes >= -60), (after, minutes <= 60)):
        found = roll_up(facts.model_copy(update={"reports": (report,)}), shift, facts.roster)
        assert ("P-NBR-2115" in found.reporting) == counts


def test_the_oracle_scores_all_points_and_doing_nothing_none(task: Path, case: Case) -> None:
    verdict = played_outcome(task, case)
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())
    assert played(task, ()).score == 0


@pytest.mark.parametrize(
    ("name", "score"), [("superseded_roster", 44), ("neighbouring_shift", 29), ("reports_as_filed", 32)]
)
def test_the_controls_score_what_their_points_come_to(task: Path, case: Case, name: str, score: int) -> None:
    assert played_outcome(task, case, mistake(case, name).outcome).score == score


def test_every_mistake_can_be_carried_through_and_none_is_strict(task: Path, case: Case) -> None:
    assert [one.name for one in case.counterfactuals if played_outcome(task, case, one.outcome).strict] == []


# Drawn shifts


def slots() -> list[str]:
    return list(FAMILY.slots)


def test_the_slots_are_ten_and_decline_at_seven_and_three_escalate() -> None:
    options = [VARIANTS[name].option for name in slots()]
    assert [number for number, option in enumerate(options) if option == "stop_roster_unconfirmed"] == [7]
    assert [number for number, option in enumerate(options) if option.endswith("cover")] == [2, 5, 8]


@pytest.mark.parametrize("variant", slots())
def test_drawn_shifts_are_fair_and_of_their_variant(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for profile in profiles():
        for number in range(25 if profile.code == FIXED else 2):
            tenant = drawn(profile, FAMILY, variant, number)
            drawn_case = case_of(tenant, FAMILY, monkeypatch)
            assert case_problems(drawn_case) == []
            assert drawn_case.gold.option == VARIANTS[variant].option
            assert late_words(tenant, FAMILY) == []


@pytest.mark.parametrize("variant", slots())
def test_the_papers_of_a_drawn_shift_hold_what_it_needs(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.families.shift_rollup.task.message_number", lambda case, note: note.text)
    for profile in profiles():
        tenant = drawn(profile, FAMILY, variant, 0)
        facts = tenant.facts[FAMILY.id]
        assert sources_in_force(tenant, FAMILY)["shift_roster"] == facts.roster.source
        written = texts(tenant, FAMILY)
        needed = [facts.task, facts.objection_reference, facts.rules.absence_type, facts.rules.absence_status]
        needed += [worker.name for worker in facts.workers] + [report.number for report in facts.reports]
        assert [text for text in needed if text not in written] == []
        drawn_case = case_of(tenant, FAMILY, monkeypatch)
        assert implied(reads(drawn_case)) == []
        assert [read.name for read in reads(drawn_case) if () in read.routes] == []
        assert {person.name for person in profile.people} & {worker.name for worker in facts.workers} == set()
        for shift in facts.shifts:
            assert any(
                (period.application, period.status) == ("hcm", "Open")
                and period.start <= shift.start.date() <= period.end
                for period in profile.periods
            )


def test_four_variants_are_night_shifts_that_run_past_midnight() -> None:
    profile = profiles()[0]
    over = [
        name
        for name in slots()
        for facts in [drawn(profile, FAMILY, name, 0).facts[FAMILY.id]]
        if facts.shift(facts.task).end.date() > facts.shift(facts.task).start.date() and facts.task.endswith("N")
    ]
    assert over == ["past_midnight", "overtime_to_the_nearest", "thin_cover", "night_crew_moved"]


def test_five_variants_have_the_higher_bounds_of_each_count_and_five_the_lower() -> None:
    made = VARIANTS.values()
    assert Counter(one.expected for one in made) == {(16, 23): 5, (8, 15): 5}
    assert Counter(one.missing for one in made) == {(5, 7): 5, (2, 4): 5}
    assert Counter(one.late for one in made) == {(4, 7): 5, (1, 3): 5}


@pytest.fixture(scope="module")
def shifts() -> dict[tuple[int, str], Tenant]:
    """A shift of each variant for forty datasets, by dataset and variant."""
    return {
        (number, variant): drawn(profile, FAMILY, variant, 1000 + number)
        for number in range(40)
        for profile, variant in zip(profiles(), slots(), strict=True)
    }


def right_answers(tenant: Tenant) -> tuple[Any, ...]:
    facts = tenant.facts[FAMILY.id]
    believed = Judgement({"shift_roster": facts.roster.source})
    return tuple(outcome(tenant, facts, records(tenant, facts), believed).answers.values())


def test_fewer_than_one_in_a_hundred_pairs_of_datasets_share_a_shifts_answers(
    shifts: dict[tuple[int, str], Tenant],
) -> None:
    vectors = [{right_answers(shifts[number, variant]) for variant in slots()} for number in range(40)]
    assert sum(1 for one, other in combinations(vectors, 2) if one & other) < 8  # of 780 pairs


def test_drawn_figures_spread_over_their_bounds(shifts: dict[tuple[int, str], Tenant]) -> None:
    expected, reporting, late, hours, missing = zip(*map(right_answers, shifts.values()), strict=True)
    assert set(expected) == set(range(8, 24))
    assert (set(late), set(missing)) == (set(range(1, 8)), set(range(2, 8)))
    assert all(Decimal("0.75") <= one <= 14 for one in hours)
    assert (min(hours) < 1, max(hours) > 12, len(set(hours)) > 90) == (True, True, True)
    assert sorted(max(Counter(figures).values()) > 80 for figures in (expected, reporting, hours)) == [False] * 3


def test_overtime_is_a_sum_of_whole_hundredths_of_an_hour(shifts: dict[tuple[int, str], Tenant]) -> None:
    """Whoever adds up hours and whoever adds up minutes come to the same figure."""
    for tenant in shifts.values():
        facts = tenant.facts[FAMILY.id]
        assert facts.rules.overtime_step_minutes in (3, 6, 15)
        found = roll_up(facts, facts.shift(facts.task), facts.roster)
        assert Decimal(found.overtime) / 60 == right_answers(tenant)[3]


def test_every_end_report_of_somebody_who_reported_in_time_is_filed_after_the_work(
    shifts: dict[tuple[int, str], Tenant],
) -> None:
    for tenant in shifts.values():
        facts = tenant.facts[FAMILY.id]
        shift = facts.shift(facts.task)
        reporting = roll_up(facts, shift, facts.roster).reporting
        for report in facts.reports:
            if report.person_number in reporting and report.letter == shift.letter and report.minutes is not None:
                beyond = max(0, report.minutes - shift.scheduled_minutes)
                assert report.filed >= shift.end + dt.timedelta(minutes=beyond)
                assert report.filed <= shift.end + dt.timedelta(minutes=facts.rules.valid_after_minutes)


def test_the_same_stream_draws_the_same_shift() -> None:
    profile = profiles()[0]
    assert drawn(profile, FAMILY, "filed_twice", 1) == drawn(profile, FAMILY, "filed_twice", 1)
    assert drawn(profile, FAMILY, "filed_twice", 1) != drawn(profile, FAMILY, "filed_twice", 2)


def test_no_answer_is_the_same_in_more_than_half_of_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        answers = [
            case_of(drawn(profile, FAMILY, variant, number), FAMILY, monkeypatch).gold.answers
            for profile, variant in zip(profiles(), slots(), strict=True)
        ]
        for name in FIELDS:
            values = [one[name] for one in answers]
            assert max(values.count(value) for value in values) <= 5, name


def test_a_contested_roster_is_declined_and_that_can_be_graded(northbridge: Tenant, tmp_path: Path) -> None:
    facts = drawn(northbridge.profile, FAMILY, "objection_open", 0).facts[FAMILY.id]
    stage = stage_of(northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}}))
    case, task = stage.case(FAMILY.id), stage.render(FAMILY.id, tmp_path)
    carried_out = mistake(case, "ignores_objection").outcome
    assert (case.gold.option, case.gold.status) == ("stop_roster_unconfirmed", "not_recorded")
    assert (case.gold.obstacle, case.gold.writes, case.gold.primary) == (facts.objection_reference, (), None)
    assert case.gold.cited == ("MSG-NBR-ROSTER-OBJECTION",)
    assert case.gold.answers == carried_out.answers
    assert played_outcome(task, case).strict
    assert played(task, ()).score == 0
    assert {one.name for one in case.counterfactuals if not one.outcome.writes} == set()
    assert played_outcome(task, case, carried_out).score <= 57


def test_the_earlier_roster_and_the_other_shift_are_not_contested(northbridge: Tenant) -> None:
    tenant = drawn(northbridge.profile, FAMILY, "objection_open", 1)
    facts = tenant.facts[FAMILY.id]
    rows = records(tenant, facts)
    for believed in (
        Judgement({"shift_roster": facts.earlier.source}),
        Judgement({"shift_roster": facts.roster.source}, target="decoy"),
    ):
        assert outcome(tenant, facts, rows, believed).obstacle is None
