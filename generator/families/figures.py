"""Round figures for drawn facts: quantities and limits as people set them.

In: a wanted size. Out: a number of that size with few digits.
"""

import math
from decimal import Decimal
from random import Random

PACKS = (1, 2, 4, 5, 10, 12, 20, 25, 50, 100, 200, 250, 500, 1000)


def rounded(size: float, digits: int = 2) -> int:
    """The whole number above zero nearest to the size with that many leading digits."""
    if size < 1:
        return 1
    step: int = 10 ** max(0, math.floor(math.log10(size)) + 1 - digits)
    return max(1, round(size / step) * step)


def pack(size: float) -> int:
    """The usual pack nearest to the size."""
    return min(PACKS, key=lambda entry: abs(math.log(entry / max(size, 0.5))))


def limit(amount: Decimal, rng: Random, low: float, high: float) -> Decimal:
    """A round amount of money between two shares of an amount."""
    return Decimal(rounded(float(amount) * rng.uniform(low, high))).quantize(Decimal("0.01"))
