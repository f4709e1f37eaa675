"""What importing the order comes to under a judgement: the one place where this family's numbers are worked out."""

from dataclasses import dataclass
from decimal import Decimal

from generator.families.base import Rows
from generator.families.order_import.facts import EarlierImport, Facts, SheetLine, Target
from generator.families.order_import.prices import list_price
from generator.spec.case import ExpectedChildren, ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import line_amount
from generator.spec.tenant import Item, Tenant

LINE_COLUMNS = ("ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice")


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

    Rules that a judgement may ignore: earlier_import, item_status, price_list (the sheet's prices are taken), credit.
    rows is what the ERP keeps: balances and open orders come from it, never from a document.
    """
    target = facts.task if judgement.target == "task" else facts.decoy
    if judgement.as_received:
        result = _as_printed(tenant, facts, target)
        option, status = "import_all_lines_as_received", "imported_as_received"
        submitted = True
    else:
        result = _sort(tenant, facts, target, judgement)
        total = sum((line.amount for line in result.accepted), Decimal("0.00"))
        exposed = exposure(rows, facts, target.account) + total
        over = exposed > tenant.profile.customer(target.account).credit_limit
        held = (over or tenant.profile.customer(target.account).credit_hold) and "credit" not in judgement.ignored_rules
        submitted = not held
        option = "import_accepted_lines_hold_for_credit" if held else "import_accepted_lines_and_submit"
        status = "held_for_credit_release" if held else "submitted"
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
        operative=target.sheet.source,
        cited=(),
        writes=(_create(facts, target, result.accepted, submitted),),
        primary=_primary(facts, target, result.accepted),
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


def _sort(tenant: Tenant, facts: Facts, target: Target, judgement: Judgement) -> Sorted:
    ignored = judgement.ignored_rules
    accepted: list[OrderLine] = []
    counts = {"duplicate": 0, "not_sold": 0, "not_convertible": 0}
    earlier_of_sheet: set[tuple[str, int]] = set()
    for line in target.sheet.lines:
        item = tenant.profile.item(line.item, facts.organization)
        factor = _factor(facts, item, line)
        repeated = (line.item, line.quantity) in earlier_of_sheet or _imported(target.earlier, line)
        earlier_of_sheet.add((line.item, line.quantity))
        if repeated and "earlier_import" not in ignored:
            counts["duplicate"] += 1
        elif item.status != "Active" and "item_status" not in ignored:
            counts["not_sold"] += 1
        elif factor is None:
            counts["not_convertible"] += 1
        else:
            listed = list_price(tenant.profile, item, facts.price_list(judgement.sources["price_list"]))
            price = line.unit_price if "price_list" in ignored else listed
            accepted.append(OrderLine(line.item, line.quantity * factor, item.uom, price))
    return Sorted(tuple(accepted), counts["duplicate"], counts["not_sold"], counts["not_convertible"])


def _as_printed(tenant: Tenant, facts: Facts, target: Target) -> Sorted:
    lines = [
        OrderLine(
            line.item,
            line.quantity,
            line.uom or tenant.profile.item(line.item, facts.organization).uom,
            line.unit_price,
        )
        for line in target.sheet.lines
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


def _create(facts: Facts, target: Target, lines: tuple[OrderLine, ...], submitted: bool) -> Write:
    return Write(
        tool="oracle_fusion.sales_orders.create",
        arguments={
            "SourceTransactionNumber": target.sheet.source,
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


def _primary(facts: Facts, target: Target, lines: tuple[OrderLine, ...]) -> PrimaryRecord:
    row = ExpectedRow(
        row={
            "CustomerPONumber": target.customer_po,
            "BuyingPartyNumber": target.account,
            "RequestedFulfillmentOrganizationCode": facts.organization,
            "SourceTransactionNumber": target.sheet.source,
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
