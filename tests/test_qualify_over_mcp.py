"""A sample of every kind of episode through the world's real MCP servers: the same verdict and the same world."""

import contextlib
import http.client
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from erpbench_world.digest import logical_digest
from erpbench_world.dispatch import CallResult, World
from erpbench_world.server import build_app

from generator.qualify.controls import KINDS, build_controls
from generator.qualify.episode import fresh_world
from generator.qualify.script import Caller, Step, in_process, run_script
from generator.qualify.variations import build_variations
from tests.qualify_fixture import Bench, bench

HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
}


@contextlib.contextmanager
def over_mcp(world: World) -> Iterator[Caller]:
    """Steps as requests to the six servers, served on loopback by a thread; native files by the Drive path."""
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(build_app(world), log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.005)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

        def request(method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, bytes]:
            connection.request(method, path, None if body is None else json.dumps(body), HEADERS)
            answer = connection.getresponse()
            return answer.status, answer.read()

        def call(step: Step, arguments: dict[str, Any]) -> CallResult:
            if step.native:
                status, _ = request("GET", f"/drive/v3/files/{arguments['fileId']}?alt=media")
                return CallResult(status == 200, None, None, last_outcome(world))
            name = step.server or step.tool.partition(".")[0]
            parameters = {"name": step.tool, "arguments": arguments}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
            _, data = request("POST", f"/mcp/{name}", body)
            answer = json.loads(data)["result"]
            text = answer["content"][0]["text"]
            result = None if answer["isError"] else json.loads(text)
            return CallResult(result is not None, result, text, last_outcome(world))

        try:
            yield call
        finally:
            connection.close()
            server.should_exit = True
            thread.join()


def last_outcome(world: World) -> Any:
    """MCP tells only that a call failed; the trace tells how."""
    with closing(sqlite3.connect(world.database)) as db:
        return db.execute("SELECT outcome FROM trace ORDER BY idx DESC LIMIT 1").fetchone()[0]


def left(stage: Bench, world: World) -> tuple[tuple[int, ...], str]:
    with closing(sqlite3.connect(world.database)) as db:
        return stage.grader.grade_connection(db).failed, logical_digest(db)


def compared(stage: Bench, steps: tuple[Step, ...]) -> tuple[int, ...]:
    """What fails, after making sure that both ways leave the same world, trace included."""
    with fresh_world(stage.task) as world:
        run_script(in_process(world), steps)
        here = left(stage, world)
    with fresh_world(stage.task) as world, over_mcp(world) as call:
        run_script(call, steps)
        there = left(stage, world)
    assert here == there
    return there[0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "blanket executor"])
def test_a_mistake_ends_alike_in_process_and_over_mcp(task_001: Path, kind: str) -> None:
    stage = bench(task_001)
    control = next(build_controls(stage.stage, (kind,)))
    assert set(compared(stage, control.steps)) == set(control.predicted)


def test_a_declined_request_that_is_executed_ends_alike(rendered: Path) -> None:
    stage = bench(rendered / "erpbench-022")
    (control,) = build_controls(stage.stage, ("blanket executor",))
    assert set(compared(stage, control.steps)) == set(control.predicted)


def test_variations_end_alike_and_strict(task_001: Path) -> None:
    stage = bench(task_001)
    for variation in list(build_variations(stage.stage, 100))[:4]:
        assert compared(stage, variation.steps) == ()
