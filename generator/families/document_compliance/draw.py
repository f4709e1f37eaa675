"""Compliance reviews drawn for a tenant: ten variants, each with its own traps, held to what a fair case needs.

In: profile, variant, random stream. Out: Facts whose right outcome and whose mistakes come apart as they should. A
review that does not is thrown away and the next one drawn from the same stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from generator.families.document_compliance.facts import Facts
from generator.families.document_compliance.outcome import outcome
from generator.families.document_compliance.records import records
from generator.families.document_compliance.sketch import Sketch, sketch
from generator.families.document_compliance.task import judgement
from generator.spec.case import Judgement, Outcome
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 400
MANY, FEW = (4, 5), (2, 3)


@dataclass(frozen=True)
class Variant:
    """What a variant's review looks like.

    owed, verified: how many alerts are owed and checks verified, bounds included; owing and proven are pieces that
    count among them, the rest are plain ones. traps are pieces that call for nothing; blocked are pieces that block a
    worker each. rules: rules whose loss must lead to another state or other answers.
    """

    owed: tuple[int, int]
    verified: tuple[int, int]
    owing: tuple[str, ...] = ()
    proven: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    released: bool = True

    @property
    def option(self) -> str:
        if not self.released:
            return "stop_refer_to_hr"
        return "alert_verify_and_recommend_block" if self.blocked else "alert_and_verify"


VARIANTS: Mapping[str, Variant] = {
    "boundary_renewal_leaver": Variant(
        MANY,
        (3, 3),
        owing=("last_day_of_window", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "has_left", "expired_harmless"),
        blocked=("expired", "expired", "namesakes_proof", "lapsed_proof"),
        rules=("bounds", "renewals", "leavers", "alerted_expiry", "person_number", "paper_validity"),
    ),
    "renewal_keyed_in": Variant(
        FEW,
        (3, 3),
        owing=("overlooked",),
        traps=("renewal_keyed", "renewal_keyed", "expired_and_keyed", "renewed_by_mail", "expired_harmless"),
        rules=("keyed_renewals", "renewals", "blocking_kinds"),
    ),
    "leaving_soon": Variant(
        MANY,
        (1, 2),
        owing=("leaves_later", "leaves_later"),
        traps=("leaver", "leaver", "has_left", "renewed_by_mail", "lapsed_paper", "expired_harmless"),
        rules=("leavers", "assignment", "renewals", "paper_validity"),
    ),
    "alerted_the_last_time": Variant(
        FEW,
        (1, 2),
        owing=("alerted_before_renewal", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "open_check", "done_check"),
        blocked=("expired", "no_proof"),
        rules=("alerted_expiry", "renewals", "leavers"),
    ),
    "windows_by_kind": Variant(
        MANY,
        (1, 2),
        owing=("last_day_of_window", "last_day_of_window", "overlooked"),
        traps=("day_after_window", "day_after_window", "renewed_by_mail", "namesakes_paper", "expired_harmless"),
        rules=("bounds", "renewals", "person_number"),
    ),
    "proof_of_a_namesake": Variant(
        FEW,
        (3, 3),
        owing=("overlooked",),
        proven=("proof_to_the_day",),
        traps=("renewed_by_mail", "namesakes_paper", "open_check", "expired_harmless"),
        blocked=("namesakes_proof", "lapsed_proof"),
        rules=("person_number", "paper_validity", "renewals"),
    ),
    "release_missing": Variant(
        MANY,
        (1, 2),
        owing=("last_day_of_window", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "lapsed_paper", "expired_harmless"),
        blocked=("expired", "lapsed_proof"),
        rules=("release", "renewals", "leavers"),
        released=False,
    ),
    "expired_and_renewed": Variant(
        FEW,
        (3, 3),
        owing=("overlooked",),
        proven=("proof_to_the_day",),
        traps=("expired_and_renewed", "renewed_by_mail", "expired_and_keyed", "has_left", "open_check"),
        rules=("renewals", "keyed_renewals", "assignment"),
    ),
    "proof_out_of_date": Variant(
        FEW,
        (3, 3),
        owing=("alerted_before_renewal",),
        traps=("renewed_by_mail", "lapsed_paper", "expired_harmless", "expired_harmless"),
        blocked=("lapsed_proof", "expired", "expired"),
        rules=("paper_validity", "blocking_kinds", "alerted_expiry"),
    ),
    "valid_to_the_day": Variant(
        MANY,
        (1, 2),
        owing=("expires_today", "leaves_later"),
        proven=("proof_to_the_day",),
        traps=("renewed_by_mail", "namesakes_paper", "lapsed_paper", "expired_harmless"),
        rules=("bounds", "person_number", "renewals"),
    ),
}
SLOTS = tuple(VARIANTS)


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    wanted = VARIANTS[variant]
    for _ in range(ATTEMPTS):
        facts = sketch(profile, rng, _sketch(wanted, rng))
        if acceptable(profile, facts, wanted):
            return facts
    raise SpecError(f"{profile.slug}: no review of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, facts: Facts, wanted: Variant) -> bool:
    """The review is the variant's, its traps bite, and each mistake commits something else with other figures."""
    tenant = Tenant(profile=profile, facts={})
    rows = records(tenant, facts)
    right = judgement(tenant, facts).sources

    def come_to(believed: Judgement) -> Outcome:
        return outcome(tenant, facts, rows, believed)

    gold = come_to(Judgement(right))
    earlier = come_to(Judgement({**right, "compliance_checklist": facts.earlier.source}))
    decoy = come_to(Judgement(right, target="decoy"))
    received = come_to(Judgement(right, as_received=True))
    if gold.option != wanted.option:
        return False
    if not wanted.owed[0] <= int(gold.answers["unalerted_expiring"]) <= wanted.owed[1]:
        return False
    committed = come_to(Judgement(right, ignored_rules=frozenset({"release"})))
    mistakes = (earlier, decoy, received)
    if any(not _alerts(one) or _alerts(committed) <= _alerts(one) for one in mistakes):
        return False
    if _moved(gold, earlier) < 1 or _moved(gold, decoy) < 3 or _moved(gold, received) < 3:
        return False
    rules = (Judgement(right, ignored_rules=frozenset({rule})) for rule in wanted.rules)
    return all(come_to(one) != gold for one in rules)


def _sketch(wanted: Variant, rng: Random) -> Sketch:
    owed, verified = rng.randint(*wanted.owed), rng.randint(*wanted.verified)
    plain = ("owed",) * (owed - len(wanted.owing)) + ("proof",) * (verified - len(wanted.proven))
    alerted = ("alerted",) * (2 if wanted.owed == MANY else 1)
    pieces = (*wanted.owing, *wanted.proven, *wanted.traps, *wanted.blocked, *plain, *alerted, "far_off", "far_off")
    here = list(pieces)
    rng.shuffle(here)
    elsewhere = ["owed"] * rng.randint(1, 2) + ["proof", "far_off"] + rng.sample(("alerted", "expired", "leaver"), 2)
    return Sketch(tuple(here), tuple(elsewhere), wanted.released)


def _alerts(one: Outcome) -> set[int]:
    return {write.arguments["DocumentRecordId"] for write in one.writes if "VerifiedFlag" not in write.arguments}


def _moved(gold: Outcome, other: Outcome) -> int:
    return sum(1 for name, value in gold.answers.items() if other.answers[name] != value)
