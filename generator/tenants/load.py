"""Reading tenants from generator/tenants/<slug>/: profile.yaml and one facts file a family."""

from pathlib import Path

from generator.families import FAMILIES
from generator.spec.tenant import Tenant, TenantProfile, read_yaml

ROOT = Path(__file__).parent


def load_tenants(root: Path = ROOT) -> tuple[Tenant, ...]:
    """All tenants in the order of their numbers. Raises SpecError for a file that does not fit its model."""
    tenants = [load_tenant(path.parent) for path in sorted(root.glob("*/profile.yaml"))]
    return tuple(sorted(tenants, key=lambda tenant: tenant.profile.number))


def load_tenant(folder: Path) -> Tenant:
    profile = read_yaml(folder / "profile.yaml", TenantProfile)
    facts = {family.id: read_yaml(folder / f"{family.id}.yaml", family.facts) for family in FAMILIES}
    return Tenant(profile=profile, facts=facts)
