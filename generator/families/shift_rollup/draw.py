"""Shifts drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
shift that does not is thrown away and the next one drawn from the same stream.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families.shift_rollup.facts import Facts
from generator.families.shift_rollup.outcome import outcome
from generator.families.shift_rollup.records import records
from generator.families.shift_rollup.sketch import Sketch, sketch
from generator.families.shift_rollup.task import TASK, judgement
from generator.spec.case import Judgement, Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 400
FULL, THIN = (16, 23), (8, 15)
MANY_MISSING, FEW_MISSING = (5, 7), (2, 4)
MANY_LATE, FEW_LATE = (4, 7), (1, 3)
"""Bounds of the persons expected, missing and late. Of each pair of bounds five variants have the one and five the
other, so that no figure can be the same in more than five of ten shifts."""
MANY = 11
"""Reporting persons that a full shift has at least, and a thin one never."""
HOURS = (Decimal("0.75"), Decimal("14.00"))
"""Overtime of a shift. Its steps are fine enough to differ from shift to shift without bounds of their own."""
REPORTING = ("twice", "corrected", "moved_in", "swap", "leave_withdrawn")
LATE = ("late", "end_only")
MISSING = (
    "moved_in_absent",
    "filed_the_day_before",
    "filed_too_late",
    "leave_asked",
    "swap_proposed",
    "leave_withdrawn_absent",
)
STAYING = (0.1, 1.0)
"""Share of those who report that work on past the end."""
LATE_SHIFT = (dt.time(15), dt.time(15, 30))
NIGHT_SHIFT = (dt.time(22), dt.time(22, 30), dt.time(23))


@dataclass(frozen=True)
class Variant:
    """What a variant's shift looks like.

    expected, missing, late: bounds of the counts, included; pieces are the particular people, the rest come on time,
    late or not at all. rules: rules whose loss must lead to another state or other answers. option: the right one.
    """

    expected: tuple[int, int]
    missing: tuple[int, int]
    late: tuple[int, int]
    pieces: tuple[str, ...]
    rules: tuple[str, ...]
    night: bool = False
    rounding: Literal["down", "nearest"] = "down"
    short: bool = False
    contested: bool = False

    @property
    def option(self) -> str:
        if self.contested:
            return "stop_roster_unconfirmed"
        return "record_absences_and_escalate_cover" if self.short else "record_absences"


# In every shift: somebody whom only the roster in force puts on it, a stale report, a swap, and leave in the channel.
_ALWAYS = ("moved_in_absent", "filed_the_day_before", "swap", "leave_in_channel")

VARIANTS: Mapping[str, Variant] = {
    "roster_moves": Variant(
        FULL,
        MANY_MISSING,
        MANY_LATE,
        (*_ALWAYS, "moved_in", "moved_out", "swap_proposed", "leave_granted", "leave_asked", "twice", "end_only"),
        ("swap", "proposed_swap", "chat_leave", "open_leave", "shift_day", "persons"),
    ),
    "past_midnight": Variant(
        FULL,
        FEW_MISSING,
        MANY_LATE,
        (*_ALWAYS, "filed_too_late", "end_only", "end_only", "leave_granted"),
        ("shift_day", "valid_until", "grace"),
        night=True,
    ),
    "changed_places": Variant(
        THIN,
        MANY_MISSING,
        FEW_LATE,
        (*_ALWAYS, "swap", "swap_proposed", "leave_granted"),
        ("swap", "proposed_swap", "cover"),
        short=True,
    ),
    "filed_twice": Variant(
        THIN,
        FEW_MISSING,
        MANY_LATE,
        (*_ALWAYS, "twice", "corrected", "end_only"),
        ("persons", "shift_day"),
    ),
    "overtime_to_the_nearest": Variant(
        FULL,
        FEW_MISSING,
        FEW_LATE,
        (*_ALWAYS, "corrected", "filed_too_late", "moved_in", "moved_out", "leave_granted"),
        ("rounding", "valid_until"),
        night=True,
        rounding="nearest",
    ),
    "leave_for_part_of_the_shift": Variant(
        FULL,
        MANY_MISSING,
        MANY_LATE,
        (*_ALWAYS, "leave_in_channel", "leave_granted", "leave_asked", "leave_asked", "moved_in", "moved_out"),
        ("chat_leave", "open_leave", "cover"),
        short=True,
    ),
    "leave_not_taken": Variant(
        THIN,
        FEW_MISSING,
        FEW_LATE,
        (*_ALWAYS, "leave_withdrawn", "leave_withdrawn_absent", "leave_granted", "moved_in"),
        ("withdrawn_leave", "chat_leave"),
    ),
    "objection_open": Variant(
        THIN,
        MANY_MISSING,
        MANY_LATE,
        (*_ALWAYS, "moved_in", "moved_out", "leave_asked", "leave_granted"),
        ("objection", "open_leave"),
        contested=True,
    ),
    "thin_cover": Variant(
        THIN,
        FEW_MISSING,
        FEW_LATE,
        (*_ALWAYS, "end_only", "leave_granted", "twice"),
        ("cover", "shift_day", "swap"),
        night=True,
        short=True,
    ),
    "night_crew_moved": Variant(
        FULL,
        MANY_MISSING,
        FEW_LATE,
        (*_ALWAYS, "moved_in", "moved_in", "moved_out", "moved_out", "swap_proposed", "filed_too_late", "end_only"),
        ("proposed_swap", "valid_until", "shift_day"),
        night=True,
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        plan, reporting = _sketch(wanted, rng)
        facts = sketch(profile, rng, plan, reporting)
        if acceptable(profile, facts, wanted):
            return facts
    raise SpecError(f"{profile.slug}: no shift of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, facts: Facts, wanted: Variant) -> bool:
    """The shift is the variant's, its traps bite, and each mistake commits something else with other figures."""
    tenant = Tenant(profile=profile, facts={})
    rows = records(tenant, facts)
    right = judgement(tenant, facts).sources

    def come_to(believed: Judgement) -> Outcome:
        return outcome(tenant, facts, rows, believed)

    gold = come_to(Judgement(right))
    earlier = come_to(Judgement({**right, "shift_roster": facts.earlier.source}))
    decoy = come_to(Judgement(right, target="decoy"))
    received = come_to(Judgement(right, as_received=True))
    if gold.option != wanted.option or not HOURS[0] <= gold.answers["overtime_hours"] <= HOURS[1]:
        return False
    if (wanted.expected == FULL) is not (gold.answers["reporting_staff"] >= MANY):
        return False
    bounds = {"expected_staff": wanted.expected, "missing_staff": wanted.missing, "late_reports": wanted.late}
    if any(not low <= gold.answers[name] <= high for name, (low, high) in bounds.items()):
        return False
    committed = come_to(Judgement(right, ignored_rules=frozenset({"objection"})))
    if any(not _absent(one) or _absent(committed) <= _absent(one) for one in (earlier, decoy, received)):
        return False
    if not _moved(gold, earlier) or any(
        len(_moved(gold, one)) < 3 or len(_moved(gold, one) - set(TASK.dependent)) < 2 for one in (decoy, received)
    ):
        return False
    rules = (Judgement(right, ignored_rules=frozenset({rule})) for rule in wanted.rules)
    return all(come_to(one) != gold for one in rules)


def _sketch(wanted: Variant, rng: Random) -> tuple[Sketch, int]:
    """The pieces with the rest of the shift's people, and how many of them report."""
    expected, missing, late = _counts(wanted, rng)
    particular = _particular(wanted)
    rest = (
        ("absent",) * (missing - particular[2])
        + ("late",) * (late - particular[1])
        + ("on_time",) * (expected - missing - particular[0] - late)
    )
    pieces = [*wanted.pieces, *rest]
    rng.shuffle(pieces)
    plan = Sketch(
        pieces=tuple(pieces),
        start=NIGHT_SHIFT if wanted.night else LATE_SHIFT,
        hours=8 if wanted.night else 8.5,
        neighbours=rng.randint(5, 7),
        staying=rng.uniform(*STAYING),
        rounding=wanted.rounding,
        short=wanted.short,
        contested=wanted.contested,
    )
    return plan, expected - missing


def _counts(wanted: Variant, rng: Random) -> tuple[int, int, int]:
    """Persons expected, missing and late, all of the variant's likely alike that leave room for its pieces."""
    reporting, late_pieces, missing_pieces = _particular(wanted)
    return rng.choice(
        [
            (expected, missing, late)
            for expected in _whole(wanted.expected)
            for missing in _whole(wanted.missing)
            for late in _whole(wanted.late)
            if (wanted.expected == FULL) is (expected - missing >= MANY)
            and missing >= missing_pieces
            and late >= late_pieces
            and expected - missing >= reporting + late
        ]
    )


def _particular(wanted: Variant) -> tuple[int, int, int]:
    """How many of the variant's pieces report in time, report late, and are missing."""
    reporting, late, missing = (sum(wanted.pieces.count(one) for one in kind) for kind in (REPORTING, LATE, MISSING))
    return reporting, late, missing


def _whole(bounds: tuple[int, int]) -> range:
    return range(bounds[0], bounds[1] + 1)


def _absent(one: Outcome) -> set[str]:
    return {write.arguments["personNumber"] for write in one.writes}


def _moved(gold: Outcome, other: Outcome) -> set[str]:
    return {name for name, value in gold.answers.items() if other.answers[name] != value}
