"""The days and hours of a drawn export, in UTC: when it was written, what its last day is, when orders were placed.

In: a profile and a random stream. Out: moments on either side of the bounds that the takeover rules draw.
"""

import datetime as dt
from dataclasses import dataclass
from random import Random
from zoneinfo import ZoneInfo

from generator.families.office import filed_in_force
from generator.spec.tenant import TenantProfile

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)
DAYS_OF_ORDERS = 4
DAYS_BETWEEN_EXPORTS = 2
SPARE_HOURS = 6
"""At least so many hours lie between the end of the last day, by local time, and the export."""


@dataclass(frozen=True)
class Calendar:
    """generated: when the export was written; earlier: the one before; last_day, change (of prefix): local days."""

    rng: Random
    zone: ZoneInfo
    generated: dt.datetime
    earlier: dt.datetime
    last_day: dt.date
    change: dt.date

    def at(self, day: dt.date, hour: int, minute: int) -> dt.datetime:
        """Local time on a day, in UTC."""
        return dt.datetime.combine(day, dt.time(hour, minute), tzinfo=self.zone).astimezone(dt.UTC)

    def ordinary(self) -> dt.datetime:
        """In the shop's busy hours of one of the last days, well inside the last day."""
        day = self.last_day - DAY * self.rng.randrange(DAYS_OF_ORDERS)
        return self.at(day, self.rng.randint(8, 17), self.rng.randint(0, 59))

    def before_change(self) -> dt.datetime:
        """When orders still had the old prefix in the system."""
        return self.at(self.change - DAY * self.rng.randint(1, 3), self.rng.randint(8, 17), self.rng.randint(0, 59))

    def waiting(self) -> dt.datetime:
        """Just after the last day by local time. East of Greenwich that is still the last day by UTC."""
        return self.at(self.last_day + DAY, 0, self.rng.randint(2, 55))

    def eve(self) -> dt.datetime:
        """Late on the last day by local time. West of Greenwich that is the day after by UTC."""
        return self.at(self.last_day, 23, self.rng.randint(5, 57))

    def later(self, created: dt.datetime) -> dt.datetime:
        """A change of an order since the earlier export, before this one was written."""
        since = max(created, self.earlier) + HOUR
        minutes = int((self.generated - HOUR - since).total_seconds() // 60)
        return since + dt.timedelta(minutes=self.rng.randint(0, max(minutes, 1)))


def draw_calendar(profile: TenantProfile, rng: Random) -> Calendar:
    zone = ZoneInfo(profile.timezone)
    generated = filed_in_force(profile)
    last_day = (generated - SPARE_HOURS * HOUR).astimezone(zone).date() - DAY
    return Calendar(
        rng=rng,
        zone=zone,
        generated=generated,
        earlier=generated - DAYS_BETWEEN_EXPORTS * DAY,
        last_day=last_day,
        change=last_day - DAY * rng.randint(5, 9),
    )
