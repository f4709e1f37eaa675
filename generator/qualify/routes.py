"""Calls that show a record: the ways by which an agent may come to read what an investigation wants.

In: records of a route, as the trace keys them, and the untouched world. Out: steps that return these, one call a record
or one for several. It knows which tool shows which table and by which field.
"""

from collections.abc import Iterable
from random import Random

from generator.qualify.script import DOWNLOAD, Step
from generator.spec.case import Case
from generator.tasks.room import thread_messages
from verifier.tables import State
from verifier.trace import Record

ERP = "oracle_fusion."
# Table: the tool that lists it, and the fields of q that its key's parts go by.
LISTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "items": (f"{ERP}items.list", ("ItemId",)),
    "sales_orders": (f"{ERP}sales_orders.list", ("OrderNumber",)),
    "sales_order_lines": (f"{ERP}sales_orders.list", ("OrderNumber", "")),
    "shipments": (f"{ERP}shipments.list", ("Shipment",)),
    "shipment_lines": (f"{ERP}shipment_lines.list", ("ShipmentLine",)),
    "receivables_invoices": (f"{ERP}receivables_invoices.list", ("CustomerTransactionId",)),
    "standard_receipts": (f"{ERP}standard_receipts.list", ("StandardReceiptId",)),
    "onhand_balances": (f"{ERP}onhand_balances.list", ("OrganizationCode", "ItemNumber", "SubinventoryCode")),
    "suppliers": (f"{ERP}suppliers.list", ("SupplierNumber",)),
    "purchase_orders": (f"{ERP}purchase_orders.list", ("OrderNumber",)),
    "purchase_order_lines": (f"{ERP}purchase_orders.list", ("OrderNumber", "")),
    "receiving_receipt_requests": (f"{ERP}receiving_receipt_requests.list", ("ReceiptNumber",)),
    "invoices": (f"{ERP}invoices.list", ("InvoiceId",)),
    "workers": (f"{ERP}workers.list", ("PersonNumber",)),
    "document_records": (f"{ERP}document_records.list", ("DocumentRecordId",)),
    "absences": (f"{ERP}absences.list", ("AbsenceId",)),
}
# Tools that show one record by its key, for tables that have such a tool.
SINGLE: dict[str, tuple[str, str]] = {
    "mail": ("gmail.messages.get", "id"),
    "accounts": (f"{ERP}customer_account_activities.get", "AccountId"),
    "sales_orders": (f"{ERP}sales_orders.get", "OrderKey"),
    "sales_order_lines": (f"{ERP}sales_orders.get", "OrderKey"),
    "purchase_orders": (f"{ERP}purchase_orders.get", "purchaseOrdersUniqID"),
    "purchase_order_lines": (f"{ERP}purchase_order_lines.list", "purchaseOrdersUniqID"),
}


def steps_to(case: Case, baseline: State, records: Iterable[Record], rng: Random) -> list[Step]:
    """Calls that together show the records, each the one or the other way."""
    steps: list[Step] = []
    whole: set[str] = set()
    for table, key in records:
        if table in LISTED and (table in whole or rng.random() < 0.2):
            whole.add(table)
            steps.append(Step(LISTED[table][0], {}))
        else:
            steps.append(_step(case, baseline, table, key, rng))
    return list({repr(step): step for step in steps}.values())


def _step(case: Case, baseline: State, table: str, key: str, rng: Random) -> Step:
    profile = case.tenant.profile
    if table == "contracts":
        return Step("erpbench.get_task", {"task_id": case.task_id})
    if table == "cells":
        arguments = {"spreadsheetId": profile.workbook.id, "range": key}
        return Step("google_sheets.spreadsheets.values.get", arguments)
    if table == "slack_messages":
        held = baseline["slack_messages"]
        channel = held.cell(held.rows[key], "channel")
        history = Step("slack.conversations_history", {"channel": channel})
        if int(key) not in thread_messages(case):
            return history
        narrow = Step("slack.conversations_history", {"channel": channel, "task_id": case.task_id})
        return rng.choice((history, narrow, Step("slack.search_messages", {"query": case.task_id})))
    if table == "drive_content":
        return Step(DOWNLOAD, {"fileId": key}, native=rng.random() < 0.3)
    if table == "drive_meta":
        held = baseline["drive_files"]
        name = held.cell(held.rows[key], "name")
        by_name = Step("google_drive.files.list", {"q": f"name = '{name}' and trashed = false"})
        return rng.choice((by_name, Step("google_drive.files.get", {"fileId": key})))
    if table in SINGLE and (table not in LISTED or rng.random() < 0.5):
        tool, argument = SINGLE[table]
        return Step(tool, {argument: key.split("/")[0] if table.endswith("_lines") else key})
    tool, fields = LISTED[table]
    parts = zip(fields, key.split("/"), strict=True)
    return Step(tool, {"q": " and ".join(f"{field}='{part}'" for field, part in parts if field)})
