"""The demand forecast of a drawn reorder run: weekly demand, needed-by dates and the planning tool's suggestions.

In: what each item's level and demand are, and the policy in force. Out: a Forecast whose needed-by dates make the
slowest line late, and closed days for a calendar of working days.
"""

import datetime as dt
from dataclasses import dataclass
from random import Random

from generator.families.clerks import moment, working_day_before
from generator.families.figures import rounded
from generator.families.inventory_reorder.facts import Forecast, ForecastLine, Level, ReorderPolicy
from generator.families.inventory_reorder.outcome import arrival
from generator.families.purchasing import supplier
from generator.spec.tenant import TenantProfile


@dataclass(frozen=True)
class Demand:
    """weekly: units a week; part: what the item plays in the run."""

    level: Level
    weekly: int
    part: str

    def factor(self, levels_in: str) -> int:
        """Units in one unit of the level."""
        return self.weekly if levels_in == "weeks" else 1


def closed_days(today: dt.date, rng: Random) -> tuple[dt.date, ...]:
    """One or two working days in the next two weeks."""
    days = [today + dt.timedelta(n) for n in range(1, 13)]
    return tuple(sorted(rng.sample([day for day in days if day.weekday() < 5], rng.randint(1, 2))))


def forecast(
    profile: TenantProfile, rng: Random, demands: list[Demand], policy: ReorderPolicy, longest: str
) -> Forecast:
    issued = moment(profile, working_day_before(profile.today), 13)
    return Forecast(
        source=f"FILE-{profile.code}-DEMAND-FORECAST",
        issued=issued,
        lines=tuple(_line(profile, rng, demand, policy, longest) for demand in demands),
    )


def _line(profile: TenantProfile, rng: Random, demand: Demand, policy: ReorderPolicy, longest: str) -> ForecastLine:
    level, today = demand.level, profile.today
    offers = [level.first, *([level.second] if level.second else [])]
    assumed = rng.choice(offers).supplier
    skipped = rng.random() < (0.75 if demand.part == "longest" else 0.25)
    arrives = arrival(today, policy, supplier(profile, longest).lead_time_days)
    if demand.part == "longest":
        needed = max(today + dt.timedelta(1), arrives - dt.timedelta(rng.randint(1, 11)))
    else:
        needed = today + dt.timedelta(rng.randint(6, 26))
    return ForecastLine(
        organization=level.organization,
        item=level.item,
        weekly_demand=demand.weekly,
        suggested=0 if skipped else rounded(demand.weekly * rng.uniform(1.0, 5.0)),
        needed_by=needed,
        supplier=assumed,
    )
