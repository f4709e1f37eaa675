"""inspect-harbor makes the samples of an Inspect evaluation. Out: lines of probe_lines.

What is reported is the Sample's: its input, its sandbox's compose configuration, and what it keeps in its metadata.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
probe_lines: Any = importlib.import_module("probe_lines")


def sample_fields(sample: Any) -> dict[str, Any]:
    """What an inspect_ai.dataset.Sample of one task holds."""
    metadata, config = sample.metadata, sample.metadata["harbor_config"]
    environment, verifier = config["environment"], config["verifier"]
    return {
        "name": sample.id,
        "instruction": sample.input,
        "description": metadata["package_description"],
        "keywords": metadata["package_keywords"],
        "image": environment["docker_image"],
        "workdir": environment["workdir"],
        "cpus": environment["cpus"],
        "memory_mb": environment["memory_mb"],
        "agent_user": metadata["agent_user"],
        "agent_timeout": config["agent"]["timeout_sec"],
        "verifier_timeout": metadata["verifier_timeout_sec"],
        "verifier_mode": verifier["environment_mode"].value,
        "services": sorted(sample.sandbox.config.services),
    }


def main() -> None:
    lines = probe_lines.Lines()
    dataset, name, registry = probe_lines.arguments()
    harbor: Any = importlib.import_module("inspect_harbor").harbor
    lines.about("inspect-harbor", "inspect-ai")
    routes: dict[str, dict[str, Any]] = {"folder": {"path": dataset.resolve()}}
    if registry is not None:
        routes["registry"] = {"registry_path": registry, "dataset_name_version": name}

    def read_alone(path: Path) -> dict[str, Any]:
        (sample,) = harbor(path=path.resolve()).dataset
        return sample_fields(sample)

    for route, source in routes.items():
        samples = {}
        try:
            samples = {Path(sample.metadata["task_dir"]): sample for sample in harbor(**source).dataset}
        except Exception as error:  # One task that it refuses takes the whole dataset with it.
            print(f"{route}: {error}", file=sys.stderr)
        read_found = {path: sample_fields(sample) for path, sample in samples.items()}
        probe_lines.read_all(
            lines, route, dataset, samples, lambda path, read=read_found: read.get(path) or read_alone(path)
        )


if __name__ == "__main__":
    main()
