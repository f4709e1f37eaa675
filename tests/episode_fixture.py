"""Cases rendered one at a time and episodes played on them in process, for the tests of single families."""

import dataclasses
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from generator.evidence.model import Rendered
from generator.families import family
from generator.families.base import Rows
from generator.qualify.episode import evidence, fresh_world, run_call
from generator.qualify.explain import grade_task
from generator.spec.case import Case, Outcome
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tasks.case import build_case
from generator.tasks.package import build_package, write_package
from generator.tasks.plan import build_plan
from generator.tasks.room import tenant_files
from generator.tenants.load import ROOT, load_tenant
from generator.worlds.rows import tenant_rows
from verifier.grading import Verdict


@dataclasses.dataclass(frozen=True)
class Stage:
    """A tenant with what it renders to, so that several cases of it cost one rendering of its files."""

    tenant: Tenant
    rows: Rows
    files: tuple[Rendered, ...]

    def case(self, id: str) -> Case:
        return build_case(self.tenant, family(id), self.rows)

    def render(self, id: str, folder: Path) -> Path:
        """The task directory of the family's case below folder."""
        case = self.case(id)
        out = folder / case.task_id
        write_package(build_package(case, self.rows, self.files, "1.0.0", "erpbench100/"), out)
        return out


def written_northbridge() -> Tenant:
    """Northbridge by itself: its facts are written, so nothing of another tenant is drawn for it."""
    tenant = load_tenant(ROOT / "northbridge")
    assert tenant is not None
    return tenant


def stage_of(tenant: Tenant) -> Stage:
    return Stage(tenant, tenant_rows(tenant), tenant_files(tenant))


@cache
def profiles() -> tuple[TenantProfile, ...]:
    found = [read_yaml(path, TenantProfile) for path in sorted(ROOT.glob("*/profile.yaml"))]
    return tuple(sorted(found, key=lambda profile: profile.number))


def played(task: Path, calls: Iterable[PlanCall]) -> Verdict:
    """The verdict after the calls on a fresh world of a rendered task; none of them may be refused."""
    with tempfile.TemporaryDirectory() as data, fresh_world(task, Path(data)) as world:
        variables: dict[str, str] = {}
        for call in calls:
            result = run_call(world, call, variables)
            assert result.ok, f"{call.tool}: {result.error}"
        return grade_task(task, evidence(world))


def played_outcome(task: Path, case: Case, outcome: Outcome | None = None) -> Verdict:
    return played(task, build_plan(case, outcome).calls)
