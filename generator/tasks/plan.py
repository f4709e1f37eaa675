"""The oracle's plan: what an analyst who gets everything right does, call by call, compiled from an outcome.

The same builder makes the plan of a wrong outcome (a control), which reads, writes, hands off, reads back and
submits as
that mistaken worker would.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from generator.spec.case import Case, Outcome
from generator.spec.plan import OraclePlan, PlanCall, Stage
from generator.tasks import terms
from generator.tasks.room import memo_id, request_id
from generator.tasks.view import json_number, plain, register_range, task_kind


def build_plan(case: Case, outcome: Outcome | None = None) -> OraclePlan:
    """The whole episode of the outcome; the gold one by default."""
    outcome = case.gold if outcome is None else outcome
    calls = (
        *scope_calls(case),
        *task_kind(case).read_calls(case),
        *write_calls(case, outcome),
        *handoff_calls(case, outcome),
        *task_kind(case).readback(case),
        *readback_calls(case),
        *submit_calls(case, outcome),
    )
    return OraclePlan(canary=terms.CANARY, task_id=case.task_id, calls=calls)


def scope_calls(case: Case) -> tuple[PlanCall, ...]:
    profile = case.tenant.profile
    return (
        _call("scope", "erpbench.get_task", task_id=case.task_id),
        _call("investigate", "gmail.messages.get", id=request_id(case)),
        _call("investigate", "gmail.messages.get", id=memo_id(case)),
        _call("investigate", "slack.conversations_history", channel=profile.channel),
        _call(
            "investigate",
            "google_sheets.spreadsheets.values.get",
            spreadsheetId=profile.workbook.id,
            range="Register!A1:H40",
        ),
    )


def write_calls(case: Case, outcome: Outcome) -> tuple[PlanCall, ...]:
    return tuple(
        PlanCall(
            stage="execute",
            tool=write.tool,
            arguments={"task_id": case.task_id, **to_json(write.arguments)},
            keep=dict(write.keep),
        )
        for write in outcome.writes
    )


def handoff_calls(case: Case, outcome: Outcome) -> tuple[PlanCall, ...]:
    profile = case.tenant.profile
    name = primary_name(outcome)
    figures = [json_number(value) for value in outcome.answers.values()]
    return (
        _call(
            "handoff",
            "google_sheets.spreadsheets.values.update",
            task_id=case.task_id,
            spreadsheetId=profile.workbook.id,
            range=register_range(case),
            valueInputOption="RAW",
            values=[[name, outcome.option, *figures, outcome.operative]],
        ),
        _call(
            "decide",
            "erpbench.record_decision",
            task_id=case.task_id,
            decision=outcome.option,
            status=outcome.status,
            primary_record=name,
            rationale=_rationale(case, outcome),
            source_refs=[outcome.operative, *outcome.cited, request_id(case), memo_id(case)],
        ),
        PlanCall(
            stage="handoff",
            tool="gmail.drafts.create",
            arguments={
                "task_id": case.task_id,
                "to": profile.person("operations_lead").email,
                "subject": f"For review: {case.task_id}",
                "body": _draft(case, outcome, name),
            },
            keep={"draft": "id"},
        ),
        _call(
            "handoff",
            "slack.chat_postMessage",
            task_id=case.task_id,
            channel=profile.channel,
            text=f"{case.task_id}: {outcome.status}, {outcome.obstacle or name}. The draft is ready for review.",
            review_status="draft_for_review",
        ),
    )


def readback_calls(case: Case) -> tuple[PlanCall, ...]:
    profile = case.tenant.profile
    return (
        _call(
            "verify",
            "google_sheets.spreadsheets.values.get",
            spreadsheetId=profile.workbook.id,
            range=register_range(case),
        ),
        _call("verify", "erpbench.get_decision", task_id=case.task_id),
        _call("verify", "gmail.drafts.get", id="${draft}"),
        _call("verify", "slack.conversations_history", channel=profile.channel, task_id=case.task_id),
    )


def submit_calls(case: Case, outcome: Outcome) -> tuple[PlanCall, ...]:
    answers: dict[str, Any] = {name: json_number(value) for name, value in outcome.answers.items()}
    answers["decision"], answers["status"] = outcome.option, outcome.status
    return (
        _call("submit", "erpbench.submit_answer", task_id=case.task_id, answers=answers),
        _call("verify", "erpbench.get_submission", task_id=case.task_id),
    )


def primary_name(outcome: Outcome) -> str:
    """How the plan speaks of the primary record: a variable, a literal of the evidence, or NONE."""
    if outcome.primary is None:
        return terms.NO_RECORD
    how, what = outcome.primary.name
    return "${primary}" if how == "column" else what


def to_json(value: Any) -> Any:
    """The value with Decimals as JSON numbers."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {key: to_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(inner) for inner in value]
    return value


def _call(stage: Stage, tool: str, **arguments: Any) -> PlanCall:
    return PlanCall(stage=stage, tool=tool, arguments=arguments)


def _rationale(case: Case, outcome: Outcome) -> str:
    reason = f"; {outcome.obstacle} stands in the way" if outcome.obstacle else ""
    return f"The sources in force support {outcome.option}, worked out from {outcome.operative}{reason}."


def _draft(case: Case, outcome: Outcome, name: str) -> str:
    figures = "\n".join(f"{field.replace('_', ' ')}: {plain(value)}" for field, value in outcome.answers.items())
    record = f"Not executed: {outcome.obstacle}." if outcome.obstacle else f"Record: {name}."
    return (
        f"{case.tenant.profile.company}, {case.task_id}\n\n"
        f"Decision: {outcome.option} ({outcome.status}).\n{figures}\n{record}\n"
        f"Worked from {outcome.operative}. This is a draft for review; nothing has been sent.\n"
    )
