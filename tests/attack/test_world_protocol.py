"""Malformed HTTP and MCP against the served world: what is answered, what it costs, and that it goes on answering."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.world_fixture import TASK, VIEW, build_database
from tests.world_process import Process, call_body

MEMORY = 120 * 10**6
HEAD = b"Host: world\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
GOOD = b"POST /mcp/gmail HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\n" % len(LIST) + LIST


def sized(body: bytes, head: bytes = HEAD, line: bytes = b"POST /mcp/gmail HTTP/1.1\r\n") -> bytes:
    return line + head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def chunked(*chunks: bytes) -> bytes:
    return b"POST /mcp/gmail HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"".join(chunks)


RAW: dict[str, tuple[bytes, set[int]]] = {
    "bad JSON": (sized(b"{not json"), {400}),
    "JSON cut short": (sized(LIST[:-1]), {400}),
    "not UTF-8": (sized(b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}'), {400}),
    "a JSON number": (sized(b"1e999"), {400}),
    "an empty body": (sized(b""), {400}),
    "100 000 brackets": (sized(b"[" * 100_000), {400}),
    "a batch array": (sized(b"[%s,%s]" % (LIST, LIST)), {400}),
    "an empty batch": (sized(b"[]"), {400}),
    "a notification": (sized(b'{"jsonrpc":"2.0","method":"notifications/initialized"}'), {202}),
    "an unknown notification": (sized(b'{"jsonrpc":"2.0","method":"notifications/nope","params":{"a":[]}}'), {202}),
    "a response to nothing": (sized(b'{"jsonrpc":"2.0","id":7,"result":{}}'), {202, 400}),
    "an unknown method": (sized(b'{"jsonrpc":"2.0","id":1,"method":"resources/delete"}'), {200, 404}),
    "jsonrpc 1.0": (sized(LIST.replace(b'"2.0"', b'"1.0"')), {400}),
    "an id that is an object": (sized(LIST.replace(b"1,", b"{},", 1)), {202, 400}),
    "parameters that are an array": (sized(LIST[:-1] + b',"params":[]}'), {400}),
    "another content type": (sized(LIST, HEAD.replace(b"Type: application/json", b"Type: text/plain")), {400, 415}),
    "no content type": (sized(LIST, b"Host: world\r\nAccept: application/json\r\n"), {400, 415}),
    "an Accept that excludes JSON": (sized(LIST, HEAD.replace(b"json, text/event-stream", b"pdf")), {406}),
    "an unknown protocol version": (sized(LIST, HEAD + b"MCP-Protocol-Version: 1999-01-01\r\n"), {400}),
    "a protocol version of 10 kB": (sized(LIST, HEAD + b"MCP-Protocol-Version: " + b"9" * 10_000 + b"\r\n"), {400}),
    "a session that never was": (sized(LIST, HEAD + b"Mcp-Session-Id: x\r\n"), {200, 404}),
    "headers of 64 kB": (sized(LIST, HEAD + b"X: " + b"y" * 65_536 + b"\r\n"), {200, 400, 431}),
    "5000 headers": (sized(LIST, HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(5000))), {200, 400, 431}),
    "a body of 1 MB": (sized(b" " * 10**6), {413}),
    "a body of 2^62 bytes announced": (GOOD.replace(b"Length: %d" % len(LIST), b"Length: 4611686018427387904"), {0}),
    "a negative length": (GOOD.replace(b"Length: %d" % len(LIST), b"Length: -1"), {400}),
    "two lengths": (sized(LIST, HEAD + b"Content-Length: 3\r\n"), {400}),
    "length and chunks": (sized(LIST, HEAD + b"Transfer-Encoding: chunked\r\n"), {400, 200, 0}),
    "chunks that are no chunks": (chunked(b"zz\r\nnonsense\r\n"), {400}),
    "a chunk of 2^70 bytes": (chunked(b"4" + b"0" * 17 + b"\r\nx"), {400, 0}),
    "a chunk size of 10 kB": (chunked(b"0" * 10_000 + b"1\r\nx\r\n0\r\n\r\n"), {400}),
    "chunks that never end": (chunked(b"1\r\nx\r\n" * 1000), {0}),
    "another method": (b"BREW /mcp/gmail HTTP/1.1\r\nHost: world\r\n\r\n", {405}),
    "GET, an event stream": (b"GET /mcp/gmail HTTP/1.1\r\nHost: world\r\nAccept: text/event-stream\r\n\r\n", {405}),
    "a path outside": (sized(LIST, line=b"POST /mcp/../../etc/passwd HTTP/1.1\r\n"), {404}),
    "an encoded path outside": (
        b"GET /drive/v3/files/..%2f..%2fetc%2fpasswd?alt=media HTTP/1.1\r\nHost: world\r\n\r\n", {404},
    ),
    "a NUL in the path": (b"GET /drive/v3/files/a%00b?alt=media HTTP/1.1\r\nHost: world\r\n\r\n", {404}),
    "a path of 30 kB": (b"GET /" + b"a" * 30_000 + b" HTTP/1.1\r\nHost: world\r\n\r\n", {404}),
    "HTTP/9.9": (b"POST /mcp/gmail HTTP/9.9\r\n" + HEAD + b"\r\n", {400, 505}),
    "no HTTP at all": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, {400}),
    "HTTP/2's opening": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 404}),
    "another host": (GOOD.replace(b"Host: world", b"Host: evil.example"), {421}),
    "no host": (GOOD.replace(b"Host: world\r\n", b""), {400, 421}),
    "an upgrade to a websocket": (sized(LIST, HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"), {200, 400}),
    "20 requests at once": (GOOD * 20, {200}),
    "a stream to listen to": (
        sized(
            b'{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/'
            b'protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}',
            HEAD + b"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
        ),
        {200, 400, 404},
    ),
}  # fmt: skip
"""Bytes on a fresh connection, and the statuses that may answer; 0 is no answer, while the world waits for more."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("protocol")
    with Process(build_database(folder / "seed.sqlite"), folder / "data") as served:
        yield served


def sent(world: Process, data: bytes, patience: float = 1.5) -> bytes:
    """What comes back of these bytes: until the connection ends, or nothing more comes for so many seconds."""
    with socket.create_connection(("127.0.0.1", world.port), 10) as connection:
        with contextlib.suppress(OSError):  # the world may close while it is being sent to
            connection.sendall(data)
        connection.settimeout(patience)
        answer = b""
        with contextlib.suppress(OSError):
            while part := connection.recv(65_536):
                answer += part
                if b"\r\n\r\n" in answer:
                    connection.settimeout(0.3)
        return answer


def answers(world: Process) -> None:
    """The world still does what it is for."""
    assert world.call("erpbench", "get_task", {"task_id": TASK}) == VIEW


@pytest.mark.attack("world", "HTTP: {what}", expected="an answer below 500 or none, no traceback, goes on", flaw=3)
@pytest.mark.parametrize("what", RAW)
def test_malformed_requests(world: Process, what: str, seen: Seen) -> None:
    data, expected = RAW[what]
    answer = sent(world, data)
    status = int(answer.split(b" ", 2)[1]) if answer else 0
    seen(f"status {status}" if status else "no answer while it waits for the rest")
    assert status in expected, answer[:300]
    assert b"Traceback" not in answer
    assert b"site-packages" not in answer
    answers(world)
    assert "Traceback" not in world.errors
    assert world.peak < MEMORY


@pytest.mark.attack("world", "200 connections that send one byte and wait", expected="others are answered", flaw=8)
def test_slow_senders(world: Process, seen: Seen) -> None:
    slow = [socket.create_connection(("127.0.0.1", world.port), 10) for _ in range(200)]
    for place, one in enumerate(slow):
        one.sendall(GOOD[: 1 + place % (len(GOOD) - 1)])
    started = time.monotonic()
    answers(world)
    waited = time.monotonic() - started
    for one in slow:
        one.close()
    seen(f"answered beside them in {waited:.2f} seconds")
    assert world.peak < MEMORY


@pytest.mark.attack(
    "world", "a request that comes byte by byte", expected="its connection ends after 20 seconds", flaw=8
)
def test_a_request_that_never_becomes_whole(world: Process, seen: Seen) -> None:
    with socket.create_connection(("127.0.0.1", world.port), 10) as slow:
        slow.settimeout(60)
        started = time.monotonic()
        ended = threading.Event()

        def drip() -> None:
            with contextlib.suppress(OSError):
                for letter in GOOD[:-1]:
                    slow.sendall(bytes([letter]))
                    if ended.wait(0.5):
                        return

        sender = threading.Thread(target=drip)
        sender.start()
        with contextlib.suppress(OSError):
            assert slow.recv(100) == b""
        took = time.monotonic() - started
        ended.set()
        sender.join()
    seen(f"ended after {took:.0f} seconds")
    assert 15 < took < 40
    answers(world)


@pytest.mark.attack(
    "world", "clients that vanish in the middle of a call", expected="each call whole or not at all", flaw=7
)
def test_clients_that_vanish(world: Process, seen: Seen) -> None:
    before = drafts(world)
    draft = {"task_id": TASK, "to": "lee@company.example", "subject": "s", "body": "b" * 2000}
    body = call_body("drafts_create", draft)
    request = sized(body)
    for cut in range(len(request) - 40, len(request) + 1):
        with socket.create_connection(("127.0.0.1", world.port), 10) as gone:
            gone.sendall(request[:cut])
    answers(world)
    made = drafts(world) - before - 1
    seen(f"{made} of 1 whole and 40 cut requests carried out")
    assert made == 1
    assert "Traceback" not in world.errors


def drafts(world: Process) -> int:
    """How many drafts there are: the next one's number, less one."""
    made = world.call("gmail", "drafts_create", {"task_id": TASK, "to": "a@b.example", "subject": "s", "body": "b"})
    end = str(made["id"]).removeprefix(f"DRAFT-{TASK}")
    return int(end.removeprefix("-") or 1) - 1


@pytest.mark.attack("world", "60 clients that ask much and read nothing", expected="others are answered", flaw=8)
def test_clients_that_do_not_read(world: Process, seen: Seen) -> None:
    deaf = []
    for _ in range(60):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.connect(("127.0.0.1", world.port))
        one.settimeout(0.2)
        with contextlib.suppress(OSError):
            one.sendall(GOOD.replace(b"gmail", b"oracle_fusion", 1) * 50)
        deaf.append(one)
    started = time.monotonic()
    answers(world)
    seen(f"answered beside them in {time.monotonic() - started:.2f} seconds, {world.peak / 10**6:.0f} MB at most")
    for one in deaf:
        one.close()
    assert world.peak < MEMORY


@pytest.mark.attack(
    "world", "300 connections that post {kind} at once", expected="200, 413 or 503, memory bounded", flaw=8
)
@pytest.mark.parametrize("kind", ["1 MB of lists", "128 kB of lists"])
def test_floods(tmp_path: Path, kind: str, seen: Seen) -> None:
    lists = b"[]," * (340_000 if kind.startswith("1 MB") else 43_000)
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","arguments":{"q":[%s[]]}}}' % lists
    with Process(build_database(tmp_path / "seed.sqlite"), tmp_path / "data") as world:
        opened = [socket.create_connection(("127.0.0.1", world.port), 20) for _ in range(300)]
        request = sized(body)
        statuses: list[int] = []

        def one(connection: socket.socket) -> None:
            with contextlib.suppress(OSError):
                connection.sendall(request)
            with contextlib.suppress(OSError, IndexError):
                statuses.append(int(connection.recv(100).split()[1]))
            connection.close()

        threads = [threading.Thread(target=one, args=(connection,)) for connection in opened]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts = {status: statuses.count(status) for status in sorted(set(statuses))}
        seen(f"{json.dumps(counts)}, {world.peak / 10**6:.0f} MB at most")
        assert set(counts) <= {200, 413, 503}
        answers(world)
        assert world.peak < MEMORY
        assert "Traceback" not in world.errors
