"""The rules that make a task fair and hard, on a Case: each returns what is wrong, in words; nothing when it holds.

A state is what an outcome commits to the ERP: its writes without free text. Two answers are independent when neither
follows from the others (TaskKind.dependent names those that do).
"""

import json
from collections.abc import Mapping
from typing import Any

from generator.families import family
from generator.spec.case import Case, Counterfactual, Outcome
from generator.tasks.plan import to_json

FREE_TEXT = ("Comments", "Description", "Justification", "HoldReason")
AS_RECEIVED, DECLINE = 2, 3  # positions among a family's options


def case_problems(case: Case) -> list[str]:
    """Every rule on one case."""
    return [f"{case.task_id} ({case.family}): {problem}" for rule in RULES for problem in rule(case)]


def state_of(outcome: Outcome) -> str:
    """The committed state in one text: the writes in any order, lines in any order, without free text."""
    return json.dumps(sorted(json.dumps(_plain(to_json(w.arguments)), sort_keys=True) + w.tool for w in outcome.writes))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if key not in FREE_TEXT}
    if isinstance(value, list):
        return sorted((_plain(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
    return value


def differing(case: Case, outcome: Outcome) -> list[str]:
    """Names of the answers in which the outcome differs from gold."""
    return [name for name, value in case.gold.answers.items() if outcome.answers[name] != value]


def has_a_gold_option(case: Case) -> list[str]:
    options = [option.id for option in _kind(case).options]
    if case.gold.option not in options or case.gold.option == options[AS_RECEIVED]:
        return [f"gold option {case.gold.option} is not one that can be right"]
    if (case.gold.option == options[DECLINE]) is not (case.gold.obstacle is not None and not case.gold.writes):
        return ["a declining gold has an obstacle and no write, any other has writes"]
    return []


def mistakes_change_the_state(case: Case) -> list[str]:
    gold = state_of(case.gold)
    return [f"{c.name} ({c.kind}) commits what gold commits" for c in _mistakes(case) if state_of(c.outcome) == gold]


def superseded_sources_move_an_answer(case: Case) -> list[str]:
    wrong = [c for c in case.counterfactuals if c.kind == "wrong_source"]
    needed = 2 if len({c.subject for c in wrong}) > 1 else 1
    problems = [
        f"{c.name}: {len(differing(case, c.outcome))} answers differ, expected {needed}"
        for c in wrong
        if len(differing(case, c.outcome)) < needed
    ]
    return problems or ([] if wrong else ["no superseded source"])


def wrong_targets_and_receipts_move_three_answers(case: Case) -> list[str]:
    kind = _kind(case)
    problems = []
    for kind_of_mistake in ("wrong_target", "as_received"):
        found = [c for c in case.counterfactuals if c.kind == kind_of_mistake]
        problems += [] if found else [f"no {kind_of_mistake}"]
        for counterfactual in found:
            moved = differing(case, counterfactual.outcome)
            independent = [name for name in moved if name not in kind.dependent]
            if len(moved) < 3 or len(independent) < 2:
                problems.append(f"{counterfactual.name}: answers that differ are {', '.join(moved) or 'none'}")
    return problems


def received_is_the_received_option(case: Case) -> list[str]:
    received = _kind(case).options[AS_RECEIVED]
    return [
        f"{c.name} chooses {c.outcome.option}"
        for c in case.counterfactuals
        if c.kind == "as_received" and (c.outcome.option, c.outcome.status) != (received.id, received.status)
    ]


def mistakes_execute_what_is_to_be_declined(case: Case) -> list[str]:
    if case.gold.obstacle is None:
        return []
    return [
        f"{c.name} declines too" for c in case.counterfactuals if c.outcome.obstacle is not None or not c.outcome.writes
    ]


def targets_are_told_apart(case: Case) -> list[str]:
    """The decoy's writes touch none of the records that gold's writes name."""
    decoy = [c for c in case.counterfactuals if c.kind == "wrong_target"]
    return [f"{c.name} writes gold's records" for c in decoy if c.outcome.primary == case.gold.primary]


def _mistakes(case: Case) -> list[Counterfactual]:
    return [c for c in case.counterfactuals if c.kind in ("wrong_source", "wrong_target", "as_received")]


def _kind(case: Case) -> Any:
    return family(case.family).task


RULES = (
    has_a_gold_option,
    mistakes_change_the_state,
    superseded_sources_move_an_answer,
    wrong_targets_and_receipts_move_three_answers,
    received_is_the_received_option,
    mistakes_execute_what_is_to_be_declined,
    targets_are_told_apart,
)
