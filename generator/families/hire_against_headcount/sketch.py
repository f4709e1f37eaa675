"""A hiring round with the traps that are asked for, before anybody has checked how it comes out.

In: profile, random stream, a Sketch. Out: Facts: approvals, wages, workers, and a register whose candidates stand in
the ranking as the sketch wants them.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from generator.families.correspondence import Sent
from generator.families.hire_against_headcount.applicants import Applicants, applicants
from generator.families.hire_against_headcount.facts import (
    AlreadyHired,
    Approval,
    ApprovedJob,
    Candidate,
    Facts,
    JobCertificate,
    RaiseRequest,
)
from generator.families.hire_against_headcount.pay import PayTable, certificates, draw_pay
from generator.families.invented import invented_names
from generator.families.staff import Worker
from generator.spec.errors import SpecError
from generator.spec.tenant import TenantProfile

NAME_SHARE = 2
WEEKDAYS = 5


@dataclass(frozen=True)
class Sketch:
    """What a round holds. seats and eligible are what the right judgement is to find.

    change: whether the approval in force has fewer or more heads than the one before. permit: somebody whose permit
    ends within the contract, with a score that would win a seat or would not. tie: what the tie at the last seat turns
    on. short: fewer eligible candidates than seats. lapsed: the job's line is released to a day before the hire date.
    """

    seats: int = 3
    eligible: int = 5
    change: Literal["down", "up"] = "down"
    past_leavers: int = 0
    late_leavers: int = 0
    on_the_day: bool = False
    permit: Literal["none", "wins", "loses"] = "none"
    day_short: bool = False
    permit_to_the_day: bool = False
    tie: Literal["none", "site", "both"] = "none"
    started: bool = False
    pay_rise: bool = False
    grade_step: bool = False
    last_day_papers: bool = False
    short: bool = False
    lapsed: bool = False


def sketch(profile: TenantProfile, rng: Random, wanted: Sketch) -> Facts:
    cast, code = profile.cast, profile.code
    job, other, employer = cast["hire_job"], cast["other_job"], cast["employer"]
    start = first_monday(profile)
    pay = draw_pay(profile, rng, job, other, start, wanted.pay_rise)
    names = iter(invented_names(profile, rng, 48, NAME_SHARE))
    register = applicants(profile, rng, wanted, pay, start, names)
    workers, decoy_heads, heads = _workers(profile, rng, wanted, pay, start, register, names)
    approval, earlier = _approvals(profile, rng, wanted, start, heads, decoy_heads)
    today = profile.today
    return Facts(
        job=job,
        employer=employer,
        decoy_job=other,
        decoy_employer=employer,
        hire_date=start,
        certificates=tuple(
            JobCertificate(job=held, name=name)
            for held, name in zip((job, other), rng.sample(certificates(), 2), strict=True)
        ),
        ranking_ties=("temp_on_site", "applied"),
        register_source=f"FILE-{code}-CANDIDATE-REGISTER",
        wages_source=f"FILE-{code}-WAGE-TABLE",
        approval=approval,
        earlier=earlier,
        earlier_mail=Sent(
            source=earlier.source, by="plant_manager", at=_at(earlier.countersigned or earlier.issued, 14, 20)
        ),
        forward=Sent(
            source=f"MSG-{code}-HEADCOUNT-FWD", by="recruiter", at=_at(_workday(today, 1), 15, rng.randrange(60))
        ),
        raise_request=RaiseRequest(
            mail=Sent(
                source=f"MSG-{code}-HEADCOUNT-RAISE", by="recruiter", at=_at(_workday(today, 1), 16, rng.randrange(60))
            ),
            job=job,
            employer=employer,
            headcount=heads + (1 if not wanted.short else -rng.choice((2, 3))),
        ),
        already_hired=tuple(
            _start(code, rng, register.started, worker) for worker in workers if worker.name == register.started.name
        ),
        grades=pay.grades,
        wages=pay.wages,
        candidates=register.candidates,
        workers=workers,
    )


def first_monday(profile: TenantProfile) -> dt.date:
    """The first Monday of a month to come that lies in an open period. Raises SpecError where there is none."""
    day = profile.today + dt.timedelta(days=10)
    for _ in range(90):
        if day.weekday() == 0 and day.day <= 7 and day.month != profile.today.month and _open(profile, day):
            return day
        day += dt.timedelta(days=1)
    raise SpecError(f"{profile.slug}: no open hcm period holds a first Monday after {profile.today}")


def _open(profile: TenantProfile, day: dt.date) -> bool:
    return any(
        period.application == "hcm" and period.status == "Open" and period.start <= day <= period.end
        for period in profile.periods
    )


def _workers(
    profile: TenantProfile,
    rng: Random,
    wanted: Sketch,
    pay: PayTable,
    start: dt.date,
    register: Applicants,
    names: Iterator[str],
) -> tuple[tuple[Worker, ...], int, int]:
    """Who is at work, the heads of the other job, and the heads at which the sketch's seats are open."""
    job, other = profile.cast["hire_job"], profile.cast["other_job"]
    employer, elsewhere = profile.cast["employer"], profile.cast["other_employer"]
    number = 3100

    def worker(of: str, at: str, last_day: dt.date | None = None, active: bool = True) -> Worker:
        nonlocal number
        number += 1
        hired = profile.today - dt.timedelta(days=rng.randrange(400, 3600))
        return Worker(
            person_number=f"P-{profile.code}-{number}",
            name=next(names),
            employer=at,
            job=of,
            hire_date=hired,
            salary=pay.paid(rng, of),
            contract_end=None,
            last_day=last_day,
            active=active,
        )

    late = [start] if wanted.on_the_day else []
    late += [start + dt.timedelta(days=rng.randrange(4, 26)) for _ in range(wanted.late_leavers - len(late))]
    past = [start - dt.timedelta(days=3 if place == 0 else rng.randrange(4, 9)) for place in range(wanted.past_leavers)]
    staying = rng.randrange(2, 5)
    at_work = [worker(job, employer, last) for last in [*[None] * staying, *late, *past]]
    rng.shuffle(at_work)
    numbers = [f"P-{profile.code}-{3100 + place}" for place in range(1, len(at_work) + 1)]
    at_work = [one.model_copy(update={"person_number": held}) for one, held in zip(at_work, numbers, strict=True)]
    others = [worker(other, employer) for _ in range(rng.randrange(2, 5))]
    number += 1
    began = _workday(profile.today, rng.randrange(3, 7))
    back = Worker(
        person_number=f"P-{profile.code}-{number}",
        name=register.started.name,
        employer=employer,
        job=register.started.job,
        hire_date=began,
        salary=pay.paid(rng, register.started.job),
        contract_end=began + dt.timedelta(days=364),
    )
    gone = worker(job, employer, profile.today - dt.timedelta(days=rng.randrange(40, 120)), active=False)
    away = worker(job, elsewhere)
    counted = staying + len(late) + (1 if register.started.job == job else 0)
    in_other = len(others) + (1 if register.started.job == other else 0)
    everybody = (*at_work, *others, back, gone, away)
    return everybody, in_other + register.other_seats, counted + wanted.seats


def _approvals(
    profile: TenantProfile, rng: Random, wanted: Sketch, start: dt.date, heads: int, decoy_heads: int
) -> tuple[Approval, Approval]:
    """The one in force and the one that it replaced; the step between them is as long as it shows."""
    code, today = profile.code, profile.today
    employer, elsewhere = profile.cast["employer"], profile.cast["other_employer"]
    job, other = profile.cast["hire_job"], profile.cast["other_job"]
    spare = wanted.eligible - wanted.seats
    if wanted.change == "down":
        step = rng.randrange(1, max(2, spare + 1))
    else:
        least = wanted.seats - wanted.eligible + 1 if wanted.short else 1
        step = -rng.randrange(least, wanted.seats)
    first = rng.randrange(1, 4)
    year_start, year_end = dt.date(today.year, 1, 1), dt.date(today.year, 12, 31)
    issued = _workday(today, rng.randrange(4, 8))
    before = _workday(today, rng.randrange(18, 26))

    def approval(
        number: int, issue: int, day: dt.date, source: str, count: int, released_to: dt.date | None
    ) -> Approval:
        return Approval(
            source=source,
            number=f"HC-{code}-{today.year}-{number:02d}",
            issue=issue,
            issued=day,
            countersigned=_workday(day, -1),
            valid_from=year_start,
            valid_to=year_end,
            jobs=(
                ApprovedJob(job=job, employer=employer, headcount=count, released_to=released_to),
                ApprovedJob(job=job, employer=elsewhere, headcount=rng.randrange(1, 3)),
                ApprovedJob(job=other, employer=employer, headcount=decoy_heads),
            ),
        )

    released_to = start - dt.timedelta(days=rng.randrange(1, 4)) if wanted.lapsed else None
    source = f"FILE-{code}-HEADCOUNT-APPROVAL-{today.year}"
    return (
        approval(first + rng.randrange(1, 4), 2, issued, source, heads, released_to),
        approval(first, 1, before, f"MSG-{code}-HEADCOUNT-{_workday(before, -1):%m%d}", heads + step, None),
    )


def _start(code: str, rng: Random, candidate: Candidate, worker: Worker) -> AlreadyHired:
    """The mail about somebody of the register who has begun under another number."""
    place = candidate.id.rsplit("-", 1)[1]
    return AlreadyHired(
        mail=Sent(source=f"MSG-{code}-START-{place}", by="recruiter", at=_at(worker.hire_date, 14, rng.randrange(60))),
        candidate=candidate.id,
        person_number=worker.person_number,
        started=worker.hire_date,
    )


def _workday(day: dt.date, back: int) -> dt.date:
    """So many weekdays before the day; after it when negative."""
    step = dt.timedelta(days=1 if back < 0 else -1)
    left = abs(back)
    while left:
        day += step
        left -= day.weekday() < WEEKDAYS
    return day


def _at(day: dt.date, hour: int, minute: int) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour, minute), tzinfo=dt.UTC)
