"""What reordering comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from generator.families.base import Rows
from generator.families.inventory_reorder.facts import Facts, Level, ReorderPolicy, SupplySource
from generator.families.purchasing import supplier
from generator.spec.case import ExpectedChildren, ExpectedRow, Judgement, Outcome, PrimaryRecord, Value, Write
from generator.spec.money import line_amount
from generator.spec.tenant import Supplier, Tenant

LINE_COLUMNS = ("ItemNumber", "Quantity", "UOM", "UnitPrice", "Supplier", "RequestedDeliveryDate")
RULES = (
    "stale_reservations",
    "supply_window",
    "part_received",
    "cancelled_supply",
    "other_organizations",
    "at_reorder_point",
    "order_multiple",
    "blocked_supplier",
    "working_days",
    "submit_limit",
    "spending_release",
)
"""Names of the rules that a judgement may ignore, in the order of the policy's sentences."""


@dataclass(frozen=True)
class RequisitionLine:
    """A line as it is entered: quantity in the item's primary unit, cost in the ledger currency."""

    item: str
    quantity: int
    uom: str
    cost: Decimal
    supplier: Supplier
    needed_by: dt.date

    @property
    def amount(self) -> Decimal:
        return line_amount(self.quantity, self.cost)


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and requisition under a judgement; it may ignore any of RULES.

    rows is what the ERP keeps: stock, purchase orders and the state of customers' orders come from it.
    """
    organization = facts.organization if judgement.target == "task" else facts.decoy_organization
    policy = facts.edition(judgement.sources["reorder_policy"])
    ignored = judgement.ignored_rules
    if judgement.as_received:
        lines = _as_suggested(tenant, facts, policy, organization)
        return _entered(tenant, facts, policy, organization, lines, judgement, "requisition_as_forecast")
    lines = _needed(tenant, facts, rows, policy, organization, ignored)
    amount = _total(lines)
    if "spending_release" not in ignored and not _released(tenant, facts, policy, organization, amount):
        return _declined(tenant, facts, policy, lines, judgement)
    over = amount > policy.submit_limit and "submit_limit" not in ignored
    option = "requisition_hold_for_approval" if over else "requisition_and_submit"
    return _entered(tenant, facts, policy, organization, lines, judgement, option)


def position(
    tenant: Tenant,
    facts: Facts,
    rows: Rows,
    policy: ReorderPolicy,
    organization: str,
    item: str,
    ignored: frozenset[str] = frozenset(),
) -> int:
    """On hand, less the reservations that count, plus the open supply that counts, in the item's unit."""
    stock = sum(
        row["OnhandQuantity"] - row["ReservedQuantity"]
        for row in rows.get("onhand_balances", [])
        if (row["OrganizationCode"], row["ItemNumber"]) == (organization, item)
    )
    stale = 0 if "stale_reservations" in ignored else _stale(facts, rows, organization, item)
    latest = tenant.profile.today + dt.timedelta(policy.window_days)
    return int(stock) + stale + _supply(rows, organization, item, latest, ignored)


def arrival(today: dt.date, policy: ReorderPolicy, lead_time: int, ignored: frozenset[str] = frozenset()) -> dt.date:
    """Today plus the lead time in the policy's calendar."""
    if policy.lead_time_calendar == "calendar" or "working_days" in ignored:
        return today + dt.timedelta(lead_time)
    day = today
    while lead_time:
        day += dt.timedelta(1)
        if day.weekday() < 5 and day not in policy.closed_days:
            lead_time -= 1
    return day


def levels(facts: Facts, policy: ReorderPolicy, level: Level) -> tuple[int, int]:
    """Reorder point and order-up-to level in the item's unit."""
    if policy.levels_in == "units":
        return level.reorder_point, level.order_up_to
    weekly = facts.forecast.line(level.organization, level.item).weekly_demand
    return level.reorder_point * weekly, level.order_up_to * weekly


def _stale(facts: Facts, rows: Rows, organization: str, item: str) -> int:
    """What is still reserved for customers' orders that the ERP has as cancelled."""
    cancelled = {row["OrderNumber"] for row in rows.get("sales_orders", []) if row["StatusCode"] == "Cancelled"}
    return sum(
        entry.quantity
        for entry in facts.reservations
        if (entry.organization, entry.item) == (organization, item) and entry.order in cancelled
    )


def _supply(rows: Rows, organization: str, item: str, latest: dt.date, ignored: frozenset[str]) -> int:
    orders = {row["OrderNumber"]: row for row in rows.get("purchase_orders", [])}
    found = 0
    for line in rows.get("purchase_order_lines", []):
        order = orders[line["OrderNumber"]]
        open_ = (order["Status"], line["LineStatus"]) == ("Open", "Open") or "cancelled_supply" in ignored
        here = order["ShipToOrganizationCode"] == organization or "other_organizations" in ignored
        in_time = line["PromisedDate"] <= latest or "supply_window" in ignored
        if line["ItemNumber"] == item and open_ and here and in_time:
            received = 0 if "part_received" in ignored else line["ReceivedQuantity"]
            found += line["Quantity"] - received
    return found


def _needed(
    tenant: Tenant, facts: Facts, rows: Rows, policy: ReorderPolicy, organization: str, ignored: frozenset[str]
) -> tuple[RequisitionLine, ...]:
    found = []
    for level in policy.levels:
        if level.organization != organization or tenant.profile.item(level.item, organization).status != "Active":
            continue
        held = position(tenant, facts, rows, policy, organization, level.item, ignored)
        point, up_to = levels(facts, policy, level)
        if held < point or (held == point and "at_reorder_point" in ignored):
            quantity = _quantity(level, up_to - held, ignored)
            found.append(_line(tenant, facts, level, quantity, _offer(tenant, level, ignored)))
    return tuple(found)


def _quantity(level: Level, shortage: int, ignored: frozenset[str]) -> int:
    if "order_multiple" in ignored:
        return shortage
    return -(-max(shortage, level.minimum) // level.multiple) * level.multiple


def _offer(tenant: Tenant, level: Level, ignored: frozenset[str]) -> SupplySource:
    """The first supplier, or the second where the record says that the first is not to be used."""
    usable = supplier(tenant.profile, level.first.supplier).status == "Active" or "blocked_supplier" in ignored
    return level.first if usable or level.second is None else level.second


def _line(tenant: Tenant, facts: Facts, level: Level, quantity: int, offer: SupplySource) -> RequisitionLine:
    return RequisitionLine(
        item=level.item,
        quantity=quantity,
        uom=tenant.profile.item(level.item, level.organization).uom,
        cost=offer.unit_cost,
        supplier=supplier(tenant.profile, offer.supplier),
        needed_by=facts.forecast.line(level.organization, level.item).needed_by,
    )


def _as_suggested(
    tenant: Tenant, facts: Facts, policy: ReorderPolicy, organization: str
) -> tuple[RequisitionLine, ...]:
    """Every suggestion of the forecast, from the supplier it assumes, at that supplier's cost in the policy."""
    found = []
    for suggestion in facts.forecast.lines:
        level = policy.level(organization, suggestion.item)
        if suggestion.organization != organization or suggestion.suggested == 0 or level is None:
            continue
        offers = [offer for offer in (level.first, level.second) if offer and offer.supplier == suggestion.supplier]
        cost = (offers or [level.first])[0].unit_cost
        offer = SupplySource(supplier=suggestion.supplier, unit_cost=cost)
        found.append(_line(tenant, facts, level, suggestion.suggested, offer))
    return tuple(found)


def _released(tenant: Tenant, facts: Facts, policy: ReorderPolicy, organization: str, amount: Decimal) -> bool:
    """Whether the amount needs no spending release, or has one that covers it and is valid today."""
    if policy.release_limit is None or amount <= policy.release_limit:
        return True
    release = facts.release
    return (
        release is not None
        and release.organization == organization
        and release.issued.date() <= tenant.profile.today <= release.valid_to
        and amount <= release.amount
    )


def _total(lines: Iterable[RequisitionLine]) -> Decimal:
    return sum((line.amount for line in lines), Decimal("0.00"))


def _answers(
    tenant: Tenant, policy: ReorderPolicy, lines: tuple[RequisitionLine, ...], ignored: frozenset[str]
) -> dict[str, Value]:
    longest = max((line.supplier.lead_time_days for line in lines), default=0)
    arrives = arrival(tenant.profile.today, policy, longest, ignored)
    late = [(arrives - line.needed_by).days for line in lines if line.supplier.lead_time_days == longest]
    return {
        "items_below_reorder": len(lines),
        "units_to_order": sum(line.quantity for line in lines),
        "requisition_amount": _total(lines),
        "supplier_lead_time_days": longest,
        "days_late": max(0, *late) if late else 0,
    }


STATUSES = {
    "requisition_and_submit": "submitted_for_approval",
    "requisition_hold_for_approval": "saved_pending_approval",
    "requisition_as_forecast": "requested_as_forecast",
    "stop_refer_to_purchasing": "not_requested",
}


def _entered(
    tenant: Tenant,
    facts: Facts,
    policy: ReorderPolicy,
    organization: str,
    lines: tuple[RequisitionLine, ...],
    judgement: Judgement,
    option: str,
) -> Outcome:
    submitted = option != "requisition_hold_for_approval"
    submit = Write("oracle_fusion.purchase_requisitions.submit", {"purchaseRequisitionsUniqID": "${primary}"})
    create = _create(tenant, organization, policy, lines)
    return Outcome(
        answers=_answers(tenant, policy, lines, judgement.ignored_rules),
        option=option,
        status=STATUSES[option],
        operative=facts.forecast.source if judgement.as_received else _document(facts, policy),
        cited=(),
        writes=() if not lines else (create, submit) if submitted else (create,),
        primary=_primary(tenant, lines) if lines else None,
    )


def _declined(
    tenant: Tenant, facts: Facts, policy: ReorderPolicy, lines: tuple[RequisitionLine, ...], judgement: Judgement
) -> Outcome:
    """Nothing is entered; the figures are those of the requisition that a valid release would let through."""
    obstacle = facts.release.source if facts.release else _document(facts, policy)
    return Outcome(
        answers=_answers(tenant, policy, lines, judgement.ignored_rules),
        option="stop_refer_to_purchasing",
        status=STATUSES["stop_refer_to_purchasing"],
        operative=_document(facts, policy),
        cited=(obstacle,) if facts.release else (),
        writes=(),
        primary=None,
        obstacle=obstacle,
    )


def _document(facts: Facts, policy: ReorderPolicy) -> str:
    """What one cites for an edition: an earlier one that is kept in the workbook has no file of its own."""
    return facts.policy.source if policy.medium == "sheet" else policy.source


def _create(tenant: Tenant, organization: str, policy: ReorderPolicy, lines: tuple[RequisitionLine, ...]) -> Write:
    profile = tenant.profile
    return Write(
        tool="oracle_fusion.purchase_requisitions.create",
        arguments={
            "RequisitioningBU": profile.business_unit,
            "Preparer": profile.person("analyst").name,
            "Description": f"Replenishment of {organization}",
            "Justification": f"Stock below the reorder point, edition R{policy.edition} of the reorder policy",
            "lines": [
                {
                    "ItemNumber": line.item,
                    "Quantity": line.quantity,
                    "UOM": line.uom,
                    "UnitPrice": line.cost,
                    "Supplier": line.supplier.name,
                    "RequestedDeliveryDate": line.needed_by.isoformat(),
                }
                for line in lines
            ],
        },
        keep={"primary": "Requisition"},
    )


def _primary(tenant: Tenant, lines: tuple[RequisitionLine, ...]) -> PrimaryRecord:
    row = ExpectedRow(
        row={
            "RequisitioningBU": tenant.profile.business_unit,
            "Preparer": tenant.profile.person("analyst").name,
        },
        children=ExpectedChildren(
            table="purchase_requisition_lines",
            on="Requisition",
            columns=LINE_COLUMNS,
            rows=tuple(
                (
                    line.item,
                    line.quantity,
                    line.uom,
                    {"money": str(line.cost)},
                    line.supplier.name,
                    line.needed_by.isoformat(),
                )
                for line in lines
            ),
        ),
    )
    return PrimaryRecord(table="purchase_requisitions", rows=(row,), name=("column", "Requisition"))
