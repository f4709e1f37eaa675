"""Names of invented people: as many as wanted, all different, nobody of the profile, and shares that do not meet."""

import pytest

from generator.families.invented import SHARES, invented_names
from generator.spec.streams import stream
from generator.spec.tenant import Person, TenantProfile, read_yaml
from generator.tenants.load import ROOT

PROFILES = sorted(path.parent.name for path in ROOT.glob("*/profile.yaml"))


@pytest.fixture(scope="module", params=PROFILES)
def profile(request: pytest.FixtureRequest) -> TenantProfile:
    return read_yaml(ROOT / request.param / "profile.yaml", TenantProfile)


def drawn(profile: TenantProfile, count: int, share: int) -> list[str]:
    return invented_names(profile, stream(1, "names"), count, share)


def test_shares_of_the_names_do_not_meet(profile: TenantProfile) -> None:
    shares = [set(drawn(profile, 60, share)) for share in range(SHARES)]
    assert [len(share) for share in shares] == [60, 60, 60]
    assert len(set.union(*shares)) == 180


def test_nobody_of_the_profile_is_drawn(profile: TenantProfile) -> None:
    name = drawn(profile, 1, 2)[0]
    met = Person(role="guest", name=name, title="Guest", email="guest@office-sim.example")
    known = profile.model_copy(update={"people": (*profile.people, met)})
    assert name in drawn(profile, 200, 2)
    assert name not in drawn(known, 200, 2)


def test_the_same_stream_gives_the_same_names(profile: TenantProfile) -> None:
    assert drawn(profile, 20, 1) == drawn(profile, 20, 1)


def test_more_names_than_the_pool_has_are_refused(profile: TenantProfile) -> None:
    with pytest.raises(ValueError, match=f"the pool of {profile.country} has"):
        drawn(profile, 1000, 0)


def test_a_country_without_a_pool_takes_the_common_one(profile: TenantProfile) -> None:
    assert drawn(profile.model_copy(update={"country": "ZZ"}), 5, 0) == drawn(
        profile.model_copy(update={"country": "any"}), 5, 0
    )
