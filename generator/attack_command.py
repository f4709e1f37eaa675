"""`erpbench attack`: run the attacks and print the table. In: tests marked as attacks. Out: dist/attack/ and a code."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from generator.attack.table import REPORT, Attack, read_attacks, write_tables
from generator.images.definition import PROJECT_ROOT
from generator.qualify.console import wide_console


def attack_command(places: Sequence[str], containers: bool, long: bool, out: Path) -> int:
    """Run the attacks on the places named (all if none), with or without real containers; 0 if every one is held.

    A skipped attack counts as not held: where containers are asked for they must be there.
    """
    console = wide_console()
    marks = "attack" if containers else "attack and not engine"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "rows.jsonl"
        report.touch()
        limits = {"ERPBENCH_ATTACK_LONG": "1"} if long else {}
        environment = {**os.environ, REPORT: str(report), "ERPBENCH_ATTACK_PLACES": ",".join(places), **limits}
        command = [sys.executable, "-m", "pytest", "tests", "-m", marks]
        code = subprocess.run(command, cwd=PROJECT_ROOT, env=environment, check=False).returncode
        attacks = read_attacks(report)
    write_tables(attacks, out)
    console.print(overview(attacks))
    counted = Counter(row.outcome for row in attacks)
    told = ", ".join(f"{counted[outcome]} {outcome}" for outcome in ("held", "failed", "skipped") if counted[outcome])
    console.print(f"attack: {len(attacks)} attacks: {told or 'none ran'}; {out}", highlight=False)
    return 0 if code == 0 and attacks and set(counted) == {"held"} else 1


def overview(attacks: Sequence[Attack]) -> Table:
    table = Table(title="attacks")
    for name in ("where", "attack", "expected", "seen", ""):
        table.add_column(name, overflow="fold")
    for row in attacks:
        table.add_row(*(escape(cell) for cell in (row.place, row.attack, row.expected, row.seen, row.outcome)))
    return table
