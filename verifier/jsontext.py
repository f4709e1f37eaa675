"""JSON with decimal numbers: text in, values out, and values back to plain ones for the reports."""

import json
from decimal import Decimal
from typing import Any

LARGEST_EXPONENT = 30
DEEPEST = 40


def _number(text: str) -> Decimal:
    """The number as a Decimal; NaN where it is none or its exponent is beyond what Decimal can hold."""
    try:
        return Decimal(text)
    except ArithmeticError:
        return Decimal("NaN")


def parse(text: str) -> Any:
    """The JSON value with every number a Decimal (NaN and Infinity included). Raises ValueError for anything else."""
    try:
        return json.loads(text, parse_float=_number, parse_int=_number, parse_constant=_number)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None


def comparable(value: object) -> Decimal | None:
    """The value as a finite Decimal of ordinary size, or None. Booleans and strings are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_EXPONENT:
        return None
    return number


def close(left: Decimal, right: Decimal, tolerance: Decimal) -> bool:
    """Whether two comparable numbers differ by no more than the tolerance."""
    return left == right or abs(left - right) <= tolerance


def plain(value: Any, depth: int = DEEPEST) -> Any:
    """The value for a report: Decimals become JSON numbers; what is too large, too deep or not finite becomes text."""
    if depth == 0:
        return "…"
    if isinstance(value, Decimal):
        number = comparable(value)
        if number is None:
            return str(value)[:80]
        return int(number) if number == number.to_integral_value() else float(number)
    if isinstance(value, list | tuple):
        return [plain(entry, depth - 1) for entry in value]
    if isinstance(value, dict):
        return {str(key): plain(entry, depth - 1) for key, entry in value.items()}
    return value
