"""The family's rows of the world's tables: none, since items and their prices are the tenant's item master."""

from generator.families.base import Rows
from generator.families.price_batch.facts import Facts
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    """Checks that every line names an item of the master. Raises KeyError for one that does not."""
    for line in (*facts.batch.lines, *facts.earlier.lines):
        tenant.profile.item(line.item, line.organization)
    return {}
