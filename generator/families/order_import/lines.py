"""The lines of a drawn order: what can be entered, what was before, what is not sold, in units and revisions as wanted.

In: profile, random stream, the sketch's counts, the customer's limit. Out: a Sheet, with the lines of the order before
and after its revision.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import yaml

from generator.families.order_import.facts import Conversion, ImportedLine, RevisedLine, SheetLine
from generator.spec.money import CENT
from generator.spec.tenant import Item, TenantProfile

if TYPE_CHECKING:
    from generator.families.order_import.sketch import Sketch

PACKS = Path(__file__).with_name("packs.yaml")


@dataclass(frozen=True)
class Wish:
    """A line before it has its number. part says what it is there for; pack is its unit with what one holds."""

    item: Item
    quantity: int
    part: str
    pack: tuple[str, int] | None = None


@dataclass(frozen=True)
class Sheet:
    """imported: lines that an earlier order took. replaced: a discontinued item and its successor."""

    lines: tuple[SheetLine, ...]
    revised: tuple[RevisedLine, ...]
    imported: tuple[ImportedLine, ...]
    conversions: tuple[Conversion, ...]
    replaced: tuple[str, str] | None
    accepted_for: tuple[int, ...]


class _Goods:
    """The organization's items, and quantities of them that nobody has ordered yet in this order."""

    def __init__(self, profile: TenantProfile, rng: Random, limit: Decimal) -> None:
        self.profile, self.rng, self.limit = profile, rng, limit
        main = [item for item in profile.items if item.organization == profile.cast["main_org"]]
        self.sold = [item for item in main if item.status == "Active"]
        self.gone = [item for item in main if item.status != "Active"]
        self.used: set[tuple[str, int]] = set()
        self.prices = {item.number: self.price(item) for item in main}
        self.units = {entry.code for entry in profile.lookups if entry.kind == "uom"}

    def price(self, item: Item) -> Decimal:
        """The customer's own price, some hundredths above the list."""
        above = Decimal(self.rng.randrange(102, 109)) / 100
        return max((item.list_price * above).quantize(CENT), item.list_price + CENT)

    def pick(self, count: int) -> list[Item]:
        """Items in any order; again from the start when there are fewer of them."""
        picked: list[Item] = []
        while len(picked) < count:
            picked.extend(self.rng.sample(self.sold, len(self.sold)))
        return picked[:count]

    def wish(self, item: Item, part: str) -> Wish:
        """A quantity worth a few thousandths of the limit, as people order: tens and hundreds."""
        stretch = Decimal(1)
        while True:
            worth = self.limit * Decimal(self.rng.randrange(20, 75)) / 10000 * stretch
            quantity = max(3, int(worth / item.list_price))
            step = 50 if quantity >= 1000 else 10 if quantity >= 100 else 1
            quantity = quantity // step * step
            if (item.number, quantity) not in self.used:
                self.used.add((item.number, quantity))
                return Wish(item, quantity, part)
            stretch += Decimal("0.05")  # few quantities are left of a dear item

    def packs(self, item: Item) -> list[tuple[str, int]]:
        """Packs that the tenant's units allow for the item."""
        known: dict[str, list[int]] = _packs().get(item.uom, {})
        return [(unit, self.rng.choice(holds)) for unit, holds in known.items() if unit in self.units]


def draw_sheet(profile: TenantProfile, rng: Random, wanted: "Sketch", limit: Decimal) -> Sheet:
    goods = _Goods(profile, rng, limit)
    replaced = _successor(goods) if wanted.successor else None
    fresh = wanted.accepted - (1 if replaced else 0)
    wishes = [goods.wish(item, "accepted") for item in goods.pick(fresh)]
    conversions = _in_packs(goods, wishes, wanted.packs) if wanted.packs else ()
    repeated = 1 if wanted.duplicates >= 3 else 0
    wishes += [goods.wish(item, "imported") for item in goods.pick(wanted.duplicates - repeated)]
    wishes += [goods.wish(rng.choice(goods.gone), "not_sold") for _ in range(wanted.not_sold)]
    if replaced:
        wishes.append(goods.wish(replaced[0], "successor"))
    wishes += _unconvertible(goods, wanted.unconvertible, conversions)
    extra = [goods.wish(item, "cancelled") for item in goods.pick(2)] if wanted.revised else []
    wishes += extra
    rng.shuffle(wishes)
    if repeated:
        first = next(wish for wish in wishes if wish.part == "accepted" and wish.pack is None)
        wishes.append(replace(first, part="repeated"))
    lines = [_line(goods, number, wish) for number, wish in enumerate(wishes, 1)]
    before, revised = _revision(goods, wishes, lines) if wanted.revised else (tuple(lines), ())
    return Sheet(
        lines=before,
        revised=revised,
        imported=tuple(
            ImportedLine(line=number, item=wish.item.number, quantity=wish.quantity)
            for number, wish in enumerate(wishes, 1)
            if wish.part == "imported"
        ),
        conversions=conversions,
        replaced=(replaced[0].number, replaced[1].number) if replaced else None,
        accepted_for=tuple(number for number, wish in enumerate(wishes, 1) if wish.part == "successor"),
    )


def namesake_lines(profile: TenantProfile, rng: Random, limit: Decimal) -> tuple[SheetLine, ...]:
    """Two or three clean lines at list prices."""
    goods = _Goods(profile, rng, limit)
    wishes = [goods.wish(item, "accepted") for item in goods.pick(rng.randrange(2, 4))]
    return tuple(
        SheetLine(line=number, item=wish.item.number, quantity=wish.quantity, unit_price=wish.item.list_price)
        for number, wish in enumerate(wishes, 1)
    )


def _successor(goods: _Goods) -> tuple[Item, Item]:
    """A discontinued item and one that can take its place: of the same unit, and numbered as much alike as there is."""
    gone = goods.rng.choice(goods.gone)
    alike = [item for item in goods.sold if item.uom == gone.uom] or goods.sold
    shared = {item.number: _shared_start(item.number, gone.number) for item in alike}
    nearest = [item for item in alike if shared[item.number] == max(shared.values())]
    return gone, goods.rng.choice(nearest)


def _shared_start(one: str, other: str) -> int:
    """How many characters both begin with."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def _in_packs(goods: _Goods, wishes: list[Wish], count: int) -> tuple[Conversion, ...]:
    """Writes so many of the wishes in packs, each item in one kind of pack."""
    conversions: dict[str, Conversion] = {}
    for place, wish in enumerate(wishes):
        packs = goods.packs(wish.item)
        if len(conversions) == count or not packs or wish.item.number in conversions:
            continue
        unit, holds = goods.rng.choice(packs)
        held = max(2, wish.quantity // holds)
        wishes[place] = Wish(wish.item, held, wish.part, (unit, holds))
        goods.used.add((wish.item.number, held))
        conversions[wish.item.number] = Conversion(item=wish.item.number, uom=unit, factor=holds)
    return tuple(conversions.values())


def _unconvertible(goods: _Goods, count: int, conversions: tuple[Conversion, ...]) -> list[Wish]:
    """Lines in a pack that the price list does not give for the item."""
    given = {(entry.item, entry.uom) for entry in conversions}
    wishes: list[Wish] = []
    for item in goods.pick(len(goods.sold)):
        free = [pack for pack in goods.packs(item) if (item.number, pack[0]) not in given]
        if len(wishes) < count and free:
            wish = goods.wish(item, "unconvertible")
            unit, holds = goods.rng.choice(free)
            wishes.append(replace(wish, quantity=max(2, wish.quantity // holds), pack=(unit, holds)))
    return wishes


def _line(goods: _Goods, number: int, wish: Wish) -> SheetLine:
    """With the customer's own price for the unit that he writes."""
    unit, holds = wish.pack or (None, 1)
    price = goods.prices[wish.item.number] * holds
    return SheetLine(line=number, item=wish.item.number, quantity=wish.quantity, unit_price=price, uom=unit)


def _revision(
    goods: _Goods, wishes: list[Wish], lines: list[SheetLine]
) -> tuple[tuple[SheetLine, ...], tuple[RevisedLine, ...]]:
    """The first revision's lines, and the second's: two changed, two cancelled, one added."""
    rng = goods.rng
    parts = {line.line: wish.part for line, wish in zip(lines, wishes, strict=True)}
    kept = [line for line in lines if parts[line.line] == "accepted"]
    repeats = [(line.item, line.quantity) for line in lines if parts[line.line] == "repeated"]
    changed = rng.sample([line for line in kept if (line.item, line.quantity) not in repeats], 2)
    added = rng.choice([line for line in kept if line not in changed and (line.item, line.quantity) not in repeats])
    cancelled = [line for line in lines if parts[line.line] == "cancelled"]
    before = []
    for line in lines:
        if line is added:
            continue
        if line in changed:
            factor = rng.choice((Decimal("0.5"), Decimal("1.5"), Decimal(2)))
            line = line.model_copy(update={"quantity": max(1, int(line.quantity * factor))})
        before.append(line)
    last = max(line.line for line in lines) + 1
    rows = [_revised(line, line.quantity) for line in changed]
    rows += [_revised(line, None) for line in cancelled]
    rows.sort(key=lambda row: row.line)
    return tuple(before), (*rows, _revised(added.model_copy(update={"line": last}), added.quantity))


def _revised(line: SheetLine, quantity: int | None) -> RevisedLine:
    return RevisedLine(line=line.line, item=line.item, quantity=quantity, unit_price=line.unit_price, uom=line.uom)


@cache
def _packs() -> Any:
    return yaml.safe_load(PACKS.read_text(encoding="utf-8"))
