"""What a hiring round comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.hire_against_headcount.facts import Approval, Candidate, Facts, Grade
from generator.families.staff import employer_name
from generator.spec.case import ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.tenant import Tenant

OPTIONS = {
    "hire": ("hire_to_headcount", "hired"),
    "refer": ("hire_clear_and_refer_exceptions", "hired_with_referrals"),
    "received": ("hire_shortlist_as_listed", "hired_as_listed"),
    "stop": ("stop_headcount_unapproved", "not_hired"),
}
# The rules of the approval that a judgement may leave out.
RULES = (
    "validity",
    "past_leavers",
    "late_leavers",
    "stage",
    "already_started",
    "certificate",
    "references",
    "permit",
    "ties",
    "experience_date",
    "wage_date",
)


@dataclass(frozen=True)
class Hire:
    """A candidate with the terms that he or she is hired on."""

    candidate: Candidate
    wage: Decimal
    months: int
    ends: dt.date


@dataclass(frozen=True)
class Round:
    """One job at one employer: the hires, and who misses a seat for the permit alone."""

    job: str
    employer: str
    open: int
    eligible: int
    hires: tuple[Hire, ...]
    referred: tuple[Candidate, ...]


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and hires under a judgement. rows is what the ERP keeps: who holds a seat comes from it."""
    source = judgement.sources["headcount_approval"]
    approval = believed_approval(facts, source)
    if judgement.as_received:
        found, how = shortlisted(facts), "received"
    else:
        found = hiring_round(tenant, facts, rows, judgement)
        how = "refer" if found.referred else "hire"
    stopped = (
        how != "received"
        and source == approval.source
        and "validity" not in judgement.ignored_rules
        and not approval.covers(found.job, found.employer, facts.hire_date)
    )
    option, status = OPTIONS["stop" if stopped else how]
    return Outcome(
        answers={
            "open_headcount": found.open,
            "eligible_candidates": found.eligible,
            "hires": len(found.hires),
            "monthly_wage_total": sum((hire.wage for hire in found.hires), Decimal("0.00")),
            "contract_months": sum(hire.months for hire in found.hires),
        },
        option=option,
        status=status,
        operative=source,
        cited=(),
        writes=() if stopped else tuple(_write(tenant, facts, found, hire) for hire in found.hires),
        primary=None if stopped or not found.hires else _primary(tenant, facts, found, approval),
        obstacle=approval.number if stopped else None,
    )


def believed_approval(facts: Facts, source: str) -> Approval:
    """The approval whose number the hires carry: an unsigned request only changes the one in force."""
    return facts.earlier if source in (facts.earlier.source, facts.forward.source) else facts.approval


def approved_heads(facts: Facts, source: str, job: str, employer: str) -> int:
    """Heads for the job under the source that is believed."""
    request = facts.raise_request
    if request is not None and source == request.mail.source and (request.job, request.employer) == (job, employer):
        return request.headcount
    return believed_approval(facts, source).line(job, employer).headcount


def hiring_round(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Round:
    task = judgement.target == "task"
    job, employer = (facts.job, facts.employer) if task else (facts.decoy_job, facts.decoy_employer)
    seats = approved_heads(facts, judgement.sources["headcount_approval"], job, employer) - seats_held(
        rows, employer_name(tenant.profile, employer), job, facts.hire_date, judgement.ignored_rules
    )
    seats = max(0, seats)
    ignored = judgement.ignored_rules
    applied = [one for one in facts.candidates if (one.job, one.employer) == (job, employer)]
    sound = [one for one in applied if _sound(tenant, facts, one, ignored)]
    eligible = [one for one in sound if "permit" in ignored or permitted(tenant, facts, one, ignored)]
    ranked = rank(facts, eligible, ignored)
    clear = {one.id for one in eligible}
    without_permit = [one for one in sound if one.id not in clear]
    return Round(
        job=job,
        employer=employer,
        open=seats,
        eligible=len(eligible),
        hires=tuple(_on_terms(tenant, facts, one, ignored) for one in ranked[:seats]),
        referred=tuple(one for one in without_permit if one in rank(facts, [*eligible, one], ignored)[:seats]),
    )


def seats_held(rows: Rows, employer: str, job: str, hire_date: dt.date, ignored: frozenset[str] = frozenset()) -> int:
    """Heads active in the job on the hire date; the last working day still counts."""

    def holds(row: dict[str, Any]) -> bool:
        last = row["LastWorkingDate"]
        if last is None or (last < hire_date and "past_leavers" in ignored):
            return True
        return last >= hire_date and "late_leavers" not in ignored

    active = (job, employer, "Active")
    return sum(
        (row["JobCode"], row["LegalEmployerName"], row["AssignmentStatus"]) == active and holds(row)
        for row in rows.get("workers", [])
    )


def rank(facts: Facts, candidates: Sequence[Candidate], ignored: frozenset[str] = frozenset()) -> list[Candidate]:
    """By score, ties by the approval's order; a worker without it takes the register's order."""

    def place(one: Candidate) -> tuple[Any, ...]:
        keys = {"temp_on_site": not one.temp_on_site, "applied": one.applied}
        ties = () if "ties" in ignored else tuple(keys[tie] for tie in facts.ranking_ties)
        return (-one.score, *ties)

    return sorted(candidates, key=place)


def grade_of(facts: Facts, candidate: Candidate, day: dt.date) -> Grade:
    """The highest grade of the job whose years are completed on the day."""
    since = candidate.experience_since
    years = day.year - since.year - ((day.month, day.day) < (since.month, since.day))
    reached = [grade for grade in facts.grades if grade.job == candidate.job and grade.from_years <= years]
    return max(reached, key=lambda grade: grade.from_years)


def wage_on(facts: Facts, grade: str, day: dt.date) -> Decimal:
    """Raises KeyError for a day that the table leaves out."""
    for wage in facts.wages:
        if wage.grade == grade and wage.valid_from <= day and (wage.valid_to is None or day <= wage.valid_to):
            return wage.monthly
    raise KeyError(f"no wage of grade {grade} on {day}")


def permitted(tenant: Tenant, facts: Facts, one: Candidate, ignored: frozenset[str] = frozenset()) -> bool:
    """No permit is needed, or it lasts as long as the contract."""
    return one.permit_until is None or one.permit_until >= _on_terms(tenant, facts, one, ignored).ends


def shortlisted(facts: Facts) -> Round:
    """The recruiter's shortlist taken as it is: everybody on it, on what was spoken of."""
    listed = sorted((c for c in facts.candidates if c.shortlist is not None), key=lambda c: c.shortlist or 0)
    hires = tuple(
        Hire(
            one,
            one.wage_discussed,
            one.months_discussed,
            Grade(job=one.job, grade="", from_years=0, term_months=one.months_discussed).ends(facts.hire_date),
        )
        for one in listed
    )
    return Round(facts.job, facts.employer, len(hires), len(hires), hires, ())


def _sound(tenant: Tenant, facts: Facts, one: Candidate, ignored: frozenset[str]) -> bool:
    """Everything but the permit."""
    started = {hired.candidate for hired in facts.already_hired}
    certified = one.certificate_until is not None and one.certificate_until >= tenant.profile.today
    return (
        ("stage" in ignored or one.stage != "Withdrawn")
        and ("already_started" in ignored or one.id not in started)
        and ("certificate" in ignored or certified)
        and ("references" in ignored or one.references_checked)
    )


def _on_terms(tenant: Tenant, facts: Facts, one: Candidate, ignored: frozenset[str]) -> Hire:
    today = tenant.profile.today
    grade = grade_of(facts, one, today if "experience_date" in ignored else facts.hire_date)
    wage = wage_on(facts, grade.grade, today if "wage_date" in ignored else facts.hire_date)
    return Hire(one, wage, grade.term_months, grade.ends(facts.hire_date))


def _worker(tenant: Tenant, facts: Facts, found: Round, hire: Hire) -> dict[str, Any]:
    return {
        "PersonNumber": hire.candidate.person_number,
        "DisplayName": hire.candidate.name,
        "LegalEmployerName": employer_name(tenant.profile, found.employer),
        "JobCode": found.job,
        "HireDate": facts.hire_date.isoformat(),
        "CandidateId": hire.candidate.id,
    }


def _write(tenant: Tenant, facts: Facts, found: Round, hire: Hire) -> Write:
    return Write(
        tool="oracle_fusion.workers.create",
        arguments={
            **_worker(tenant, facts, found, hire),
            "ContractEndDate": hire.ends.isoformat(),
            "MonthlySalary": hire.wage,
        },
    )


def _primary(tenant: Tenant, facts: Facts, found: Round, approval: Approval) -> PrimaryRecord:
    rows = tuple(ExpectedRow(row=_worker(tenant, facts, found, hire)) for hire in found.hires)
    return PrimaryRecord(table="workers", rows=rows, name=("literal", approval.number))
