"""Matching expected entries to distinct candidates, so that the order in which either stands never matters."""

from collections.abc import Sequence


def assign(choices: Sequence[Sequence[int]]) -> list[int] | None:
    """One distinct candidate for each entry, or None where there is no such choice.

    choices has, for each entry, the candidates that fit it, best first. Candidates are taken in that order as long as
    the rest can still be served (augmenting paths).
    """
    owner: dict[int, int] = {}
    for entry in range(len(choices)):
        if not _place(entry, choices, owner):
            return None
    chosen = [0] * len(choices)
    for candidate, entry in owner.items():
        chosen[entry] = candidate
    return chosen


def _place(start: int, choices: Sequence[Sequence[int]], owner: dict[int, int]) -> bool:
    """Find a free candidate for the entry, moving earlier entries where needed. Iterative: entries may be hundreds."""
    came_from: dict[int, int] = {}
    queue = [start]
    while queue:
        entry = queue.pop(0)
        for candidate in choices[entry]:
            if candidate in came_from:
                continue
            came_from[candidate] = entry
            if candidate not in owner:
                _shift(candidate, start, came_from, owner)
                return True
            queue.append(owner[candidate])
    return False


def _shift(candidate: int, start: int, came_from: dict[int, int], owner: dict[int, int]) -> None:
    """Hand candidates along the path that ends in a free one."""
    while True:
        entry = came_from[candidate]
        previous = next((held for held, holder in owner.items() if holder == entry), None)
        owner[candidate] = entry
        if entry == start or previous is None:
            return
        del owner[previous]
        candidate = previous
