"""Calls a second of an MCP endpoint on loopback. In: a port and one tools/call. Out: how many were answered a second.

The client does as little as it can (one prepared request over a kept connection), so that the server is what is timed.
"""

import json
import re
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from generator.bench.figures import BenchError
from generator.bench.processes import HOST

Protocol = Literal["2025-06-18", "2026-07-28"]
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
"""The version that most agents speak, and the one that the official client asks for: a request of it says more."""
_LENGTH = re.compile(rb"^content-length:\s*(\d+)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class ToolCall:
    """A tools/call on the MCP endpoint at a path."""

    path: str
    tool: str
    arguments: Mapping[str, Any]
    protocol: Protocol = "2025-06-18"

    def request(self, port: int) -> bytes:
        """The whole HTTP request."""
        parameters: dict[str, Any] = {"name": self.tool, "arguments": dict(self.arguments)}
        headers = {
            "Host": f"{HOST}:{port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": self.protocol,
        }
        if self.protocol != "2025-06-18":
            headers |= {"Mcp-Method": "tools/call", "Mcp-Name": self.tool}
            parameters["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": self.protocol,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}).encode()
        lines = [f"{name}: {value}\r\n" for name, value in (headers | {"Content-Length": len(body)}).items()]
        return f"POST {self.path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode() + body


class Connection:
    """A kept connection that sends one request after the other."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()

    def send(self, request: bytes) -> bytes:
        """The answer's body. Raises BenchError for any status but 200 and for an answer that breaks off."""
        self._socket.sendall(request)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not head.startswith(b"HTTP/1.1 200") or length is None:
            raise BenchError(f"expected a plain answer with status 200, came {head[:80]!r} {body[:200]!r}")
        while len(body) < int(length.group(1)):
            body += self._receive()
        return body

    def _receive(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise BenchError("the server closed the connection")
        return data


def call_once(port: int, call: ToolCall) -> dict[str, Any]:
    """The tool's result. Raises BenchError if the call is answered by an error."""
    with Connection(port) as connection:
        answer = json.loads(connection.send(call.request(port)))
    result = answer.get("result", {})
    if "result" not in answer or result.get("isError"):
        raise BenchError(f"{call.path} {call.tool}: {json.dumps(answer)[:200]}")
    found: dict[str, Any] = json.loads(result["content"][0]["text"])
    return found


def calls_per_second(port: int, call: ToolCall, connections: int, seconds: float) -> float:
    """Connections side by side, each with one call in flight, for so long. Raises BenchError if one of them fails."""
    request = call.request(port)
    counts, failures = [0] * connections, []
    stop = time.perf_counter() + seconds

    def run(place: int) -> None:
        try:
            with Connection(port) as connection:
                while time.perf_counter() < stop:
                    body = connection.send(request)
                    if b'"isError":true' in body or b'"error"' in body[:60]:
                        raise BenchError(f"{call.path} {call.tool}: {body[:200]!r}")
                    counts[place] += 1
        except (OSError, BenchError) as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(connections)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise BenchError(f"{call.path}: {failures[0]}")
    return sum(counts) / (time.perf_counter() - started)
