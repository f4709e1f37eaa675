"""What entering a price batch comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from generator.families.base import Rows
from generator.families.price_batch.facts import Batch, Facts, PricingPolicy
from generator.families.price_batch.pricing import FINEST, HUNDRED, price_lines
from generator.spec.case import ExpectedRow, Judgement, Outcome, PrimaryRecord, Write
from generator.spec.money import CENT
from generator.spec.tenant import Tenant

# What a worker may fail to apply; pricing.py says what each leads to.
RULES = (
    "correction",
    "later_line",
    "item_status",
    "unit",
    "currency",
    "step",
    "standing",
    "first_step",
    "band",
    "floor",
)
RELEASE_RULE = "release"


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and prices under a judgement, which may ignore the rules of RULES and RELEASE_RULE.

    rows is what the ERP keeps: prices that stand for later dates come from it.
    """
    if judgement.as_received:
        return _as_received(tenant, facts)
    batch = _batch(facts, judgement.sources["price_batch"])
    policy = _policy(facts, judgement.sources["pricing_policy"])
    task = judgement.target == "task"
    organization = facts.organization if task else facts.decoy_organization
    ignored = judgement.ignored_rules
    priced = price_lines(tenant, facts, rows.get("item_prices", []), batch, policy, organization, ignored)
    accepted = [line for line in priced if line.fate == "accepted"]
    superseded = sum(line.fate == "superseded" for line in priced)
    answers: dict[str, int | Decimal] = {
        "batch_lines": len(priced),
        "accepted_lines": len(accepted),
        "rejected_lines": len(priced) - len(accepted) - superseded,
        "superseded_lines": superseded,
        "average_change_pct": rounded(average(line.change for line in accepted)),
    }
    if not _released(facts, batch, policy, task) and RELEASE_RULE not in ignored:
        return Outcome(
            answers=answers,
            option="stop_batch_unapproved",
            status="not_applied",
            operative=batch.source,
            cited=(facts.release.mail.source,),
            writes=(),
            primary=None,
            obstacle=batch.number,
        )
    referred = any(line.fate == "referred" for line in priced)
    entries = [(line.item.id, line.price or Decimal(0), line.line.effective) for line in accepted]
    return Outcome(
        answers=answers,
        option="apply_accepted_refer_exceptions" if referred else "apply_accepted_lines",
        status="applied_with_referrals" if referred else "applied",
        operative=batch.source,
        cited=(),
        writes=_updates(entries),
        primary=_primary(tenant, batch, entries),
    )


def average(changes: Iterable[Fraction]) -> Fraction:
    """The unweighted mean, 0 for none."""
    given = list(changes)
    return sum(given, Fraction(0)) / len(given) if given else Fraction(0)


def rounded(percent: Fraction) -> Decimal:
    """Half up to two places, once."""
    return (Decimal(percent.numerator) / Decimal(percent.denominator)).quantize(CENT, rounding=ROUND_HALF_UP)


def _batch(facts: Facts, source: str) -> Batch:
    return facts.batch if source == facts.batch.source else facts.earlier


def _policy(facts: Facts, source: str) -> PricingPolicy:
    return facts.policy if source == facts.policy.mail.source else facts.earlier_policy


def _released(facts: Facts, batch: Batch, policy: PricingPolicy, task: bool) -> bool:
    """Whether the version on file is the one released for the organization. Who goes by the earlier version takes it
    for released."""
    if batch is not facts.batch or not policy.needs_release:
        return True
    release = facts.release if task or facts.decoy_release is None else facts.decoy_release
    return release.version == batch.version


def _as_received(tenant: Tenant, facts: Facts) -> Outcome:
    """Every line at the price it prints, as if per the item's own unit and in the ledger currency."""
    entries: list[tuple[int, Decimal, dt.date]] = []
    changes: list[Fraction] = []
    for line in facts.batch.lines:
        item = tenant.profile.item(line.item, line.organization)
        if line.price is not None:
            price = line.price
        else:
            raised = item.list_price * (HUNDRED + (line.change or Decimal(0))) / HUNDRED
            price = raised.quantize(FINEST, rounding=ROUND_HALF_UP)
        entries.append((item.id, price, line.effective))
        changes.append(Fraction(price - item.list_price) / Fraction(item.list_price) * 100)
    return Outcome(
        answers={
            "batch_lines": len(entries),
            "accepted_lines": len(entries),
            "rejected_lines": 0,
            "superseded_lines": 0,
            "average_change_pct": rounded(average(changes)),
        },
        option="apply_whole_batch",
        status="applied_as_received",
        operative=facts.batch.source,
        cited=(),
        writes=_updates(entries),
        primary=_primary(tenant, facts.batch, entries),
    )


def _updates(entries: Sequence[tuple[int, Decimal, dt.date]]) -> tuple[Write, ...]:
    return tuple(
        Write(
            tool="oracle_fusion.items.update",
            arguments={"ItemId": item, "ListPrice": price, "EffectiveDate": effective.isoformat()},
        )
        for item, price, effective in entries
    )


def _primary(tenant: Tenant, batch: Batch, entries: Sequence[tuple[int, Decimal, dt.date]]) -> PrimaryRecord:
    """The prices that stand afterwards: later ones as scheduled, one that holds today in the item and its old one as
    history."""
    today = tenant.profile.today
    items = {item.id: item for item in tenant.profile.items}
    rows: dict[tuple[int, dt.date], list[ExpectedRow]] = {}
    for id, price, effective in entries:
        if effective > today:
            rows[id, effective] = [_dated(id, effective, "scheduled", price)]
            continue
        values: dict[str, Any] = {"ListPrice": _money(price), "PriceEffectiveDate": effective.isoformat()}
        replaced = _dated(id, items[id].price_effective, "history", items[id].list_price)
        rows[id, effective] = [ExpectedRow(table="items", key=str(id), row=values), replaced]
    return PrimaryRecord(
        table="item_prices",
        rows=tuple(row for of_entry in rows.values() for row in of_entry),
        name=("literal", batch.number),
    )


def _dated(item: int, day: dt.date, kind: str, price: Decimal) -> ExpectedRow:
    values = {"ItemId": item, "EffectiveDate": day.isoformat(), "kind": kind, "ListPrice": _money(price)}
    return ExpectedRow(row=values)


def _money(price: Decimal) -> dict[str, str]:
    return {"money": f"{price:f}"}
