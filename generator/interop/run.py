"""Run the consumers. In: a rendered dataset and the consumers' environments. Out: a Result a consumer."""

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from generator.interop.compare import About, Reading, compare, parse_lines
from generator.interop.consumers import Consumer, InteropError
from generator.interop.offline import LOOPBACK_ONLY, namespace_command, probe_environment
from generator.interop.source import Fields, expected_fields, registry_entry
from generator.interop.workplace import lay_out, registry_for

PROBES = Path(__file__).resolve().parent / "probes"
TIME_LIMIT_SECONDS = 600
ERROR_TAIL_LINES = 4


@dataclass(frozen=True)
class InteropRequest:
    """What to load, from where, and how many tasks there must be. environments is the folder of the .venv-… folders."""

    dataset: Path
    environments: Path
    tasks: int = 100


@dataclass(frozen=True)
class Result:
    """What came of one consumer; seconds are those of its probe."""

    consumer: Consumer
    about: About
    readings: tuple[Reading, ...]
    seconds: float
    isolated: bool

    @property
    def complete(self) -> bool:
        return all(reading.complete for reading in self.readings)


def interpreter(consumer: Consumer, environments: Path) -> Path:
    """Its environment's Python. Raises InteropError with the make target that installs it, whole."""
    environment = environments / consumer.environment
    if not (environment / f"{consumer.lock}.stamp").is_file():
        raise InteropError(f"{consumer.name}: {environment} is not installed; `make {consumer.target}` installs it")
    return environment / "bin" / "python"


def expected_tasks(request: InteropRequest) -> tuple[dict[str, Any], dict[str, Fields]]:
    """The registry's entry, and each task's fields by directory name, in its order.

    Raises InteropError unless the registry names exactly as many tasks as are asked for, each once, and the folder
    holds those and no others: a registry that lost a task must not make fewer enough.
    """
    entry = registry_entry(request.dataset)
    names = [PurePosixPath(task["path"]).name for task in entry["tasks"]]
    if len(set(names)) != request.tasks or len(names) != request.tasks:
        raise InteropError(
            f"{request.dataset / 'registry.json'}: expected {request.tasks} tasks, it names {len(set(names))}"
        )
    there = {path.parent.name for path in request.dataset.glob("*/task.toml")}
    if there != set(names):
        odd = ", ".join(sorted(there ^ set(names))[:3])
        raise InteropError(
            f"{request.dataset}: the folder and registry.json differ in {odd}; `make dataset` renders both"
        )
    return entry, {name: expected_fields(request.dataset / name) for name in names}


def run_consumer(
    consumer: Consumer, request: InteropRequest, entry: dict[str, Any], sources: dict[str, Fields]
) -> Result:
    """Run its probe without a network and compare. Raises InteropError if the probe itself ends in an error."""
    python = interpreter(consumer, request.environments)
    namespace = namespace_command()
    with tempfile.TemporaryDirectory(prefix="erpbench-interop-") as folder:
        work = Path(folder)
        link = lay_out(work, request.dataset, entry)
        registry = registry_for(consumer, work, link, entry)
        # -I keeps the working directory, the user's packages and PYTHON… variables out.
        command = [*namespace, str(python.absolute()), "-I", str(PROBES / consumer.probe)]
        began = time.monotonic()
        output = run_probe(consumer, [*command, str(link), entry["name"], str(registry)], work, bool(namespace))
        seconds = time.monotonic() - began
    about, lines = parse_lines(output, consumer.name)
    if namespace and about.interfaces != LOOPBACK_ONLY:
        raise InteropError(f"{consumer.name}: expected loopback alone, the probe saw {', '.join(about.interfaces)}")
    readings = tuple(compare(route, lines, sources, consumer.fields) for route in ("folder", "registry"))
    return Result(consumer, about, readings, seconds, bool(namespace))


def run_probe(consumer: Consumer, command: Sequence[str], work: Path, isolated: bool) -> str:
    """Its standard output. Raises InteropError with the end of its error output if it fails or takes too long."""
    try:
        ended = subprocess.run(
            command,
            cwd=work,
            env=probe_environment(os.environ, work / "home", isolated),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InteropError(f"{consumer.name}: not done after {TIME_LIMIT_SECONDS} s") from None
    if ended.returncode != 0:
        tail = " | ".join(ended.stderr.strip().splitlines()[-ERROR_TAIL_LINES:])
        raise InteropError(f"{consumer.name}: its probe ended with {ended.returncode}: {tail}")
    return ended.stdout
