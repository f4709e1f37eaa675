"""Drawn facts as tests need them: profiles of all tenants, cases of one family, and episodes played in process."""

import json
from functools import cache
from pathlib import Path

from generator.families import FAMILIES, family
from generator.families.acceptance import trial_case
from generator.qualify.episode import evidence, fresh_world, run_plan
from generator.spec.case import Case, Outcome
from generator.spec.streams import stream
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tasks.case import build_case
from generator.tasks.package import CONTRACT, build_package, write_package
from generator.tasks.plan import build_plan
from generator.tasks.room import tenant_files
from generator.tenants.load import ROOT
from generator.worlds.rows import tenant_rows
from verifier.grading import Verdict, grade

BOUNDS = {"wrong_source": 62, "wrong_target": 52, "as_received": 42}


@cache
def profiles() -> tuple[TenantProfile, ...]:
    return tuple(read_yaml(path, TenantProfile) for path in sorted(ROOT.glob("*/profile.yaml")))


def profile_of(slug: str) -> TenantProfile:
    return next(profile for profile in profiles() if profile.slug == slug)


def drawn_case(id: str, profile: TenantProfile, variant: str, seed: int) -> Case:
    """A case of the family alone, on the profile's masters."""
    of = family(id)
    assert of.draw is not None
    assert of.task is not None
    assert of.outcome is not None
    facts = of.draw(profile, variant, stream(seed, profile.code, id, variant))
    return trial_case(id, of.task, of.outcome, of.records, profile, facts)


def northbridge_case(id: str, variant: str, seed: int) -> Case:
    """Northbridge with drawn facts of one family and its own of the others."""
    of, profile = family(id), profile_of("northbridge")
    assert of.draw is not None
    facts = {f.id: read_yaml(ROOT / "northbridge" / f"{f.id}.yaml", f.facts) for f in FAMILIES if f.id != id}
    facts[id] = of.draw(profile, variant, stream(seed, profile.code, id, variant))
    tenant = Tenant(profile=profile, facts=facts)
    return build_case(tenant, of, tenant_rows(tenant))


def render_case(case: Case, folder: Path) -> Path:
    """The case's task directory below the folder."""
    package = build_package(case, tenant_rows(case.tenant), tenant_files(case.tenant), "0", "test/")
    write_package(package, folder / case.task_id)
    return folder / case.task_id


def play(case: Case, task: Path, outcome: Outcome | None = None) -> Verdict:
    """The verdict on the outcome's whole episode, gold by default. Raises TrajectoryError where a call is refused."""
    with fresh_world(task) as world:
        run_plan(world, build_plan(case, outcome))
        return grade(json.loads((task / CONTRACT).read_text()), task / "tests/baseline.sqlite.gz", evidence(world))


def over_their_bounds(case: Case, task: Path) -> list[str]:
    """The mistakes of the case that score more than their kind may."""
    scores = {c.name: (play(case, task, c.outcome).score, BOUNDS.get(c.kind, 99)) for c in case.counterfactuals}
    return [f"{name} scores {score}, at most {bound}" for name, (score, bound) in scores.items() if score > bound]
