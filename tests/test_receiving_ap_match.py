"""The outcome of Great Lakes' delivery and invoice, each figure worked out by hand from the papers; drawn matches."""

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from generator.families import family
from generator.families.acceptance import trial_case
from generator.families.base import Rows
from generator.families.receiving_ap_match.draw import SLOTS, VARIANTS, draw
from generator.families.receiving_ap_match.facts import BilledLine, Facts, ManualEntries, ManualEntry
from generator.families.receiving_ap_match.outcome import outcome, unbilled, within_tolerance
from generator.families.receiving_ap_match.records import records
from generator.families.receiving_ap_match.task import TASK
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Outcome
from generator.spec.contract import Seen
from generator.spec.source import Memo, Source, in_force
from generator.spec.streams import stream
from generator.spec.tenant import Tenant, TenantProfile
from generator.tasks.case import build_case, find_case
from generator.tasks.criteria import build_contract
from generator.tasks.plan import build_plan
from generator.tasks.room import build_request
from generator.worlds.rows import tenant_rows
from tests.episode_fixture import Stage, played, played_outcome, profiles, stage_of

FAMILY = "receiving_ap_match"
BOUNDS = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}
Figures = list[int | Decimal]


@pytest.fixture(scope="module")
def case(northbridge: Tenant) -> Case:
    return find_case([northbridge], "erpbench-005")


@pytest.fixture(scope="module")
def facts(case: Case) -> Facts:
    assert isinstance(case.facts, Facts)
    return case.facts


@pytest.fixture(scope="module")
def rows(northbridge: Tenant) -> Rows:
    return tenant_rows(northbridge)


def counterfactual(case: Case, name: str) -> Counterfactual:
    return next(c for c in case.counterfactuals if c.name == name)


def holds(result: Outcome) -> list[str]:
    return [w.arguments["HoldName"] for w in result.writes if w.tool == "oracle_fusion.invoice_holds.create"]


def with_policy(facts: Facts, **changes: object) -> Facts:
    policies = tuple(p.model_copy(update=changes) if p.medium == "drive" else p for p in facts.policies)
    return facts.model_copy(update={"policies": policies})


def billing(facts: Facts, *lines: BilledLine) -> Facts:
    invoice = facts.task.invoice.model_copy(update={"lines": lines})
    return facts.model_copy(update={"task": facts.task.model_copy(update={"invoice": invoice})})


def judged(tenant: Tenant, facts: Facts, rows: Rows) -> Outcome:
    return outcome(tenant, facts, rows, TASK.judgement(tenant, facts))


def test_gold_holds_wire_twice_and_freight_and_pays_nothing(case: Case) -> None:
    # matched: 1,200 x 0.42 + 12 x 75.60; variance: 7,712.20 - (40 x 86.40 + 22 x 108 + 1,200 x 0.42 + 12 x 74.50)
    assert list(case.gold.answers.values()) == [2, Decimal("1411.20"), Decimal("482.20"), 3, Decimal("0.00")]
    assert (case.gold.option, case.gold.status) == ("receive_and_hold_variance", "on_hold_variance")
    assert case.gold.operative == "FILE-NBR-DELIVERY-NOTE-0206"
    assert holds(case.gold) == ["PRICE_VARIANCE", "QUANTITY_VARIANCE", "LINE_NOT_ON_ORDER"]
    receipt, invoice = case.gold.writes[:2]
    assert [line["Quantity"] for line in receipt.arguments["lines"]] == [40, 22, 1200, 12]
    assert invoice.arguments["InvoiceAmount"] == Decimal("7712.20")
    assert [line["Quantity"] for line in invoice.arguments["invoiceLines"]] == [40, 25, 1200, 12, 1]


@pytest.mark.parametrize(
    ("name", "figures", "option", "held"),
    [
        (  # 25 coils of wire taken for accepted
            "superseded_delivery_note",
            [3, Decimal("4111.20"), Decimal("158.20"), 2, Decimal("0.00")],
            "receive_and_hold_variance",
            ["PRICE_VARIANCE", "LINE_NOT_ON_ORDER"],
        ),
        (  # 3 % and 75.00: the first wire passes
            "superseded_match_policy",
            [3, Decimal("4927.20"), Decimal("482.20"), 2, Decimal("0.00")],
            "receive_and_hold_variance",
            ["QUANTITY_VARIANCE", "LINE_NOT_ON_ORDER"],
        ),
        (  # 30 x 11.20 + 18 x 17.00 + 6 x 23.00
            "invoice_of_the_same_number",
            [3, Decimal("780.00"), Decimal("4.50"), 0, Decimal("780.00")],
            "receive_and_validate",
            [],
        ),
        (
            "invoice_as_received",
            [5, Decimal("7712.20"), Decimal("0.00"), 0, Decimal("7712.20")],
            "enter_as_invoiced",
            [],
        ),
        (
            "ignores_price_tolerance",
            [1, Decimal("504.00"), Decimal("482.20"), 4, Decimal("0.00")],
            "receive_and_hold_variance",
            ["PRICE_VARIANCE", "QUANTITY_VARIANCE", "LINE_NOT_ON_ORDER"],
        ),
        (
            "ignores_charges",
            [3, Decimal("1496.20"), Decimal("482.20"), 2, Decimal("0.00")],
            "receive_and_hold_variance",
            ["PRICE_VARIANCE", "QUANTITY_VARIANCE"],
        ),
    ],
)
def test_mistakes_carried_through(case: Case, name: str, figures: Figures, option: str, held: list[str]) -> None:
    wrong = counterfactual(case, name).outcome
    assert (list(wrong.answers.values()), wrong.option, holds(wrong)) == (figures, option, held)


def test_accepted_unbilled_takes_in_what_came_before_less_what_was_billed(facts: Facts, rows: Rows) -> None:
    assert unbilled(facts.task, rows, 1, 40) == 40  # 20 received and billed in January
    assert unbilled(facts.task, rows, 1, 40, frozenset({"billed_before"})) == 60
    assert unbilled(facts.task, rows, 2, 22) == 22


@pytest.mark.parametrize(
    ("billed", "quantity", "both", "one"),
    # 2 % of 50.00 is 1.00, and 40.00 for the line
    [
        ("51.00", 40, True, True),
        ("51.00", 41, False, True),
        ("51.01", 20, False, True),
        ("49.00", 40, True, True),
        ("51.01", 41, False, False),
    ],
)
def test_tolerance_has_two_bounds(facts: Facts, billed: str, quantity: int, both: bool, one: bool) -> None:
    lower, higher = facts.policy, facts.policy.model_copy(update={"lower": False})
    assert within_tolerance(lower, Decimal("50.00"), Decimal(billed), quantity) is both
    assert within_tolerance(higher, Decimal("50.00"), Decimal(billed), quantity) is one


@pytest.mark.parametrize(("cap", "matched", "held"), [("85.00", 3, 2), ("84.99", 2, 3)])
def test_a_charge_at_the_cap_is_matched_and_one_cent_over_is_not(
    northbridge: Tenant, facts: Facts, rows: Rows, cap: str, matched: int, held: int
) -> None:
    answers = judged(northbridge, with_policy(facts, charge_cap=Decimal(cap)), rows).answers
    assert (answers["lines_matched"], answers["held_lines"]) == (matched, held)
    assert answers["variance_amount"] == Decimal("482.20")


def test_under_part_payment_the_matched_lines_are_payable(northbridge: Tenant, facts: Facts, rows: Rows) -> None:
    answers = judged(northbridge, with_policy(facts, pays_in_part=True), rows).answers
    assert answers["payable_amount"] == Decimal("1411.20")


def test_packs_are_matched_and_entered_in_the_orders_unit(northbridge: Tenant, facts: Facts, rows: Rows) -> None:
    cartons = BilledLine(order_line=3, quantity=12, unit_price=Decimal("42.00"), unit="pack", content=100)
    result = judged(northbridge, billing(facts, cartons), rows)
    assert list(result.answers.values()) == [1, Decimal("504.00"), Decimal("0.00"), 0, Decimal("504.00")]
    (line,) = result.writes[1].arguments["invoiceLines"]
    assert (line["Quantity"], line["UnitPrice"]) == (1200, Decimal("0.42"))
    assert [write.tool.rsplit(".", 2)[1:] for write in result.writes] == [
        ["receiving_receipt_requests", "create"],
        ["invoices", "create"],
        ["invoices", "validate"],
    ]


def test_a_corrected_invoice_takes_the_place_of_the_first(northbridge: Tenant, facts: Facts, rows: Rows) -> None:
    lines = (BilledLine(order_line=2, quantity=22, unit_price=Decimal("108.00")),)
    corrected = facts.task.invoice.model_copy(update={"source": "MSG-NBR-C", "medium": "mail", "lines": lines})
    task = facts.task.model_copy(update={"corrected": corrected})
    result = judged(northbridge, facts.model_copy(update={"task": task}), rows)
    assert list(result.answers.values()) == [1, Decimal("2376.00"), Decimal("0.00"), 0, Decimal("2376.00")]


@pytest.mark.parametrize(("typed", "supplier", "returned"), [
    ("INV20260418", "SUP-20115", True),
    ("inv 2026/0418", "SUP-20115", True),
    ("INV20260418", "SUP-20140", False),
    ("INV20260419", "SUP-20115", False),
])
def test_what_was_entered_before_goes_back(
    northbridge: Tenant, facts: Facts, rows: Rows, typed: str, supplier: str, returned: bool
) -> None:
    entry = ManualEntry(
        id=640170,
        number=typed,
        supplier=supplier,
        dated=facts.task.invoice.dated,
        created=facts.task.invoice.received,
        amount=Decimal("7712.20"),
        description="Goods",
    )
    listed = ManualEntries(source="MSG-NBR-MANUAL", listed=facts.task.invoice.received, entries=(entry,))
    result = judged(northbridge, facts.model_copy(update={"manual_entries": listed}), rows)
    assert list(result.answers.values()) == [2, Decimal("1411.20"), Decimal("482.20"), 3, Decimal("0.00")]
    if returned:
        assert (result.option, result.status, result.writes) == ("return_invoice_unentered", "not_entered", ())
        assert (result.obstacle, result.cited, result.primary) == ("MSG-NBR-MANUAL", ("MSG-NBR-MANUAL",), None)
    else:
        assert (result.option, result.obstacle) == ("receive_and_hold_variance", None)


def test_the_request_names_no_value_of_the_answer(case: Case) -> None:
    request = build_request(case)
    assert "Great Lakes Wire Products" in request
    assert not any(character.isdigit() for character in request)
    assert not any(token in request for token in ("FILE-", "MSG-", "receive_and", "oracle_fusion", "erpbench"))


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


def test_the_oracle_makes_32_calls(case: Case) -> None:
    assert len(build_plan(case).calls) == 32


def play_all(stage: Stage, folder: Path) -> None:
    case, task = stage.case(FAMILY), stage.render(FAMILY, folder)
    assert case_problems(case) == []
    assert played(task, ()).score == 0
    oracle = played_outcome(task, case)
    assert (oracle.score, oracle.strict) == (100, True)
    for wrong in case.counterfactuals:
        verdict = played_outcome(task, case, wrong.outcome)
        assert verdict.score <= BOUNDS.get(wrong.kind, 99), wrong.name


def test_episodes_stay_within_their_bounds(northbridge: Tenant, tmp_path: Path) -> None:
    play_all(stage_of(northbridge), tmp_path)


def drawn_tenant(northbridge: Tenant, variant: str, number: int) -> Tenant:
    drawn = draw(northbridge.profile, variant, stream(number, FAMILY, variant))
    return northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY: drawn}})


@pytest.mark.parametrize("variant", ["entered_before", "billed_in_packs"])
def test_drawn_episodes_stay_within_their_bounds(northbridge: Tenant, tmp_path: Path, variant: str) -> None:
    play_all(stage_of(drawn_tenant(northbridge, variant, 7)), tmp_path)


@pytest.mark.parametrize("extra", ["validate", "hold"])
def test_what_is_done_to_the_invoice_afterwards_costs_the_secondary_state_alone(
    northbridge: Tenant, tmp_path: Path, extra: str
) -> None:
    """Validating a held invoice, and holding one that is clean."""
    variant = "cap_decides" if extra == "validate" else "higher_bound"
    stage = stage_of(drawn_tenant(northbridge, variant, 11))
    case, task = stage.case(FAMILY), stage.render(FAMILY, tmp_path)
    calls = list(build_plan(case).calls)
    last = max(place for place, call in enumerate(calls) if call.stage == "execute")
    done = calls[last]
    invoice = next(call for call in calls if call.tool == "oracle_fusion.invoices.create").arguments
    named = {key: invoice[key] for key in ("task_id", "BusinessUnit", "Supplier", "InvoiceNumber")}
    held = {
        "task_id": case.task_id,
        "InvoiceId": northbridge.profile.sequences["invoices"][1],
        "HoldName": "PRICE_VARIANCE",
        "HoldReason": "To be safe",
    }
    arguments = {**named, "ProcessAction": "Validate"} if extra == "validate" else held
    tool = "oracle_fusion.invoices.validate" if extra == "validate" else "oracle_fusion.invoice_holds.create"
    calls.insert(last + 1, done.model_copy(update={"tool": tool, "arguments": arguments, "keep": {}}))
    verdict = played(task, calls)
    assert verdict.failed == (24,)


def test_slots_have_the_options_that_the_dataset_wants() -> None:
    options = Counter(VARIANTS[variant].option for variant in SLOTS)
    assert len(SLOTS) == 10
    assert options == {"receive_and_validate": 5, "receive_and_hold_variance": 4, "return_invoice_unentered": 1}
    assert VARIANTS[SLOTS[5]].option == "return_invoice_unentered"


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
    tenant = drawn_tenant(northbridge, variant, 3)
    rows = tenant_rows(tenant)
    case = build_case(tenant, family(FAMILY), rows)
    assert case_problems(case) == []
    orders = [row["OrderNumber"] for row in rows["purchase_orders"]]
    assert len(orders) == len(set(orders))
    ids = [row["InvoiceId"] for row in rows["invoices"]]
    assert len(ids) == len(set(ids))
    assert max(ids) < tenant.profile.sequences["invoices"][1]
    for name, keys in reads_of(case):
        assert keys, name
    assert 25 <= len(build_plan(case).calls) <= 32


def test_the_release_repeats_no_answer_in_more_than_half_of_its_slots() -> None:
    found = [trial(profile, SLOTS[profile.number], 100).gold.answers for profile in profiles()]
    for field in found[0]:
        assert Counter(answers[field] for answers in found).most_common(1)[0][1] <= 5, field


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)
def test_the_sources_judged_right_are_those_in_force(profile: TenantProfile) -> None:
    for variant in SLOTS:
        drawn = draw(profile, variant, stream(5, profile.code, FAMILY, variant))
        tenant = Tenant(profile=profile, facts={FAMILY: drawn})
        found = family(FAMILY).sources(tenant, drawn)
        memo = Memo("MEMO", profile.today, tuple(source.id for source in found if source.memo_name))
        for subject, id in TASK.judgement(tenant, drawn).sources.items():
            source = in_force(subject, profile.today, found, [memo], ())
            assert isinstance(source, Source)
            assert source.id == id
