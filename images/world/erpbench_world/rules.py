"""Rules that many writes share. Each raises Refused or InvalidArguments with its own message."""

import datetime as dt
import math
from typing import Any

from erpbench_world.call import Call
from erpbench_world.errors import InvalidArguments, Refused, shown


def iso_date(value: Any, argument: str) -> str:
    """The value if it is an ISO calendar date."""
    try:
        if isinstance(value, str) and dt.date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise InvalidArguments(f"{argument}: expected an ISO date such as 2026-02-09, came {shown(value)}", argument)


def open_period(call: Call, application: str, day: str, argument: str) -> None:
    """Refuse a date in a closed period, or in none, of the application."""
    period = call.row(
        "SELECT period, status FROM periods WHERE application = ? AND start_date <= ? AND end_date >= ?",
        (application, day, day),
    )
    if period is None:
        raise Refused(f"{argument}: {day} lies in no {application} period", argument)
    if period["status"] != "Open":
        raise Refused(f"{argument}: {day} lies in {application} period {period['period']}, which is closed", argument)


def known(call: Call, kind: str, code: Any, argument: str) -> str:
    """Refuse a code that the lookups of the kind do not list; the message lists them."""
    codes = [row["code"] for row in call.rows("SELECT code FROM lookups WHERE kind = ? ORDER BY code", (kind,))]
    if code not in codes:
        raise Refused(f"{argument}: expected one of {', '.join(codes)}, came {shown(code)}", argument)
    return str(code)


def organization(call: Call, kind: str, code: Any, argument: str, column: str = "code") -> str:
    """Refuse an organization this tenant does not have. column is code, or name for business units and employers."""
    sql = f"SELECT {column} FROM organizations WHERE kind = ? ORDER BY {column}"
    names = [row[column] for row in call.rows(sql, (kind,))]
    if code not in names:
        raise Refused(f"{argument}: {shown(code)} is not of this tenant; expected one of {', '.join(names)}", argument)
    return str(code)


def whole(value: Any, argument: str, *, positive: bool = True) -> int:
    """A whole number of at most 10^9; zero or less is refused when it must be positive."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or abs(value) > 10**9 or value != int(value):
        raise InvalidArguments(f"{argument}: expected a whole number up to 10^9, came {shown(value)}", argument)
    if value < 0 or (positive and value == 0):
        least = "above zero" if positive else "zero or more"
        raise Refused(f"{argument}: a quantity must be {least}, came {value}", argument)
    return int(value)


def line_list(
    value: Any, argument: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """The value if it is a non-empty list of at most 200 objects with the required keys and no key but those named."""
    if not isinstance(value, list) or not 1 <= len(value) <= 200:
        raise InvalidArguments(f"{argument}: expected a list of 1 to 200 lines", argument)
    for index, line in enumerate(value):
        where = f"{argument}[{index}]"
        if not isinstance(line, dict):
            raise InvalidArguments(f"{where}: expected an object with {', '.join(required)}, came {shown(line)}", where)
        missing = [key for key in required if key not in line]
        extra = [key for key in line if key not in (*required, *optional)]
        if missing or extra:
            raise InvalidArguments(
                f"{where}: expected {', '.join(required)}"
                + (f" and optionally {', '.join(optional)}" if optional else "")
                + (f"; missing {', '.join(missing)}" if missing else "")
                + (f"; not known {', '.join(str(name)[:60] for name in extra[:10])}" if extra else ""),
                where,
            )
    return value
