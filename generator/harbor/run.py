"""Run tasks with the real Harbor. In: a rendered dataset, its images, an agent's name. Out: a job directory."""

import json
import subprocess
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from generator.harbor.dataset import DATASET_NAME
from generator.harbor.program import HarborError, harbor_program, offline, quiet_environment
from generator.images.engine import connect, inspect
from generator.spec.errors import DatasetError, EngineError, UnknownTask

POLL_SECONDS = 0.25
Progress = Callable[[int], None]


@dataclass(frozen=True)
class RunRequest:
    """What to run. dataset is the folder with registry.json; tasks are short names; job is created anew."""

    dataset: Path
    tasks: tuple[str, ...]
    agent: str
    concurrency: int
    without_network: bool
    job: Path


def dataset_tasks(dataset: Path) -> tuple[str, ...]:
    """The short names in registry.json, in its order. Raises DatasetError if it is not there or not of our form."""
    path = dataset / "registry.json"
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))[0]
        return tuple(str(task["path"]).split("/")[-1] for task in entry["tasks"])
    except FileNotFoundError:
        raise DatasetError(f"{path}: no such file; `make dataset` renders the tasks") from None
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise DatasetError(f"{path}: not a Harbor registry ({error!r})") from None


def chosen_tasks(dataset: Path, names: str) -> tuple[str, ...]:
    """The tasks of a comma-separated list, or all. Raises UnknownTask for a name that the dataset has not."""
    known = dataset_tasks(dataset)
    if names == "all":
        return known
    chosen = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    unknown = [name for name in chosen if name not in known]
    if unknown or not chosen:
        raise UnknownTask(f"{', '.join(unknown) or 'no task named'}: expected names from {known[0]} to {known[-1]}")
    return chosen


def images_of(task: Path) -> list[str]:
    """The three images that a task directory names."""
    config = tomllib.loads((task / "task.toml").read_text(encoding="utf-8"))
    compose = yaml.safe_load((task / "environment" / "docker-compose.yaml").read_text(encoding="utf-8"))
    return [
        str(config["environment"]["docker_image"]),
        str(compose["services"]["world"]["image"]),
        str(config["verifier"]["environment"]["docker_image"]),
    ]


def preflight(dataset: Path, tasks: Sequence[str]) -> None:
    """Raises if no engine answers, or a task directory or an image is missing (Harbor misses the verifier's late)."""
    client = connect()
    wanted: set[str] = set()
    for task in tasks:
        if not (dataset / task / "task.toml").is_file():
            raise DatasetError(f"{dataset / task}: not rendered; run `make dataset`")
        wanted.update(images_of(dataset / task))
    missing = sorted(tag for tag in wanted if inspect(client, tag) is None)
    if missing:
        raise EngineError(f"images missing: {', '.join(missing)}; `make images` builds them")


def run_command(request: RunRequest, program: Path) -> list[str]:
    """Harbor's command line. Its own quiet mode, since its live view needs a terminal of its own."""
    command = [str(program), "run", "-d", DATASET_NAME, "--registry-path", str(request.dataset / "registry.json")]
    command += ["-a", request.agent, "-e", "docker", "-n", str(request.concurrency), "-q", "-y"]
    command += ["-o", str(request.job.parent), "--job-name", request.job.name]
    if len(request.tasks) < len(dataset_tasks(request.dataset)):
        for task in request.tasks:
            command += ["-i", task]
    return offline(command) if request.without_network else command


def run_harbor(request: RunRequest, progress: Progress) -> None:
    """Run the job to its end; progress gets the number of finished trials. Raises HarborError with the log's tail.

    The registry's paths are relative to the working directory, which is therefore the dataset's parent.
    """
    command = run_command(request, harbor_program())
    request.job.parent.mkdir(parents=True, exist_ok=True)
    log = request.job.parent / f"{request.job.name}.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            command,
            cwd=request.dataset.parent,
            env=quiet_environment(),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            while process.poll() is None:
                progress(finished_trials(request.job))
                time.sleep(POLL_SECONDS)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    progress(finished_trials(request.job))
    if process.returncode != 0:
        tail = " | ".join(line.strip(" │") for line in log.read_text(encoding="utf-8").splitlines()[-6:])
        raise HarborError(f"harbor ended with {process.returncode}; its log is {log}: {tail}")


def finished_trials(job: Path) -> int:
    return sum(1 for _ in job.glob("*/result.json"))
