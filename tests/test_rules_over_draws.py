"""The rules of a fair and hard case over fresh draws: a hundred twins of every family, whole tenants at a time.

ERPBENCH_DRAWS says how many twins (100 draws a family come from ten tenants of ten twins; 1,000 from a hundred).
"""

import os
from collections import Counter

import pytest

from generator.families import FAMILIES
from generator.qualify.rules import case_problems
from generator.qualify.rules_command import family_problems
from generator.qualify.stranger_rules import stranger_problems
from generator.spec.case import Case
from generator.tasks.case import build_cases
from generator.tenants.load import load_tenants
from generator.worlds.rows import tenant_rows

TWINS = int(os.environ.get("ERPBENCH_TWINS", "100"))
SEEDS = range(1000, 1000 + TWINS)
CHUNKS = 10


def cases_of(seed: int) -> tuple[list[Case], list[str]]:
    """The cases of a twin, and what is wrong with what strangers ask for in them."""
    tenants = load_tenants(seed=seed)
    rows = {tenant.profile.code: tenant_rows(tenant) for tenant in tenants}
    cases = list(build_cases(tenants))
    return cases, [p for case in cases for p in stranger_problems(case, rows[case.tenant.profile.code])]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_rule_holds_on_every_draw(chunk: int) -> None:
    problems: list[str] = []
    drawn: Counter[str] = Counter()
    for seed in SEEDS[chunk::CHUNKS]:
        cases, asked = cases_of(seed)
        problems += [f"seed {seed}: {problem}" for problem in asked]
        drawn.update(case.family for case in cases)
        problems += [f"seed {seed}: {problem}" for case in cases for problem in case_problems(case)]
        for family in FAMILIES:
            group = [case for case in cases if case.family == family.id]
            problems += [f"seed {seed}: {problem}" for problem in family_problems(group)]
    assert problems == []
    assert set(drawn.values()) == {10 * len(SEEDS[chunk::CHUNKS])}
    assert len(drawn) == 10
