"""The editions of a drawn reorder policy: the one in force, the one before it and the draft of the next.

In: the levels in force. Out: the three editions, the one in force first. Their limits lie out of reach.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families.clerks import moment
from generator.families.inventory_reorder.facts import Level, ReorderPolicy, SupplySource
from generator.spec.money import cents
from generator.spec.tenant import TenantProfile

OUT_OF_REACH = Decimal("999999999.00")


@dataclass(frozen=True)
class Sketch:
    """What a run is to look like.

    parts: what the organization's items play, in order. calendar, levels_in: as in the policy. packed: the multiples
    are large for the demand.
    """

    parts: tuple[str, ...]
    calendar: Literal["calendar", "working"] = "calendar"
    levels_in: Literal["units", "weeks"] = "units"
    packed: bool = False


def editions(
    profile: TenantProfile, rng: Random, levels: list[Level], window: int, wish: Sketch, closed: tuple[dt.date, ...]
) -> tuple[ReorderPolicy, ...]:
    today, code, edition = profile.today, profile.code, rng.randint(3, 12)
    first = today.replace(day=1)
    start = first if rng.random() < 0.5 else (first - dt.timedelta(1)).replace(day=1)
    before = (start - dt.timedelta(rng.choice((150, 240, 330)))).replace(day=1)
    after = (first + dt.timedelta(40)).replace(day=1)
    common = {
        "window_days": window,
        "levels_in": wish.levels_in,
        "lead_time_calendar": wish.calendar,
        "closed_days": closed,
        "submit_limit": OUT_OF_REACH,
    }
    weeks = wish.levels_in == "weeks"
    return (
        ReorderPolicy.model_validate(
            {
                **common,
                "source": f"FILE-{code}-REORDER-POLICY-R{edition}",
                "medium": "drive",
                "edition": edition,
                "issued": moment(profile, start - dt.timedelta(rng.randint(4, 9)), 11),
                "effective_from": start,
                "levels": tuple(levels),
            }
        ),
        ReorderPolicy.model_validate(
            {
                **common,
                "source": f"FILE-{code}-REORDER-POLICY-R{edition - 1}",
                "medium": "sheet",
                "edition": edition - 1,
                "issued": moment(profile, before - dt.timedelta(rng.randint(4, 9)), 11),
                "effective_from": before,
                "effective_to": start - dt.timedelta(1),
                "levels": tuple(_replaced(level, rng, weeks) for level in levels),
            }
        ),
        ReorderPolicy.model_validate(
            {
                **common,
                "source": f"MSG-{code}-REORDER-R{edition + 1}-DRAFT",
                "medium": "mail",
                "edition": edition + 1,
                "status": "draft",
                "issued": moment(profile, today - dt.timedelta(rng.randint(3, 7)), 15, 20),
                "effective_from": after,
                "levels": tuple(_announced(level, rng, weeks) for level in levels),
            }
        ),
    )


def _replaced(level: Level, rng: Random, weeks: bool) -> Level:
    """Other levels, lower costs."""
    point, cover = level.reorder_point, level.order_up_to - level.reorder_point
    if weeks:
        point, cover = max(1, point + rng.choice((-1, -1, 0, 1))), max(2, cover + rng.choice((-2, -1, 1)))
    else:
        point, cover = _moved(point, rng, 0.7, 1.3), _moved(cover, rng, 0.7, 1.2)
    return level.model_copy(
        update={
            "reorder_point": point,
            "order_up_to": point + cover,
            "first": _cheaper(level.first, rng),
            "second": _cheaper(level.second, rng) if level.second else None,
        }
    )


def _announced(level: Level, rng: Random, weeks: bool) -> Level:
    """Higher levels, all else as it is."""
    point, cover = level.reorder_point, level.order_up_to - level.reorder_point
    if weeks:
        point, cover = point + rng.choice((0, 1, 1)), cover + rng.choice((0, 1, 2))
    else:
        point, cover = _moved(point, rng, 1.05, 1.35), _moved(cover, rng, 1.05, 1.25)
    return level.model_copy(update={"reorder_point": point, "order_up_to": point + cover})


def _moved(value: int, rng: Random, low: float, high: float) -> int:
    """A share of the value, kept as round as the value is."""
    step = 10 if value >= 100 else 5 if value >= 40 else 1
    return max(step, round(value * rng.uniform(low, high) / step) * step)


def _cheaper(offer: SupplySource, rng: Random) -> SupplySource:
    share = Decimal(str(round(rng.uniform(0.92, 0.97), 3)))
    cost = max(Decimal("0.01"), min(offer.unit_cost - Decimal("0.01"), cents(offer.unit_cost * share)))
    return offer.model_copy(update={"unit_cost": cost})
