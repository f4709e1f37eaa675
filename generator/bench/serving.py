"""What the world costs: from start to healthy, its memory, and its calls a second beside a bare `mcp` server's.

The world runs as it does in its container (`python -m erpbench_world`), on a rendered task's seed. The bare server
reads the same rows from a copy of the same database, without validation, paging, trace or other servers.
"""

import contextlib
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from generator.bench import bare_server
from generator.bench.figures import BenchError, Figure, measured
from generator.bench.load import PROTOCOLS, Protocol, ToolCall, call_once, calls_per_second
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

ROUNDS = 40
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

    Both protocol versions are measured, and the one in which the world comes off worse is held against the goal. Raises
    BenchError if the two servers do not answer with the same number of items.
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
            turns = {
                protocol: _take_turns(
                    (Side(bare, replace(theirs, protocol=protocol)), Side(world, replace(ours, protocol=protocol))),
                    connections,
                    rounds,
                    seconds,
                )
                for protocol in PROTOCOLS
            }
            figures.append(_compared(f"calls_{connections}", turns))
            memory.append(memory_of(world.pid, "VmHWM") / 1e6)
    return [measured("world_memory", "MB", {"MB": memory}, "its peak", different_things=True), *figures]


@dataclass(frozen=True)
class Side:
    """A server and the call that is put to it."""

    served: Served
    call: ToolCall


@dataclass(frozen=True)
class Turns:
    """Calls a second of each turn, and each server's microseconds of processor a call over all of them."""

    bare: list[float]
    world: list[float]
    bare_cost: float
    world_cost: float

    @property
    def ratios(self) -> list[float]:
        return [ours / theirs for ours, theirs in zip(self.world, self.bare, strict=True)]


def _take_turns(sides: tuple[Side, Side], connections: int, rounds: int, seconds: float) -> Turns:
    """A turn of the bare server, one of the world, and so on, after a warm-up of each."""
    for side in sides:
        calls_per_second(side.served.port, side.call, connections, WARM_UP_SECONDS)
    before = [processor_of(side.served.pid) for side in sides]
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, of_side in zip(sides, rates, strict=True):
            of_side.append(calls_per_second(side.served.port, side.call, connections, seconds))
    # The kernel counts processor time in hundredths of a second: enough over all turns, too coarse for one.
    used = [processor_of(side.served.pid) - start for side, start in zip(sides, before, strict=True)]
    costs = [spent / (sum(of_side) * seconds) * 1e6 for spent, of_side in zip(used, rates, strict=True)]
    return Turns(*rates, *costs)


def _compared(id: str, turns: Mapping[Protocol, Turns]) -> Figure:
    series: dict[str, list[float]] = {}
    notes = []
    for protocol, of_protocol in turns.items():
        series |= {
            f"ratio, {protocol}": of_protocol.ratios,
            f"world, calls/s, {protocol}": of_protocol.world,
            f"bare, calls/s, {protocol}": of_protocol.bare,
            f"world, processor us/call, {protocol}": [of_protocol.world_cost],
            f"bare, processor us/call, {protocol}": [of_protocol.bare_cost],
        }
        ours, theirs = statistics.median(of_protocol.world), statistics.median(of_protocol.bare)
        by_processor = (
            f", {of_protocol.bare_cost / of_protocol.world_cost:.2f} x by processor" if of_protocol.world_cost else ""
        )
        ratio = statistics.median(of_protocol.ratios)
        notes.append(f"{protocol}: {ours:,.0f} against {theirs:,.0f} calls/s, {ratio:.2f} x{by_processor}")
    worst = min(turns, key=lambda protocol: statistics.median(turns[protocol].ratios))
    return measured(id, f"ratio, {worst}", series, "; ".join(notes))


def _organization(task: Path) -> str:
    """The organisation with the most items in the task's seed."""
    with contextlib.closing(
        sqlite3.connect(f"{(task / SEED).absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    ) as db:
        query = "SELECT OrganizationCode FROM items GROUP BY OrganizationCode ORDER BY COUNT(*) DESC, 1 LIMIT 1"
        return str(db.execute(query).fetchone()[0])
