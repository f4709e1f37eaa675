"""Tenants from generator/tenants/<slug>/: profile.yaml, and for each family its written facts or facts drawn for a
seed.

A facts file fixes what the release says of a tenant (Northbridge's); everything else is drawn. In a twin, whose seed is
another than the release's, everything is drawn.
"""

from pathlib import Path
from typing import Any

from generator.families import FAMILIES
from generator.families.base import Family
from generator.spec.errors import SpecError
from generator.spec.streams import RELEASE_SEED, stream
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tenants.twin import twin_profile

ROOT = Path(__file__).parent


def load_tenants(root: Path = ROOT, seed: int = RELEASE_SEED) -> tuple[Tenant, ...]:
    """All tenants whose facts can be had, in the order of their numbers.

    Raises SpecError for a file that does not fit its model.
    """
    tenants = (load_tenant(path.parent, seed) for path in sorted(root.glob("*/profile.yaml")))
    return tuple(sorted((t for t in tenants if t is not None), key=lambda tenant: tenant.profile.number))


def load_tenant(folder: Path, seed: int = RELEASE_SEED) -> Tenant | None:
    """None for a tenant for which a family has neither written facts nor a way to draw them."""
    written = read_yaml(folder / "profile.yaml", TenantProfile)
    profile = written if seed == RELEASE_SEED else twin_profile(written, seed)
    if any(family.draw is None and not _is_written(family, folder, seed) for family in FAMILIES):
        return None
    facts = {family.id: _facts(family, profile, folder, seed) for family in FAMILIES}
    return Tenant(profile=profile, facts=facts)


def _is_written(family: Family, folder: Path, seed: int) -> bool:
    return seed == RELEASE_SEED and (folder / f"{family.id}.yaml").exists()


def _facts(family: Family, profile: TenantProfile, folder: Path, seed: int) -> Any:
    if _is_written(family, folder, seed):
        return read_yaml(folder / f"{family.id}.yaml", family.facts)
    if family.draw is None:
        raise SpecError(f"{folder}: {family.id} has no facts file, and its facts cannot be drawn")
    return family.draw(profile, variant(family, profile.number, seed), stream(seed, profile.code, family.id))


def variant(family: Family, number: int, seed: int) -> str:
    """Which of the family's ten slots a tenant has: its own number's in the release, a drawn permutation in a twin."""
    slots = list(family.slots)
    if seed != RELEASE_SEED:
        stream(seed, "variants", family.id).shuffle(slots)
    return slots[number]
