"""The erp client against a small server of its own: spellings, argument types, answer forms, errors and exit codes."""

import importlib.util
import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

CLIENT = Path(__file__).resolve().parents[1] / "images" / "agent" / "erp.py"


def load_client() -> ModuleType:
    spec = importlib.util.spec_from_file_location("erp", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


erp = load_client()

SCHEMA = {
    "type": "object",
    "properties": {"task_id": {"type": "string"}, "limit": {"type": "integer"}, "lines": {"type": "array"}},
}
TOOLS = {
    "erpbench": ["get_task"],
    "oracle_fusion": ["items_list", "items_get"],
    "gmail": ["messages_list"],
    "google_drive": ["files_list", "files_get"],
    "google_sheets": ["values_get"],
    "slack": ["chat_postMessage", "files_list"],
}


class World(BaseHTTPRequestHandler):
    """Answers as JSON, but slack as an event stream; echoes a call's arguments; fails on task_id "bad"."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, dict[str, Any], dict[str, str]]] = []  # noqa: RUF012

    def log_message(self, format: str, *args: Any) -> None:
        return

    def send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path == "/drive/v3/files/FILE%2F1?alt=media":
            self.send(200, "application/pdf", b"%PDF-1.7\x00\xff")
        else:
            self.send(404, "application/json", b'{"error": {"code": 404, "message": "no file NOPE"}}')

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.path.removeprefix("/mcp/")
        World.seen.append((server, message, dict(self.headers.items())))
        if "id" not in message:
            self.send(202, "application/json", b"")
            return
        method, params = message["method"], message.get("params", {})
        if method == "initialize":
            result: dict[str, Any] = {"protocolVersion": params["protocolVersion"], "capabilities": {}}
        elif method == "tools/list":
            description = "Reads things. More words."
            hints = {"readOnlyHint": server != "slack"}
            result = {
                "tools": [
                    {"name": name, "description": description, "inputSchema": SCHEMA, "annotations": hints}
                    for name in TOOLS[server]
                ]
            }
        elif params["arguments"].get("task_id") == "bad":
            result = {"isError": True, "content": [{"type": "text", "text": "task_id: unknown task bad"}]}
        else:
            echo = {"name": params["name"], "arguments": params["arguments"], "größe": "ø"}
            result = {"content": [{"type": "text", "text": json.dumps(echo)}]}
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        if server == "slack":
            notice = json.dumps({"jsonrpc": "2.0", "method": "notifications/message"})
            text = f": ping\n\ndata: {notice}\n\nevent: message\ndata: {json.dumps(answer)}\n\n"
            self.send(200, "text/event-stream", text.encode())
        else:
            self.send(200, "application/json", json.dumps(answer).encode())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), World)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def shell(url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command as from a shell; gives exit code, standard output and standard error."""
    monkeypatch.setenv("ERP_URL", url)
    World.seen.clear()

    def run(*words: str) -> tuple[int, str, str]:
        code = erp.main(words)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("erpbench.get_task", ("erpbench", "get_task")),
        ("oracle_fusion.items.list", ("oracle_fusion", "oracle_fusion.items.list")),
        ("oracle_fusion.items_list", ("oracle_fusion", "items_list")),
        ("mcp__google_drive__files_list", ("google_drive", "files_list")),
        ("items_list", (None, "items_list")),
        ("salesforce.leads.list", (None, "salesforce.leads.list")),
        ("mcp__unknown__x", (None, "mcp__unknown__x")),
        ("slack.", (None, "slack.")),
    ],
)
def test_a_name_tells_its_server_in_every_spelling(name: str, split: tuple[str | None, str]) -> None:
    assert erp.split_name(name) == split


@given(st.text())
def test_splitting_any_text_never_fails_and_never_invents_a_server(name: str) -> None:
    server, tool = erp.split_name(name)
    assert server is None or server in erp.SERVERS
    assert name.endswith(tool)


def test_values_take_the_types_of_the_schema() -> None:
    words = ["task_id=77310", "limit=25", "lines=[1, 2]", "note=3.50", "q=Number='A' and B='C'", "empty="]
    assert erp.typed_arguments(words, SCHEMA) == {
        "task_id": "77310",
        "limit": 25,
        "lines": [1, 2],
        "note": 3.5,
        "q": "Number='A' and B='C'",
        "empty": "",
    }


@pytest.mark.parametrize("words", [["limit"], ["=5"], ["a=1", "a=2"]])
def test_words_that_are_no_arguments_are_wrong_use(words: list[str]) -> None:
    with pytest.raises(erp.UsageError):
        erp.typed_arguments(words, {})


def test_events_join_their_data_lines_and_skip_comments() -> None:
    text = 'data: {"a":\r\ndata: 1}\r\n\r\n: ping\n\nid: 7\ndata:{"b": 2}\n\n'
    assert list(erp.event_messages(text)) == [{"a": 1}, {"b": 2}]


def test_the_handshake_precedes_the_call_and_its_version_is_sent_on(shell: Any) -> None:
    assert shell("call", "erpbench.get_task", '{"task_id": "erpbench-001"}')[0] == 0
    methods = [(server, message["method"]) for server, message, _ in World.seen]
    assert methods == [
        ("erpbench", "initialize"),
        ("erpbench", "notifications/initialized"),
        ("erpbench", "tools/call"),
    ]
    assert World.seen[0][1]["params"]["protocolVersion"] == "2025-06-18"
    assert World.seen[2][2]["MCP-Protocol-Version"] == "2025-06-18"


def test_one_client_keeps_its_sessions(url: str) -> None:
    World.seen.clear()
    client = erp.Erp(url)
    for _ in range(3):
        client.call("gmail.messages.list", {})
    assert [message["method"] for _, message, _ in World.seen].count("initialize") == 1


def test_a_call_prints_the_result_as_json(shell: Any) -> None:
    code, out, err = shell("call", "oracle_fusion.items.list", "limit=5", "task_id=12")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "name": "oracle_fusion.items.list",
        "arguments": {"limit": 5, "task_id": "12"},
        "größe": "ø",
    }
    assert "größe" in out


def test_an_event_stream_is_read_like_a_json_answer(shell: Any) -> None:
    code, out, _ = shell("call", "slack.chat_postMessage", '{"text": "hi"}')
    assert code == 0
    assert json.loads(out)["arguments"] == {"text": "hi"}


def test_arguments_come_from_standard_input(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"limit": 3}'))
    code, out, _ = shell("call", "items_get", "-")
    assert (code, json.loads(out)["name"], json.loads(out)["arguments"]) == (0, "items_get", {"limit": 3})


def test_a_tool_error_goes_to_standard_error_with_exit_code_1(shell: Any) -> None:
    assert shell("call", "erpbench.get_task", "task_id=bad") == (1, "", "erp: task_id: unknown task bad\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("call", "files_list"), "files_list is a tool of google_drive and of slack; put the server before it"),
        (("call", "nothing_here"), "no tool nothing_here; `erp list` shows all"),
        (("describe", "gmail.nope"), "no tool gmail.nope; `erp list` shows all"),
        (("list", "oracle"), "unknown server 'oracle'; the servers are erpbench, oracle_fusion, gmail, google_drive"),
        (("call", "erpbench.get_task", "{]"), "the arguments are not JSON"),
        (("call", "erpbench.get_task", "[]"), "expected key=value, one JSON object or -; came '[]'"),
    ],
)
def test_wrong_use_ends_with_2_and_calls_nothing(shell: Any, words: tuple[str, ...], message: str) -> None:
    code, out, err = shell(*words)
    assert (code, out) == (2, "")
    assert err.startswith(f"erp: {message}")
    assert not any(sent["method"] == "tools/call" for _, sent, _ in World.seen)


def test_an_unknown_command_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        erp.main(["frobnicate"])
    assert stopped.value.code == 2


def test_no_world_ends_with_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ERP_URL", "http://127.0.0.1:9")
    assert erp.main(["servers"]) == 3
    assert capsys.readouterr().err.startswith("erp: no world answers at http://127.0.0.1:9: ")


@pytest.mark.parametrize("address", ["https://world:8000", "world:8000", "http://", "http://world:port"])
def test_an_address_that_is_none_is_wrong_use(address: str) -> None:
    with pytest.raises(erp.UsageError):
        erp.Erp(address)


def test_list_shows_kind_name_and_first_sentence(shell: Any) -> None:
    code, out, _ = shell("list", "slack")
    assert code == 0
    assert out.splitlines() == ["write  slack.chat_postMessage  Reads things", "write  slack.files_list  Reads things"]


def test_servers_counts_their_tools(shell: Any, url: str) -> None:
    code, out, _ = shell("servers")
    assert code == 0
    assert out.splitlines()[1] == f"oracle_fusion  {url}/mcp/oracle_fusion  2 tools"
    assert len(out.splitlines()) == 6


def test_describe_gives_the_schema(shell: Any) -> None:
    code, out, _ = shell("describe", "mcp__oracle_fusion__items_list")
    assert (code, json.loads(out)["name"], json.loads(out)["inputSchema"]) == (0, "items_list", SCHEMA)


def test_download_writes_the_bytes_and_quotes_the_id(shell: Any, tmp_path: Path) -> None:
    target = tmp_path / "statement.pdf"
    code, out, _ = shell("download", "FILE/1", str(target))
    assert (code, out) == (0, f"{target}: 10 bytes\n")
    assert target.read_bytes() == b"%PDF-1.7\x00\xff"


def test_downloading_an_unknown_file_fails_with_the_worlds_message(shell: Any, tmp_path: Path) -> None:
    assert shell("download", "NOPE", str(tmp_path / "x")) == (1, "", "erp: no file NOPE\n")
    assert not (tmp_path / "x").exists()
