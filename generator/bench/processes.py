"""Programs under measurement. In: a command line. Out: its seconds, its memory, or the program while it serves.

Memory is read from /proc, as the kernel keeps it for each process: this runs on Linux only.
"""

import contextlib
import http.client
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.bench.figures import BenchError
from generator.images.definition import PROJECT_ROOT

HOST = "127.0.0.1"
START_LIMIT = 30.0
SAMPLE_SECONDS = 0.02
PROBE_SECONDS = 0.002


def python_module(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def project_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment in which this tree's own packages are found before any other's."""
    path = os.pathsep.join([str(PROJECT_ROOT), str(PROJECT_ROOT / "images" / "world")])
    return {**os.environ, "PYTHONPATH": path, **(more or {})}


@dataclass(frozen=True)
class Run:
    """A command that has ended. seconds are the clock's, processor those that its own process used of a processor.

    Where other work shares the machine the clock tells of that too; processor time tells little of it. What the command
    started itself is not in it (see watch).
    """

    seconds: float
    processor: float
    output: str
    errors: str
    code: int = 0


def run_of(command: Sequence[str], accepted: Sequence[int] = (0,)) -> Run:
    """The command from its start to its end. Raises BenchError with its last line for any other exit code."""
    before, started = _children_seconds(), time.perf_counter()
    done = subprocess.run(
        command, cwd=PROJECT_ROOT, env=project_environment(), capture_output=True, text=True, check=False
    )
    seconds, processor = time.perf_counter() - started, _children_seconds() - before
    if done.returncode not in accepted:
        raise BenchError(_failure(command, done.returncode, done.stderr or done.stdout))
    return Run(seconds, processor, done.stdout, done.stderr, done.returncode)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Watched:
    """What the command and all that it starts took: peak in bytes, and seconds of processor.

    peak is the sum of each process's own peak. No more memory than that can have been in use at any moment: processes
    need not peak together, and pages that they share count for each.
    """

    peak: int
    processor: float


def watch(command: Sequence[str]) -> Watched:
    """Run the command and look at its processes as it runs, which takes time of its own: nothing here is timed.

    Raises BenchError if it fails.
    """
    peaks: dict[int, int] = {}
    used: dict[int, float] = {}
    process = subprocess.Popen(
        command, cwd=PROJECT_ROOT, env=project_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        while process.poll() is None:
            for pid in family_of(process.pid):
                peaks[pid] = max(peaks.get(pid, 0), memory_of(pid, "VmHWM"))
                with contextlib.suppress(BenchError):
                    used[pid] = processor_of(pid)
            time.sleep(SAMPLE_SECONDS)
    finally:
        _end(process)
    if process.returncode != 0:
        message = process.stderr.read().decode(errors="replace") if process.stderr else ""
        raise BenchError(_failure(command, process.returncode, message))
    return Watched(sum(peaks.values()), sum(used.values()))


def family_of(pid: int) -> list[int]:
    """The process and all its descendants that are alive."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found.extend(int(child) for child in task.read_text().split())
    return found


def memory_of(pid: int, field: str) -> int:
    """VmRSS or VmHWM of a process in bytes; 0 for one that has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    for line in status.splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return 0


def processor_of(pid: int) -> float:
    """Seconds of processor that a living process has used itself. Raises BenchError if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        raise BenchError(f"process {pid} has ended under measurement") from None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Served:
    """A server that answers its health check. seconds is from the start of its process to the first 200."""

    pid: int
    port: int
    seconds: float


@contextlib.contextmanager
def serving(command: Sequence[str], port: int, environment: Mapping[str, str]) -> Iterator[Served]:
    """The command as a server on loopback, stopped at the end. Raises BenchError if it does not become healthy."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while not is_healthy(port):
            if process.poll() is not None or time.perf_counter() - started > START_LIMIT:
                _end(process)
                message = process.stderr.read().decode(errors="replace") if process.stderr else ""
                raise BenchError(
                    f"not healthy within {START_LIMIT:.0f} s: {_failure(command, process.returncode, message)}"
                )
            time.sleep(PROBE_SECONDS)
        yield Served(process.pid, port, time.perf_counter() - started)
    finally:
        _end(process)


def is_healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
    process.wait()


def _failure(command: Sequence[str], code: int, message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    shown = " ".join(["python" if part == sys.executable else part for part in command[:5]])
    return f"`{shown}` ended with {code}: {lines[-1] if lines else 'no message'}"
