"""The candidate register of a drawn round: the eligible in their ranking, and those who only look like it.

In: profile, random stream, what the sketch asks for, the pay table, the hire date, names. Out: Applicants.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING, Any

from generator.families.hire_against_headcount.facts import Candidate, Grade
from generator.families.hire_against_headcount.pay import PayTable
from generator.spec.tenant import TenantProfile

if TYPE_CHECKING:
    from generator.families.hire_against_headcount.sketch import Sketch

ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Applicants:
    """started is the one who is at work already; other_seats the open heads of the other job."""

    candidates: tuple[Candidate, ...]
    started: Candidate
    other_seats: int


@dataclass
class Draft:
    """A candidate before the register gives ids, person numbers and scores."""

    name: str
    job: str
    grade: Grade
    part: str
    fields: dict[str, Any]


class _Register:
    """Makes drafts of candidates for one round."""

    def __init__(
        self, profile: TenantProfile, rng: Random, pay: PayTable, start: dt.date, names: Iterator[str]
    ) -> None:
        self.profile, self.rng, self.pay, self.start, self.names = profile, rng, pay, start, names
        self.today = profile.today

    def draft(self, job: str, part: str, grade: Grade | None = None, **fields: Any) -> Draft:
        """An eligible candidate but for the fields given. A permit, where there is one, covers the contract."""
        grade = grade or self.rng.choice(self.pay.of(job))
        ends = grade.ends(self.start)
        permit = ends + dt.timedelta(days=self.rng.randrange(20, 300)) if self.rng.random() < 0.3 else None
        return Draft(
            next(self.names),
            job,
            grade,
            part,
            {
                "applied": self.today - dt.timedelta(days=self.rng.randrange(12, 55)),
                "temp_on_site": self.rng.random() < 0.25,
                "experience_since": self.experience(grade),
                "certificate_until": self.today + dt.timedelta(days=self.rng.randrange(90, 480)),
                "references_checked": True,
                "permit_until": permit,
                **fields,
            },
        )

    def experience(self, grade: Grade) -> dt.date:
        """A day that puts the candidate into the grade today already, and no higher on the hire date."""
        above = [one.from_years for one in self.pay.of(grade.job) if one.from_years > grade.from_years]
        least = grade.from_years * 366 + 40
        most = (min(above) if above else grade.from_years + 6) * 365 - 60
        return self.today - dt.timedelta(days=self.rng.randrange(least, max(least + 1, most)))

    def at_the_step(self, grade: Grade) -> dt.date:
        """A day whose anniversary, which makes the grade's years full, lies between today and the hire date."""
        anniversary = self.today + dt.timedelta(days=self.rng.randrange(2, (self.start - self.today).days))
        return (anniversary - dt.timedelta(days=1)).replace(year=anniversary.year - grade.from_years)


def applicants(
    profile: TenantProfile, rng: Random, wanted: "Sketch", pay: PayTable, start: dt.date, names: Iterator[str]
) -> Applicants:
    register = _Register(profile, rng, pay, start, names)
    job, other = profile.cast["hire_job"], profile.cast["other_job"]
    ladder = _ladder(register, wanted, job)
    _add_unfit(register, wanted, job, ladder)
    _score(rng, wanted, ladder)
    other_seats = rng.randrange(1, 4)
    others = [register.draft(other, "other") for _ in range(other_seats + rng.randrange(1, 3))]
    started = register.draft(job if wanted.started else other, "started")
    started.fields["score"] = max(draft.fields["score"] for draft in ladder) + rng.randrange(1, 3)
    for place, draft in enumerate(others):
        draft.fields["score"] = 84 - 4 * place - rng.randrange(3)
    everybody = [*ladder, *others, started]
    _order(rng, everybody)
    shortlist = _shortlist(rng, [draft for draft in everybody if draft.job == job])
    candidates = _numbered(profile, rng, pay, everybody, shortlist)
    return Applicants(candidates, next(one for one in candidates if one.name == started.name), other_seats)


def _ladder(register: _Register, wanted: "Sketch", job: str) -> list[Draft]:
    """The eligible, the best first, with what the sketch wants at the seats' edge."""
    rng, today = register.rng, register.today
    grades = register.pay.of(job)
    ladder = [register.draft(job, "eligible") for _ in range(wanted.eligible)]
    edge = wanted.seats - 1
    if wanted.tie != "none":
        won, lost = rng.sample(grades, 2)
        ladder[edge] = register.draft(job, "won", won, temp_on_site=wanted.tie == "site")
        ladder[edge + 1] = register.draft(job, "lost", lost, temp_on_site=False)
        first, second = sorted(rng.sample(range(12, 55), 2))
        late, early = (today - dt.timedelta(days=days) for days in (first, second))
        on_site = wanted.tie == "site"
        ladder[edge].fields["applied"] = late if on_site else early
        ladder[edge + 1].fields["applied"] = early if on_site else late
        if wanted.tie == "both":
            temp = today - dt.timedelta(days=10)
            ladder[edge - 1] = register.draft(job, "won", temp_on_site=True, applied=temp)
    if wanted.permit_to_the_day:
        ladder[0].fields["permit_until"] = ladder[0].grade.ends(register.start)
    if wanted.last_day_papers:
        ladder[rng.randrange(wanted.seats)].fields["certificate_until"] = today
    if wanted.grade_step:
        grade = rng.choice(grades[1:])
        ladder[rng.randrange(wanted.seats)] = register.draft(
            job, "eligible", grade, experience_since=register.at_the_step(grade)
        )
    return ladder


def _add_unfit(register: _Register, wanted: "Sketch", job: str, ladder: list[Draft]) -> None:
    """Those whom one condition shuts out, most of them with a score that would have won."""
    rng, today = register.rng, register.today
    seats = min(wanted.seats, len(ladder))

    def put(draft: Draft, wins: bool) -> None:
        """Somewhere among the winners, or near the end; never within a tie."""
        place = rng.randrange(max(1, seats - 1)) if wins else len(ladder) - rng.randrange(2)
        ladder.insert(place, draft)

    put(register.draft(job, "withdrawn", stage="Withdrawn"), True)
    lapsed = today - (ONE_DAY if wanted.last_day_papers else dt.timedelta(days=rng.randrange(3, 30)))
    put(register.draft(job, "lapsed", certificate_until=lapsed), True)
    put(register.draft(job, "unchecked", references_checked=False), True)
    if wanted.permit != "none":
        draft = register.draft(job, "permit")
        ends = draft.grade.ends(register.start)
        short = ONE_DAY if wanted.day_short else dt.timedelta(days=rng.randrange(15, 120))
        draft.fields["permit_until"] = ends - short
        put(draft, wanted.permit == "wins")


def _score(rng: Random, wanted: "Sketch", ladder: list[Draft]) -> None:
    """Falling scores; those of a tie are the same."""
    score = rng.randrange(88, 95)
    tied = False
    for draft in ladder:
        if not (tied and draft.part in ("won", "lost")):
            score -= rng.randrange(1, 4)
        tied = draft.part == "won" or (tied and draft.part == "lost")
        draft.fields["score"] = score


def _order(rng: Random, everybody: list[Draft]) -> None:
    """Any order in the register, but who loses a tie stands before those who win it."""
    rng.shuffle(everybody)
    places = sorted(place for place, draft in enumerate(everybody) if draft.part in ("won", "lost"))
    tied = sorted((everybody[place] for place in places), key=lambda draft: draft.part)
    for place, draft in zip(places, tied, strict=True):
        everybody[place] = draft


def _shortlist(rng: Random, drafts: list[Draft]) -> dict[str, int]:
    """The recruiter's order: some who cannot be taken, some who can, the best-liked first."""
    unfit = [draft for draft in drafts if draft.part in ("started", "permit", "lapsed", "unchecked")]
    fit = [draft for draft in drafts if draft.part in ("eligible", "won", "lost")]
    chosen = rng.sample(unfit, rng.randrange(1, min(3, len(unfit)) + 1)) + rng.sample(
        fit, rng.randrange(1, min(3, len(fit)) + 1)
    )
    rng.shuffle(chosen)
    return {draft.name: place for place, draft in enumerate(chosen, 1)}


def _numbered(
    profile: TenantProfile, rng: Random, pay: PayTable, drafts: list[Draft], shortlist: dict[str, int]
) -> tuple[Candidate, ...]:
    number, months = rng.randrange(102, 160), rng.choice((6, 12))
    coarse = pay.step * 10
    candidates = []
    for place, draft in enumerate(drafts):
        wage = next(entry.monthly for entry in pay.wages if entry.grade == draft.grade.grade)
        spoken = wage * Decimal(rng.randrange(97, 109)) / 100
        candidates.append(
            Candidate(
                id=f"CAND-{profile.code}-{number}",
                name=draft.name,
                person_number=f"P-{profile.code}-{3141 + place}",
                job=draft.job,
                employer=profile.cast["employer"],
                shortlist=shortlist.get(draft.name),
                wage_discussed=(coarse * (spoken / coarse).to_integral_value()).quantize(Decimal("0.01")),
                months_discussed=months,
                **draft.fields,
            )
        )
        number += rng.randrange(1, 4)
    return tuple(candidates)
