"""The family's rows of the world's tables: prices that stand for later dates. All else is the item master."""

from generator.families.base import Rows
from generator.families.price_batch.facts import Facts
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    """Checks that every line names an item of the master. Raises KeyError for one that does not."""
    for line in (*facts.batch.lines, *facts.earlier.lines):
        tenant.profile.item(line.item, line.organization)
    if not facts.standing:
        return {}
    return {
        "item_prices": [
            {
                "ItemId": tenant.profile.item(price.item, price.organization).id,
                "EffectiveDate": price.effective,
                "kind": "scheduled",
                "ListPrice": price.price,
            }
            for price in facts.standing
        ]
    }
