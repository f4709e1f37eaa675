"""Programs of the release's own environment, .venv-release. In: a module and its arguments. Out: its exit code.

`datasets`, `mlcroissant` and `huggingface_hub` bring so much along that they stay out of the project's environment;
what needs them is a module that runs there, in a process of its own.
"""

import os
import subprocess
from pathlib import Path

from generator.images.definition import PROJECT_ROOT
from generator.release.bindings import ReleaseError

ENVIRONMENT = PROJECT_ROOT / ".venv-release"


def release_python(environment: Path = ENVIRONMENT) -> Path:
    """Its interpreter. Raises ReleaseError if it has not been made."""
    python = environment / "bin" / "python"
    if not python.is_file():
        raise ReleaseError(f"{environment}: no such environment; `make release-env` makes it")
    return python


def run_in_release(module: str, *arguments: str) -> int:
    """Run the module with the terminal's own output; its exit code, 130 if it was interrupted."""
    command = [str(release_python()), "-m", f"generator.release.{module}", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT)}
    process = subprocess.Popen(command, env=environment)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The terminal sends it to the process as well, which says what it stopped at.
            continue
