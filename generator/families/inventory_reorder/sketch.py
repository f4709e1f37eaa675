"""A reorder run sketched for a profile: which part every item plays, and stock, supply and levels that make it play it.

In: a profile, a wish (Sketch) and a random stream. Out: Facts whose limits lie out of reach; draw.py sets those.
"""

import datetime as dt
import statistics
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from generator.families.clerks import moment, working_day_before
from generator.families.figures import pack, rounded
from generator.families.inventory_reorder.demand import Demand, closed_days, forecast
from generator.families.inventory_reorder.editions import Sketch, editions
from generator.families.inventory_reorder.facts import (
    CancelledOrder,
    Facts,
    Level,
    LiveOrder,
    OrderedItem,
    Reservation,
    Stock,
    SupplySource,
)
from generator.families.purchasing import OrderLine, PurchaseOrder
from generator.spec.money import cents
from generator.spec.tenant import Customer, Item, TenantProfile

BELOW = ("longest", "late", "short", "blocked", "part")
"""Parts of items that have to be ordered; the others are stale, edge, saved and ample."""


@dataclass(frozen=True)
class Stocked:
    """One item as it will stand: its level, its stock and what goes with it."""

    part: str
    level: Level
    demand: Demand
    on_hand: int
    live: int
    stale: int
    supply: tuple[OrderLine, ...]


class Sketcher:
    """Draws for one profile, in a fixed order."""

    def __init__(self, profile: TenantProfile, wish: Sketch, rng: Random) -> None:
        self.profile, self.wish, self.rng = profile, wish, rng
        self.code, self.today = profile.code, profile.today
        self.window = rng.choice((10, 14, 21))
        self.main, self.other = profile.cast["main_org"], profile.cast["other_org"]
        active = [entry for entry in profile.suppliers if entry.status == "Active"]
        by_lead = sorted(rng.sample(active, rng.randint(3, len(active))), key=lambda entry: entry.lead_time_days)
        self.longest, self.usual = by_lead[-1].number, [entry.number for entry in by_lead[:-1]]
        prices = [item.list_price for item in profile.items if item.organization == self.main]
        self.middle = float(statistics.median(prices))

    def facts(self) -> Facts:
        items = {o: self._items(o) for o in (self.main, self.other)}
        here = [self._stocked(item, part) for item, part in zip(items[self.main], self.wish.parts, strict=True)]
        there_parts = ["short", self.rng.choice(("short", "saved")), "ample"]
        there = [self._stocked(item, part) for item, part in zip(items[self.other], there_parts, strict=True)]
        stocked = here + there
        live, cancelled = self._orders(here, self.main, 43000), self._orders(there, self.other, 43050)
        orders, dead = [*live[0], *cancelled[0]], [*live[1], *cancelled[1]]
        closed = closed_days(self.today, self.rng) if self.wish.calendar == "working" else ()
        policies = editions(self.profile, self.rng, [s.level for s in stocked], self.window, self.wish, closed)
        return Facts(
            organization=self.main,
            decoy_organization=self.other,
            transaction_type=self._lookup("transaction_type"),
            source_system=self._lookup("source_system"),
            stock=tuple(self._stock(entry) for entry in stocked),
            reservations=(*live[2], *cancelled[2]),
            reservations_source=f"MSG-{self.code}-RESERVATIONS-{working_day_before(self.today):%m%d}",
            reservations_listed=moment(self.profile, working_day_before(self.today), 16, 10),
            cancelled_orders=tuple(dead),
            live_orders=tuple(orders),
            supply=self._purchase_orders(stocked),
            policies=policies,
            forecast=forecast(self.profile, self.rng, [s.demand for s in stocked], policies[0], self.longest),
            chat_at=moment(self.profile, working_day_before(self.today), 10, 30),
            chat_thread=f"THREAD-{self.code}-REORDER",
        )

    def _lookup(self, kind: str) -> str:
        return next(entry.code for entry in self.profile.lookups if entry.kind == kind)

    def _items(self, organization: str) -> list[Item]:
        found = [i for i in self.profile.items if i.organization == organization and i.status == "Active"]
        return self.rng.sample(found, len(found))

    def _stocked(self, item: Item, part: str) -> Stocked:
        rng = self.rng
        weekly = rounded(240 * (self.middle / float(item.list_price)) ** 0.7 * rng.uniform(0.6, 1.6))
        weekly = max(6, min(weekly, 2400))
        level = self._level(item, part, weekly)
        factor = weekly if self.wish.levels_in == "weeks" else 1
        point = level.reorder_point * factor
        position, gap = self._position(part, point)
        live = rounded(weekly * rng.uniform(0.2, 0.9)) if rng.random() < 0.8 or part == "stale" else 0
        stale = gap + rounded(point * rng.uniform(0.05, 0.3)) if part == "stale" else 0
        supply, counted = self._supply(part, item, level, position, gap)
        demand = Demand(level, weekly, part)
        return Stocked(part, level, demand, position - counted + live, live, stale, supply)

    def _level(self, item: Item, part: str, weekly: int) -> Level:
        rng = self.rng
        cost = max(Decimal("0.02"), cents(item.list_price * Decimal(str(round(rng.uniform(0.42, 0.62), 3)))))
        dearer = max(cost + Decimal("0.01"), cents(cost * Decimal(str(round(rng.uniform(1.04, 1.15), 3)))))
        first = self.longest if part == "longest" else rng.choice(self.usual)
        other = rng.choice([number for number in (*self.usual, self.longest) if number != first])
        second = SupplySource(supplier=other, unit_cost=dearer) if rng.random() < 0.3 else None
        if part == "blocked":
            second = SupplySource(supplier=rng.choice(self.usual), unit_cost=dearer)
            first = self.profile.cast["blocked_supplier"]
        multiple = pack(weekly * (rng.uniform(1.2, 2.2) if self.wish.packed else rng.uniform(0.15, 0.45)))
        if self.wish.levels_in == "weeks":
            point, cover = rng.randint(2, 4), rng.randint(3, 6)
        else:
            point, cover = rounded(weekly * rng.uniform(1.8, 3.6)), rounded(weekly * rng.uniform(2.5, 5.0))
        return Level(
            organization=item.organization,
            item=item.number,
            reorder_point=point,
            order_up_to=point + cover,
            minimum=multiple * rng.choice((1, 2, 2, 3)),
            multiple=multiple,
            first=SupplySource(supplier=first, unit_cost=cost),
            second=second,
        )

    def _position(self, part: str, point: int) -> tuple[int, int]:
        """The right stock position, and how far from the reorder point it lies."""
        if part == "edge":
            return point, 0
        if part in BELOW:
            gap = min(point - 1, max(2, round(point * self.rng.uniform(0.04, 0.45))))
            return point - gap, gap
        share = self.rng.uniform(0.02, 0.2) if part in ("stale", "saved") else self.rng.uniform(0.3, 1.4)
        gap = max(1, round(point * share))
        return point + gap, gap

    def _supply(
        self, part: str, item: Item, level: Level, position: int, gap: int
    ) -> tuple[tuple[OrderLine, ...], int]:
        """Lines of open purchase orders for the item, and how much of them counts."""
        rng = self.rng
        soon = self.today + dt.timedelta(rng.randint(1, self.window))
        late = self.today + dt.timedelta(self.window + rng.randint(2, 11))
        over = gap + rounded(max(2, gap) * rng.uniform(0.3, 1.5))
        if part == "late":
            return (self._line(item, level, -(-over // level.multiple) * level.multiple, late),), 0
        if part == "part":
            counted = max(1, round(position * rng.uniform(0.1, 0.4)))
            return (self._line(item, level, counted + over, soon, received=over),), counted
        if part == "saved":
            counted = min(position, over)
            return (self._line(item, level, counted, soon),), counted
        return (), 0

    def _line(self, item: Item, level: Level, quantity: int, promised: dt.date, received: int = 0) -> OrderLine:
        return OrderLine(
            line=1,
            item=item.number,
            quantity=quantity,
            unit_price=level.first.unit_cost,
            promised=promised,
            received=received,
            billed=received,
        )

    def _purchase_orders(self, stocked: list[Stocked]) -> tuple[PurchaseOrder, ...]:
        """The open ones, one that was cancelled, and one that goes to the other organization."""
        found = [(s.level, line, "Open") for s in stocked for line in s.supply]
        below = [s for s in stocked if s.part in BELOW and s.level.organization == self.main]
        dropped = self.rng.choice(below)
        item = self.profile.item(dropped.level.item, self.main)
        soon = self.today + dt.timedelta(self.rng.randint(1, self.window))
        quantity = rounded(dropped.level.order_up_to * dropped.demand.factor(self.wish.levels_in))
        line = self._line(item, dropped.level, quantity, soon)
        found.append((dropped.level, line.model_copy(update={"status": "Cancelled"}), "Canceled"))
        for entry in stocked:
            if entry.level.organization == self.other and entry.part == "ample":
                item = self.profile.item(entry.level.item, self.other)
                found.append((entry.level, self._line(item, entry.level, entry.level.minimum, soon), "Open"))
        numbers = sorted(self.rng.sample(range(6011, 6099), len(found)))
        return tuple(
            PurchaseOrder(
                number=f"PO-{self.code}-{number}",
                supplier=level.first.supplier,
                organization=level.organization,
                status="Canceled" if status == "Canceled" else "Open",
                created=moment(self.profile, self.today - dt.timedelta(6100 - number), 11, number % 60),
                lines=(line,),
            )
            for number, (level, line, status) in zip(numbers, found, strict=True)
        )

    def _stock(self, entry: Stocked) -> Stock:
        name = "STORES" if entry.level.organization == self.main else "DEPOT"
        return Stock(
            organization=entry.level.organization, item=entry.level.item, subinventory=name, on_hand=entry.on_hand
        )

    def _orders(
        self, stocked: list[Stocked], organization: str, first: int
    ) -> tuple[list[LiveOrder], list[CancelledOrder], list[Reservation]]:
        """Customers' orders behind the reservations: two that are alive, one for each that is not."""
        numbers = iter(sorted(self.rng.sample(range(first + 1, first + 49), 2 + sum(1 for s in stocked if s.stale))))
        alive = [f"SO-{self.code}-{next(numbers)}" for _ in range(2)]
        reservations: list[Reservation] = []
        lines: dict[str, list[OrderedItem]] = {number: [] for number in alive}
        dead = []
        for entry in stocked:
            item = self.profile.item(entry.level.item, organization)
            parts = self._split(entry.live)
            for number, quantity in zip(alive, parts, strict=True):
                if quantity:
                    lines[number].append(OrderedItem(item=item.number, quantity=quantity, unit_price=item.list_price))
                    reservations.append(_reserved(entry, number, quantity))
            if entry.stale:
                dead.append(self._cancelled(entry, item, f"SO-{self.code}-{next(numbers)}"))
                reservations.append(_reserved(entry, dead[-1].number, entry.stale))
        orders = [self._live(number, organization, tuple(of)) for number, of in lines.items() if of]
        return orders, dead, reservations

    def _split(self, quantity: int) -> tuple[int, int]:
        if quantity < 4 or self.rng.random() < 0.4:
            return (quantity, 0) if self.rng.random() < 0.5 else (0, quantity)
        some = self.rng.randint(1, quantity - 1)
        return some, quantity - some

    def _customer(self) -> Customer:
        """Not one whose credit another family works out."""
        cast = self.profile.cast
        barred = {cast["order_customer"], cast["order_namesake"]}
        return self.rng.choice([entry for entry in self.profile.customers if entry.account not in barred])

    def _live(self, number: str, organization: str, lines: tuple[OrderedItem, ...]) -> LiveOrder:
        customer = self._customer()
        created = self.today - dt.timedelta(self.rng.randint(3, 20))
        return LiveOrder(
            number=number,
            account=customer.account,
            customer_po=_purchase_order(customer, self.rng),
            source_number=f"MANUAL-{created:%Y-%m}-{self.rng.randint(101, 499)}",
            organization=organization,
            created=moment(self.profile, created, 9, self.rng.randint(1, 59)),
            status=self.rng.choice(("Booked", "Awaiting Shipping")),
            lines=lines,
        )

    def _cancelled(self, entry: Stocked, item: Item, number: str) -> CancelledOrder:
        customer = self._customer()
        created = self.today - dt.timedelta(self.rng.randint(24, 50))
        return CancelledOrder(
            number=number,
            account=customer.account,
            customer_po=_purchase_order(customer, self.rng),
            source_number=f"MANUAL-{created:%Y-%m}-{self.rng.randint(101, 499)}",
            organization=item.organization,
            created=moment(self.profile, created, 9, self.rng.randint(1, 59)),
            cancelled=moment(self.profile, self.today - dt.timedelta(self.rng.randint(4, 15)), 14, 5),
            item=item.number,
            quantity=entry.stale,
            unit_price=item.list_price,
        )


def _reserved(entry: Stocked, order: str, quantity: int) -> Reservation:
    return Reservation(organization=entry.level.organization, item=entry.level.item, order=order, quantity=quantity)


def _purchase_order(customer: Customer, rng: Random) -> str:
    """A customer's own number: the initials that are plain letters, and four digits."""
    initials = "".join(word[0] for word in customer.name.split() if word[0].isascii() and word[0].isupper())
    return f"{initials[:3] or 'PO'}-{rng.randint(1200, 9800)}"
