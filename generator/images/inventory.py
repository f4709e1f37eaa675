"""What is installed in an image. In: an engine, a tag. Out: an Inventory, as the image itself tells it.

A container of the image runs once, without a network and without rights, and prints what its package databases hold:
Debian's of dpkg, Python's of importlib.metadata, for every interpreter that the image has.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.images.engine import brief
from generator.spec.errors import EngineError

if TYPE_CHECKING:
    from docker import DockerClient

# Python's own packages of Debian are dpkg's already, so that folder is left out.
PROGRAM = r"""
import importlib.metadata, json, os, platform, subprocess, sys
form = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${db:Status-Status}\n"
listed = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True).stdout
folders = ["/usr/local/lib/python%d.%d/site-packages" % sys.version_info[:2]]
folders += ["/opt/venv/lib/python%d.%d/site-packages" % sys.version_info[:2]]
python = [
    [found.metadata["Name"], found.version]
    for found in importlib.metadata.distributions(path=[folder for folder in folders if os.path.isdir(folder)])
]
release = dict(line.rstrip("\n").split("=", 1) for line in open("/etc/os-release") if "=" in line)
owned = subprocess.run(["dpkg-query", "-S", os.path.realpath(sys.executable)], capture_output=True).returncode == 0
print(json.dumps({
    "debian": [line.split("\t") for line in listed.splitlines()],
    "python": python,
    "interpreter": None if owned else platform.python_version(),
    "release": release["VERSION_ID"].strip('"'),
}))
"""
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, order=True)
class DebianPackage:
    name: str
    version: str
    architecture: str
    source: str
    source_version: str


@dataclass(frozen=True, order=True)
class PythonPackage:
    """name is normalised as on the package index: small letters, one hyphen for each run of separators."""

    name: str
    version: str


@dataclass(frozen=True)
class Inventory:
    """interpreter is the version of a Python that no Debian package brought, or None; release is Debian's number."""

    debian: tuple[DebianPackage, ...]
    python: tuple[PythonPackage, ...]
    interpreter: str | None
    release: str


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def parse_inventory(told: Mapping[str, Any]) -> Inventory:
    """What the program printed, in order of names. Packages that are not wholly installed do not count."""
    debian = sorted(DebianPackage(*row[:5]) for row in told["debian"] if row[5] == "installed")
    python = sorted({PythonPackage(normalised(name), version) for name, version in told["python"]})
    return Inventory(tuple(debian), tuple(python), told["interpreter"], told["release"])


def read_inventory(client: "DockerClient", tag: str) -> Inventory:
    """Raises EngineError if the image cannot tell."""
    from docker.errors import DockerException

    try:
        output = client.containers.run(
            tag,
            ["python3", "-I", "-c", PROGRAM],
            user="65534",
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            remove=True,
        )
        return parse_inventory(json.loads(output))
    except (DockerException, ValueError, KeyError) as error:
        raise EngineError(f"image {tag}: its packages cannot be listed: {brief(error)}") from None


def locked_hashes(lock: Path) -> dict[PythonPackage, tuple[str, ...]]:
    """For each package of a hashed lock the sha256 of every file that pip may install for it, in order."""
    hashes: dict[PythonPackage, tuple[str, ...]] = {}
    package: PythonPackage | None = None
    for line in lock.read_text(encoding="utf-8").splitlines():
        pinned = PINNED.match(line)
        if pinned:
            package = PythonPackage(normalised(pinned[1]), pinned[2])
            hashes[package] = ()
        found = HASH.search(line)
        if found and package:
            hashes[package] = tuple(sorted((*hashes[package], found[1])))
    return hashes
