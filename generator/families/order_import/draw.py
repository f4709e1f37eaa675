"""Orders drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. An
order that does not is thrown away and the next one drawn from the same stream.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families.order_import import judgements
from generator.families.order_import.credit import over_the_limit
from generator.families.order_import.facts import Facts
from generator.families.order_import.outcome import OPTIONS, exposure, outcome
from generator.families.order_import.records import records
from generator.families.order_import.sketch import Sketch, sketch
from generator.spec.case import Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

FAMILY_ID = "order_import"
ATTEMPTS = 200
DEPENDENT = "rejected_lines"
INSIDE = Decimal("0.45")


@dataclass(frozen=True)
class Variant:
    """What a variant's order looks like.

    accepted, duplicates: counts it may have. rules: rules whose loss must lead to another state; option: the right one,
    a key of OPTIONS.
    """

    accepted: tuple[int, ...]
    duplicates: tuple[int, ...]
    sketch: Sketch
    rules: tuple[str, ...]
    option: Literal["submit", "hold", "stop"]


_PLAIN = Sketch()
_BASE = ("earlier_import", "item_status", "price_list")
VARIANTS = {
    "earlier_partial_import": Variant((5, 6), (1, 2), _PLAIN, _BASE, "submit"),
    "release_form_missing": Variant(
        (4, 7), (2, 3), replace(_PLAIN, not_sold=2, form="missing"), ("countersignature",), "stop"
    ),
    "units_of_the_sheet": Variant(
        (5, 6), (1, 3), replace(_PLAIN, packs=3, unconvertible=1), (*_BASE, "units"), "submit"
    ),
    "revised_sheet": Variant((7, 8), (1, 2), replace(_PLAIN, revised=True), (*_BASE, "revision"), "submit"),
    "credit_exposure": Variant(
        (4, 5), (2, 3), replace(_PLAIN, not_sold=2, over_limit=True), (*_BASE, "credit"), "hold"
    ),
    "price_at_the_order_date": Variant((6, 7), (1, 3), replace(_PLAIN, before_change=True), _BASE, "submit"),
    "successor_item": Variant(
        (6, 8), (1, 2), replace(_PLAIN, successor=True), (*_BASE[::2], "successor", "acceptance"), "submit"
    ),
    "units_over_the_limit": Variant(
        (4, 5),
        (4,),
        replace(_PLAIN, packs=2, unconvertible=1, over_limit=True, form="signed"),
        (*_BASE, "units", "credit"),
        "hold",
    ),
    "revision_over_the_limit": Variant(
        (7, 8),
        (3, 4),
        replace(_PLAIN, revised=True, over_limit=True, form="signed"),
        (*_BASE, "revision", "credit"),
        "hold",
    ),
    "successor_at_the_order_date": Variant(
        (4, 5),
        (4,),
        replace(_PLAIN, successor=True, before_change=True),
        (*_BASE[::2], "successor", "acceptance"),
        "submit",
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Raises SpecError for a profile on which no sound order comes of the variant."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        accepted, duplicates = rng.choice(wanted.accepted), rng.choice(wanted.duplicates)
        facts = sketch(profile, rng, replace(wanted.sketch, accepted=accepted, duplicates=duplicates))
        tenant = Tenant(profile=profile, facts={FAMILY_ID: facts})
        if wanted.sketch.over_limit:
            gold = outcome(tenant, facts, {}, judgements.right(tenant, facts))
            facts = over_the_limit(tenant, facts, rng, Decimal(gold.answers["order_total"]))
        if sound(tenant, facts, wanted, accepted, duplicates):
            return facts
    raise SpecError(f"{profile.slug}: {FAMILY_ID}: no sound {variant} in {ATTEMPTS} draws")


def sound(tenant: Tenant, facts: Facts, wanted: Variant, accepted: int, duplicates: int) -> bool:
    """The right outcome is the variant's, and every mistake leads to another state and to other answers."""
    rows = records(tenant, facts)
    gold = outcome(tenant, facts, rows, judgements.right(tenant, facts))
    if gold.option != OPTIONS[wanted.option][0] or not _credit_is_clear(tenant, facts, wanted, gold):
        return False
    if (gold.answers["accepted_lines"], gold.answers["duplicate_lines"]) != (accepted, duplicates):
        return False
    shown: set[str] = set()
    for _, kind, rule, judgement in judgements.mistakes(tenant, facts, rows):
        come = outcome(tenant, facts, rows, judgement)
        moved = [name for name, value in gold.answers.items() if come.answers[name] != value]
        independent = [name for name in moved if name != DEPENDENT]
        if kind == "wrong_source" and not (moved and come.writes != gold.writes):
            return False
        if kind in ("wrong_target", "as_received") and (len(moved) < 3 or len(independent) < 2):
            return False
        if kind == "ignored_rule" and rule is not None and come.writes != gold.writes:
            shown.add(rule)
    return shown.issuperset(wanted.rules)


def _credit_is_clear(tenant: Tenant, facts: Facts, wanted: Variant, gold: Outcome) -> bool:
    """Over the limit by this order, or far enough inside to stay there whatever other families' records add."""
    limit = tenant.profile.customer(facts.task.account).credit_limit
    total = Decimal(gold.answers["order_total"])
    standing = exposure(records(tenant, facts), facts, facts.task.account)
    if wanted.sketch.over_limit:
        return standing < limit < standing + total
    return standing + total < limit * INSIDE
