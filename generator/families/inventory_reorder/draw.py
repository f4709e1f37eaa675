"""Reorder runs drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A run
that does not is thrown away and the next one drawn from the same stream.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families.acceptance import trial_case, unfair
from generator.families.clerks import moment
from generator.families.figures import limit
from generator.families.inventory_reorder.editions import Sketch
from generator.families.inventory_reorder.facts import Facts, ReorderPolicy, SpendingRelease
from generator.families.inventory_reorder.outcome import outcome
from generator.families.inventory_reorder.records import records
from generator.families.inventory_reorder.sketch import Sketcher
from generator.families.inventory_reorder.task import TASK
from generator.spec.case import Judgement, Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 600
FAMILY = "inventory_reorder"
SUBMIT, HOLD, STOP = "requisition_and_submit", "requisition_hold_for_approval", "stop_refer_to_purchasing"


@dataclass(frozen=True)
class Variant:
    """What a variant's run looks like.

    below: how many items are to be ordered, where the tenant keeps enough items. parts: those that must be among the
    items. rules: rules whose neglect must lead to another requisition or other answers. release: lapsed or valid where
    one is needed, empty where none is. packed: the multiples are large for the demand.
    """

    below: int
    parts: tuple[str, ...]
    rules: tuple[str, ...]
    option: str = SUBMIT
    calendar: Literal["calendar", "working"] = "calendar"
    levels_in: Literal["units", "weeks"] = "units"
    packed: bool = False
    release: str = ""


VARIANTS: Mapping[str, Variant] = {
    "late_supply": Variant(
        3, ("late", "stale", "edge"), ("supply_window", "stale_reservations", "at_reorder_point", "order_multiple")
    ),
    "working_days": Variant(4, ("late", "stale"), ("working_days", "supply_window"), calendar="working"),
    "above_limit": Variant(5, ("part", "stale"), ("submit_limit", "part_received", "stale_reservations"), HOLD),
    "blocked_supplier": Variant(3, ("blocked", "edge"), ("blocked_supplier", "at_reorder_point")),
    "release_lapsed": Variant(4, ("late", "blocked"), ("supply_window", "blocked_supplier"), STOP, release="lapsed"),
    "stale_reservations": Variant(2, ("stale", "stale"), ("stale_reservations", "cancelled_supply")),
    "limit_in_working_days": Variant(
        6, ("blocked", "edge"), ("submit_limit", "working_days", "blocked_supplier"), HOLD, calendar="working"
    ),
    "release_valid": Variant(5, ("part", "saved", "edge"), ("part_received", "at_reorder_point"), release="valid"),
    "packs_and_minimums": Variant(
        4, ("part", "late"), ("order_multiple", "part_received", "submit_limit"), HOLD, packed=True
    ),
    "weeks_of_demand": Variant(3, ("late", "stale"), ("supply_window", "stale_reservations"), levels_in="weeks"),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        sketched = Sketcher(profile, _sketch(profile, wanted, rng), rng).facts()
        facts = _with_limits(profile, sketched, wanted, rng)
        if acceptable(profile, facts, wanted):
            return facts
    raise SpecError(f"{profile.slug}: no reorder run of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, facts: Facts, wanted: Variant) -> bool:
    """The run is the variant's, its traps bite, and each mistake leads to another requisition with other figures."""
    if any(stock.on_hand < facts.reserved(stock.organization, stock.item) for stock in facts.stock):
        return False
    tenant = Tenant(profile=profile, facts={FAMILY: facts})
    carried = _outcome(tenant, facts, frozenset())
    if not carried.writes or not carried.answers["days_late"]:
        return False
    for rule in wanted.rules:
        wrong = _outcome(tenant, facts, frozenset({rule}))
        if not wrong.writes or (wrong.writes, wrong.answers) == (carried.writes, carried.answers):
            return False
    case = trial_case(FAMILY, TASK, outcome, records, profile, facts)
    return (
        case.gold.option == wanted.option
        and all(wrong.outcome.writes for wrong in case.counterfactuals)
        and not any(unfair(case, TASK))
    )


def _sketch(profile: TenantProfile, wanted: Variant, rng: Random) -> Sketch:
    """Parts for all active items of the organization: the variant's, one whose reservation is stale, the rest plain."""
    here = profile.cast["main_org"]
    count = sum(1 for item in profile.items if item.organization == here and item.status == "Active")
    idle = [part for part in wanted.parts if part in ("stale", "edge", "saved")]
    owed = ["longest", *(part for part in wanted.parts if part not in idle)]
    idle += [] if "stale" in idle else ["stale"]
    below = max(len(owed), min(wanted.below, count - len(idle)))
    owed += rng.choices(("short", "late", "part", "blocked"), k=below - len(owed))
    idle += rng.choices(("ample", "ample", "saved", "stale", "edge"), k=count - len(owed) - len(idle))
    parts = (*owed, *idle)
    return Sketch(parts, wanted.calendar, wanted.levels_in, wanted.packed)


def _with_limits(profile: TenantProfile, facts: Facts, wanted: Variant, rng: Random) -> Facts:
    """The same run with the limits that the variant wants, set by the amount that it comes to."""
    tenant = Tenant(profile=profile, facts={FAMILY: facts})
    amount = _outcome(tenant, facts, frozenset()).answers["requisition_amount"]
    assert not isinstance(amount, int)
    low, high = (0.55, 0.9) if wanted.option == HOLD else (1.4, 2.2)
    submit = limit(amount, rng, low, high)
    asked = limit(amount, rng, 0.45, 0.8) if wanted.release else None

    def limited(policy: ReorderPolicy) -> ReorderPolicy:
        own = asked if policy.medium == "drive" else None
        return policy.model_copy(update={"submit_limit": submit, "release_limit": own})

    release = _release(profile, facts.organization, amount, wanted.release, rng) if wanted.release else None
    policies = tuple(limited(policy) for policy in facts.policies)
    return facts.model_copy(update={"policies": policies, "release": release})


def _release(
    profile: TenantProfile, organization: str, amount: Decimal, state: str, rng: Random
) -> SpendingRelease:
    """A release that covers the amount, for a time that is over or goes on."""
    today = profile.today
    valid = today + dt.timedelta(-rng.randint(2, 12) if state == "lapsed" else rng.randint(5, 40))
    issued = min(today, valid) - dt.timedelta(rng.randint(10, 40))
    return SpendingRelease(
        source=f"MSG-{profile.code}-SPENDING-RELEASE-{issued:%m%d}",
        issued=moment(profile, issued, 10, 40),
        organization=organization,
        amount=limit(amount, rng, 1.15, 1.9),
        valid_to=valid,
    )


def _outcome(tenant: Tenant, facts: Facts, ignored: frozenset[str]) -> Outcome:
    """Under the right edition, as it would be executed, were it released."""
    right = TASK.judgement(tenant, facts).sources
    return outcome(tenant, facts, records(tenant, facts), Judgement(right, ignored | {"spending_release"}))
