"""Invented people: names from a pool by country, for workers, candidates and clerks of drawn facts.

In: a profile, a random stream, how many. Out: full names, all different, none of them a person of the profile. A family
that takes a share of its own (0, 1 or 2) meets no name of a family with another share, so that no two strangers of one
tenant have the same name.
"""

from functools import cache
from pathlib import Path
from random import Random

import yaml

from generator.spec.tenant import TenantProfile

SHARES = 3
POOLS = Path(__file__).with_name("names.yaml")


def invented_names(profile: TenantProfile, rng: Random, count: int, share: int) -> list[str]:
    """Raises ValueError when the pool has fewer names than that."""
    taken = {person.name for person in profile.people}
    free = [name for name in _share(profile.country, share) if name not in taken]
    if count > len(free):
        raise ValueError(f"{count} names wanted, the pool of {profile.country} has {len(free)}")
    return rng.sample(free, count)


@cache
def _share(country: str, share: int) -> tuple[str, ...]:
    pools = _pools()
    pool = pools.get(country, pools["any"])
    return tuple(
        f"{first} {last}"
        for place, first in enumerate(pool["given"])
        for other, last in enumerate(pool["family"])
        if (place + other) % SHARES == share
    )


@cache
def _pools() -> dict[str, dict[str, list[str]]]:
    pools: dict[str, dict[str, list[str]]] = yaml.safe_load(POOLS.read_text(encoding="utf-8"))
    return pools
