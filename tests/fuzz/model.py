"""A slow model of what a written figure can mean, character by character, to compare the verifier's with.

In: a run of digits, full stops, commas and apostrophes. Out: the set of numbers, by the definition and without regular
expressions: one number with a decimal mark, with groups of three, or with both; or numbers with commas between.
"""

from decimal import Decimal

MARKS = ".,'"
LONGEST = 40


def readings(run: str) -> set[Decimal]:
    """Every number that the run can mean; none for a run that is longer than any figure."""
    if len(run) > LONGEST:
        return set()
    found = as_one(run)
    if is_list(run):
        for part in run.split(","):
            found |= readings(part)
    return found


def as_one(run: str) -> set[Decimal]:
    """The run as one number: every choice of a decimal mark, or of none, that leaves a well-formed whole."""
    found: set[Decimal] = set()
    if run[:1] == "." and digits(run[1:]):
        return {Decimal("0" + run)}
    if digits(run) or grouped(run) or in_lakhs(run):
        found.add(Decimal("".join(character for character in run if character not in MARKS)))
    for place, mark in enumerate(run):
        whole, decimals = run[:place], run[place + 1 :]
        well_formed = digits(whole) or grouped(whole) or in_lakhs(whole)
        if mark in ".," and mark not in whole and digits(decimals) and well_formed:
            bare = "".join(character for character in whole if character not in MARKS)
            found.add(Decimal(f"{bare}.{decimals}"))
    return found


def digits(text: str) -> bool:
    return bool(text) and all(character in "0123456789" for character in text)


def grouped(text: str) -> bool:
    """An integer in groups of three with one mark: the first group has one to three digits and no leading zero."""
    marks = {character for character in text if character in MARKS}
    if len(marks) != 1:
        return False
    first, *rest = text.split(marks.pop())
    return digits(first) and len(first) <= 3 and first[0] != "0" and all(digits(g) and len(g) == 3 for g in rest)


def in_lakhs(text: str) -> bool:
    """An integer as India groups it: three digits at the end, twos before them, no leading zero."""
    first, *rest = text.split(",")
    if len(rest) < 2 or not all(digits(group) for group in (first, *rest)) or first[0] == "0":
        return False
    return len(first) <= 2 and len(rest[-1]) == 3 and all(len(group) == 2 for group in rest[:-1])


def is_list(run: str) -> bool:
    """Whether its commas may stand between numbers: not as marks of groups, nor before exactly two decimals."""
    if "," not in run or grouped(run):
        return False
    whole, _, decimals = run.rpartition(",")
    if digits(whole) and digits(decimals) and len(decimals) == 2:
        return False
    for mark in ",.":
        whole, _, decimals = run.rpartition(mark)
        if grouped(whole) and digits(decimals):
            return False
    return True
