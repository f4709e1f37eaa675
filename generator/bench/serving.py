"""What the world costs: from start to healthy, its memory, and its calls a second beside a bare `mcp` server's.

The world runs as it does in its container (`python -m erpbench_world`), on a rendered task's seed. The bare server reads
the same rows from a copy of the same database, without validation, paging, trace or other servers.
"""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from generator.bench import bare_server
from generator.bench.figures import BenchError, Figure, measured
from generator.bench.load import ToolCall, call_once, calls_per_second
from generator.bench.processes import (
    HOST,
    Served,
    free_port,
    memory_of,
    project_environment,
    python_module,
    serving,
)
from generator.tasks.package import FILES, SEED

ROUNDS = 8
ROUND_SECONDS = 1.0
WARM_UP_SECONDS = 0.5
CONNECTIONS = (1, 4)


@contextlib.contextmanager
def world_serving(task: Path) -> Iterator[Served]:
    """The task's world on loopback, over a state of its own."""
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as data:
        port = free_port()
        settings = {
            "WORLD_SEED": str(task / SEED),
            "WORLD_FILES": str(task / FILES),
            "WORLD_DATA": data,
            "WORLD_HOST": HOST,
            "WORLD_PORT": str(port),
            "WORLD_TOOL_NAMES": "underscore",
        }
        with serving(python_module("erpbench_world"), port, project_environment(settings)) as served:
            yield served


@contextlib.contextmanager
def bare_serving(task: Path) -> Iterator[Served]:
    """The bare server over a copy of the same database."""
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as data:
        port = free_port()
        program = python_module("generator.bench.bare_server")
        command = [*program, str(task / SEED), str(Path(data) / "world.sqlite"), HOST, str(port)]
        with serving(command, port, project_environment()) as served:
            yield served


def measure_start(task: Path, runs: int) -> list[Figure]:
    """A new process and a new state each time; the seed is copied within the time."""
    world, bare = [], []
    for _ in range(runs):
        with world_serving(task) as served:
            world.append(served.seconds)
        with bare_serving(task) as served:
            bare.append(served.seconds)
    return [measured("world_start", "seconds", {"seconds": world, "bare server's seconds": bare})]


def measure_calls(task: Path, rounds: int = ROUNDS, seconds: float = ROUND_SECONDS) -> list[Figure]:
    """Alternating rounds on both servers while both are up; each pair of rounds gives one ratio.

    Raises BenchError if the two do not answer with the same number of items.
    """
    organization = _organization(task)
    ours = ToolCall("/mcp/oracle_fusion", "items_list", {"q": f"OrganizationCode='{organization}'"})
    theirs = ToolCall(bare_server.PATH, "items_list", {"organization": organization})
    figures = []
    with bare_serving(task) as bare, world_serving(task) as world:
        items = [call_once(bare.port, theirs)["count"], call_once(world.port, ours)["count"]]
        if items[0] != items[1] or not items[0]:
            raise BenchError(f"{task}: the bare server reads {items[0]} items, the world {items[1]}")
        memory = [memory_of(world.pid, "VmHWM") / 1e6]
        for connections in CONNECTIONS:
            calls_per_second(bare.port, theirs, connections, WARM_UP_SECONDS)
            calls_per_second(world.port, ours, connections, WARM_UP_SECONDS)
            bare_calls, world_calls = [], []
            for _ in range(rounds):
                bare_calls.append(calls_per_second(bare.port, theirs, connections, seconds))
                world_calls.append(calls_per_second(world.port, ours, connections, seconds))
            ratios = [ours_ / theirs_ for ours_, theirs_ in zip(world_calls, bare_calls, strict=True)]
            series = {"ratio": ratios, "world, calls/s": world_calls, "bare, calls/s": bare_calls}
            figures.append(measured(f"calls_{connections}", "ratio", series, f"items_list, {items[0]} items a call"))
            memory.append(memory_of(world.pid, "VmHWM") / 1e6)
    grown = {"MB": memory}
    return [measured("world_memory", "MB", grown, "after the first call, after each load"), *figures]


def _organization(task: Path) -> str:
    """The organisation with the most items in the task's seed."""
    with contextlib.closing(
        sqlite3.connect(f"{(task / SEED).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    ) as db:
        query = "SELECT OrganizationCode FROM items GROUP BY OrganizationCode ORDER BY COUNT(*) DESC, 1 LIMIT 1"
        return str(db.execute(query).fetchone()[0])
