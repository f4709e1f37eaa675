"""What ERP writes leave behind, worked out from their arguments and the untouched world alone.

In: writes of an outcome and the baseline. Out: an Aftermath, the rows added and changed. It knows what each write tool
does to which tables, shares no code with the world, and so tells beforehand what the world should look like.
Cells are as the database has them: money in ten-thousandths, flags 0 and 1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.spec.case import Write
from generator.spec.plan import resolve
from verifier.tables import State

Cells = dict[str, Any]
UNITS = 10_000
FREE_TEXT = ("Comments", "Description", "Justification", "HoldReason")
CHILDREN = {
    "sales_orders": ("sales_order_lines", "OrderNumber"),
    "standard_receipts": ("remittance_references", "StandardReceiptId"),
    "purchase_requisitions": ("purchase_requisition_lines", "Requisition"),
    "receiving_receipt_requests": ("receiving_receipt_lines", "ReceiptNumber"),
    "invoices": ("invoice_lines", "InvoiceId"),
}


@dataclass(frozen=True)
class Effect:
    """A row that was added (before is None) or changed."""

    table: str
    key: str
    before: Cells | None
    after: Cells

    @property
    def added(self) -> bool:
        return self.before is None

    @property
    def versions(self) -> tuple[Cells, ...]:
        return (self.after,) if self.before is None else (self.before, self.after)


class Aftermath:
    """The untouched world with the rows that writes put over it. Keys of added rows are made up: new-1, new-2, …"""

    def __init__(self, baseline: State, today: str) -> None:
        self.baseline = baseline
        self.today = today
        self._over: dict[tuple[str, str], Cells] = {}
        self._made = 0

    def carry_out(self, writes: Sequence[Write]) -> "Aftermath":
        variables: dict[str, str] = {}
        for write in writes:
            key = TOOLS[write.tool](self, dict(resolve(write.arguments, variables)))
            variables.update(dict.fromkeys(write.keep, key))
        return self

    def row(self, table: str, key: str) -> Cells | None:
        return self._over.get((table, key)) or self._before(table, key)

    def _before(self, table: str, key: str) -> Cells | None:
        held = self.baseline[table]
        row = held.rows.get(key)
        return None if row is None else dict(zip(held.shape.columns, row, strict=True))

    def where(self, table: str, **columns: Any) -> Iterator[tuple[str, Cells]]:
        """Rows of the table as they stand, with these values."""
        keys = [key for held, key in self._over if held == table]
        for key in dict.fromkeys([*self.baseline[table].rows, *keys]):
            row = self.row(table, key)
            if row is not None and all(row.get(name) == value for name, value in columns.items()):
                yield key, row

    def add(self, table: str, row: Mapping[str, Any], key: str | None = None) -> str:
        if key is None:
            self._made += 1
            key = f"new-{self._made}"
        self._over[table, key] = stored(row)
        return key

    def change(self, table: str, key: str, changes: Mapping[str, Any]) -> None:
        row = self.row(table, key)
        if row is None:
            raise KeyError(f"{table} {key}")
        self._over[table, key] = {**row, **stored(changes)}

    def effects(self) -> tuple[Effect, ...]:
        """What differs from the untouched world."""
        found = (Effect(table, key, self._before(table, key), row) for (table, key), row in self._over.items())
        return tuple(effect for effect in found if effect.before != effect.after)


def stored(row: Mapping[str, Any]) -> Cells:
    return {name: _cell(name, value) for name, value in row.items() if not isinstance(value, list | tuple)}


def _cell(name: str, value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value * UNITS)
    if isinstance(value, bool):
        return int(value)
    if name in FREE_TEXT and value is not None:
        return "text" if str(value).strip() else ""
    return value


def _create(after: Aftermath, table: str, header: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> str:
    key = after.add(table, header)
    child, column = CHILDREN[table]
    for line in lines:
        after.add(child, {**line, column: key})
    return key


def _sales_order(after: Aftermath, given: Cells) -> str:
    status = "Booked" if given["SubmittedFlag"] else "Draft"
    return _create(after, "sales_orders", {**given, "StatusCode": status}, given.get("lines") or ())


def _shipment_line(after: Aftermath, given: Cells) -> str:
    key = str(given["ShipmentLine"])
    comments = {"Comments": given["Comments"]} if given.get("Comments") else {}
    after.change("shipment_lines", key, {"ShippedQuantity": given["ShippedQuantity"], **comments})
    return key


def _receipt(after: Aftermath, given: Cells) -> str:
    references = given["remittanceReferences"]
    key = _create(after, "standard_receipts", given, references)
    for reference in references:
        for number, row in after.where("receivables_invoices", TransactionNumber=reference["ReferenceNumber"]):
            memo = reference["ReferenceType"] == "Credit Memo"
            balance = row["InvoiceBalanceAmount"] + int(reference["ApplyAmount"] * UNITS) * (1 if memo else -1)
            status = "Open" if (-balance if row["TransactionClass"] == "Credit Memo" else balance) > 0 else "Closed"
            after.change("receivables_invoices", number, {"InvoiceBalanceAmount": balance, "InvoiceStatus": status})
    return key


def _requisition(after: Aftermath, given: Cells) -> str:
    return _create(after, "purchase_requisitions", {**given, "DocumentStatus": "Incomplete"}, given["lines"])


def _submission(after: Aftermath, given: Cells) -> str:
    key = str(given["purchaseRequisitionsUniqID"])
    after.change("purchase_requisitions", key, {"DocumentStatus": "Pending Approval"})
    return key


def _delivery(after: Aftermath, given: Cells) -> str:
    vendor = given.get("VendorName")
    for line in given["lines"]:
        vendor = vendor or (after.row("purchase_orders", line["DocumentNumber"]) or {})["Supplier"]
        _add_to(after, line["DocumentNumber"], line["DocumentLineNumber"], "ReceivedQuantity", line["Quantity"])
    return _create(after, "receiving_receipt_requests", {**given, "VendorName": vendor}, given["lines"])


def _invoice(after: Aftermath, given: Cells) -> str:
    for line in given["invoiceLines"]:
        if line.get("PurchaseOrderNumber"):
            order, number = line["PurchaseOrderNumber"], line["PurchaseOrderLineNumber"]
            _add_to(after, order, number, "BilledQuantity", line["Quantity"])
    return _create(after, "invoices", {**given, "ValidationStatus": "Not validated"}, given["invoiceLines"])


def _add_to(after: Aftermath, order: str, line: int, column: str, quantity: int) -> None:
    key = f"{order}/{line}"
    row = after.row("purchase_order_lines", key) or {}
    after.change("purchase_order_lines", key, {column: row[column] + quantity})


def _validation(after: Aftermath, given: Cells) -> str:
    found = after.where("invoices", Supplier=given["Supplier"], InvoiceNumber=given["InvoiceNumber"])
    key, row = next(found)
    held = any(after.where("invoice_holds", InvoiceId=row.get("InvoiceId", key)))
    after.change("invoices", key, {"ValidationStatus": "Needs Revalidation" if held else "Validated"})
    return key


def _hold(after: Aftermath, given: Cells) -> str:
    key = str(given["InvoiceId"])
    row = after.row("invoices", key) or {}
    if row.get("ValidationStatus") == "Validated":
        after.change("invoices", key, {"ValidationStatus": "Needs Revalidation"})
    return after.add("invoice_holds", given)


def _document(after: Aftermath, given: Cells) -> str:
    key = str(given["DocumentRecordId"])
    after.change("document_records", key, {name: given[name] for name in ("Status", "VerifiedFlag") if name in given})
    return key


def _absence(after: Aftermath, given: Cells) -> str:
    return after.add("absences", given)


def _worker(after: Aftermath, given: Cells) -> str:
    return after.add("workers", {**given, "AssignmentStatus": "Active"}, str(given["PersonNumber"]))


def _price(after: Aftermath, given: Cells) -> str:
    key, day = str(given["ItemId"]), str(given["EffectiveDate"])
    item = after.row("items", key) or {}
    price = {"ItemId": given["ItemId"], "EffectiveDate": day, "kind": "scheduled", "ListPrice": given["ListPrice"]}
    if day > after.today:
        after.add("item_prices", price, f"{key}/{day}")
        return key
    since = str(item["PriceEffectiveDate"])
    if day > since:
        kept = {**price, "EffectiveDate": since, "kind": "history", "ListPrice": item["ListPrice"]}
        after.add("item_prices", kept, f"{key}/{since}")
    after.change("items", key, {"ListPrice": given["ListPrice"], "PriceEffectiveDate": day})
    return key


def _append(after: Aftermath, given: Cells) -> str:
    tab = str(given["range"]).split("!")[0]
    top = max((row["row"] for _, row in after.where("cells", tab=tab)), default=1) + 1
    for down, values in enumerate(given["values"]):
        for across, value in enumerate(values, start=1):
            if value not in (None, ""):
                cell = {"tab": tab, "row": top + down, "col": across, "value": value}
                after.add("cells", cell, f"{tab}!{chr(64 + across)}{top + down}")
    return tab


TOOLS: dict[str, Callable[[Aftermath, Cells], str]] = {
    "oracle_fusion.sales_orders.create": _sales_order,
    "oracle_fusion.shipment_lines.update": _shipment_line,
    "oracle_fusion.standard_receipts.create": _receipt,
    "oracle_fusion.purchase_requisitions.create": _requisition,
    "oracle_fusion.purchase_requisitions.submit": _submission,
    "oracle_fusion.receiving_receipt_requests.create": _delivery,
    "oracle_fusion.invoices.create": _invoice,
    "oracle_fusion.invoices.validate": _validation,
    "oracle_fusion.invoice_holds.create": _hold,
    "oracle_fusion.document_records.update": _document,
    "oracle_fusion.absences.create": _absence,
    "oracle_fusion.workers.create": _worker,
    "oracle_fusion.items.update": _price,
    "google_sheets.spreadsheets.values.append": _append,
}
