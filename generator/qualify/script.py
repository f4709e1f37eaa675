"""A scripted episode: steps with the outcome each is expected to have, run over any way of calling tools.

In: steps and a caller (a world in process, or a client of its MCP servers). Out: nothing; the world holds the episode.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from erpbench_world import drive
from erpbench_world.catalog import ToolSpec
from erpbench_world.dispatch import CallResult, World

from generator.qualify.episode import kept
from generator.spec.errors import TrajectoryError
from generator.spec.plan import PlanCall, resolve

Outcome = Literal["ok", "refused", "invalid", "unknown_tool"]
DOWNLOAD = "google_drive.files.download"


@dataclass(frozen=True)
class Step:
    """One call. tool is the name as called; server, where given, is the only one asked (as over MCP).

    native: the file is fetched as bytes from the provider's own path and not as text through the tool.
    """

    tool: str
    arguments: Mapping[str, Any]
    keep: Mapping[str, str] = field(default_factory=dict)
    expect: Outcome = "ok"
    server: str | None = None
    native: bool = False


Caller = Callable[[Step, dict[str, Any]], CallResult]


def steps_of(calls: Iterable[PlanCall]) -> tuple[Step, ...]:
    return tuple(Step(call.tool, call.arguments, call.keep) for call in calls)


def run_script(call: Caller, steps: Iterable[Step]) -> int:
    """Run the steps in order; how many there were.

    Raises TrajectoryError for the first whose outcome is not the expected one: the episode is then not what it claims.
    """
    variables: dict[str, str] = {}
    number = 0
    for number, step in enumerate(steps, start=1):
        result = call(step, dict(resolve(step.arguments, variables)))
        if result.outcome != step.expect:
            told = f"expected {step.expect}, came {result.outcome}: {result.error or ''}"
            raise TrajectoryError(f"call {number}, {step.tool}: {told}")
        if result.result is not None:
            variables.update(kept(step.keep, result.result))
    return number


def in_process(world: World) -> Caller:
    """Steps carried out by the world's own dispatcher, each on the server that its tool names, as over MCP."""
    download = world.catalog.find(DOWNLOAD)
    if download is None:
        raise TrajectoryError(f"the catalog has no {DOWNLOAD}")
    read = partial(drive.native, files=world.files)

    def call(step: Step, arguments: dict[str, Any]) -> CallResult:
        if step.native:
            return world.run(download, arguments, read)
        return world.call(step.tool, arguments, step.server or step.tool.partition(".")[0])

    return call


def underscored(step: Step, spec: ToolSpec) -> Step:
    """The step as a client calls it that lists the tools of a server by their underscored names."""
    return Step(spec.underscored, step.arguments, step.keep, step.expect, spec.server, step.native)
