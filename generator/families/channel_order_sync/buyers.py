"""Who buys in a drawn export: invented firms by country, known customers under another spelling, guests, tax ids.

In: a profile and a random stream. Out: Buyers that nobody else of the tenant is.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.channel_order_sync.facts import Buyer
from generator.families.clerks import address
from generator.families.invented import invented_names
from generator.spec.tenant import Customer, TenantProfile

POOLS = Path(__file__).with_name("buyers.yaml")
GUEST_SHARE = 0
# Legal forms and what a buyer makes of them at a checkout.
SPELLINGS = {
    "Inc.": "Incorporated",
    "LLC": "L.L.C.",
    "Co.": "Company",
    "Ltd": "Limited",
    "Ltd.": "Limited",
    "GmbH": "Ges. m. b. H.",
    "KG": "Kommanditges.",
    "A/S": "Aktieselskab",
    "ApS": "Anpartsselskab",
    "S.A.": "SA",
    "o.o.": "ograniczoną odpowiedzialnością",
}


class BuyerPool:
    """Hands out firms and tax ids, none twice."""

    def __init__(self, profile: TenantProfile, rng: Random) -> None:
        self._rng = rng
        self._names = _firm_names(profile, rng)
        self._shape = profile.customer(profile.cast["shop_customer"]).tax_id
        self._taken = {customer.tax_id for customer in profile.customers}
        self._guests = iter(invented_names(profile, rng, 4, GUEST_SHARE))

    def firm(self) -> Buyer:
        """A firm that is new to the shop, with its tax id."""
        name = next(self._names)
        domain = address(name.rsplit("  ", 1)[0], "").rstrip("@").replace(".", "-").replace("&", "and")
        mailbox = self._rng.choice(("orders", "office", "buy", "shop", "accounts"))
        email = f"{mailbox}@{_plain(domain)}-sim.example"
        return Buyer(name=name.replace("  ", " "), email=email, tax_id=self.tax_id())

    def guest(self) -> Buyer:
        """A private person at the checkout, without a tax id."""
        first, last = next(self._guests).split(" ", 1)
        return Buyer(name=f"{first[0]}. {last}", email=address(f"{first[0]} {last}", "postbox-sim.example"))

    def known(self, customer: Customer) -> Buyer:
        """A customer of the tab who signs up under another spelling, with another address of the firm."""
        mailbox = self._rng.choice(("purchasing", "workshop", "goods", "webshop"))
        return Buyer(
            name=respelled(customer.name), email=f"{mailbox}@{customer.email.split('@')[1]}", tax_id=customer.tax_id
        )

    def tax_id(self) -> str:
        """In the form of the tenant's country, and nobody's."""
        while True:
            drawn = "".join(str(self._rng.randint(0, 9)) if c.isdigit() else c for c in self._shape)
            if drawn not in self._taken:
                self._taken.add(drawn)
                return drawn

    def misspelled(self, tax_id: str) -> str:
        """The tax id with two digits the wrong way round; not a real one of anybody."""
        places = [n for n in range(len(tax_id) - 1) if tax_id[n : n + 2].isdigit() and tax_id[n] != tax_id[n + 1]]
        self._rng.shuffle(places)
        for n in places:
            wrong = tax_id[:n] + tax_id[n + 1] + tax_id[n] + tax_id[n + 2 :]
            if wrong not in self._taken:
                return wrong
        return self.tax_id()


def respelled(name: str) -> str:
    """Another way of writing a company's name: its legal form spelled out, or all of it in capitals."""
    words = name.split(" ")
    changed = SPELLINGS.get(words[-1])
    return " ".join([*words[:-1], changed]) if changed and len(words) > 1 else name.upper()


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isascii() and (c.isalnum() or c == "-")).strip("-")


def _firm_names(profile: TenantProfile, rng: Random) -> Iterator[str]:
    """Stem and trade, two spaces, legal form; every stem once."""
    pool = _pools().get(profile.country, _pools()["any"])
    for stem in rng.sample(pool["stems"], len(pool["stems"])):
        yield f"{stem} {rng.choice(pool['trades'])}  {rng.choice(pool['forms'])}"


@cache
def _pools() -> dict[str, Any]:
    pools: dict[str, Any] = yaml.safe_load(POOLS.read_text(encoding="utf-8"))
    return pools
