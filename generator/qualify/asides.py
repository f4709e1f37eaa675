"""Calls beside the task that do no harm: reads that nobody asked for, and slips that the world turns down.

In: a case. Out: steps that fit anywhere before the submission.
"""

from generator.qualify.script import Step
from generator.spec.case import Case

ERP = "oracle_fusion."


def idle_reads(case: Case) -> tuple[Step, ...]:
    profile = case.tenant.profile
    return (
        Step(f"{ERP}items.list", {}),
        Step(f"{ERP}suppliers.list", {"q": "SupplierStatus = 'Active'"}),
        Step(f"{ERP}workers.list", {}),
        Step(f"{ERP}shipments.list", {"q": ""}),
        Step(f"{ERP}purchase_orders.list", {}),
        Step(f"{ERP}standard_receipts.list", {}),
        Step("gmail.messages.list", {"q": ""}),
        Step("gmail.messages.list", {"q": "subject:policy"}),
        Step("google_drive.files.list", {"q": ""}),
        Step("google_drive.files.list", {"q": "mimeType = 'text/csv'"}),
        Step("slack.search_messages", {"query": "review"}),
        Step("slack.conversations_history", {"channel": profile.channel}),
        Step("google_sheets.spreadsheets.values.get", {"spreadsheetId": profile.workbook.id, "range": "Customers"}),
        Step("erpbench.get_task", {"task_id": case.task_id}),
    )


def slips(task: str) -> tuple[Step, ...]:
    """An argument forgotten, a field that is not there, a text for a list, a tool that nobody has."""
    return (
        Step("erpbench.record_decision", {"task_id": task}, expect="invalid"),
        Step(f"{ERP}items.list", {"q": "Colour='red'"}, expect="invalid"),
        Step(f"{ERP}sales_orders.create", {"task_id": task, "lines": "five"}, expect="invalid"),
        Step(f"{ERP}banks.list", {}, expect="unknown_tool"),
    )
