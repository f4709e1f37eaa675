"""Names and moments of drawn facts: nobody is met twice, and the office's hours are its own."""

import datetime as dt
from itertools import product
from pathlib import Path
from random import Random

import pytest
import yaml

from generator.evidence.fonts import glyphs
from generator.families.clerks import POOLS, address, clerk_names, moment, working_day_before
from generator.spec.tenant import TenantProfile
from tests.episode_fixture import profiles

NAMES = yaml.safe_load(POOLS.read_text(encoding="utf-8"))
COUNTRIES = {country: pool for country, pool in NAMES.items() if country != "carriers"}


def test_shares_of_a_country_have_no_name_in_common() -> None:
    profile = profiles()[0]
    first, second = (set(clerk_names(profile, Random(5), 30, share)) for share in (0, 1))
    assert len(first) == len(second) == 30
    assert not first & second


@pytest.mark.parametrize("profile", profiles(), ids=lambda profile: profile.slug)
def test_no_clerk_is_a_person_of_a_profile(profile: TenantProfile) -> None:
    people = {person.name for other in profiles() for person in other.people}
    pool = COUNTRIES[profile.country]
    assert not people & {f"{first} {last}" for first, last in product(pool["given"], pool["family"])}


def test_no_surname_is_one_of_the_workers() -> None:
    pools = yaml.safe_load(Path("generator/families/names.yaml").read_text(encoding="utf-8"))
    for country, pool in COUNTRIES.items():
        assert not set(pool["family"]) & set(pools[country]["family"]), country


def test_every_letter_can_be_printed() -> None:
    letters = set(POOLS.read_text(encoding="utf-8")) - {"\n"}
    assert letters <= {chr(code) for code in glyphs()}


def test_addresses_are_ascii() -> None:
    assert address("Søren Ødegård", "havgreb-sim.example") == "soren.odegard@havgreb-sim.example"
    assert address("Łukasz Żak", "x-sim.example") == "lukasz.zak@x-sim.example"
    assert address("Jürgen Rößler", "x-sim.example") == "jurgen.rossler@x-sim.example"
    assert address("Ahern O'Dowd", "x-sim.example") == "ahern.odowd@x-sim.example"


def test_moments_are_local() -> None:
    # Toledo is five hours behind UTC in February.
    assert moment(profiles()[0], dt.date(2026, 2, 8), 15, 30) == dt.datetime(2026, 2, 8, 20, 30, tzinfo=dt.UTC)


def test_the_working_day_before_a_monday_is_a_friday() -> None:
    assert working_day_before(dt.date(2026, 2, 9)) == dt.date(2026, 2, 6)
    assert working_day_before(dt.date(2026, 2, 8)) == dt.date(2026, 2, 6)
    assert working_day_before(dt.date(2026, 2, 6)) == dt.date(2026, 2, 5)
