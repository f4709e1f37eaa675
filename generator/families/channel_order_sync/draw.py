"""Facts of a channel sync drawn for a profile: an export of one of ten mixtures, and all that it is held against.

In: a profile, a variant, a random stream. Out: Facts that make a fair case. variants.yaml has the mixtures.
"""

import datetime as dt
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import yaml

from generator.families.acceptance import trial_case, unfair
from generator.families.channel_order_sync.buyers import BuyerPool
from generator.families.channel_order_sync.calendar import Calendar, draw_calendar
from generator.families.channel_order_sync.export import goods
from generator.families.channel_order_sync.facts import (
    CaptureChat,
    Export,
    Facts,
    Pack,
    ShopLine,
    ShopOrder,
    SystemOrder,
    TakeoverRules,
)
from generator.families.channel_order_sync.kinds import Drawn, Shop
from generator.families.channel_order_sync.outcome import CONTROL_RULE, outcome
from generator.families.channel_order_sync.records import records
from generator.families.channel_order_sync.takeover import old_number, sort_rows
from generator.families.channel_order_sync.task import TASK
from generator.spec.errors import SpecError
from generator.spec.tenant import Tenant, TenantProfile

ATTEMPTS = 200
FIRST_SYSTEM_ORDER = 42000
PREFIXES = (("SHOP", "WEB", "W"), ("ORD", "EC", "S"), ("NET", "INT", "N"), ("CART", "WWW", "C"))
PACK_SIZES = (10, 20, 25, 50)
MOST_NEW_BUYERS = 3
DECOY_KINDS = ("plain_new", "plain_new", "voided")


@cache
def variants() -> dict[str, dict[str, tuple[int, int]]]:
    """Variant to kinds and from how many to how many there are of each, in the order of the tenants' numbers."""
    read = yaml.safe_load(Path(__file__).with_name("variants.yaml").read_text(encoding="utf-8"))
    return {
        name: {kind: (many, many) if isinstance(many, int) else (many[0], many[1]) for kind, many in kinds.items()}
        for name, kinds in read.items()
    }


SLOTS = tuple(variants())
STOPPED = "control_figures"
WITH_EXCEPTIONS = tuple(name for name, kinds in variants().items() if {"held_guest", "unpaid"} & set(kinds))
OPTIONS = {
    name: "stop_export_unreliable"
    if name == STOPPED
    else "sync_and_hold_exceptions"
    if name in WITH_EXCEPTIONS
    else "sync_missing_orders"
    for name in SLOTS
}

# The rules that a variant is about: each has to make a difference. Local time is not among them, since it makes none at
# Greenwich.
BITING = {
    "renumbered_and_held": {"repeats", "old_numbers", "customer_po", "refunds", "tests", "last_day", "chat"},
    "old_numbers": {"old_numbers", "customer_po"},
    "later_row_counts": {"repeats", "latest_row"},
    "refunds": {"refunds"},
    "buyers_by_tax_id": {"tax_id", "chat"},
    "local_day": {"last_day"},
    "packs": {"packs"},
    "unpaid": {"unpaid"},
    "control_figures": {CONTROL_RULE},
    "entered_again": {"cancelled_in_system", "tests"},
}


def draw(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    """Facts of a variant. Raises SpecError where none is found: the variant does not fit the profile."""
    for _ in range(ATTEMPTS):
        facts = _sketch(profile, variant, rng)
        if acceptable(profile, variant, facts):
            return facts
    raise SpecError(f"{profile.slug}: no export of the variant {variant} in {ATTEMPTS} attempts")


def acceptable(profile: TenantProfile, variant: str, facts: Facts) -> bool:
    """The option is the variant's, each mistake shows, and the customers' rows can be told apart in any order."""
    tenant = Tenant(profile=profile, facts={})
    orders = records(tenant, facts)
    case = trial_case("channel_order_sync", TASK, outcome, records, profile=profile, facts=facts)
    taken = sort_rows(tenant, facts, orders["sales_orders"], facts.export(facts.task_export), frozenset()).taken
    new = {order.tax_id for order in taken if order.account is None}
    biting = {c.subject for c in case.counterfactuals if c.kind == "ignored_rule"}
    return (
        case.gold.option == OPTIONS[variant]
        and biting >= BITING[variant]
        and 1 <= len(new) <= MOST_NEW_BUYERS
        and not any(unfair(case, TASK))
    )


def _sketch(profile: TenantProfile, variant: str, rng: Random) -> Facts:
    calendar = draw_calendar(profile, rng)
    shop = _shop(profile, variant, rng, calendar)
    kinds = [kind for kind, bounds in variants()[variant].items() for _ in range(rng.randint(*bounds))]
    drawn = _numbered(shop, [shop.draw(kind) for kind in kinds])
    rules = _rules(profile, rng, calendar, shop, variant)
    exports = _exports(profile, variant, rng, calendar, drawn)
    other, standing = _other_shop(profile, rng, calendar, shop)
    spoken = [m for one in drawn for m in one.chat] + shop.chatter(next(one for one in drawn if not one.chat).rows[0])
    messages = sorted(spoken, key=lambda m: (m.at, m.order))
    return Facts(
        organization=profile.cast["other_org"],
        transaction_type=_codes(profile, "transaction_type")[0],
        source_system=_shop_system(profile),
        exports=(*exports, other),
        task_export=exports[0].source,
        decoy_export=other.source,
        system_orders=_system_orders(profile, rng, rules, drawn, standing),
        capture=CaptureChat(
            source=f"FILE-{profile.code}-CUSTOMER-CAPTURE",
            issued=calendar.generated - dt.timedelta(minutes=10),
            messages=tuple(messages),
        ),
        rules=rules,
        chat_thread=f"THREAD-{profile.code}-WEBSHOP",
        packs=shop.packs,
    )


def _shop(profile: TenantProfile, variant: str, rng: Random, calendar: Calendar) -> Shop:
    items = tuple(i for i in profile.items if i.organization == profile.cast["other_org"] and i.status == "Active")
    pool = BuyerPool(profile, rng)
    own = profile.customer(profile.cast["shop_customer"])
    tab = [c for c in profile.customers if c.in_customers_tab and c.account != own.account]
    others = rng.sample(tab, min(3, len(tab)))
    packed = [item for item in items if "pack" in variants()[variant]][:2]
    prefix, _, letter = rng.choice(PREFIXES)
    packs = [_pack(item.number, rng.choice(PACK_SIZES)) for item in packed]
    return Shop(
        profile=profile,
        rng=rng,
        pool=pool,
        calendar=calendar,
        items=items,
        known=tuple(pool.known(customer) for customer in (own, *others)),
        packs=tuple(packs),
        domains=(profile.mail_domain, f"{rng.choice(('pixelforge', 'shopwerk', 'cartcare'))}-sim.example"),
        prefix=prefix,
        letter=letter,
        next_id=rng.randint(18000, 78000),
        next_name=rng.randint(1100, 8600),
        shipping=(min(item.list_price for item in items) * rng.randint(2, 5)).quantize(Decimal("1")) + 3,
    )


def _pack(item: str, size: int) -> Pack:
    return Pack(sku=f"{item}-P{size}", item=item, pieces=size)


def _numbered(shop: Shop, drawn: list[Drawn]) -> list[Drawn]:
    """The orders by the time they were placed, with ids and names that rise as a shop's do."""
    drawn = sorted(drawn, key=lambda one: one.rows[0].created)
    first, name = shop.next_id + 1, shop.next_name + 1
    result = []
    for place, one in enumerate(drawn):
        new = {"id": f"{shop.prefix}-{first + place}", "name": f"{shop.letter}{name + place}"}
        old = one.rows[0].name
        result.append(
            Drawn(
                rows=tuple(row.model_copy(update=new) for row in one.rows),
                before=one.before.model_copy(update=new) if one.before else None,
                standing=one.standing,
                chat=tuple(
                    m.model_copy(update={"order": new["name"], "text": m.text.replace(old, new["name"])})
                    for m in one.chat
                ),
            )
        )
    shop.next_id, shop.next_name = first + len(drawn), name + len(drawn)
    return result


def _exports(
    profile: TenantProfile, variant: str, rng: Random, calendar: Calendar, drawn: list[Drawn]
) -> tuple[Export, Export]:
    """The export in force, its repeated rows somewhere below the first, and the one before."""
    rows: list[ShopOrder] = [one.rows[0] for one in drawn]
    for one in drawn:
        for again in one.rows[1:]:
            after = max(place for place, row in enumerate(rows) if row.id == again.id)
            rows.insert(rng.randint(after + 1, len(rows)), again)
    code, shop = profile.code, f"{profile.company.split(' ')[0]} Direct"
    stamp, earlier = f"{calendar.generated:%m%d}", f"{calendar.earlier:%m%d}"
    old = Export(
        source=f"MSG-{code}-CHANNEL-EXPORT-{earlier}",
        medium="mail",
        number=f"CHX-{code}-{earlier}",
        shop=shop,
        generated=calendar.earlier,
        edition=1,
        orders=tuple(one.before for one in drawn if one.before is not None),
    )
    new = Export(
        source=f"FILE-{code}-CHANNEL-EXPORT-{stamp}",
        medium="drive",
        number=f"CHX-{code}-{stamp}",
        shop=shop,
        generated=calendar.generated,
        edition=2,
        replaces=old.source,
        orders=tuple(rows),
    )
    return (_misstated(new, rng) if variant == STOPPED else new), old


def _misstated(export: Export, rng: Random) -> Export:
    """Control figures as if a row had been lost on the way."""
    lost = rng.choice(export.orders)
    total = sum((goods(order.lines) for order in export.orders), goods(lost.lines))
    return export.model_copy(update={"stated_rows": len(export.orders) + 1, "stated_goods": total})


def _other_shop(profile: TenantProfile, rng: Random, calendar: Calendar, shop: Shop) -> tuple[Export, SystemOrder]:
    """The export of the company's other shop: one order that stands already, some new, one voided."""
    other = Shop(
        **{
            **vars(shop),
            "prefix": "TRADE",
            "letter": "T",
            "next_id": rng.randint(3100, 9000),
            "next_name": rng.randint(300, 990),
            "packs": (),
        }
    )
    firms = [kind for kind in DECOY_KINDS for _ in range(rng.choice((1, 1, 2)) if kind == "plain_new" else 1)]
    drawn = _numbered(other, [other.draw(kind) for kind in ("plain_new", *firms)])
    synced = next(one.rows[0] for one in drawn if one.rows[0].cancelled is None)
    export = Export(
        source=f"MSG-{profile.code}-TRADE-EXPORT-{calendar.generated:%m%d}",
        medium="mail",
        number=f"CHX-{profile.code}-TRADE-{calendar.generated:%m%d}",
        shop=f"{profile.company.split(' ')[0]} Trade",
        generated=calendar.generated + dt.timedelta(minutes=5),
        edition=1,
        orders=tuple(row for one in drawn for row in one.rows),
    )
    return export, SystemOrder(
        number="",
        account=None,
        buyer_name=synced.buyer.name,
        source_number=synced.id,
        source_system=_shop_system(profile),
        customer_po=synced.name,
        created=synced.created + dt.timedelta(hours=9),
        created_by="shop_connector",
        status="Awaiting Shipping",
        lines=synced.lines,
    )


def _system_orders(
    profile: TenantProfile, rng: Random, rules: TakeoverRules, drawn: list[Drawn], other: SystemOrder
) -> tuple[SystemOrder, ...]:
    """What stands in the system already, numbered in the order in which it was entered."""
    found = [other]
    for one in drawn:
        if one.standing is not None:
            found.append(_system_order(profile, rng, rules, one.rows[0], one.standing.number_kind, one))
    found.sort(key=lambda order: order.created)
    numbers = sorted(rng.sample(range(FIRST_SYSTEM_ORDER + 100, FIRST_SYSTEM_ORDER + 900), len(found)))
    prefix = profile.sequences["sales_orders"][0]
    return tuple(
        order.model_copy(update={"number": f"{prefix}{number}"}) for order, number in zip(found, numbers, strict=True)
    )


def _system_order(
    profile: TenantProfile, rng: Random, rules: TakeoverRules, row: ShopOrder, kind: str, one: Drawn
) -> SystemOrder:
    assert one.standing is not None
    old = old_number(rules, row.name)
    entered = row.created + dt.timedelta(hours=rng.randint(8, 13))
    if kind == "old":
        # The rules say that the old numbers were written only before the day of the change, by the office's clock.
        changed = dt.datetime.combine(rules.prefix_changed, dt.time(), tzinfo=ZoneInfo(profile.timezone))
        entered = min(entered, changed.astimezone(dt.UTC) - dt.timedelta(minutes=20))
    phone = kind == "phone"
    lines: tuple[ShopLine, ...] = one.standing.lines
    number = {"id": row.id, "old": old, "phone": f"PHONE-{entered:%Y-%m%d}-{row.name[-2:]}"}
    return SystemOrder(
        number="",
        account=profile.cast["shop_customer"],
        source_number=number[kind],
        source_system=_desk_system(profile) if phone else _shop_system(profile),
        customer_po=old if kind == "old" else row.name,
        created=min(entered, max(r.updated for r in one.rows) + dt.timedelta(hours=1)) if phone else entered,
        created_by="ops_lead" if phone else "shop_connector",
        status=one.standing.status,
        lines=lines,
    )


def _rules(profile: TenantProfile, rng: Random, calendar: Calendar, shop: Shop, variant: str) -> TakeoverRules:
    edition = rng.randint(2, 5)
    old = next(old for prefix, old, _ in PREFIXES if prefix == shop.prefix)
    domains = shop.domains if len(shop.tests) > 1 else shop.domains[:1]
    return TakeoverRules(
        source=f"MSG-{profile.code}-TAKEOVER-RULES-E{edition}",
        issued=calendar.at(calendar.last_day - dt.timedelta(days=rng.randint(3, 4)), 11, rng.randint(0, 59)),
        edition=edition,
        prefix=shop.prefix,
        old_prefix=old,
        prefix_changed=calendar.change,
        last_day=calendar.last_day,
        staff_domains=domains,
        buyer_channel=rng.choice(("webshop", "online", "shop")),
        hold_unpaid="unpaid" in variants()[variant],
    )


def _codes(profile: TenantProfile, kind: str) -> list[str]:
    return [lookup.code for lookup in profile.lookups if lookup.kind == kind]


def _shop_system(profile: TenantProfile) -> str:
    """The source system that takes over from a shop: the last that says so, or the last."""
    systems = [lookup for lookup in profile.lookups if lookup.kind == "source_system"]
    return next((s.code for s in systems if "shop" in s.meaning or "store" in s.meaning), systems[-1].code)


def _desk_system(profile: TenantProfile) -> str:
    return next(code for code in _codes(profile, "source_system") if code != _shop_system(profile))
