"""What the world costs: from start to healthy, its memory, and its calls a second beside a bare `mcp` server's.

The world runs as it does in its container (`python -m erpbench_world`), on a rendered task's seed. The bare server
reads the same rows from a copy of the same database, without validation, paging, trace or other servers.
"""

import contextlib
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.bench import bare_server
from generator.bench.figures import BenchError, Figure, measured
from generator.bench.load import ToolCall, call_once, calls_per_second
from generator.bench.processes import (
    HOST,
    Served,
    free_port,
    memory_of,
    processor_of,
    project_environment,
    python_module,
    serving,
)
from generator.tasks.package import FILES, SEED

ROUNDS = 24
ROUND_SECONDS = 0.4
"""Short turns, so that what else the machine does meets both servers alike."""
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
    world, processor, bare = [], [], []
    for _ in range(runs):
        with world_serving(task) as served:
            world.append(served.seconds)
            processor.append(processor_of(served.pid))
        with bare_serving(task) as served:
            bare.append(served.seconds)
    series = {"seconds": world, "seconds of processor": processor, "bare server's seconds": bare}
    used, beside = statistics.median(processor), statistics.median(bare)
    return [measured("world_start", "seconds", series, f"{used:.2f} s of processor; the bare server {beside:.2f} s")]


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
            figures.append(_compare(Side(bare, theirs), Side(world, ours), connections, rounds, seconds))
            memory.append(memory_of(world.pid, "VmHWM") / 1e6)
    grown = {"MB": memory}
    return [measured("world_memory", "MB", grown, "its peak", different_things=True), *figures]


@dataclass(frozen=True)
class Side:
    """A server and the call that is put to it."""

    served: Served
    call: ToolCall

    def turn(self, connections: int, seconds: float) -> tuple[float, float]:
        """Calls a second, and the server's own microseconds of processor a call."""
        before = processor_of(self.served.pid)
        rate = calls_per_second(self.served.port, self.call, connections, seconds)
        return rate, (processor_of(self.served.pid) - before) / (rate * seconds) * 1e6


def _compare(bare: Side, world: Side, connections: int, rounds: int, seconds: float) -> Figure:
    for side in (bare, world):
        side.turn(connections, WARM_UP_SECONDS)
    turns = [(bare.turn(connections, seconds), world.turn(connections, seconds)) for _ in range(rounds)]
    series = {
        "ratio": [ours / yardstick for (yardstick, _), (ours, _) in turns],
        "world, calls/s": [rate for _, (rate, _) in turns],
        "bare, calls/s": [rate for (rate, _), _ in turns],
        "world, processor us/call": [used for _, (_, used) in turns],
        "bare, processor us/call": [used for (_, used), _ in turns],
    }
    middle = {name: statistics.median(runs) for name, runs in series.items()}
    by_processor = middle["bare, processor us/call"] / middle["world, processor us/call"]
    rates = f"{middle['world, calls/s']:,.0f} against {middle['bare, calls/s']:,.0f} calls/s"
    note = f"{rates}; {by_processor:.2f} x by processor time"
    return measured(f"calls_{connections}", "ratio", series, note)


def _organization(task: Path) -> str:
    """The organisation with the most items in the task's seed."""
    with contextlib.closing(
        sqlite3.connect(f"{(task / SEED).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    ) as db:
        query = "SELECT OrganizationCode FROM items GROUP BY OrganizationCode ORDER BY COUNT(*) DESC, 1 LIMIT 1"
        return str(db.execute(query).fetchone()[0])
