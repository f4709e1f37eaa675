"""What an item cost under a price list: the item master's price of the list's first day."""

from decimal import Decimal

from generator.families.order_import.facts import PriceList
from generator.spec.tenant import Item, TenantProfile


def list_price(profile: TenantProfile, item: Item, price_list: PriceList) -> Decimal:
    """The latest price effective at or before the list's start. Raises KeyError for an item the list cannot hold."""
    dated = [(price.effective, price.price) for price in profile.other_prices if price.item_id == item.id]
    dated.append((item.price_effective, item.list_price))
    held = [entry for entry in dated if entry[0] <= price_list.effective_from]
    if not held:
        raise KeyError(f"{item.number} has no price on {price_list.effective_from}")
    return max(held)[1]


def listed_items(profile: TenantProfile, organization: str, price_list: PriceList) -> tuple[tuple[Item, Decimal], ...]:
    """The organization's items with their prices under the list, in the profile's order, discontinued ones last."""
    items = [item for item in profile.items if item.organization == organization]
    items.sort(key=lambda item: item.status != "Active")
    return tuple((item, list_price(profile, item, price_list)) for item in items)
