"""The outcome of order import on Northbridge's order, each figure worked out by hand from the sheet."""

from decimal import Decimal

import pytest

from generator.families.order_import.facts import Conversion, Facts, SheetLine
from generator.families.order_import.outcome import exposure, outcome
from generator.spec.case import Case, Counterfactual, Judgement
from generator.spec.tenant import Tenant
from generator.worlds.rows import tenant_rows


def counterfactual(case: Case, name: str) -> Counterfactual:
    return next(c for c in case.counterfactuals if c.name == name)


def with_lines(facts: Facts, *lines: SheetLine) -> Facts:
    sheet = facts.task.sheet.model_copy(update={"lines": lines})
    return facts.model_copy(update={"task": facts.task.model_copy(update={"sheet": sheet})})


def test_gold_is_five_lines_of_3160_units_for_2757_60(case_001: Case) -> None:
    # 1200 x 0.84 + 800 x 1.32 + 640 x 0.19 + 300 x 0.11 + 220 x 2.45 = 1008 + 1056 + 121.60 + 33 + 539
    assert case_001.gold.answers == {
        "accepted_lines": 5,
        "rejected_lines": 3,
        "imported_units": 3160,
        "order_total": Decimal("2757.60"),
        "duplicate_lines": 2,
    }
    assert (case_001.gold.option, case_001.gold.status) == ("import_accepted_lines_and_submit", "submitted")
    assert case_001.gold.operative == "FILE-NBR-ORDER-BATCH-0209"


def test_the_superseded_list_changes_the_total_alone(case_001: Case) -> None:
    # 1200 x 0.80 + 800 x 1.25 + 640 x 0.18 + 300 x 0.10 + 220 x 2.33 = 960 + 1000 + 115.20 + 30 + 512.60
    wrong = counterfactual(case_001, "superseded_price_list").outcome
    assert wrong.answers == {**case_001.gold.answers, "order_total": Decimal("2617.80")}
    assert wrong.option == case_001.gold.option


def test_the_sheet_as_received_has_eight_lines_at_its_own_prices(case_001: Case) -> None:
    # 1068 + 1120 + 128 + 36 + 400.50 + 572 + 143 + 100
    wrong = counterfactual(case_001, "sheet_as_received").outcome
    assert list(wrong.answers.values()) == [8, 0, 4370, Decimal("3567.50"), 0]
    assert wrong.option == "import_all_lines_as_received"


def test_the_namesake_leads_to_another_order_and_five_other_answers(case_001: Case) -> None:
    # 150 x 1.32 + 60 x 2.45 + 480 x 0.11 = 198 + 147 + 52.80
    wrong = counterfactual(case_001, "namesake_customer").outcome
    assert list(wrong.answers.values()) == [3, 0, 690, Decimal("397.80"), 0]
    assert wrong.writes[0].arguments["BuyingPartyNumber"] == "CUST-10421"


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("ignores_earlier_import", [7, 1, 4110, Decimal("3230.60"), 0]),  # + 450 x 0.84 + 500 x 0.19
        ("ignores_item_status", [6, 2, 3420, Decimal("2885.00"), 2]),  # + 260 x 0.49
        ("ignores_price_list", [5, 3, 3160, Decimal("2924.00"), 2]),  # 1068 + 1120 + 128 + 36 + 572
    ],
)
def test_each_ignored_rule_moves_the_figures(case_001: Case, name: str, answers: list[object]) -> None:
    assert list(counterfactual(case_001, name).outcome.answers.values()) == answers


def test_exposure_adds_open_receivables_and_unbilled_orders(northbridge: Tenant, case_001: Case) -> None:
    rows = {
        "receivables_invoices": [
            {"BillToCustomerNumber": "CUST-10412", "InvoiceBalanceAmount": Decimal("100.00")},
            {"BillToCustomerNumber": "CUST-OTHER", "InvoiceBalanceAmount": Decimal("7.00")},
        ],
        "sales_orders": [
            {
                "BuyingPartyNumber": "CUST-10412",
                "SubmittedFlag": True,
                "StatusCode": "Booked",
                "OrderTotal": Decimal("20.00"),
            },
            {
                "BuyingPartyNumber": "CUST-10412",
                "SubmittedFlag": True,
                "StatusCode": "Closed",
                "OrderTotal": Decimal("50.00"),
            },
            {
                "BuyingPartyNumber": "CUST-10412",
                "SubmittedFlag": False,
                "StatusCode": "Booked",
                "OrderTotal": Decimal("9.00"),
            },
        ],
    }
    assert exposure(rows, case_001.facts, "CUST-10412") == Decimal("120.00")


@pytest.mark.parametrize(("limit", "option"), [("2757.60", "submit"), ("2757.59", "hold_for_credit")])
def test_an_order_at_the_limit_is_submitted_and_one_cent_over_is_held(
    northbridge: Tenant, case_001: Case, limit: str, option: str
) -> None:
    customers = tuple(
        c.model_copy(update={"credit_limit": Decimal(limit)}) if c.account == "CUST-10412" else c
        for c in northbridge.profile.customers
    )
    tenant = northbridge.model_copy(update={"profile": northbridge.profile.model_copy(update={"customers": customers})})
    result = outcome(tenant, case_001.facts, {}, case_001.judgement)
    assert result.option.endswith(option)
    assert result.writes[0].arguments["SubmittedFlag"] is (option == "submit")


def test_units_are_converted_and_unknown_units_rejected(northbridge: Tenant, case_001: Case) -> None:
    facts = with_lines(
        case_001.facts,
        SheetLine(line=11, item="WSH-M10-SS", quantity=3, unit_price=Decimal("11.00"), uom="HU"),
        SheetLine(line=12, item="NUT-M8-NYL", quantity=2, unit_price=Decimal("9.00"), uom="BX"),
    ).model_copy(update={"conversions": (Conversion(item="WSH-M10-SS", uom="HU", factor=100),)})
    result = outcome(northbridge, facts, {}, case_001.judgement)
    assert list(result.answers.values()) == [1, 1, 300, Decimal("33.00"), 0]


def test_a_line_repeated_within_the_sheet_is_a_duplicate(northbridge: Tenant, case_001: Case) -> None:
    line = SheetLine(line=21, item="ANC-12-100", quantity=10, unit_price=Decimal("2.60"))
    facts = with_lines(case_001.facts, line, line.model_copy(update={"line": 22}))
    result = outcome(northbridge, facts, {}, case_001.judgement)
    assert list(result.answers.values()) == [1, 1, 10, Decimal("24.50"), 1]


def test_a_discontinued_line_imported_before_counts_as_duplicate(northbridge: Tenant, case_001: Case) -> None:
    earlier = case_001.facts.task.earlier
    assert earlier is not None
    done = earlier.lines[0].model_copy(update={"line": 31, "item": "FST-M6-20-OLD"})
    task = case_001.facts.task.model_copy(update={"earlier": earlier.model_copy(update={"lines": (done,)})})
    facts = with_lines(
        case_001.facts.model_copy(update={"task": task}),
        SheetLine(line=31, item="FST-M6-20-OLD", quantity=5, unit_price=Decimal("0.55")),
    )
    result = outcome(northbridge, facts, {}, case_001.judgement)
    assert list(result.answers.values()) == [0, 1, 0, Decimal("0.00"), 1]


def test_the_judgement_is_all_the_function_depends_on(northbridge: Tenant, case_001: Case) -> None:
    rows = tenant_rows(northbridge)
    again = Judgement(sources=dict(case_001.judgement.sources))
    assert outcome(northbridge, case_001.facts, rows, again) == case_001.gold
