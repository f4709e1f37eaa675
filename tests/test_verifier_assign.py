"""Matching expected entries to candidates."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from verifier.assign import assign


def test_each_entry_gets_its_own_candidate() -> None:
    assert assign([]) == []
    assert assign([[0], [1]]) == [0, 1]
    assert assign([[0, 1], [0]]) == [1, 0]
    assert assign([[0, 1], [0, 2], [0]]) == [1, 2, 0]
    assert assign([[0], [0]]) is None
    assert assign([[]]) is None


def test_the_first_fitting_candidate_is_preferred() -> None:
    assert assign([[3, 1, 2]]) == [3]


@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=4))
def test_an_assignment_is_found_exactly_where_there_is_one(choices: list[list[int]]) -> None:
    possible = any(
        all(candidate in options for candidate, options in zip(order, choices, strict=True))
        for order in permutations(range(5), len(choices))
    )
    found = assign(choices)
    assert (found is not None) == possible
    if found is not None:
        assert len(set(found)) == len(choices)
        assert all(candidate in options for candidate, options in zip(found, choices, strict=True))
