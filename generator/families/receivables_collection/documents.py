"""Files 06 to 08, the customers' advice mails, an earlier edition of the credit policy and the finance channel."""

import datetime as dt
from decimal import Decimal

from generator.evidence.model import Block, Column, Document, Form, Heading, Pairs, Paragraph, Sheet, Spreadsheet, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.office import Contact, day, filed_in_force, in_words, listing, money
from generator.families.office import mail as write_mail
from generator.families.receivables_collection.facts import (
    Advice,
    AdviceLine,
    BankNotice,
    CreditPolicy,
    DisputeList,
    Facts,
    Transaction,
)
from generator.families.receivables_collection.policy import policy_mail, policy_text
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (
        _advice_file(tenant, facts, facts.advice(facts.task.advice)),
        _aging(tenant, facts),
        _policy_file(tenant, facts, facts.policy),
    )


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    return (
        *(_advice_mail(tenant, facts, entry) for entry in facts.advices if entry.medium == "mail"),
        *(_policy_mail(tenant, facts, entry) for entry in facts.policies if entry.medium == "mail"),
        *(_dispute_mail(tenant, entry) for entry in (facts.disputes,) if entry is not None),
        *(_notice_mail(tenant, facts, entry) for entry in (facts.bank_notice,) if entry is not None),
    )


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    if facts.bank_note is None:
        return ()
    advice = facts.advice(facts.task.advice)
    name = tenant.profile.customer(advice.account).name
    return (
        ChatMessage(
            at=facts.bank_note.at,
            channel=f"#finance-{tenant.profile.code.lower()}",
            author=tenant.profile.person("credit_manager").name,
            thread=facts.bank_note.thread,
            text=(
                f"The bank shows one credit from {name}: {advice.reference}, {money(tenant.profile, advice.amount)},"
                f" value {advice.value_date.isoformat()}. Nothing else from them this month. The namesake pays on its"
                " own."
            ),
        ),
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def _contact(facts: Facts, account: str) -> Contact:
    return next(c.contact for c in (facts.task, facts.decoy) if c.account == account)


def _advice_file(tenant: Tenant, facts: Facts, advice: Advice) -> Document:
    profile = tenant.profile
    customer = profile.customer(advice.account)
    columns = (
        Column("Document"),
        Column("Kind"),
        Column("Your balance", "money"),
        Column("Discount taken", "money"),
        Column("Claim kept back", "money"),
        Column("Amount paid", "money"),
    )
    rows = []
    for line in advice.lines:
        entry = facts.transaction(line.transaction)
        sign = -1 if entry.kind == "Credit Memo" else 1
        # What the customer takes for open: an invoice that we have as paid stands there with its whole amount.
        open_then = entry.balance or entry.amount
        rows.append((line.transaction, entry.kind, open_then, line.discount, line.claim, sign * line.paid))
    claims = tuple(line for line in advice.lines if line.claim_reason)
    netted = tuple(line for line in advice.lines if line.against)
    pairs = [
        ("Payer", f"{customer.name}, account {advice.account} in your books"),
        ("Payee", profile.company),
        ("Payment reference", advice.reference),
        ("Payment method", advice.method),
        ("Value date", day(profile, advice.value_date)),
        ("Amount paid", money(profile, advice.amount)),
    ]
    blocks: list[Block] = [
        Pairs(tuple(pairs)),
        Heading("What this payment covers"),
        Table(columns, tuple(rows)),
        *(Paragraph(_claim(tenant, line)) for line in claims),
        *(Paragraph(f"Credit memo {line.transaction} is netted on {line.against}.") for line in netted),
        Paragraph(
            f"This advice is dated {day(profile, advice.issued.date())}."
            + (" It takes the place of any we sent before for the same invoices." if advice.replaces else "")
        ),
    ]
    contact = _contact(facts, advice.account)
    return Document(
        id=advice.source,
        name="06-remittance-advice.pdf",
        body=Form(
            (customer.name, f"{contact.name}, {contact.title}", contact.email), "Remittance advice", tuple(blocks)
        ),
        description=f"Remittance advice of {advice.issued.date().isoformat()} from {customer.name}, {advice.reference}",
        author=contact.name,
        owner=profile.person("credit_manager").email,
        modified=filed_in_force(profile),
    )


def _claim(tenant: Tenant, line: AdviceLine) -> str:
    return (
        f"On {line.transaction} we keep back {money(tenant.profile, line.claim)} for {line.claim_reason} and regard"
        " the invoice as settled."
    )


def _advice_mail(tenant: Tenant, facts: Facts, advice: Advice) -> MailMessage:
    profile = tenant.profile
    customer = profile.customer(advice.account)
    contact = _contact(facts, advice.account)
    entries = []
    for line in advice.lines:
        kind = facts.transaction(line.transaction).kind
        verb = "less credit memo" if kind == "Credit Memo" else "invoice"
        taken = f", discount {money(profile, line.discount)}" if line.discount else ""
        kept = f", {money(profile, line.claim)} kept back for {line.claim_reason}" if line.claim_reason else ""
        on = f", netted on {line.against}" if line.against else ""
        entries.append(f"{verb} {line.transaction}: {money(profile, line.paid)}{taken}{kept}{on}")
    return write_mail(
        advice.source,
        contact.email,
        profile.person("analyst").email,
        f"Remittance advice {advice.reference}",
        advice.issued,
        [
            f"{customer.name}, your account {advice.account}, pays {money(profile, advice.amount)} by {advice.method}"
            f" under {advice.reference}, value date {advice.value_date.isoformat()}:",
            listing(entries),
        ],
        [contact.name, contact.title],
    )


def _dispute_mail(tenant: Tenant, listed: DisputeList) -> MailMessage:
    manager = tenant.profile.person("credit_manager")
    entries = []
    for entry in listed.disputes:
        state = f"decided in our favour on {entry.decided.isoformat()}" if entry.decided else "open, not decided"
        entries.append(f"{entry.transaction}, contested since {entry.raised.isoformat()} ({entry.reason}): {state}")
    return write_mail(
        listed.source,
        manager.email,
        tenant.profile.person("analyst").email,
        f"Disputes as of {listed.issued.date().isoformat()}",
        listed.issued,
        ["These are all disputes on the books, with how they stand:", listing(entries)],
        [manager.name, manager.title],
    )


def _notice_mail(tenant: Tenant, facts: Facts, notice: BankNotice) -> MailMessage:
    profile = tenant.profile
    manager = profile.person("credit_manager")
    return write_mail(
        notice.source,
        manager.email,
        profile.person("analyst").email,
        f"Payer of {notice.reference}",
        notice.issued,
        [
            f"The bank writes that the credit under {notice.reference} was ordered by {notice.ordering_party}, an"
            " account"
            " that it cannot tie to any customer of ours, and that it does not know on whose behalf. It has asked the"
            " sending bank and waits for the answer.",
            "I will pass it on as soon as the payer is named.",
        ],
        [manager.name, manager.title],
    )


def _aging(tenant: Tenant, facts: Facts) -> Document:
    manager = tenant.profile.person("credit_manager")
    sheets = tuple(
        Sheet(f"As of {as_of.isoformat()}", _aging_table(tenant, facts, as_of)) for as_of in facts.aging_dates
    )
    names = in_words([sheet.name.removeprefix("As of ") for sheet in sheets])
    return Document(
        id=f"FILE-{tenant.profile.code}-AR-AGING",
        name="07-ar-aging.xlsx",
        body=Spreadsheet(sheets),
        description=f"Open receivables by age, {names}; printed from the ledger, which counts",
        author=manager.name,
        owner=manager.email,
        modified=filed_in_force(tenant.profile),
    )


def balance_on(facts: Facts, entry: Transaction, as_of: dt.date) -> Decimal:
    """The balance at the end of a day: today's, and what receipts after that day took off."""
    sign = -1 if entry.kind == "Credit Memo" else 1
    later = sum(
        (
            sign * applied.amount
            for receipt in facts.receipts
            if receipt.received > as_of
            for applied in receipt.applied
            if applied.transaction == entry.number
        ),
        Decimal("0.00"),
    )
    return entry.balance + later


def _aging_table(tenant: Tenant, facts: Facts, as_of: dt.date) -> Table:
    columns = (
        Column("Account", width=18),
        Column("Customer", width=30),
        Column("Document", width=16),
        Column("Kind", width=12),
        Column("Date", "date", 12),
        Column("Due", "date", 12),
        Column("Balance", "money", 14),
        Column("Days past due", "integer", 14),
    )
    rows = []
    for entry in sorted(facts.transactions, key=lambda t: (t.account, t.due, t.number)):
        balance = balance_on(facts, entry, as_of)
        if entry.dated <= as_of and balance:
            late = max(0, (as_of - entry.due).days) if entry.kind == "Invoice" else 0
            name = tenant.profile.customer(entry.account).name
            rows.append((entry.account, name, entry.number, entry.kind, entry.dated, entry.due, balance, late))
    return Table(columns, tuple(rows))


def _policy_file(tenant: Tenant, facts: Facts, policy: CreditPolicy) -> Document:
    manager = tenant.profile.person("credit_manager")
    return Document(
        id=policy.source,
        name=f"08-credit-policy.{tenant.profile.habits.policies}",
        body=policy_text(tenant, facts, policy),
        description=f"Credit policy, edition R{policy.edition}: payments, deductions, holds, new orders",
        author=manager.name,
        owner=manager.email,
        modified=filed_in_force(tenant.profile),
    )


def _policy_mail(tenant: Tenant, facts: Facts, policy: CreditPolicy) -> MailMessage:
    manager = tenant.profile.person("credit_manager")
    return write_mail(
        policy.source,
        manager.email,
        tenant.profile.person("analyst").email,
        f"Credit policy R{policy.edition}",
        policy.issued,
        policy_mail(tenant, facts, policy),
        [manager.name, manager.title],
    )
