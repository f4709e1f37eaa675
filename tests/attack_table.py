"""Rows of the attack table, taken from the tests that are marked as attacks.

In: tests marked `@pytest.mark.attack(place, attack, expected=..., flaw=...)`, which tell what came through the fixture
`seen`. Out: one JSON line a test in the file that ERPBENCH_ATTACK_REPORT names; `erpbench attack` makes the table.

    @pytest.mark.attack("verifier", "snapshot is a {shape}", expected="score 0, evidence_missing", flaw=7)
    @pytest.mark.parametrize("shape", ["symlink", "directory"])
    def test_snapshot_of_another_shape(shape: str, seen: Seen) -> None:
        result = grade_shape(shape)
        seen(f"score {result.score}, {result.reason}")
        assert result.score == 0

Braces in the attack's name are filled from the test's parameters.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.attack.table import FLAWS, ORDER, REPORT

Seen = Callable[[object], None]


def described(item: pytest.Item) -> dict[str, Any] | None:
    """Place, attack, expected and flaw of a marked test; None for any other. Raises UsageError for a wrong mark."""
    mark = item.get_closest_marker("attack")
    if mark is None:
        return None
    callspec = getattr(item, "callspec", None)
    place, attack = mark.args
    row = {"place": place, "attack": attack.format(**(callspec.params if callspec else {})), **mark.kwargs}
    flaws = range(1, len(FLAWS) + 1)
    if place not in ORDER or row.get("flaw") not in flaws or not row.get("expected") or len(row) != 4:
        raise pytest.UsageError(f"{item.nodeid}: attack(place, attack, expected=..., flaw=1..8), came {mark}")
    return row


@pytest.fixture
def seen(request: pytest.FixtureRequest) -> Iterator[Seen]:
    """Tells the attack table what came. The last word stands."""
    said: list[str] = []
    yield lambda what: said.append(str(what))
    if said:
        request.node.user_properties.append(("seen", said[-1]))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note each attack's row; where ERPBENCH_ATTACK_PLACES names places, keep only the attacks on those."""
    places = [place for place in os.environ.get("ERPBENCH_ATTACK_PLACES", "").split(",") if place]
    rows = {item.nodeid: described(item) for item in items}
    kept = [item for item in items if not places or ((row := rows[item.nodeid]) and row["place"] in places)]
    for item in kept:
        if row := rows[item.nodeid]:
            item.user_properties.append(("attack", row))
    config.hook.pytest_deselected(items=[item for item in items if places and item not in kept])
    items[:] = kept


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """One row when a test has ended (at its teardown), or what kept it from running."""
    target = os.environ.get(REPORT)
    properties = dict(report.user_properties)
    if target is None or "attack" not in properties:
        return
    if report.when == "call" or (report.when == "setup" and not report.passed):
        OUTCOMES[report.nodeid] = "held" if report.passed else report.outcome
        REASONS[report.nodeid] = "" if report.passed else _first_line(report)
    if report.when == "teardown":
        outcome = OUTCOMES.pop(report.nodeid, "failed") if not report.failed else "failed"
        saw = properties.get("seen") or REASONS.pop(report.nodeid, "") or "as expected"
        row = {**properties["attack"], "seen": saw, "outcome": outcome, "test": report.nodeid}
        with Path(target).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


OUTCOMES: dict[str, str] = {}
REASONS: dict[str, str] = {}


def _first_line(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    text = str(report.longrepr).strip()
    errors = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return (errors or text.splitlines() or [""])[0]
