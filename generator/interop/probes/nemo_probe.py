"""NeMo Gym's general Harbor agent finds tasks as it does for rollouts. Out: lines of probe_lines.

The agent is configured with `harbor_dataset`, as its YAML does. For the folder, the whole dataset is resolved at once.
Through the registry, the agent makes one job a task, as for a rollout, and each job's own dataset is resolved; to do
that with the folder too would read a hundred tasks a hundred times.
"""

import asyncio
import importlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
probe_lines: Any = importlib.import_module("probe_lines")
AGENT = "harbor_agent_general"


def agent_config(dataset: dict[str, str]) -> Any:
    """The agent's configuration, as its own YAML gives it."""
    app = importlib.import_module(f"responses_api_agents.{AGENT}.app")
    return app.HarborAgentConfig.model_validate(
        {
            "host": "127.0.0.1",
            "port": 0,
            "name": AGENT,
            "entrypoint": "app.py",
            "domain": "agent",
            "harbor_jobs_dir": "jobs",
            "harbor_dataset": dataset,
            "harbor_environment": {"type": "docker"},
            "harbor_agent": {"name": "oracle"},
        }
    )


def all_tasks(config: Any) -> list[Path]:
    """The task directories that the agent's dataset resolves to."""
    return [each.path for each in asyncio.run(config.harbor_dataset.get_task_configs())]


def rollout_tasks(config: Any, names: Iterable[str]) -> Iterator[Path]:
    """The task directory of each rollout; none for a name that the dataset has not."""
    for number, name in enumerate(names):
        (dataset,) = config.build_job_config(task_name=name, job_name=f"t{number}-r0").datasets
        try:
            yield from (each.path for each in asyncio.run(dataset.get_task_configs()))
        except ValueError as error:
            print(f"{name}: {error}", file=sys.stderr)


def main() -> None:
    lines = probe_lines.Lines()
    dataset, name, registry = probe_lines.arguments()
    task: Any = importlib.import_module("harbor.models.task.task").Task
    lines.about("nemo-gym", "harbor")

    def read(path: Path) -> dict[str, Any]:
        return dict(probe_lines.harbor_fields(task(path)))

    probe_lines.read_all(lines, "folder", dataset, all_tasks(agent_config({"path": str(dataset)})), read)
    if registry is not None:
        config = agent_config({"name": name, "registry_path": str(registry)})
        names = [path.name for path in probe_lines.directories(dataset)]
        probe_lines.read_all(lines, "registry", dataset, rollout_tasks(config, names), read)


if __name__ == "__main__":
    main()
