"""The family's rows of the world's tables: the people of the shifts and the absences that stand already."""

from typing import Any

from generator.families.base import Rows
from generator.families.shift_rollup.facts import Absence, Facts
from generator.families.staff import employer_name, worker_named, worker_row
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    return {
        "workers": [worker_row(tenant.profile, worker) for worker in facts.workers],
        "absences": [_absence(tenant, facts, absence) for absence in facts.absences],
    }


def _absence(tenant: Tenant, facts: Facts, absence: Absence) -> dict[str, Any]:
    worker = worker_named(facts.workers, absence.person_number)
    return {
        "AbsenceId": absence.id,
        "personNumber": absence.person_number,
        "absenceType": absence.absence_type,
        "startDate": absence.start,
        "endDate": absence.end,
        "employer": employer_name(tenant.profile, worker.employer),
        "absenceStatusCd": absence.status,
        "creationDate": absence.created,
        "createdBy": "hr_desk",
    }
