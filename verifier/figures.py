"""What numbers a written figure can mean: "2,757.60" in, {2757.60} out.

A figure is a run of ASCII digits with single separators between them: full stop, comma or apostrophe. Where the
notation leaves two meanings open ("2.757"), both are readings; a run that no notation explains ("2.7.1") has none.
"""

import re
from decimal import Decimal

# One figure as a whole, with an optional sign, currency sign or code, and percent sign, as a sheet's cell may hold it.
_WHOLE = re.compile(
    r"\s*(?P<sign>[-+\u2212]?)\s*(?:[A-Z]{0,2}[$€£¥₹]|[A-Z]{3}(?![A-Za-z])|KSh|Rs\.?|kr\.?|zł)?\s*"
    r"(?P<run>[0-9][0-9.,'\u2019 \u00a0\u202f]*|\.[0-9]+)"
    r"\s*(?:[$€£¥₹%]|[A-Z]{3}|KSh|kr\.?|zł)?\s*"
)
_GROUPED_BY_SPACE = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]+)?")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:\.[0-9]{3})+|(?:'[0-9]{3})+)")
_LAKHS = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}")
"""An integer as India groups it, 43,45,460, which may as well be a list of three."""
LONGEST = 40

Readings = frozenset[Decimal]
NONE: Readings = frozenset()


def readings(run: str) -> Readings:
    """All numbers that the run of digits, full stops, commas and apostrophes can mean, as one number or as a list."""
    run = run.replace("\u2019", "'")
    if len(run) > LONGEST:
        return NONE
    if run.isdigit():
        return frozenset({Decimal(run)})
    if run.startswith("."):
        return frozenset({Decimal("0" + run)}) if run[1:].isdigit() else NONE
    single = _as_one(run)
    if _is_list(run):
        return single.union(*(readings(part) for part in run.split(",")))
    return single


def count(run: str) -> int:
    """How many numbers the run stands for at most."""
    return 1 + run.count(",") if _is_list(run) else 1


def _is_list(run: str) -> bool:
    """Whether its commas may separate numbers (5,3,3160): not where they group digits or stand before two decimals."""
    if "," not in run or _GROUPED.fullmatch(run) or re.fullmatch(r"[0-9]+,[0-9]{2}", run):
        return False
    return not any(
        _GROUPED.fullmatch(whole) and decimals.isdigit()
        for whole, _, decimals in (run.rpartition(","), run.rpartition("."))
    )


def cell_readings(text: str) -> Readings:
    """The numbers that a cell's text can mean, if it is one figure and nothing else."""
    found = _WHOLE.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        return NONE
    run = found["run"].rstrip().replace("\u00a0", " ").replace("\u202f", " ")
    if " " in run:
        if not _GROUPED_BY_SPACE.fullmatch(run):
            return NONE
        run = run.replace(" ", "'")
    values = _as_one(run) if not run.isdigit() and not run.startswith(".") else readings(run)
    return frozenset(-value for value in values) if found["sign"] in ("-", "\u2212") else values


def _as_one(run: str) -> Readings:
    """The run as one number: with a decimal separator, with groups of three, or either where both fit."""
    run = run.replace("\u2019", "'")
    marks = [character for character in run if not character.isdigit()]
    found: set[Decimal] = set()
    if not marks or not re.fullmatch(r"[0-9]+(?:[.,'][0-9]+)*", run):
        return NONE
    if _groups(run):
        found.add(Decimal(re.sub("[.,']", "", run)))
    last = marks[-1]
    if last != "'" and marks.count(last) == 1:
        whole, decimals = run.rsplit(last, 1)
        if whole.isdigit() or _groups(whole):
            found.add(Decimal(re.sub("[.,']", "", whole) + "." + decimals))
    return frozenset(found)


def _groups(run: str) -> bool:
    """Whether the run is an integer in groups with one separator, e.g. 2,757 or 1.234.567 or 43,45,460."""
    return (_GROUPED.fullmatch(run) or _LAKHS.fullmatch(run)) is not None
