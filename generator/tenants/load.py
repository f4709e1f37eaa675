"""Tenants from generator/tenants/<slug>/: profile.yaml, and for each family its written facts or facts drawn for a
seed.

A facts file fixes what the release says of a tenant (Northbridge's); everything else is drawn. In a twin, whose seed is
another than the release's, everything is drawn. Ten draws of a family, each fair by itself, may happen to share an
answer too often: then the last of those that share it is drawn again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.families import FAMILIES
from generator.families.base import Family
from generator.families.spread import too_alike
from generator.spec.case import Value
from generator.spec.errors import SpecError
from generator.spec.streams import RELEASE_SEED, stream
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tenants.twin import twin_profile
from generator.worlds.rows import tenant_rows

ROOT = Path(__file__).parent
ATTEMPTS = 40


def load_tenants(root: Path = ROOT, seed: int = RELEASE_SEED) -> tuple[Tenant, ...]:
    """All tenants whose facts can be had, in the order of their numbers.

    Raises SpecError for a file that does not fit its model.
    """
    found = (load_tenant(path.parent, seed) for path in sorted(root.glob("*/profile.yaml")))
    tenants = sorted((t for t in found if t is not None), key=lambda tenant: tenant.profile.number)
    for family in FAMILIES:
        tenants = _spread(family, tenants, root, seed)
    return tuple(tenants)


def load_tenant(folder: Path, seed: int = RELEASE_SEED) -> Tenant | None:
    """None for a tenant for which a family has neither written facts nor a way to draw them."""
    written = read_yaml(folder / "profile.yaml", TenantProfile)
    profile = written if seed == RELEASE_SEED else twin_profile(written, seed)
    if any(family.draw is None and not _is_written(family, folder, seed) for family in FAMILIES):
        return None
    facts = {family.id: _facts(family, profile, folder, seed) for family in FAMILIES}
    return Tenant(profile=profile, facts=facts, seed=seed)


def _is_written(family: Family, folder: Path, seed: int) -> bool:
    return seed == RELEASE_SEED and (folder / f"{family.id}.yaml").exists()


def _facts(family: Family, profile: TenantProfile, folder: Path, seed: int) -> Any:
    if _is_written(family, folder, seed):
        return read_yaml(folder / f"{family.id}.yaml", family.facts)
    if family.draw is None:
        raise SpecError(f"{folder}: {family.id} has no facts file, and its facts cannot be drawn")
    return _drawn(family, profile, seed)


def _drawn(family: Family, profile: TenantProfile, seed: int, *again: str) -> Any:
    assert family.draw is not None
    return family.draw(profile, variant(family, profile.number, seed), stream(seed, profile.code, family.id, *again))


def _spread(family: Family, tenants: list[Tenant], root: Path, seed: int) -> list[Tenant]:
    """The tenants, with this family drawn again where its answers are too much alike."""
    if family.outcome is None or family.task is None or family.draw is None:
        return tenants
    for attempt in range(ATTEMPTS):
        answers = [_answers(family, tenant) for tenant in tenants]
        alike = too_alike(answers)
        if not alike:
            return tenants
        field, value = alike[0].field, alike[0].value
        drawn = [
            place
            for place, tenant in enumerate(tenants)
            if answers[place][field] == value and not _is_written(family, root / tenant.profile.slug, seed)
        ]
        place = drawn[-1 - attempt % len(drawn)]
        facts = _drawn(family, tenants[place].profile, seed, f"again {attempt}")
        changed = tenants[place].model_copy(update={"facts": {**tenants[place].facts, family.id: facts}})
        tenants = [*tenants[:place], changed, *tenants[place + 1 :]]
    raise SpecError(f"{family.id}: {alike[0]} of {len(tenants)} still, after {ATTEMPTS} further draws")


def _answers(family: Family, tenant: Tenant) -> Mapping[str, Value]:
    assert family.outcome is not None
    assert family.task is not None
    facts = tenant.facts[family.id]
    return family.outcome(tenant, facts, tenant_rows(tenant), family.task.judgement(tenant, facts)).answers


def variant(family: Family, number: int, seed: int) -> str:
    """Which of the family's ten slots a tenant has: its own number's in the release, a drawn permutation in a twin."""
    slots = list(family.slots)
    if seed != RELEASE_SEED:
        stream(seed, "variants", family.id).shuffle(slots)
    return slots[number]
