"""A customer's ledger while it is drawn up: transactions, what is advised of each, disputes, earlier payments.

In: profile, account, random stream, kinds of transactions. Out: a Ledger that holds them. Nothing is judged here.

Kinds of transactions: paid (in full); claim and aged_claim (something kept back, of the second long ago); large_short
and short_near (paid in part, without a word); small_rest (paid but for less than the tolerance); late_discount and
timely_discount; paid_before (advised, though an earlier receipt settled it); netted and netted_provisional (an invoice
paid less a credit memo, of the second one that may not be netted yet); memo (listed); unlisted_memo; disputed,
disputed_small, decided_small and decided_large (contested, not advised; the decided ones count again).
"""

import datetime as dt
import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from generator.families.clerks import working_day_before
from generator.families.receivables_collection.facts import AdviceLine, Applied, DiscountTerms, Dispute, Transaction
from generator.spec.money import cents
from generator.spec.tenant import Model, TenantProfile

CLAIMS = (
    "cartons that were crushed on arrival",
    "freight that was charged twice",
    "goods that were short on delivery",
    "a pallet that came without labels",
    "parts that did not fit the sample",
)
CONTESTED = ("price not agreed", "quality of the delivery", "quantity delivered", "order not placed")
RETURNS = ("Goods returned", "Price corrected", "Shortage accepted")
NET_DAYS = 30


@dataclass
class Ledger:
    """The account while it is drawn up: its transactions, the advice's lines, disputes and earlier receipts."""

    profile: TenantProfile
    rng: Random
    account: str
    value_date: dt.date
    step: Decimal
    tolerance: Decimal
    next_id: int
    next_number: int
    transactions: list[Transaction] = field(default_factory=list)
    lines: list[AdviceLine] = field(default_factory=list)
    before: list[AdviceLine] = field(default_factory=list)
    disputes: list[Dispute] = field(default_factory=list)
    applied: list[tuple[dt.date, Applied]] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)

    @property
    def today(self) -> dt.date:
        return self.profile.today

    def share(self, least: int, most: int) -> Decimal:
        """An amount of so many thousandths of the credit limit, rounded to the ledger's step."""
        limit = self.profile.customer(self.account).credit_limit
        return self.rounded(limit * self.rng.randrange(least, most) / 1000)

    def rounded(self, amount: Decimal) -> Decimal:
        steps = (amount / self.step).quantize(Decimal(1), rounding=ROUND_HALF_UP)
        return (steps * self.step).quantize(Decimal("0.01"))

    def invoice(
        self,
        amount: Decimal,
        due_days_ago: int,
        balance: Decimal | None = None,
        discount: DiscountTerms | None = None,
    ) -> Transaction:
        """A new invoice of the account, past due by so many days (negative: not due yet)."""
        due = self.today - dt.timedelta(days=due_days_ago)
        terms = self.profile.customer(self.account).payment_terms
        days = int(re.sub(r"\D", "", terms) or NET_DAYS)
        if discount is not None:
            days = NET_DAYS
            terms = f"{discount.percent} % {discount.days}, Net {NET_DAYS}"
        return self.add(
            Transaction(
                id=self.next_id,
                number=f"INV-{self.profile.code}-{self.next_number}",
                account=self.account,
                customer_po=f"PO-R{self.rng.randrange(10000, 99999)}",
                dated=due - dt.timedelta(days=days),
                due=due,
                terms=terms,
                discount=discount,
                amount=amount,
                balance=amount if balance is None else balance,
            )
        )

    def memo(self, amount: Decimal, provisional: bool = False) -> Transaction:
        dated = self.today - dt.timedelta(days=self.rng.randrange(8, 20))
        return self.add(
            Transaction(
                id=self.next_id,
                number=f"CM-{self.profile.code}-{self.next_number}",
                kind="Credit Memo",
                account=self.account,
                dated=dated,
                due=dated + dt.timedelta(days=NET_DAYS),
                terms=self.profile.customer(self.account).payment_terms,
                amount=-amount,
                balance=-amount,
                comment="goods not back yet" if provisional else self.rng.choice(RETURNS),
                provisional=provisional,
            )
        )

    def add(self, entry: Transaction) -> Transaction:
        self.transactions.append(entry)
        move = self.rng.randrange(3, 15)
        self.next_id += move
        self.next_number += move
        return entry

    def renumber(self) -> None:
        """Hand the numbers out again in the order of the transactions' dates, as a ledger does."""
        entries = sorted(self.transactions, key=lambda entry: (entry.dated, entry.id))
        slots = [(entry.id, entry.number.rsplit("-", 1)[1]) for entry in self.transactions]
        renamed: dict[str | None, str] = {}
        self.transactions = []
        for entry, (id, digits) in zip(entries, slots, strict=True):
            prefix = entry.number.rsplit("-", 1)[0]
            number = f"{prefix}-{digits}"
            renamed[entry.number] = number
            self.transactions.append(entry.model_copy(update={"id": id, "number": number}))

        def moved[M: Model](entry: M) -> M:
            names = {
                key: renamed.get(value, value)
                for key, value in entry.model_dump(include={"transaction", "against"}).items()
            }
            return entry.model_copy(update=names)

        self.lines = [moved(line) for line in self.lines]
        self.before = [moved(line) for line in self.before]
        self.disputes = [moved(dispute) for dispute in self.disputes]
        self.applied = [(day, moved(applied)) for day, applied in self.applied]

    def claim_reason(self) -> str:
        if not self.claims:
            self.claims.extend(self.rng.sample(CLAIMS, len(CLAIMS)))
        return self.claims.pop()


def new_ledger(profile: TenantProfile, account: str, rng: Random, first_id: int) -> Ledger:
    limit = profile.customer(account).credit_limit
    step = Decimal(10) ** max(0, len(str(int(limit))) - 5)
    return Ledger(
        profile=profile,
        rng=rng,
        account=account,
        value_date=working_day_before(profile.today - dt.timedelta(days=rng.randrange(0, 2))),
        step=step,
        tolerance=(step * rng.choice((2, 3, 4))).quantize(Decimal("0.01")),
        next_id=first_id,
        next_number=rng.randrange(20, 90) * 1000 + first_id % 1000,
    )


def enter(ledger: Ledger, kind: str) -> None:
    """Put a transaction of the kind on the account and into the advices."""
    rng = ledger.rng
    if kind == "paid":
        advise(ledger, ledger.invoice(ledger.share(25, 70), rng.randrange(2, 35)))
    elif kind in ("claim", "aged_claim"):
        late = rng.randrange(61, 85) if kind == "aged_claim" else rng.randrange(8, 38)
        whole = ledger.share(60, 100)
        part = ledger.share(10, 25)
        entry = ledger.invoice(whole, late, balance=whole - part)
        ledger.applied.append((last_month(ledger), Applied(transaction=entry.number, amount=part)))
        claim = ledger.share(12, 30)
        advise(ledger, entry, claim=claim, claim_reason=ledger.claim_reason())
    elif kind in ("large_short", "short_near"):
        rest = ledger.share(95, 120) if kind == "large_short" else ledger.share(85, 95)
        entry = ledger.invoice(rest + ledger.share(40, 80), rng.randrange(8, 38))
        advise(ledger, entry, missing=rest)
    elif kind == "small_rest":
        entry = ledger.invoice(ledger.share(30, 60), rng.randrange(3, 38))
        advise(ledger, entry, missing=cents(ledger.tolerance * rng.randrange(30, 95) / 100))
    elif kind == "late_discount":
        terms = DiscountTerms(percent=Decimal(rng.choice((2, 3))), days=10)
        entry = ledger.invoice(ledger.share(50, 80), rng.randrange(1, 6), discount=terms)
        advise(ledger, entry, discount=cents(entry.balance * terms.percent / 100))
    elif kind == "timely_discount":
        terms = DiscountTerms(percent=Decimal(rng.choice((2, 3))), days=10)
        age = (ledger.today - ledger.value_date).days + rng.randrange(4, 10)
        entry = ledger.invoice(ledger.share(40, 70), age - NET_DAYS, discount=terms)
        advise(ledger, entry, discount=cents(entry.balance * terms.percent / 100), first=False)
    elif kind == "paid_before":
        whole = ledger.share(20, 45)
        entry = ledger.invoice(whole, rng.randrange(12, 40), balance=Decimal("0.00"))
        ledger.applied.append((last_month(ledger), Applied(transaction=entry.number, amount=whole)))
        ledger.lines.append(AdviceLine(transaction=entry.number, paid=whole))
    elif kind in ("netted", "netted_provisional"):
        entry = ledger.invoice(ledger.share(40, 70), rng.randrange(4, 36))
        advise(ledger, entry)
        memo = ledger.memo(ledger.share(8, 22), provisional=kind == "netted_provisional")
        ledger.lines.append(AdviceLine(transaction=memo.number, paid=-memo.balance, against=entry.number))
    elif kind == "memo":
        memo = ledger.memo(ledger.share(6, 14))
        ledger.lines.append(AdviceLine(transaction=memo.number, paid=-memo.balance))
    elif kind == "unlisted_memo":
        ledger.memo(ledger.share(38, 60))
    else:
        _contest(ledger, kind)


def advise(
    ledger: Ledger,
    entry: Transaction,
    discount: Decimal = Decimal("0.00"),
    claim: Decimal = Decimal("0.00"),
    missing: Decimal = Decimal("0.00"),
    claim_reason: str | None = None,
    first: bool = True,
) -> None:
    """List the invoice on the advice with what is taken off, and on the one before it in full."""
    paid = entry.balance - discount - claim - missing
    ledger.lines.append(
        AdviceLine(transaction=entry.number, paid=paid, discount=discount, claim=claim, claim_reason=claim_reason)
    )
    if first:
        ledger.before.append(AdviceLine(transaction=entry.number, paid=entry.balance))


def _contest(ledger: Ledger, kind: str) -> None:
    rng = ledger.rng
    large = kind in ("disputed", "decided_large")
    amount = ledger.share(95, 120) if large else ledger.share(12, 25)
    late = rng.randrange(10, 40)
    entry = ledger.invoice(amount, late)
    decided = working_day_before(ledger.today) if kind.startswith("decided") else None
    ledger.disputes.append(
        Dispute(
            transaction=entry.number,
            raised=entry.due - dt.timedelta(days=rng.randrange(1, 12)),
            reason=rng.choice(CONTESTED),
            decided=decided,
        )
    )


def last_month(ledger: Ledger) -> dt.date:
    """A day of the month before, so that the bank's note of one credit this month stays true."""
    return working_day_before(ledger.today.replace(day=1) - dt.timedelta(days=ledger.rng.randrange(0, 9)))
