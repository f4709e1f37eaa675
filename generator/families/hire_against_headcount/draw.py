"""Hiring rounds drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
round that does not is thrown away and the next one drawn from the same stream.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from generator.families.hire_against_headcount import judgements
from generator.families.hire_against_headcount.facts import Facts
from generator.families.hire_against_headcount.outcome import OPTIONS, outcome
from generator.families.hire_against_headcount.records import records
from generator.families.hire_against_headcount.sketch import Sketch, sketch
from generator.spec.case import Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

FAMILY_ID = "hire_against_headcount"
ATTEMPTS = 400
COUNTS = ("open_headcount", "eligible_candidates", "hires", "monthly_wage_total", "contract_months")


@dataclass(frozen=True)
class Variant:
    """What a variant's round looks like.

    seats: open heads it may have; spare: eligible candidates beyond them. rules: rules whose loss must lead to another
    state; option: the right one, a key of OPTIONS.
    """

    seats: tuple[int, ...]
    spare: int
    sketch: Sketch
    rules: tuple[str, ...]
    option: Literal["hire", "refer", "stop"]


_PLAIN = Sketch()
VARIANTS = {
    "amended_down": Variant(
        (3, 4),
        2,
        replace(_PLAIN, permit="wins", tie="site", started=True, pay_rise=True, late_leavers=1, past_leavers=1),
        ("permit", "ties", "already_started", "wage_date", "past_leavers", "late_leavers"),
        "refer",
    ),
    "late_leavers": Variant(
        (2, 3),
        2,
        replace(_PLAIN, late_leavers=2, past_leavers=1, on_the_day=True),
        ("late_leavers", "past_leavers"),
        "hire",
    ),
    "permit_a_day_short": Variant(
        (4, 5), 2, replace(_PLAIN, permit="wins", day_short=True, permit_to_the_day=True), ("permit",), "refer"
    ),
    "tie_at_the_last_seat": Variant(
        (2, 3), 1, replace(_PLAIN, tie="both", past_leavers=1), ("ties",), "hire"
    ),
    "pay_round": Variant(
        (2, 5), 2, replace(_PLAIN, pay_rise=True, grade_step=True), ("wage_date", "experience_date"), "hire"
    ),
    "returned_worker": Variant(
        (3, 4), 1, replace(_PLAIN, started=True, permit="loses", late_leavers=1), ("already_started",), "hire"
    ),
    "raised_heads": Variant(
        (4, 5), 2, replace(_PLAIN, change="up", permit="wins", past_leavers=1), ("permit", "past_leavers"), "refer"
    ),
    "papers_in_time": Variant(
        (2, 3),
        3,
        replace(_PLAIN, last_day_papers=True, permit="loses", late_leavers=1),
        ("certificate", "references", "late_leavers"),
        "hire",
    ),
    "more_seats_than_people": Variant(
        (5, 6), -1, replace(_PLAIN, change="up", permit="wins", short=True), ("permit", "certificate"), "refer"
    ),
    "line_lapsed": Variant(
        (2, 5), 3, replace(_PLAIN, lapsed=True, late_leavers=1, pay_rise=True), ("validity",), "stop"
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Raises SpecError for a profile on which no sound round comes of the variant."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        seats = rng.choice(wanted.seats)
        eligible = 4 if wanted.sketch.short else seats + wanted.spare
        facts = sketch(profile, rng, replace(wanted.sketch, seats=seats, eligible=eligible))
        tenant = Tenant(profile=profile, facts={FAMILY_ID: facts})
        if sound(tenant, facts, wanted, seats, eligible):
            return facts
    raise SpecError(f"{profile.slug}: {FAMILY_ID}: no sound {variant} in {ATTEMPTS} draws")


def sound(tenant: Tenant, facts: Facts, wanted: Variant, seats: int, eligible: int) -> bool:
    """The right outcome is the variant's, and every mistake leads to another state and to other answers."""
    rows = records(tenant, facts)
    gold = outcome(tenant, facts, rows, judgements.right(tenant, facts))
    if gold.option != OPTIONS[wanted.option][0]:
        return False
    if (gold.answers["open_headcount"], gold.answers["eligible_candidates"]) != (seats, eligible):
        return False
    shown: set[str] = set()
    for _, kind, rule, judgement in judgements.mistakes(tenant, facts, rows):
        come = outcome(tenant, facts, rows, judgement)
        other_people = people(come) != people(gold)
        moved = [name for name in COUNTS if come.answers[name] != gold.answers[name]]
        if kind == "wrong_source" and not (other_people and len(moved) >= 2):
            return False
        if kind in ("wrong_target", "as_received") and not (len(moved) >= 4 and _misses(gold, come)):
            return False
        if kind == "ignored_rule" and rule is not None and come.writes != gold.writes and (moved or gold.obstacle):
            shown.add(rule)
    return shown.issuperset(wanted.rules)


def people(outcome: Outcome) -> set[object]:
    return {write.arguments["CandidateId"] for write in outcome.writes}


def _misses(gold: Outcome, come: Outcome) -> bool:
    """Somebody who is to be hired is not: otherwise the right record would stand beside the wrong ones."""
    return not people(gold) or not people(gold) <= people(come)

