"""The oracle's plan runner: variables from earlier results, a stop at the first error with the call that failed."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "templates" / "task" / "solution" / "run_plan.py"


def load_runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_plan", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run_plan = load_runner()


class Client:
    """Notes the calls and answers with a number that counts up; refuses the tool "refused"."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def call(self, tool: str, arguments: Any) -> Any:
        if tool == "refused":
            raise RuntimeError("PeriodName: the period is closed")
        self.calls.append((tool, arguments))
        return {"OrderNumber": f"SO-NBR-{50010 + len(self.calls)}", "Total": 2757.6}


def plan(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"task_id": "erpbench-001", "calls": list(calls)}


def test_arguments_take_what_an_earlier_call_kept() -> None:
    client = Client()
    made = run_plan.run(
        plan(
            {
                "stage": "execute",
                "tool": "create",
                "arguments": {"n": 1},
                "keep": {"order": "OrderNumber", "t": "Total"},
            },
            {
                "stage": "verify",
                "tool": "read",
                "arguments": {"q": "Number='${order}'", "deep": [{"x": "${t} ${order}"}]},
            },
        ),
        client,
    )
    assert made == 2
    assert client.calls == [
        ("create", {"n": 1}),
        ("read", {"q": "Number='SO-NBR-50011'", "deep": [{"x": "2757.6 SO-NBR-50011"}]}),
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"tool": "refused", "arguments": {}}, "call 2, refused: PeriodName: the period is closed"),
        ({"tool": "read", "arguments": {"q": "${order}"}}, "call 2, read: no earlier call has kept order"),
        (
            {"tool": "read", "arguments": {}, "keep": {"x": "Missing"}},
            "call 2, read: the result has no field Missing to keep as x",
        ),
    ],
)
def test_the_first_error_stops_the_plan(call: dict[str, Any], message: str) -> None:
    client = Client()
    with pytest.raises(run_plan.PlanError) as stopped:
        run_plan.run(plan({"tool": "first", "arguments": {}}, call, {"tool": "never", "arguments": {}}), client)
    assert str(stopped.value) == message
    assert "never" not in [tool for tool, _ in client.calls]


def test_the_script_ends_with_1_and_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "erp", SimpleNamespace(Erp=Client, ErpError=RuntimeError))
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan({"tool": "refused", "arguments": {}})))
    assert run_plan.main(path) == 1
    assert capsys.readouterr().err == "run_plan: call 1, refused: PeriodName: the period is closed\n"
    path.write_text(json.dumps(plan({"stage": "scope", "tool": "ok", "arguments": {}})))
    assert run_plan.main(path) == 0
    assert capsys.readouterr().out == "  1  scope  ok\n1 calls made for erpbench-001\n"
    assert run_plan.main(tmp_path / "none.json") == 1
