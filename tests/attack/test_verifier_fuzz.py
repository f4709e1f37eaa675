"""The verifier under coverage-guided fuzzing: seven targets, each for some seconds, in a process of its own.

A target says what must hold for any input (tests/fuzz): damaged snapshots score 0 for a known reason or are graded, a
figure has the readings of a slow model, an answer counts exactly where a slow reading finds the right number. The long
run (ERPBENCH_ATTACK_LONG=1) takes five minutes a target.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack_table import Seen
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
LONG = os.environ.get("ERPBENCH_ATTACK_LONG") == "1"
SECONDS = 300 if LONG else 8
needs_atheris = pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="needs atheris (locks/dev.in has it for Linux on x86-64)"
)
FEWEST = {"numbers": 1000, "sentences": 100, "json": 100, "pages": 20, "rows": 20, "manifests": 20, "submissions": 20}
"""Inputs that a bounded run tries at least, on a machine that is busy with something else."""


@needs_atheris
@pytest.mark.attack("verifier", "fuzzing of {target}", expected="every input keeps what the target says", flaw=3)
@pytest.mark.parametrize("target", SEEDS)
def test_fuzzing(target: str, tmp_path: Path, seen: Seen) -> None:
    # A shell between: a process counts the memory of the one that it was forked from as its own peak.
    command = ["sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-m", "tests.fuzz", target]
    command += ["--seconds", str(SECONDS), "--out", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    told = done.stderr.decode("utf-8", errors="replace")
    tried = re.search(r"stat::number_of_executed_units:\s*(\d+)", told)
    memory = re.search(r"stat::peak_rss_mb:\s*(\d+)", told)
    assert done.returncode == 0, told[-3000:]
    assert tried is not None
    assert memory is not None
    seen(f"{tried[1]} inputs in {SECONDS} s, at most {memory[1]} MB")
    assert int(tried[1]) >= FEWEST[target]
    assert int(memory[1]) <= 200


@pytest.mark.parametrize("target", SEEDS)
def test_every_seed_keeps_what_its_target_says(target: str) -> None:
    """Without atheris too: the inputs that fuzzing starts from."""
    check = TARGETS[target]()
    for seed in SEEDS[target]:
        check(seed)
    assert len(SEEDS[target]) >= 3


def test_a_target_notices_a_figure_that_is_read_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.figures.LONGEST", 3)
    with pytest.raises(AssertionError, match="2757"):
        TARGETS["numbers"]()(b"\x02\x07\x05\x07\x0a\x06\x00")


def test_a_target_notices_a_verdict_beyond_the_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.grading.Verdict.score", 101)
    with pytest.raises(AssertionError):
        TARGETS["manifests"]()(b"{}")
