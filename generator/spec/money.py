"""Decimal amounts and the world's integers.

Amounts are Decimal in code and INTEGER ten-thousandths in the world's tables. Rounding is half up, to the cent per
line, then summed (the conventions printed in every task contract).
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

UNITS = 10_000
CENT = Decimal("0.01")


def units(amount: Decimal) -> int:
    """The amount in ten-thousandths. Raises ValueError when it has more than four decimals."""
    scaled = amount * UNITS
    if scaled != scaled.to_integral_value():
        raise ValueError(f"{amount} has more than four decimals")
    return int(scaled)


def cents(amount: Decimal) -> Decimal:
    """The amount rounded half up to two decimals."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def line_amount(quantity: int, price: Decimal) -> Decimal:
    """quantity x price, rounded half up to the cent."""
    return cents(quantity * price)


def total(lines: Iterable[tuple[int, Decimal]]) -> Decimal:
    """Sum of the rounded line amounts of (quantity, price) pairs."""
    return sum((line_amount(quantity, price) for quantity, price in lines), Decimal("0.00"))
