"""The trace and the state diff as they are written, piece by piece."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.contract_fixture import ORDER, TASK
from tests.play_fixture import Play, Stage
from verifier.listings import arguments_text, state_diff_text, trace_text


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    folder: Path = tmp_path_factory.mktemp("listings")
    return Stage(folder)


def read(pieces: Iterable[str]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads("".join(pieces))
    return document


def test_trace_has_the_calls_in_order(stage: Stage) -> None:
    deep = '{"a": ' + "[" * 3000 + "]" * 3000 + "}"

    def odd(play: Play) -> None:
        play.call(
            "erpbench.get_task", outcome="invalid", arguments={"x": float("nan"), "y": 2757.60, "z": [None, True]}
        )
        play.db.execute("UPDATE trace SET arguments = ? WHERE idx = 1", (deep,))

    calls = read(trace_text(stage.grade([*stage.oracle(), odd])))["calls"]
    assert [call["index"] for call in calls] == list(range(1, 29))
    assert (calls[15]["tool"], calls[15]["wrote"][0]) == ("oracle_fusion.sales_orders.create", ["sales_orders", ORDER])
    assert calls[27]["arguments"] == {"x": "NaN", "y": 2757.6, "z": [None, True]}
    assert calls[0]["arguments"] == deep[:2048] + "…"


def test_state_diff_shows_stored_amounts(stage: Stage) -> None:
    def price(play: Play) -> None:
        play.db.execute("UPDATE items SET ListPrice = 8000 WHERE ItemId = 300001")
        play.db.execute("DELETE FROM cells WHERE cell = 'Register!A2'")

    tables = read(state_diff_text(stage.grade([lambda play: play.order(), price])))["tables"]
    assert tables["sales_orders"]["added"][0]["key"] == ORDER
    assert tables["sales_orders"]["added"][0]["row"]["OrderTotal"] == 27576000
    assert tables["items"]["changed"] == [
        {"key": "300001", "before": {"ListPrice": 8400}, "after": {"ListPrice": 8000}}
    ]
    assert [entry["key"] for entry in tables["cells"]["removed"]] == ["Register!A2"]


def test_unusable_evidence_has_no_calls_and_no_tables(stage: Stage, tmp_path: Path) -> None:
    verdict = stage.grader.grade_evidence(tmp_path)
    assert read(trace_text(verdict)) == {"schema_version": 1, "task_id": TASK, "calls": []}
    assert read(state_diff_text(verdict)) == {"schema_version": 1, "task_id": TASK, "tables": {}}


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ('{"a": 1, "b": 2757.60, "c": [true, null]}', {"a": 1, "b": 2757.6, "c": [True, None]}),
        ('{"a": NaN}', {"a": "NaN"}),
        ('{"a": "' + "x" * 16_375 + '"}', {"a": "x" * 16_375}),
        ('{"a": "' + "x" * 16_376 + '"}', '{"a": "' + "x" * 2041 + "…"),
        ('{"a": 1e999}', '{"a": 1e999}'),
        ('{"a": ' + "9" * 5000 + "}", '{"a": ' + "9" * 2042 + "…"),
        ('{"a": ' + "[" * 199 + "]" * 199 + "}", {"a": json.loads("[" * 199 + "]" * 199)}),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", '{"a": ' + "[" * 200 + "]" * 200 + "}"),
    ],
)
def test_arguments_become_what_any_reader_takes(stored: str, shown: Any) -> None:
    assert json.loads(arguments_text(stored)) == shown
