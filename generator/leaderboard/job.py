"""A Harbor job directory as it lies on disk. In: the directory. Out: a Job of typed documents, nothing checked yet.

    JOB/
    ├── config.json  lock.json  result.json     what was asked for, what it came to, what came of it
    └── <task>__<suffix>/
        ├── config.json  lock.json  result.json
        ├── artifacts/var/lib/world/export/     the evidence: world.sqlite, manifest.json
        └── verifier/reward.json, verdict.json

Harbor's documents hold more than is read here; only the fields that count are named, and those must be of their type.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator.leaderboard.files import Label, LeaderboardError, exists, read_object, shown
from generator.spec.errors import first_fault

EVIDENCE = "artifacts/var/lib/world/export"
SNAPSHOT = "world.sqlite"


class Document(BaseModel):
    """Part of a file of Harbor's; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class AgentConfig(Document):
    name: str | None = None
    import_path: str | None = None
    model_name: str | None = None


class ModelInfo(Document):
    name: Label
    provider: Label | None = None


class AgentInfo(Document):
    name: Label
    version: Label
    model_info: ModelInfo | None = None

    @property
    def model(self) -> str | None:
        info = self.model_info
        return None if info is None else f"{info.provider}/{info.name}" if info.provider else info.name


class RunConfig(Document):
    """What config.json of a trial says: how the trial was run."""

    trial_name: str
    job_id: str | None = None
    agent: AgentConfig


class VerifierResult(Document):
    rewards: dict[str, float] | None = None


class ExceptionInfo(Document):
    exception_type: Label


class TrialResult(Document):
    id: Label
    task_name: Label
    trial_name: Label
    task_checksum: Label
    config: RunConfig
    agent_info: AgentInfo
    verifier_result: VerifierResult | None = None
    exception_info: ExceptionInfo | None = None
    reward_valid: bool | None = None

    @property
    def rewards(self) -> dict[str, float] | None:
        return self.verifier_result.rewards if self.verifier_result else None


class LockedTask(Document):
    """digest is Harbor's digest of the task directory that the trial ran, as in dataset.lock."""

    name: str
    digest: str


class TrialLock(Document):
    task: LockedTask


class HarborVersion(Document):
    version: Label


class JobLock(Document):
    harbor: HarborVersion
    trials: tuple[TrialLock, ...]


class JobConfig(Document):
    n_attempts: int = Field(ge=1)
    agents: tuple[AgentConfig, ...]


class Evaluation(Document):
    """What result.json sums up of one agent on one dataset. reward_stats: reward key, value, names of trials."""

    n_trials: int
    reward_stats: dict[str, dict[str, tuple[str, ...]]] = {}


class JobStats(Document):
    n_completed_trials: int
    evals: dict[str, Evaluation] = {}


class JobResult(Document):
    id: Label
    finished_at: Label | None = None
    n_total_trials: int
    stats: JobStats


@dataclass(frozen=True)
class Trial:
    """One trial that ended. conditions is its config.json, whole, and recorded the configuration in its
    result.json; reported and verdict are the verifier's files."""

    directory: Path
    result: TrialResult
    config: RunConfig
    conditions: dict[str, Any]
    recorded: dict[str, Any]
    locked: LockedTask
    reported: dict[str, Any] | None
    verdict: dict[str, Any] | None

    @property
    def name(self) -> str:
        return self.directory.name

    @property
    def task(self) -> str:
        return self.result.task_name.split("/")[-1]

    @property
    def evidence(self) -> Path:
        return self.directory / EVIDENCE


@dataclass(frozen=True)
class Job:
    """unended: names of trial directories without a result.json; conditions is config.json, whole."""

    directory: Path
    config: JobConfig
    conditions: dict[str, Any]
    lock: JobLock
    result: JobResult
    trials: tuple[Trial, ...]
    unended: tuple[str, ...]


def read_job(directory: Path) -> Job:
    """Raises LeaderboardError for a directory that is not a job's, or a document that is not of its form."""
    if not exists(directory / "result.json"):
        raise LeaderboardError(f"{directory}: no result.json; expected a Harbor job directory, e.g. jobs/NAME")
    config = _raw(directory / "config.json")
    # A job has more folders than its trials' (logs, what plugins leave): a trial's holds a trial's configuration.
    folders = sorted(path for path in directory.iterdir() if path.is_dir() and exists(path / "config.json"))
    return Job(
        directory=directory,
        config=_document(JobConfig, config, directory / "config.json"),
        conditions=config,
        lock=_document(JobLock, _raw(directory / "lock.json"), directory / "lock.json"),
        result=_document(JobResult, _raw(directory / "result.json"), directory / "result.json"),
        trials=tuple(_trial(folder) for folder in folders if exists(folder / "result.json")),
        unended=tuple(shown(folder.name) for folder in folders if not exists(folder / "result.json")),
    )


def _trial(folder: Path) -> Trial:
    _check_place(folder)
    config, result = _raw(folder / "config.json"), _raw(folder / "result.json")
    verifier = folder / "verifier"
    return Trial(
        directory=folder,
        result=_document(TrialResult, result, folder / "result.json"),
        config=_document(RunConfig, config, folder / "config.json"),
        conditions=config,
        recorded=result["config"],
        locked=_document(TrialLock, _raw(folder / "lock.json"), folder / "lock.json").task,
        reported=_raw(verifier / "reward.json") if exists(verifier / "reward.json") else None,
        verdict=_raw(verifier / "verdict.json") if exists(verifier / "verdict.json") else None,
    )


def _check_place(folder: Path) -> None:
    """A trial's evidence lies in the trial's own folder: no link leads out of it, and the snapshot is a file."""
    if folder.is_symlink():
        raise LeaderboardError(f"{folder}: expected a trial's folder, came a link")
    for place in (EVIDENCE, f"{EVIDENCE}/{SNAPSHOT}", f"{EVIDENCE}/manifest.json", "verifier"):
        path = folder / place
        if path.resolve() != folder.resolve() / place:
            raise LeaderboardError(f"{path}: leads out of the trial's folder by a link")
    for name in (SNAPSHOT, "manifest.json"):
        path = folder / EVIDENCE / name
        if exists(path) and not path.is_file():
            raise LeaderboardError(f"{path}: expected a regular file")


def _raw(path: Path) -> dict[str, Any]:
    if not exists(path):
        raise LeaderboardError(f"{path}: missing; Harbor 0.26 writes one")
    return read_object(path)


def _document[T: Document](model: type[T], value: dict[str, Any], path: Path) -> T:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        field, reason, _ = first_fault(error)
        raise LeaderboardError(f"{path}: {field}: {reason}") from None
