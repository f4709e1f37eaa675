"""What entering a payment comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.families.base import Rows
from generator.families.receivables_collection.facts import (
    Advice,
    AdviceLine,
    CreditPolicy,
    Customer,
    Facts,
    Transaction,
)
from generator.spec.case import ExpectedChildren, ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import cents
from generator.spec.tenant import Tenant

RULES = (
    "claims",
    "discount_date",
    "paid_invoices",
    "provisional_memos",
    "tolerance",
    "disputes",
    "dispute_decisions",
    "set_off",
    "hold",
)
"""Rules that a judgement may ignore, beside unknown_payer."""

ZERO = Decimal("0.00")
REFERENCE_COLUMNS = ("ReferenceType", "ReferenceNumber", "ApplyAmount")


@dataclass(frozen=True)
class Reference:
    """A remittance row: Invoice, Discount or Credit Memo; amount above zero, in the ledger currency."""

    kind: str
    number: str
    amount: Decimal


@dataclass(frozen=True)
class Standing:
    """How the account stands after the payment."""

    past_due: Decimal
    oldest: int
    percent: Decimal
    share: Decimal


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and receipt under a judgement.

    Rules that a judgement may ignore: claims (what is kept back counts as settled), discount_date, paid_invoices (money
    goes on invoices that are closed), provisional_memos, tolerance (small rests are taken off), disputes (open ones
    count as past due), dispute_decisions (decided ones still do not), set_off (credit memos left over reduce what is
    past due), hold, unknown_payer. rows is what the ERP keeps: balances, due dates and the limit come from it.
    """
    target = facts.task if judgement.target == "task" else facts.decoy
    advice = _advice(facts, target, judgement)
    policy = _policy(facts, judgement)
    ledger = _ledger(rows, target.account)
    references = tuple(_references(facts, advice, policy, ledger, judgement))
    after = _balances(ledger, references)
    standing = _standing(tenant, facts, rows, target, ledger, after, judgement)
    stopped = _stopped(facts, advice, policy, judgement)
    option, status = _option(policy, standing, judgement, stopped is not None)
    return Outcome(
        answers={
            "receipt_amount": advice.amount,
            "invoices_settled": sum(
                row["TransactionClass"] == "Invoice" and row["InvoiceBalanceAmount"] > 0 and after[number] == 0
                for number, row in ledger.items()
            ),
            "remaining_past_due": standing.past_due,
            "oldest_days_past_due": standing.oldest,
            "past_due_pct_of_limit": standing.percent,
        },
        option=option,
        status=status,
        operative=advice.source,
        cited=() if stopped is None else (stopped,),
        writes=() if stopped else (_create(tenant, facts, target, advice, references),),
        primary=None if stopped else _primary(tenant, facts, target, advice, references),
        obstacle=stopped,
    )


def _advice(facts: Facts, target: Customer, judgement: Judgement) -> Advice:
    believed = facts.advice(judgement.sources["remittance"])
    return believed if believed.account == target.account else facts.advice(target.advice)


def _policy(facts: Facts, judgement: Judgement) -> CreditPolicy:
    return next(entry for entry in facts.policies if entry.source == judgement.sources["credit_policy"])


def _ledger(rows: Rows, account: str) -> dict[str, Mapping[str, Any]]:
    """The account's transactions by number."""
    return {
        row["TransactionNumber"]: row for row in rows["receivables_invoices"] if row["BillToCustomerNumber"] == account
    }


def _references(
    facts: Facts, advice: Advice, policy: CreditPolicy, ledger: Mapping[str, Mapping[str, Any]], judgement: Judgement
) -> Iterator[Reference]:
    """The rows of the receipt, in the order of the advice: for an invoice its money, then what is taken off it."""
    netted = {line.against: line.paid for line in advice.lines if not _nets(facts, line, judgement)}
    for line in advice.lines:
        entry = facts.transaction(line.transaction)
        if entry.kind == "Credit Memo":
            if _nets(facts, line, judgement):
                left = -ledger[entry.number]["InvoiceBalanceAmount"]
                yield Reference("Credit Memo", entry.number, min(line.paid, left))
            continue
        open_balance = ledger[entry.number]["InvoiceBalanceAmount"]
        money = line.paid - netted.get(entry.number, ZERO)
        if not (judgement.as_received or "paid_invoices" in judgement.ignored_rules):
            money = min(money, open_balance)
        if money > 0:
            yield Reference("Invoice", entry.number, money)
        allowed = _discount(entry, open_balance) if _in_time(advice, entry, policy, judgement) else ZERO
        rest = open_balance - money
        taken_off = min(_taken_off(line, allowed, policy, rest, judgement), rest)
        if taken_off > 0:
            yield Reference("Discount", entry.number, taken_off)


def _nets(facts: Facts, line: AdviceLine, judgement: Judgement) -> bool:
    """Whether the line is no memo, or one that may be netted."""
    provisional = facts.transaction(line.transaction).provisional
    return not provisional or judgement.as_received or "provisional_memos" in judgement.ignored_rules


def _taken_off(
    line: AdviceLine, allowed: Decimal, policy: CreditPolicy, rest: Decimal, judgement: Judgement
) -> Decimal:
    """What comes off the invoice without money: an allowed discount, a claim that is believed, a small rest."""
    if judgement.as_received:
        return rest
    taken = min(line.discount, allowed)
    if "claims" in judgement.ignored_rules:
        taken += line.claim
    left = rest - taken
    by_desk = policy.desk_writes_off or "tolerance" in judgement.ignored_rules
    if by_desk and not line.claim and ZERO < left <= policy.short_payment_tolerance:
        taken += left
    return taken


def _in_time(advice: Advice, entry: Transaction, policy: CreditPolicy, judgement: Judgement) -> bool:
    """Whether the money came by the discount date, or within the days of grace after it."""
    if entry.discount is None:
        return False
    last = entry.dated + dt.timedelta(days=entry.discount.days + policy.discount_grace_days)
    return advice.value_date <= last or "discount_date" in judgement.ignored_rules


def _discount(entry: Transaction, open_balance: Decimal) -> Decimal:
    """What the terms allow: their percentage off the balance."""
    return ZERO if entry.discount is None else cents(open_balance * entry.discount.percent / 100)


def _balances(ledger: Mapping[str, Mapping[str, Any]], references: tuple[Reference, ...]) -> dict[str, Decimal]:
    """Balances after the receipt, by number; credit memos negative."""
    after = {number: Decimal(row["InvoiceBalanceAmount"]) for number, row in ledger.items()}
    for reference in references:
        after[reference.number] += reference.amount if reference.kind == "Credit Memo" else -reference.amount
    return after


def _standing(
    tenant: Tenant,
    facts: Facts,
    rows: Rows,
    target: Customer,
    ledger: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Decimal],
    judgement: Judgement,
) -> Standing:
    today = tenant.profile.today
    due = {
        number: row["DueDate"]
        for number, row in ledger.items()
        if row["TransactionClass"] == "Invoice"
        and row["DueDate"] < today
        and after[number] > 0
        and not _disputed(facts, number, judgement)
    }
    past_due = sum((after[number] for number in due), ZERO)
    if "set_off" in judgement.ignored_rules:
        memos = sum((after[n] for n, row in ledger.items() if row["TransactionClass"] == "Credit Memo"), ZERO)
        past_due = max(ZERO, past_due + memos)
    limit = next(row["CreditLimit"] for row in rows["accounts"] if row["AccountId"] == target.account)
    share = past_due / limit * 100
    oldest = max(((today - date).days for date in due.values()), default=0) if past_due else 0
    return Standing(past_due, oldest, cents(share), share)


def _disputed(facts: Facts, number: str, judgement: Judgement) -> bool:
    if facts.disputes is None or judgement.as_received or "disputes" in judgement.ignored_rules:
        return False
    if "dispute_decisions" in judgement.ignored_rules:
        return any(entry.transaction == number for entry in facts.disputes.disputes)
    return facts.disputes.open_on(number)


def _stopped(facts: Facts, advice: Advice, policy: CreditPolicy, judgement: Judgement) -> str | None:
    """The notice that keeps the payment from being entered."""
    notice = facts.bank_notice
    if notice is None or notice.reference != advice.reference or policy.unknown_payer == "enter":
        return None
    if judgement.as_received or "unknown_payer" in judgement.ignored_rules:
        return None
    return notice.source


def _option(policy: CreditPolicy, standing: Standing, judgement: Judgement, stopped: bool) -> tuple[str, str]:
    if stopped:
        return "stop_return_for_clarification", "not_applied"
    if judgement.as_received:
        return "apply_remittance_as_listed", "applied_as_listed"
    over = standing.share > policy.hold_above_pct or standing.oldest > policy.hold_above_days
    if over and "hold" not in judgement.ignored_rules:
        return "apply_receipt_recommend_hold", "applied_hold_recommended"
    return "apply_receipt_terms_continue", "applied_in_terms"


def _create(tenant: Tenant, facts: Facts, target: Customer, advice: Advice, references: tuple[Reference, ...]) -> Write:
    return Write(
        tool="oracle_fusion.standard_receipts.create",
        arguments={
            "ReceiptNumber": advice.reference,
            "CustomerAccountNumber": target.account,
            "ReceiptAmount": advice.amount,
            "ReceiptDate": advice.value_date.isoformat(),
            "ReceiptMethod": advice.method,
            "BusinessUnit": facts.business_unit,
            "Currency": tenant.profile.currency,
            "remittanceReferences": [
                {"ReferenceType": r.kind, "ReferenceNumber": r.number, "ApplyAmount": r.amount} for r in references
            ],
        },
    )


def _primary(
    tenant: Tenant, facts: Facts, target: Customer, advice: Advice, references: tuple[Reference, ...]
) -> PrimaryRecord:
    row = ExpectedRow(
        row={
            "ReceiptNumber": advice.reference,
            "CustomerAccountNumber": target.account,
            "ReceiptAmount": {"money": str(advice.amount)},
            "ReceiptDate": advice.value_date.isoformat(),
            "ReceiptMethod": advice.method,
            "BusinessUnit": facts.business_unit,
            "Currency": tenant.profile.currency,
        },
        children=ExpectedChildren(
            table="remittance_references",
            on="StandardReceiptId",
            columns=REFERENCE_COLUMNS,
            rows=tuple((r.kind, r.number, {"money": str(r.amount)}) for r in references),
        ),
    )
    return PrimaryRecord(table="standard_receipts", rows=(row,), name=("literal", advice.reference))
