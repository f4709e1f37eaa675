"""Building a Case: facts and the family's outcome function under the right judgement and under each wrong one."""

import dataclasses
from collections.abc import Iterator, Sequence

from generator.families import FAMILIES
from generator.families.base import Family, Rows
from generator.spec.case import Case, Counterfactual
from generator.spec.errors import UnknownTask
from generator.spec.source import Source
from generator.spec.tenant import Tenant
from generator.worlds.rows import tenant_rows


def task_number(tenant: Tenant, family: Family) -> int:
    """1 to 100: ten a tenant, families in their order."""
    return 10 * tenant.profile.number + family.number


def task_id(number: int) -> str:
    return f"erpbench-{number:03d}"


def tenant_sources(tenant: Tenant) -> tuple[Source, ...]:
    """Every family's sources, in the families' order."""
    return tuple(source for family in FAMILIES for source in family.sources(tenant, tenant.facts[family.id]))


def build_cases(tenants: Sequence[Tenant]) -> Iterator[Case]:
    """The cases of all tenants, of every family that has tasks, in the order of their numbers."""
    for tenant in tenants:
        rows = tenant_rows(tenant)
        for family in FAMILIES:
            if family.task is not None:
                yield build_case(tenant, family, rows)


def build_case(tenant: Tenant, family: Family, rows: Rows) -> Case:
    """One case with its gold and its counterfactuals. rows is what the tenant's ERP keeps (worlds.rows.tenant_rows)."""
    if family.task is None or family.outcome is None:
        raise UnknownTask(f"{tenant.profile.slug}: {family.id} has no tasks")
    facts = tenant.facts[family.id]
    right = family.task.judgement(tenant, facts)
    case = Case(
        task_id=task_id(task_number(tenant, family)),
        number=task_number(tenant, family),
        tenant=tenant,
        family=family.id,
        as_of=tenant.profile.as_of,
        facts=facts,
        sources=tenant_sources(tenant),
        judgement=right,
        gold=family.outcome(tenant, facts, rows, right),
        counterfactuals=(),
    )
    wrong = tuple(
        Counterfactual(name, kind, subject, judgement, family.outcome(tenant, facts, rows, judgement))
        for name, kind, subject, judgement in family.task.counterfactuals(case)
    )
    return dataclasses.replace(case, counterfactuals=wrong)


def find_case(tenants: Sequence[Tenant], id: str) -> Case:
    """The case of a task id. Raises UnknownTask naming the ids there are."""
    known: list[str] = []
    for case in build_cases(tenants):
        if case.task_id == id:
            return case
        known.append(case.task_id)
    raise UnknownTask(f"no task {id!r}; there are {', '.join(known)}")
