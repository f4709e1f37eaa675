"""Whether drawn facts make a fair case: gold and its mistakes come apart as the rules of the dataset want it.

In: a family's outcome function and task, a profile and facts. Out: a trial Case on the family's own records, and a
verdict on it. Drawing repeats until the verdict is good.
"""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from generator.families.base import Rows, TaskKind
from generator.spec.case import Case, Counterfactual, ExpectedRow, Judgement, Outcome
from generator.spec.tenant import Tenant, TenantProfile

OutcomeFunction = Callable[[Tenant, Any, Rows, Judgement], Outcome]


def master_rows(profile: TenantProfile) -> Rows:
    """The profile's masters as far as the outcomes of the trade families read them."""
    return {
        "items": [
            {"ItemNumber": item.number, "OrganizationCode": item.organization, "ListPrice": item.list_price}
            for item in profile.items
        ],
        "accounts": [{"AccountId": c.account, "CreditLimit": c.credit_limit} for c in profile.customers],
    }


def trial_case(
    family: str,
    kind: TaskKind,
    outcome: OutcomeFunction,
    records: Callable[[Tenant, Any], Rows],
    profile: TenantProfile,
    facts: Any,
) -> Case:
    """The case that the facts would make, without the other families: records gives the family's own rows."""
    tenant = Tenant(profile=profile, facts={family: facts})
    rows = {**master_rows(profile), **records(tenant, facts)}
    right = kind.judgement(tenant, facts)
    case = Case(
        task_id="trial",
        number=0,
        tenant=tenant,
        family=family,
        as_of=profile.as_of,
        facts=facts,
        sources=(),
        judgement=right,
        gold=outcome(tenant, facts, rows, right),
        counterfactuals=(),
    )
    wrong = tuple(
        Counterfactual(name, of_kind, subject, judgement, outcome(tenant, facts, rows, judgement))
        for name, of_kind, subject, judgement in kind.counterfactuals(case)
    )
    return dataclasses.replace(case, counterfactuals=wrong)


def unfair(case: Case, kind: TaskKind) -> Iterator[str]:
    """What is wrong with the case, in words; nothing where every mistake shows."""
    subjects = {c.subject for c in case.counterfactuals if c.kind == "wrong_source"}
    for wrong in case.counterfactuals:
        if wrong.kind == "ignored_rule":
            continue
        if case.gold.obstacle is not None and not wrong.outcome.writes:
            yield f"{wrong.name} declines too"
        if stands(case.gold, wrong.outcome):
            yield f"{wrong.name} leaves the right record standing"
        moved = [name for name, value in case.gold.answers.items() if wrong.outcome.answers[name] != value]
        needed = min(2, len(subjects)) if wrong.kind == "wrong_source" else 3
        independent = [name for name in moved if name not in kind.dependent]
        if len(moved) < needed or (wrong.kind != "wrong_source" and len(independent) < 2):
            yield f"{wrong.name} moves only {moved}"


def stands(gold: Outcome, wrong: Outcome) -> bool:
    """Whether all rows of the right record are among those of the wrong one, so that it would be taken for it."""
    if gold.primary is None or wrong.primary is None:
        return False
    return {_content(row) for row in gold.primary.rows} <= {_content(row) for row in wrong.primary.rows}


def _content(row: ExpectedRow) -> str:
    children = sorted(map(repr, row.children.rows)) if row.children else []
    return repr((row.key, sorted(row.row.items(), key=repr), children))
