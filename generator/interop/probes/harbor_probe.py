"""Harbor reads the dataset as `harbor run -p` and `harbor run -d … --registry-path` do. Out: lines of probe_lines."""

import asyncio
import importlib
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
probe_lines: Any = importlib.import_module("probe_lines")


def main() -> None:
    lines = probe_lines.Lines()
    dataset, name, registry = probe_lines.arguments()
    dataset_config: Any = importlib.import_module("harbor.models.job.config").DatasetConfig
    task: Any = importlib.import_module("harbor.models.task.task").Task
    lines.about("harbor")
    routes = {"folder": dataset_config(path=dataset)}
    if registry is not None:
        routes["registry"] = dataset_config(name=name, registry_path=registry)
    for route, config in routes.items():
        found = [each.path for each in asyncio.run(config.get_task_configs())]
        probe_lines.read_all(lines, route, dataset, found, lambda path: probe_lines.harbor_fields(task(path)))


if __name__ == "__main__":
    main()
