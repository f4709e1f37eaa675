"""Deliveries and invoices drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
match that does not is thrown away and the next one drawn from the same stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from generator.families.acceptance import trial_case, unfair
from generator.families.receiving_ap_match.facts import BilledLine, Facts, MatchPolicy
from generator.families.receiving_ap_match.outcome import outcome
from generator.families.receiving_ap_match.records import records
from generator.families.receiving_ap_match.sketch import Sketch, Sketcher
from generator.families.receiving_ap_match.task import TASK
from generator.spec.case import Judgement, Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 600
FAMILY = "receiving_ap_match"
VALIDATE, HOLD, RETURN = "receive_and_validate", "receive_and_hold_variance", "return_invoice_unentered"
NEAR = Decimal("0.04")
"""How near to a bound of the tolerance, in shares of it, no price may lie."""


@dataclass(frozen=True)
class Variant:
    """option: the right one. rules: rules whose neglect must lead to other records or other answers."""

    sketch: Sketch
    option: str
    rules: tuple[str, ...]


VARIANTS: Mapping[str, Variant] = {
    "cap_decides": Variant(
        Sketch(("cap", "damaged", "small", "prior"), charge="held", notice="full"),
        HOLD,
        ("cap_bound", "damaged_units", "charges"),
    ),
    "corrected_invoice": Variant(
        Sketch(("damaged", "small", "prior", "exact"), corrected=True, notice="short"),
        VALIDATE,
        ("damaged_units", "price_tolerance"),
    ),
    "damaged_units": Variant(
        Sketch(("damaged", "damaged", "small", "prior", "exact"), notice="full", manual="other"),
        HOLD,
        ("damaged_units",),
    ),
    "higher_bound": Variant(
        Sketch(("either", "damaged", "prior", "exact", "exact"), corrected=True, notice="short", lower=False),
        VALIDATE,
        ("either_bound", "damaged_units"),
    ),
    "billed_twice": Variant(
        Sketch(("prior_over", "small", "exact", "exact"), notice="short"), HOLD, ("billed_before", "price_tolerance")
    ),
    "entered_before": Variant(
        Sketch(("damaged", "cap", "prior", "exact", "exact"), manual="same"), RETURN, ("damaged_units", "cap_bound")
    ),
    "paid_in_part": Variant(
        Sketch(("cap", "damaged", "small", "prior", "exact", "exact"), notice="full", pays_in_part=True),
        HOLD,
        ("part_payment", "cap_bound", "damaged_units"),
    ),
    "charge_within_cap": Variant(
        Sketch(("damaged", "small", "prior", "exact"), charge="within", corrected=True, notice="short"),
        VALIDATE,
        ("charge_cap", "damaged_units"),
    ),
    "billed_in_packs": Variant(
        Sketch(("packs", "packs", "small", "damaged", "prior", "exact"), corrected=True, notice="short"),
        VALIDATE,
        ("packs", "damaged_units"),
    ),
    "received_not_billed": Variant(
        Sketch(("unbilled", "prior", "damaged", "small", "exact", "exact", "exact"), corrected=True, notice="short"),
        VALIDATE,
        ("received_before", "damaged_units"),
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        facts = Sketcher(profile, wanted.sketch, rng).facts()
        if facts is not None and acceptable(profile, facts, wanted):
            return facts
    raise SpecError(f"{profile.slug}: no match of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, facts: Facts, wanted: Variant) -> bool:
    """The match is the variant's, its traps bite, and each mistake leads to other records with other figures."""
    if any(_near(policy, facts, line) for policy in facts.policies for line in facts.task.billed.lines):
        return False
    tenant = Tenant(profile=profile, facts={FAMILY: facts})
    carried = _outcome(tenant, facts, frozenset())
    for rule in wanted.rules:
        wrong = _outcome(tenant, facts, frozenset({rule}))
        if (wrong.writes, wrong.answers) == (carried.writes, carried.answers):
            return False
    case = trial_case(FAMILY, TASK, outcome, records, profile, facts)
    return (
        case.gold.option == wanted.option
        and all(wrong.outcome.writes for wrong in case.counterfactuals)
        and not any(unfair(case, TASK))
    )


def _near(policy: MatchPolicy, facts: Facts, line: BilledLine) -> bool:
    """Whether the line's price lies so near to a bound that somebody's rounding could decide."""
    if line.order_line is None:
        return False
    ordered = facts.task.order.line(line.order_line).unit_price
    off = abs(line.ordered_unit_price - ordered)
    in_pct, in_cap = off * 100 / ordered, off * line.ordered_units
    return (
        abs(in_pct - policy.tolerance_pct) < policy.tolerance_pct * NEAR
        or abs(in_cap - policy.tolerance_cap) < policy.tolerance_cap * NEAR
    )


def _outcome(tenant: Tenant, facts: Facts, ignored: frozenset[str]) -> Outcome:
    """Under the right sources, as it would be executed, had the invoice not been entered before."""
    right = TASK.judgement(tenant, facts).sources
    return outcome(tenant, facts, records(tenant, facts), Judgement(right, ignored | {"entered_before"}))
