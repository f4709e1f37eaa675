"""Facts of a price batch drawn for a profile: a batch of one of ten makes, its earlier version, two policies, the mail.

In: a profile, a variant, a random stream. Out: Facts that make a fair case. variants.yaml has the makes.
"""

import datetime as dt
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.acceptance import trial_case, unfair
from generator.families.clerks import moment, working_day_before
from generator.families.correspondence import Sent
from generator.families.price_batch.facts import (
    Band,
    Batch,
    BatchLine,
    Correction,
    Facts,
    PricingPolicy,
    Rate,
    Release,
)
from generator.families.price_batch.outcome import average, outcome
from generator.families.price_batch.pricing import exact_price, price_lines
from generator.families.price_batch.records import records
from generator.families.price_batch.sketch import Days, Sketch, Wanted, drawn_bands
from generator.families.price_batch.task import TASK
from generator.spec.case import Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 400
HERE = Path(__file__).parent
NEAR_TIE = Fraction(1, 10**6)
LEAST_AVERAGE = Decimal("0.25")
"""Prices rise on the average, so that nobody has to say whether a fall is written with a sign."""
TOLERANCE = Decimal("0.01")
DAY = dt.timedelta(days=1)
REASONS = (
    "it is a customer's quote and no list price",
    "the supplier has not confirmed the cost behind it",
    "it was meant for another range",
    "it got in from last year's sheet",
)


@cache
def variants() -> dict[str, dict[str, Any]]:
    read: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "variants.yaml").read_text(encoding="utf-8"))
    return read


@cache
def _currencies() -> dict[str, Decimal]:
    read = yaml.safe_load((HERE / "currencies.yaml").read_text(encoding="utf-8"))
    return {code: Decimal(value) for code, value in read.items()}


SLOTS = tuple(variants())


def option_of(variant: str) -> str:
    """The option that is right in a variant."""
    made = variants()[variant]
    if "unreleased" in made.get("features", ()):
        return "stop_batch_unapproved"
    referred = made.get("band", 0) + made.get("floor", 0)
    return "apply_accepted_refer_exceptions" if referred else "apply_accepted_lines"


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    for _ in range(ATTEMPTS):
        wanted = _wanted(variant, rng)
        facts = _facts(profile, wanted, rng)
        if acceptable(profile, variant, wanted, facts):
            return facts
    raise SpecError(f"{profile.slug}: no price batch of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, variant: str, wanted: Wanted, facts: Facts) -> bool:
    """The batch is what was wanted, its traps make a difference, each mistake shows, and no figure is near a tie."""
    tenant = Tenant(profile=profile, facts={})
    gold = outcome(tenant, facts, records(tenant, facts), TASK.judgement(tenant, facts))
    superseded = wanted.superseded + ("standing" in wanted.features)
    return (
        gold.option == option_of(variant)
        and gold.answers["accepted_lines"] == wanted.items + wanted.steps
        and gold.answers["superseded_lines"] == superseded
        and gold.answers["rejected_lines"] == wanted.band + wanted.floor + 1 + wanted.others
        and Decimal(gold.answers["average_change_pct"]) >= LEAST_AVERAGE
        and not _twins(facts.batch)
        and not _near_a_tie(profile, facts)
        and _fair(profile, variant, facts)
    )


def _fair(profile: TenantProfile, variant: str, facts: Facts) -> bool:
    case = trial_case("price_batch", TASK, outcome, records, profile=profile, facts=facts)
    biting = {c.subject for c in case.counterfactuals if c.kind == "ignored_rule"}
    return (
        biting >= set(variants()[variant]["rules"])
        and all(_apart(case.gold, wrong.outcome) for wrong in case.counterfactuals if wrong.kind != "ignored_rule")
        and not any(unfair(case, TASK))
    )


def _twins(batch: Batch) -> bool:
    """Whether two lines say the same, so that it would not matter which of them counts."""
    said = [(line.organization, line.item, line.effective, line.price, line.change) for line in batch.lines]
    return len(set(said)) < len(said)


def _apart(gold: Outcome, wrong: Outcome) -> bool:
    """Whether the averages are told apart by more than the tolerance of an answer."""
    return abs(Decimal(gold.answers["average_change_pct"]) - wrong.answers["average_change_pct"]) > 2 * TOLERANCE


def _near_a_tie(profile: TenantProfile, facts: Facts) -> bool:
    """Whether an entered price or the average of the right lines depends on how a half is rounded."""
    tenant = Tenant(profile=profile, facts={})
    rows = records(tenant, facts).get("item_prices", [])
    batch, policy = facts.batch, facts.policy
    priced = price_lines(tenant, facts, rows, batch, policy, facts.organization, frozenset())
    for line in priced:
        if line.old is None:
            continue
        exact = exact_price(facts, batch, policy, line.item, line.line, line.old, frozenset())
        if _is_half(Fraction(exact) / Fraction(policy.step)):
            return True
    return _is_half(average(line.change for line in priced if line.fate == "accepted") * 100)


def _is_half(value: Fraction) -> bool:
    return abs(value - value.__floor__() - Fraction(1, 2)) < NEAR_TIE


def _wanted(variant: str, rng: Random) -> Wanted:
    made = variants()[variant]

    def number(name: str) -> int:
        value = made.get(name, 0)
        return value if isinstance(value, int) else rng.randint(*value)

    return Wanted(
        items=number("items"),
        steps=number("steps"),
        band=number("band"),
        floor=number("floor"),
        others=number("others"),
        superseded=number("superseded"),
        withdrawn=number("withdrawn"),
        features=frozenset(made.get("features", ())),
    )


def _days(profile: TenantProfile, rng: Random) -> Days:
    """The months of the first open pricing period that begins after today."""
    today = profile.today
    pricing = [p for p in profile.periods if p.application == "pricing" and p.status == "Open"]
    starts = sorted(period.start for period in pricing if period.start > today)
    if not starts:
        raise SpecError(f"{profile.slug}: expected an open pricing period after {today}, there is none")
    first = starts[0]
    second = (first + 31 * DAY).replace(day=1)
    between = today + DAY * rng.randint(2, max((first - today).days - 2, 3))
    return Days(today, first, second, (second + 31 * DAY).replace(day=1), min(between, first - DAY))


def _facts(profile: TenantProfile, wanted: Wanted, rng: Random) -> Facts:
    days, foreign = _days(profile, rng), None
    rate = earlier_rate = Decimal(1)
    if "currency" in wanted.features:
        foreign = "USD" if profile.currency == "EUR" else "EUR"
        around = _currencies()[foreign] / _currencies()[profile.currency]
        rate = _scaled(around, rng.uniform(0.985, 1.015))
        earlier_rate = _scaled(rate, rng.choice((0.96, 0.97, 1.03, 1.04)))
    factor = Decimal(rng.randint(112, 122)) / 100
    sketch = Sketch(profile, rng, wanted, days, factor, rate, drawn_bands(rng))
    sketch.fill()
    lines, withdrawn = sketch.lines()
    earlier_lines = sketch.earlier_lines()
    mails = _Mails(profile, rng, days.first)
    version = rng.randint(2, 4)
    batch = mails.batch(version, True, foreign, lines)
    earlier = mails.batch(version - 1, False, foreign, earlier_lines)
    unreleased = "unreleased" in wanted.features
    edition = rng.randint(3, 6)
    since = profile.today - DAY * rng.randint(18, 40)
    policy = PricingPolicy(
        mail=mails.policy(edition, working_day_before(since)),
        name=f"P{edition}",
        edition=edition,
        effective_from=since,
        effective_to=None,
        floor_factor=factor,
        bands=sketch.bands,
        classes=sketch.item_classes(Decimal(1)),
        step=sketch.step,
        rates=(Rate(currency=foreign, rate=rate),) if foreign else (),
        keeps_standing="standing" in wanted.features,
    )
    before = since - DAY * rng.randint(300, 420)
    earlier_policy = PricingPolicy(
        mail=mails.policy(edition - 1, working_day_before(before)),
        name=f"P{edition - 1}",
        edition=edition - 1,
        effective_from=before,
        effective_to=since - DAY,
        floor_factor=Decimal(rng.randint(104, 112)) / 100,
        bands=_one_band(rng),
        classes=tuple(
            held.model_copy(update={"price_class": "A"}) for held in sketch.item_classes(Decimal("0.95"))
        ),
        rates=(Rate(currency=foreign, rate=earlier_rate),) if foreign else (),
        needs_release=not unreleased,
    )
    return Facts(
        organization=profile.cast["main_org"],
        decoy_organization=profile.cast["other_org"],
        units=sketch.units((*lines, *earlier_lines)),
        batch=batch,
        earlier=earlier,
        earlier_mail=mails.sent(earlier.source, "pricing_manager", 8),
        forward=mails.sent("PRICE-BATCH-FWD", "webshop_coordinator", 0),
        release=Release(
            mail=mails.sent(f"PRICE-RELEASE-{mails.label}", "plant_manager", 6 if unreleased else 2),
            version=version - 1 if unreleased else version,
        ),
        decoy_release=Release(mail=mails.sent(f"PRICE-RELEASE-{mails.label}-2", "plant_manager", 2), version=version)
        if unreleased
        else None,
        correction=Correction(
            mail=mails.sent(f"PRICE-CORRECTION-{mails.label}", "pricing_manager", 1),
            withdrawn=withdrawn,
            reason=rng.choice(REASONS),
        ),
        standing=tuple(sketch.standing),
        policy=policy,
        earlier_policy=earlier_policy,
    )


class _Mails:
    """Ids and moments of a batch's papers. Working days are counted back from today: 0 is the last one before it."""

    def __init__(self, profile: TenantProfile, rng: Random, first: dt.date) -> None:
        self._profile, self._rng = profile, rng
        self.label = f"Q{(first.month + 2) // 3}"
        self._year = first.year
        self._days = [working_day_before(profile.today)]
        while len(self._days) < 12:
            self._days.append(working_day_before(self._days[-1]))

    def sent(self, name: str, by: str, back: int) -> Sent:
        source = name if name.startswith("MSG-") else f"MSG-{self._profile.code}-{name}"
        return Sent(source=source, by=by, at=self._at(self._days[back]))

    def policy(self, edition: int, day: dt.date) -> Sent:
        source = f"MSG-{self._profile.code}-PRICING-POLICY-P{edition}"
        return Sent(source=source, by="pricing_manager", at=self._at(day))

    def batch(self, version: int, on_drive: bool, currency: str | None, lines: tuple[BatchLine, ...]) -> Batch:
        """The latest version lies on the drive, the one before came by mail."""
        code, stamp = self._profile.code, f"{self._year}{self.label}"
        return Batch(
            source=f"FILE-{code}-PRICE-BATCH-{stamp}" if on_drive else f"MSG-{code}-PRICE-BATCH-V{version}",
            number=f"PB-{code}-{self._year}-{self.label}",
            label=self.label,
            version=version,
            issued=self._days[3 if on_drive else 8],
            currency=currency,
            lines=lines,
        )

    def _at(self, day: dt.date) -> dt.datetime:
        return moment(self._profile, day, self._rng.randint(9, 16), self._rng.randint(0, 59))


def _scaled(value: Decimal, factor: float) -> Decimal:
    """To four figures after the point, or two where it is large."""
    places = Decimal("0.01") if value > 20 else Decimal("0.0001") if value > Decimal("0.1") else Decimal("0.000001")
    return (value * Decimal(str(round(factor, 4)))).quantize(places, rounding=ROUND_HALF_UP)


def _one_band(rng: Random) -> tuple[Band, ...]:
    """Earlier policies had one class for everything."""
    return (Band(price_class="A", percent=Decimal(rng.choice((2, 3, 4, 5, 6, 7, 8, 10)))),)
