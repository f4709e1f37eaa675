"""`erpbench replay`: a trajectory's calls against a fresh world, each result beside what the trajectory recorded."""

import contextlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from erpbench_world.dispatch import CallResult, World
from rich.table import Table

from generator.dataset import task_directory
from generator.qualify.console import wide_console
from generator.qualify.episode import fresh_world, kept
from generator.qualify.figures import figures, unquoted
from generator.qualify.trajectory import Step, read_trajectory, record_keys
from generator.spec.plan import resolve

Verdict = Literal["same", "same figures", "ran", "differs"]
PROSE = ("gmail.messages.get", "slack.conversations_history", "google_drive.files.download")


@dataclass(frozen=True)
class Replayed:
    """One step's comparison. detail says where the results part."""

    number: int
    tool: str
    verdict: Verdict
    detail: str


def replay(world: World, steps: Iterable[Step]) -> list[Replayed]:
    """Run the steps in order. A step whose reference cannot be resolved differs, like any other unexpected result."""
    variables: dict[str, Any] = {}
    replayed = []
    for number, step in enumerate(steps, start=1):
        try:
            arguments = resolve(dict(step.arguments), variables)
        except KeyError as error:
            replayed.append(Replayed(number, step.tool, "differs", f"nothing before it kept {error}"))
            continue
        result = world.call(step.tool, arguments)
        if result.result is not None:
            variables.update(kept(step.keep, result.result))
        verdict, detail = compare(step, result, world)
        replayed.append(Replayed(number, step.tool, verdict, detail))
    return replayed


def compare(step: Step, result: CallResult, world: World) -> tuple[Verdict, str]:
    """The result against what the step recorded: whole, its beginning, its figures, or the trace's outcome and keys."""
    if step.outcome is not None and result.outcome != step.outcome:
        return "differs", f"expected outcome {step.outcome}, came {result.outcome}: {result.error or ''}"
    if step.outcome is None and not result.ok:
        return "differs", f"expected a result, came {result.outcome}: {result.error}"
    if step.keys is not None:
        return _compare_keys(step.keys, world)
    if step.output is not None:
        return _compare_text(step.tool, _text(step.output), _text(result.result), whole=True)
    if step.output_prefix is not None:
        return _compare_text(step.tool, step.output_prefix, _text(result.result), whole=False)
    if step.figures is not None:
        came = figures(_text(result.result))[: len(step.figures)]
        return _listed_difference(list(step.figures), came, "same figures")
    return "ran", ""


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _compare_text(tool: str, expected: str, came: str, *, whole: bool) -> tuple[Verdict, str]:
    shown = came if whole else came[: len(expected)]
    if shown == expected or (unquoted(came).startswith(unquoted(expected)) and not whole):
        return "same", ""
    if tool in PROSE:
        wanted = figures(expected)
        if not whole:
            # The cut may go through the last figure.
            wanted = wanted[:-1] if expected[-1:].isalnum() else wanted
        have = figures(came) if whole else figures(came)[: len(wanted)]
        return _listed_difference(wanted, have, "same figures")
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, shown, strict=False)) if a != b), min(len(expected), len(shown))
    )
    return (
        "differs",
        f"at {at}: expected …{expected[max(0, at - 20) : at + 40]}…, came …{shown[max(0, at - 20) : at + 40]}…",
    )


def _listed_difference(expected: list[str], came: list[str], verdict: Verdict) -> tuple[Verdict, str]:
    if expected == came:
        return verdict, ""
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, came, strict=False)) if a != b), min(len(expected), len(came))
    )
    return "differs", f"figure {at + 1}: expected {expected[at : at + 3]}, came {came[at : at + 3]}"


def _compare_keys(keys: tuple[tuple[str, ...], tuple[str, ...]], world: World) -> tuple[Verdict, str]:
    came = _last_keys(world)
    for name, expected, have in zip(("saw", "wrote"), keys, came, strict=True):
        if expected != have:
            missing, extra = sorted(set(expected) - set(have)), sorted(set(have) - set(expected))
            return "differs", f"{name}: missing {missing[:3]}, more {extra[:3]}"
    return "same", ""


def _last_keys(world: World) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the last call saw and wrote, as its trace row has it."""
    with contextlib.closing(sqlite3.connect(world.database)) as database:
        saw, wrote = database.execute("SELECT saw, wrote FROM trace ORDER BY idx DESC LIMIT 1").fetchone()
    return record_keys(saw), record_keys(wrote)


def replay_command(trajectory: Path, task: str, dataset: Path) -> int:
    """Print one line a step; 0 if no result differs, else 1."""
    steps = read_trajectory(trajectory)
    with fresh_world(task_directory(dataset, task)) as world:
        replayed = replay(world, steps)
    table = Table(title=f"{trajectory.name} on {task}")
    table.add_column("step", justify="right")
    table.add_column("tool", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("difference")
    for step in replayed:
        table.add_row(str(step.number), step.tool, step.verdict, step.detail)
    console = wide_console()
    console.print(table)
    different = sum(step.verdict == "differs" for step in replayed)
    console.print(f"{len(replayed)} calls, {different} differ")
    return 1 if different else 0
