"""Calls a second: the bare server, the client that loads it, and the comparison of a rendered task's world with it."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.bench import bare_server
from generator.bench.bare_server import open_database, run_tool
from generator.bench.figures import BenchError
from generator.bench.load import Connection, ToolCall, call_once, calls_per_second
from generator.bench.processes import HOST, Served, free_port, project_environment, serving
from generator.bench.serving import measure_calls, measure_start, world_serving

ITEMS = """
CREATE TABLE items (ItemNumber TEXT PRIMARY KEY, OrganizationCode TEXT NOT NULL, ItemStatusValue TEXT NOT NULL);
INSERT INTO items VALUES ('A', 'ONE', 'Active'), ('B', 'TWO', 'Active'), ('C', 'ONE', 'Inactive');
"""
LIST = ToolCall(bare_server.PATH, "items_list", {"organization": "ONE"})


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bare") / "seed.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript(ITEMS)
    database.close()
    return path


@pytest.fixture(scope="module")
def bare(seed: Path) -> Iterator[Served]:
    port = free_port()
    paths = [str(seed), str(seed.with_name("copy.sqlite"))]
    command = [sys.executable, bare_server.__file__, *paths, HOST, str(port)]
    with serving(command, port, project_environment()) as served:
        yield served


def test_the_bare_servers_tools(seed: Path, tmp_path: Path) -> None:
    database = open_database(seed, tmp_path / "copy.sqlite")
    read = run_tool(database, "items_list", {"organization": "ONE"})
    assert read["count"] == 2
    assert read["items"][1] == {"ItemNumber": "C", "OrganizationCode": "ONE", "ItemStatusValue": "Inactive"}
    assert run_tool(database, "items_update", {"item": "C", "status": "Active"}) == {"updated": 1}
    assert run_tool(database, "items_update", {"item": "D", "status": "Active"}) == {"updated": 0}
    with pytest.raises(ValueError, match="no tool orders_list"):
        run_tool(database, "orders_list", {})
    database.close()
    again = open_database(seed, tmp_path / "copy.sqlite")
    assert run_tool(again, "items_list", {"organization": "ONE"})["items"][1]["ItemStatusValue"] == "Active"
    again.close()


def test_a_call_over_mcp_gives_the_tools_result(bare: Served) -> None:
    assert [item["ItemNumber"] for item in call_once(bare.port, LIST)["items"]] == ["A", "C"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (ToolCall("/nowhere", "items_list", {}), "expected a plain answer with status 200, came b'HTTP/1.1 404"),
        (ToolCall(bare_server.PATH, "orders_list", {}), f"{bare_server.PATH} orders_list: .*error"),
    ],
)
def test_a_call_that_is_not_answered_well_is_an_error(bare: Served, call: ToolCall, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        call_once(bare.port, call)
    with pytest.raises(BenchError):
        calls_per_second(bare.port, call, 2, 0.2)


def test_both_protocols_are_spoken_as_their_versions_ask(bare: Served) -> None:
    newer = replace(LIST, protocol="2026-07-28")
    assert call_once(bare.port, newer) == call_once(bare.port, LIST)
    older_request, newer_request = LIST.request(80).decode(), newer.request(80).decode()
    assert "MCP-Protocol-Version: 2025-06-18\r\n" in older_request
    assert "_meta" not in older_request
    assert "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: items_list\r\n" in newer_request
    for request in (older_request, newer_request):
        head, body = request.split("\r\n\r\n")
        assert head.startswith("POST /mcp/bare HTTP/1.1\r\nHost: 127.0.0.1:80\r\n")
        assert f"Content-Length: {len(body)}" in head


def test_one_connection_carries_many_requests(bare: Served) -> None:
    request = LIST.request(bare.port)
    with Connection(bare.port) as connection:
        bodies = {connection.send(request) for _ in range(3)}
    assert len(bodies) == 1
    assert json.loads(bodies.pop())["id"] == 1


def test_the_rate_is_what_was_answered_a_second(bare: Served) -> None:
    # Between what no machine is too slow for and what none here can reach.
    assert 10 < calls_per_second(bare.port, LIST, 1, 0.3) < 20_000
    assert 10 < calls_per_second(bare.port, LIST, 4, 0.3) < 20_000


def test_the_world_is_compared_with_the_bare_server_in_turns(task_001: Path) -> None:
    memory, one, four = measure_calls(task_001, rounds=3, seconds=0.1)
    assert [figure.goal.id for figure in (memory, one, four)] == ["world_memory", "calls_1", "calls_4"]
    for figure in (one, four):
        medians = []
        for protocol in ("2025-06-18", "2026-07-28"):
            ratios = figure.series[f"ratio, {protocol}"]
            world, bare = (figure.series[f"{name}, calls/s, {protocol}"] for name in ("world", "bare"))
            assert ratios == tuple(ours / theirs for ours, theirs in zip(world, bare, strict=True))
            medians.append(sorted(ratios)[1])
        assert figure.value == min(medians)
    assert len(memory.series["MB"]) == 3
    assert 40 < (memory.value or 0) < 200


def test_servers_that_read_other_rows_are_not_compared(task_001: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.bench.serving._organization", lambda task: "NOWHERE")
    with pytest.raises(BenchError, match="the bare server reads 0 items, the world 0"):
        measure_calls(task_001, rounds=1, seconds=0.1)


def test_a_start_is_timed_from_the_process_to_its_health(task_001: Path) -> None:
    (figure,) = measure_start(task_001, 1)
    assert 0.1 < (figure.value or 0) < 20
    # It cannot be healthy before it has done the work that it did; the kernel counts that in hundredths.
    assert figure.series["seconds of processor"][0] <= figure.series["seconds"][0] + 0.05


def test_a_world_without_its_seed_is_an_error(tmp_path: Path) -> None:
    with (
        pytest.raises(BenchError, match="ended with 2: erpbench_world: expected a seed database"),
        world_serving(tmp_path),
    ):
        pytest.fail("it was taken as healthy")
