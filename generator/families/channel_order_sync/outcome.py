"""What taking over an export comes to under a judgement: the one place where this family's numbers are worked out."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.channel_order_sync.export import stated
from generator.families.channel_order_sync.facts import Export, Facts
from generator.families.channel_order_sync.takeover import Taken, gross_lines, sort_rows
from generator.spec.case import ExpectedChildren, ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import total
from generator.spec.tenant import Tenant

LINE_COLUMNS = ("ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice")
# What a worker may fail to apply; takeover.py says what each leads to.
RULES = (
    "repeats",
    "latest_row",
    "refunds",
    "old_numbers",
    "customer_po",
    "cancelled_in_system",
    "tests",
    "last_day",
    "local_time",
    "tax_id",
    "chat",
    "unpaid",
    "packs",
)
CONTROL_RULE = "control_figures"


@dataclass(frozen=True)
class Buyer:
    """A row that is added to the Customers tab."""

    name: str
    email: str
    tax_id: str


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option, orders and customer rows under a judgement.

    rows is what the ERP keeps: which orders stand already comes from it. A judgement may ignore the rules of RULES and
    CONTROL_RULE.
    """
    export = facts.export(judgement.sources["channel_export"] if judgement.target == "task" else facts.decoy_export)
    if judgement.as_received:
        return _as_exported(tenant, facts, export)
    found = sort_rows(tenant, facts, rows.get("sales_orders", []), export, judgement.ignored_rules)
    answers: dict[str, int | Decimal] = {
        "channel_rows": len(export.orders),
        "already_synced": found.already,
        "duplicate_rows": found.repeats,
        "orders_created": len(found.taken),
        "synced_value": value(found.taken),
    }
    if not adds_up(export) and CONTROL_RULE not in judgement.ignored_rules:
        return Outcome(
            answers=answers,
            option="stop_export_unreliable",
            status="not_synced",
            operative=export.source,
            cited=(),
            writes=(),
            primary=None,
            obstacle=export.number,
        )
    option, status = ("sync_missing_orders", "synced")
    if found.held:
        option, status = ("sync_and_hold_exceptions", "synced_with_exceptions")
    return Outcome(
        answers=answers,
        option=option,
        status=status,
        operative=export.source,
        cited=(),
        writes=(*_orders(tenant, facts, found.taken), *_append(tenant, facts, new_buyers(found.taken))),
        primary=_primary(tenant, facts, export, found.taken),
    )


def adds_up(export: Export) -> bool:
    """Whether the control figures that the export prints are those of its rows."""
    return stated(export) == stated(export.model_copy(update={"stated_rows": None, "stated_goods": None}))


def value(taken: Sequence[Taken]) -> Decimal:
    return total((line.quantity, line.price) for order in taken for line in order.lines)


def new_buyers(taken: Sequence[Taken]) -> tuple[Buyer, ...]:
    """Each buyer without an account once, in the order of the rows."""
    return tuple(
        dict.fromkeys(
            Buyer(order.row.buyer.name, order.row.buyer.email, order.tax_id or "")
            for order in taken
            if order.account is None
        )
    )


def _as_exported(tenant: Tenant, facts: Facts, export: Export) -> Outcome:
    """Every row becomes an order under the name it has, with all that it prints; nobody is looked up or added."""
    taken = [Taken(row, gross_lines(facts, row), None, row.buyer.tax_id) for row in export.orders]
    return Outcome(
        answers={
            "channel_rows": len(taken),
            "already_synced": 0,
            "duplicate_rows": 0,
            "orders_created": len(taken),
            "synced_value": value(taken),
        },
        option="sync_all_rows",
        status="synced_as_exported",
        operative=export.source,
        cited=(),
        writes=_orders(tenant, facts, taken),
        primary=_primary(tenant, facts, export, taken),
    )


def _header(facts: Facts, order: Taken) -> dict[str, Any]:
    """An account number, or for buyers without one the name alone."""
    buyer = {"BuyingPartyName": order.row.buyer.name} if order.account is None else {"BuyingPartyNumber": order.account}
    return {
        "SourceTransactionNumber": order.row.id,
        "SourceTransactionSystem": facts.source_system,
        **buyer,
        "CustomerPONumber": order.row.name,
        "TransactionType": facts.transaction_type,
        "RequestedFulfillmentOrganizationCode": facts.organization,
    }


def _unit(tenant: Tenant, facts: Facts, item: str) -> str:
    return tenant.profile.item(item, facts.organization).uom


def _orders(tenant: Tenant, facts: Facts, taken: Sequence[Taken]) -> tuple[Write, ...]:
    return tuple(
        Write(
            tool="oracle_fusion.sales_orders.create",
            arguments={
                **_header(facts, order),
                "SubmittedFlag": True,
                "lines": [
                    {
                        "ProductNumber": line.item,
                        "OrderedQuantity": line.quantity,
                        "OrderedUOM": _unit(tenant, facts, line.item),
                        "UnitListPrice": line.price,
                    }
                    for line in order.lines
                ],
            },
        )
        for order in taken
    )


def _append(tenant: Tenant, facts: Facts, buyers: Sequence[Buyer]) -> tuple[Write, ...]:
    if not buyers:
        return ()
    return (
        Write(
            tool="google_sheets.spreadsheets.values.append",
            arguments={
                "spreadsheetId": tenant.profile.workbook.id,
                "range": "Customers!A1:E1",
                "valueInputOption": "RAW",
                "values": [[b.name, "", b.email, b.tax_id, facts.rules.buyer_channel] for b in buyers],
            },
        ),
    )


def _primary(tenant: Tenant, facts: Facts, export: Export, taken: Sequence[Taken]) -> PrimaryRecord:
    """The orders of the sync, grouped under the export's own number."""
    return PrimaryRecord(
        table="sales_orders",
        rows=tuple(
            ExpectedRow(
                row=_header(facts, order),
                children=ExpectedChildren(
                    table="sales_order_lines",
                    on="OrderNumber",
                    columns=LINE_COLUMNS,
                    rows=tuple(
                        (line.item, line.quantity, _unit(tenant, facts, line.item), {"money": str(line.price)})
                        for line in order.lines
                    ),
                ),
            )
            for order in taken
        ),
        name=("literal", export.number),
    )
