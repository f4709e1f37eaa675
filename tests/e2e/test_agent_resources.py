"""An agent that uses up what it has: processes, disk, memory. It harms itself; the world goes on answering."""

import time

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack, docker

pytestmark = pytest.mark.engine

# Forks until the kernel refuses; every child forks too, so that the bomb is one. All end by themselves.
FORK_BOMB = """
import json, os, time
end = time.monotonic() + {seconds}
refused = 0
while time.monotonic() < end:
    try:
        if os.fork() == 0:
            continue
    except OSError:
        refused += 1
        time.sleep(0.05)
"""
FILL = """
import json, os
written = {}
for folder in ("/tmp", "/workspace", "/home/agent", "/dev/shm"):
    path, count, error = os.path.join(folder, "fill"), 0, ""
    try:
        with open(path, "wb", buffering=0) as file:
            while count < 2048:
                file.write(b"x" * (1 << 20))
                count += 1
    except OSError as problem:
        error = problem.strerror
    written[folder] = [count, error]
for folder in written:
    os.remove(os.path.join(folder, "fill"))
print(json.dumps(written))
"""
FILL_VOLUMES = """
import json, os
written = {}
for folder in ("/logs", "/solution"):
    count = 0
    try:
        with open(os.path.join(folder, "fill"), "wb", buffering=0) as file:
            while count < 2048:
                file.write(b"x" * (1 << 20))
                count += 1
    except OSError as problem:
        written[folder] = [count, problem.strerror]
    os.remove(os.path.join(folder, "fill"))
print(json.dumps(written))
"""
EAT = """
kept = []
while True:
    kept.append(bytearray(16 << 20))
"""
MANY_CONNECTIONS = """
import json, socket
held = []
try:
    for _ in range(2000):
        held.append(socket.create_connection(("world", 8000), timeout=2))
except OSError:
    pass
print(json.dumps(len(held)))
"""


def state(stack: Stack, service: str = "main") -> tuple[str, int, bool]:
    inspected = stack.inspect(service)
    return inspected["State"]["Status"], inspected["RestartCount"], inspected["State"]["OOMKilled"]


def world_answers_in(stack: Stack) -> float:
    """Seconds until the world has answered a health check from its own container."""
    started = time.monotonic()
    program = "import urllib.request as u; assert u.urlopen('http://127.0.0.1:8000/healthz', timeout=5).status == 200"
    stack.run("python", "-c", program, service="world")
    return time.monotonic() - started


def processes(stack: Stack) -> int:
    """How many processes the engine counts in main."""
    return len(docker("top", stack.container()).strip().splitlines()) - 1


@pytest.mark.attack("agent", "fork bomb", expected="at most 256 processes; world answers; container survives", flaw=8)
def test_a_fork_bomb_is_bounded_and_the_world_answers(episode: Stack, seen: Seen) -> None:
    container = episode.container()
    episode.compose("exec", "--detach", "main", "python3", "-I", "-c", FORK_BOMB.format(seconds=15))
    most, deadline = 0, time.monotonic() + 14
    while most <= 200 and time.monotonic() < deadline:
        most = max(most, processes(episode))
    seconds = world_answers_in(episode)
    deadline = time.monotonic() + 60
    while processes(episode) > 10 and time.monotonic() < deadline:
        time.sleep(0.5)
    seen(f"{most} processes, world answered in {seconds:.1f} s, container still runs")
    assert 200 < most <= 256
    assert seconds < 5
    assert episode.container() == container
    assert state(episode) == ("running", 0, False)
    assert episode.run("erp", "servers").count("tools") == 6


@pytest.mark.attack("agent", "fill every place that it can write to", expected="an error at the size given", flaw=8)
def test_full_disks_end_at_their_sizes(episode: Stack, seen: Seen) -> None:
    written = episode.python(FILL)
    written |= episode.python(FILL_VOLUMES, user="0")
    seen(", ".join(f"{folder} {count} MiB" for folder, (count, _) in written.items()))
    assert {folder: error for folder, (_, error) in written.items()} == dict.fromkeys(
        ("/tmp", "/workspace", "/home/agent", "/dev/shm", "/logs", "/solution"), "No space left on device"
    )
    assert {folder: count for folder, (count, _) in written.items()} == {
        "/tmp": 128,
        "/workspace": 128,
        "/home/agent": 448,
        "/dev/shm": 64,
        "/logs": 128,
        "/solution": 16,
    }
    assert state(episode) == ("running", 0, False)
    assert world_answers_in(episode) < 5


@pytest.mark.attack("agent", "take all memory", expected="its own process is killed; world answers", flaw=8)
def test_memory_without_end_kills_only_what_took_it(episode: Stack, seen: Seen) -> None:
    container = episode.container()
    code, _ = episode.attempt("python3", "-I", "-c", EAT)
    seconds = world_answers_in(episode)
    seen(f"killed with code {code}; world answered in {seconds:.1f} s")
    assert code == 137
    assert seconds < 5
    assert episode.container() == container
    assert state(episode)[:2] == ("running", 0)
    assert state(episode, "world") == ("running", 0, False)
    assert episode.run("erp", "servers").count("tools") == 6


@pytest.mark.attack("agent", "hold two thousand connections to the world", expected="world answers after", flaw=8)
def test_connections_without_end_leave_the_world_healthy(episode: Stack, seen: Seen) -> None:
    held = episode.python(MANY_CONNECTIONS)
    seconds = world_answers_in(episode)
    seen(f"{held} connections taken up; world answered in {seconds:.1f} s after")
    assert seconds < 10
    assert state(episode, "world") == ("running", 0, False)
    assert episode.run("erp", "servers").count("tools") == 6
