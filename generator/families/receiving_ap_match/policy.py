"""The match policy's sentences, for file 13 and for the mail that announced an earlier edition."""

from generator.evidence.model import Block, Bullets, Heading, Pairs, Text
from generator.families.office import day, money, numbered, percent
from generator.families.receiving_ap_match.facts import Facts, MatchPolicy
from generator.spec.tenant import Tenant


def receiving_rules(facts: Facts) -> tuple[str, ...]:
    return (
        "Receive what the checked delivery note shows as accepted: counted less damaged, by order line, never what"
        f" was shipped or announced. One receipt for the delivery, receipt source {facts.receipt_source}, transaction"
        f" {facts.receipt_transaction}. A line with nothing accepted is left out.",
        "Damaged goods go back at the supplier's expense and are not received.",
    )


def matching_rules(tenant: Tenant, policy: MatchPolicy) -> tuple[str, ...]:
    profile = tenant.profile
    pct, cap = percent(profile, policy.tolerance_pct), money(profile, policy.tolerance_cap)
    both = "both bounds hold, the lower decides" if policy.lower else "one bound is enough, the higher decides"
    charge = (
        "A charge that is not on the order (freight, a surcharge) is never matched."
        if policy.charge_cap is None
        else f"A charge that is not on the order is matched up to {money(profile, policy.charge_cap)}, above it is not."
    )
    return (
        "An invoice line is matched when its quantity is at most what has been accepted on its order line and not"
        " been billed yet, this delivery included, and its price is within tolerance of the order's.",
        f"Tolerance: the unit price may differ from the order's by at most {pct}, and quantity billed times the"
        f" difference by at most {cap} for the line, up or down; {both}.",
        charge,
        "The variance of an invoice is its amount less, for every order line, the smaller of billed and accepted"
        " unbilled quantity at the order's price; a charge without an order line is variance in full. Its sign is"
        " kept.",
    )


def entering_rules(facts: Facts, policy: MatchPolicy) -> tuple[str, ...]:
    holds = policy.holds
    payable = (
        "Under a hold the matched lines may be paid."
        if policy.pays_in_part
        else "Nothing is paid in part: under any hold the payable amount is zero."
    )
    return (
        "Enter the invoice as the supplier wrote it, every line, under the supplier's own number and date, for"
        f" business unit {facts.business_unit}; do not shorten it to what matched.",
        "When every line is matched, validate it. When any is not, do not validate; place one hold for each kind of"
        f" reason: {holds.price} for a price outside tolerance, {holds.quantity} for more billed than accepted,"
        f" {holds.not_on_order} for a charge without an order line. A line with two reasons counts for its quantity.",
        payable,
        _returned(policy),
        "Numbers are the supplier's and may repeat from one supplier to the next. Supplier and order decide.",
        *_as_billed(facts),
    )


def _returned(policy: MatchPolicy) -> str:
    repeated = "has been entered before, with an order or without, under whatever spelling of its number, or that "
    return (
        f"An invoice that {repeated if policy.refuses_repeats else ''}names no order of ours, goes back to the"
        " supplier: nothing is received against it and nothing is entered."
    )


def _as_billed(facts: Facts) -> tuple[str, ...]:
    """Sentences on invoices that cannot be keyed as they first came."""
    rules = []
    if any(line.content > 1 for line in facts.task.invoice.lines):
        rules.append(
            "Where the supplier bills in packs, match and enter in the order's unit: packs times content, at the pack"
            " price divided by the content."
        )
    if facts.task.corrected:
        rules.append(
            "A supplier may correct an invoice until it is entered. What is matched and entered then is the corrected"
            " one, under the number and date that it keeps."
        )
    return tuple(rules)


def policy_text(tenant: Tenant, facts: Facts, policy: MatchPolicy) -> Text:
    profile = tenant.profile
    supervisor = profile.person("payables_supervisor")
    blocks: tuple[Block, ...] = (
        Pairs(
            (
                ("Edition", str(policy.edition)),
                ("In force from", day(profile, policy.effective_from)),
                ("Issued by", f"{supervisor.name}, {supervisor.title}"),
                ("Replaces", f"edition {policy.edition - 1}"),
            )
        ),
        Heading("Receiving"),
        Bullets(receiving_rules(facts), numbered=True),
        Heading("Matching"),
        Bullets(matching_rules(tenant, policy), numbered=True),
        Heading("Entering, holds, payment"),
        Bullets(entering_rules(facts, policy), numbered=True),
    )
    return Text("Invoice match policy", blocks)


def policy_mail(tenant: Tenant, facts: Facts, policy: MatchPolicy) -> tuple[str, ...]:
    return (
        f"Edition {policy.edition} of the invoice match policy is in force from {policy.effective_from.isoformat()}"
        " until the next one.",
        "Receiving:\n" + numbered(receiving_rules(facts)),
        "Matching:\n" + numbered(matching_rules(tenant, policy)),
        "Entering, holds, payment:\n" + numbered(entering_rules(facts, policy)),
    )
