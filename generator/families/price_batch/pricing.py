"""How a batch is gone through under a policy: superseded first, then turned down or referred, then accepted.

In: the batch and the policy believed in force, the item master and the prices that stand for later dates. Out: each
line with what becomes of it, the price per the item's own unit and the change against the old price.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, Literal

from generator.families.price_batch.facts import Batch, BatchLine, Facts, PricingPolicy
from generator.spec.tenant import Item, Tenant

Ignored = frozenset[str]
Fate = Literal["superseded", "turned_down", "referred", "accepted"]
FINEST = Decimal("0.0001")
HUNDRED = Decimal(100)


@dataclass(frozen=True)
class Priced:
    """A line with its fate; price and old are None where the line was not looked at that far."""

    line: BatchLine
    item: Item
    fate: Fate
    price: Decimal | None = None
    old: Decimal | None = None

    @property
    def change(self) -> Fraction:
        """Percent against the old price, unrounded. Only for lines that were priced."""
        assert self.price is not None
        assert self.old is not None
        return Fraction(self.price - self.old) / Fraction(self.old) * 100


@dataclass(frozen=True)
class Standing:
    """Prices of items by their ids and the day from which they hold: in force, scheduled, accepted of the batch."""

    prices: Mapping[int, Mapping[dt.date, Decimal]]

    def before(self, item: Item, day: dt.date) -> Decimal:
        """The price in force on the day before. Raises KeyError where there is none."""
        earlier = [since for since in self.prices[item.id] if since < day]
        if not earlier:
            raise KeyError(f"{item.number} has no price before {day}")
        return self.prices[item.id][max(earlier)]


def lines_of(facts: Facts, batch: Batch, ignored: Ignored) -> tuple[BatchLine, ...]:
    """The lines of the batch without those that its owner took back."""
    if batch is not facts.batch or facts.correction is None or "correction" in ignored:
        return batch.lines
    return tuple(line for line in batch.lines if line.line not in facts.correction.withdrawn)


def price_lines(
    tenant: Tenant,
    facts: Facts,
    scheduled: Iterable[Mapping[str, Any]],
    batch: Batch,
    policy: PricingPolicy,
    organization: str,
    ignored: Ignored,
) -> tuple[Priced, ...]:
    """Every line of the batch for the organization, in the order of effective dates and line numbers.

    scheduled are the ERP's prices for later dates (rows of item_prices).
    """
    profile = tenant.profile
    standing: dict[int, dict[dt.date, Decimal]] = {
        item.id: {item.price_effective: item.list_price} for item in profile.items
    }
    kept: set[tuple[int, dt.date]] = set()
    for row in scheduled:
        if "standing" not in ignored:
            standing[row["ItemId"]][row["EffectiveDate"]] = row["ListPrice"]
            kept.add((row["ItemId"], row["EffectiveDate"]))
    lines = lines_of(facts, batch, ignored)
    result: list[Priced] = []
    for line in sorted(lines, key=lambda line: (line.effective, line.line)):
        item = profile.item(line.item, line.organization)
        gives_way = policy.keeps_standing and (item.id, line.effective) in kept
        if gives_way or (_is_superseded(line, lines) and "later_line" not in ignored):
            result.append(Priced(line, item, "superseded"))
        elif line.organization != organization or (item.status != "Active" and "item_status" not in ignored):
            result.append(Priced(line, item, "turned_down"))
        else:
            current = Standing({item.id: {item.price_effective: item.list_price}})
            held = current if "first_step" in ignored else Standing(standing)
            old = held.before(item, line.effective)
            price = entered(facts, batch, policy, item, line, old, ignored)
            fate: Fate = "accepted" if _passes(policy, line, price, old, ignored) else "referred"
            result.append(Priced(line, item, fate, price, old))
            if fate == "accepted":
                standing[item.id][line.effective] = price
    return tuple(result)


def _is_superseded(line: BatchLine, lines: Sequence[BatchLine]) -> bool:
    return any(
        (other.organization, other.item, other.effective) == (line.organization, line.item, line.effective)
        and other.line > line.line
        for other in lines
    )


def entered(
    facts: Facts, batch: Batch, policy: PricingPolicy, item: Item, line: BatchLine, old: Decimal, ignored: Ignored
) -> Decimal:
    """The line's price per the item's own unit in the ledger currency, rounded half up to the policy's step."""
    price = exact_price(facts, batch, policy, item, line, old, ignored)
    step = FINEST if "step" in ignored else policy.step
    return (price / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step


def exact_price(
    facts: Facts, batch: Batch, policy: PricingPolicy, item: Item, line: BatchLine, old: Decimal, ignored: Ignored
) -> Decimal:
    """The same before it is rounded."""
    if line.change is not None:
        return old * (HUNDRED + line.change) / HUNDRED
    assert line.price is not None
    price = line.price
    if line.uom != item.uom and "unit" not in ignored:
        price /= next(unit.pieces for unit in facts.units if unit.uom == line.uom)
    if batch.currency is not None and "currency" not in ignored:
        price *= next(rate.rate for rate in policy.rates if rate.currency == batch.currency)
    return price


def _passes(policy: PricingPolicy, line: BatchLine, price: Decimal, old: Decimal, ignored: Ignored) -> bool:
    held = next(c for c in policy.classes if (c.organization, c.item) == (line.organization, line.item))
    band = next(band.percent for band in policy.bands if band.price_class == held.price_class)
    inside = abs(price - old) * HUNDRED <= band * old or "band" in ignored
    above = price >= policy.floor_factor * held.cost or "floor" in ignored
    return inside and above
