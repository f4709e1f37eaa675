"""The files a verdict becomes: reward.json, reward-details.json, verdict.json, trace.json and state-diff.json.

`build_*` makes each as a JSON object; `write_reports` writes them beside their place and renames, reward.json last.
"""

import json
import os
from typing import Any

from verifier.contract import TOTAL_POINTS
from verifier.criteria import Graded
from verifier.episode import Cells, Episode
from verifier.grading import Verdict
from verifier.jsontext import plain

SCHEMA_VERSION = 1
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


def build_trace(verdict: Verdict) -> dict[str, Any]:
    """The calls in order; none where the evidence was not usable."""
    entries = verdict.episode.trace.entries if verdict.episode else ()
    calls = [
        {
            "index": entry.idx,
            "server": entry.server,
            "tool": entry.tool,
            "arguments": plain(entry.argument_values()),
            "outcome": entry.outcome,
            "error": entry.error,
            "saw": [list(record) for record in entry.saw],
            "wrote": [list(record) for record in entry.wrote],
        }
        for entry in entries
    ]
    return {"schema_version": SCHEMA_VERSION, "task_id": verdict.contract.task_id, "calls": calls}


def build_state_diff(verdict: Verdict) -> dict[str, Any]:
    """For each table that differs the rows added, removed and changed; amounts in ten-thousandths, as stored."""
    episode = verdict.episode
    tables: dict[str, Any] = {}
    if episode is not None:
        for table, difference in episode.changes.items():
            tables[table] = {
                "added": [{"key": key, "row": episode.after(table, key)} for key in difference.added],
                "removed": [{"key": key, "row": episode.before(table, key)} for key in difference.removed],
                "changed": [_change(episode, table, key) for key in difference.changed],
            }
    return {"schema_version": SCHEMA_VERSION, "task_id": verdict.contract.task_id, "tables": tables}


def _change(episode: Episode, table: str, key: str) -> dict[str, Any]:
    before: Cells = episode.before(table, key) or {}
    after: Cells = episode.after(table, key) or {}
    columns = [column for column in after if before[column] != after[column]]
    return {
        "key": key,
        "before": {name: before[name] for name in columns},
        "after": {name: after[name] for name in columns},
    }


BUILDERS = {
    "state-diff.json": build_state_diff,
    "trace.json": build_trace,
    "verdict.json": build_verdict,
    "reward-details.json": build_details,
    REWARD: build_reward,
}


def clear_reports(folder: str) -> None:
    """Remove the files of an earlier run, so that a failing one leaves no reward behind."""
    for name in BUILDERS:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            os.unlink(path)


def write_reports(verdict: Verdict, folder: str) -> None:
    """All files; reward.json is renamed into place last, so that where it stands the others do."""
    for name, build in BUILDERS.items():
        text = json.dumps(build(verdict), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
        path = os.path.join(folder, name)
        with open(path + ".part", "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
        os.replace(path + ".part", path)
