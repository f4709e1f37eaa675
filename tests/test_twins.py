"""A private twin: the same structure, other names, numbers and variants; the same seed twice is identical."""

from generator.spec.case import Case
from generator.spec.tenant import Tenant
from generator.tasks.case import build_cases
from generator.tenants.load import load_tenants


def cases(tenants: tuple[Tenant, ...]) -> list[Case]:
    return list(build_cases(tenants))


def names(tenants: tuple[Tenant, ...]) -> set[str]:
    return {customer.name for tenant in tenants for customer in tenant.profile.customers}


def order_numbers(tenants: tuple[Tenant, ...]) -> set[str]:
    from generator.worlds.rows import tenant_rows

    return {row["OrderNumber"] for tenant in tenants for row in tenant_rows(tenant)["sales_orders"]}


def answer_vectors(tenants: tuple[Tenant, ...]) -> set[tuple[object, ...]]:
    return {(case.family, *case.gold.answers.values()) for case in cases(tenants)}


def test_two_twins_and_the_release_share_no_name_number_or_answer() -> None:
    release, seventh, eighth = load_tenants(), load_tenants(seed=7), load_tenants(seed=8)
    for one, other in ((release, seventh), (release, eighth), (seventh, eighth)):
        assert not names(one) & names(other)
        assert not order_numbers(one) & order_numbers(other)
        assert not answer_vectors(one) & answer_vectors(other)


def test_the_same_seed_twice_is_identical() -> None:
    assert load_tenants(seed=7) == load_tenants(seed=7)
    assert cases(load_tenants(seed=7)) == cases(load_tenants(seed=7))


def test_a_twin_deals_the_variants_anew() -> None:
    def options(seed: int) -> list[str]:
        return [case.gold.option for case in cases(load_tenants(seed=seed))]

    assert options(7) != options(8)
    assert sorted(options(7)) == sorted(options(8))


def test_a_twin_keeps_the_companies_and_their_habits() -> None:
    for written, drawn in zip(load_tenants(), load_tenants(seed=7), strict=True):
        assert written.profile.company == drawn.profile.company
        assert written.profile.habits == drawn.profile.habits
        assert written.profile.code != drawn.profile.code
        assert written.profile.cast.keys() == drawn.profile.cast.keys()


def test_a_code_within_a_word_is_no_code() -> None:
    """VEN of Venmalar stands at the beginning of VENDOR, which is a word of the system's."""
    for tenant in load_tenants(seed=7):
        assert "VENDOR" in {entry.code for entry in tenant.profile.lookups if entry.kind == "receipt_source"}
