"""`harbor lint` with all rules over task directories. In: directories. Out: findings outside the listed exceptions."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.harbor.dataset import LINT_EXCEPTIONS
from generator.harbor.program import HarborError, harbor_program, lint_environment


@dataclass(frozen=True)
class LintReport:
    """findings are lines of what counts; set_aside counts, for each excepted rule, what it found."""

    findings: tuple[str, ...]
    set_aside: dict[str, int]


def lint_tasks(directories: Sequence[Path]) -> LintReport:
    """Raises HarborError if lint itself fails (exit code 2 or no JSON)."""
    command = [str(harbor_program()), "lint", "--extend-select", "ALL", "--json", *map(str, directories)]
    result = subprocess.run(command, env=lint_environment(), capture_output=True, text=True, check=False)
    try:
        found = json.loads(result.stdout or "[]")
    except ValueError:
        found = None
    if found is None or result.returncode not in (0, 1) or (result.returncode == 1 and not found):
        message = " ".join((result.stderr or result.stdout).split())[-300:]
        raise HarborError(f"harbor lint ended with {result.returncode}: {message}")
    set_aside = dict.fromkeys(LINT_EXCEPTIONS, 0)
    findings: list[str] = []
    for finding in found:
        if finding["rule"] in set_aside:
            set_aside[finding["rule"]] += 1
        else:
            findings.append(f"{finding['path']} [{finding['rule']}] {finding['message']}")
    return LintReport(tuple(findings), set_aside)
