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
MANY, FEW = (4, 7), (2, 3)
SEVERAL, ONE_OR_TWO = (3, 6), (1, 2)
LONG, SHORT = (11, 20), (3, 10)
"""Bounds of the alerts owed, the checks verified and the papers that expire. Of each pair of bounds five variants have
the one and five the other, so that no figure can be the same in more than five of ten reviews."""
MOST_STEPS = 9
"""Records to be changed and renewal mails to be read, at most."""
BY_MAIL = ("renewed_by_mail", "expired_and_renewed")
MOST_BLOCKED = 7
EARLIEST = (1, 55)
"""Days to the earliest expiry."""
OTHERS_BLOCKED = ("expired", "no_proof", "lapsed_proof")


@dataclass(frozen=True)
class Variant:
    """What a variant's review looks like.

    owed, verified, expiring: how many alerts are owed, checks verified and papers inside their windows, bounds
    included; owing and proven are pieces that count among the owed and the verified, the rest are plain ones. edges:
    one of them is a further owing piece. traps are pieces that call for nothing; blocked are pieces that block a worker
    each, and where there are any, others may join them. rules: rules whose loss must lead to another state or other
    answers.
    """

    owed: tuple[int, int]
    verified: tuple[int, int]
    expiring: tuple[int, int]
    edges: tuple[str, ...] = ()
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
        SEVERAL,
        LONG,
        owing=("last_day_of_window", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "has_left", "expired_harmless"),
        blocked=("expired", "expired", "namesakes_proof", "lapsed_proof"),
        rules=("bounds", "renewals", "leavers", "alerted_expiry", "person_number", "paper_validity"),
    ),
    "renewal_keyed_in": Variant(
        FEW,
        SEVERAL,
        SHORT,
        owing=("overlooked",),
        traps=("renewal_keyed", "renewal_keyed", "expired_and_keyed", "renewed_by_mail", "expired_harmless"),
        rules=("keyed_renewals", "renewals", "blocking_kinds"),
    ),
    "leaving_soon": Variant(
        MANY,
        ONE_OR_TWO,
        SHORT,
        owing=("leaves_later", "leaves_later"),
        traps=("leaver", "leaver", "has_left", "renewed_by_mail", "lapsed_paper", "expired_harmless"),
        rules=("leavers", "assignment", "renewals", "paper_validity"),
    ),
    "alerted_the_last_time": Variant(
        FEW,
        ONE_OR_TWO,
        SHORT,
        owing=("alerted_before_renewal", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "open_check", "done_check"),
        blocked=("expired", "no_proof"),
        rules=("alerted_expiry", "renewals", "leavers"),
    ),
    "windows_by_kind": Variant(
        MANY,
        ONE_OR_TWO,
        LONG,
        owing=("last_day_of_window", "last_day_of_window", "overlooked"),
        traps=("day_after_window", "day_after_window", "renewed_by_mail", "namesakes_paper", "expired_harmless"),
        rules=("bounds", "renewals", "person_number"),
    ),
    "proof_of_a_namesake": Variant(
        FEW,
        SEVERAL,
        SHORT,
        owing=("overlooked",),
        proven=("proof_to_the_day",),
        traps=("renewed_by_mail", "namesakes_paper", "open_check", "expired_harmless"),
        blocked=("namesakes_proof", "lapsed_proof"),
        rules=("person_number", "paper_validity", "renewals"),
    ),
    "release_missing": Variant(
        MANY,
        ONE_OR_TWO,
        LONG,
        owing=("last_day_of_window", "alerted_before_renewal"),
        traps=("renewed_by_mail", "leaver", "lapsed_paper", "expired_harmless"),
        blocked=("expired", "lapsed_proof"),
        rules=("release", "renewals", "leavers"),
        released=False,
    ),
    "expired_and_renewed": Variant(
        FEW,
        SEVERAL,
        LONG,
        owing=("overlooked",),
        proven=("proof_to_the_day",),
        traps=("expired_and_renewed", "renewed_by_mail", "expired_and_keyed", "has_left", "open_check"),
        rules=("renewals", "keyed_renewals", "assignment"),
    ),
    "proof_out_of_date": Variant(
        FEW,
        SEVERAL,
        SHORT,
        owing=("alerted_before_renewal",),
        traps=("renewed_by_mail", "lapsed_paper", "expired_harmless", "expired_harmless"),
        blocked=("lapsed_proof", "expired", "expired"),
        rules=("paper_validity", "blocking_kinds", "alerted_expiry"),
    ),
    "valid_to_the_day": Variant(
        MANY,
        ONE_OR_TWO,
        LONG,
        edges=("expires_today", *("last_day_of_window",) * 9),
        owing=("leaves_later",),
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
    bounds = {
        "expiring_in_window": wanted.expiring,
        "unalerted_expiring": wanted.owed,
        "checks_verified": wanted.verified,
    }
    if any(not low <= int(gold.answers[name]) <= high for name, (low, high) in bounds.items()):
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
    owing = (*wanted.owing, *((rng.choice(wanted.edges),) if wanted.edges else ()))
    owed, verified, expiring = _counts(wanted, len(owing), rng)
    plain = ("owed",) * (owed - len(owing)) + ("proof",) * (verified - len(wanted.proven))
    alerted = ("alerted",) * (expiring - owed)
    most = MOST_BLOCKED - len(wanted.blocked) if wanted.blocked else 0
    others = tuple(rng.choice(OTHERS_BLOCKED) for _ in range(rng.randint(0, most)))
    pieces = (*owing, *wanted.proven, *wanted.traps, *wanted.blocked, *others, *plain, *alerted, "far_off", "far_off")
    here = list(pieces)
    rng.shuffle(here)
    elsewhere = ["owed"] * rng.randint(1, 2) + ["proof", "far_off"] + rng.sample(("alerted", "expired", "leaver"), 2)
    return Sketch(tuple(here), tuple(elsewhere), wanted.released, earliest=rng.randint(*EARLIEST))


def _counts(wanted: Variant, owing: int, rng: Random) -> tuple[int, int, int]:
    """Alerts owed, checks verified and papers inside their windows, all that the variant has room for likely alike."""
    changes = MOST_STEPS - sum(trap in BY_MAIL for trap in wanted.traps)
    return rng.choice(
        [
            (owed, verified, expiring)
            for owed in _whole(wanted.owed)
            for verified in _whole(wanted.verified)
            for expiring in _whole(wanted.expiring)
            if owing <= owed <= expiring and len(wanted.proven) <= verified <= changes - owed
        ]
    )


def _whole(bounds: tuple[int, int]) -> range:
    return range(bounds[0], bounds[1] + 1)


def _alerts(one: Outcome) -> set[int]:
    return {write.arguments["DocumentRecordId"] for write in one.writes if "VerifiedFlag" not in write.arguments}


def _moved(gold: Outcome, other: Outcome) -> int:
    return sum(1 for name, value in gold.answers.items() if other.answers[name] != value)
