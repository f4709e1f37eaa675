"""The qualification that a release is published with. In: dist/qualification. Out: its lines as rows.

A release is qualified by the run over its own dataset with its own code: each task's part carries a fingerprint of
both, which is worked out here again.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from generator.dataset import dataset_seed, read_lock
from generator.qualify.qualify import ALL_KINDS
from generator.qualify.qualify_command import PARTS, code_digest
from generator.release.bindings import ReleaseError

REPORT = "qualification.json"


def read_qualification(folder: Path, dataset: Path) -> list[dict[str, Any]]:
    """The rows of the table `qualification`.

    Raises ReleaseError if there is none, if it is of another dataset or of other code, or if a line does not hold.
    """
    check_origin(folder, dataset)
    return qualification_rows(folder)


def qualification_rows(folder: Path) -> list[dict[str, Any]]:
    """The lines of the report in their order. Raises ReleaseError unless there are any and every one holds."""
    report = _read(folder / REPORT)
    try:
        rows = [_row(number, line) for number, line in enumerate(report["lines"], start=1)]
    except (KeyError, TypeError) as error:
        raise ReleaseError(f"{folder / REPORT}: not a report of a qualification: {error!r}") from None
    broken = [row["episodes"] for row in rows if not row["holds"]]
    if broken or not rows:
        told = f"these lines do not hold: {', '.join(broken)}" if broken else "it has no lines"
        raise ReleaseError(f"{folder / REPORT}: {told}; only a qualified dataset is released")
    return rows


def check_origin(folder: Path, dataset: Path) -> None:
    """Raises ReleaseError for the first task whose part is missing or of another dataset, code or set of kinds."""
    seed, code = dataset_seed(dataset), code_digest()
    for task, locked in sorted(read_lock(dataset).items()):
        path = folder / PARTS / f"{task}.json"
        expected = hashlib.sha256(repr((locked["digest"], code, seed, ALL_KINDS)).encode()).hexdigest()
        if _read(path).get("fingerprint") != expected:
            raise ReleaseError(
                f"{path}: the qualification is of another dataset than {dataset} or of other code; run `make qualify`"
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ReleaseError(f"{path}: no such file; a release is qualified first: run `make qualify`") from None
    except ValueError as error:
        raise ReleaseError(f"{path}: cannot be read as JSON: {error}") from None
    if not isinstance(found, dict):
        raise ReleaseError(f"{path}: expected an object, came {type(found).__name__}")
    return found


def _row(number: int, line: dict[str, Any]) -> dict[str, Any]:
    return {
        "line": number,
        "episodes": line["name"],
        "count": line["episodes"],
        "must_show": line["must"],
        "came": line["came"],
        "holds": line["holds"] is True,
        "mean": line["mean"],
        "predecessor": line["theirs"],
    }
