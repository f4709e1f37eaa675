"""The real harbor program. In: $HARBOR or .venv-harbor. Out: command lines, and the environment to run them in."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from generator.spec.errors import ErpbenchError

ROOT = Path(__file__).resolve().parents[2]
LINT_SHIM = ROOT / "scripts" / "lint-shim"


class HarborError(ErpbenchError):
    """Harbor is not installed, cannot be run as asked, or ended without results."""

    code = "harbor"


def harbor_program(environment: Mapping[str, str] = os.environ, root: Path = ROOT) -> Path:
    """$HARBOR if it is set, else the one that `make harbor` installs. Raises HarborError if there is none."""
    named = environment.get("HARBOR")
    if named:
        found = shutil.which(named)
        if found is None:
            raise HarborError(f"HARBOR={named}: no such program")
        return Path(found)
    program = root / ".venv-harbor" / "bin" / "harbor"
    if not program.is_file():
        raise HarborError(f"{program} is missing: `make harbor` installs it, or set HARBOR to a harbor program")
    return program


def quiet_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment with Harbor's telemetry off."""
    return {**environment, "HARBOR_TELEMETRY": "0"}


def needs_lint_shim() -> bool:
    """Whether this Compose lacks the flag that `harbor lint` passes. Raises HarborError without a docker command."""
    try:
        result = subprocess.run(["docker", "compose", "config", "--help"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise HarborError("the docker command is not on PATH; `harbor lint` reads compose files with it") from None
    return "--no-env-resolution" not in result.stdout


def lint_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for `harbor lint`, with the shim first on PATH where Compose needs it."""
    quiet = quiet_environment(environment)
    if needs_lint_shim():
        quiet["PATH"] = f"{LINT_SHIM}{os.pathsep}{quiet.get('PATH', '')}"
    return quiet


def offline(command: Sequence[str]) -> list[str]:
    """The command in a network namespace of its own, with no interface up. Raises HarborError if that cannot be."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        raise HarborError("--offline needs root and the unshare program (util-linux)")
    return ["unshare", "-n", *command]
