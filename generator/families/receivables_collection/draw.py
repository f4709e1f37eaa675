"""Payments drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
payment that does not is thrown away and the next one drawn from the same stream.
"""

from decimal import Decimal
from random import Random

from generator.families.acceptance import trial_case, unfair
from generator.families.receivables_collection import records
from generator.families.receivables_collection.account import Account, open_account
from generator.families.receivables_collection.facts import Facts
from generator.families.receivables_collection.outcome import outcome
from generator.families.receivables_collection.task import TASK
from generator.spec.case import Case
from generator.spec.errors import SpecError
from generator.spec.tenant import TenantProfile

FAMILY_ID = "receivables_collection"
ATTEMPTS = 300
MOST_OPEN = Decimal("0.60")
"""Share of the credit limit that the account's open balances stay within, so that other families can build on it."""
CONTINUE, HOLD, STOP = (
    "apply_receipt_terms_continue",
    "apply_receipt_recommend_hold",
    "stop_return_for_clarification",
)

# For each variant what the account is like (account.py has the kinds), the right option, and the rules whose loss must
# show.
VARIANTS: dict[str, tuple[Account, str, tuple[str, ...]]] = {
    "discount_and_claim": (
        Account(("paid", "claim", "late_discount", "timely_discount", "memo")),
        CONTINUE,
        ("claims", "discount_date"),
    ),
    "short_payment": (
        Account(("paid", "large_short", "late_discount"), strict=True),
        HOLD,
        ("discount_date", "hold"),
    ),
    "provisional_memo": (
        Account(("netted", "netted_provisional", "paid", "late_discount", "timely_discount")),
        CONTINUE,
        ("provisional_memos", "discount_date"),
    ),
    "unknown_payer": (
        Account(("paid", "claim", "paid", "late_discount", "timely_discount", "timely_discount"), unknown_payer=True),
        STOP,
        ("unknown_payer",),
    ),
    "paid_before": (
        Account(("paid", "paid_before", "claim", "late_discount", "timely_discount")),
        CONTINUE,
        ("paid_invoices", "claims", "discount_date"),
    ),
    "aged_rest": (
        Account(("paid", "aged_claim", "late_discount")),
        HOLD,
        ("claims", "hold"),
    ),
    "open_dispute": (
        Account(("paid", "paid", "disputed", "decided_small", "late_discount", "paid")),
        CONTINUE,
        ("disputes", "discount_date"),
    ),
    "small_rests": (
        Account(("paid", "small_rest", "claim", "small_rest", "paid"), writes_off_before=True),
        CONTINUE,
        ("tolerance", "claims"),
    ),
    "dispute_decided": (
        Account(("paid", "decided_large", "disputed_small", "late_discount", "timely_discount", "paid"), strict=True),
        HOLD,
        ("dispute_decisions", "discount_date"),
    ),
    "memo_left_over": (
        Account(
            ("paid", "short_near", "unlisted_memo", "late_discount", "paid", "paid", "timely_discount"), strict=True
        ),
        HOLD,
        ("set_off", "discount_date"),
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Raises SpecError for a profile on which no sound payment comes of the variant."""
    account, option, rules = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        facts = open_account(profile, account, rng)
        if _sound(profile, facts, option, rules):
            return facts
    raise SpecError(f"{profile.slug}: {FAMILY_ID}: no sound {variant} in {ATTEMPTS} draws")


def _sound(profile: TenantProfile, facts: Facts, option: str, rules: tuple[str, ...]) -> bool:
    """The right option is the variant's, every mistake shows, and so does the loss of each of its rules."""
    case = trial_case(FAMILY_ID, TASK, outcome, records.records, profile, facts)
    shown = {c.subject for c in case.counterfactuals if c.kind == "ignored_rule"}
    return (
        case.gold.option == option
        and shown.issuperset(rules)
        and not any(unfair(case, TASK))
        and _within_bounds(profile, facts)
        and _clear(case, facts)
    )


def _within_bounds(profile: TenantProfile, facts: Facts) -> bool:
    balance = sum((entry.balance for entry in facts.of_account(facts.task.account)), Decimal(0))
    return balance <= MOST_OPEN * profile.customer(facts.task.account).credit_limit


def _clear(case: Case, facts: Facts) -> bool:
    """No percentage lies on a rounding tie, none of the policies' bounds is nearly met, and something is left over."""
    limit = case.tenant.profile.customer(facts.task.account).credit_limit
    share = Decimal(case.gold.answers["remaining_past_due"]) / limit * 100
    hundredths = share * 100
    tie = abs(hundredths - hundredths.to_integral_value(rounding="ROUND_FLOOR") - Decimal("0.5")) < Decimal("0.0001")
    near = any(abs(share - policy.hold_above_pct) < Decimal("0.2") for policy in facts.policies)
    return share > 0 and not tie and not near
