"""A rendered task with its case, grader and stage, and single episodes played on it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from generator.qualify.controls import Stage
from generator.qualify.episode import fresh_world
from generator.qualify.finished import Finished
from generator.qualify.qualify import cases
from generator.qualify.script import Step, in_process, run_script, steps_of
from generator.spec.streams import RELEASE_SEED
from generator.tasks.criteria import build_contract
from generator.tasks.package import BASELINE, CONTRACT
from generator.tasks.plan import build_plan
from verifier.grading import Grader, read_baseline


@dataclass(frozen=True)
class Bench:
    """One task, ready to be played on."""

    task: Path
    grader: Grader
    stage: Stage

    def finished(self, steps: tuple[Step, ...]) -> Finished:
        with fresh_world(self.task) as world:
            run_script(in_process(world), steps)
            with closing(sqlite3.connect(world.database)) as db:
                return Finished.of(self.grader, db)

    def failed(self, steps: tuple[Step, ...]) -> set[int]:
        return set(self.finished(steps).grade().failed)

    def oracle(self) -> Finished:
        return self.finished(steps_of(build_plan(self.stage.case).calls))


@lru_cache(maxsize=8)
def bench(task: Path) -> Bench:
    known = cases(RELEASE_SEED)
    case = known[task.name]
    raw = json.loads((task / CONTRACT).read_text(encoding="utf-8"))
    baseline = read_baseline(task / BASELINE)
    foreign = known[f"erpbench-{case.number % 100 + 10:03d}"] if case.number <= 90 else known["erpbench-001"]
    contract = build_contract(case, raw["baseline_sha256"])
    return Bench(task, Grader(raw, baseline), Stage(case, contract, baseline.state, foreign))
