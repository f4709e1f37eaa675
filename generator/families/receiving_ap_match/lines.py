"""The lines of a drawn delivery: what was ordered, came and was billed, and the tolerance that settles its prices.

In: what each line plays, and a random stream. Out: Drawn lines, in the order's unit, and the tolerance's cap.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.figures import rounded
from generator.spec.money import cents

GOODS = Path(__file__).with_name("goods.yaml")
PACKS = (10, 20, 25, 50)
PRICED = ("cap", "small", "either")
"""Parts of lines whose billed price is not the order's."""


@dataclass(frozen=True)
class Drawn:
    """One order line with its fate.

    received, billed_before: of the order, before this delivery. came, damaged: in this delivery. first, last: what the
    first invoice and the one in force bill, in the order's unit, at `asked`; content: how much one billed unit holds.
    """

    part: str
    code: str
    description: str
    ordered: int
    price: Decimal
    received: int
    billed_before: int
    came: int
    damaged: int
    first: int
    last: int
    asked: Decimal
    content: int = 1

    @property
    def off(self) -> Decimal:
        """By how much the billed price puts the line off, up or down."""
        return abs(self.asked - self.price) * self.last

    @property
    def off_pct(self) -> Decimal:
        return abs(self.asked - self.price) * 100 / self.price


@cache
def pools() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(GOODS.read_text(encoding="utf-8"))
    return found


def draw_lines(parts: tuple[str, ...], corrected: bool, pct: Decimal, currency: str, rng: Random) -> tuple[Drawn, ...]:
    """Lines that play the parts, in any order; corrected: what was damaged is no longer billed."""
    goods = rng.sample(pools()["goods"], len(parts))
    rate = Decimal(str(pools()["currencies"].get(currency, 1)))
    shuffled = rng.sample(parts, len(parts))
    return tuple(_line(part, good, corrected, pct, rate, rng) for part, good in zip(shuffled, goods, strict=True))


def _line(part: str, good: list[str], corrected: bool, pct: Decimal, rate: Decimal, rng: Random) -> Drawn:
    code, description, usd = good
    price = cents(Decimal(usd) * rate * Decimal(str(round(rng.uniform(0.9, 1.12), 3))))
    size = rng.uniform(2600, 4200) if part == "cap" else rng.uniform(500, 2000)
    ordered = max(6, rounded(size / float(usd)))
    content = 1
    if part == "packs":
        content = rng.choice([pack for pack in PACKS if pack * 3 <= ordered] or [2])
        ordered = -(-ordered // content) * content
    part_way = max(1, rounded(ordered * rng.uniform(0.2, 0.45)))
    received, before = (part_way, part_way) if part in ("prior", "prior_over") else (0, 0)
    if part == "unbilled":
        received, before = part_way, max(0, part_way - max(1, rounded(part_way * rng.uniform(0.3, 0.7))))
    came = ordered - received
    damaged = max(1, round(came * rng.uniform(0.04, 0.16))) if part == "damaged" else 0
    first = ordered if part == "prior_over" else ordered - before
    last = first - damaged if corrected else first
    asked = price + _difference(part, price, pct, rng)
    return Drawn(
        part, code, description, ordered, price, received, before, came, damaged, first, last, asked, content
    )


def _difference(part: str, price: Decimal, pct: Decimal, rng: Random) -> Decimal:
    """How far the billed price lies from the order's: inside the percentage, near its edge, or beyond it."""
    if part not in PRICED:
        return Decimal("0.00")
    low, high = {"cap": (0.7, 0.93), "small": (0.25, 0.7), "either": (1.25, 2.4)}[part]
    share = Decimal(str(round(rng.uniform(low, high), 3)))
    difference = max(Decimal("0.01"), cents(price * pct * share / 100))
    return -difference if part == "small" and rng.random() < 0.3 else difference


def draw_cap(lines: tuple[Drawn, ...], rng: Random) -> Decimal | None:
    """A cap that lets pass what is to pass and stops what it is to stop; None where no round one does."""
    passing = [line.off for line in lines if line.part in ("small", "either")]
    stopped = [line.off for line in lines if line.part == "cap"]
    low = max(passing, default=Decimal(5)) * Decimal("1.15")
    high = min(stopped) / Decimal("1.15") if stopped else low * Decimal("2.5")
    cap = Decimal(rounded(float(low) + float(high - low) * rng.uniform(0.3, 0.8))).quantize(Decimal("0.01"))
    return cap if low <= cap <= high else None
