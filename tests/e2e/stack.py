"""A task's containers, started as Harbor starts them: its compose file over the one that names main's image."""

import json
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml


def docker(*words: str, check: bool = True, stdin: str | None = None) -> str:
    """A docker command's standard output. Raises with its standard error if it fails."""
    result = subprocess.run(["docker", *words], capture_output=True, text=True, input=stdin, check=False)
    if check and result.returncode != 0:
        raise AssertionError(f"docker {' '.join(words)}: {result.stderr[-2000:]}")
    return result.stdout


@dataclass(frozen=True)
class Stack:
    """One compose project. folder is the task's environment/ or tests/; image that of main."""

    project: str
    folder: Path
    image: str
    overlay: Path
    network: str = ""
    """What ERPBENCH_AGENT_NETWORK is set to; nothing is the default."""
    resolver: str = ""
    """A name server for main in place of the machine's own, so that a test sees what is asked of it."""

    def compose(self, *words: str) -> str:
        """Each command sees the same switch: without it, `down` would leave the network that `up` made."""
        files = ["-f", str(self.overlay), "-f", str(self.folder / "docker-compose.yaml")]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ERPBENCH_AGENT_NETWORK", self.network)
            return docker("compose", "-p", self.project, "--project-directory", str(self.folder), *files, *words)

    def start(self) -> None:
        service: dict[str, Any] = {"image": self.image, "command": ["sh", "-c", "sleep infinity"]}
        if self.resolver:
            service["dns"] = [self.resolver]
        self.overlay.write_text(yaml.safe_dump({"services": {"main": service}}), encoding="utf-8")
        self.compose("up", "--detach", "--wait")

    def stop(self) -> None:
        self.compose("down", "--volumes", "--remove-orphans")

    def container(self, service: str = "main") -> str:
        return self.compose("ps", "--quiet", service).strip()

    def run(self, *words: str, user: str = "", service: str = "main", privileged: bool = False) -> str:
        """A command's output inside a service's container, as that container's user or another.

        privileged gives it the rights that the container itself lacks, for looking into every folder.
        """
        options = ["--user", user] if user else []
        options += ["--privileged"] if privileged else []
        return docker("exec", *options, self.container(service), *words)

    def attempt(self, *words: str, user: str = "", service: str = "main") -> tuple[int, str]:
        """Exit code and both outputs of a command that may fail."""
        options = ["--user", user] if user else []
        command = ["docker", "exec", *options, self.container(service), *words]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
        return result.returncode, result.stdout + result.stderr

    def python(self, program: str, user: str = "", service: str = "main", privileged: bool = False) -> Any:
        """What a Python program prints as JSON inside a service's container."""
        return json.loads(self.run("python3", "-I", "-c", program, user=user, service=service, privileged=privileged))

    def inspect(self, service: str = "main") -> Any:
        return json.loads(docker("inspect", self.container(service)))[0]


def main_image(task: Path, section: str) -> str:
    """The image of main in the agent's (environment) or the verifier's (verifier) environment."""
    config = tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))
    part = config["environment"] if section == "environment" else config["verifier"]["environment"]
    return str(part["docker_image"])
