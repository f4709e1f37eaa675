"""An episode in process: a fresh world of a rendered task, the calls of a plan, and the evidence that comes of it."""

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from erpbench_world import store
from erpbench_world.dispatch import CallResult, World
from erpbench_world.snapshot import EXPORT, write_snapshot

from generator.spec.errors import TrajectoryError
from generator.spec.plan import OraclePlan, PlanCall, resolve
from generator.tasks.package import FILES, SEED


@contextlib.contextmanager
def fresh_world(task: Path, data: Path | None = None) -> Iterator[World]:
    """The task's world as it stands before anything was done, closed at the end.

    task is a task directory; data is where the world keeps its state (a temporary folder by default).
    """
    with contextlib.ExitStack() as stack:
        folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="erpbench-world-")))
        world = World(store.prepare(task / SEED, folder), task / FILES)
        stack.enter_context(contextlib.closing(world))
        yield world


def run_plan(world: World, plan: OraclePlan) -> list[CallResult]:
    """Run every call of the plan. Raises TrajectoryError for the first that the world does not accept."""
    variables: dict[str, Any] = {}
    results = []
    for number, call in enumerate(plan.calls, start=1):
        result = run_call(world, call, variables)
        if not result.ok:
            raise TrajectoryError(f"{plan.task_id}: call {number}, {call.tool}: {result.error}")
        results.append(result)
    return results


def run_call(world: World, call: PlanCall, variables: dict[str, Any]) -> CallResult:
    """Run one call, its references resolved; what it keeps goes into variables."""
    result = world.call(call.tool, dict(resolve(call.arguments, variables)))
    if result.result is not None:
        variables.update(kept(call.keep, result.result))
    return result


def kept(keep: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, Any]:
    return {variable: result[field] for variable, field in keep.items()}


def evidence(world: World) -> Path:
    """Write the snapshot and its manifest beside the world's database; the folder that holds both."""
    write_snapshot(world.database.parent)
    return world.database.parent / EXPORT
