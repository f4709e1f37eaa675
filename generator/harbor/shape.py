"""What a task directory must be beyond `harbor lint`. In: a task directory. Out: problems, one line each.

The rules are those that other readers of the format have (inspect-harbor, PrimeIntellect's verifiers, NeMo Gym), which
skip a task silently that breaks one, and our own on where gold and its canary may stand.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from generator.harbor.files import EXECUTABLE, holds_gold

DATA_FILES = (
    "environment/seed/world.sqlite",
    "instruction.md",
    "solution/plan.json",
    "tests/baseline.sqlite.gz",
    "tests/contract.json",
)
FIXED_FILES = (
    "README.md",
    "environment/docker-compose.yaml",
    "solution/run_plan.py",
    "solution/solve.sh",
    "task.toml",
    "tests/docker-compose.yaml",
    "tests/test.sh",
)
SEED_FILES = "environment/seed/files/"
REFUSED_KEYS = ("container_name", "labels", "logging", "privileged", "cap_add", "env_file", "ports")
BARE_VARIABLE = re.compile(r"\$\{[A-Za-z_]\w*\}")
SIZE = re.compile(r"\bsize=\d+m\b")
WITHOUT_TEXT = (".sqlite", ".sqlite.gz")


def task_problems(directory: Path) -> list[str]:
    """All problems of one task directory; none if it may be shipped."""
    files = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}
    missing = [name for name in (*FIXED_FILES, *DATA_FILES) if name not in files]
    if missing:
        return [f"{directory.name}/{name}: missing" for name in missing]
    config = tomllib.loads(files["task.toml"].read_text(encoding="utf-8"))
    problems = [*stray_files(files), *config_problems(config, directory.name), *mode_problems(files)]
    agent_side = yaml.safe_load(files["environment/docker-compose.yaml"].read_text(encoding="utf-8"))
    verifier_side = yaml.safe_load(files["tests/docker-compose.yaml"].read_text(encoding="utf-8"))
    problems += compose_problems(agent_side, "environment")
    problems += compose_problems(verifier_side, "tests")
    problems += service_problems(config, agent_side)
    problems += canary_problems(files)
    return [f"{directory.name}/{problem}" for problem in problems]


def stray_files(files: Mapping[str, Path]) -> Iterator[str]:
    for name, path in files.items():
        if name not in (*FIXED_FILES, *DATA_FILES) and not name.startswith(SEED_FILES):
            yield f"{name}: not a file of a task"
        if path.is_symlink():
            yield f"{name}: a symbolic link"


def config_problems(config: Mapping[str, Any], name: str) -> Iterator[str]:
    if config.get("schema_version") != "1.4":
        yield f"task.toml: schema_version {config.get('schema_version')!r}, expected '1.4'"
    if config["task"]["name"] != f"erpbench/{name}":
        yield f"task.toml: name {config['task']['name']!r} is not the directory's"
    for where, section in (("environment", config["environment"]), ("verifier", config["verifier"]["environment"])):
        for key in ("cpus", "memory_mb"):
            if type(section.get(key)) is not int:
                yield f"task.toml: {where}.{key} is {section.get(key)!r}, expected an integer"
        for key, value in section.get("env", {}).items():
            if BARE_VARIABLE.search(str(value)):
                yield f"task.toml: {where}.env.{key} has a variable without a default"
    if "user" in config["verifier"] or any("user" in hook for hook in config["verifier"]["collect"]):
        yield "task.toml: the verifier and its collect hooks must not name a user"
    if len(config["verifier"]["collect"]) != 1 or len(config["artifacts"]) != 1:
        yield "task.toml: expected one collect hook and one artifact"


def compose_problems(compose: Mapping[str, Any], folder: str) -> Iterator[str]:
    for service, definition in compose["services"].items():
        where = f"{folder}/docker-compose.yaml: {service}"
        for key in REFUSED_KEYS:
            if key in definition:
                yield f"{where}.{key} is refused by readers of the format or opens the container"
        if definition.get("read_only") is not True or definition.get("cap_drop") != ["ALL"]:
            yield f"{where}: expected read_only and cap_drop ALL"
        if "no-new-privileges:true" not in definition.get("security_opt", []):
            yield f"{where}: expected no-new-privileges"
        for limit in ("pids_limit", "mem_limit", "stop_grace_period", "init", "user"):
            if not definition.get(limit):
                yield f"{where}: expected {limit}"
        if definition.get("memswap_limit") != definition.get("mem_limit"):
            yield f"{where}: expected a memswap_limit like its mem_limit"
        yield from (f"{where}: {problem}" for problem in disk_problems(definition, compose.get("volumes", {})))
        for volume in definition.get("volumes", []):
            if str(volume).startswith((".", "/")) and not str(volume).endswith(":ro"):
                yield f"{where}: {volume} is a writable bind mount"
    if BARE_VARIABLE.search(str(compose)):
        yield f"{folder}/docker-compose.yaml: a variable without a default"


def disk_problems(definition: Mapping[str, Any], volumes: Mapping[str, Any]) -> Iterator[str]:
    """All that a service can write has a size: tmpfs and volumes in memory their own, a volume on disk its files'."""
    for mount in definition.get("tmpfs", []):
        if not SIZE.search(str(mount)):
            yield f"tmpfs {str(mount).split(':')[0]} has no size"
    for volume in definition.get("volumes", []):
        name = str(volume).split(":")[0]
        if name not in volumes:
            continue
        options = (volumes[name] or {}).get("driver_opts", {})
        sized = options.get("type") == "tmpfs" and SIZE.search(str(options.get("o", "")))
        if not sized and not (definition.get("ulimits") or {}).get("fsize"):
            yield f"volume {name} has no size, and no ulimits.fsize bounds its files"


def service_problems(config: Mapping[str, Any], compose: Mapping[str, Any]) -> Iterator[str]:
    named = [hook.get("service", "main") for hook in config["verifier"]["collect"]]
    named += [artifact.get("service", "main") for artifact in config["artifacts"]]
    for service in named:
        if service not in compose["services"]:
            yield f"task.toml: names the service {service}, which the compose file has not"
    sealed = compose.get("networks", {}).get("sealed") or {}
    if sealed.get("internal") is not True:
        yield "environment/docker-compose.yaml: the sealed network is not internal"


def mode_problems(files: Mapping[str, Path]) -> Iterator[str]:
    for name in EXECUTABLE:
        if not files[name].stat().st_mode & 0o111:
            yield f"{name}: not executable"


def canary_problems(files: Mapping[str, Path]) -> Iterator[str]:
    """The canary is the second line of test.sh; every text file with gold has it, no other file has."""
    canary = files["tests/test.sh"].read_text(encoding="utf-8").splitlines()[1].removeprefix("# ").encode()
    for name, path in files.items():
        if not name.endswith(WITHOUT_TEXT) and (canary in path.read_bytes()) is not holds_gold(name):
            yield f"{name}: {'has no canary' if holds_gold(name) else 'has the canary, and is not gold'}"
