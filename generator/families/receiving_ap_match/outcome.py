"""What a delivery and its invoice come to under a judgement: the one place where its numbers are worked out."""

import dataclasses
from dataclasses import dataclass
from decimal import Decimal

from generator.families.base import Rows
from generator.families.receiving_ap_match.facts import BilledLine, Facts, Match, MatchPolicy
from generator.families.receiving_ap_match.writes import OPTIONS_TO_STATUS, Entry, primary, writes
from generator.spec.case import Judgement, Outcome
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant

RULES = (
    "damaged_units",
    "billed_before",
    "received_before",
    "cap_bound",
    "either_bound",
    "price_tolerance",
    "charges",
    "charge_cap",
    "packs",
    "part_payment",
    "entered_before",
)
"""Names of the rules that a judgement may ignore, in the order of the policy's sentences."""


@dataclass(frozen=True)
class MatchedLine:
    """An invoice line in the order's unit, and why it is held; reason None is a matched line.

    value: what of it is due at the order's price, for what was accepted and not billed yet.
    """

    line: BilledLine
    quantity: int
    price: Decimal
    value: Decimal
    reason: str | None

    @property
    def amount(self) -> Decimal:
        return line_amount(self.quantity, self.price)


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option, receipt, invoice and holds under a judgement; it may ignore any of RULES.

    rows is what the ERP keeps: what was received and billed on the order before comes from it.
    """
    match = facts.task if judgement.target == "task" else facts.decoy
    report, invoice = match.report(match.delivery), match.billed
    if judgement.target == "task":
        report = match.report(judgement.sources["delivery_note"])
        invoice = match.bill(judgement.sources["supplier_invoice"])
    policy, ignored = facts.edition(judgement.sources["match_policy"]), judgement.ignored_rules
    if judgement.as_received:
        return _as_invoiced(tenant, facts, match)
    accepted = {line.order_line: line.counted if "damaged_units" in ignored else line.accepted for line in report.lines}
    lines = [_matched(policy, match, rows, accepted, line, ignored) for line in invoice.lines]
    held = [line for line in lines if line.reason]
    amount = sum((line.amount for line in lines), Decimal("0.00"))
    matched = sum((line.amount for line in lines if line.reason is None), Decimal("0.00"))
    part = matched if policy.pays_in_part and "part_payment" not in ignored else Decimal("0.00")
    repeated = facts.repeated(match) if policy.refuses_repeats and "entered_before" not in ignored else None
    option = "receive_and_hold_variance" if held else "receive_and_validate"
    result = Outcome(
        answers={
            "lines_matched": len(lines) - len(held),
            "matched_amount": matched,
            "variance_amount": amount - sum((line.value for line in lines), Decimal("0.00")),
            "held_lines": len(held),
            "payable_amount": part if held else amount,
        },
        option=option,
        status=OPTIONS_TO_STATUS[option],
        operative=report.source,
        cited=(),
        writes=(),
        primary=None,
    )
    if repeated is not None and facts.manual_entries is not None:
        return _returned(result, facts.manual_entries.source)
    names = (policy.holds.price, policy.holds.quantity, policy.holds.not_on_order)
    reasons = tuple(name for name in names if any(line.reason == name for line in held))
    entry = Entry(match, invoice, tuple((number, n) for number, n in accepted.items() if n), _keyed(lines), reasons)
    return _executed(tenant, facts, result, entry)


def unbilled(match: Match, rows: Rows, number: int, accepted: int, ignored: frozenset[str] = frozenset()) -> int:
    """What has been accepted on an order line and not been billed yet, the delivery's accepted quantity included."""
    key = (match.order.number, number)
    line = next(r for r in rows["purchase_order_lines"] if (r["OrderNumber"], r["LineNumber"]) == key)
    billed = 0 if "billed_before" in ignored else line["BilledQuantity"]
    if "received_before" in ignored:
        return accepted
    return max(0, int(line["ReceivedQuantity"]) + accepted - int(billed))


def within_tolerance(
    policy: MatchPolicy, ordered: Decimal, billed: Decimal, quantity: int, ignored: frozenset[str] = frozenset()
) -> bool:
    """Whether a unit price differs from the order's by no more than the policy lets it."""
    off = abs(billed - ordered)
    if "price_tolerance" in ignored:
        return off == 0
    in_pct, in_cap = off * 100 <= ordered * policy.tolerance_pct, off * quantity <= policy.tolerance_cap
    if "cap_bound" in ignored:
        return in_pct
    either = not policy.lower and "either_bound" not in ignored
    return in_pct or in_cap if either else in_pct and in_cap


def _matched(
    policy: MatchPolicy,
    match: Match,
    rows: Rows,
    accepted: dict[int, int],
    line: BilledLine,
    ignored: frozenset[str],
) -> MatchedLine:
    packs = "packs" in ignored
    quantity = line.quantity if packs else line.ordered_units
    price = line.unit_price if packs else line.ordered_unit_price
    if line.order_line is None:
        free = policy.charge_cap is not None and line_amount(quantity, price) <= policy.charge_cap
        passed = (free and "charge_cap" not in ignored) or "charges" in ignored
        return MatchedLine(line, quantity, price, Decimal("0.00"), None if passed else policy.holds.not_on_order)
    ordered = match.order.line(line.order_line).unit_price
    due = unbilled(match, rows, line.order_line, accepted.get(line.order_line, 0), ignored)
    reason = None
    if quantity > due:
        reason = policy.holds.quantity
    elif not within_tolerance(policy, ordered, price, quantity, ignored):
        reason = policy.holds.price
    return MatchedLine(line, quantity, price, line_amount(min(quantity, due), ordered), reason)


def _keyed(lines: list[MatchedLine]) -> tuple[tuple[BilledLine, int, Decimal], ...]:
    return tuple((line.line, line.quantity, line.price) for line in lines)


def _executed(tenant: Tenant, facts: Facts, result: Outcome, entry: Entry) -> Outcome:
    return dataclasses.replace(result, writes=writes(tenant, facts, entry), primary=primary(tenant, facts, entry))


def _returned(result: Outcome, obstacle: str) -> Outcome:
    """Nothing is received or entered; the figures are those of the invoice if it were the first."""
    option = "return_invoice_unentered"
    status = OPTIONS_TO_STATUS[option]
    return dataclasses.replace(result, option=option, status=status, cited=(obstacle,), obstacle=obstacle)


def _as_invoiced(tenant: Tenant, facts: Facts, match: Match) -> Outcome:
    """The first invoice taken for right, the receipt at what the delivery note shows as shipped."""
    invoice, report = match.invoice, match.report(match.delivery)
    amount = sum((line_amount(line.quantity, line.unit_price) for line in invoice.lines), Decimal("0.00"))
    option = "enter_as_invoiced"
    result = Outcome(
        answers={
            "lines_matched": len(invoice.lines),
            "matched_amount": amount,
            "variance_amount": Decimal("0.00"),
            "held_lines": 0,
            "payable_amount": amount,
        },
        option=option,
        status=OPTIONS_TO_STATUS[option],
        operative=invoice.source,
        cited=(),
        writes=(),
        primary=None,
    )
    received = tuple((line.order_line, line.shipped) for line in report.lines)
    keyed = tuple((line, line.quantity, line.unit_price) for line in invoice.lines)
    return _executed(tenant, facts, result, Entry(match, invoice, received, keyed, ()))
