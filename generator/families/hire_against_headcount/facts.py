"""The facts of a hiring round: approvals, grades and wages, the candidate register, and who is at work already."""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.correspondence import Sent
from generator.families.staff import Worker
from generator.spec.tenant import Model


class ApprovedJob(Model):
    """Heads approved for a job at an employer, filled seats included.

    released_to: the last hire date that the line is released for; None is as long as the approval itself.
    """

    job: str
    employer: str
    headcount: int
    released_to: dt.date | None = None


class Approval(Model):
    """A headcount approval. countersigned is None while the second signature is missing."""

    source: str
    number: str
    issue: int
    issued: dt.date
    countersigned: dt.date | None
    valid_from: dt.date
    valid_to: dt.date
    jobs: tuple[ApprovedJob, ...]

    def line(self, job: str, employer: str) -> ApprovedJob:
        """Raises KeyError for a job the approval does not have at the employer."""
        for line in self.jobs:
            if (line.job, line.employer) == (job, employer):
                return line
        raise KeyError(f"{self.number} has no {job} at {employer}")

    def covers(self, job: str, employer: str, day: dt.date) -> bool:
        """Signed twice, and valid and released for the job on the day."""
        released_to = self.line(job, employer).released_to
        return (
            self.countersigned is not None
            and self.valid_from <= day <= self.valid_to
            and (released_to is None or day <= released_to)
        )

    @property
    def has_released_lines(self) -> bool:
        return any(line.released_to is not None for line in self.jobs)


class RaiseRequest(Model):
    """Somebody asks by mail for other heads, mostly more; nobody has signed it."""

    mail: Sent
    job: str
    employer: str
    headcount: int


class Grade(Model):
    """A grade of a job: from how many full years of experience on the hire date, and the term of its contract."""

    job: str
    grade: str
    from_years: int
    term_months: int

    def ends(self, hire_date: dt.date) -> dt.date:
        """The last day of a contract of the grade: the day before the same day of the month, a term later."""
        year, month = divmod(hire_date.month - 1 + self.term_months, 12)
        return hire_date.replace(year=hire_date.year + year, month=month + 1) - dt.timedelta(days=1)


class JobCertificate(Model):
    """The certificate without which nobody is hired into the job."""

    job: str
    name: str


class Wage(Model):
    grade: str
    valid_from: dt.date
    valid_to: dt.date | None
    monthly: Decimal


class Candidate(Model):
    """A row of the register.

    person_number is reserved for the hire. permit_until is None where no permit is needed. shortlist is the recruiter's
    order, wage_discussed and months_discussed what was spoken of: both decide nothing.
    """

    id: str
    name: str
    person_number: str
    job: str
    employer: str
    applied: dt.date
    temp_on_site: bool
    score: int
    experience_since: dt.date
    certificate_until: dt.date | None
    references_checked: bool
    permit_until: dt.date | None = None
    stage: Literal["Open", "Withdrawn"] = "Open"
    shortlist: int | None = None
    wage_discussed: Decimal
    months_discussed: int


class AlreadyHired(Model):
    """A candidate who started before this round under another person number; the register does not say so yet."""

    mail: Sent
    candidate: str
    person_number: str
    started: dt.date


class Facts(Model):
    """job and employer are the request's; decoy_job and decoy_employer the ones that look like it.

    ranking_ties: what decides between equal scores, in this order.
    """

    job: str
    employer: str
    decoy_job: str
    decoy_employer: str
    hire_date: dt.date
    certificates: tuple[JobCertificate, ...]
    ranking_ties: tuple[Literal["temp_on_site", "applied"], ...]
    register_source: str
    wages_source: str
    approval: Approval
    earlier: Approval
    earlier_mail: Sent
    forward: Sent
    raise_request: RaiseRequest | None = None
    already_hired: tuple[AlreadyHired, ...] = ()
    grades: tuple[Grade, ...]
    wages: tuple[Wage, ...]
    candidates: tuple[Candidate, ...]
    workers: tuple[Worker, ...]

    def candidate(self, id: str) -> Candidate:
        for candidate in self.candidates:
            if candidate.id == id:
                return candidate
        raise KeyError(f"no candidate {id}")
