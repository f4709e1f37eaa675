"""The family's rows of the world's tables: who holds a seat already. Candidates stand in the register alone."""

from generator.families.base import Rows
from generator.families.hire_against_headcount.facts import Facts
from generator.families.staff import worker_row
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    return {"workers": [worker_row(tenant.profile, worker) for worker in facts.workers]}
