"""What a Harbor trial costs: the oracle on erpbench-001 beside the least task of the same shape, run in turns.

The skeleton (skeleton/) is that least task: the same three images, two containers, one collect hook and a verifier
without a network, but with the bare server for a world and two calls for a solution. What a trial of ours takes beyond
a trial of it is what the benchmark adds.
"""

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.bench import bare_server
from generator.bench.figures import BenchError, Figure, measured
from generator.harbor.dataset import DatasetEntry, registry
from generator.harbor.digest import task_digest
from generator.harbor.files import EXECUTABLE
from generator.harbor.program import harbor_program
from generator.harbor.run import RunRequest, preflight, run_harbor
from generator.harbor.trials import Trial, read_trials
from generator.images.definition import image_prefix, image_tag, project_version

NAME = "skeleton-001"
SKELETON = Path(__file__).with_name("skeleton")
RENDERED = (
    "task.toml",
    "instruction.md",
    "environment/docker-compose.yaml",
    "environment/seed/snapshot.py",
    "solution/solve.sh",
    "tests/docker-compose.yaml",
    "tests/test.sh",
    "tests/verify.py",
)
SEED_SCRIPT = "environment/seed/items.sql"
SEED = "environment/seed/items.sqlite"
SERVER = "environment/seed/bare_server.py"


def write_skeleton(dataset: Path, prefix: str, version: str) -> Path:
    """The skeleton as a dataset of one task in a new folder, with its registry.json; the task's directory."""
    task = dataset / NAME
    environment = Environment(loader=FileSystemLoader(SKELETON), undefined=StrictUndefined, keep_trailing_newline=True)
    context: dict[str, Any] = {
        "name": NAME,
        "version": version,
        "path": bare_server.PATH,
        "images": {name: image_tag(name, prefix, version) for name in ("agent", "world", "verifier")},
    }
    texts = {name: environment.get_template(name).render(context) for name in RENDERED}
    texts[SERVER] = Path(bare_server.__file__).read_text(encoding="utf-8")
    for name, text in texts.items():
        path = task / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if name in EXECUTABLE else 0o644)
    with closing(sqlite3.connect(task / SEED)) as database:
        database.executescript((SKELETON / SEED_SCRIPT).read_text(encoding="utf-8"))
    (task / SEED).chmod(0o644)
    for folder in (dataset, task, *(path for path in task.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    entry = DatasetEntry(NAME, task_digest(task))
    (dataset / "registry.json").write_text(registry([entry], version, dataset.name), encoding="utf-8")
    return task


def check_trials(dataset: Path, task: str) -> None:
    """Raises EngineError, DatasetError, HarborError or BenchError if trials cannot be run here."""
    harbor_program()
    entries = json.loads((dataset / "registry.json").read_text(encoding="utf-8"))[0]["tasks"]
    if not (dataset.resolve().parent / entries[0]["path"]).is_dir():
        expected = Path(entries[0]["path"]).parent
        raise BenchError(f"{dataset}: its registry.json speaks of {expected}/; Harbor needs the folder under that name")
    preflight(dataset, [task])


def measure_trials(dataset: Path, task: str, runs: int) -> list[Figure]:
    """Each turn is one trial of the skeleton and one of the task, alone on the machine; seconds are Harbor's own.

    Raises BenchError if a trial's reward is not 1.0.
    """
    skeleton, ours, ratios = [], [], []
    with tempfile.TemporaryDirectory(prefix="erpbench-bench-") as folder:
        root = Path(folder)
        (root / "skeleton").mkdir()
        write_skeleton(root / "skeleton", image_prefix(), project_version())
        for run in range(runs + 1):
            bare = _oracle_trial(root / "skeleton", NAME, root / "jobs" / f"skeleton-{run}").seconds
            own = _oracle_trial(dataset.resolve(), task, root / "jobs" / f"ours-{run}").seconds
            # The first turn warms the engine and Harbor up; it counts for neither.
            if run:
                skeleton.append(bare)
                ours.append(own)
                ratios.append(own / bare)
    series = {"ratio": ratios, f"{task}, seconds": ours, "skeleton, seconds": skeleton}
    return [measured("trial_ratio", "ratio", series, "oracle, one trial at a time")]


def _oracle_trial(dataset: Path, task: str, job: Path) -> Trial:
    run_harbor(RunRequest(dataset, (task,), "oracle", 1, False, job), lambda done: None)
    trials = read_trials(job)
    if len(trials) != 1 or trials[0].reward != 1.0:
        came = trials[0].problem or f"reward {trials[0].reward}" if trials else "no trial"
        raise BenchError(f"{task}: expected an oracle trial with reward 1.0, came {came}")
    return trials[0]
