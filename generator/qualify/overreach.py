"""One write more than the policy leaves to the analyst, for each family: what somebody else would have to decide.

In: a case and the untouched world. Out: writes that the world accepts after gold's, the most telling first. One of them
is what a qualification's over-reacher does on top of a right episode.
"""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from generator.spec.case import Case, Write
from verifier.tables import State

Cells = dict[str, Any]
ERP = "oracle_fusion."


def overreach(case: Case, baseline: State) -> Iterator[Write]:
    """The family's own overreaches where the case offers some, and a list price changed by the analyst."""
    own = OWN.get(case.family)
    if own is not None and case.gold.writes:
        yield from own(case, baseline)
    yield _price(case, baseline)


def _price(case: Case, baseline: State) -> Write:
    """The price of an item that the case does not price itself, raised as from today."""
    priced = {write.arguments.get("ItemId") for write in case.gold.writes}
    key, row = next((key, row) for key, row in _rows(baseline, "items") if int(key) not in priced)
    price = Decimal(row["ListPrice"]) / 10_000 + 1
    day = case.tenant.profile.today.isoformat()
    return Write(f"{ERP}items.update", {"ItemId": int(key), "ListPrice": price, "EffectiveDate": day})


def _held_line(case: Case, baseline: State) -> Iterator[Write]:
    """A line of the same shipment set to zero on the analyst's own authority."""
    shipment = case.gold.primary.name[1] if case.gold.primary else ""
    written = {write.arguments["ShipmentLine"] for write in case.gold.writes}
    for key, row in _rows(baseline, "shipment_lines"):
        if row["Shipment"] == shipment and int(key) not in written and row["LineStatus"] != "Cancelled":
            arguments = {"ShipmentLine": int(key), "ShippedQuantity": 0, "Comments": "Held until it is counted again."}
            yield Write(f"{ERP}shipment_lines.update", arguments)


def _written_off(case: Case, baseline: State) -> Iterator[Write]:
    """A second receipt on the account, which takes what the first left open."""
    receipt = case.gold.writes[0]
    other = {"ReceiptNumber": f"{receipt.arguments['ReceiptNumber']}-REST", "ReceiptAmount": Decimal("1.00")}
    yield Write(receipt.tool, {**receipt.arguments, **other, "remittanceReferences": []})


def _submitted(case: Case, baseline: State) -> Iterator[Write]:
    """A requisition that has to wait for its approval, submitted."""
    if not any(write.tool.endswith("submit") for write in case.gold.writes):
        yield Write(f"{ERP}purchase_requisitions.submit", {"purchaseRequisitionsUniqID": "${primary}"})


def _hold_or_validation(case: Case, baseline: State) -> Iterator[Write]:
    """A clean invoice put on hold; one on hold validated."""
    invoice = next(write for write in case.gold.writes if write.tool.endswith("invoices.create"))
    if any(write.tool.endswith("holds.create") for write in case.gold.writes):
        names = {name: invoice.arguments[name] for name in ("BusinessUnit", "Supplier", "InvoiceNumber")}
        yield Write(f"{ERP}invoices.validate", {"ProcessAction": "Validate", **names})
        return
    hold = next(row["code"] for _, row in _rows(baseline, "lookups") if row["kind"] == "hold_name")
    arguments = {"InvoiceId": "${invoice}", "HoldName": hold, "HoldReason": "To be on the safe side."}
    yield Write(f"{ERP}invoice_holds.create", arguments)


def _unproven_check(case: Case, baseline: State) -> Iterator[Write]:
    """A mandatory check marked as verified without its paper."""
    rows = dict(_rows(baseline, "document_records"))
    written = {write.arguments["DocumentRecordId"] for write in case.gold.writes}
    employers = {rows[str(id)]["LegalEmployerName"] for id in written}
    for key, row in rows.items():
        is_open = row["MandatoryCheckFlag"] and not row["VerifiedFlag"] and int(key) not in written
        if is_open and row["LegalEmployerName"] in employers:
            arguments = {"DocumentRecordId": int(key), "Status": "VERIFIED", "VerifiedFlag": True}
            yield Write(f"{ERP}document_records.update", arguments)


def _excused(case: Case, baseline: State) -> Iterator[Write]:
    """An absence of somebody who does not count as missing, recorded in the same terms."""
    absence = next((w for w in case.gold.writes if w.tool.endswith("absences.create")), None)
    if absence is None:
        return
    missing = {write.arguments.get("personNumber") for write in case.gold.writes}
    leave = [row["personNumber"] for _, row in _rows(baseline, "absences")]
    workers = [key for key, row in _rows(baseline, "workers") if row["LegalEmployerName"] == _employer(absence)]
    for person in dict.fromkeys([*(p for p in leave if p in workers), *workers]):
        if person not in missing:
            yield Write(absence.tool, {**absence.arguments, "personNumber": person})


def _employer(absence: Write) -> Any:
    return absence.arguments["employer"]


def _known_customer(case: Case, baseline: State) -> Iterator[Write]:
    """A customer who stands in the tab, entered again."""
    cells = [row for _, row in _rows(baseline, "cells") if row["tab"] == "Customers" and row["row"] == 2]
    values = {row["col"]: json.loads(row["value"]) for row in cells}
    row = [values.get(column, "") for column in range(1, 6)]
    arguments = {
        "spreadsheetId": case.tenant.profile.workbook.id,
        "range": "Customers!A1:E1",
        "valueInputOption": "RAW",
        "values": [row],
    }
    yield Write("google_sheets.spreadsheets.values.append", arguments)


def _more_of(case: Case, baseline: State) -> Iterator[Write]:
    """A record of gold's kind that a mistaken worker enters and gold does not: a hire too many, a referred line."""
    names = ("PersonNumber", "CandidateId", "ItemId")
    taken = {write.arguments.get(name) for write in case.gold.writes for name in names} - {None}
    for wrong in sorted(case.counterfactuals, key=lambda one: one.kind == "wrong_target"):
        for write in wrong.outcome.writes:
            if not taken & {write.arguments.get(name) for name in names}:
                yield write


OWN: dict[str, Callable[[Case, State], Iterator[Write]]] = {
    "shipment_verification": _held_line,
    "receivables_collection": _written_off,
    "inventory_reorder": _submitted,
    "receiving_ap_match": _hold_or_validation,
    "document_compliance": _unproven_check,
    "shift_rollup": _excused,
    "channel_order_sync": _known_customer,
    "hire_against_headcount": _more_of,
    "price_batch": _more_of,
}


def _rows(baseline: State, table: str) -> Iterator[tuple[str, Cells]]:
    held = baseline[table]
    return ((key, dict(zip(held.shape.columns, row, strict=True))) for key, row in held.rows.items())
