"""What the qualification costs: the whole of `erpbench qualify` as a command, once."""

import subprocess
import tempfile
from pathlib import Path

from generator.bench.figures import Figure, measured, not_measured
from generator.bench.processes import project_environment, python_module, run_of
from generator.images.definition import PROJECT_ROOT


def measure_qualification(dataset: Path) -> list[Figure]:
    """Every episode of the dataset, reports written into a folder of its own."""
    if not has_command():
        return [not_measured("qualification", "this version has no `erpbench qualify`")]
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as out:
        options = ["--dataset", str(dataset.absolute()), "--out", str(Path(out) / "qualification")]
        run = run_of(python_module("generator.cli", "qualify", *options), accepted=(0, 1))
    # 1 says that a line of its own table does not hold: it has played everything all the same.
    note = "one run" if run.code == 0 else "one run, in which a line of its table did not hold"
    return [measured("qualification", "seconds", {"seconds": [run.seconds]}, note)]


def has_command() -> bool:
    asked = python_module("generator.cli", "qualify", "--help")
    return (
        subprocess.run(asked, cwd=PROJECT_ROOT, env=project_environment(), capture_output=True, check=False).returncode
        == 0
    )
