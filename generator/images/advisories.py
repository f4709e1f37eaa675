"""Known vulnerabilities of what the locks pin. In: locks/*.lock, pip-audit. Out: an outcome for each lock.

pip-audit says "no known vulnerabilities" of a package that its service could not look up, too. So what counts is how
many packages were really looked up; where none was, the lock has not been audited, and the outcome says so.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.images.definition import PROJECT_ROOT
from generator.spec.errors import ErpbenchError

TIMEOUT_SECONDS = 300


class AdvisoryError(ErpbenchError):
    """pip-audit is not installed, or cannot be run on a lock."""

    code = "advisory"


@dataclass(frozen=True)
class LockOutcome:
    """findings are lines "package version: advisory, …"; skipped counts the packages that could not be looked up."""

    lock: str
    audited: int
    skipped: int
    findings: tuple[str, ...]

    @property
    def line(self) -> str:
        if not self.audited:
            return f"{self.lock}: not audited: no vulnerability service answers for its {self.skipped} packages"
        known = f"{len(self.findings)} with known vulnerabilities" if self.findings else "no known vulnerability"
        rest = f", {self.skipped} could not be looked up" if self.skipped else ""
        return f"{self.lock}: {self.audited} packages, {known}{rest}"


def audit_program(environment: Mapping[str, str] = os.environ, root: Path = PROJECT_ROOT) -> Path:
    """$PIP_AUDIT if it is set, else the one of .venv-audit. Raises AdvisoryError if there is none."""
    named = environment.get("PIP_AUDIT")
    found = shutil.which(named) if named else str(root / ".venv-audit" / "bin" / "pip-audit")
    if not found or not Path(found).is_file():
        raise AdvisoryError(f"{named or found}: no such program; `make pip-audit` installs it in .venv-audit")
    return Path(found)


def parse_outcome(lock: str, report: Mapping[str, Any]) -> LockOutcome:
    """pip-audit's JSON report as an outcome."""
    packages = report["dependencies"]
    skipped = sum("skip_reason" in package for package in packages)
    findings = tuple(
        f"{package['name']} {package['version']}: {', '.join(sorted(found['id'] for found in package['vulns']))}"
        for package in packages
        if package.get("vulns")
    )
    return LockOutcome(lock, len(packages) - skipped, skipped, findings)


def pinned_packages(lock: Path) -> int:
    return sum("==" in line and not line.startswith((" ", "#", "-")) for line in lock.read_text("utf-8").splitlines())


def audit_lock(program: Path, lock: Path) -> LockOutcome:
    """Raises AdvisoryError if pip-audit leaves no report for another reason than a service that does not answer."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [str(program), "--disable-pip", "--require-hashes", "--requirement", str(lock)]
        command += ["--format", "json", "--output", str(report), "--progress-spinner", "off"]
        try:
            result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return LockOutcome(lock.name, 0, pinned_packages(lock), ())
        if report.is_file() and report.stat().st_size:
            return parse_outcome(lock.name, json.loads(report.read_text(encoding="utf-8")))
    if "ServiceError" in result.stderr or "ConnectionError" in result.stderr or "timed out" in result.stderr:
        return LockOutcome(lock.name, 0, pinned_packages(lock), ())
    last = (result.stderr.strip().splitlines() or ["no message"])[-1]
    raise AdvisoryError(f"pip-audit on {lock.name} ended with {result.returncode}: {last}")


def audit_locks(program: Path, root: Path = PROJECT_ROOT) -> list[LockOutcome]:
    return [audit_lock(program, lock) for lock in sorted((root / "locks").glob("*.lock"))]
