"""JSON in, values out: with decimal numbers where they are compared, with numbers as written where they are not."""

import json
from decimal import Decimal
from typing import Any

LARGEST_EXPONENT = 30
DEEPEST = 40
LONGEST = 256 << 10
"""Characters of the longest JSON text that is parsed; the world takes arguments of 64 KiB."""


class TooDeep(ValueError):
    """JSON that is nested more deeply than it can be read."""


class Written(str):
    """A JSON number as it is written. Making one costs a tenth of a Decimal, which matters for a whole trace."""


def _number(text: str) -> Decimal:
    """The number as a Decimal; NaN where it is none or its exponent is beyond what Decimal can hold."""
    try:
        return Decimal(text)
    except ArithmeticError:
        return Decimal("NaN")


def parse(text: str) -> Any:
    """The JSON value with every number a Decimal (NaN and Infinity included).

    Raises ValueError for anything else, and for more text than the world would have taken.
    """
    if len(text) > LONGEST:
        raise ValueError("JSON longer than the world takes")
    try:
        return json.loads(text, parse_float=_number, parse_int=_number, parse_constant=_number)
    except RecursionError:
        raise TooDeep("JSON nested too deeply") from None


def outline(text: str) -> Any:
    """The JSON value with every number a Written. Raises ValueError for anything else, TooDeep among it."""
    try:
        return json.loads(text, parse_float=Written, parse_int=Written, parse_constant=Written)
    except RecursionError:
        raise TooDeep("JSON nested too deeply") from None


def number_of(written: Written) -> Decimal | None:
    """The number that is written, or None where it is not finite or not of ordinary size."""
    return comparable(_number(written))


def comparable(value: object) -> Decimal | None:
    """The value as a finite Decimal of ordinary size, or None. Booleans and strings are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_EXPONENT:
        return None
    return number


def close(left: Decimal, right: Decimal, tolerance: Decimal) -> bool:
    """Whether two comparable numbers are equal or differ by less than the tolerance."""
    return left == right or abs(left - right) < tolerance


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
