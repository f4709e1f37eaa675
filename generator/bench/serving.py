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

ROUNDS = 60
ROUND_SECONDS = 0.15
"""Many short turns, so that what else the machine does meets both servers alike."""
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

    def turn(self, connections: int, seconds: float) -> float:
        """Calls a second."""
        return calls_per_second(self.served.port, self.call, connections, seconds)


def _compare(bare: Side, world: Side, connections: int, rounds: int, seconds: float) -> Figure:
    sides = (bare, world)
    for side in sides:
        side.turn(connections, WARM_UP_SECONDS)
    before = [processor_of(side.served.pid) for side in sides]
    turns = [[side.turn(connections, seconds) for side in sides] for _ in range(rounds)]
    used = [processor_of(side.served.pid) - start for side, start in zip(sides, before, strict=True)]
    yardstick, ours = ([rates[place] for rates in turns] for place in (0, 1))
    # The kernel counts processor time in hundredths of a second: enough over all turns, too coarse for one.
    bare_cost, world_cost = (
        spent / (sum(rates) * seconds) * 1e6 for spent, rates in zip(used, (yardstick, ours), strict=True)
    )
    series = {
        "ratio": [mine / theirs for mine, theirs in zip(ours, yardstick, strict=True)],
        "world, calls/s": ours,
        "bare, calls/s": yardstick,
        "world, processor us/call": [world_cost],
        "bare, processor us/call": [bare_cost],
    }
    rates_text = f"{statistics.median(ours):,.0f} against {statistics.median(yardstick):,.0f} calls/s"
    by_processor = f"{bare_cost / world_cost:.2f} x by processor time" if world_cost else "too short for processor time"
    return measured(f"calls_{connections}", "ratio", series, f"{rates_text}; {by_processor}")


def _organization(task: Path) -> str:
    """The organisation with the most items in the task's seed."""
    with contextlib.closing(
        sqlite3.connect(f"{(task / SEED).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    ) as db:
        query = "SELECT OrganizationCode FROM items GROUP BY OrganizationCode ORDER BY COUNT(*) DESC, 1 LIMIT 1"
        return str(db.execute(query).fetchone()[0])
