"""The family's documents as far as authority is concerned. A forwarded copy of a replaced one is no candidate."""

from dataclasses import replace

from generator.families.price_batch.facts import Batch, Facts, PricingPolicy
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    return (
        _batch(facts.batch, f"the {facts.batch.label} price batch", True),
        _batch(facts.earlier, "", False),
        replace(_batch(facts.earlier, "", False), id=facts.forward.source, status="withdrawn"),
        _policy(facts.policy, True),
        _policy(facts.earlier_policy, False),
    )


def _batch(batch: Batch, memo_name: str, current: bool) -> Source:
    return Source(
        id=batch.source,
        subject="price_batch",
        memo_name=memo_name,
        owner="pricing_manager",
        issued=batch.issued,
        edition=batch.version,
        drive_flag=current,
    )


def _policy(policy: PricingPolicy, current: bool) -> Source:
    return Source(
        id=policy.mail.source,
        subject="pricing_policy",
        memo_name="",
        owner="pricing_manager",
        issued=policy.mail.at.date(),
        edition=policy.edition,
        effective_from=policy.effective_from,
        effective_to=policy.effective_to,
        drive_flag=current,
    )
