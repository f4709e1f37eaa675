"""Round figures of drawn facts."""

from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.figures import limit, pack, rounded


@pytest.mark.parametrize(("size", "figure"), [(0.2, 1), (7.4, 7), (34.6, 35), (1834.0, 1800), (12999.0, 13000)])
def test_two_leading_digits(size: float, figure: int) -> None:
    assert rounded(size) == figure


@pytest.mark.parametrize(("size", "figure"), [(0.1, 1), (3.1, 4), (60.0, 50), (160.0, 200), (5000.0, 1000)])
def test_usual_packs(size: float, figure: int) -> None:
    assert pack(size) == figure


@given(st.decimals(min_value=500, max_value=10**7, places=2), st.integers())
def test_limits_lie_between_the_shares_and_are_whole(amount: Decimal, seed: int) -> None:
    found = limit(amount, Random(seed), 0.5, 0.9)
    assert found == int(found)
    assert amount * Decimal("0.45") < found < amount * Decimal("0.95")
