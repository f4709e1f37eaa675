"""The lines of a drawn batch: which items, on which days, at what prices, in which order.

In: a profile, a variant, a random stream. Out: a Sketch, whose lines are meant to be accepted, referred or turned down;
draw.py checks that they are.
"""

import datetime as dt
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from generator.families.price_batch.facts import Band, BatchLine, ItemClass, StandingPrice, UnitFactor
from generator.families.price_batch.pricing import FINEST
from generator.spec.tenant import Item, TenantProfile

LARGER_UNITS = {"EA": (("HU", 100), ("DZ", 12)), "M": (("HM", 100),), "KG": (("TN", 1000),)}
DEAR = Decimal(100)
BANDS = {"A": (3, 7), "B": (8, 13), "C": (14, 22)}
CENT = Decimal("0.01")
# Below which price of the cheapest item prices go in which steps.
STEPS = ((Decimal("1.5"), Decimal("0.005")), (Decimal(50), Decimal("0.05")), (Decimal(10**9), Decimal("0.5")))


@dataclass(frozen=True)
class Wanted:
    """What a variant asks for, open numbers settled."""

    items: int
    steps: int
    band: int
    floor: int
    others: int
    superseded: int
    withdrawn: int
    features: frozenset[str]


@dataclass(frozen=True)
class Days:
    """today for prices that hold at once; first, second, third: the months of the next pricing period."""

    today: dt.date
    first: dt.date
    second: dt.date
    third: dt.date
    between: dt.date


@dataclass(frozen=True)
class Entry:
    """A line before it has a number. place orders the lines; version1: it stood in the earlier version too."""

    item: Item
    effective: dt.date
    price: Decimal
    old: Decimal
    place: float
    withdrawn: bool = False
    in_earlier: bool = False
    calm: Decimal = Decimal(0)


@dataclass
class Sketch:
    """Collects the entries of a batch and what the policy has to say of their items."""

    profile: TenantProfile
    rng: Random
    wanted: Wanted
    days: Days
    factor: Decimal
    rate: Decimal
    bands: tuple[Band, ...]
    entries: list[Entry] = field(default_factory=list)
    standing: list[StandingPrice] = field(default_factory=list)
    classes: dict[int, str] = field(default_factory=dict)
    costs: dict[int, Decimal] = field(default_factory=dict)
    step: Decimal = FINEST

    def fill(self) -> None:
        """All entries of the variant. Raises ValueError where the organization has too few items."""
        wanted, main = self.wanted, self._items("main_org")
        active = [item for item in main if item.status == "Active"]
        needed = wanted.items + wanted.band + wanted.floor + ("standing" in wanted.features)
        chosen = self.rng.sample(active, needed)
        others = self.rng.sample([item for item in self._items("other_org") if item.status == "Active"], wanted.others)
        if "step" in wanted.features:
            lowest = min(item.list_price for item in (*chosen, *others))
            self.step = next(step for bound, step in STEPS if lowest < bound)
        accepted, rest = chosen[: wanted.items], chosen[wanted.items :]
        first = [self._accepted(item, number) for number, item in enumerate(accepted)]
        self._steps(first)
        for _ in range(wanted.band):
            self._band(rest.pop())
        for _ in range(wanted.floor):
            self._floor(rest.pop())
        for item in rest:
            self._gives_way(item)
        self._add(self.rng.choice([item for item in main if item.status != "Active"]), self.days.first)
        for number, item in enumerate(others):
            self._add(item, self.days.first, outside=number > 1, in_earlier=True)
        self._superseded()
        self._withdrawn(first)

    def _items(self, part: str) -> list[Item]:
        return [item for item in self.profile.items if item.organization == self.profile.cast[part]]

    def band_of(self, item: Item) -> Decimal:
        name = self.classes.setdefault(item.id, item.item_class or self.rng.choice("ABC"))
        return next(band.percent for band in self.bands if band.price_class == name)

    def _target(self, item: Item, old: Decimal, outside: bool = False) -> Decimal:
        """A price inside the band of the item's class, mostly upwards, or outside it."""
        band = float(self.band_of(item))
        share = self.rng.uniform(1.2, 1.6) if outside else self.rng.uniform(0.35, 0.9)
        if not outside and self.rng.random() < 0.15:
            share = -self.rng.uniform(0.2, 0.5)
        return old * (1 + Decimal(str(round(share * band, 3))) / 100)

    def _add(
        self,
        item: Item,
        effective: dt.date,
        old: Decimal | None = None,
        outside: bool = False,
        in_earlier: bool = True,
        under_floor: bool = False,
    ) -> Entry:
        before = item.list_price if old is None else old
        price = self._target(item, before, outside)
        entry = Entry(
            item, effective, price, before, self.rng.uniform(0.2, 0.8), False, in_earlier, self._target(item, before)
        )
        self.entries.append(entry)
        low = price if under_floor else min(price, before, self.costs.get(item.id, price * 100) * self.factor)
        share = self.rng.uniform(1.01, 1.03) if under_floor else self.rng.uniform(0.8, 0.93)
        self.costs[item.id] = low / self.factor * Decimal(str(round(share, 4)))
        return entry

    def _accepted(self, item: Item, number: int) -> Entry:
        """Measured against the list price, or for one item against a price that stands for a day before."""
        if "standing" in self.wanted.features and number == 0:
            between = _rounded(item.list_price * Decimal(str(round(self.rng.uniform(1.015, 1.03), 4))), item)
            self.standing.append(self._stands(item, self.days.between, between))
            return self._add(item, self.days.first, between)
        at_once = "at_once" in self.wanted.features and number < 2
        return self._add(item, self.days.today if at_once else self.days.first)

    def _stands(self, item: Item, day: dt.date, price: Decimal) -> StandingPrice:
        return StandingPrice(organization=item.organization, item=item.number, effective=day, price=price)

    def _steps(self, first: list[Entry]) -> None:
        """Later dates of accepted items, each measured against the line before it."""
        last = list(first)
        dates = {self.days.today: self.days.first, self.days.first: self.days.second, self.days.second: self.days.third}
        for _ in range(self.wanted.steps):
            earlier = self.rng.choice([entry for entry in last if entry.effective in dates])
            last.append(self._add(earlier.item, dates[earlier.effective], earlier.price, in_earlier=False))
            last.remove(earlier)

    def _band(self, item: Item) -> None:
        self._add(item, self.days.first, outside=True)

    def _floor(self, item: Item) -> None:
        """Inside its band and still too near to the cost."""
        self._add(item, self.days.first, under_floor=True)

    def _gives_way(self, item: Item) -> None:
        """A price stands for the very day."""
        self._add(item, self.days.first)
        self.standing.append(self._stands(item, self.days.first, _rounded(self._target(item, item.list_price), item)))

    def _superseded(self) -> None:
        """Another price of an item for the same day, further up in the batch."""
        live = [entry for entry in self.entries if entry.item.status == "Active"]
        for partner in self.rng.sample(live, self.wanted.superseded):
            self.entries.append(self._beside(partner, partner.place - self.rng.uniform(0.05, 0.19)))

    def _withdrawn(self, first: list[Entry]) -> None:
        """The first one would replace an accepted line; others would add a date to one."""
        if self.wanted.withdrawn:
            over = self.rng.choice(first)
            self.entries.append(self._beside(over, over.place + self.rng.uniform(0.05, 0.19), withdrawn=True))
        taken = {(entry.item.id, entry.effective) for entry in self.entries}
        free = [entry for entry in first if (entry.item.id, self.days.third) not in taken]
        for entry in self.rng.sample(free, self.wanted.withdrawn - 1):
            price = self._target(entry.item, entry.price)
            self.entries.append(
                Entry(entry.item, self.days.third, price, entry.price, self.rng.uniform(0.2, 0.8), withdrawn=True)
            )

    def _beside(self, partner: Entry, place: float, withdrawn: bool = False) -> Entry:
        price = self._target(partner.item, partner.old)
        return Entry(partner.item, partner.effective, price, partner.old, place, withdrawn)

    def lines(self) -> tuple[tuple[BatchLine, ...], tuple[int, ...]]:
        """The batch's lines, and the numbers of those taken back."""
        ordered = sorted(self.entries, key=lambda entry: entry.place)
        lines = tuple(self._line(entry, entry.price, number) for number, entry in enumerate(ordered, 1))
        return lines, tuple(number for number, entry in enumerate(ordered, 1) if entry.withdrawn)

    def earlier_lines(self) -> tuple[BatchLine, ...]:
        """The earlier version: other prices, some lines not there yet."""
        known = sorted((entry for entry in self.entries if entry.in_earlier), key=lambda entry: entry.place)
        main = self.profile.cast["main_org"]
        left_out = self.rng.choice([entry for entry in known if entry.item.organization == main])
        kept = [entry for entry in known if entry is not left_out]
        return tuple(self._line(entry, entry.calm, number) for number, entry in enumerate(kept, 1))

    def _line(self, entry: Entry, price: Decimal, number: int) -> BatchLine:
        uom, printed, change = self._printed(entry, price)
        return BatchLine(
            line=number,
            organization=entry.item.organization,
            item=entry.item.number,
            uom=uom,
            price=printed,
            change=change,
            effective=entry.effective,
        )

    def _printed(self, entry: Entry, price: Decimal) -> tuple[str, Decimal | None, Decimal | None]:
        """The unit, the figure per that unit or the change in percent, as the batch has it."""
        item, features = entry.item, self.wanted.features
        if "change" in features:
            percent = ((price / entry.old - 1) * 100).quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
            return item.uom, None, percent
        unit = self._larger(item) if "units" in features else None
        if unit is not None:
            per_unit = price.quantize(Decimal("0.0001") if unit.pieces >= 100 else CENT, rounding=ROUND_HALF_UP)
            return unit.uom, (per_unit * unit.pieces).quantize(CENT), None
        if "currency" in features:
            return item.uom, _significant(price / self.rate), None
        if "step" in features:
            return item.uom, price.quantize(self.step / 5, rounding=ROUND_HALF_UP), None
        return item.uom, _rounded(price, item), None

    def _larger(self, item: Item) -> UnitFactor | None:
        """A larger unit that the company knows. Items that cost much are priced by the piece, unless all do."""
        unit = self._known_larger(item)
        active = [one for one in self._items("main_org") if one.status == "Active"]
        bulk = max(DEAR, 3 * min((one.list_price for one in active if self._known_larger(one)), default=DEAR))
        return unit if item.list_price < bulk else None

    def _known_larger(self, item: Item) -> UnitFactor | None:
        known = {lookup.code for lookup in self.profile.lookups if lookup.kind == "uom"}
        found = [(uom, pieces) for uom, pieces in LARGER_UNITS.get(item.uom, ()) if uom in known]
        return UnitFactor(uom=found[0][0], pieces=found[0][1]) if found else None

    def units(self, lines: tuple[BatchLine, ...]) -> tuple[UnitFactor, ...]:
        """The larger units that the lines use."""
        items = {(item.organization, item.number): item for item in self.profile.items}
        found = {}
        for line in lines:
            item = items[line.organization, line.item]
            unit = self._larger(item) if line.uom != item.uom else None
            if unit is not None:
                found[unit.uom] = unit
        return tuple(found[uom] for uom in sorted(found))

    def item_classes(self, scale: Decimal) -> tuple[ItemClass, ...]:
        """Classes and costs of all items of the batch, costs times scale."""
        items = {item.id: item for item in self.profile.items}
        return tuple(
            ItemClass(
                organization=items[id].organization,
                item=items[id].number,
                price_class=self.classes[id],
                cost=_significant(cost * scale),
            )
            for id, cost in sorted(self.costs.items())
        )


def drawn_bands(rng: Random) -> tuple[Band, ...]:
    return tuple(Band(price_class=name, percent=Decimal(rng.randint(*bounds))) for name, bounds in BANDS.items())


def _rounded(price: Decimal, item: Item) -> Decimal:
    """To the cent; goods that cost little, to a tenth of it."""
    return price.quantize(Decimal("0.001") if item.list_price < 2 else CENT, rounding=ROUND_HALF_UP)


def _significant(price: Decimal) -> Decimal:
    """To four figures or so: 0.8127, 8.127, 81.27, 812.70."""
    finest = Decimal("0.0001") if price < 1 else Decimal("0.001") if price < 10 else CENT
    return price.quantize(finest, rounding=ROUND_HALF_UP)
