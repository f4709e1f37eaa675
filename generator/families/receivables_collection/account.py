"""One drawn payment: the account's ledger, what the customer advised, and the rules of the day.

In: profile, an Account (what its transactions are like, ledger.py has the kinds), random stream. Out: Facts. Nothing is
judged here; draw.py keeps those payments whose mistakes show.
"""

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from generator.families.clerks import clerk_names, moment, working_day_before
from generator.families.office import Contact
from generator.families.receivables_collection.facts import (
    Advice,
    Applied,
    BankNote,
    BankNotice,
    CreditPolicy,
    Customer,
    DisputeList,
    EarlierReceipt,
    Facts,
)
from generator.families.receivables_collection.ledger import Ledger, advise, enter, new_ledger
from generator.spec.tenant import TenantProfile

NAME_SHARE = 1
CLERK_TITLES = ("Accounts payable", "Bookkeeping", "Treasury clerk", "Finance assistant")
UNKNOWN_PARTIES = ("Orvale Clearing Services", "Tessaly Payment Agents", "Nordhaven Collections", "Quillon Transfers")


@dataclass(frozen=True)
class Account:
    """kinds: the account's transactions. strict: the policy's share is low. writes_off_before: the earlier edition let
    the desk write small rests off. unknown_payer: the bank cannot tie the money to a customer."""

    kinds: tuple[str, ...]
    strict: bool = False
    writes_off_before: bool = False
    unknown_payer: bool = False


def open_account(profile: TenantProfile, account: Account, rng: Random) -> Facts:
    ledger = new_ledger(profile, profile.cast["remit_customer"], rng, 510000 + rng.randrange(60, 300))
    for kind in account.kinds:
        enter(ledger, kind)
    method, prefix = _method(profile)
    _settle_long_ago(ledger)
    ledger.renumber()
    receipts = _receipts(ledger, method, prefix)
    names = clerk_names(profile, rng, 2, NAME_SHARE)
    issued = moment(profile, ledger.value_date, 11, rng.randrange(0, 59))
    credited = issued + dt.timedelta(hours=1)
    earlier_day = working_day_before(ledger.value_date)
    advice = _advice(ledger, issued, method, _reference(prefix, ledger.value_date, rng))
    earlier = advice.model_copy(
        update={
            "source": f"MSG-{profile.code}-REMITTANCE-{earlier_day:%m%d}",
            "medium": "mail",
            "issued": moment(profile, earlier_day, 12, rng.randrange(0, 59)),
            "edition": 1,
            "reference": _reference(prefix, earlier_day, rng),
            "value_date": earlier_day,
            "amount": sum((line.paid for line in ledger.before), Decimal("0.00")),
            "replaces": None,
            "lines": tuple(ledger.before),
        }
    )
    namesake, namesake_advice = _namesake(profile, rng, ledger, method, prefix)
    return Facts(
        business_unit=profile.business_unit,
        task=_customer(profile, ledger.account, names[0], rng, advice.source),
        decoy=_customer(profile, namesake.account, names[1], rng, namesake_advice.source),
        transactions=(*ledger.transactions, *namesake.transactions),
        advices=(advice.model_copy(update={"replaces": earlier.source}), earlier, namesake_advice),
        receipts=receipts,
        policies=_policies(profile, account, ledger, rng),
        aging_dates=(profile.today, profile.today.replace(day=1) - dt.timedelta(days=1)),
        bank_note=None if account.unknown_payer else BankNote(at=credited, thread=f"THREAD-{profile.code}-BANK"),
        disputes=_dispute_list(ledger),
        bank_notice=_notice(profile, rng, advice) if account.unknown_payer else None,
    )


def _dispute_list(ledger: Ledger) -> DisputeList | None:
    if not ledger.disputes:
        return None
    day = working_day_before(ledger.today)
    return DisputeList(
        source=f"MSG-{ledger.profile.code}-DISPUTES-{day:%m%d}",
        issued=moment(ledger.profile, day, 16, 20),
        disputes=tuple(ledger.disputes),
    )


def _method(profile: TenantProfile) -> tuple[str, str]:
    """The tenant's transfer, the first of its receipt methods, and how its references begin."""
    method = next(entry.code for entry in profile.lookups if entry.kind == "receipt_method")
    words = re.findall(r"[A-Za-z]+", method)
    if words[0].isupper() and len(words[0]) > 2:
        return method, words[0]
    return method, "".join(word[0] for word in words).upper()


def _reference(prefix: str, day: dt.date, rng: Random) -> str:
    return f"{prefix}-{day:%y%m%d}-{rng.randrange(1000, 9999)}"


def _advice(ledger: Ledger, issued: dt.datetime, method: str, reference: str) -> Advice:
    memos = {entry.number for entry in ledger.transactions if entry.kind == "Credit Memo"}
    return Advice(
        source=f"FILE-{ledger.profile.code}-REMITTANCE-{issued:%m%d}",
        medium="drive",
        account=ledger.account,
        issued=issued,
        edition=2,
        reference=reference,
        method=method,
        value_date=ledger.value_date,
        amount=sum((-line.paid if line.transaction in memos else line.paid for line in ledger.lines), Decimal("0.00")),
        lines=tuple(ledger.lines),
    )


def _namesake(profile: TenantProfile, rng: Random, ledger: Ledger, method: str, prefix: str) -> tuple[Ledger, Advice]:
    """The namesake's account, which pays one invoice in full and another in part."""
    other = new_ledger(profile, profile.cast["remit_namesake"], rng, ledger.next_id + 1)
    other.next_number = ledger.next_number + 1
    other.value_date = ledger.value_date
    advise(other, other.invoice(other.share(40, 90), rng.randrange(12, 30)))
    entry = other.invoice(other.share(80, 140), rng.randrange(5, 25))
    advise(other, entry, missing=other.rounded(entry.balance * rng.randrange(30, 60) / 100))
    other.invoice(other.share(30, 70), -rng.randrange(3, 12))
    other.renumber()
    issued = moment(profile, working_day_before(other.value_date), 14, rng.randrange(0, 59))
    advice = _advice(other, issued, method, _reference(prefix, other.value_date, rng))
    digits = re.sub(r"\D", "", other.account)
    mail = {"source": f"MSG-{profile.code}-REMITTANCE-{digits}-{issued:%m%d}", "medium": "mail", "edition": 1}
    return other, advice.model_copy(update=mail)


def _customer(profile: TenantProfile, account: str, name: str, rng: Random, advice: str) -> Customer:
    email = profile.customer(account).email
    return Customer(
        account=account,
        contact=Contact(name=name, title=rng.choice(CLERK_TITLES), email=email),
        advice=advice,
    )


def _settle_long_ago(ledger: Ledger) -> None:
    """An invoice that was paid in the month before."""
    rng, amount = ledger.rng, ledger.share(20, 60)
    entry = ledger.invoice(amount, rng.randrange(35, 60), balance=Decimal("0.00"))
    long_ago = working_day_before(ledger.today.replace(day=1) - dt.timedelta(days=rng.randrange(12, 25)))
    ledger.applied.append((long_ago, Applied(transaction=entry.number, amount=amount)))


def _receipts(ledger: Ledger, method: str, prefix: str) -> tuple[EarlierReceipt, ...]:
    """One receipt for each earlier payment."""
    rng = ledger.rng
    first, gap = ledger.profile.sequences["standard_receipts"][1] - rng.randrange(40, 90), rng.randrange(3, 9)
    return tuple(
        EarlierReceipt(
            id=first + place * gap,
            number=_reference(prefix, day, rng),
            account=ledger.account,
            method=method,
            received=day,
            amount=applied.amount,
            created=moment(ledger.profile, day, 15, rng.randrange(0, 59)),
            applied=(applied,),
        )
        for place, (day, applied) in enumerate(sorted(ledger.applied, key=lambda payment: payment[0]))
    )


def _policies(profile: TenantProfile, account: Account, ledger: Ledger, rng: Random) -> tuple[CreditPolicy, ...]:
    """The edition in force, and the one before it, which was kinder to late and short payers."""
    code, edition = profile.code, rng.randrange(3, 9)
    share = Decimal(rng.choice((7, 8))) if account.strict else Decimal(rng.choice((10, 12)))
    days = rng.choice((45, 50, 60))
    starts = profile.today.replace(month=1, day=1)
    before = starts - dt.timedelta(days=184)
    current = CreditPolicy(
        source=f"FILE-{code}-CREDIT-POLICY-R{edition}",
        medium="drive",
        edition=edition,
        issued=moment(profile, starts - dt.timedelta(days=rng.randrange(10, 25)), 15),
        effective_from=starts,
        discount_grace_days=0,
        short_payment_tolerance=ledger.tolerance,
        hold_above_pct=share,
        hold_above_days=days,
        exposure_statuses=("Booked", "Awaiting Shipping"),
    )
    earlier = current.model_copy(
        update={
            "source": f"MSG-{code}-CREDIT-POLICY-R{edition - 1}",
            "medium": "mail",
            "edition": edition - 1,
            "issued": moment(profile, before - dt.timedelta(days=rng.randrange(8, 20)), 14),
            "effective_from": before,
            "discount_grace_days": 0 if account.writes_off_before else 30,
            "hold_above_pct": share + 8,
            "hold_above_days": days + 30,
            "desk_writes_off": account.writes_off_before,
            "unknown_payer": "enter" if account.unknown_payer else "stop",
        }
    )
    return (current, earlier)


def _notice(profile: TenantProfile, rng: Random, advice: Advice) -> BankNotice:
    day = working_day_before(profile.today)
    return BankNotice(
        source=f"MSG-{profile.code}-BANK-NOTICE-{day:%m%d}",
        issued=moment(profile, day, 16, 45),
        reference=advice.reference,
        ordering_party=rng.choice(UNKNOWN_PARTIES),
    )
