"""What importing the order comes to under a judgement: the one place where this family's numbers are worked out."""

from dataclasses import dataclass
from decimal import Decimal

from generator.families.base import Rows
from generator.families.order_import.facts import (
    DeskRules,
    EarlierImport,
    Facts,
    PriceList,
    RevisedLine,
    SheetLine,
    Target,
)
from generator.families.order_import.prices import list_price
from generator.spec.case import ExpectedChildren, ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import line_amount
from generator.spec.tenant import Item, Tenant

LINE_COLUMNS = ("ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice")
OPTIONS = {
    "submit": ("import_accepted_lines_and_submit", "submitted"),
    "hold": ("import_accepted_lines_hold_for_credit", "held_for_credit_release"),
    "received": ("import_all_lines_as_received", "imported_as_received"),
    "stop": ("stop_and_escalate_batch", "not_imported"),
}
# earlier_import, item_status, price_list (left out, the sheet's prices are taken), units, revision (left out, the first
# sheet of the workbook alone is read), successor (no successor is sold), acceptance (every successor is), credit,
# countersignature.
RULES = (
    "earlier_import",
    "item_status",
    "price_list",
    "units",
    "revision",
    "successor",
    "acceptance",
    "credit",
    "countersignature",
)


@dataclass(frozen=True)
class OrderLine:
    """A line as it is entered: quantity in the unit, unit price in the ledger currency."""

    item: str
    quantity: int
    uom: str
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return line_amount(self.quantity, self.price)


@dataclass(frozen=True)
class Sorted:
    """The sheet's lines after the family's order of reasons: duplicate, not sold, unit not convertible."""

    accepted: tuple[OrderLine, ...]
    duplicates: int
    not_sold: int
    not_convertible: int

    @property
    def rejected(self) -> int:
        return self.duplicates + self.not_sold + self.not_convertible


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and order under a judgement.

    Rules that a judgement may ignore: RULES. rows is what the ERP keeps: balances and open orders come from it, never
    from a document.
    """
    target = facts.task if judgement.target == "task" else facts.decoy
    source = entered_from(target, judgement)
    if judgement.as_received:
        result = _as_printed(tenant, facts, target)
        how = "received"
    else:
        result = sort_lines(tenant, facts, target, judgement)
        total = sum((line.amount for line in result.accepted), Decimal("0.00"))
        exposed = exposure(rows, facts, target.account) + total
        over = exposed > tenant.profile.customer(target.account).credit_limit
        held = over or tenant.profile.customer(target.account).credit_hold
        how = "hold" if held and "credit" not in judgement.ignored_rules else "submit"
    form = None if judgement.as_received else missing_form(facts, target, judgement)
    option, status = OPTIONS["stop" if form else how]
    return Outcome(
        answers={
            "accepted_lines": len(result.accepted),
            "rejected_lines": result.rejected,
            "imported_units": sum(line.quantity for line in result.accepted),
            "order_total": sum((line.amount for line in result.accepted), Decimal("0.00")),
            "duplicate_lines": result.duplicates,
        },
        option=option,
        status=status,
        operative=source,
        cited=(),
        writes=() if form else (_create(facts, target, source, result.accepted, how != "hold"),),
        primary=None if form else _primary(facts, target, source, result.accepted),
        obstacle=form,
    )


def entered_from(target: Target, judgement: Judgement) -> str:
    """The document that the order is entered from: the sheet, or the first copy for who believes in that."""
    first = target.first_copy
    return first.source if first and judgement.sources["order_batch"] == first.source else target.sheet.source


def missing_form(facts: Facts, target: Target, judgement: Judgement) -> str | None:
    """The number of the release form that the order needs under the rules believed and does not have."""
    rules, form = believed_rules(facts, judgement), target.sheet.release_form
    if rules is None or form is None or form.signed is not None or "countersignature" in judgement.ignored_rules:
        return None
    return form.number if target.sheet.printed_value > rules.value_limit else None


def believed_rules(facts: Facts, judgement: Judgement) -> DeskRules | None:
    source = judgement.sources.get("order_rules")
    return next((rules for rules in (facts.rules, facts.earlier_rules) if rules and rules.source == source), None)


def priced_by(facts: Facts, target: Target, judgement: Judgement) -> PriceList:
    """The list believed in force; under rules that price by the quotation, the list of that day."""
    rules, quoted = believed_rules(facts, judgement), target.sheet.quoted_on
    if rules is not None and rules.prices_from == "quotation" and quoted is not None:
        return facts.list_on(quoted)
    return facts.price_list(judgement.sources["price_list"])


def lines_in_force(target: Target, judgement: Judgement) -> list[SheetLine]:
    """Each line number once, in its last revision, cancelled ones left out."""
    lines = {line.line: line for line in target.sheet.lines}
    if "revision" in judgement.ignored_rules or entered_from(target, judgement) != target.sheet.source:
        return list(lines.values())
    for revised in target.sheet.revised:
        if revised.quantity is None:
            lines.pop(revised.line, None)
        else:
            lines[revised.line] = as_line(revised, revised.quantity)
    return list(lines.values())


def as_line(revised: RevisedLine, quantity: int) -> SheetLine:
    return SheetLine(
        line=revised.line, item=revised.item, quantity=quantity, unit_price=revised.unit_price, uom=revised.uom
    )


def exposure(rows: Rows, facts: Facts, account: str) -> Decimal:
    """Open receivables of the account and the totals of its submitted orders that are not billed yet."""
    receivables = sum(
        (
            row["InvoiceBalanceAmount"]
            for row in rows.get("receivables_invoices", [])
            if row["BillToCustomerNumber"] == account
        ),
        Decimal(0),
    )
    orders = sum(
        (
            row["OrderTotal"]
            for row in rows.get("sales_orders", [])
            if row["BuyingPartyNumber"] == account
            and row["SubmittedFlag"]
            and row["StatusCode"] in facts.exposure_statuses
        ),
        Decimal(0),
    )
    return Decimal(receivables + orders)


def sort_lines(tenant: Tenant, facts: Facts, target: Target, judgement: Judgement) -> Sorted:
    """The lines in force, each accepted or rejected for its first reason."""
    ignored = judgement.ignored_rules
    price_list = priced_by(facts, target, judgement)
    accepted: list[OrderLine] = []
    counts = {"duplicate": 0, "not_sold": 0, "not_convertible": 0}
    earlier_of_sheet: set[tuple[str, int]] = set()
    for line in lines_in_force(target, judgement):
        item = _sold_as(tenant, facts, line, ignored)
        factor = 1 if "units" in ignored else _factor(facts, item, line)
        repeated = (line.item, line.quantity) in earlier_of_sheet or _imported(target.earlier, line)
        earlier_of_sheet.add((line.item, line.quantity))
        if repeated and "earlier_import" not in ignored:
            counts["duplicate"] += 1
        elif item.status != "Active" and "item_status" not in ignored:
            counts["not_sold"] += 1
        elif factor is None:
            counts["not_convertible"] += 1
        else:
            price = line.unit_price if "price_list" in ignored else list_price(tenant.profile, item, price_list)
            accepted.append(OrderLine(item.number, line.quantity * factor, item.uom, price))
    return Sorted(tuple(accepted), counts["duplicate"], counts["not_sold"], counts["not_convertible"])


def _sold_as(tenant: Tenant, facts: Facts, line: SheetLine, ignored: frozenset[str]) -> Item:
    """The line's item, or the successor that the customer accepted for the line."""
    item = tenant.profile.item(line.item, facts.organization)
    entry = facts.successor(line.item)
    if entry is None or item.status == "Active" or "successor" in ignored:
        return item
    if line.line in entry.accepted or "acceptance" in ignored:
        return tenant.profile.item(entry.successor, facts.organization)
    return item


def _as_printed(tenant: Tenant, facts: Facts, target: Target) -> Sorted:
    """Every line that the workbook prints, those of the revision beside the ones that it replaces."""
    revised = [as_line(line, line.quantity) for line in target.sheet.revised if line.quantity is not None]
    lines = [
        OrderLine(
            line.item,
            line.quantity,
            line.uom or tenant.profile.item(line.item, facts.organization).uom,
            line.unit_price,
        )
        for line in (*target.sheet.lines, *revised)
    ]
    return Sorted(tuple(lines), 0, 0, 0)


def _imported(earlier: EarlierImport | None, line: SheetLine) -> bool:
    """The line number and the item stand on the earlier order for the same purchase order, and it is not cancelled."""
    return (
        earlier is not None
        and earlier.status != "Cancelled"
        and any((done.line, done.item) == (line.line, line.item) for done in earlier.lines)
    )


def _factor(facts: Facts, item: Item, line: SheetLine) -> int | None:
    """Primary units in one unit of the line; None where no conversion is known."""
    if line.uom in (None, item.uom):
        return 1
    for conversion in facts.conversions:
        if (conversion.item, conversion.uom) == (item.number, line.uom):
            return conversion.factor
    return None


def _create(facts: Facts, target: Target, source: str, lines: tuple[OrderLine, ...], submitted: bool) -> Write:
    return Write(
        tool="oracle_fusion.sales_orders.create",
        arguments={
            "SourceTransactionNumber": source,
            "SourceTransactionSystem": facts.source_system,
            "BuyingPartyNumber": target.account,
            "CustomerPONumber": target.customer_po,
            "TransactionType": facts.transaction_type,
            "RequestedFulfillmentOrganizationCode": facts.organization,
            "SubmittedFlag": submitted,
            "lines": [
                {
                    "ProductNumber": line.item,
                    "OrderedQuantity": line.quantity,
                    "OrderedUOM": line.uom,
                    "UnitListPrice": line.price,
                }
                for line in lines
            ],
        },
        keep={"primary": "OrderNumber"},
    )


def _primary(facts: Facts, target: Target, source: str, lines: tuple[OrderLine, ...]) -> PrimaryRecord:
    row = ExpectedRow(
        row={
            "CustomerPONumber": target.customer_po,
            "BuyingPartyNumber": target.account,
            "RequestedFulfillmentOrganizationCode": facts.organization,
            "SourceTransactionNumber": source,
            "SourceTransactionSystem": facts.source_system,
            "TransactionType": facts.transaction_type,
        },
        children=ExpectedChildren(
            table="sales_order_lines",
            on="OrderNumber",
            columns=LINE_COLUMNS,
            rows=tuple((line.item, line.quantity, line.uom, {"money": str(line.price)}) for line in lines),
        ),
    )
    return PrimaryRecord(table="sales_orders", rows=(row,), name=("column", "OrderNumber"))
