"""`python -m erpbench_world` as the container runs it, on loopback: a process to call, to measure and to kill."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import erpbench_world

HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
HEALTHY_SECONDS = 60


class Process:
    """A world's process; as a context it is stopped at the end. errors is what it wrote to its standard error."""

    def __init__(self, seed: Path, data: Path, files: Path | None = None, wait: bool = True) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        data.mkdir(parents=True, exist_ok=True)
        self.log = data.parent / f"{data.name}.log"
        environment = {
            **os.environ, "PYTHONPATH": str(Path(erpbench_world.__file__).parent.parent), "WORLD_SEED": str(seed),
            "WORLD_FILES": str(files or data), "WORLD_DATA": str(data), "WORLD_PORT": str(self.port),
            "WORLD_TOOL_NAMES": "underscore",
        }  # fmt: skip
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([sys.executable, "-m", "erpbench_world"], env=environment, stderr=log)
        if wait:
            self.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def wait(self) -> None:
        """Until it is healthy. Raises AssertionError if it ends before, or takes too long."""
        end = time.monotonic() + HEALTHY_SECONDS
        while time.monotonic() < end:
            assert self.process.poll() is None, f"the world ended with {self.process.returncode}: {self.errors}"
            with contextlib.suppress(OSError):
                if self.request("GET", "/healthz")[0] == 200:
                    return
            time.sleep(0.02)
        raise AssertionError("the world did not become healthy")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()

    @property
    def errors(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def peak(self) -> int:
        """The most memory that it has held, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024

    def request(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {**HEADERS, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def call(self, server: str, tool: str, arguments: dict[str, Any]) -> Any:
        """The tool's result. Raises OSError or http.client.HTTPException if no answer comes."""
        body = call_body(tool, arguments)
        status, data = self.request("POST", f"/mcp/{server}", body, **{"mcp-protocol-version": "2025-06-18"})
        assert status == 200, data
        return json.loads(json.loads(data)["result"]["content"][0]["text"])


def call_body(tool: str, arguments: dict[str, Any], id: int = 1) -> bytes:
    parameters = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": parameters}).encode()
