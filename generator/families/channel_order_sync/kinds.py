"""The kinds of orders in a drawn export: what the shop exports now, what it exported before, what the system holds.

In: a Shop (who buys what, on which days) and the name of a kind. Out: a Drawn order. A kind's method says what is to
become of it under the takeover rules; variants.yaml says how many of each a variant has.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from generator.families.channel_order_sync.buyers import BuyerPool
from generator.families.channel_order_sync.calendar import Calendar
from generator.families.channel_order_sync.facts import Buyer, CaptureMessage, Pack, Payment, ShopLine, ShopOrder
from generator.spec.money import CENT
from generator.spec.tenant import Item, TenantProfile

# Price per unit from which fewer are bought: (below, fewest, most, step).
QUANTITIES = ((Decimal(5), 60, 400, 10), (Decimal(50), 8, 40, 1), (Decimal(500), 5, 24, 1), (Decimal(10**9), 4, 9, 1))
ASKING = (
    "Thank you for {name}. For the invoice we need the company's tax id.",
    "Your order {name} is with us. Could you send the tax id, please?",
    "We cannot invoice {name} without a tax id, could you send one?",
)
GIVING = ("Of course, it is {id}.", "{id}, thanks for asking.", "Our number is {id}.")
MENDING = ("Sorry, that had two digits swapped. {id} is right.", "My mistake, please take {id} instead.")
CHATTER = ("Is {name} on its way?", "When do you pack {name}?", "Thank you for the quick answer about {name}.")
CHATTER_ANSWER = "You get a message as soon as it leaves us."
PUTTING_OFF = ("I have to ask our bookkeeper, will write later this week.", "No idea, I will look it up and come back.")


@dataclass(frozen=True)
class Standing:
    """An order that the system holds for a drawn one. number_kind: under the shop's id, its old number, or by phone."""

    number_kind: str
    lines: tuple[ShopLine, ...]
    status: str


@dataclass(frozen=True)
class Drawn:
    """rows: as the export in force has them; before: the row of the earlier export, None if it had none."""

    rows: tuple[ShopOrder, ...]
    before: ShopOrder | None = None
    standing: Standing | None = None
    chat: tuple[CaptureMessage, ...] = ()


@dataclass
class Shop:
    """What the kinds draw from. known are the customers of the tab, the tenant's own shop customer first."""

    profile: TenantProfile
    rng: Random
    pool: BuyerPool
    calendar: Calendar
    items: tuple[Item, ...]
    known: tuple[Buyer, ...]
    packs: tuple[Pack, ...]
    domains: tuple[str, ...]
    prefix: str
    letter: str
    next_id: int
    next_name: int
    shipping: Decimal
    tests: list[Buyer] = field(default_factory=list)

    def draw(self, kind: str) -> Drawn:
        """Raises KeyError for a kind that there is not."""
        made: dict[str, Callable[[], Drawn]] = {
            "renumbered": lambda: self._standing("old"),
            "standing": lambda: self._standing("id"),
            "phoned": lambda: self._standing("phone"),
            "cancelled_in_system": lambda: self._standing("id", "Cancelled"),
            "plain_known": lambda: self._plain(self._one_known()),
            "respelled": lambda: self._plain(self._one_known()),
            "plain_new": lambda: self._plain(self.pool.firm()),
            "chat_new": lambda: self._chat(self.pool.firm()),
            "chat_known": lambda: self._chat(self._one_known()),
            "part_refunded": lambda: self._refunded(self._lines(), part=True),
            "line_refunded": self._line_refunded,
            "refunded": lambda: self._refunded(self._lines(), part=False),
            "voided": self._voided,
            "repeat_changed": lambda: self._repeat(self._one_known()),
            "repeat_first": lambda: self._repeat(self._one_known(), latest_first=True),
            "repeat_cancelled": self._repeat_cancelled,
            "repeat_already": self._repeat_already,
            "held_guest": self._guest,
            "unpaid": lambda: self._plain(self.pool.firm(), "pending"),
            "unpaid_known": lambda: self._plain(self._one_known(), "pending"),
            "test": self._test,
            "waiting": lambda: self._timed(self.calendar.waiting()),
            "eve": lambda: self._timed(self.calendar.eve()),
            "pack": lambda: self._pack(self._one_known()),
            "pack_refunded": self._pack_refunded,
        }
        return made[kind]()

    def _one_known(self) -> Buyer:
        return self.rng.choice(self.known)

    def _lines(self, count: int = 0) -> tuple[ShopLine, ...]:
        """One line, sometimes two."""
        many = min(count or self.rng.choice((1, 1, 2)), len(self.items))
        return tuple(self._line(item) for item in self.rng.sample(self.items, many))

    def _line(self, item: Item) -> ShopLine:
        share = self.rng.choice((Decimal(1), Decimal(1), Decimal("0.95"), Decimal("0.9")))
        price = max((item.list_price * share).quantize(CENT), CENT)
        return ShopLine(sku=item.number, quantity=self._quantity(price), price=price)

    def _quantity(self, price: Decimal) -> int:
        _, fewest, most, step = next(band for band in QUANTITIES if price < band[0])
        return self.rng.randrange(fewest, most + 1, step)

    def _order(
        self,
        buyer: Buyer,
        lines: tuple[ShopLine, ...],
        created: dt.datetime | None = None,
        payment: Payment = "paid",
    ) -> ShopOrder:
        """The order as it was placed. Its id and name are provisional: the export gives them out by time."""
        at = created or self.calendar.ordinary()
        self.next_id += 1
        self.next_name += 1
        return ShopOrder(
            id=f"{self.prefix}-{self.next_id}",
            name=f"{self.letter}{self.next_name}",
            created=at,
            updated=at,
            payment=payment,
            buyer=buyer,
            shipping=self.shipping * self.rng.randint(0, 3),
            lines=lines,
        )

    def _plain(self, buyer: Buyer, payment: Payment = "paid") -> Drawn:
        order = self._order(buyer, self._lines(), payment=payment)
        return Drawn((order,), self._before(order))

    def _before(self, order: ShopOrder) -> ShopOrder | None:
        return order if order.created < self.calendar.earlier else None

    def _standing(self, number_kind: str, status: str = "Awaiting Shipping") -> Drawn:
        """In the system already, or with status Cancelled to be taken over after all."""
        created = self.calendar.before_change() if number_kind == "old" else None
        order = self._order(self.known[0], self._lines(), created)
        return Drawn((order,), self._before(order), Standing(number_kind, order.lines, status))

    def _chat(self, buyer: Buyer) -> Drawn:
        """Without a tax id at the checkout; it is in the chat, in the second of two messages."""
        order = self._order(buyer.model_copy(update={"tax_id": None}), self._lines())
        right = buyer.tax_id or self.pool.tax_id()
        wrong = self.pool.misspelled(right)
        words = (self.rng.choice(GIVING).format(id=wrong), self.rng.choice(MENDING).format(id=right))
        return Drawn((order,), self._before(order), chat=self._talk(order, words, (wrong, right)))

    def _guest(self) -> Drawn:
        """Held: nobody has a tax id for the order."""
        order = self._order(self.pool.guest(), self._lines())
        return Drawn((order,), self._before(order), chat=self._talk(order, (self.rng.choice(PUTTING_OFF),), (None,)))

    def _talk(
        self, order: ShopOrder, words: tuple[str, ...], ids: tuple[str | None, ...]
    ) -> tuple[CaptureMessage, ...]:
        """The desk asks, the buyer answers in so many messages, each with the tax id it gives."""
        at = order.created + dt.timedelta(minutes=self.rng.randint(9, 40))
        asked = CaptureMessage(
            at=at, sender="Shop desk", order=order.name, text=self.rng.choice(ASKING).format(name=order.name)
        )
        answers = [
            CaptureMessage(
                at=at + dt.timedelta(minutes=7 * place),
                sender=order.buyer.name,
                order=order.name,
                text=text,
                captured=id,
            )
            for place, (text, id) in enumerate(zip(words, ids, strict=True), start=1)
        ]
        return (asked, *answers)

    def chatter(self, order: ShopOrder) -> list[CaptureMessage]:
        """A talk that settles nothing."""
        at = order.created + dt.timedelta(minutes=self.rng.randint(50, 110))
        texts = ((order.buyer.name, self.rng.choice(CHATTER).format(name=order.name)), ("Shop desk", CHATTER_ANSWER))
        return [
            CaptureMessage(at=at + dt.timedelta(minutes=6 * place), sender=sender, order=order.name, text=text)
            for place, (sender, text) in enumerate(texts)
        ]

    def _refunded(self, lines: tuple[ShopLine, ...], part: bool) -> Drawn:
        """Refunded since the earlier export: some of the first line, or everything."""
        order = self._order(self.pool.firm() if part else self._one_known(), lines)
        payment: Payment = "partially_refunded" if part else "refunded"
        first = lines[0]
        back = self.rng.randint(1, first.quantity // 3) if part else first.quantity
        after = (
            first.model_copy(update={"refunded": back}),
            *(line if part else line.model_copy(update={"refunded": line.quantity}) for line in lines[1:]),
        )
        return self._updated(order, {"payment": payment, "lines": after})

    def _line_refunded(self) -> Drawn:
        """Two lines, one of them paid back in full."""
        order = self._order(self._one_known(), self._lines(2))
        first, second = order.lines
        lines = (first.model_copy(update={"refunded": first.quantity}), second)
        return self._updated(order, {"payment": "partially_refunded", "lines": lines})

    def _voided(self) -> Drawn:
        order = self._order(self.pool.firm(), self._lines())
        return self._updated(order, {"payment": "voided", "cancelled": self.calendar.later(order.created)})

    def _updated(self, order: ShopOrder, update: dict[str, object]) -> Drawn:
        at = update.get("cancelled") or self.calendar.later(order.created)
        return Drawn((order.model_copy(update={**update, "updated": at}),), self._before(order))

    def _again(self, order: ShopOrder) -> ShopOrder:
        """The row of an order that its buyer has changed: more of the first line."""
        first = order.lines[0]
        more = first.model_copy(update={"quantity": first.quantity + max(1, first.quantity // self.rng.randint(3, 6))})
        lines = (more, *order.lines[1:])
        return order.model_copy(update={"updated": self.calendar.later(order.created), "lines": lines})

    def _repeat(self, buyer: Buyer, latest_first: bool = False) -> Drawn:
        """Exported twice; the row with the later update counts, wherever it stands."""
        order = self._order(buyer, self._lines())
        rows = (order, self._again(order))
        return Drawn(rows[::-1] if latest_first else rows, self._before(order))

    def _repeat_cancelled(self) -> Drawn:
        """Changed, then cancelled: the later row keeps it out."""
        order = self._order(self._one_known(), self._lines())
        later = self._again(order)
        gone = later.model_copy(update={"payment": "voided", "cancelled": later.updated})
        return Drawn((order, gone), self._before(order))

    def _repeat_already(self) -> Drawn:
        """Changed by phone, and the desk entered what the later row says."""
        order = self._order(self.known[0], self._lines())
        later = self._again(order)
        return Drawn((order, later), self._before(order), Standing("phone", later.lines, "Awaiting Shipping"))

    def _test(self) -> Drawn:
        """An order of the shop's own people."""
        domain = self.domains[len(self.tests) % len(self.domains)]
        buyer = Buyer(name="Checkout Test", email=f"checkout.test@{domain}", tax_id=self.pool.tax_id())
        self.tests.append(buyer)
        order = self._order(buyer, (self._line(self.rng.choice(self.items)),))
        return Drawn((order,), self._before(order))

    def _timed(self, created: dt.datetime) -> Drawn:
        order = self._order(self.pool.firm(), self._lines(), created)
        return Drawn((order,), self._before(order))

    def _pack(self, buyer: Buyer) -> Drawn:
        order = self._order(buyer, self._pack_lines())
        return Drawn((order,), self._before(order))

    def _pack_refunded(self) -> Drawn:
        return self._refunded(self._pack_lines(), part=True)

    def _pack_lines(self) -> tuple[ShopLine, ...]:
        pack = self.rng.choice(self.packs)
        item = next(item for item in self.items if item.number == pack.item)
        unit = max((item.list_price * Decimal("0.95")).quantize(CENT), CENT)
        return (ShopLine(sku=pack.sku, quantity=self.rng.randint(4, 12), price=unit * pack.pieces),)
