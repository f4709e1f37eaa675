"""Episodes of the oracle as trajectories in Harbor's interchange format, ATIF. In: task directories. Out: documents.

Each is played in process, with the world and the verifier of the containers, and has to come to the full score. One
step asks, every further one is a call with its result; nothing in it depends on when it was played.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.dataset import spread_tasks
from generator.qualify.episode import evidence, fresh_world, kept
from generator.qualify.explain import grade_task
from generator.release.bindings import ReleaseError
from generator.release.rows import PublishedTask, json_text
from generator.spec.plan import OraclePlan, resolve
from generator.tasks import terms
from generator.tasks.package import PLAN

FORMAT = "ATIF-v1.8"
AGENT = "erpbench-oracle"
FULL_SCORE = 100
FOLDER = "trajectories"
NOTES = (
    "Episode of the oracle: a prepared list of calls, played without a model. It shows the solution of this task, so a"
    " result on this task says little about a system that has seen it. {canary}"
)


@dataclass(frozen=True)
class Played:
    """One episode: its document and what it earned."""

    task: PublishedTask
    document: Mapping[str, Any]
    calls: int
    score: int

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.task.task_id}.json"

    @property
    def content(self) -> bytes:
        return (json.dumps(self.document, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def play_oracles(dataset: Path, tasks: Sequence[PublishedTask], version: str) -> tuple[Played, ...]:
    """The oracle on few tasks that meet every tenant and every family."""
    chosen = set(spread_tasks([task.task_id for task in tasks]))
    return tuple(play_oracle(dataset / task.task_id, task, version) for task in tasks if task.task_id in chosen)


def play_oracle(folder: Path, task: PublishedTask, version: str) -> Played:
    """Raises ReleaseError for a call that is refused and for an episode below the full score."""
    plan = OraclePlan.model_validate_json((folder / PLAN).read_bytes())
    with fresh_world(folder) as world:
        steps = list(_steps(plan, world))
        verdict = grade_task(folder, evidence(world))
    if not verdict.strict or verdict.score != FULL_SCORE:
        raise ReleaseError(f"{task.task_id}: the oracle earns {verdict.score} of {FULL_SCORE}; nothing to publish")
    return Played(task, build_trajectory(task, steps, verdict.score, version), len(steps), verdict.score)


def _steps(plan: OraclePlan, world: Any) -> Iterator[dict[str, Any]]:
    """The calls with their results, as steps of the agent from the second on."""
    variables: dict[str, Any] = {}
    for number, call in enumerate(plan.calls, start=1):
        arguments = resolve(dict(call.arguments), variables)
        result = world.call(call.tool, arguments)
        if result.result is None:
            raise ReleaseError(f"{plan.task_id}: call {number}, {call.tool}: {result.error}")
        variables.update(kept(call.keep, result.result))
        call_id = f"call-{number:02d}"
        yield {
            "step_id": number + 1,
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": call_id, "function_name": call.tool, "arguments": arguments}],
            "observation": {"results": [{"source_call_id": call_id, "content": json_text(result.result)}]},
            "llm_call_count": 0,
            "extra": {"stage": call.stage},
        }


def build_trajectory(
    task: PublishedTask, calls: Sequence[Mapping[str, Any]], score: int, version: str
) -> dict[str, Any]:
    steps = [{"step_id": 1, "source": "user", "message": task.prompt}, *calls]
    return {
        "schema_version": FORMAT,
        "session_id": f"{AGENT}-{task.task_id}",
        "trajectory_id": task.task_id,
        "agent": {"name": AGENT, "version": version},
        "steps": steps,
        "notes": NOTES.format(canary=terms.CANARY),
        "final_metrics": {"total_steps": len(steps), "extra": {"erp_score": score}},
        "extra": {"task_id": task.task_id, "tenant": task.tenant.slug, "family": task.family},
    }


def trajectory_rows(played: Sequence[Played]) -> list[dict[str, Any]]:
    return [
        {
            "task_id": one.task.task_id,
            "tenant": one.task.tenant.slug,
            "family": one.task.family,
            "format": FORMAT,
            "calls": one.calls,
            "score": one.score,
            "canary": terms.CANARY,
            "path": one.path,
            "trajectory": json_text(one.document),
        }
        for one in played
    ]
