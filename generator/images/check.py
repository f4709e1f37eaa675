"""Check the images. In: an engine. Out: problems, one line each; none if they are what this tree builds."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from generator.images.definition import (
    ALL,
    INPUTS_LABEL,
    MEGABYTE,
    PROJECT_ROOT,
    ImageDefinition,
    image_tag,
    inputs_digest,
)
from generator.images.engine import ImageFacts, brief, connect, inspect

if TYPE_CHECKING:
    from docker import DockerClient

START_SECONDS = 15.0
LEFTOVERS = "/root/.cache/pip /tmp/pip-* /var/lib/apt/lists/*_Packages /var/cache/apt/pkgcache.bin /run/ca.pem"
FORBIDDEN = {
    "agent": "/opt/erpbench /opt/venv /seed /tests /solution /var/lib/world",
    "world": "/tests /solution /seed /opt/erpbench/verifier",
    "verifier": "/tests /solution /seed /opt/venv /opt/erpbench/erpbench_world",
}
"""Paths that would bring gold, the seed or another image's program where it must not be."""


def missing_images(prefix: str, version: str) -> list[str]:
    """The tags that the engine does not have. Asked before a run: Harbor misses the verifier's only after the agent."""
    client = connect()
    tags = [image_tag(definition.name, prefix, version) for definition in ALL if definition.name != "base"]
    return [tag for tag in tags if inspect(client, tag) is None]


def check_images(prefix: str, version: str, root: Path = PROJECT_ROOT) -> list[str]:
    """All problems of the images as they lie in the engine. Raises EngineError if none answers."""
    client = connect()
    facts = {definition.name: inspect(client, image_tag(definition.name, prefix, version)) for definition in ALL}
    base = facts["base"]
    if base is None:
        return [f"{image_tag('base', prefix, version)}: not built"]
    problems: list[str] = []
    for definition in ALL[1:]:
        tag = image_tag(definition.name, prefix, version)
        image = facts[definition.name]
        if image is None:
            problems.append(f"{tag}: not built")
            continue
        problems += [f"{tag}: {problem}" for problem in image_problems(definition, image, base, root)]
        problems += [f"{tag}: {path} is in the image" for path in present_paths(client, tag, definition)]
    return problems


def image_problems(definition: ImageDefinition, image: ImageFacts, base: ImageFacts, root: Path) -> list[str]:
    problems: list[str] = []
    if image.labels.get(INPUTS_LABEL) != inputs_digest(definition, base.id, root):
        problems.append("of other inputs than this tree's; run `make images`")
    if image.user != definition.user:
        problems.append(f"runs as {image.user or 'root'}, expected {definition.user}")
    if image.size - base.size > definition.limit:
        added, allowed = (image.size - base.size) / MEGABYTE, definition.limit / MEGABYTE
        problems.append(f"adds {added:.0f} MB to the base, {allowed:.0f} MB are allowed")
    return problems


def present_paths(client: "DockerClient", tag: str, definition: ImageDefinition) -> list[str]:
    """Which of the leftovers and forbidden paths exist in the image."""
    script = f"ls -d {LEFTOVERS} {FORBIDDEN[definition.name]} 2>/dev/null || true"
    output = client.containers.run(
        tag, ["sh", "-c", script], user="0", network_mode="none", remove=True, stdout=True, stderr=False
    )
    return sorted(output.decode().split())


def world_health(tag: str, seed: Path) -> tuple[float, str | None]:
    """Start a world on a task's seed without a network; seconds until it is healthy, and what went wrong."""
    client = connect()
    container = client.containers.run(
        tag,
        detach=True,
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true"],
        tmpfs={"/tmp": "size=32m", "/var/lib/world": "uid=10002,gid=10002,mode=0700"},
        volumes={str(seed.resolve()): {"bind": "/seed", "mode": "ro"}},
    )
    probe = "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"
    started = time.monotonic()
    try:
        while time.monotonic() - started < START_SECONDS:
            container.reload()
            if container.status == "exited":
                break
            if container.exec_run(["python", "-c", probe]).exit_code == 0:
                return time.monotonic() - started, None
            time.sleep(0.05)
        log = container.logs(tail=5).decode(errors="replace")
        return time.monotonic() - started, f"{tag}: the world did not become healthy: {brief(ValueError(log), 400)}"
    finally:
        container.remove(force=True)
