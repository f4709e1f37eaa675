"""The facts of a customer's payment: open transactions, advices, earlier receipts, the credit policy's editions.

Accounts, limits and payment terms are the profile's. Amounts are in the ledger currency; balances are those before the
payment is applied, credit memos negative.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.office import Contact
from generator.spec.tenant import Model


class DiscountTerms(Model):
    """percent off the balance when the money's value date is at most `days` after the transaction date."""

    percent: Decimal
    days: int


class Transaction(Model):
    """balance is what is open before the payment. provisional: a credit memo that may not be netted yet."""

    id: int
    number: str
    kind: Literal["Invoice", "Credit Memo"] = "Invoice"
    account: str
    customer_po: str | None = None
    dated: dt.date
    due: dt.date
    terms: str
    discount: DiscountTerms | None = None
    amount: Decimal
    balance: Decimal
    comment: str | None = None
    provisional: bool = False

    @property
    def remark(self) -> str | None:
        """What the ledger's comment says; a provisional memo is marked there."""
        return f"Provisional: {self.comment}" if self.provisional else self.comment


class AdviceLine(Model):
    """paid is the money for the transaction, for a credit memo what the customer nets (positive).

    discount and claim are what the customer took off an invoice; claim_reason says why. against is the invoice that a
    credit memo is netted on: its paid holds the memo's amount.
    """

    transaction: str
    paid: Decimal
    discount: Decimal = Decimal("0.00")
    claim: Decimal = Decimal("0.00")
    claim_reason: str | None = None
    against: str | None = None


class Advice(Model):
    """A remittance advice. source is a Drive file id, or for medium mail a message id; reference names the payment."""

    source: str
    medium: Literal["drive", "mail"]
    account: str
    issued: dt.datetime
    edition: int
    reference: str
    method: str
    value_date: dt.date
    amount: Decimal
    replaces: str | None = None
    lines: tuple[AdviceLine, ...]


class Applied(Model):
    transaction: str
    kind: Literal["Invoice", "Credit Memo", "Discount"] = "Invoice"
    amount: Decimal


class EarlierReceipt(Model):
    id: int
    number: str
    account: str
    method: str
    received: dt.date
    amount: Decimal
    created: dt.datetime
    applied: tuple[Applied, ...]


class CreditPolicy(Model):
    """One edition. medium drive is file 08; an earlier edition is the mail that announced it.

    discount_grace_days: days after the discount date at which a discount is still allowed.
    hold_above_pct, hold_above_days: remaining past due above this share of the limit, or older than this, means that a
    hold is recommended. exposure_statuses: orders that count towards the limit until they are billed.
    desk_writes_off: the desk takes a rest inside the tolerance off the invoice itself. unknown_payer: what becomes of
    money that the bank cannot tie to a customer.
    """

    source: str
    medium: Literal["drive", "mail"]
    edition: int
    issued: dt.datetime
    effective_from: dt.date
    effective_to: dt.date | None = None
    discount_grace_days: int
    short_payment_tolerance: Decimal
    hold_above_pct: Decimal
    hold_above_days: int
    exposure_statuses: tuple[str, ...]
    desk_writes_off: bool = False
    unknown_payer: Literal["stop", "enter"] = "stop"


class Dispute(Model):
    """An invoice the customer contests. decided: when the credit manager found for us; None while it is open."""

    transaction: str
    raised: dt.date
    reason: str
    decided: dt.date | None = None


class DisputeList(Model):
    """The credit manager's mail with all disputes of the account and how they stand."""

    source: str
    issued: dt.datetime
    disputes: tuple[Dispute, ...]

    def open_on(self, transaction: str) -> bool:
        return any(entry.transaction == transaction and entry.decided is None for entry in self.disputes)


class BankNotice(Model):
    """The credit manager's mail that passes on what the bank says of the payment's payer, whom it cannot name."""

    source: str
    issued: dt.datetime
    reference: str
    ordering_party: str


class BankNote(Model):
    """When the finance channel was told that the money is in the bank."""

    at: dt.datetime
    thread: str


class Customer(Model):
    """An account with its payment in force: the task's, or the decoy's."""

    account: str
    contact: Contact
    advice: str


class Facts(Model):
    business_unit: str
    task: Customer
    decoy: Customer
    transactions: tuple[Transaction, ...]
    advices: tuple[Advice, ...]
    receipts: tuple[EarlierReceipt, ...]
    policies: tuple[CreditPolicy, ...]
    aging_dates: tuple[dt.date, ...]
    bank_note: BankNote | None = None
    disputes: DisputeList | None = None
    bank_notice: BankNotice | None = None

    def transaction(self, number: str) -> Transaction:
        """Raises KeyError for a number nobody owes."""
        for entry in self.transactions:
            if entry.number == number:
                return entry
        raise KeyError(f"no receivables transaction {number}")

    def advice(self, source: str) -> Advice:
        """Raises KeyError for a source that is no advice."""
        for entry in self.advices:
            if entry.source == source:
                return entry
        raise KeyError(f"no remittance advice {source}")

    def of_account(self, account: str) -> tuple[Transaction, ...]:
        return tuple(entry for entry in self.transactions if entry.account == account)

    @property
    def policy(self) -> CreditPolicy:
        """The edition filed on Drive."""
        return next(entry for entry in self.policies if entry.medium == "drive")
