"""Shipment verification: Northbridge's figures worked out by hand, each rule alone, the task as played, draws."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generator.families import family
from generator.families.acceptance import stands, trial_case
from generator.families.shipment_verification import records
from generator.families.shipment_verification.draw import SLOTS, VARIANTS, draw
from generator.families.shipment_verification.facts import DeliveryAgreement, Facts, PickedLine, Recount
from generator.families.shipment_verification.outcome import outcome
from generator.families.shipment_verification.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Outcome
from generator.spec.contract import Seen
from generator.spec.tenant import Tenant, TenantProfile
from generator.tasks.criteria import build_contract
from generator.tasks.plan import build_plan, submit_calls
from generator.tasks.room import build_request
from generator.tasks.view import build_view
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of, written_northbridge
from verifier.grading import Verdict

ID = "shipment_verification"
each_profile = pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)


@pytest.fixture(scope="module")
def northbridge() -> Tenant:
    return written_northbridge()


@pytest.fixture(scope="module")
def staged(northbridge: Tenant) -> Stage:
    return stage_of(northbridge)


@pytest.fixture(scope="module")
def case(staged: Stage) -> Case:
    return staged.case(ID)


@pytest.fixture(scope="module")
def task(staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return staged.render(ID, tmp_path_factory.mktemp("shipment"))


def named(case: Case, name: str) -> Outcome:
    return next(c.outcome for c in case.counterfactuals if c.name == name)


def changed(facts: Facts, **values: Any) -> Facts:
    return facts.model_copy(update=values)


def with_picks(facts: Facts, *lines: PickedLine, **rules: Any) -> Facts:
    """The facts with these rows of the confirmation in the place of those of the same lines."""
    new = {line.shipment_line: line for line in lines}
    confirmations = tuple(
        entry.model_copy(update={"lines": tuple(new.get(row.shipment_line, row) for row in entry.lines)})
        if entry.medium == "drive"
        else entry
        for entry in facts.confirmations
    )
    return changed(facts, confirmations=confirmations, rules=facts.rules.model_copy(update=rules))


def answers(case: Case, facts: Facts) -> list[Any]:
    return list(trial(case, facts).gold.answers.values())


def trial(case: Case, facts: Facts) -> Case:
    return trial_case(ID, TASK, outcome, records.records, case.tenant.profile, facts)


def picked(case: Case, line: int, **changes: Any) -> PickedLine:
    facts: Facts = case.facts
    found = facts.confirmation.picked(line)
    assert found is not None
    return found.model_copy(update=changes)


def test_gold_corrects_three_lines_and_holds_two(case: Case) -> None:
    # removed 40 + 1200 + 800 + 400; ships 960 x 0.80 + 600 x 1.25 + 150 x 2.33 = 768 + 750 + 349.50
    gold = case.gold
    assert list(gold.answers.values()) == [6, 3, 2440, 2, Decimal("1867.50")]
    assert (gold.option, gold.status) == ("correct_and_hold_exceptions", "corrected_with_holds")
    assert gold.operative == "FILE-NBR-PICK-CONFIRMATION-0208"
    assert [(w.arguments["ShipmentLine"], w.arguments["ShippedQuantity"]) for w in gold.writes] == [
        (447101, 960),
        (447103, 0),
        (447104, 0),
        (447105, 150),
        (447106, 0),
    ]
    assert gold.primary is not None
    assert gold.primary.name == ("literal", "SHP-NBR-4471")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("superseded_pick_confirmation", [6, 2, 1320, 1, Decimal("1947.60")]),
        ("superseded_lot_status", [6, 2, 3400, 3, Decimal("1099.50")]),
        ("shipment_as_staged", [6, 0, 0, 0, Decimal("2445.60")]),
        ("other_shipment", [3, 2, 70, 0, Decimal("550.20")]),
        # 447102 at 23 + 25 loose pieces: 552 fewer, 552 x 1.25 = 690 less
        ("ignores_packs", [6, 4, 2992, 2, Decimal("1177.50")]),
        # 447104 ships 800 x 0.10
        ("ignores_scanned_item", [6, 3, 1640, 1, Decimal("1947.50")]),
        # 447106 ships 400 x 0.80
        ("ignores_quarantine", [6, 3, 2040, 1, Decimal("2187.50")]),
        # 960 x 0.84 + 600 x 1.32 + 150 x 2.45
        ("ignores_price", [6, 3, 2440, 2, Decimal("1965.90")]),
    ],
)
def test_each_mistake_comes_to_its_own_figures(case: Case, name: str, expected: list[object]) -> None:
    assert list(named(case, name).answers.values()) == expected


def test_every_mistake_of_northbridge_is_named(case: Case) -> None:
    assert len(case.counterfactuals) == 8
    assert case_problems(case) == []


def test_more_than_staged_goes_up_to_the_request_and_no_further(case: Case) -> None:
    # 447105: requested 150, staged 120, picked 160
    over = picked(case, 447105, quantity=160)
    assert answers(case, with_picks(case.facts, over)) == [6, 3, 2440, 2, Decimal("1867.50")]
    # where increases are not wanted the line stays at 120: 30 x 2.33 = 69.90 less, one correction less
    kept = with_picks(case.facts, over, increase_to_requested=False)
    assert answers(case, kept) == [6, 2, 2440, 2, Decimal("1797.60")]


def test_an_agreement_lifts_the_request_by_its_percentage_rounded_down(case: Case) -> None:
    # 5 % of 150 is 7.5: 157 of the 160 ship, 157 x 2.33 = 365.81
    agreement = DeliveryAgreement(
        source="MSG-NBR-DELIVERY-AGREEMENT-E1", issued=dt.datetime(2026, 1, 2, tzinfo=dt.UTC), edition=1, over_percent=5
    )
    facts = changed(with_picks(case.facts, picked(case, 447105, quantity=160)), agreements=(agreement,))
    assert answers(case, facts) == [6, 3, 2440, 2, Decimal("1883.81")]


def test_a_recount_counts_for_its_lines_alone(case: Case) -> None:
    # 447101 at 990 instead of 960: 30 fewer removed, 30 x 0.80 more
    again = picked(case, 447101, quantity=990)
    recount = Recount(
        source="MSG-NBR-RECOUNT-0208", issued=dt.datetime(2026, 2, 8, 23, tzinfo=dt.UTC), counted_by="A", lines=(again,)
    )
    assert answers(case, changed(case.facts, recount=recount)) == [6, 3, 2410, 2, Decimal("1891.50")]


def test_two_counts_hold_a_line(case: Case) -> None:
    # 447101 goes to zero: 960 more removed, 768 less, one correction less
    disputed = picked(case, 447101, second=1000)
    assert answers(case, with_picks(case.facts, disputed)) == [6, 2, 3400, 3, Decimal("1099.50")]
    assert answers(case, with_picks(case.facts, picked(case, 447101, second=960))) == [
        6,
        3,
        2440,
        2,
        Decimal("1867.50"),
    ]


def test_unsigned_lines_stop_the_shipment_but_not_the_other_one(case: Case) -> None:
    confirmations = tuple(
        entry.model_copy(update={"unsigned": (case.facts.task.number,)}) if entry.medium == "drive" else entry
        for entry in case.facts.confirmations
    )
    stopped = trial(case, changed(case.facts, confirmations=confirmations))
    gold = stopped.gold
    assert (gold.option, gold.status) == ("stop_for_recount", "not_changed")
    assert (gold.obstacle, gold.writes, gold.primary) == ("FILE-NBR-PICK-CONFIRMATION-0208", (), None)
    assert gold.answers == case.gold.answers
    assert named(stopped, "other_shipment").option == "correct_lines_to_pick"
    for name in ("superseded_pick_confirmation", "shipment_as_staged", "ignores_signature"):
        assert named(stopped, name).writes


def test_the_oracle_is_strict_and_doing_nothing_scores_nothing(task: Path, case: Case) -> None:
    verdict = played_outcome(task, case)
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())
    assert len(build_plan(case).calls) == 31
    assert played(task, ()).score == 0


def test_answers_alone_score_28(task: Path, case: Case) -> None:
    calls = (build_plan(case).calls[0], *submit_calls(case, case.gold))
    assert played(task, calls).score == 28


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("superseded_pick_confirmation", 42),
        ("superseded_lot_status", 47),
        ("other_shipment", 29),
        ("shipment_as_staged", 37),
    ],
)
def test_each_mistake_is_played_without_a_refusal_and_scores_as_reckoned(
    task: Path, case: Case, name: str, score: int
) -> None:
    assert played_outcome(task, case, named(case, name)).score == score


@pytest.mark.parametrize(
    ("line", "changes", "failed"),
    [
        (447106, {"Comments": " "}, (24,)),
        (447105, {"Comments": ""}, (24,)),
        (447105, {"ShippedQuantity": 149}, (23, 24, 25, 26, 27, 28, 29)),
    ],
)
def test_a_slip_on_a_line_fails_what_it_should(
    task: Path, case: Case, line: int, changes: dict[str, Any], failed: tuple[int, ...]
) -> None:
    assert _slipped(task, case, line, changes).failed == failed


def _slipped(task: Path, case: Case, line: int, changes: dict[str, Any]) -> Verdict:
    calls = [
        call.model_copy(update={"arguments": {**call.arguments, **changes}})
        if call.arguments.get("ShipmentLine") == line
        else call
        for call in build_plan(case).calls
    ]
    return played(task, calls)


def test_a_comment_on_a_line_that_is_right_already_is_one_line_too_many(task: Path, case: Case) -> None:
    calls = list(build_plan(case).calls)
    place = next(index for index, call in enumerate(calls) if call.stage == "execute")
    extra = calls[place].model_copy(
        update={
            "arguments": {
                "task_id": case.task_id,
                "ShipmentLine": 447102,
                "ShippedQuantity": 600,
                "Comments": "counted, as staged",
            }
        }
    )
    calls.insert(place, extra)
    assert played(task, calls).failed == (23,)


def test_reads_have_routes_of_their_own(case: Case) -> None:
    checks = [criterion.check for criterion in build_contract(case, "0" * 64).criteria[:15]]
    for first, second in combinations(checks, 2):
        assert isinstance(first, Seen)
        assert isinstance(second, Seen)
        for one, other in ((first, second), (second, first)):
            opened = set(map(str, one.any[0]))
            assert not any(set(map(str, route)) <= opened for route in other.any)


def test_request_and_contract_give_nothing_away(case: Case) -> None:
    request = build_request(case)
    assert "CA-PO-76981" in request
    assert not any(character.isdigit() for character in request.replace("CA-PO-76981", ""))
    shown = str(build_view(case))
    for text in (request, shown):
        assert not any(token in text for token in ("SHP-NBR", "4471", "2440", "1867", "FILE-NBR", "MSG-NBR"))


def test_slots_decline_at_the_third_and_spread_the_options() -> None:
    options = Counter(option for _, option, _ in VARIANTS.values())
    assert SLOTS[2] == "unsigned_confirmation"
    assert options == {
        "correct_lines_to_pick": 5,
        "correct_and_hold_exceptions": 4,
        "stop_for_recount": 1,
    }


@each_profile
@pytest.mark.parametrize("variant", SLOTS)
def test_draws_are_fair(profile: TenantProfile, variant: str) -> None:
    for seed in range(10 if profile.number else 100):
        facts = draw(profile, variant, Random(f"{profile.code} {variant} {seed}"))
        case = trial_case(ID, TASK, outcome, records.records, profile, facts)
        assert case_problems(case) == []
        assert case.gold.option == VARIANTS[variant][1]
        assert len(case.gold.writes) <= 6
        mistakes = [c for c in case.counterfactuals if c.kind != "ignored_rule"]
        assert not any(stands(case.gold, c.outcome) for c in mistakes)


@each_profile
def test_drawn_numbers_keep_to_the_families_ranges(profile: TenantProfile) -> None:
    for variant in SLOTS:
        facts = draw(profile, variant, Random(f"ranges {variant}"))
        orders = [shipment.order.number for shipment in facts.shipments]
        assert all(number.startswith(f"SO-{profile.code}-41") for number in orders)
        lines = [line.id for shipment in facts.shipments for line in shipment.lines]
        assert len({*orders}) == len(orders)
        assert len({*lines}) == len(lines)
        assert all(entry.issued < profile.as_of for entry in facts.confirmations)


def test_no_answer_is_the_same_in_more_than_half_of_the_slots() -> None:
    for seed in range(20):
        figures = [
            trial_case(
                ID, TASK, outcome, records.records, profile, draw(profile, SLOTS[profile.number], Random(f"{seed}"))
            ).gold.answers
            for profile in profiles()
        ]
        for name in figures[0]:
            assert Counter(answer[name] for answer in figures).most_common(1)[0][1] <= len(figures) / 2, name


def test_the_same_stream_draws_the_same_facts() -> None:
    profile = profiles()[0]
    assert draw(profile, "partial_release", Random("a")) == draw(profile, "partial_release", Random("a"))


@pytest.mark.parametrize("variant", ["unsigned_confirmation", "agreed_surplus", "disputed_counts"])
def test_a_drawn_task_is_strict_for_the_oracle(northbridge: Tenant, variant: str, tmp_path: Path) -> None:
    facts = {**northbridge.facts, ID: draw(northbridge.profile, variant, Random("played"))}
    stage = stage_of(northbridge.model_copy(update={"facts": facts}))
    task, case = stage.render(ID, tmp_path), stage.case(ID)
    verdict = played_outcome(task, case)
    assert (verdict.score, verdict.failed) == (100, ())
    assert 25 <= len(build_plan(case).calls) <= 32
    for wrong in case.counterfactuals:
        bound = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}.get(wrong.kind, 99)
        assert played_outcome(task, case, wrong.outcome).score <= bound, wrong.name


def test_the_family_is_wired() -> None:
    found = family(ID)
    assert (found.task, found.outcome, found.draw, found.slots) == (TASK, outcome, draw, SLOTS)
