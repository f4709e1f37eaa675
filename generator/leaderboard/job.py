"""A Harbor job directory as it lies on disk. In: the directory. Out: a Job of typed documents, nothing checked yet.

    JOB/
    ├── config.json  lock.json  result.json     what was asked for, what it came to, what came of it
    └── <task>__<suffix>/
        ├── config.json  lock.json  result.json
        ├── artifacts/var/lib/world/export/     the evidence: world.sqlite, manifest.json
        └── verifier/reward.json, verdict.json

Harbor's documents hold more than is read here; only the fields that count are named, and those must be of their type.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator.spec.errors import ErpbenchError

EVIDENCE = "artifacts/var/lib/world/export"
SNAPSHOT = "world.sqlite"


class LeaderboardError(ErpbenchError):
    """A job that is refused, or an entry that cannot be read: which trial or file, what was expected, what came."""

    code = "leaderboard"


class Document(BaseModel):
    """Part of a file of Harbor's; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class AgentConfig(Document):
    name: str | None = None
    import_path: str | None = None
    model_name: str | None = None


class ModelInfo(Document):
    name: str
    provider: str | None = None


class AgentInfo(Document):
    name: str
    version: str
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
    exception_type: str


class TrialResult(Document):
    id: str
    task_name: str
    trial_name: str
    task_checksum: str
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
    version: str


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
    id: str
    finished_at: str | None = None
    n_total_trials: int
    stats: JobStats


@dataclass(frozen=True)
class Trial:
    """One trial that ended. conditions is its config.json, whole; reported and verdict are the verifier's files."""

    directory: Path
    result: TrialResult
    config: RunConfig
    conditions: dict[str, Any]
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
    if not (directory / "result.json").is_file():
        raise LeaderboardError(f"{directory}: no result.json; expected a Harbor job directory, e.g. jobs/NAME")
    config = _raw(directory / "config.json")
    # A job has more folders than its trials' (logs, what plugins leave): a trial's holds a trial's configuration.
    folders = sorted(path.parent for path in directory.glob("*/config.json"))
    return Job(
        directory=directory,
        config=_document(JobConfig, config, directory / "config.json"),
        conditions=config,
        lock=_document(JobLock, _raw(directory / "lock.json"), directory / "lock.json"),
        result=_document(JobResult, _raw(directory / "result.json"), directory / "result.json"),
        trials=tuple(_trial(folder) for folder in folders if (folder / "result.json").is_file()),
        unended=tuple(folder.name for folder in folders if not (folder / "result.json").is_file()),
    )


def _trial(folder: Path) -> Trial:
    config = _raw(folder / "config.json")
    verifier = folder / "verifier"
    return Trial(
        directory=folder,
        result=_document(TrialResult, _raw(folder / "result.json"), folder / "result.json"),
        config=_document(RunConfig, config, folder / "config.json"),
        conditions=config,
        locked=_document(TrialLock, _raw(folder / "lock.json"), folder / "lock.json").task,
        reported=_raw(verifier / "reward.json") if (verifier / "reward.json").is_file() else None,
        verdict=_raw(verifier / "verdict.json") if (verifier / "verdict.json").is_file() else None,
    )


def _raw(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise LeaderboardError(f"{path}: missing; Harbor 0.26 writes one") from None
    except ValueError as error:
        raise LeaderboardError(f"{path}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise LeaderboardError(f"{path}: expected an object, came {type(value).__name__}")
    return value


def _document[T: Document](model: type[T], value: dict[str, Any], path: Path) -> T:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise LeaderboardError(f"{path}: {field}: {first['msg']}") from None
