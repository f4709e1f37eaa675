"""The ten tenants' profiles: each complete for the ten families, none sharing a name with another."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from generator.evidence.fonts import glyphs
from generator.evidence.model import Column, Style
from generator.evidence.values import read_cell, show_date, show_number
from generator.families.order_import.facts import PriceList
from generator.families.order_import.prices import listed_items
from generator.spec.tenant import CAST, Item, Period, TenantProfile, read_yaml
from generator.tenants.load import ROOT

PROFILES = {path.parent.name: read_yaml(path, TenantProfile) for path in sorted(ROOT.glob("*/profile.yaml"))}
NEW = sorted((p for p in PROFILES.values() if p.slug != "northbridge"), key=lambda p: p.number)
NORTHBRIDGE = PROFILES["northbridge"]
IDENTIFIER = re.compile(r"[A-Za-z]+([-_][A-Za-z0-9]+)+")
APPLICATIONS = ("order_management", "receivables", "payables", "purchasing", "receiving", "hcm", "pricing")
each_new = pytest.mark.parametrize("profile", NEW, ids=lambda profile: profile.slug)

# slug: number, code, currency, time zone, local date and hour of as_of, date form, decimal comma, delimiter, paper, and
# the policies' format
OFFICES = {
    "northbridge": (0, "NBR", "USD", "America/New_York", "2026-02-09", 4, "%m/%d/%Y", False, ",", "Letter", "md"),
    "ziarnopiec": (1, "ZIA", "PLN", "Europe/Warsaw", "2026-03-18", 10, "%d.%m.%Y", True, ";", "A4", "md"),
    "havgreb": (2, "HVG", "DKK", "Europe/Copenhagen", "2026-04-22", 10, "%d-%m-%Y", True, ";", "A4", "docx"),
    "cantaros": (3, "ATC", "MXN", "America/Mexico_City", "2026-05-14", 9, "%d/%m/%Y", False, ",", "Letter", "md"),
    "speichenhof": (4, "SPH", "EUR", "Europe/Berlin", "2026-06-17", 10, "%d.%m.%Y", True, ";", "A4", "docx"),
    "ballinore": (5, "BAL", "EUR", "Europe/Dublin", "2026-03-12", 9, "%d/%m/%Y", False, ",", "A4", "md"),
    "tsurumaki": (6, "TSU", "CAD", "America/Vancouver", "2026-05-26", 10, "%Y-%m-%d", False, ",", "Letter", "docx"),
    "chemorir": (7, "CRT", "KES", "Africa/Nairobi", "2026-04-16", 11, "%-d/%m/%Y", False, ",", "A4", "docx"),
    "dryandra": (8, "DRY", "AUD", "Australia/Perth", "2026-06-11", 16, "%d %b %Y", False, ",", "A4", "md"),
    "venmalar": (9, "VEN", "INR", "Asia/Kolkata", "2026-02-19", 15, "%d-%m-%Y", False, ",", "A4", "md"),
}
# slug: day of the list in force, day of the list before it
PRICE_LISTS = {
    "ziarnopiec": ("2026-01-01", "2025-07-01"),
    "havgreb": ("2026-04-01", "2026-01-01"),
    "cantaros": ("2026-01-01", "2025-07-01"),
    "speichenhof": ("2026-04-01", "2026-01-01"),
    "ballinore": ("2026-01-01", "2025-07-01"),
    "tsurumaki": ("2026-04-01", "2026-01-01"),
    "chemorir": ("2026-04-01", "2026-01-01"),
    "dryandra": ("2026-01-01", "2025-07-01"),
    "venmalar": ("2026-01-01", "2025-10-01"),
}


def items_of(profile: TenantProfile, part: str, status: str | None = None) -> list[Item]:
    held = [item for item in profile.items if item.organization == profile.cast[part]]
    return [item for item in held if status in (None, item.status)]


def codes(profile: TenantProfile, kind: str) -> list[str]:
    return [entry.code for entry in profile.lookups if entry.kind == kind]


def strings(value: Any) -> Iterator[str]:
    """Every text within a dumped profile."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (*strings(key), *strings(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def repeated(values: Iterator[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def covering(profile: TenantProfile, application: str, day: dt.date) -> list[Period]:
    return [p for p in profile.periods if p.application == application and p.start <= day <= p.end]


def test_each_office_has_the_habits_of_its_country() -> None:
    seen = {}
    for slug, p in PROFILES.items():
        local, h = p.as_of.astimezone(ZoneInfo(p.timezone)), p.habits
        form = (h.dates, h.decimal_comma, h.csv_delimiter, h.paper, h.policies)
        seen[slug] = (p.number, p.code, p.currency, p.timezone, p.today.isoformat(), local.hour, *form)
    assert seen == OFFICES


def test_currencies_and_word_policies_are_mixed() -> None:
    assert Counter(p.currency for p in PROFILES.values()) == {
        "EUR": 2,
        **dict.fromkeys(("USD", "PLN", "DKK", "MXN", "CAD", "KES", "AUD", "INR"), 1),
    }
    assert [p.slug for p in NEW if p.habits.policies == "docx"] == ["havgreb", "speichenhof", "tsurumaki", "chemorir"]


def test_no_two_tenants_share_a_name() -> None:
    everyone = PROFILES.values()
    assert repeated(p.company for p in everyone) == []
    assert repeated(p.industry for p in everyone) == []
    assert repeated(p.mail_domain for p in everyone) == []
    assert repeated(o.name for p in everyone for o in p.organizations if o.kind != "inventory") == []
    assert repeated(o.code for p in everyone for o in p.organizations) == []
    assert repeated(person.name for p in everyone for person in p.people) == []
    for part in ("account", "name", "email", "tax_id"):
        assert repeated(getattr(c, part) for p in everyone for c in p.customers) == []
    assert repeated(s.number for p in everyone for s in p.suppliers) == []
    assert repeated(s.name for p in everyone for s in p.suppliers) == []
    assert repeated(number for p in everyone for number in {item.number for item in p.items}) == []
    assert repeated(f"{p.sequences[name]}" for p in everyone for name in p.sequences if name != "sheet_changes") == []
    assert repeated(job for p in everyone for job in codes(p, "job")) == []


def test_account_and_supplier_numbers_begin_differently_in_each_tenant() -> None:
    accounts = {p.slug: {c.account.split("-")[0] for c in p.customers} for p in PROFILES.values()}
    suppliers = {p.slug: {s.number.split("-")[0] for s in p.suppliers} for p in PROFILES.values()}
    for numbers in (accounts, suppliers):
        assert {slug: len(starts) for slug, starts in numbers.items()} == dict.fromkeys(OFFICES, 1)
    assert len(set.union(*accounts.values())) == len(set.union(*suppliers.values())) == 10


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.slug)
def test_the_cast_is_whole_and_everybody_in_it_is_of_the_tenant(profile: TenantProfile) -> None:
    cast = profile.cast
    assert tuple(cast) == CAST
    kinds = {o.code: o.kind for o in profile.organizations}
    assert [kinds[cast[part]] for part in ("main_org", "other_org")] == ["inventory", "inventory"]
    assert kinds[cast["business_unit"]] == "business_unit"
    assert [kinds[cast[part]] for part in ("employer", "other_employer")] == ["employer", "employer"]
    for part in CAST[5:11]:
        assert profile.customer(cast[part]).account == cast[part]
    status = {s.number: s.status for s in profile.suppliers}
    parts = ("main_supplier", "second_supplier", "match_supplier", "match_namesake")
    assert [status[cast[part]] for part in parts] == ["Active"] * 4
    assert status[cast["blocked_supplier"]] == "Blocked"
    assert {cast["hire_job"], cast["other_job"]} < set(codes(profile, "job"))
    assert cast["hire_job"] != cast["other_job"]


@each_new
def test_everybody_plays_one_part_only(profile: TenantProfile) -> None:
    assert len(set(profile.cast.values())) == len(CAST) == 18


@each_new
def test_as_of_is_a_working_day_that_leaves_room_in_its_month(profile: TenantProfile) -> None:
    day = profile.today
    assert dt.date(2026, 2, 16) <= day <= dt.date(2026, 6, 19)
    assert day == profile.as_of.astimezone(dt.UTC).date()
    # The day before is a working day too: shifts and picks are of yesterday. Documents in force are filed at 06:00 UTC.
    assert day.isoweekday() in (2, 3, 4, 5)
    assert day.day >= 11
    assert profile.as_of.astimezone(dt.UTC).hour >= 8
    months = {2: "February", 3: "March", 4: "April", 5: "May", 6: "June"}
    assert profile.month_name == months[day.month]


@each_new
def test_people_have_northbridges_roles_and_addresses_of_their_own_domain(profile: TenantProfile) -> None:
    assert [person.role for person in profile.people] == [person.role for person in NORTHBRIDGE.people]
    assert len(profile.people) == 12
    for person in profile.people:
        assert re.fullmatch(rf"[a-z_.-]+@{re.escape(profile.mail_domain)}", person.email), person.email
    assert repeated(person.email for person in profile.people) == []
    assert profile.mail_domain.endswith("-sim.example")


@each_new
def test_organizations_and_channel(profile: TenantProfile) -> None:
    assert Counter(o.kind for o in profile.organizations) == {"inventory": 2, "business_unit": 1, "employer": 2}
    unit = next(o for o in profile.organizations if o.kind == "business_unit")
    assert profile.business_unit == unit.name
    assert all(o.code.startswith(profile.code) for o in profile.organizations)
    assert profile.channel == f"#ops-{profile.code.lower()}"
    assert next(o.name for o in profile.organizations if o.code == profile.cast["main_org"]) == profile.site


@each_new
def test_customers_have_namesakes_limits_and_addresses_elsewhere(profile: TenantProfile) -> None:
    assert len(profile.customers) == 7
    for part in ("order", "remit"):
        customer = profile.customer(profile.cast[f"{part}_customer"])
        namesake = profile.customer(profile.cast[f"{part}_namesake"])
        shared = set(customer.name.replace(",", "").split()) & set(namesake.name.replace(",", "").split())
        assert any(len(word) > 3 for word in shared), (customer.name, namesake.name)
        assert namesake.credit_limit * 3 < customer.credit_limit
    hidden = [c.account for c in profile.customers if not c.in_customers_tab]
    assert hidden == [profile.cast["order_namesake"]]
    for customer in profile.customers:
        domain = customer.email.partition("@")[2]
        assert domain.endswith("-sim.example")
        assert domain != profile.mail_domain
        assert customer.credit_limit >= 5000
        assert re.fullmatch(r"Net \d\d", customer.payment_terms)


@each_new
def test_suppliers_have_lead_times_of_their_own_and_one_is_blocked_with_its_reason(profile: TenantProfile) -> None:
    leads = [s.lead_time_days for s in profile.suppliers]
    assert len(leads) == len(set(leads)) == 6
    assert min(leads) >= 4
    assert max(leads) <= 35
    blocked = [s for s in profile.suppliers if s.status != "Active"]
    assert [s.number for s in blocked] == [profile.cast["blocked_supplier"]]
    since = re.match(r"Blocked since (\d{4}-\d{2}-\d{2}): ", blocked[0].comments or "")
    assert since is not None
    assert dt.date.fromisoformat(since[1]) < profile.today


@each_new
def test_items_of_both_organizations(profile: TenantProfile) -> None:
    active, inactive = (items_of(profile, "main_org", status) for status in ("Active", "Inactive"))
    assert 8 <= len(active) <= 11
    assert len(inactive) == 1
    assert "discontinued" in inactive[0].description
    assert {item.item_class for item in active} == {"A", "B", "C"}
    other = items_of(profile, "other_org")
    main = {item.number: item for item in active}
    shared = [item for item in other if item.number in main]
    assert (len(other), len(shared)) == (3, 2)
    for item in shared:
        assert (item.description, item.uom) == (main[item.number].description, main[item.number].uom)
        ours = main[item.number]
        before = next(price.price for price in profile.other_prices if price.item_id == ours.id)
        assert len({item.list_price, ours.list_price, before}) == 3
    for item in profile.items:
        assert item.uom in codes(profile, "uom")
        assert item.list_price == item.list_price.quantize(Decimal("0.01")) > Decimal("0.40")
    assert repeated(str(item.id) for item in profile.items) == []


@each_new
def test_every_active_item_had_another_price_in_the_list_before(profile: TenantProfile) -> None:
    current, before = (dt.date.fromisoformat(day) for day in PRICE_LISTS[profile.slug])
    assert {item.price_effective for item in profile.items if item.status == "Active"} == {current}
    assert current <= profile.today
    history = {price.item_id: price for price in profile.other_prices}
    active = items_of(profile, "main_org", "Active")
    assert set(history) == {item.id for item in active}
    assert len(profile.other_prices) == len(active)
    for item in active:
        old = history[item.id]
        assert (old.kind, old.effective) == ("history", before)
        assert old.price == old.price.quantize(Decimal("0.01"))
        change = abs(item.list_price - old.price) / item.list_price * 100
        assert 3 <= change <= 9, (item.number, change)
    # Lists hold discontinued items too, at a price that both share.
    assert {item.price_effective for item in items_of(profile, "main_org", "Inactive")} == {before}


def test_units_other_than_pieces_are_common() -> None:
    kept = {p.slug: {item.uom for item in items_of(p, "main_org", "Active")} for p in NEW}
    assert kept == {
        "ziarnopiec": {"EA", "M", "KG"},
        "havgreb": {"EA", "M", "KG", "PR"},
        "cantaros": {"EA", "M2", "KG", "L"},
        "speichenhof": {"EA", "PR", "L"},
        "ballinore": {"EA", "BX", "PK", "RL", "CT"},
        "tsurumaki": {"EA", "PR", "M", "L"},
        "chemorir": {"KG", "PK", "EA"},
        "dryandra": {"EA", "M", "L"},
        "venmalar": {"KG", "M", "EA"},
    }
    # Units of a fixed size, so that a sheet can use another unit than the item's without a packing table.
    sizes = {"DZ": "Dozen", "HU": "Hundred", "HM": "Hundred metres", "TN": "Tonne", "PR": "Pair"}
    for p in NEW:
        meanings = {entry.code: entry.meaning for entry in p.lookups if entry.kind == "uom"}
        fixed = set(meanings) & set(sizes)
        assert fixed, p.slug
        assert {code: meanings[code] for code in fixed} == {code: sizes[code] for code in fixed}


@each_new
def test_periods_are_closed_before_the_month_and_open_in_it(profile: TenantProfile) -> None:
    first = profile.today.replace(day=1)
    for application in APPLICATIONS:
        (now,) = covering(profile, application, profile.today)
        assert now.status == "Open"
        before = [p for p in profile.periods if p.application == application and p.end < now.start]
        assert before
        assert {p.status for p in before} == {"Closed"}
        assert max(p.end for p in before) == now.start - dt.timedelta(days=1)
        if application != "pricing":
            assert now.start == first
    for months, application in ((2, "hcm"), (5, "pricing")):
        later = first
        for _ in range(months):
            later = (later + dt.timedelta(days=31)).replace(day=1)
            assert [p.status for p in covering(profile, application, later)] == ["Open"]
    listed = dt.date.fromisoformat(PRICE_LISTS[profile.slug][1])
    assert [p.status for p in covering(profile, "pricing", listed)] == ["Closed"]
    assert repeated(f"{p.application} {p.period}" for p in profile.periods) == []


@each_new
def test_lookups_have_northbridges_kinds_and_the_codes_that_all_share(profile: TenantProfile) -> None:
    kinds = list(dict.fromkeys(entry.kind for entry in profile.lookups))
    assert kinds == list(dict.fromkeys(entry.kind for entry in NORTHBRIDGE.lookups))
    for kind in ("reference_type", "receipt_source", "receiving_transaction", "document_status"):
        assert codes(profile, kind) == codes(NORTHBRIDGE, kind)
    # Order has meaning: the usual type, desk before shop, unreported before leave before sick, open before confirmed,
    # price before quantity before unordered, the shift's job first.
    counts = {"transaction_type": 2, "source_system": 2, "receipt_method": 2, "absence_status": 2}
    for kind, count in {**counts, "absence_type": 3, "hold_name": 3, "job": 3}.items():
        assert len(codes(profile, kind)) == count
        assert not set(codes(profile, kind)) & set(codes(NORTHBRIDGE, kind))
    assert codes(profile, "job")[0] not in (profile.cast["hire_job"], profile.cast["other_job"])
    meanings = {entry.code: entry.meaning for entry in profile.lookups}
    shop = meanings[codes(profile, "source_system")[1]]
    assert re.match(r"Taken over from the (\w+' )?(web shop|web store|online shop|online store)$", shop)
    assert [meanings[code] for code in codes(profile, "hold_name")] == [
        "Price outside tolerance",
        "Quantity not received or not ordered",
        "Charge without an order line",
    ]
    assert meanings[codes(profile, "absence_status")[0]] == "Recorded and open for confirmation"
    assert repeated(f"{entry.kind} {entry.code}" for entry in profile.lookups) == []


@each_new
def test_workbook_and_sequences_carry_the_tenants_code(profile: TenantProfile) -> None:
    assert profile.workbook.id == f"SHEET-{profile.code}-OPS"
    assert profile.workbook.register_header == NORTHBRIDGE.workbook.register_header
    (row,) = profile.workbook.register_rows
    assert len(row) == 8
    assert profile.code in str(row[0])
    assert not str(row[0]).startswith("SO-")
    assert list(profile.sequences) == list(NORTHBRIDGE.sequences)
    prefixes = {name: prefix for name, (prefix, _) in profile.sequences.items() if prefix}
    code = profile.code
    assert prefixes == {
        "sales_orders": f"SO-{code}-",
        "purchase_requisitions": f"REQ-{code}-",
        "receiving_receipt_requests": f"RCV-{code}-",
    }
    assert 50000 <= profile.sequences["sales_orders"][1] <= 59999


@each_new
def test_numbers_of_records_are_identifiers_so_that_no_figure_is_found_in_them(profile: TenantProfile) -> None:
    numbers = [c.account for c in profile.customers] + [s.number for s in profile.suppliers]
    numbers += [item.number for item in profile.items] + codes(profile, "job")
    numbers += [str(row[0]) for row in profile.workbook.register_rows]
    assert [number for number in numbers if not IDENTIFIER.fullmatch(number)] == []


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.slug)
def test_every_character_has_a_glyph(profile: TenantProfile) -> None:
    used = {character for text in strings(profile.model_dump(mode="json")) for character in text}
    assert {character for character in used if ord(character) not in glyphs()} == set()


def test_names_are_spelt_with_the_letters_of_their_country() -> None:
    letters = {"ziarnopiec": "Łółąęśżź", "havgreb": "æøåØÆÅ", "cantaros": "ñáéíóúÍÑ"}
    letters |= {"speichenhof": "äöüßÄ", "ballinore": "éáíó"}
    for slug, expected in letters.items():
        text = "".join(strings(PROFILES[slug].model_dump(mode="json")))
        assert sum(letter in text for letter in expected) >= 4, slug


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.slug)
def test_every_day_of_the_year_and_an_amount_read_back_as_the_office_writes_them(profile: TenantProfile) -> None:
    habits = profile.habits
    style = Style(habits.dates, habits.decimal_comma, habits.csv_delimiter, habits.paper)
    days = [dt.date(2026, 1, 1) + dt.timedelta(days=n) for n in range(365)]
    assert [read_cell(show_date(day, habits.dates), style) for day in days] == days
    amount = show_number(Decimal("1234567.50"), Column("", "money", decimals=2), style, "page")
    assert amount == ("1.234.567,50" if habits.decimal_comma else "1,234,567.50")
    assert read_cell(amount, style) == Decimal("1234567.50")
    assert habits.csv_delimiter == (";" if habits.decimal_comma else ",")


@each_new
def test_both_price_lists_hold_every_item_of_the_main_organization(profile: TenantProfile) -> None:
    totals = []
    for first in PRICE_LISTS[profile.slug]:
        day = dt.date.fromisoformat(first)
        price_list = PriceList(
            source="FILE-LIST",
            number=3,
            file="03-current-price-list.csv",
            edition="any",
            effective_from=day,
            effective_to=day + dt.timedelta(days=89),
            issued=day,
            filed=dt.datetime.combine(day, dt.time(6), tzinfo=dt.UTC),
            current=True,
        )
        held = listed_items(profile, profile.cast["main_org"], price_list)
        assert len(held) == len(items_of(profile, "main_org"))
        totals.append([price for _, price in held])
    differing = sum(new != old for new, old in zip(*totals, strict=True))
    assert differing == len(items_of(profile, "main_org", "Active"))
