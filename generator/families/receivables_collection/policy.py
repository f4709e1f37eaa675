"""The credit policy's sentences, for file 08 and for the mail that announced an earlier edition."""

from generator.evidence.model import Block, Bullets, Heading, Pairs, Paragraph, Text
from generator.families.office import day, in_words, money, numbered, percent
from generator.families.receivables_collection.facts import CreditPolicy, Facts
from generator.spec.tenant import Tenant


def receipt_rules(tenant: Tenant, facts: Facts) -> tuple[str, ...]:
    """How a payment is entered."""
    method = facts.advice(facts.task.advice).method
    return (
        "One payment is one receipt. Its number is the bank's payment reference, its date the value date, its method"
        f" {method} for a transfer; its amount is the money that arrived, whatever can be applied of it.",
        "Apply the money as the advice in force lists it, never more than an invoice's balance. An advice that a"
        " later one of the same customer replaces no longer counts. Money for an invoice that the ledger shows as paid"
        " is not applied to anything; it stays unapplied on the receipt.",
        "A credit memo that is open in the ledger and listed on the advice is netted with a row of its own, of type"
        " Credit Memo. One that is not listed stays on the account and reduces nothing. One that the ledger marks"
        " provisional is not netted either: the invoice that the advice nets it on gets that much less and stays open.",
        "An allowed discount is a row of type Discount against its invoice. An invoice is settled when payment,"
        " allowed discount and netted credit memos leave no balance.",
    )


def deduction_rules(tenant: Tenant, facts: Facts, policy: CreditPolicy) -> tuple[str, ...]:
    """What a customer may take off."""
    rest = money(tenant.profile, policy.short_payment_tolerance)
    grace = policy.discount_grace_days
    example = next((entry for entry in facts.transactions if entry.discount), None)
    terms = (
        f'Terms such as "{example.terms}" give {percent(tenant.profile, example.discount.percent)} off the balance for'
        f" money that comes within {example.discount.days} days of the invoice date. "
        if example and example.discount
        else ""
    )
    discount = (
        "A discount is allowed when the value date is on or before the discount date printed in the invoice's terms,"
        " counted in calendar days from the invoice date; the date of the advice does not matter."
    )
    late = (
        f" Money that comes up to {grace} days after the discount date still earns it; later it does not."
        if grace
        else " A discount taken later is not allowed: no row for it, and the amount stays open on the invoice."
    )
    if policy.desk_writes_off:
        short = (
            f"A rest of at most {rest} that is no claim is written off at the desk, with a row of type Discount against"
            " its invoice. A short payment beyond that leaves the invoice open."
        )
    else:
        short = (
            f"A short payment leaves its invoice open. Only a rest of at most {rest} is written off, and the credit"
            " manager does that, not the desk; until then it is open."
        )
    return (
        terms + discount + late,
        "A claim is not a discount. What a customer keeps back for damage, freight or a shortage stays open until we"
        " have issued a credit memo for it, and counts as past due like the rest of its invoice.",
        short,
    )


def past_due_rules(tenant: Tenant, policy: CreditPolicy) -> tuple[str, ...]:
    """How the account is judged after the receipt."""
    pct, days = percent(tenant.profile, policy.hold_above_pct), policy.hold_above_days
    payer = (
        "Money that the bank cannot tie to a customer of ours, or an advice whose lines do not add up to the money"
        " received, is not entered: no receipt stands in the system, the decision is to return the payment for"
        " clarification, its status that nothing is applied, and the handoff says what the customer has to clear up."
        if policy.unknown_payer == "stop"
        else "Money that the bank cannot tie to a customer of ours is entered on the account that the advice names. An"
        " advice that does not add up to the money received is not entered."
    )
    return (
        "An invoice is past due from the day after its due date. Remaining past due is the sum of the balances of"
        " past-due invoices after the receipt; credit memos left on the account are not set off. An invoice that the"
        " credit manager's latest list of disputes shows as open is left out, of the sum and of the days; once the list"
        " says that it is decided, it counts again with all its days. An invoice that is on no such list is"
        " undisputed.",
        "The limit is the one on the customer's account record.",
        f"Terms continue while remaining past due is at most {pct} of the limit and no invoice is more than {days}"
        " days past due. Above either, recommend a credit hold to the credit manager in the handoff. Nobody"
        " else sets it, and the receipt is applied all the same.",
        payer,
    )


def order_rules(policy: CreditPolicy) -> tuple[str, ...]:
    """What the policy says of new orders."""
    statuses = in_words(policy.exposure_statuses)
    return (
        f"Exposure is open receivables, plus submitted orders not billed yet (status {statuses}), plus the new order."
        " A new order is submitted while exposure is at most the limit; above it, it is entered and left unsubmitted"
        " until the credit manager releases it.",
        "Past-due invoices alone do not stop an order while exposure is inside the limit. A credit hold on the"
        " account does.",
    )


def policy_text(tenant: Tenant, facts: Facts, policy: CreditPolicy) -> Text:
    profile = tenant.profile
    manager = profile.person("credit_manager")
    blocks: tuple[Block, ...] = (
        Pairs(
            (
                ("Edition", f"R{policy.edition}"),
                ("In force from", day(profile, policy.effective_from)),
                ("Issued by", f"{manager.name}, {manager.title}"),
                ("Replaces", f"R{policy.edition - 1}"),
            )
        ),
        Heading("Entering a payment"),
        Bullets(receipt_rules(tenant, facts), numbered=True),
        Heading("What a customer may take off"),
        Bullets(deduction_rules(tenant, facts, policy), numbered=True),
        Heading("Past due and holds"),
        Bullets(past_due_rules(tenant, policy), numbered=True),
        Heading("New orders"),
        Bullets(order_rules(policy), numbered=True),
        Paragraph(f"Questions go to {manager.name} before anything is entered, not after."),
    )
    return Text(f"Credit policy R{policy.edition}", blocks)


def policy_mail(tenant: Tenant, facts: Facts, policy: CreditPolicy) -> tuple[str, ...]:
    """The paragraphs of an edition that was announced by mail."""

    return (
        f"Edition R{policy.edition} of the credit policy is in force from {policy.effective_from.isoformat()} until"
        " the next edition replaces it.",
        "Entering a payment:\n" + numbered(receipt_rules(tenant, facts)),
        "What a customer may take off:\n" + numbered(deduction_rules(tenant, facts, policy)),
        "Past due and holds:\n" + numbered(past_due_rules(tenant, policy)),
    )
