"""The conditions of a job. In: Harbor's config.json documents. Out: settings that are not the task directories' own.

Every setting must be what Harbor 0.26 has by itself, so that the task directory's own settings hold, except those named
here that cannot change what the agent meets. A setting that is not named and is not empty is reported too: what a later
Harbor adds is not taken for harmless.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.leaderboard.files import shown

DEFAULTS: Mapping[str, Any] = {
    "install_only": False,
    "timeout_multiplier": 1.0,
    "override_error_policy": {},
    "verifier.disable": False,
    "agent.resume_trajectory": False,
    "environment.cpu_enforcement_policy": "auto",
    "environment.memory_enforcement_policy": "auto",
}
"""Settings whose value is other than empty by itself; all others are null, [] or {}."""

HARMLESS = frozenset(
    (
        # Names, places and how the run is shown or spread over time.
        *("schema_version", "job_name", "jobs_dir", "n_attempts", "n_concurrent_trials", "skip_credential_checks"),
        *("debug", "quiet", "metrics", "agents", "datasets", "tasks", "task", "trial_name", "trials_dir", "job_id"),
        # Who competes, how its model is reached, and which of its logs are kept.
        *("agent.name", "agent.import_path", "agent.model_name", "agent.base_url", "agent.model_api_key_name"),
        *("agent.model_api_format", "agent.skip_model_parsing", "agent.n_concurrent", "agent.concurrency_group"),
        *("agent.env", "agent.include_logs", "agent.exclude_logs"),
        *("verifier.include_logs", "verifier.exclude_logs"),
        # How containers are built and cleared away.
        *("environment.force_build", "environment.delete", "environment.stream"),
        *("environment.suppress_override_warnings",),
        *("retry.max_retries", "retry.wait_multiplier", "retry.min_wait_sec", "retry.max_wait_sec"),
    )
)
MODEL_SETTINGS = frozenset({"version", "temperature", "reasoning_effort"})
"""What agent.kwargs may hold: which version of the agent, and how its model is asked."""
SECTIONS = frozenset({"agent", "environment", "verifier", "retry"})
NOT_RETRIED = frozenset(
    (
        "APIResponseValidationError",
        "AgentAuthenticationError",
        "AgentSafetyRefusalError",
        "AgentTimeoutError",
        "ApiProviderResourceNotFoundError",
        "AuthenticationError",
        "BadRequestError",
        "BudgetExceededError",
        "CancelledError",
        "ContentPolicyViolationError",
        "ContextLengthExceededError",
        "ContextWindowExceededError",
        "DspyImportError",
        "MissingExtraError",
        "ModelNotFoundError",
        "NonZeroAgentExitCodeError",
        "NotFoundError",
        "OutputLengthExceededError",
        "OutputTokenExceededError",
        "PermissionDeniedError",
        "RegradeError",
        "RewardFileEmptyError",
        "RewardFileNotFoundError",
        "ServiceOperationsUnsupportedError",
        "UnprocessableEntityError",
        "UnsupportedModelParametersError",
        "UnsupportedParamsError",
        "VercelScopeError",
        "VerifierOutputParseError",
        "VerifierTimeoutError",
    )
)
"""Failures after which Harbor 0.26 does not try again. To retry one of them is to choose among attempts."""


def altered(documents: list[dict[str, Any]]) -> Iterator[str]:
    """Each setting that is not the task directories' own, once, with the first value that it has."""
    found: dict[str, Any] = {}
    for document in documents:
        for path, value in _settings(document):
            if path not in found and not _harmless(path, value):
                found[path] = value
    for path in sorted(found):
        yield f"run under other conditions: {shown(path)} is {shown(json.dumps(found[path]))}"


def _settings(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Dotted paths and values. A job holds a list of agents where a trial holds one."""
    for name, value in document.items():
        if name in SECTIONS and isinstance(value, Mapping):
            for field, inner in value.items():
                yield f"{name}.{field}", inner
        elif name == "agents" and isinstance(value, list):
            for agent in value:
                yield from _settings({"agent": agent})
        else:
            yield name, value


def _harmless(path: str, value: Any) -> bool:
    if path in HARMLESS:
        return True
    if path == "agent.kwargs" and isinstance(value, Mapping):
        return value.keys() <= MODEL_SETTINGS
    if path == "environment.type":
        return value in (None, "docker")
    if path == "retry.exclude_exceptions":
        return isinstance(value, list) and set(map(str, value)) >= NOT_RETRIED
    if path in DEFAULTS:
        return bool(value == DEFAULTS[path])
    return value is None or value == [] or value == {}
