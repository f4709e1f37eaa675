"""Money in the world: INTEGER ten-thousandths in tables, Decimal in code, a plain JSON number on the wire."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from erpbench_world.errors import InvalidArguments, shown

UNITS = 10_000
LIMIT = Decimal(10) ** 12


def parse(value: object, argument: str) -> int:
    """Ten-thousandths of a JSON number.

    Raises InvalidArguments for anything else, for more than four decimals, and for 10^12 and above.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InvalidArguments(f"{argument}: expected a number, came {shown(value)}", argument)
    try:
        amount = Decimal(str(value))
        scaled = amount * UNITS
        whole = int(scaled)
    except (InvalidOperation, ValueError, OverflowError):
        raise InvalidArguments(f"{argument}: expected a finite number, came {shown(value)}", argument) from None
    if abs(amount) >= LIMIT:
        raise InvalidArguments(f"{argument}: expected less than {LIMIT:f}, came {shown(value)}", argument)
    if scaled != whole:
        raise InvalidArguments(f"{argument}: expected at most four decimals, came {shown(value)}", argument)
    return whole


def show(units: int) -> float:
    """The amount as the provider's JSON shows it: 473.0, 2757.6. Division of whole numbers rounds correctly."""
    return units / UNITS


def extend(quantity: int, price_units: int) -> int:
    """quantity x price in ten-thousandths, rounded half up to the cent."""
    cents = (Decimal(quantity * price_units) / 100).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return int(cents) * 100
