"""Grades, contract terms and the wage table of a drawn round, in the tenant's currency.

In: profile, random stream, the two jobs and the hire date. Out: a PayTable. With a pay rise the wages change on the
first of the month of hiring; without one they changed at new year and will again after it.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.hire_against_headcount.facts import Grade, Wage
from generator.spec.tenant import TenantProfile

SCALE = Path(__file__).with_name("pay.yaml")
TERMS = ((12, 18, 24), (6, 12, 18), (9, 12, 24))


@dataclass(frozen=True)
class PayTable:
    grades: tuple[Grade, ...]
    wages: tuple[Wage, ...]
    step: Decimal

    def of(self, job: str) -> tuple[Grade, ...]:
        """The job's grades, the lowest first."""
        return tuple(grade for grade in self.grades if grade.job == job)

    def paid(self, rng: Random, job: str) -> Decimal:
        """What somebody in the job may earn: a wage of the table and a little for time served."""
        grade = rng.choice(self.of(job))
        wage = next(entry.monthly for entry in self.wages if entry.grade == grade.grade)
        return wage + self.step * rng.randrange(0, 12)


def draw_pay(profile: TenantProfile, rng: Random, job: str, other: str, start: dt.date, rise: bool) -> PayTable:
    """Raises KeyError for a currency without a scale."""
    scale = _tables()["monthly"][profile.currency]
    base, step = Decimal(scale["base"]), Decimal(scale["step"])
    letters = (job[0], other[0] if other[0] != job[0] else other.rsplit("-", 1)[-1][0])
    if letters[0] == letters[1]:
        letters = (letters[0], chr(ord(letters[1]) + 1))
    terms, years = rng.choice(TERMS), (0, rng.choice((2, 3)), rng.choice((5, 6, 7)))
    short_terms = rng.choice(((12, 12), (6, 12)))
    grades = [
        *(_grade(job, letters[0], place, years[place], terms[place]) for place in range(3)),
        *(_grade(other, letters[1], place, (0, 4)[place], short_terms[place]) for place in range(2)),
    ]
    levels = [Decimal(level + rng.randrange(-2, 3)) / 100 for level in (103, 115, 128, 87, 95)]
    wages = []
    for grade, level in zip(grades, levels, strict=True):
        amounts = [_rounded(base * level * growth, step) for growth in _growth(rng)]
        wages.extend(_spans(grade.grade, amounts, profile.today, start, rise))
    return PayTable(tuple(grades), tuple(wages), step)


def certificates() -> list[str]:
    """Names of papers that a job may ask for."""
    return list(_tables()["certificates"])


def _grade(job: str, letter: str, place: int, years: int, months: int) -> Grade:
    return Grade(job=job, grade=f"{letter}{place + 1}", from_years=years, term_months=months)


def _growth(rng: Random) -> tuple[Decimal, Decimal, Decimal]:
    first = 1 + Decimal(rng.randrange(28, 46)) / 1000
    return Decimal(1), first, first * (1 + Decimal(rng.randrange(20, 40)) / 1000)


def _spans(grade: str, amounts: list[Decimal], today: dt.date, start: dt.date, rise: bool) -> list[Wage]:
    changes = start.replace(day=1)
    year = dt.date(today.year, 1, 1)
    later = dt.date(changes.year + (changes.month > 10), (changes.month + 1) % 12 + 1, 1)
    starts = [year.replace(year=year.year - 1), year, later]
    if rise:
        starts = [changes.replace(year=changes.year - 1), changes]
    ends = [*(begin - dt.timedelta(days=1) for begin in starts[1:]), None]
    return [
        Wage(grade=grade, valid_from=begin, valid_to=end, monthly=amount)
        for begin, end, amount in zip(starts, ends, amounts, strict=False)
    ]


def _rounded(amount: Decimal, step: Decimal) -> Decimal:
    return ((amount / step).to_integral_value() * step).quantize(Decimal("0.01"))


@cache
def _tables() -> Any:
    return yaml.safe_load(SCALE.read_text(encoding="utf-8"))
