"""Row checks in words: too many, too few, another content, and the rows that are as expected."""

from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import ORDER
from tests.play_fixture import Play, Stage
from verifier.finding import Finding
from verifier.rowchecks import rows

SCOPE = {"kind": "rows", "table": "posts", "where": {"channel": "#ops-nbr"}}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("rowchecks")
    return Stage(folder)


def found(stage: Stage, check: dict[str, Any], *posts: tuple[str, str], order: bool = False) -> Finding:
    """The finding on an episode that left these posts (key, text)."""

    def leave(play: Play) -> None:
        for key, text in posts:
            play.post(text=text, key=key)
        if order:
            play.order()

    episode = stage.grade([leave]).episode
    assert episode is not None
    return rows(check, episode)


TWO = SCOPE | {"added_exactly": [{"row": {"text": "a"}}, {"row": {"text": "b"}}]}


def test_rows_in_any_order_are_the_expected_ones(stage: Stage) -> None:
    expected = "in posts: 2 rows added, 0 changed; a row with text 'a'; a row with text 'b'"
    told = "in posts: 2 rows added, 0 changed as expected"
    assert found(stage, TWO, ("P1", "b"), ("P2", "a")) == Finding(True, told, expected)
    assert found(stage, TWO, ("P1", "b"), ("P2", "b")) == Finding(
        False, "the rows of posts that were added are not the expected ones: P1, P2", expected
    )


def test_too_many_and_too_few(stage: Stage) -> None:
    assert found(stage, TWO, ("P1", "a")).seen == "1 rows of posts added, expected 2: P1"
    assert found(stage, TWO).seen == "0 rows of posts added, expected 2: none"
    assert found(stage, SCOPE, ("P1", "a")).seen == "1 rows of posts added, expected 0: P1"
    assert found(stage, SCOPE) == Finding(
        True, "in posts: 0 rows added, 0 changed as expected", "in posts: 0 rows added, 0 changed"
    )


def test_a_lone_row_is_told_by_what_does_not_fit(stage: Stage) -> None:
    check = SCOPE | {"added_exactly": [{"row": {"text": "a", "review_status": "draft_for_review"}}]}
    assert found(stage, check, ("P1", "b")).seen == "posts P1 added with text 'b'"
    named = SCOPE | {"added_exactly": [{"key": "P2", "row": {"text": "a"}}]}
    assert found(stage, named, ("P2", "b")).seen == "posts P2 added with text 'b'"
    assert found(stage, named, ("P1", "a")).seen == ("the rows of posts that were added are not the expected ones: P1")


def test_a_row_of_the_primary_record_and_its_absence(stage: Stage) -> None:
    check = {"kind": "rows", "table": "sales_orders", "key": "$primary", "row": {"StatusCode": "Booked"}}
    expected = "sales_orders primary record with StatusCode 'Booked'"
    assert found(stage, check) == Finding(False, "the expected primary record does not stand", expected)
    assert found(stage, check, order=True) == Finding(True, f"sales_orders {ORDER} as expected", expected)
    draft = check | {"row": {"StatusCode": "Draft"}}
    assert found(stage, draft, order=True).seen == f"sales_orders {ORDER} has StatusCode 'Booked'"
    missing = {"kind": "rows", "table": "posts", "key": "P9", "row": {"text": "a"}}
    assert found(stage, missing) == Finding(False, "no row P9 in posts", "posts P9 with text 'a'")
