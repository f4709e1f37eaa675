"""Cases of worker papers and shifts drawn for any profile, of one family alone: the others stay out of it."""

import datetime as dt
from itertools import combinations
from random import Random

import pytest

from generator.evidence.render import render
from generator.families.base import Family, Read
from generator.families.office import style
from generator.spec.case import Case
from generator.spec.source import Memo, Source, in_force
from generator.spec.tenant import Tenant, TenantProfile
from generator.tasks.case import build_case


def drawn(profile: TenantProfile, family: Family, variant: str, number: int) -> Tenant:
    assert family.draw is not None
    facts = family.draw(profile, variant, Random(f"{profile.code} {variant} {number}"))
    return Tenant(profile=profile, facts={family.id: facts})


def case_of(tenant: Tenant, family: Family, patch: pytest.MonkeyPatch) -> Case:
    """The case with the family's sources and rows only."""
    facts = tenant.facts[family.id]
    patch.setattr("generator.tasks.case.tenant_sources", lambda one: family.sources(one, one.facts[family.id]))
    return build_case(tenant, family, family.records(tenant, facts))


def sources_in_force(tenant: Tenant, family: Family) -> dict[str, str]:
    """What the memo and the precedence come to for each subject; a contradiction fails."""
    sources = family.sources(tenant, tenant.facts[family.id])
    memo = Memo("MEMO", tenant.profile.today, tuple(source.id for source in sources if source.memo_name))
    found = {}
    for subject in {source.subject for source in sources}:
        one = in_force(subject, tenant.profile.today, sources, [memo], ())
        assert isinstance(one, Source), subject
        found[subject] = one.id
    return found


def late_words(tenant: Tenant, family: Family) -> list[str]:
    """Mail and chat that somebody would have written after the request."""
    facts = tenant.facts[family.id]
    moments: list[tuple[str, dt.datetime]] = [(m.id, m.date) for m in family.mail(tenant, facts)]
    moments += [(m.text, m.at) for m in family.chat(tenant, facts)]
    return [name for name, at in moments if at >= tenant.profile.as_of]


def implied(reads: tuple[Read, ...]) -> list[tuple[str, str]]:
    """Pairs of investigations of which the first route of one satisfies the other."""
    return [
        (one.name, other.name)
        for first, second in combinations(reads, 2)
        for one, other in ((first, second), (second, first))
        if any(set(map(str, route)) <= set(map(str, one.routes[0])) for route in other.routes)
    ]


def texts(tenant: Tenant, family: Family) -> str:
    """Mail, chat and the texts of the family's documents in one."""
    facts = tenant.facts[family.id]
    parts = [render(document, style(tenant.profile)).text for document in family.documents(tenant, facts)]
    parts += [message.body for message in family.mail(tenant, facts)]
    parts += [message.text for message in family.chat(tenant, facts)]
    return "\n".join(parts)
