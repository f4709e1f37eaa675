"""All 52 tools under arguments drawn from their schemas: valid ones, nearly valid ones, and hostile ones.

A bounded run makes some ten thousand calls; ERPBENCH_ATTACK_LONG=1 makes at least two hundred thousand.
"""

import json
import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from erpbench_world import catalog
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from generator.qualify.episode import evidence, fresh_world
from generator.tasks.package import BASELINE, CONTRACT, PLAN
from tests.attack.world_calls import Calls, Drawn, Pool
from tests.attack.world_watch import Watch
from tests.attack_table import Seen
from verifier.grading import Grader, read_baseline

LONG = os.environ.get("ERPBENCH_ATTACK_LONG") == "1"
CALLS_A_WORLD = 50
WORLDS = 200
RUNS = 20 if LONG else 1


@pytest.mark.attack(
    "world",
    "fuzz: schema-drawn and hostile arguments to all 52 tools",
    expected="no internal error, nothing changed by a call that is not accepted, trace and chain whole, evidence read",
    flaw=3,
)
def test_arguments_drawn_from_the_schemas(rendered: Path, seen: Seen, capfd: pytest.CaptureFixture[str]) -> None:
    task = rendered / "erpbench-001"
    plans = [rendered / f"erpbench-{number:03}" / PLAN for number in range(1, 11)]
    pool = Pool(task, rendered / "erpbench-011", plans)
    contract = json.loads((task / CONTRACT).read_text(encoding="utf-8"))
    grader = Grader(contract, read_baseline(task / BASELINE))
    calls = Calls(catalog.load(), pool)
    invoice = pool.right["oracle_fusion.invoices.create"][0]
    opening = (Drawn("oracle_fusion", "oracle_fusion.invoices.create", invoice),)  # without it none could be held
    counts: Counter[str] = Counter()
    accepted: set[str] = set()

    def play(drawn: list[Drawn]) -> None:
        with tempfile.TemporaryDirectory() as data, fresh_world(task, Path(data)) as world:
            watch = Watch(world)
            for call in (*opening, *drawn):
                watch.call(call)
            verdict = grader.grade_evidence(evidence(world))
            assert verdict.fault is None, f"the verifier refuses the evidence: {verdict.reason}"
        counts.update(watch.counts)
        accepted.update(watch.accepted)

    # Each run forgets what the one before has drawn, which hypothesis keeps in memory.
    for run in range(RUNS):
        bounds = settings(
            max_examples=WORLDS,
            deadline=None,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        drawn = given(st.lists(calls.any(), min_size=CALLS_A_WORLD, max_size=CALLS_A_WORLD))
        seed(run)(bounds(drawn(play)))()
        with capfd.disabled():
            print(f"fuzz: {counts.total():,} calls", flush=True)
    assert capfd.readouterr().err == ""
    total = counts.total()
    assert total >= RUNS * WORLDS * CALLS_A_WORLD
    writes = {spec.name for spec in catalog.load().tools if spec.writes}
    assert set(accepted) == writes, writes - accepted
    told = ", ".join(f"{counts[outcome]:,} {outcome}" for outcome in ("ok", "refused", "invalid", "unknown_tool"))
    seen(f"{total:,} calls: {told}; {len(accepted)} of {len(writes)} writing tools got to write")
