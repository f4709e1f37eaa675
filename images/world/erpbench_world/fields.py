"""Values of arguments and of line keys: JSON in, a checked value out.

Shape is InvalidArguments; a negative price or amount is Refused, because it is a business rule.
"""

import math
from typing import Any

from erpbench_world import money
from erpbench_world.errors import InvalidArguments, Refused, shown

NAME = 240
NOTE = 2000
MAX_ID = 2**53
MAX_LINE = 10**6
CENT = money.UNITS // 100


def text(value: Any, argument: str, longest: int = NAME) -> str:
    """The value without surrounding blanks, if it is text that SQLite can hold: not blank, no control characters."""
    if not isinstance(value, str):
        raise InvalidArguments(f"{argument}: expected text, came {shown(value)}", argument)
    cleaned = value.strip()
    if not cleaned:
        raise InvalidArguments(f"{argument}: expected text, came a blank", argument)
    if len(cleaned) > longest:
        raise InvalidArguments(f"{argument}: expected at most {longest} characters, came {len(cleaned)}", argument)
    if any((letter < " " and letter not in "\n\r\t") or "\ud800" <= letter <= "\udfff" for letter in cleaned):
        raise InvalidArguments(f"{argument}: expected text without control characters", argument)
    return cleaned


def note(value: Any, argument: str) -> str:
    """Free text: a reason, a description, a justification."""
    return text(value, argument, NOTE)


def record_id(value: Any, argument: str) -> int:
    """The number of a record; 300031.0 is 300031."""
    if not _is_whole(value) or not 0 <= value < MAX_ID:
        raise InvalidArguments(f"{argument}: expected the number of a record, came {shown(value)}", argument)
    return int(value)


def line_number(value: Any, argument: str) -> int:
    """The number of a line in a document, 1 and up."""
    if not _is_whole(value) or not 1 <= value <= MAX_LINE:
        raise InvalidArguments(f"{argument}: expected a line number from 1 up, came {shown(value)}", argument)
    return int(value)


def line_numbers(lines: list[dict[str, Any]], argument: str) -> list[int]:
    """Each line's LineNumber, or its place in the list where it has none. A repeated one is InvalidArguments."""
    numbers: list[int] = []
    for index, line in enumerate(lines):
        given = line.get("LineNumber")
        number = index + 1 if given is None else line_number(given, f"{argument}[{index}].LineNumber")
        if number in numbers:
            raise InvalidArguments(f"{argument}[{index}]: line number {number} is used twice", f"{argument}[{index}]")
        numbers.append(number)
    return numbers


def price(value: Any, argument: str) -> int:
    """Ten-thousandths of a unit price of zero or more."""
    units = money.parse(value, argument)
    if units < 0:
        raise Refused(f"{argument}: a price must be zero or more, came {value}", argument)
    return units


def amount(value: Any, argument: str, *, positive: bool = True) -> int:
    """Ten-thousandths of an amount of money in whole cents. Raises Refused for zero (unless allowed) and less."""
    units = money.parse(value, argument)
    if units % CENT:
        raise InvalidArguments(f"{argument}: expected an amount in whole cents, came {value}", argument)
    if units < 0 or (positive and units == 0):
        bound = "above zero" if positive else "zero or more"
        raise Refused(f"{argument}: an amount must be {bound}, came {value}", argument)
    return units


def extended(quantity_: int, price_units: int, argument: str) -> int:
    """quantity x price, rounded half up to the cent, below the largest amount that the ledger holds."""
    units = money.extend(quantity_, price_units)
    if units >= money.LIMIT * money.UNITS:
        raise InvalidArguments(f"{argument}: quantity x price is above what the ledger holds", argument)
    return units


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or (math.isfinite(value) and value == int(value))
