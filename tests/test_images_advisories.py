"""Audits of the locks: what was not looked up is not called clean."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.images import commands
from generator.images.advisories import AdvisoryError, LockOutcome, audit_lock, audit_program, parse_outcome

SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI and could not be audited: click (8.5.1)"}
CLEAN = {"name": "mcp", "version": "2.3.0", "vulns": []}
KNOWN = {"name": "jinja2", "version": "2.11.2", "vulns": [{"id": "PYSEC-2021-66"}, {"id": "CVE-2024-22195"}]}


def test_a_package_that_was_not_looked_up_is_not_clean() -> None:
    outcome = parse_outcome("core.lock", {"dependencies": [SKIPPED, SKIPPED]})
    assert outcome == LockOutcome("core.lock", 0, 2, ())
    assert outcome.line == "core.lock: not audited: no vulnerability service answers for its 2 packages"


def test_findings_are_named() -> None:
    outcome = parse_outcome("core.lock", {"dependencies": [CLEAN, KNOWN, SKIPPED]})
    assert outcome.findings == ("jinja2 2.11.2: CVE-2024-22195, PYSEC-2021-66",)
    assert outcome.line == "core.lock: 2 packages, 1 with known vulnerabilities, 1 could not be looked up"
    assert parse_outcome("w.lock", {"dependencies": [CLEAN]}).line == "w.lock: 1 packages, no known vulnerability"


def program(folder: Path, body: str) -> Path:
    script = folder / "pip-audit"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return script


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "toy.lock"
    path.write_text("a==1 \\\n    --hash=sha256:00\n    # via b\nb==2 \\\n    --hash=sha256:01\n")
    return path


def test_a_report_is_read_whatever_the_exit_code(tmp_path: Path, lock: Path) -> None:
    report = json.dumps({"dependencies": [KNOWN]})
    body = f"while [ $1 != --output ]; do shift; done\necho '{report}' >$2\nexit 1"
    assert audit_lock(program(tmp_path, body), lock).findings == ("jinja2 2.11.2: CVE-2024-22195, PYSEC-2021-66",)


def test_a_service_that_does_not_answer_leaves_the_lock_unaudited(tmp_path: Path, lock: Path) -> None:
    body = "echo 'pip_audit._service.interface.ConnectionError: no route' >&2\nexit 1"
    assert audit_lock(program(tmp_path, body), lock) == LockOutcome("toy.lock", 0, 2, ())


def test_another_failure_is_an_error(tmp_path: Path, lock: Path) -> None:
    with pytest.raises(AdvisoryError, match=r"pip-audit on toy\.lock ended with 1: bad option"):
        audit_lock(program(tmp_path, "echo 'bad option' >&2; exit 1"), lock)


def test_a_missing_program_names_the_target_that_installs_it(tmp_path: Path) -> None:
    with pytest.raises(AdvisoryError, match="`make pip-audit` installs it"):
        audit_program({}, tmp_path)
    with pytest.raises(AdvisoryError, match="nowhere/pip-audit: no such program"):
        audit_program({"PIP_AUDIT": "nowhere/pip-audit"}, tmp_path)


@pytest.mark.parametrize(
    ("outcome", "words", "code"),
    [
        (LockOutcome("a.lock", 3, 0, ()), [], 0),
        (LockOutcome("a.lock", 0, 3, ()), [], 0),
        (LockOutcome("a.lock", 0, 3, ()), ["--strict"], 1),
        (LockOutcome("a.lock", 3, 0, ("b 1: CVE-1",)), [], 1),
    ],
)
def test_the_exit_code(monkeypatch: pytest.MonkeyPatch, outcome: LockOutcome, words: list[str], code: int) -> None:
    monkeypatch.setattr(commands, "audit_program", lambda: Path("pip-audit"))
    monkeypatch.setattr(commands, "audit_locks", lambda program: [outcome])
    result = CliRunner().invoke(commands.images, ["audit", *words])
    assert result.exit_code == code
    assert outcome.line in result.output
