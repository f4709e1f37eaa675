"""PrimeIntellect's verifiers loads its Harbor taskset. Out: lines of probe_lines.

Its taskset loads what `harbor download` has put into its cache: for the folder, that is a link to the folder; through
a registry, its own download runs, which wants tasks in a git repository.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
probe_lines: Any = importlib.import_module("probe_lines")
MB_IN_GB = 1024


def data_fields(data: Any, servers: list[dict[str, Any]]) -> dict[str, Any]:
    """What a HarborData holds; servers are the connections that the task offers its agent."""
    return {
        "name": data.name,
        "prompt": data.prompt,
        "description": data.description,
        "keywords": data.keywords,
        "image": data.image,
        "workdir": data.workdir,
        "cpus": data.resources.cpu,
        "memory_mb": data.resources.memory * MB_IN_GB,
        "agent_user": data.agent_user,
        "agent_timeout": data.timeout.agent,
        "verifier_timeout": data.timeout.scoring,
        "mcp_servers": [[server["name"], server["transport"], server["url"]] for server in servers],
        "verifier_mode": "shared" if data.verifier is None else "separate",
        "verifier_image": data.verifier_image,
        "collect": [[hook.service, hook.command, hook.timeout_sec] for hook in data.collect],
        "artifacts": [[artifact.source, artifact.service] for artifact in data.artifacts],
    }


def main() -> None:
    lines = probe_lines.Lines()
    dataset, name, registry = probe_lines.arguments()
    harbor: Any = importlib.import_module("verifiers.v1.tasksets.harbor.taskset")
    lines.about("verifiers", "harbor")
    routes = {"folder": harbor.HarborConfig(dataset=name, ignore_timeouts=False)}
    cached = harbor.cache_dir(routes["folder"])
    cached.parent.mkdir(parents=True, exist_ok=True)
    cached.symlink_to(dataset.resolve(), target_is_directory=True)
    if registry is not None:
        routes["registry"] = harbor.HarborConfig(dataset=name, registry_path=registry, ignore_timeouts=False)

    for route, config in routes.items():

        def read_alone(path: Path, config: Any = config) -> dict[str, Any]:
            task = harbor.HarborTask(harbor.parse_task(path, 0, config), config.task)
            return data_fields(task.data, task.config.mcp_servers)

        tasks = {}
        try:
            for task in harbor.HarborTaskset(config):
                tasks[Path(task.data.task_dir)] = data_fields(task.data, task.config.mcp_servers)
        except Exception as error:  # It stops at the first task that it refuses.
            print(f"{route}: {error}", file=sys.stderr)
        probe_lines.read_all(
            lines, route, dataset, tasks, lambda path, read=tasks, alone=read_alone: read.get(path) or alone(path)
        )


if __name__ == "__main__":
    main()
