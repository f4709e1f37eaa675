"""Shop-floor workers of drawn facts: invented names, a job that no hiring round is about, pay in the ledger currency.

In: a profile and a random stream. Out: Workers, each with the next person number of the family's range.
"""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random

import yaml

from generator.families.staff import Worker
from generator.spec.tenant import TenantProfile

PAY = Path(__file__).with_name("crew.yaml")
SPREAD = 45
"""Steps between the lowest and the highest pay."""


def person_numbers(profile: TenantProfile, rng: Random, thousand: int) -> Iterator[str]:
    """P-<CODE>-1104, P-<CODE>-1109, …: rising, with gaps as people come and go; room for some eighty persons."""
    number = thousand * 1000 + 100
    while True:
        number += rng.randint(2, 9)
        yield f"P-{profile.code}-{number}"


def shop_job(profile: TenantProfile) -> str:
    """The first job that is neither hired for nor the other one of the hiring round."""
    taken = {profile.cast["hire_job"], profile.cast["other_job"]}
    return next(entry.code for entry in profile.lookups if entry.kind == "job" and entry.code not in taken)


def crew_worker(
    profile: TenantProfile,
    rng: Random,
    number: str,
    name: str,
    employer: str,
    last_day: dt.date | None = None,
    active: bool = True,
) -> Worker:
    """A worker of some years' standing."""
    pay = _pay()[profile.currency]
    return Worker(
        person_number=number,
        name=name,
        employer=employer,
        job=shop_job(profile),
        hire_date=profile.today - dt.timedelta(days=rng.randint(400, 2600)),
        salary=Decimal(pay["base"] + pay["step"] * rng.randint(0, SPREAD)).quantize(Decimal("0.01")),
        last_day=last_day,
        active=active,
    )


@cache
def _pay() -> dict[str, dict[str, int]]:
    pay: dict[str, dict[str, int]] = yaml.safe_load(PAY.read_text(encoding="utf-8"))
    return pay
