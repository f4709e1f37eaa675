"""What checking a shipment comes to under a judgement: the one place where this family's numbers are worked out."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.shipment_verification.facts import Facts, PickConfirmation, PickedLine, Shipment
from generator.spec.case import ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant

RULES = ("packs", "scanned_item", "quarantine", "dispute", "recount", "limit", "price")
"""Rules that a judgement may ignore, beside signature."""


@dataclass(frozen=True)
class ReviewedLine:
    """A staged line as it should be: quantities in the line's unit, price in the ledger currency.

    held is the reason why the line may not ship; None where it may.
    """

    id: int
    staged: int
    right: int
    price: Decimal
    held: str | None = None

    @property
    def corrected(self) -> bool:
        return self.held is None and self.right != self.staged


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and line updates under a judgement.

    Rules that a judgement may ignore: packs (packs are taken for pieces), scanned_item, quarantine, dispute, recount,
    limit (what was picked ships, whatever was agreed), price (the other of order and list), signature. rows is what the
    ERP keeps: staged lines, order lines and list prices come from it.
    """
    target = facts.task if judgement.target == "task" else facts.decoy
    basis = _basis(facts, target, judgement)
    lines = _review(facts, rows, target, basis, judgement)
    unsigned = not (judgement.as_received or "signature" in judgement.ignored_rules or basis.signed_for(target.number))
    option, status = _option(lines, judgement, unsigned)
    updated = lines if judgement.as_received else tuple(line for line in lines if line.held or line.corrected)
    return Outcome(
        answers={
            "lines_reviewed": len(lines),
            "lines_corrected": sum(line.corrected for line in lines),
            "units_removed": sum(max(0, line.staged - line.right) for line in lines),
            "lines_held": sum(line.held is not None for line in lines),
            "shippable_value": sum((line_amount(line.right, line.price) for line in lines), Decimal("0.00")),
        },
        option=option,
        status=status,
        operative=basis.source,
        cited=(),
        writes=() if unsigned else tuple(_update(line, judgement) for line in updated),
        primary=None if unsigned else _primary(target, updated),
        obstacle=basis.source if unsigned else None,
    )


def _option(lines: tuple[ReviewedLine, ...], judgement: Judgement, unsigned: bool) -> tuple[str, str]:
    if unsigned:
        return "stop_for_recount", "not_changed"
    if judgement.as_received:
        return "confirm_as_staged", "ready_as_staged"
    if any(line.held for line in lines):
        return "correct_and_hold_exceptions", "corrected_with_holds"
    return "correct_lines_to_pick", "corrected_ready"


def _basis(facts: Facts, target: Shipment, judgement: Judgement) -> PickConfirmation:
    """The count that is believed, if it has lines of the shipment; otherwise the filed confirmation."""
    believed = next(entry for entry in facts.confirmations if entry.source == judgement.sources["pick_confirmation"])
    has_lines = any(line.shipment == target.number for line in believed.lines)
    return believed if has_lines else facts.confirmation


def _review(
    facts: Facts, rows: Rows, target: Shipment, basis: PickConfirmation, judgement: Judgement
) -> tuple[ReviewedLine, ...]:
    staged = [
        row for row in rows["shipment_lines"] if (row["Shipment"], row["LineStatus"]) == (target.number, "Staged")
    ]
    return tuple(_line(facts, rows, row, basis, judgement) for row in staged)


def _line(
    facts: Facts, rows: Rows, row: Mapping[str, Any], basis: PickConfirmation, judgement: Judgement
) -> ReviewedLine:
    id, staged = row["ShipmentLine"], row["ShippedQuantity"]
    price = _price(facts, rows, row, judgement)
    if judgement.as_received:
        return ReviewedLine(id, staged, staged, price)
    pick = _picked(facts, basis, id, judgement)
    held = _reason_to_hold(facts, row, pick, judgement)
    right = 0 if held else _right_quantity(facts, row, pick, judgement)
    return ReviewedLine(id, staged, right, price, held)


def _picked(facts: Facts, basis: PickConfirmation, line: int, judgement: Judgement) -> PickedLine:
    """The recount's row where it has one for the line, otherwise the confirmation's.

    Raises KeyError for a line that was never counted.
    """
    again = facts.recount
    if again is not None and "recount" not in judgement.ignored_rules:
        for row in again.lines:
            if row.shipment_line == line:
                return row
    found = basis.picked(line)
    if found is None:
        raise KeyError(f"{basis.source} has no count of shipment line {line}")
    return found


def _reason_to_hold(facts: Facts, row: Mapping[str, Any], pick: PickedLine, judgement: Judgement) -> str | None:
    ignored = judgement.ignored_rules
    if pick.item != row["ItemNumber"] and "scanned_item" not in ignored:
        return f"{pick.item} was scanned instead of {row['ItemNumber']}"
    if row["LotNumber"] in _quarantined(facts, judgement) and "quarantine" not in ignored:
        return f"lot {row['LotNumber']} is in quarantine"
    if pick.second is not None and pick.second != pick.quantity and "dispute" not in ignored:
        return "two counts of the line do not agree"
    return None


def _quarantined(facts: Facts, judgement: Judgement) -> frozenset[str]:
    believed = judgement.sources.get("lot_status")
    return frozenset(lot for report in facts.lot_reports if report.source == believed for lot in report.quarantined)


def _right_quantity(facts: Facts, row: Mapping[str, Any], pick: PickedLine, judgement: Judgement) -> int:
    """What was picked, up to what may ship: the requested quantity with the agreed percentage, or what is staged."""
    pieces = pick.quantity + pick.loose if "packs" in judgement.ignored_rules else pick.pieces
    if "limit" in judgement.ignored_rules:
        return pieces
    if not facts.rules.increase_to_requested:
        return min(pieces, int(row["ShippedQuantity"]))
    most = int(row["RequestedQuantity"]) * (100 + _over_percent(facts, judgement)) // 100
    return min(pieces, most)


def _over_percent(facts: Facts, judgement: Judgement) -> int:
    believed = judgement.sources.get("delivery_agreement")
    return next((entry.over_percent for entry in facts.agreements if entry.source == believed), 0)


def _price(facts: Facts, rows: Rows, row: Mapping[str, Any], judgement: Judgement) -> Decimal:
    at_list = (facts.rules.price == "list") is not ("price" in judgement.ignored_rules)
    if at_list:
        return next(
            Decimal(item["ListPrice"])
            for item in rows["items"]
            if (item["ItemNumber"], item["OrganizationCode"]) == (row["ItemNumber"], facts.organization)
        )
    return next(
        Decimal(line["UnitListPrice"])
        for line in rows["sales_order_lines"]
        if (line["OrderNumber"], line["LineNumber"]) == (row["OrderNumber"], row["OrderLineNumber"])
    )


def _update(line: ReviewedLine, judgement: Judgement) -> Write:
    if judgement.as_received:
        comment = f"Confirmed as staged, {line.staged}."
    elif line.held:
        comment = f"Held: {line.held}."
    else:
        comment = f"Set to the count, {line.right} instead of {line.staged}."
    return Write(
        tool="oracle_fusion.shipment_lines.update",
        arguments={"ShipmentLine": line.id, "ShippedQuantity": line.right, "Comments": comment},
    )


def _primary(target: Shipment, updated: tuple[ReviewedLine, ...]) -> PrimaryRecord:
    return PrimaryRecord(
        table="shipment_lines",
        rows=tuple(
            ExpectedRow(key=str(line.id), row={"Shipment": target.number, "ShippedQuantity": line.right})
            for line in updated
        ),
        name=("literal", target.number),
    )
