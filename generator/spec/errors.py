"""Errors a user can cause. The command line prints the message and exits with 2; no traceback."""


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
