"""Figures under each other's names: "accepted lines: 3, rejected lines: 5" where it is the other way round.

In: a text, and the right value of each named figure. Out: the names whose figures are exchanged. A writer may arrange
figures as he likes, so only what leaves no doubt counts: a name directly followed by one figure that belongs to another
name, that name nowhere beside its own figure, and two such names at least. The heads of a table with its figures in
another row, names in other words and other languages, and "3 accepted lines" bind nothing.
"""

import re
from collections.abc import Mapping
from decimal import Decimal

from verifier import figures
from verifier.text import normalise, tokenise

FEWEST = 2
_BINDS = re.compile(r"[\s:=|*`]*(?:\b(?:is|are|at|of)\b[\s:*`]*)?(?:[A-Z]{3}\s?|[$€£¥]\s?)?[-+(\u2013]?(?=[0-9])")
_COUNTED = re.compile(r"[0-9][ \t|*`]*\Z")
_EDGES = " \t:=;.,|*`()"


def exchanged_figures(raw: str, values: Mapping[str, Decimal]) -> list[str]:
    """The names whose figures stand under each other's names: none, or two at least, in the mapping's order.

    A name is written as the contract has it (order_total), or with spaces or hyphens, in any case. A name of one word
    is an ordinary word, and looked at nowhere.
    """
    names = [name for name in values if "_" in name and name.isidentifier()]
    if len(names) < FEWEST:
        return []
    text = normalise(raw)
    pattern = "|".join(f"(?P<{name}>{'[-_ ]'.join(map(re.escape, name.split('_')))})" for name in names)
    places = list(re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE))
    ends = [*(place.start() for place in places), len(text)][1:]
    held: dict[str, bool] = {}
    for place, end in zip(places, ends, strict=True):
        name = str(place.lastgroup)
        told = text[place.end() : end].partition("\n")[0]
        held[name] = held.get(name, True) and _is_of_another(name, text[: place.start()], told, values)
    exchanged = [name for name in names if held.get(name)]
    return exchanged if len(exchanged) >= FEWEST else []


def _is_of_another(name: str, before: str, told: str, values: Mapping[str, Decimal]) -> bool:
    """Whether what is told after the name is one figure, and that of another name."""
    if _COUNTED.search(before[-20:]) or not _BINDS.match(told):
        return False
    found = tokenise(told)
    if values[name] in found.numbers or not (found.count == 1 or figures.cell_readings(told.strip(_EDGES))):
        return False
    return bool(found.numbers & set(values.values()))
