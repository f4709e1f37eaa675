"""Task 001 played in its real world with some of the oracle's calls changed, and graded by its real contract.

In: changes. Out: the criteria that failed and the score, as an agent would get them.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from generator.qualify.script import Step, steps_of
from generator.tasks.plan import build_plan
from tests.contract_fixture import ANSWERS, OPTION
from tests.qualify_fixture import bench

__all__ = ["ANSWERS", "OPTION"]

DRAFT, POST, SUBMIT = "gmail.drafts.create", "slack.chat_postMessage", "erpbench.submit_answer"
LABEL = "Enter the accepted lines at the list prices in force and submit the order"
OTHER, OTHER_LABEL = "stop_and_escalate_batch", "Enter nothing and escalate the whole sheet"
OTHERS = ("import_accepted_lines_hold_for_credit", "import_all_lines_as_received", OTHER)
FIGURES = "Accepted lines: 5\nRejected lines: 3\nImported units: 3160\nOrder total: 2757.60\nDuplicate lines: 2\n"
DRAFT_TEXT = f"Proposal: {OPTION}\n{FIGURES}Order ${{primary}} waits for your review."
POST_TEXT = "Order ${primary} is submitted, the draft waits for review."


class Played:
    """One task to play on. Every method returns (failed criteria, score)."""

    def __init__(self, task: Path) -> None:
        self.bench = bench(task)
        self.oracle = steps_of(build_plan(self.bench.stage.case).calls)

    def grade(self, steps: Iterable[Step]) -> tuple[tuple[int, ...], int]:
        verdict = self.bench.finished(tuple(steps)).grade()
        return verdict.failed, verdict.score

    def draft(self, body: str) -> tuple[tuple[int, ...], int]:
        return self.grade(self.changed(DRAFT, body=body))

    def post(self, text: str) -> tuple[tuple[int, ...], int]:
        return self.grade(self.changed(POST, text=text))

    def changed(self, tool: str, **arguments: Any) -> list[Step]:
        """The oracle's steps with other arguments of one tool's calls."""
        return [
            dataclasses.replace(step, arguments={**step.arguments, **arguments}) if step.tool == tool else step
            for step in self.oracle
        ]

    def before(self, tool: str, *steps: Step) -> list[Step]:
        """The oracle's steps with others before the call of a tool."""
        place = next(number for number, step in enumerate(self.oracle) if step.tool == tool)
        return [*self.oracle[:place], *steps, *self.oracle[place:]]

    def submitting(self, *submissions: Step) -> list[Step]:
        """The oracle's steps with these submissions in the place of its own."""
        place = next(number for number, step in enumerate(self.oracle) if step.tool == SUBMIT)
        return [*self.oracle[:place], *submissions, *self.oracle[place + 1 :]]


def submission(answers: Mapping[str, Any], expect: Any = "ok") -> Step:
    return Step(SUBMIT, {"task_id": "erpbench-001", "answers": dict(answers)}, expect=expect)
