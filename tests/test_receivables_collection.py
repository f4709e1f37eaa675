"""Receivables collection: Northbridge's figures worked out by hand, each rule alone, the task as played."""

import datetime as dt
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from generator.families.acceptance import trial_case
from generator.families.receivables_collection import records
from generator.families.receivables_collection.facts import (
    Advice,
    AdviceLine,
    BankNotice,
    Dispute,
    DisputeList,
    Facts,
)
from generator.families.receivables_collection.outcome import outcome
from generator.families.receivables_collection.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Outcome
from generator.spec.contract import Seen
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant
from generator.tasks.criteria import build_contract
from generator.tasks.plan import build_plan, submit_calls
from generator.tasks.room import build_request
from generator.tasks.view import build_view
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of, written_northbridge

ID = "receivables_collection"
ACCOUNT = "CUST-10412"
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
    return staged.render(ID, tmp_path_factory.mktemp("receivables"))


def named(case: Case, name: str) -> Outcome:
    return next(c.outcome for c in case.counterfactuals if c.name == name)


def trial(case: Case, facts: Facts) -> Case:
    return trial_case(ID, TASK, outcome, records.records, case.tenant.profile, facts)


def answers(case: Case, facts: Facts) -> list[Any]:
    return list(trial(case, facts).gold.answers.values())


def with_advice(facts: Facts, **changes: Any) -> Facts:
    advices = tuple(
        entry.model_copy(update=changes) if entry.source == facts.task.advice else entry for entry in facts.advices
    )
    return facts.model_copy(update={"advices": advices})


def with_lines(facts: Facts, *lines: AdviceLine) -> Facts:
    """The advice in force with these lines in the place of those of the same transactions."""
    new = {line.transaction: line for line in lines}
    advice: Advice = facts.advice(facts.task.advice)
    kept = tuple(new.get(line.transaction, line) for line in advice.lines)
    more = tuple(line for line in lines if line.transaction not in {old.transaction for old in advice.lines})
    return with_advice(facts, lines=(*kept, *more))


def with_transaction(facts: Facts, number: str, **changes: Any) -> Facts:
    entries = tuple(
        entry.model_copy(update=changes) if entry.number == number else entry for entry in facts.transactions
    )
    return facts.model_copy(update={"transactions": entries})


def with_policy(facts: Facts, **changes: Any) -> Facts:
    policies = tuple(entry.model_copy(update=changes) if entry.medium == "drive" else entry for entry in facts.policies)
    return facts.model_copy(update={"policies": policies})


def references(outcome: Outcome) -> list[tuple[str, str, Decimal]]:
    rows = outcome.writes[0].arguments["remittanceReferences"]
    return [(row["ReferenceType"], row["ReferenceNumber"], row["ApplyAmount"]) for row in rows]


def test_gold_settles_two_invoices_and_leaves_6145_60_past_due(case: Case) -> None:
    # 5900.00 of the claim and 245.60 of the late discount; due 2026-01-18, 22 days; 6145.60 of 180000
    gold = case.gold
    assert list(gold.answers.values()) == [Decimal("66436.00"), 2, Decimal("6145.60"), 22, Decimal("3.41")]
    assert (gold.option, gold.status) == ("apply_receipt_terms_continue", "applied_in_terms")
    assert (gold.operative, gold.cited, gold.obstacle) == ("FILE-NBR-REMITTANCE-0206", (), None)
    assert references(gold) == [
        ("Invoice", "INV-NBR-88012", Decimal("18400.00")),
        ("Invoice", "INV-NBR-88031", Decimal("14250.00")),
        ("Invoice", "INV-NBR-88058", Decimal("12034.40")),
        ("Invoice", "INV-NBR-88126", Decimal("22951.60")),
        ("Discount", "INV-NBR-88126", Decimal("468.40")),
        ("Credit Memo", "CM-NBR-2207", Decimal("1200.00")),
    ]
    assert {k: v for k, v in gold.writes[0].arguments.items() if k != "remittanceReferences"} == {
        "ReceiptNumber": "ACH-260206-4418",
        "CustomerAccountNumber": ACCOUNT,
        "ReceiptAmount": Decimal("66436.00"),
        "ReceiptDate": "2026-02-06",
        "ReceiptMethod": "ACH Lockbox",
        "BusinessUnit": "Northbridge US BU",
        "Currency": "USD",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("superseded_remittance", ["50830.00", 3, "0.00", 0, "0.00"]),
        ("superseded_credit_policy", ["66436.00", 3, "5900.00", 22, "3.28"]),
        ("remittance_as_listed", ["66436.00", 4, "0.00", 0, "0.00"]),
        ("namesake_account", ["4310.00", 1, "2180.00", 9, "5.45"]),
        # the late discount alone is left: due 2026-02-07, 245.60 of 180000
        ("ignores_claims", ["66436.00", 3, "245.60", 2, "0.14"]),
        ("ignores_discount_date", ["66436.00", 3, "5900.00", 22, "3.28"]),
    ],
)
def test_each_mistake_comes_to_its_own_figures(case: Case, name: str, expected: list[Any]) -> None:
    assert list(named(case, name).answers.values()) == [Decimal(v) if isinstance(v, str) else v for v in expected]


def test_every_mistake_of_northbridge_is_named(case: Case) -> None:
    assert len(case.counterfactuals) == 6
    assert case_problems(case) == []


def test_a_discount_is_allowed_on_its_last_day_and_not_after(case: Case) -> None:
    # INV-NBR-88126 is of 2026-01-29, so its discount runs to 2026-02-08
    kept = with_advice(case.facts, value_date=dt.date(2026, 2, 8))
    late = with_advice(case.facts, value_date=dt.date(2026, 2, 9))
    assert answers(case, kept)[1:3] == [2, Decimal("6145.60")]
    assert answers(case, late)[1:3] == [1, Decimal("6145.60")]  # open, though not past due


def test_no_more_discount_than_the_terms_give(case: Case) -> None:
    line = AdviceLine(transaction="INV-NBR-88126", paid=Decimal("22900.00"), discount=Decimal("520.00"))
    found = trial(case, with_lines(case.facts, line)).gold
    assert ("Discount", "INV-NBR-88126", Decimal("468.40")) in references(found)
    assert found.answers["invoices_settled"] == 1


def test_a_hold_is_recommended_above_either_bound_and_not_at_it(case: Case) -> None:
    """Past due is 6145.60 of 180000, 3.414... percent, the oldest 22 days."""

    def option(**bounds: Any) -> str:
        return trial(case, with_policy(case.facts, **bounds)).gold.option

    assert option(hold_above_days=22) == "apply_receipt_terms_continue"
    assert option(hold_above_days=21) == "apply_receipt_recommend_hold"
    assert option(hold_above_pct=Decimal("3.42")) == "apply_receipt_terms_continue"
    assert option(hold_above_pct=Decimal("3.41")) == "apply_receipt_recommend_hold"
    assert trial(case, with_policy(case.facts, hold_above_days=21)).gold.status == "applied_hold_recommended"


def test_a_provisional_memo_is_not_netted_and_its_invoice_gets_less(case: Case) -> None:
    # 1200 less on INV-NBR-88012, due 2026-01-11: 29 days, 7345.60 of 180000
    facts = with_lines(
        with_transaction(case.facts, "CM-NBR-2207", provisional=True),
        AdviceLine(transaction="CM-NBR-2207", paid=Decimal("1200.00"), against="INV-NBR-88012"),
    )
    found = trial(case, facts).gold
    assert list(found.answers.values()) == [Decimal("66436.00"), 1, Decimal("7345.60"), 29, Decimal("4.08")]
    assert ("Invoice", "INV-NBR-88012", Decimal("17200.00")) in references(found)
    assert not any(kind == "Credit Memo" for kind, _, _ in references(found))


def test_money_for_a_paid_invoice_is_not_applied(case: Case) -> None:
    line = AdviceLine(transaction="INV-NBR-87960", paid=Decimal("9870.00"))
    facts = with_advice(with_lines(case.facts, line), amount=Decimal("76306.00"))
    found = trial(case, facts).gold
    assert list(found.answers.values()) == [Decimal("76306.00"), 2, Decimal("6145.60"), 22, Decimal("3.41")]
    assert "INV-NBR-87960" not in {number for _, number, _ in references(found)}


def test_a_rest_inside_the_tolerance_stays_open_unless_the_desk_may_write_it_off(case: Case) -> None:
    short = with_lines(case.facts, AdviceLine(transaction="INV-NBR-88012", paid=Decimal("18380.00")))
    # 20 more past due since 2026-01-11: 6165.60 of 180000 is 3.425...
    assert answers(case, short)[1:] == [1, Decimal("6165.60"), 29, Decimal("3.43")]
    assert answers(case, with_policy(short, desk_writes_off=True))[1:] == [2, Decimal("6145.60"), 22, Decimal("3.41")]


@pytest.mark.parametrize(
    ("decided", "expected"),
    [(None, [Decimal("245.60"), 2]), (dt.date(2026, 2, 6), [Decimal("6145.60"), 22])],
)
def test_an_open_dispute_is_left_out_until_it_is_decided(case: Case, decided: Any, expected: list[Any]) -> None:
    dispute = Dispute(
        transaction="INV-NBR-88031", raised=dt.date(2026, 1, 10), reason="price not agreed", decided=decided
    )
    listed = DisputeList(
        source="MSG-NBR-DISPUTES-0206", issued=dt.datetime(2026, 2, 6, tzinfo=dt.UTC), disputes=(dispute,)
    )
    assert answers(case, case.facts.model_copy(update={"disputes": listed}))[2:4] == expected


def test_an_unknown_payer_stops_the_payment_and_nothing_else(case: Case) -> None:
    notice = BankNotice(
        source="MSG-NBR-BANK-NOTICE-0206",
        issued=dt.datetime(2026, 2, 6, 20, tzinfo=dt.UTC),
        reference="ACH-260206-4418",
        ordering_party="Orvale Clearing Services",
    )
    stopped = trial(case, case.facts.model_copy(update={"bank_notice": notice}))
    gold = stopped.gold
    assert (gold.option, gold.status) == ("stop_return_for_clarification", "not_applied")
    assert (gold.obstacle, gold.cited) == ("MSG-NBR-BANK-NOTICE-0206", ("MSG-NBR-BANK-NOTICE-0206",))
    assert (gold.writes, gold.primary) == ((), None)
    assert gold.answers == case.gold.answers
    for name in ("superseded_remittance", "namesake_account", "remittance_as_listed", "ignores_unknown_payer"):
        assert named(stopped, name).writes


def test_the_oracle_is_strict_and_doing_nothing_scores_nothing(task: Path, case: Case) -> None:
    verdict = played_outcome(task, case)
    assert (verdict.score, verdict.strict, verdict.failed) == (100, True, ())
    assert len(build_plan(case).calls) == 27
    assert played(task, ()).score == 0


def test_answers_alone_score_28(task: Path, case: Case) -> None:
    assert played(task, (build_plan(case).calls[0], *submit_calls(case, case.gold))).score == 28


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("superseded_remittance", 37),
        ("superseded_credit_policy", 52),
        ("namesake_account", 34),
        ("remittance_as_listed", 37),
    ],
)
def test_each_mistake_is_played_without_a_refusal_and_scores_as_reckoned(
    task: Path, case: Case, name: str, score: int
) -> None:
    assert played_outcome(task, case, named(case, name)).score == score


def test_a_second_receipt_that_writes_the_rest_off_fails_the_secondary_state_alone(task: Path, case: Case) -> None:
    calls = list(build_plan(case).calls)
    place = next(index for index, call in enumerate(calls) if call.stage == "execute")
    first = calls[place]
    second = {
        **first.arguments,
        "ReceiptNumber": "WRITE-OFF-1",
        "ReceiptAmount": 245.60,
        "remittanceReferences": [
            {"ReferenceType": "Invoice", "ReferenceNumber": "INV-NBR-88058", "ApplyAmount": 245.60}
        ],
    }
    calls.insert(place + 1, PlanCall(stage="execute", tool=first.tool, arguments=second))
    assert played(task, calls).failed == (24,)


def test_a_cent_on_one_row_unbinds_the_receipt(task: Path, case: Case) -> None:
    calls = []
    for call in build_plan(case).calls:
        if call.stage == "execute":
            rows = [dict(row) for row in call.arguments["remittanceReferences"]]
            rows[1]["ApplyAmount"] = 14249.99
            call = call.model_copy(update={"arguments": {**call.arguments, "remittanceReferences": rows}})
        calls.append(call)
    assert played(task, calls).failed == (23, 24, 25, 26, 27, 28, 29)


def test_rows_in_another_order_are_the_same_receipt(task: Path, case: Case) -> None:
    calls = [
        call.model_copy(
            update={
                "arguments": {
                    **call.arguments,
                    "remittanceReferences": list(reversed(call.arguments["remittanceReferences"])),
                }
            }
        )
        if call.stage == "execute"
        else call
        for call in build_plan(case).calls
    ]
    assert played(task, calls).strict


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
    assert "Cascade Assembly Inc." in request
    assert not any(character.isdigit() for character in request)
    for text in (request, str(build_view(case))):
        assert not any(
            token in text for token in ("66436", "6145", "ACH-26", "CUST-", "FILE-NBR", "MSG-NBR", "INV-NBR")
        )
