"""People of drawn facts who only write or count, carriers, and the calendar that drawn dates keep to.

In: a profile, a random stream. Out: full names, all different and none of a person of the profile; carriers' names;
moments of the office's day in UTC. Families take shares of their own, so that no name serves two of them.
"""

import datetime as dt
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import yaml

from generator.spec.tenant import TenantProfile

POOLS = Path(__file__).with_name("clerks.yaml")
SHARES = 2


def clerk_names(profile: TenantProfile, rng: Random, count: int, share: int) -> list[str]:
    """Raises ValueError when the pool has fewer names than that."""
    pool = _pools().get(profile.country, _pools()["any"])
    taken = {person.name for person in profile.people}
    pairs = [
        f"{first} {last}"
        for place, first in enumerate(pool["given"])
        for other, last in enumerate(pool["family"])
        if (place + other) % SHARES == share
    ]
    return rng.sample([name for name in pairs if name not in taken], count)


def carrier(rng: Random) -> str:
    return str(rng.choice(_pools()["carriers"]))


@cache
def _pools() -> dict[str, Any]:
    pools: dict[str, Any] = yaml.safe_load(POOLS.read_text(encoding="utf-8"))
    return pools


def moment(profile: TenantProfile, day: dt.date, hour: int, minute: int = 0) -> dt.datetime:
    """The office's local time on a day, in UTC."""
    local = dt.datetime.combine(day, dt.time(hour, minute), tzinfo=ZoneInfo(profile.timezone))
    return local.astimezone(dt.UTC)


def working_day_before(day: dt.date) -> dt.date:
    """The last Monday to Friday before the day."""
    before = day - dt.timedelta(days=1)
    while before.weekday() > 4:
        before -= dt.timedelta(days=1)
    return before


def address(name: str, domain: str) -> str:
    """first.last at a domain, in ASCII."""
    decomposed = unicodedata.normalize("NFKD", name.lower().translate(_WITHOUT_PARTS))
    plain = decomposed.encode("ascii", "ignore").decode().replace(" ", ".").replace("'", "")
    return f"{plain}@{domain}"


# Letters that have no decomposition into a base letter and a mark.
_WITHOUT_PARTS = str.maketrans({"ł": "l", "ø": "o", "ß": "ss", "æ": "ae", "ı": "i", "đ": "d"})
