"""`erpbench rules`: the rules that make tasks fair and hard, over the dataset's cases, as tables."""

from collections import Counter
from collections.abc import Sequence

from rich.table import Table

from generator.families import FAMILIES, family
from generator.families.base import Option
from generator.families.spread import too_alike
from generator.qualify.console import wide_console
from generator.qualify.rules import DECLINE, case_problems, differing
from generator.qualify.stranger_rules import stranger_problems
from generator.spec.case import Case
from generator.spec.streams import RELEASE_SEED
from generator.tasks.case import build_cases
from generator.tenants.load import load_tenants
from generator.worlds.rows import tenant_rows

MOST_ALIKE = 0.6  # no option is right in more of a family's tasks


def rules_command(seed: int = RELEASE_SEED) -> int:
    """Print what each family's tasks come to; 0 if every rule holds, else 1."""
    tenants = load_tenants(seed=seed)
    cases = list(build_cases(tenants))
    console = wide_console()
    console.print(distribution(cases))
    console.print(distances(cases))
    problems = [problem for case in cases for problem in case_problems(case)]
    problems += [problem for group in _by_family(cases).values() for problem in family_problems(group)]
    rows = {tenant.profile.code: tenant_rows(tenant) for tenant in tenants}
    problems += [problem for case in cases for problem in stranger_problems(case, rows[case.tenant.profile.code])]
    for problem in problems:
        console.print(problem)
    console.print(f"{len(cases)} cases, {len(problems)} problems")
    return 1 if problems else 0


def family_problems(cases: Sequence[Case]) -> list[str]:
    """Rules over a family's tasks, which say something only once there are several."""
    if len(cases) < 5:
        return []
    name = cases[0].family
    problems = [
        f"{name}: {option} is right in {count} of {len(cases)}"
        for option, count in Counter(case.gold.option for case in cases).items()
        if count > MOST_ALIKE * len(cases)
    ]
    if len(cases) == 10 and not any(case.gold.obstacle for case in cases):
        problems.append(f"{name}: no task is to be declined")
    for shared in too_alike([case.gold.answers for case in cases]):
        problems.append(f"{name}: {shared.field} is {shared.value} in {shared.count} of {len(cases)}")
    return problems


def distribution(cases: Sequence[Case]) -> Table:
    table = Table(title="right options by family (a, b, c as received, d decline)")
    for column in ("family", "tasks", "a", "b", "c", "d", "distinct answer vectors"):
        table.add_column(column, justify="left" if column == "family" else "right")
    for id, group in _by_family(cases).items():
        options = [option.id for option in _options(id)]
        counts = Counter(options.index(case.gold.option) for case in group)
        vectors = len({tuple(case.gold.answers.values()) for case in group})
        table.add_row(id, str(len(group)), *(str(counts[n]) for n in range(DECLINE + 1)), str(vectors))
    return table


def distances(cases: Sequence[Case]) -> Table:
    table = Table(title="answers in which each kind of mistake differs from gold, fewest to most")
    kinds = ("wrong_source", "wrong_target", "as_received", "ignored_rule")
    for column in ("family", *kinds):
        table.add_column(column)
    for id, group in _by_family(cases).items():
        cells = []
        for kind in kinds:
            moved = [len(differing(case, c.outcome)) for case in group for c in case.counterfactuals if c.kind == kind]
            cells.append(f"{min(moved)} to {max(moved)}" if moved else "none")
        table.add_row(id, *cells)
    return table


def _by_family(cases: Sequence[Case]) -> dict[str, list[Case]]:
    groups = {f.id: [case for case in cases if case.family == f.id] for f in FAMILIES}
    return {id: group for id, group in groups.items() if group}


def _options(id: str) -> tuple[Option, ...]:
    task = family(id).task
    return () if task is None else task.options
