"""Staged shipments drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
shipment that does not is thrown away and the next one drawn from the same stream.
"""

from random import Random

from generator.families.acceptance import trial_case, unfair
from generator.families.shipment_verification import records
from generator.families.shipment_verification.dock import Dock, stage
from generator.families.shipment_verification.facts import Facts
from generator.families.shipment_verification.outcome import outcome
from generator.families.shipment_verification.task import TASK
from generator.spec.errors import SpecError
from generator.spec.tenant import TenantProfile

FAMILY_ID = "shipment_verification"
ATTEMPTS = 200
CORRECT, HOLD, STOP = "correct_lines_to_pick", "correct_and_hold_exceptions", "stop_for_recount"

# For each variant what its lines are like (dock.py has the kinds), the right option, and the rules whose loss must
# show.
VARIANTS: dict[str, tuple[Dock, str, tuple[str, ...]]] = {
    "mixed_exceptions": (
        Dock(("short_released", "packs", "empty", "wrong_item", "raised", "quarantined", "cancelled"), lots="two"),
        HOLD,
        ("packs", "scanned_item", "quarantine", "price"),
    ),
    "partial_recount": (
        Dock(("recount_less", "recount_more", "short", "as_staged", "as_staged"), recount=True),
        CORRECT,
        ("recount", "price"),
    ),
    "unsigned_confirmation": (
        Dock(
            ("short", "wrong_item", "as_staged", "empty", "as_staged", "packs", "as_staged", "cancelled"), unsigned=True
        ),
        STOP,
        ("signature",),
    ),
    "agreed_surplus": (
        Dock(("over_agreed", "within_agreed", "over_agreed", "as_staged"), agreements=True),
        CORRECT,
        ("limit", "price"),
    ),
    "wrong_items": (
        Dock(("wrong_item", "short", "as_staged", "raised", "wrong_item", "short", "as_staged", "empty")),
        HOLD,
        ("scanned_item", "price"),
    ),
    "broken_cartons": (
        Dock(("broken", "packs", "broken", "as_staged", "packs", "short", "as_staged", "cancelled")),
        CORRECT,
        ("packs", "price"),
    ),
    "partial_release": (
        Dock(("short_released", "quarantined", "as_staged", "quarantined", "quarantined", "short"), lots="two"),
        HOLD,
        ("quarantine", "price"),
    ),
    "short_picks": (
        Dock(
            ("short", "empty", "raised", "short", "as_staged", "short", "as_staged", "as_staged", "raised", "cancelled")
        ),
        CORRECT,
        ("price",),
    ),
    "surplus_to_the_bin": (
        Dock(("surplus", "short", "surplus", "short", "empty", "short"), increase=False, price="list"),
        CORRECT,
        ("limit", "price"),
    ),
    "disputed_counts": (
        Dock(("disputed", "short", "disputed", "as_staged", "disputed", "as_staged", "disputed")),
        HOLD,
        ("dispute", "price"),
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Raises SpecError for a profile on which no sound shipment comes of the variant."""
    dock, option, rules = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        facts = stage(profile, dock, rng)
        if _sound(profile, facts, option, rules):
            return facts
    raise SpecError(f"{profile.slug}: {FAMILY_ID}: no sound {variant} in {ATTEMPTS} draws")


def _sound(profile: TenantProfile, facts: Facts, option: str, rules: tuple[str, ...]) -> bool:
    """The right option is the variant's, every mistake shows, and so does the loss of each of its rules."""
    case = trial_case(FAMILY_ID, TASK, outcome, records.records, profile, facts)
    shown = {c.subject for c in case.counterfactuals if c.kind == "ignored_rule"}
    return case.gold.option == option and shown.issuperset(rules) and not any(unfair(case, TASK))
