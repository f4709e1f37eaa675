"""Receivables collection, drawn: slots, fairness, ledgers and advices that hold together, and a task as played."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from generator.families import family
from generator.families.acceptance import trial_case
from generator.families.receivables_collection import records
from generator.families.receivables_collection.draw import MOST_OPEN, SLOTS, VARIANTS, draw
from generator.families.receivables_collection.outcome import outcome
from generator.families.receivables_collection.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.tenant import Tenant, TenantProfile
from generator.tasks.plan import build_plan
from tests.episode_fixture import played_outcome, profiles, stage_of, written_northbridge

ID = "receivables_collection"
ACCOUNT = "CUST-10412"
each_profile = pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)


@pytest.fixture(scope="module")
def northbridge() -> Tenant:
    return written_northbridge()


def test_slots_decline_at_the_fourth_and_spread_the_options() -> None:
    options = Counter(option for _, option, _ in VARIANTS.values())
    assert SLOTS[3] == "unknown_payer"
    assert options == {
        "apply_receipt_terms_continue": 5,
        "apply_receipt_recommend_hold": 4,
        "stop_return_for_clarification": 1,
    }


@each_profile
@pytest.mark.parametrize("variant", SLOTS)
def test_draws_are_fair(profile: TenantProfile, variant: str) -> None:
    for seed in range(10 if profile.number else 100):
        facts = draw(profile, variant, Random(f"{profile.code} {variant} {seed}"))
        case = trial_case(ID, TASK, outcome, records.records, profile, facts)
        assert case_problems(case) == []
        assert case.gold.option == VARIANTS[variant][1]


@each_profile
def test_drawn_ledgers_hold_together(profile: TenantProfile) -> None:
    for variant in SLOTS:
        facts = draw(profile, variant, Random(f"ledger {variant}"))
        own = facts.of_account(facts.task.account)
        numbers = [entry.number for entry in facts.transactions]
        ids = [entry.id for entry in facts.transactions]
        assert len({*numbers}) == len(numbers)
        assert len({*ids}) == len(ids)
        assert all(510000 <= id < 511000 for id in ids)
        assert [entry.dated for entry in own] == sorted(entry.dated for entry in own)
        receipts = [receipt.id for receipt in facts.receipts]
        assert len({*receipts}) == len(receipts)
        assert max(receipts) < profile.sequences["standard_receipts"][1]
        for receipt in facts.receipts:
            for applied in receipt.applied:
                entry = facts.transaction(applied.transaction)
                assert entry.amount - applied.amount == entry.balance
        limit = profile.customer(facts.task.account).credit_limit
        assert sum(entry.balance for entry in own) <= MOST_OPEN * limit


@each_profile
def test_drawn_advices_add_up_and_fall_into_open_periods(profile: TenantProfile) -> None:
    period = next(p for p in profile.periods if p.application == "receivables" and p.status == "Open")
    for variant in SLOTS:
        facts = draw(profile, variant, Random(f"advice {variant}"))
        for advice in facts.advices:
            kinds = {line.transaction: facts.transaction(line.transaction).kind for line in advice.lines}
            signed = [-line.paid if kinds[line.transaction] == "Credit Memo" else line.paid for line in advice.lines]
            assert sum(signed) == advice.amount
            assert period.start <= advice.value_date <= period.end
            assert advice.value_date < profile.today


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
    assert draw(profile, "small_rests", Random("a")) == draw(profile, "small_rests", Random("a"))


@pytest.mark.parametrize("variant", ["unknown_payer", "provisional_memo", "paid_before", "dispute_decided"])
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
