"""Facts that Northbridge does not use but others may: sentences and sources of the trade families follow them."""

import datetime as dt
from decimal import Decimal
from typing import Any

from generator.families import family
from generator.families.channel_order_sync.export import export_json
from generator.families.inventory_reorder.documents import policy_rules
from generator.families.receivables_collection.policy import deduction_rules
from generator.families.receiving_ap_match.policy import entering_rules, matching_rules
from generator.spec.tenant import Model
from tests.northbridge_trade_fixture import trade


def facts_of(id: str) -> Any:
    return trade().tenant.facts[id]


def changed[M: Model](model: M, **values: Any) -> M:
    return model.model_copy(update=values)


def test_a_pick_that_nobody_signed_is_no_candidate() -> None:
    facts = facts_of("shipment_verification")
    confirmations = tuple(changed(entry, confirmed_by=None) for entry in facts.confirmations)
    unsigned = changed(facts, confirmations=confirmations)
    sources = family("shipment_verification").sources(trade().tenant, unsigned)
    assert {s.id: s.status for s in sources if s.subject == "pick_confirmation"} == {
        "FILE-NBR-PICK-CONFIRMATION-0208": "unsigned",
        "MSG-NBR-PICK-COUNT-0207": "issued",
    }


def test_grace_for_discounts_is_printed_in_days() -> None:
    facts = facts_of("receivables_collection")
    strict, earlier = (deduction_rules(trade().tenant, facts, policy)[0] for policy in facts.policies)
    assert "A discount taken later is not allowed" in strict
    assert "up to 20 days after the discount date" in earlier
    assert 'Terms such as "2 % 10, Net 30" give 2 % off the balance for money that comes within 10 days' in strict


def test_lead_times_in_working_days_name_the_closed_days() -> None:
    facts = facts_of("inventory_reorder")
    closed = (dt.date(2026, 2, 16), dt.date(2026, 2, 17))
    policy = changed(facts.policy, lead_time_calendar="working", closed_days=closed)
    named = "in working days (Monday to Friday, the site being closed on 02/16/2026 and 02/17/2026) from today."
    assert named in policy_rules(trade().tenant, facts, policy)[8]


def test_match_policy_may_take_the_higher_bound_small_charges_and_part_payment() -> None:
    facts = facts_of("receiving_ap_match")
    lenient = changed(facts.policy, lower=False, charge_cap=Decimal("90.00"), pays_in_part=True)
    rules = matching_rules(trade().tenant, lenient)
    assert "one bound is enough, the higher decides" in rules[1]
    assert rules[2] == "A charge that is not on the order is matched up to USD 90.00, above it is not."
    assert entering_rules(facts, lenient)[2] == "Under a hold the matched lines may be paid."


def test_an_export_may_state_figures_that_its_rows_do_not_have() -> None:
    facts = facts_of("channel_order_sync")
    export = changed(facts.export(facts.task_export), stated_rows=14, stated_goods=Decimal("2502.00"))
    data = export_json(trade().tenant.profile, export)
    assert (data["row_count"], data["goods_total"], len(data["orders"])) == (14, "2502.00", 13)
