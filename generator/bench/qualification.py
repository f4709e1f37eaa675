"""What the qualification costs: the whole of `erpbench qualify` as a command, once."""

import subprocess
import tempfile
from pathlib import Path

from generator.bench.figures import Figure, measured, not_measured
from generator.bench.processes import project_environment, python_module, seconds_of
from generator.images.definition import PROJECT_ROOT


def measure_qualification(dataset: Path) -> list[Figure]:
    """Every episode of the dataset, reports written into a folder of its own."""
    asked = python_module("generator.cli", "qualify", "--help")
    known = subprocess.run(asked, cwd=PROJECT_ROOT, env=project_environment(), capture_output=True, check=False)
    if known.returncode != 0:
        return [not_measured("qualification", "this version has no `erpbench qualify`")]
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as out:
        options = ["--dataset", str(dataset.absolute()), "--out", str(Path(out) / "qualification")]
        seconds = seconds_of(python_module("generator.cli", "qualify", *options))
    return [measured("qualification", "seconds", {"seconds": [seconds]}, "one run")]
