"""Workers as facts of the families that deal with people, and their rows of the world's workers table."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from generator.spec.tenant import Model, TenantProfile


class Worker(Model):
    """employer is an organization code of kind employer; last_day the last working day where one is agreed."""

    person_number: str
    name: str
    employer: str
    job: str
    hire_date: dt.date
    salary: Decimal
    contract_end: dt.date | None = None
    last_day: dt.date | None = None
    active: bool = True


def worker_named(workers: Sequence[Worker], person_number: str) -> Worker:
    """Raises KeyError for a number that none of them has."""
    for worker in workers:
        if worker.person_number == person_number:
            return worker
    raise KeyError(f"no worker {person_number}")


def employer_name(profile: TenantProfile, code: str) -> str:
    """The legal employer's name. Raises KeyError for a code the tenant does not have as an employer."""
    for organization in profile.organizations:
        if (organization.code, organization.kind) == (code, "employer"):
            return organization.name
    raise KeyError(f"{profile.code} has no employer {code}")


def worker_row(profile: TenantProfile, worker: Worker) -> dict[str, Any]:
    return {
        "PersonNumber": worker.person_number,
        "DisplayName": worker.name,
        "LegalEmployerName": employer_name(profile, worker.employer),
        "JobCode": worker.job,
        "AssignmentStatus": "Active" if worker.active else "Inactive",
        "HireDate": worker.hire_date,
        "ContractEndDate": worker.contract_end,
        "LastWorkingDate": worker.last_day,
        "MonthlySalary": worker.salary,
        "CandidateId": None,
    }
