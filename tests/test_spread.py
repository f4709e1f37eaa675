"""Answers of a family are spread over its tasks; a draw that happens not to be is drawn again, in one tenant only."""

from collections import Counter

import pytest

from generator.families.spread import Shared, too_alike
from generator.spec.case import Case
from generator.tasks.case import build_cases
from generator.tenants import load
from generator.tenants.load import load_tenants

CLUSTERED = 1168
"""A seed whose first draws have requisitions seven days late in six of ten tasks."""


def test_half_may_share_a_value_and_no_more() -> None:
    five = [{"lines": count, "days": 7 if count < 5 else 10 + count} for count in range(10)]
    assert too_alike(five) == []
    assert too_alike([*five[:9], {"lines": 9, "days": 7}]) == [Shared("days", 7, 6)]


def test_of_four_nothing_can_be_said() -> None:
    assert too_alike([{"days": 7}] * 4) == []


def late_by_task(cases: list[Case]) -> list[int]:
    return [int(case.gold.answers["days_late"]) for case in cases if case.family == "inventory_reorder"]


def test_a_clustered_draw_is_drawn_again_in_one_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    spread = list(build_cases(load_tenants(seed=CLUSTERED)))
    monkeypatch.setattr(load, "too_alike", lambda answers: [])
    first = list(build_cases(load_tenants(seed=CLUSTERED)))
    assert Counter(late_by_task(first))[7] == 6
    assert Counter(late_by_task(spread))[7] == 5
    differing = [(a, b) for a, b in zip(first, spread, strict=True) if a.gold.answers != b.gold.answers]
    assert [case.family for case, _ in differing] == ["inventory_reorder"]
