"""Comparing two texts by what they state: identifiers, dates and numbers in order, whatever the words between them."""

import re

_TOKEN = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:T[\d:]+Z?)?"  # a date or an instant
    r"|[\w.+-]+@[\w.-]+\w"  # an address
    r"|#[\w-]+"  # a channel
    r"|[A-Za-z]\w*(?:[-_][A-Za-z0-9]+)*[-_]\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*"  # an identifier with a number in it
    r"|\b[A-Z]{1,3}\d+\b"  # an edition such as R4 or Q2
    r"|\d+(?:\.\d+)?"  # a number
)


def figures(text: str) -> list[str]:
    """The identifiers, addresses, dates and numbers of a text, bare or as JSON holds it, in order.

    >>> figures("CA-PO-77310 went in on 2026-02-03 as SO-NBR-40039, R4, 12.50")
    ['CA-PO-77310', '2026-02-03', 'SO-NBR-40039', 'R4', '12.50']
    """
    return _TOKEN.findall(text.replace("\\n", "\n").replace("\\r", "\n"))


def unquoted(text: str) -> str:
    """CSV text, as JSON holds it or bare, without the quotes that protect commas."""
    return text.replace('\\"', "").replace('"', "")
