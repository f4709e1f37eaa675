"""State checks that several families share: a record that was created or changed, and a request that was declined."""

from collections.abc import Sequence

from generator.families.base import StateChecks
from generator.spec.case import Case
from generator.spec.contract import All, Check, Route, Rows, Same, Scope, Seen

# Every table of ERP records that the world's writes can change. Prices, workers and holds are guarded by containment
# unless
# they are the task's own.
GUARDED_TABLES = ("items", "item_prices", "workers", "invoice_holds")
ERP_TABLES = (
    "sales_orders",
    "sales_order_lines",
    "shipment_lines",
    "receivables_invoices",
    "standard_receipts",
    "remittance_references",
    "purchase_order_lines",
    "purchase_requisitions",
    "purchase_requisition_lines",
    "receiving_receipt_requests",
    "receiving_receipt_lines",
    "invoices",
    "invoice_lines",
    "document_records",
    "absences",
    *GUARDED_TABLES,
)


def executed(primary: Check, secondary: Check, owned: Sequence[Scope]) -> StateChecks:
    """The checks of a task that is carried out: the record that was written is read back after the last write to it."""
    return StateChecks(
        primary=primary,
        secondary=secondary,
        readback=Seen(any=(("$primary",),), after_write=True),
        owned=tuple(owned),
    )


def declined(case: Case, primary_tables: Sequence[str], concerned: Sequence[Route]) -> StateChecks:
    """The checks of a task that is to be declined: nothing may change, and that counts only with the recorded decision.

    primary_tables are those that carrying it out would write to; concerned are routes to the records that the
    request is
    about, which are read after the decision was recorded.
    """
    others = tuple(table for table in ERP_TABLES if table not in (*primary_tables, *GUARDED_TABLES))
    return StateChecks(
        primary=All(of=(_decision(case, "decision", case.gold.option), Same(tables=tuple(primary_tables)))),
        secondary=All(of=(_decision(case, "status", case.gold.status), Same(tables=others))),
        readback=Seen(any=tuple(concerned), after_key=("decisions", case.task_id)),
        owned=tuple(Scope(table=table) for table in (*primary_tables, *others)),
    )


def _decision(case: Case, column: str, value: str) -> Rows:
    return Rows(table="decisions", key=case.task_id, row={column: value})
