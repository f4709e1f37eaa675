"""What a task directory says, read for itself. In: a rendered dataset. Out: the fields that a consumer must read."""

import json
import tomllib
from pathlib import Path
from typing import Any

import yaml

from generator.interop.consumers import InteropError

Fields = dict[str, Any]


def registry_entry(dataset: Path) -> dict[str, Any]:
    """The dataset's entry in its registry.json. Raises InteropError if there is none of our form."""
    path = dataset / "registry.json"
    try:
        (entry,) = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(task["path"], str) for task in entry["tasks"]) or not isinstance(entry["name"], str):
            raise ValueError("names and paths must be text")
    except FileNotFoundError:
        raise InteropError(f"{path}: no such file; `make dataset` renders the tasks") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InteropError(f"{path}: not a Harbor registry of one dataset ({error})") from None
    return dict(entry)


def expected_fields(directory: Path) -> Fields:
    """Every field that some consumer carries. Raises InteropError for a file that is missing or not of our form."""
    try:
        config = tomllib.loads((directory / "task.toml").read_text(encoding="utf-8"))
        compose = yaml.safe_load((directory / "environment" / "docker-compose.yaml").read_text(encoding="utf-8"))
        instruction = (directory / "instruction.md").read_text(encoding="utf-8")
        return _fields(config, compose, instruction)
    except OSError as error:
        raise InteropError(f"{directory.name}: {error.filename}: {error.strerror}; `make dataset` renders it") from None
    except (ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        raise InteropError(f"{directory.name}: not a task of this dataset ({type(error).__name__}: {error})") from None


def _fields(config: dict[str, Any], compose: dict[str, Any], instruction: str) -> Fields:
    task, environment, verifier = config["task"], config["environment"], config["verifier"]
    return {
        "name": task["name"],
        "instruction": instruction,
        "prompt": instruction.strip(),
        "description": task["description"],
        "keywords": task["keywords"],
        "image": environment["docker_image"],
        "workdir": environment["workdir"],
        "cpus": environment["cpus"],
        "memory_mb": environment["memory_mb"],
        "agent_user": str(config["agent"]["user"]),
        "agent_timeout": config["agent"]["timeout_sec"],
        "verifier_timeout": verifier["timeout_sec"],
        "mcp_servers": [[server["name"], server["transport"], server["url"]] for server in environment["mcp_servers"]],
        "verifier_mode": verifier["environment_mode"],
        "verifier_image": verifier["environment"]["docker_image"],
        "collect": [[hook["service"], hook["command"], hook["timeout_sec"]] for hook in verifier["collect"]],
        "artifacts": [[artifact["source"], artifact["service"]] for artifact in config["artifacts"]],
        "services": sorted(compose["services"]),
    }
