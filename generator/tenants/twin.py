"""A tenant's profile for a private twin: the written company, its code, people, partners and prices drawn anew.

In: a written profile and a seed. Out: a profile of the same structure, which shares no identifier, customer, supplier
or person with the written one. Habits, jobs, units, rules and calendars stay: they are what the company is.
"""

import re
import string
import unicodedata
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.invented import POOLS
from generator.spec.money import cents
from generator.spec.streams import stream
from generator.spec.tenant import TenantProfile

TRADES = Path(__file__).with_name("trades.yaml")
# Letters that do not come apart into a plain one and an accent.
_LETTERS = {ord(letter): plain for letter, plain in zip("łŁøØæßı", ("l", "L", "o", "O", "ae", "ss", "i"), strict=True)}
NAMESAKES = (("order_customer", "order_namesake"), ("remit_customer", "remit_namesake"))


def twin_profile(profile: TenantProfile, seed: int) -> TenantProfile:
    """The profile of the same tenant in the twin of this seed."""
    rng = stream(seed, profile.slug, "profile")
    data = profile.model_dump(mode="python")
    names = _Names(profile.country, rng, taken=_written_names(profile))
    accounts = _renumbered([c["account"] for c in data["customers"]], rng)
    suppliers = _renumbered([s["number"] for s in data["suppliers"]], rng)
    _rename_partners(data, profile, names, accounts, suppliers)
    for person in data["people"]:
        person["name"] = names.person()
        person["email"] = f"{_mail_name(person['name'])}@{profile.mail_domain}"
    _rename_strangers(data, profile, seed)
    _reprice(data, rng)
    data["cast"] = {part: accounts.get(who, suppliers.get(who, who)) for part, who in data["cast"].items()}
    data["sequences"] = {
        name: (prefix, first + rng.randrange(7, 900)) for name, (prefix, first) in data["sequences"].items()
    }
    code = _code(profile.code, rng)
    data = {field: _recoded(value, profile.code, code) for field, value in data.items()}
    data["channel"] = f"#ops-{code.lower()}"
    return TenantProfile.model_validate(data)


class _Names:
    """Names of people and companies of a country, each handed out once."""

    def __init__(self, country: str, rng: Random, taken: set[str]) -> None:
        pools = yaml.safe_load(POOLS.read_text(encoding="utf-8"))
        self._people = pools.get(country, pools["any"])
        trades = yaml.safe_load(TRADES.read_text(encoding="utf-8"))
        self._trades = trades.get(country, trades["US"])
        self._rng = rng
        self._taken = set(taken)

    def person(self) -> str:
        return self._new(lambda: f"{self._pick(self._people['given'])} {self._pick(self._people['family'])}")

    def company(self) -> str:
        return self._new(lambda: self._company(f"{self._founder()} & {self._pick(self._people['family'])}"))

    def namesake(self, company: str) -> str:
        """Another company that opens with the same founder's name."""
        return self._new(lambda: self._company(" ".join(company.split()[:2])))

    def _founder(self) -> str:
        return f"{self._pick(list(string.ascii_uppercase))}. {self._pick(self._people['family'])}"

    def _company(self, founders: str) -> str:
        return f"{founders} {self._pick(self._trades['trades'])} {self._pick(self._trades['forms'])}"

    def _pick(self, values: list[str]) -> str:
        return self._rng.choice(values)

    def _new(self, make: Any) -> str:
        for _ in range(1000):
            name = str(make())
            if name not in self._taken:
                self._taken.add(name)
                return name
        raise ValueError("the pools of names are exhausted")


def _written_names(profile: TenantProfile) -> set[str]:
    return {p.name for p in profile.people} | {c.name for c in profile.customers} | {s.name for s in profile.suppliers}


def _rename_partners(
    data: dict[str, Any], profile: TenantProfile, names: _Names, accounts: dict[str, str], suppliers: dict[str, str]
) -> None:
    made: dict[str, str] = {}
    namesakes = {profile.cast[second]: profile.cast[first] for first, second in NAMESAKES}
    ordered = sorted(data["customers"], key=lambda customer: customer["account"] in namesakes)
    for customer in ordered:
        old = customer["account"]
        of = made.get(namesakes.get(old, ""))
        made[old] = names.company() if of is None else names.namesake(of)
        domain = _mail_name(made[old]).replace(".", "-")
        customer.update(
            account=accounts[old],
            name=made[old],
            email=f"{customer['email'].split('@')[0]}@{domain}-sim.example",
            tax_id=_digits_changed(customer["tax_id"], names._rng),
        )
    for supplier in data["suppliers"]:
        supplier.update(number=suppliers[supplier["number"]], name=names.company())


def _rename_strangers(data: dict[str, Any], profile: TenantProfile, seed: int) -> None:
    """Other names for those who write from outside, from a stream of their own."""
    taken = _written_names(profile) | {person["name"] for person in data["people"]}
    taken |= {stranger.name for stranger in profile.strangers if stranger.name}
    names = _Names(profile.country, stream(seed, profile.slug, "strangers"), taken)
    for stranger in data["strangers"]:
        if stranger["name"] is not None:
            stranger["name"] = names.person()


def _renumbered(numbers: list[str], rng: Random) -> dict[str, str]:
    """Each number with its last group of digits drawn anew, all different from each other and from the old ones."""
    found: dict[str, str] = {}
    for number in numbers:
        while number not in found:
            new = _digits_changed(number, rng)
            if new not in numbers and new not in found.values():
                found[number] = new
    return found


def _digits_changed(text: str, rng: Random) -> str:
    """The text with its digits drawn anew; a first digit of a group stays above zero."""
    return re.sub(
        r"\d+", lambda m: "".join([rng.choice("123456789"), *rng.choices("0123456789", k=len(m[0]) - 1)]), text
    )


def _reprice(data: dict[str, Any], rng: Random) -> None:
    """List prices and earlier prices of an item moved by one factor; an earlier price stays different from today's."""
    factors: dict[int, Decimal] = {}
    for item in data["items"]:
        factor = factors[item["id"]] = Decimal(rng.randrange(83, 119)) / 100
        item["list_price"] = max(cents(item["list_price"] * factor), Decimal("0.05"))
    current = {item["id"]: item["list_price"] for item in data["items"]}
    for price in data["other_prices"]:
        moved = max(cents(price["price"] * factors[price["item_id"]]), Decimal("0.04"))
        price["price"] = moved if moved != current[price["item_id"]] else moved - Decimal("0.01")


def _code(old: str, rng: Random) -> str:
    while True:
        code = "".join(rng.choices(string.ascii_uppercase, k=3))
        if code != old:
            return code


def _recoded(value: Any, old: str, new: str) -> Any:
    """The value with the tenant's code exchanged where it stands in an identifier."""
    if isinstance(value, str):
        return re.sub(rf"(?<![A-Za-z]){old}(?![A-Za-z])", new, value)
    if isinstance(value, dict):
        return {key: _recoded(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_recoded(inner, old, new) for inner in value]
    return value


def _mail_name(name: str) -> str:
    """A name as the part of a mail address before the at sign."""
    replaced = name.translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", replaced).encode("ascii", "ignore").decode()
    return ".".join(re.findall(r"[a-z0-9]+", plain.lower()))
