"""The world over HTTP: a real server on loopback, the official client, and raw requests."""

import asyncio
import contextlib
import hashlib
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import erpbench_world
import pytest
import uvicorn
from erpbench_world.catalog import SERVERS
from erpbench_world.dispatch import World
from erpbench_world.server import build_app
from mcp import Client
from mcp.types import CallToolResult, TextContent, Tool

from tests.world_fixture import TASK, VIEW, build_database, make_world, table
from tests.world_process import HEADERS, Process

DATA = b"Line,Item\r\n1,FST-M8\r\n"
ROWS: dict[str, list[dict[str, Any]]] = {
    "drive_files": [
        {"id": "F1", "name": "01-a.csv", "mimeType": "text/csv", "version": 2, "modifiedTime": "2026-02-09T06:00:00Z",
         "isCurrentAuthority": 1, "path": "01-a.csv", "size": len(DATA), "sha256": hashlib.sha256(DATA).hexdigest(),
         "content": DATA.decode()},
    ],
    "items": [
        {"ItemId": 300031, "OrganizationCode": "NBR1", "ItemNumber": "ANC-12-100", "ItemDescription": "Anchor ż",
         "ItemStatusValue": "Active", "PrimaryUOMValue": "EA", "ListPrice": 24500, "PriceEffectiveDate": "2026-01-01"},
    ],
}  # fmt: skip
DRAFT = {"task_id": TASK, "to": "lee@nbr.example", "subject": "s", "body": "b"}


class Served:
    """A world served on a free loopback port by a thread of this process."""

    def __init__(self, world: World, form: Any) -> None:
        self.world = world
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.server = uvicorn.Server(uvicorn.Config(build_app(world, form), log_level="warning"))
        self.thread = threading.Thread(target=self.server.run, args=([listener],), daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.005)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=10)

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body, {**HEADERS, **headers})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), data

    def rpc(self, server: str, method: str, parameters: dict[str, Any], version: str = "2025-06-18") -> dict[str, Any]:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode()
        status, _, data = self.request("POST", f"/mcp/{server}", body, **{"mcp-protocol-version": version})
        assert status == 200, data
        answer: dict[str, Any] = json.loads(data)["result"]
        return answer

    def call(self, server: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return self.rpc(server, "tools/call", {"name": tool, "arguments": arguments})


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "01-a.csv").write_bytes(DATA)
    with make_world(tmp_path, ROWS) as world:
        one = Served(world, "dotted")
        yield one
        one.stop()


async def list_all(url: str, mode: str) -> dict[str, list[Tool]]:
    tools: dict[str, list[Tool]] = {}
    for server in SERVERS:
        async with Client(f"{url}/mcp/{server}", mode=mode) as client:
            tools[server] = (await client.list_tools()).tools
    return tools


async def call_once(url: str, server: str, tool: str, arguments: dict[str, Any], mode: str) -> CallToolResult:
    async with Client(f"{url}/mcp/{server}", mode=mode) as client:
        return await client.call_tool(tool, arguments)


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_lists_52_tools_over_six_servers(served: Served, mode: str) -> None:
    tools = asyncio.run(list_all(served.url, mode))
    every = [tool for listed in tools.values() for tool in listed]
    assert [len(listed) for listed in tools.values()] == [5, 34, 4, 3, 3, 3]
    assert len({tool.name for tool in every}) == 52
    hints = [tool.annotations for tool in every]
    assert sum(hint is not None and hint.read_only_hint is False for hint in hints) == 19
    for hint in hints:
        assert hint is not None
        values = (hint.read_only_hint, hint.destructive_hint, hint.idempotent_hint, hint.open_world_hint)
        assert all(isinstance(value, bool) for value in values)
    assert "oracle_fusion.items.list" in {tool.name for tool in tools["oracle_fusion"]}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_calls_both_forms(served: Served, mode: str) -> None:
    for name in ("oracle_fusion.items.list", "items_list"):
        result = asyncio.run(call_once(served.url, "oracle_fusion", name, {"q": "OrganizationCode='NBR1'"}, mode))
        assert not result.is_error
        assert text(result) == (
            '{"count": 1, "items": [{"ItemDescription": "Anchor ż", "ItemId": 300031, "ItemNumber": "ANC-12-100", '
            '"ItemStatusValue": "Active", "ListPrice": 2.45, "OrganizationCode": "NBR1", "PriceEffectiveDate": '
            '"2026-01-01", "PrimaryUOMValue": "EA"}]}'
        )
    refusal = asyncio.run(call_once(served.url, "gmail", "drafts_create", {**DRAFT, "task_id": "x"}, mode))
    assert refusal.is_error
    assert text(refusal) == 'task_id: unknown task "x"; this world holds erpbench-001'
    rows = [(row["tool"], row["outcome"]) for row in table(served.world, "trace")]
    assert rows == [("oracle_fusion.items.list", "ok")] * 2 + [("gmail.drafts.create", "refused")]


def test_the_underscored_form_is_listed_when_chosen(tmp_path: Path) -> None:
    with make_world(tmp_path) as world:
        one = Served(world, "underscore")
        names = [tool["name"] for tool in one.rpc("google_sheets", "tools/list", {})["tools"]]
        result = one.call("erpbench", "erpbench.get_task", {"task_id": TASK})
        one.stop()
    assert names == ["spreadsheets_values_get", "spreadsheets_values_update", "spreadsheets_values_append"]
    assert json.loads(result["content"][0]["text"]) == VIEW


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_initialize_gives_the_version_that_was_offered(served: Served, version: str) -> None:
    client = {"name": "t", "version": "1"}
    parameters = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    result = served.rpc("slack", "initialize", parameters)
    assert result["protocolVersion"] == version
    assert result["serverInfo"]["name"] == "slack"
    assert "tools" in result["capabilities"]
    assert result["instructions"]


def test_wrong_calls_are_results_and_are_traced(served: Served) -> None:
    unknown = served.call("gmail", "messages.send", {"raw": "x"})
    invalid = served.call("gmail", "messages_get", {})
    assert unknown["isError"] is invalid["isError"] is True
    assert unknown["content"][0]["text"] == 'gmail has no tool "messages.send"'
    assert invalid["content"][0]["text"] == "id: required by gmail.messages.get, not given"
    rows = [(row["server"], row["tool"], row["outcome"]) for row in table(served.world, "trace")]
    assert rows == [("gmail", "messages.send", "unknown_tool"), ("gmail", "gmail.messages.get", "invalid")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b'{"jsonrpc":"2.0","id":1,"method":"nope"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":{"id":NaN}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":{"id":1e999}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":{"id":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800","arguments":{}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":{"id":'
        + b"9" * 5000 + b"}}}",
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"messages_get","arguments":{"id":'
        + b"[" * 5000 + b"]" * 5000 + b"}}}",
        b"\xff\xfe",
    ],
)  # fmt: skip
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_nothing_sent_is_answered_with_a_500_or_a_traceback(served: Served, body: bytes, version: str) -> None:
    status, _, data = served.request("POST", "/mcp/gmail", body, **{"mcp-protocol-version": version})
    assert status < 500
    assert b"Traceback" not in data
    assert served.call("erpbench", "get_task", {"task_id": TASK})["isError"] is False


@pytest.mark.parametrize("size", [128 * 1024 + 1, 1024 * 1024, 3 * 1024 * 1024])
def test_a_body_above_128_kibibytes_is_refused(served: Served, size: int) -> None:
    assert served.request("POST", "/mcp/gmail", b" " * (128 * 1024))[0] == 400
    status, _, data = served.request("POST", "/mcp/gmail", b" " * size)
    assert (status, data) == (413, b"the body is larger than 131072 bytes")


def test_a_client_that_leaves_in_its_body_is_nothing_to_tell(
    served: Served, capfd: pytest.CaptureFixture[str]
) -> None:
    head = b"POST /mcp/gmail HTTP/1.1\r\nHost: world\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with socket.create_connection(("127.0.0.1", served.port), 5) as leaving:
        leaving.sendall(head)
        time.sleep(0.1)
    time.sleep(0.1)
    assert served.call("erpbench", "get_task", {"task_id": TASK})["isError"] is False
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_mcp_takes_post_only(served: Served, method: str) -> None:
    status, headers, _ = served.request(method, "/mcp/gmail")
    assert (status, headers["allow"]) == (405, "POST")


def test_unknown_hosts_and_paths(served: Served) -> None:
    for method, path in (("POST", "/mcp/gmail"), ("GET", "/drive/v3/files/F1")):
        assert served.request(method, path, host="evil.example")[0] == 421
        assert served.request(method, path, host="world:8000")[0] != 421
    assert served.request("GET", "/admin")[0] == 404


@pytest.mark.parametrize("host", ["WORLD:8000", "World", "LocalHost:1"])
def test_hosts_are_compared_without_case(served: Served, host: str) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    assert served.request("POST", "/mcp/gmail", body, host=host)[0] == 200
    assert served.request("GET", "/drive/v3/files/F1", host=host)[0] == 200


def test_health(served: Served) -> None:
    status, _, data = served.request("GET", "/healthz")
    assert (status, json.loads(data)) == (200, {"status": "ok", "task_id": TASK, "world_version": "1.0.0"})


def test_native_bytes_are_served_and_traced_as_a_download(served: Served) -> None:
    metadata = json.loads(served.call("google_drive", "files_get", {"fileId": "F1"})["content"][0]["text"])
    status, headers, data = served.request("GET", metadata["nativePath"])
    assert (status, data) == (200, DATA)
    assert headers["content-type"] == "text/csv"
    assert headers["content-disposition"] == 'attachment; filename="01-a.csv"'
    status, _, data = served.request("GET", "/drive/v3/files/F1")
    assert (status, json.loads(data)) == (200, metadata)
    rows = [(row["tool"], row["saw"]) for row in table(served.world, "trace")]
    assert rows == [
        ("google_drive.files.get", '[["drive_meta","F1"]]'),
        ("google_drive.files.download", '[["drive_content","F1"]]'),
        ("google_drive.files.get", '[["drive_meta","F1"]]'),
    ]


@pytest.mark.parametrize("path", ["/drive/v3/files/F1?alt=media", "/drive/v3/files/F1"])
def test_head_of_a_native_file_reads_nothing(served: Served, path: str) -> None:
    status, headers, _ = served.request("HEAD", path)
    assert (status, headers["allow"]) == (405, "GET")
    assert table(served.world, "trace") == []


def test_native_bytes_that_cannot_be_served(served: Served) -> None:
    status, _, data = served.request("GET", "/drive/v3/files/F9?alt=media")
    assert (status, json.loads(data)) == (404, {"error": {"code": 404, "message": 'fileId: no file "F9"'}})
    assert served.request("GET", "/drive/v3/files/F1?alt=xml")[0] == 400
    (served.world.files / "01-a.csv").write_bytes(b"other")
    status, _, data = served.request("GET", "/drive/v3/files/F1?alt=media")
    assert status == 404
    assert b"do not agree with their digest" in data


def test_every_answered_call_survives_a_kill(tmp_path: Path) -> None:
    seed = build_database(tmp_path / "seed.sqlite")
    data = tmp_path / "data"
    first = Process(seed, data)
    try:
        ids = [first.call("gmail", "drafts_create", DRAFT)["id"] for _ in range(3)]
    finally:
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    second = Process(seed, data)
    try:
        assert second.call("gmail", "drafts_get", {"id": ids[2]})["message"]["body"] == "b"
        assert second.call("gmail", "drafts_create", DRAFT)["id"] == "DRAFT-erpbench-001-4"
        with World(data / "world.sqlite", data) as reader:
            assert [row["idx"] for row in table(reader, "trace")] == [1, 2, 3, 4, 5]
    finally:
        second.process.terminate()
        assert second.process.wait(timeout=10) in (0, -signal.SIGTERM)


def posted(port: int, body: bytes, connections: int) -> list[int]:
    """The status of each of so many connections that post the body at once: none is whole before all have begun."""
    head = (
        "POST /mcp/slack HTTP/1.1\r\nHost: world\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    opened = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(connections)]
    for part in (head.encode() + body[:-1], body[-1:]):
        for one in opened:
            with contextlib.suppress(OSError):  # a refused one may be closed already
                one.sendall(part)
    statuses = []
    for one in opened:
        with contextlib.suppress(OSError, IndexError):
            statuses.append(int(one.recv(100).split()[1]))
        one.close()
    return statuses


def test_many_large_bodies_stay_below_the_containers_memory(tmp_path: Path) -> None:
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","arguments":{"q":[%s[]]}}}'
    world = Process(build_database(tmp_path / "seed.sqlite"), tmp_path / "data")
    try:
        assert set(posted(world.port, call % (b"[]," * 340_000), 300)) <= {413, 503}
        taken = posted(world.port, call % (b"[]," * 43_000), 60)
        assert (len(taken), set(taken)) == (60, {200})
        assert 503 in posted(world.port, call % (b"[]," * 43_000), 120)
        time.sleep(0.2)
        assert world.call("erpbench", "get_task", {"task_id": TASK}) == VIEW
        peak = Path(f"/proc/{world.process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]
        assert int(peak) < 384 * 1024 * 0.8
    finally:
        world.process.terminate()
        world.process.wait(timeout=10)


def test_a_wrong_environment_is_said_without_a_traceback(tmp_path: Path) -> None:
    package = str(Path(erpbench_world.__file__).parent.parent)
    environment = {"PYTHONPATH": package, "WORLD_SEED": str(tmp_path / "no.sqlite"), "WORLD_FILES": "x"}
    for data, message in (("", "WORLD_DATA: expected a path"), (str(tmp_path), "expected a seed database at")):
        chosen = {**environment, "WORLD_DATA": data}
        command = [sys.executable, "-m", "erpbench_world"]
        done = subprocess.run(command, env=chosen, capture_output=True, text=True)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr
