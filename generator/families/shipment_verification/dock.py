"""One drawn shipment: its order, what is staged, what was picked, and who wrote about it.

In: profile, a Dock (what the lines are like), random stream. Out: Facts. Nothing is judged here; draw.py keeps those
shipments whose mistakes show.

Kinds of lines: as_staged; short and empty (less was picked, undisputed); raised (more was picked than staged, up to the
request); surplus (more than requested); over_agreed and within_agreed (staged as picked, above the request); packs
(counted in cartons and loose pieces, as many as staged); broken (so counted, and short); wrong_item; disputed (two
counts); recount_less and recount_more (counted again after the pick); quarantined and short_released (their lots were
locked, of the second the lot was released since); cancelled.
"""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families.clerks import address, carrier, clerk_names, moment
from generator.families.office import Contact
from generator.families.shipment_verification.facts import (
    DeliveryAgreement,
    Facts,
    LotReport,
    OrderedLine,
    PickConfirmation,
    PickedLine,
    Recount,
    Rumour,
    SalesOrder,
    Shipment,
    ShippingRules,
    StagedLine,
)
from generator.spec.tenant import Item, TenantProfile

NAME_SHARE = 0
PACK_SIZES = (10, 12, 20, 25, 50)


@dataclass(frozen=True)
class Dock:
    """kinds: the shipment's lines in order. lots: whether quality wrote of lots once, twice or not at all."""

    kinds: tuple[str, ...]
    lots: Literal["none", "two"] = "none"
    recount: bool = False
    agreements: bool = False
    unsigned: bool = False
    increase: bool = True
    price: Literal["order", "list"] = "order"


@dataclass(frozen=True)
class Line:
    """A drawn line with its counts: in the filed confirmation, in the count before it, in the recount."""

    kind: str
    ordered: OrderedLine
    staged: StagedLine
    picked: PickedLine | None
    before: PickedLine | None
    again: PickedLine | None = None


def stage(profile: TenantProfile, dock: Dock, rng: Random) -> Facts:
    code, organization = profile.code, profile.cast["main_org"]
    account = profile.cast["ship_customer"]
    day = profile.today - dt.timedelta(days=1)
    signed = moment(profile, day, 15, rng.randrange(5, 55))
    names = clerk_names(profile, rng, 3, NAME_SHARE)
    number = rng.randrange(2100, 9700)
    lots = iter(rng.sample(range(2100, 2990), 40))
    percent = rng.choice((3, 4, 5))
    rules = _rules(profile, dock, rng)
    numbers = tuple(f"SHP-{code}-{number + step}" for step in (0, rng.randrange(3, 9), -rng.randrange(20, 60)))
    lines = list(_lines(profile, dock, rng, numbers[0], rules, percent, lots))
    others = list(_lines(profile, Dock(("short", "short", "as_staged")), rng, numbers[1], rules, 0, lots))
    old = list(_lines(profile, Dock(("as_staged", "as_staged")), rng, numbers[2], rules, 0, lots))
    haulier = carrier(rng)
    base = rng.randrange(41200, 41800)
    earliest = min(item.price_effective for item in profile.items if item.organization == organization)
    task = Shipment(
        number=numbers[0],
        planned=profile.today,
        carrier=haulier,
        order=_order(profile, rng, base, account, lines, earliest - dt.timedelta(days=rng.randrange(6, 19))),
        lines=tuple(line.staged for line in lines),
    )
    decoy = Shipment(
        number=numbers[1],
        planned=profile.today + dt.timedelta(days=rng.randrange(1, 4)),
        carrier=haulier,
        order=_order(
            profile, rng, base + rng.randrange(4, 40), account, others, day - dt.timedelta(days=rng.randrange(5, 15))
        ),
        lines=tuple(line.staged for line in others),
    )
    past = Shipment(
        number=numbers[2],
        status="Shipped",
        planned=profile.today - dt.timedelta(days=rng.randrange(18, 30)),
        carrier=carrier(rng),
        order=_order(
            profile, rng, base - rng.randrange(30, 90), profile.cast["shop_customer"], old,
            profile.today - dt.timedelta(days=rng.randrange(35, 50)), "Closed",
        ),
        lines=tuple(line.staged.model_copy(update={"status": "Shipped"}) for line in old),
    )  # fmt: skip
    confirmations = _confirmations(profile, dock, signed, names, task, lines, others)
    reports = _lot_reports(profile, dock, signed, lines)
    held = [line.staged.lot for line in lines if line.kind == "quarantined" and line.staged.lot]
    return Facts(
        organization=organization,
        transaction_type=_first(profile, "transaction_type"),
        source_system=_first(profile, "source_system"),
        quality=Contact(name=names[2], title="Quality engineer", email=address(names[2], profile.mail_domain)),
        task=task,
        decoy=decoy,
        past=(past,),
        confirmations=confirmations,
        recount=_recount(profile, dock, signed, names[1], lines),
        agreements=_agreements(profile, dock, percent),
        lot_reports=reports,
        rules=rules,
        rumour=Rumour(at=signed - dt.timedelta(hours=2), author=names[1], lot=held[0]) if held else None,
        chat_thread=f"THREAD-{code}-SHIPPING",
    )


def _first(profile: TenantProfile, kind: str) -> str:
    return next(entry.code for entry in profile.lookups if entry.kind == kind)


def _rules(profile: TenantProfile, dock: Dock, rng: Random) -> ShippingRules:
    edition = rng.randrange(2, 6)
    short, wrong, disputed = rng.choice(
        (("SHORT", "MIS-SCAN", "RECOUNT"), ("BIN-LOW", "WRONG-ITEM", "TWO-COUNTS"), ("LESS", "OTHER-ITEM", "DIFFERS"))
    )
    return ShippingRules(
        source=f"MSG-{profile.code}-SHIPPING-RULES-E{edition}",
        issued=moment(profile, profile.today - dt.timedelta(days=rng.randrange(35, 90)), 10),
        edition=edition,
        short_remark=short,
        wrong_item_remark=wrong,
        disputed_remark=disputed,
        price=dock.price,
        increase_to_requested=dock.increase,
    )


def _lines(
    profile: TenantProfile,
    dock: Dock,
    rng: Random,
    shipment: str,
    rules: ShippingRules,
    percent: int,
    lots: Iterator[int],
) -> Iterator[Line]:
    organization = profile.cast["main_org"]
    items = [item for item in profile.items if item.organization == organization and item.status == "Active"]
    rng.shuffle(items)
    # Cartons hold things that are counted one by one.
    packed = [item for item in items if item.uom == "EA"] or items
    for place, kind in enumerate(dock.kinds, start=1):
        item = items[(place - 1) % len(items)]
        if kind in ("packs", "broken"):
            item = packed[(place - 1) % len(packed)]
        other = next(entry for entry in items if entry.number != item.number)
        yield _line(
            profile, rng, shipment, place, kind, item, other, rules, percent, f"LOT-{next(lots)}", f"LOT-{next(lots)}"
        )


def _line(
    profile: TenantProfile,
    rng: Random,
    shipment: str,
    place: int,
    kind: str,
    item: Item,
    other: Item,
    rules: ShippingRules,
    percent: int,
    lot: str,
    other_lot: str,
) -> Line:
    id = int(f"{shipment.rsplit('-', 1)[1]}{place:02d}")
    pack = rng.choice(PACK_SIZES)
    requested = _quantity(profile, rng, item)
    if kind in ("packs", "broken"):
        requested = max(4, round(requested / pack)) * pack
    staged = requested
    counted = PickedLine(
        shipment=shipment, shipment_line=id, item=item.number, lot=lot, quantity=requested, unit=item.uom
    )
    less = {"quantity": requested - _part(rng, requested), "remark": rules.short_remark}
    before = counted
    again: PickedLine | None = None
    if kind in ("short", "short_released"):
        before = _with(counted, quantity=requested - _part(rng, requested), remark=rules.short_remark)
        counted = _with(counted, **less)
    elif kind == "empty":
        before = _with(counted, quantity=requested // 4, remark=rules.short_remark)
        counted = _with(counted, quantity=0, remark=rules.short_remark)
    elif kind == "raised":
        staged = requested - _part(rng, requested)
        before = _with(counted, quantity=staged)
    elif kind == "surplus":
        counted = before = _with(counted, quantity=requested + max(2, requested * rng.randrange(4, 12) // 100))
    elif kind in ("over_agreed", "within_agreed"):
        over = percent + rng.randrange(2, 5) if kind == "over_agreed" else percent - 1
        staged = requested + requested * over // 100
        counted = _with(counted, quantity=staged)
        before = _with(counted, quantity=requested)
    elif kind == "packs":
        counted = _with(counted, quantity=requested // pack - 1, unit="CTN", pieces_per_unit=pack, loose=pack)
    elif kind == "broken":
        counted = _with(
            counted, quantity=requested // pack - 1, unit="CTN", pieces_per_unit=pack, loose=rng.randrange(1, pack)
        )
    elif kind == "wrong_item":
        counted = _with(counted, item=other.number, lot=other_lot, unit=other.uom, remark=rules.wrong_item_remark)
    elif kind == "disputed":
        counted = _with(
            counted, quantity=requested - _part(rng, requested), second=requested, remark=rules.disputed_remark
        )
    elif kind == "recount_less":
        again = _with(counted, quantity=requested - _part(rng, requested))
    elif kind == "recount_more":
        counted = _with(counted, quantity=requested // 2, remark=rules.short_remark)
        again = _with(counted, quantity=requested - _part(rng, requested), remark=None)
    cancelled = kind == "cancelled"
    return Line(
        kind=kind,
        ordered=OrderedLine(line=place, item=item.number, quantity=requested, unit_price=item.list_price),
        staged=StagedLine(
            id=id,
            order_line=place,
            lot=lot,
            requested=requested,
            staged=staged,
            status="Cancelled" if cancelled else "Staged",
        ),
        picked=None if cancelled else counted,
        before=None if cancelled else before,
        again=again,
    )


def _with(line: PickedLine, **changes: object) -> PickedLine:
    return line.model_copy(update=changes)


def _quantity(profile: TenantProfile, rng: Random, item: Item) -> int:
    """A round quantity that is worth a small part of what the customer may owe."""
    limit = profile.customer(profile.cast["ship_customer"]).credit_limit
    worth = limit * Decimal(rng.randrange(8, 30)) / Decimal(1000)
    pieces = min(2400, max(60, int(worth / item.list_price)))
    return round(pieces / 20) * 20


def _part(rng: Random, quantity: int) -> int:
    """A piece of a quantity that a picker does not find: more than nothing, less than half."""
    return rng.randrange(max(2, quantity // 25), max(4, quantity // 4))


def _order(
    profile: TenantProfile,
    rng: Random,
    number: int,
    account: str,
    lines: list[Line],
    created: dt.date,
    status: str = "Awaiting Shipping",
) -> SalesOrder:
    """The order at the prices of the day on which it was entered."""
    return SalesOrder(
        number=f"SO-{profile.code}-{number}",
        account=account,
        customer_po=f"PO-S{rng.randrange(10000, 99999)}",
        source_number=f"MANUAL-{created:%Y-%m}-{rng.randrange(100, 990)}",
        created=moment(profile, created, 11, rng.randrange(0, 59)),
        created_by="ops_lead",
        status=status,
        lines=tuple(
            line.ordered.model_copy(update={"unit_price": _price_on(profile, line.ordered.item, created)})
            for line in lines
        ),
    )


def _price_on(profile: TenantProfile, number: str, day: dt.date) -> Decimal:
    """The list price in force on the day; the oldest known for an earlier one."""
    item = profile.item(number, profile.cast["main_org"])
    dated = [(price.effective, price.price) for price in profile.other_prices if price.item_id == item.id]
    dated.append((item.price_effective, item.list_price))
    held = [entry for entry in dated if entry[0] <= day] or [min(dated)]
    return max(held)[1]


def _confirmations(
    profile: TenantProfile,
    dock: Dock,
    signed: dt.datetime,
    names: list[str],
    task: Shipment,
    lines: list[Line],
    others: list[Line],
) -> tuple[PickConfirmation, ...]:
    counted = signed - dt.timedelta(days=1, hours=1)
    earlier = f"MSG-{profile.code}-PICK-COUNT-{counted:%m%d}"
    return (
        PickConfirmation(
            source=f"FILE-{profile.code}-PICK-CONFIRMATION-{signed:%m%d}",
            medium="drive",
            issued=signed,
            edition=2,
            picked_by=names[0],
            confirmed_by="warehouse_lead",
            unsigned=(task.number,) if dock.unsigned else (),
            replaces=earlier,
            lines=tuple(line.picked for line in (*lines, *others) if line.picked is not None),
        ),
        PickConfirmation(
            source=earlier,
            medium="mail",
            issued=counted,
            edition=1,
            picked_by=names[1],
            confirmed_by=None,
            lines=tuple(line.before for line in lines if line.before is not None),
        ),
    )


def _recount(
    profile: TenantProfile, dock: Dock, signed: dt.datetime, counter: str, lines: list[Line]
) -> Recount | None:
    if not dock.recount:
        return None
    return Recount(
        source=f"MSG-{profile.code}-RECOUNT-{signed:%m%d}",
        issued=signed + dt.timedelta(minutes=50),
        counted_by=counter,
        lines=tuple(line.again for line in lines if line.again is not None),
    )


def _agreements(profile: TenantProfile, dock: Dock, percent: int) -> tuple[DeliveryAgreement, ...]:
    """The edition in force, and an earlier one that let everything pass."""
    if not dock.agreements:
        return ()
    earlier = f"MSG-{profile.code}-DELIVERY-AGREEMENT-E1"
    return (
        DeliveryAgreement(
            source=earlier,
            issued=moment(profile, profile.today - dt.timedelta(days=420), 9, 30),
            edition=1,
            over_percent=10,
        ),
        DeliveryAgreement(
            source=f"MSG-{profile.code}-DELIVERY-AGREEMENT-E2",
            issued=moment(profile, profile.today - dt.timedelta(days=55), 14, 10),
            edition=2,
            over_percent=percent,
            replaces=earlier,
        ),
    )


def _lot_reports(profile: TenantProfile, dock: Dock, signed: dt.datetime, lines: list[Line]) -> tuple[LotReport, ...]:
    if dock.lots == "none":
        return ()
    held = tuple(line.staged.lot for line in lines if line.kind == "quarantined" and line.staged.lot)
    freed = tuple(line.staged.lot for line in lines if line.kind == "short_released" and line.staged.lot)
    locked, released = signed - dt.timedelta(days=3, hours=2), signed - dt.timedelta(hours=5)
    earlier = f"MSG-{profile.code}-LOT-STATUS-{locked:%m%d}"
    return (
        LotReport(source=earlier, issued=locked, edition=1, quarantined=tuple(sorted((*held, *freed)))),
        LotReport(
            source=f"MSG-{profile.code}-LOT-STATUS-{released:%m%d}",
            issued=released,
            edition=2,
            quarantined=held,
            released=freed,
            replaces=earlier,
        ),
    )
