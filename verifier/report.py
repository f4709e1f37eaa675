"""The files a verdict becomes: reward.json, reward-details.json, verdict.json, trace.json and state-diff.json.

`build_*` makes the short ones as JSON objects, listings.py the long ones piece by piece; `write_reports` writes them
beside their place and renames, reward.json last.
"""

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from verifier.contract import TOTAL_POINTS
from verifier.criteria import Graded
from verifier.grading import Verdict
from verifier.listings import SCHEMA_VERSION, state_diff_text, trace_text

REWARD = "reward.json"


def build_reward(verdict: Verdict) -> dict[str, int | float]:
    """Flat numbers: reward 0 to 1, erp_score 0 to 100, strict 0 or 1, and the points earned in each category."""
    return {
        "reward": verdict.score / TOTAL_POINTS,
        "erp_score": verdict.score,
        "strict": int(verdict.strict),
        **verdict.categories,
    }


def build_details(verdict: Verdict) -> dict[str, Any]:
    """The shape that Harbor's viewer shows: one component a category, its criteria with weight and reasoning."""
    components = []
    for category, earned in verdict.categories.items():
        graded = [one for one in verdict.criteria if one.criterion.category == category]
        components.append(
            {
                "kind": "programmatic",
                "name": category,
                "score": earned / sum(one.criterion.points for one in graded),
                "criteria": [_detail(one) for one in graded],
            }
        )
    return {"reward": {"kind": "group", "score": verdict.score / TOTAL_POINTS, "components": components}}


def _detail(graded: Graded) -> dict[str, Any]:
    criterion = graded.criterion
    return {
        "name": f"{criterion.n:02d} {criterion.name}",
        "value": 1.0 if graded.holds else 0.0,
        "weight": criterion.points,
        "raw": graded.holds,
        "description": criterion.description,
        "reasoning": graded.seen,
    }


def build_verdict(verdict: Verdict) -> dict[str, Any]:
    """Each criterion with what was seen and what was expected."""
    return {
        "schema_version": SCHEMA_VERSION,
        "task_id": verdict.contract.task_id,
        "tenant": verdict.contract.tenant,
        "evidence": {"ok": verdict.fault is None, "code": verdict.fault, "reason": verdict.reason},
        "score": verdict.score,
        "strict": verdict.strict,
        "criteria": [
            {
                "n": graded.criterion.n,
                "name": graded.criterion.name,
                "category": graded.criterion.category,
                "description": graded.criterion.description,
                "points": graded.criterion.points,
                "earned": graded.earned,
                "verdict": "pass" if graded.holds else "fail",
                "seen": graded.seen,
                "expected": graded.expected,
                "how": graded.how,
            }
            for graded in verdict.criteria
        ],
    }


REPORTS: dict[str, Callable[[Verdict], Iterable[str]]] = {
    "state-diff.json": state_diff_text,
    "trace.json": trace_text,
    "verdict.json": lambda verdict: [_document(build_verdict(verdict))],
    "reward-details.json": lambda verdict: [_document(build_details(verdict))],
    REWARD: lambda verdict: [_document(build_reward(verdict))],
}


def _document(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def clear_reports(folder: str) -> None:
    """Remove the files of an earlier run, so that a failing one leaves no reward behind."""
    for name in REPORTS:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            os.unlink(path)


def write_reports(verdict: Verdict, folder: str) -> None:
    """All files; reward.json is renamed into place last, so that where it stands the others do."""
    for name, pieces in REPORTS.items():
        path = os.path.join(folder, name)
        with open(path + ".part", "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(pieces(verdict))
        os.replace(path + ".part", path)
