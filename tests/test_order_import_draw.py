"""Orders drawn for every variant: their traps, their documents, and the task played."""

import datetime as dt
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from generator.families.order_import import FAMILY
from generator.families.order_import.draw import SLOTS, draw
from generator.families.order_import.facts import Facts
from generator.families.order_import.judgements import right
from generator.families.order_import.outcome import exposure, outcome
from generator.families.order_import.records import records
from generator.families.order_import.sketch import price_lists
from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.qualify.explain import grade_task
from generator.qualify.rules import case_problems
from generator.spec.case import Case, Counterfactual, Outcome
from generator.spec.streams import stream
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tasks.case import build_case
from generator.tasks.package import build_package, write_package
from generator.tasks.plan import build_plan
from generator.tasks.room import tenant_files
from generator.tenants.load import ROOT, load_tenants
from generator.worlds.rows import tenant_rows
from verifier.grading import Verdict

BOUNDS = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}
DECLINING = "release_form_missing"
HOLDING = ("credit_exposure", "units_over_the_limit", "revision_over_the_limit")
PROFILES = sorted(path.parent.name for path in ROOT.glob("*/profile.yaml"))


def drawn_facts(profile: TenantProfile, variant: str, seed: int) -> Facts:
    return draw(profile, variant, stream(seed, profile.code, FAMILY.id, variant))


def drawn(profile: TenantProfile, others: Tenant, variant: str, seed: int) -> Case:
    facts = drawn_facts(profile, variant, seed)
    tenant = Tenant(profile=profile, facts={**others.facts, FAMILY.id: facts})
    return build_case(tenant, FAMILY, records(tenant, facts))


def expected_option(variant: str) -> str:
    if variant == DECLINING:
        return "stop_and_escalate_batch"
    return "import_accepted_lines_hold_for_credit" if variant in HOLDING else "import_accepted_lines_and_submit"


def counterfactual(case: Case, name: str) -> Counterfactual:
    return next(found for found in case.counterfactuals if found.name == name)


def lines_of(outcome: Outcome) -> list[tuple[str, int]]:
    return sorted((line["ProductNumber"], line["OrderedQuantity"]) for line in outcome.writes[0].arguments["lines"])


@pytest.fixture(scope="module", params=PROFILES)
def profile(request: pytest.FixtureRequest) -> TenantProfile:
    return read_yaml(ROOT / request.param / "profile.yaml", TenantProfile)


def test_each_variant_has_a_slot_and_the_first_after_northbridge_declines() -> None:
    assert len(set(SLOTS)) == len(SLOTS) == 10
    assert SLOTS[:2] == ("earlier_partial_import", DECLINING)
    assert Counter(expected_option(variant) for variant in SLOTS) == {
        "import_accepted_lines_and_submit": 6,
        "import_accepted_lines_hold_for_credit": 3,
        "stop_and_escalate_batch": 1,
    }


@pytest.mark.parametrize("variant", SLOTS)
def test_drawn_orders_keep_every_rule(northbridge: Tenant, variant: str) -> None:
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


def test_the_same_stream_gives_the_same_order(northbridge: Tenant) -> None:
    assert drawn_facts(northbridge.profile, "revised_sheet", 3) == drawn_facts(northbridge.profile, "revised_sheet", 3)


def test_every_line_amount_is_whole_cents(profile: TenantProfile) -> None:
    for variant in SLOTS:
        facts = drawn_facts(profile, variant, 2)
        tenant = Tenant(profile=profile, facts={FAMILY.id: facts})
        found = outcome(tenant, facts, {}, right(tenant, facts))
        for write in found.writes:
            for line in write.arguments["lines"]:
                exact = line["OrderedQuantity"] * line["UnitListPrice"]
                assert exact == exact.quantize(Decimal("0.01"))


# What each variant turns on


def test_packs_are_entered_in_the_items_own_unit(northbridge: Tenant) -> None:
    found = drawn(northbridge.profile, northbridge, "units_of_the_sheet", 4)
    facts = found.facts
    packed = [line for line in facts.task.sheet.lines if line.uom is not None]
    held = {(entry.item, entry.uom): entry.factor for entry in facts.conversions}
    convertible = [line for line in packed if (line.item, line.uom) in held]
    assert len(packed) == len(convertible) + 1  # one is in a pack that the price list does not give
    for line in convertible:
        assert (line.item, line.quantity * held[line.item, line.uom]) in lines_of(found.gold)
        assert (line.item, line.quantity) in lines_of(counterfactual(found, "ignores_units").outcome)
    assert {line["OrderedUOM"] for line in found.gold.writes[0].arguments["lines"]} == {"EA"}


def test_a_revision_replaces_cancels_and_adds_lines(northbridge: Tenant) -> None:
    found = drawn(northbridge.profile, northbridge, "revised_sheet", 4)
    sheet = found.facts.task.sheet
    first = counterfactual(found, "first_copy").outcome
    assert first.operative == found.facts.task.first_copy.source
    for line in sheet.revised:
        ordered = {(one.item, one.quantity) for one in sheet.lines if one.line == line.line}
        if line.quantity is not None:
            assert (line.item, line.quantity) in lines_of(found.gold)
        assert not ordered & set(lines_of(found.gold))
        assert ordered <= set(lines_of(first))
    cancelled = [line for line in sheet.revised if line.quantity is None]
    assert len(cancelled) == 2


def test_the_order_passes_the_limit_that_receivables_alone_leave_wide_open(
    northbridge: Tenant, profile: TenantProfile
) -> None:
    found = drawn(profile, northbridge, "credit_exposure", 4)
    facts, rows = found.facts, records(found.tenant, found.facts)
    limit = profile.customer(facts.task.account).credit_limit
    total = Decimal(found.gold.answers["order_total"])
    orders = exposure({"sales_orders": rows["sales_orders"]}, facts, facts.task.account)
    owed = exposure({"receivables_invoices": rows.get("receivables_invoices", [])}, facts, facts.task.account)
    assert orders + owed < limit < orders + owed + total
    assert owed + total < limit / 2
    assert found.gold.writes[0].arguments["SubmittedFlag"] is False


def test_the_credit_policy_names_the_statuses_that_count() -> None:
    for tenant in load_tenants():
        facts, policy = tenant.facts[FAMILY.id], tenant.facts["receivables_collection"].policy
        assert facts.exposure_statuses == policy.exposure_statuses, tenant.profile.slug


def test_prices_are_those_of_the_order_date_though_the_list_has_changed(northbridge: Tenant) -> None:
    found = drawn(northbridge.profile, northbridge, "price_at_the_order_date", 4)
    assert found.facts.task.sheet.order_date < dt.date(2026, 1, 1)
    prices = {line["ProductNumber"]: str(line["UnitListPrice"]) for line in found.gold.writes[0].arguments["lines"]}
    assert prices.items() <= {
        "FST-M8-40": "0.80",
        "FST-M10-60": "1.25",
        "NUT-M8-NYL": "0.18",
        "WSH-M10-SS": "0.10",
        "ANC-12-100": "2.33",
    }.items()
    wrong = counterfactual(found, "superseded_price_list")
    assert wrong.judgement.sources["price_list"] == "FILE-NBR-PRICE-LIST-2026H1"


def test_a_successor_goes_in_for_the_line_it_was_accepted_for(northbridge: Tenant) -> None:
    found = drawn(northbridge.profile, northbridge, "successor_item", 4)
    entry = found.facts.successors[0]
    quantities = {line.line: line.quantity for line in found.facts.task.sheet.lines if line.item == entry.item}
    assert len(quantities) == 2
    for number, quantity in quantities.items():
        assert ((entry.successor, quantity) in lines_of(found.gold)) is (number in entry.accepted)
        assert (entry.successor, quantity) in lines_of(counterfactual(found, "ignores_acceptance").outcome)


def test_an_unsigned_form_stops_the_order_under_the_rules_in_force_alone(northbridge: Tenant) -> None:
    found = drawn(northbridge.profile, northbridge, DECLINING, 4)
    facts = found.facts
    assert found.gold.obstacle == facts.task.sheet.release_form.number
    assert facts.rules.value_limit < facts.task.sheet.printed_value < facts.earlier_rules.value_limit
    believed = counterfactual(found, "earlier_rules").outcome
    assert believed.option == "import_accepted_lines_and_submit"
    assert believed.answers["order_total"] != found.gold.answers["order_total"]  # priced by the quotation


def test_the_documents_of_a_variant_say_what_it_turns_on(northbridge: Tenant) -> None:
    for variant, words in {
        "units_of_the_sheet": "pack_holds",
        "revised_sheet": "[Sheet: Revision 2]",
        "successor_item": ",successor",
        DECLINING: "not signed yet",
    }.items():
        facts = drawn_facts(northbridge.profile, variant, 5)
        tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}})
        texts = [file.text for file in tenant_files(tenant) if file.document.name[:2] in ("01", "03")]
        assert any(words in text for text in texts), variant
        assert facts.rules is not None
        rules = facts.rules.source
        body = next(mail.body for mail in FAMILY.mail(tenant, facts) if mail.id == rules)
        assert "List prices only" in body


@pytest.mark.parametrize(
    ("slug", "current", "prior"),
    [
        ("northbridge", ("2026H1", "2026-01-01", "2026-06-30"), ("2025H2", "2025-07-01", "2025-12-31")),
        ("havgreb", ("2026Q2", "2026-04-01", "2026-06-30"), ("2026Q1", "2026-01-01", "2026-03-31")),
        ("venmalar", ("2026Q1", "2026-01-01", "2026-03-31"), ("2025Q4", "2025-10-01", "2025-12-31")),
    ],
)
def test_price_lists_run_from_one_change_to_the_next(
    slug: str, current: tuple[str, str, str], prior: tuple[str, str, str]
) -> None:
    profile = read_yaml(ROOT / slug / "profile.yaml", TenantProfile)
    found = [
        (one.edition, one.effective_from.isoformat(), one.effective_to.isoformat()) for one in price_lists(profile)
    ]
    assert found == [current, prior]


# The task played


def written(tenant: Tenant, case: Case, folder: Path) -> Path:
    package = build_package(case, tenant_rows(tenant), tenant_files(tenant), "0.0.0", "erpbench100/")
    write_package(package, folder / case.task_id)
    return folder / case.task_id


def played(task: Path, case: Case, outcome: Outcome | None = None) -> Verdict:
    with fresh_world(task) as world:
        run_plan(world, build_plan(case, outcome))
        return grade_task(task, evidence(world))


@pytest.mark.parametrize("variant", [DECLINING, "units_over_the_limit", "revised_sheet", "successor_at_the_order_date"])
def test_a_drawn_task_is_played_to_100_and_its_mistakes_stay_in_bounds(
    northbridge: Tenant, variant: str, tmp_path: Path
) -> None:
    facts = drawn_facts(northbridge.profile, variant, 21)
    tenant = northbridge.model_copy(update={"facts": {**northbridge.facts, FAMILY.id: facts}})
    found = build_case(tenant, FAMILY, tenant_rows(tenant))
    task = written(tenant, found, tmp_path)
    assert played(task, found).score == 100
    assert 25 <= len(build_plan(found).calls) <= 32
    for kind, bound in BOUNDS.items():
        for mistake in (one for one in found.counterfactuals if one.kind == kind):
            assert played(task, found, mistake.outcome).score <= bound
    with fresh_world(task) as world:
        assert grade_task(task, evidence(world)).score == 0
