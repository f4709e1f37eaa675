"""Errors a user can cause. The command line prints the message and exits with 2; no traceback."""

from typing import Any

from pydantic import ValidationError


def first_fault(error: ValidationError) -> tuple[str, str, Any]:
    """Field (its path with dots), message and given value of the first thing that does not fit a model."""
    first = error.errors()[0]
    return ".".join(map(str, first["loc"])), first["msg"], first.get("input")


class ErpbenchError(Exception):
    """Base of all errors with a message for the user: which task or file, what was expected, what came."""

    code = "error"


class UnknownTask(ErpbenchError):
    code = "unknown_task"


class SpecError(ErpbenchError):
    """A tenant or facts file cannot be read or does not fit its model."""

    code = "spec"


class DatasetError(ErpbenchError):
    """A rendered dataset directory is missing, half-written or of another build."""

    code = "dataset"


class EngineError(ErpbenchError):
    """No Docker engine answers, or an image is missing or cannot be built."""

    code = "engine"


class TrajectoryError(ErpbenchError):
    """A trajectory file cannot be read or has no known form."""

    code = "trajectory"


class EvidenceError(ErpbenchError):
    """A document cannot be rendered, e.g. the font lacks a letter."""

    code = "evidence"
