"""An order with the traps that are asked for, before anybody has checked how it comes out.

In: profile, random stream, a Sketch. Out: Facts: the sheet, what was imported, the price lists, the desk's rules and
the namesake's order.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Literal

from generator.families import office
from generator.families.invented import invented_names
from generator.families.order_import.facts import (
    Contact,
    DeskRules,
    EarlierImport,
    Facts,
    ImportNote,
    Note,
    OpenInvoice,
    OrderSheet,
    PriceList,
    ReleaseForm,
    Successor,
    Target,
)
from generator.families.order_import.lines import Sheet, draw_sheet, namesake_lines
from generator.spec.tenant import Customer, TenantProfile

EXPOSURE_STATUSES = ("Booked", "Awaiting Shipping")  # as the credit policies of drawn tenants print them
NAME_SHARE = 0
FRIDAY = 4
TITLES = ("Purchasing manager", "Buyer", "Supply planner", "Procurement officer")


@dataclass(frozen=True)
class Sketch:
    """What an order holds.

    accepted, duplicates, not_sold, unconvertible: lines in force of each kind. packs: accepted lines written in packs.
    before_change: the order was placed before the price list changed. form: the release form of a large order.
    """

    accepted: int = 5
    duplicates: int = 2
    not_sold: int = 1
    unconvertible: int = 0
    packs: int = 0
    revised: bool = False
    successor: bool = False
    before_change: bool = False
    over_limit: bool = False
    form: Literal["none", "signed", "missing"] = "none"


def sketch(profile: TenantProfile, rng: Random, wanted: Sketch) -> Facts:
    cast, code, today = profile.cast, profile.code, profile.today
    customer, namesake = profile.customer(cast["order_customer"]), profile.customer(cast["order_namesake"])
    current, prior = price_lists(profile)
    order_date = max(_workday(today, rng.randrange(3)), current.effective_from)
    if wanted.before_change:
        order_date = _workday(current.effective_from, rng.randrange(3, 13))
    drawn = draw_sheet(profile, rng, wanted, customer.credit_limit)
    stem = "".join(word[0] for word in customer.name.split()[:2]).upper()
    po, other_po = rng.sample(range(70100, 79900), 2)
    ours, theirs = invented_names(profile, rng, 2, NAME_SHARE)
    contact = _contact(customer, ours, rng)
    quoted_on = _workday(current.effective_from, rng.randrange(5, 26)) if wanted.form == "missing" else None
    form = None
    if wanted.form != "none":
        signed = min(order_date + dt.timedelta(days=1), today) if wanted.form == "signed" else None
        form = ReleaseForm(number=f"RF-{stem}-{rng.randrange(1100, 9900)}", signed=signed)
    sheet = OrderSheet(
        source=f"FILE-{code}-ORDER-BATCH-{today:%m%d}",
        medium="drive",
        received=office.filed_in_force(profile),
        order_date=order_date,
        requested_delivery=today + dt.timedelta(days=rng.randrange(14, 29)),
        lines=drawn.lines,
        revised=drawn.revised,
        quoted_on=quoted_on,
        release_form=form,
    )
    customer_po = f"{stem}-PO-{po}"
    rules, earlier_rules = _rules(profile, rng, wanted, sheet)
    earlier = _earlier(profile, rng, drawn)
    return Facts(
        organization=cast["main_org"],
        transaction_type=_first(profile, "transaction_type"),
        source_system=_first(profile, "source_system"),
        exposure_statuses=EXPOSURE_STATUSES,
        conversions=drawn.conversions,
        task=Target(
            account=customer.account,
            customer_po=customer_po,
            contact=contact,
            sheet=sheet,
            earlier=earlier,
            first_copy=_note(profile, rng, f"MSG-{code}-ORDER-{po}-REV1", 3) if wanted.revised else None,
        ),
        decoy=_decoy(profile, rng, namesake, f"{stem}-PO-{other_po}", _contact(namesake, theirs, rng)),
        price_lists=(current, prior),
        chat=(ImportNote(at=earlier.imported + dt.timedelta(minutes=8), thread=f"THREAD-{code}-IMPORT"),),
        successors=(
            Successor(
                item=drawn.replaced[0],
                successor=drawn.replaced[1],
                accepted=drawn.accepted_for,
                answer=_note(profile, rng, f"MSG-{code}-SUCCESSOR-{po}", 1),
            ),
        )
        if drawn.replaced
        else (),
        rules=rules,
        earlier_rules=earlier_rules,
        open_invoices=_invoices(profile, rng, customer) if cast["remit_customer"] != customer.account else (),
    )


def price_lists(profile: TenantProfile) -> tuple[PriceList, PriceList]:
    """The list of the item master's prices and the one before it."""
    main = [item for item in profile.items if item.organization == profile.cast["main_org"] and item.status == "Active"]
    start = max(item.price_effective for item in main)
    ids = {item.id for item in main}
    before = max(price.effective for price in profile.other_prices if price.item_id in ids and price.effective < start)
    months = (start.year - before.year) * 12 + start.month - before.month
    end = _later(start, months)
    while end <= profile.today:
        end = _later(end, months)
    return _list(profile, start, end, months, True), _list(profile, before, start, months, False)


def _list(profile: TenantProfile, start: dt.date, end: dt.date, months: int, current: bool) -> PriceList:
    """The list from the start to the day before the end; a replaced one was filed away when the next began."""
    edition = f"{start.year}{'H' if months == 6 else 'Q'}{(start.month - 1) // months + 1}"
    return PriceList(
        source=f"FILE-{profile.code}-PRICE-LIST-{edition}",
        number=3 if current else 4,
        file="03-current-price-list.csv" if current else "04-superseded-price-list.csv",
        edition=edition,
        effective_from=start,
        effective_to=end - dt.timedelta(days=1),
        issued=start - dt.timedelta(days=17),
        filed=office.filed_in_force(profile) if current else _at(end + dt.timedelta(days=1), 6),
        current=current,
    )


def _earlier(profile: TenantProfile, rng: Random, drawn: Sheet) -> EarlierImport:
    day = _workday(profile.today, rng.randrange(5, 10))
    imported = _at(day, rng.randrange(9, 15)) + dt.timedelta(minutes=rng.randrange(15, 60))
    return EarlierImport(
        source=f"FILE-{profile.code}-ORDER-BATCH-{day:%m%d}",
        order_number=f"SO-{profile.code}-{rng.randrange(40210, 40300)}",
        imported=imported,
        filed=imported - dt.timedelta(minutes=12),
        imported_by="ops_lead",
        status="Awaiting Shipping",
        lines=drawn.imported,
    )


def _rules(
    profile: TenantProfile, rng: Random, wanted: Sketch, sheet: OrderSheet
) -> tuple[DeskRules, DeskRules | None]:
    """The edition in force; the one before only where it would have let an unsigned order in."""
    value = sum((one.unit_price * (one.quantity or 0) for one in sheet.revised), sheet.printed_value)
    low = _round_figure(sheet.printed_value * Decimal(rng.randrange(55, 80)) / 100)
    high = _round_figure(value * Decimal(rng.randrange(150, 220)) / 100)
    edition = rng.randrange(2, 6)
    since = _workday(profile.today, rng.randrange(30, 70))
    in_force = DeskRules(
        source=f"MSG-{profile.code}-DESK-RULES-{edition}",
        edition=edition,
        at=_at(since, 8) + dt.timedelta(minutes=rng.randrange(60)),
        effective_from=since,
        value_limit=high if wanted.form == "none" else low,
    )
    if wanted.form != "missing":
        return in_force, None
    before = _workday(since, rng.randrange(200, 300))
    earlier = in_force.model_copy(
        update={
            "source": f"MSG-{profile.code}-DESK-RULES-{edition - 1}",
            "edition": edition - 1,
            "at": _at(before, 8) + dt.timedelta(minutes=rng.randrange(60)),
            "effective_from": before,
            "effective_to": since - dt.timedelta(days=1),
            "value_limit": high,
            "prices_from": "quotation",
        }
    )
    return in_force, earlier


def _decoy(profile: TenantProfile, rng: Random, namesake: Customer, po: str, contact: Contact) -> Target:
    received = _note(profile, rng, f"MSG-{profile.code}-ORDER-{po.rsplit('-', 1)[1]}", 2)
    day = received.at.date()
    return Target(
        account=namesake.account,
        customer_po=po,
        contact=contact,
        sheet=OrderSheet(
            source=received.source,
            medium="mail",
            received=received.at,
            order_date=day,
            requested_delivery=day + dt.timedelta(days=rng.randrange(20, 40)),
            lines=namesake_lines(profile, rng, namesake.credit_limit),
        ),
    )


def _invoices(profile: TenantProfile, rng: Random, customer: Customer) -> tuple[OpenInvoice, ...]:
    """A few open invoices, one of them past due: that alone stops no order."""
    invoices = []
    for place, age in enumerate((rng.randrange(46, 60), rng.randrange(8, 25))):
        dated = profile.today - dt.timedelta(days=age)
        share = Decimal(rng.randrange(40, 90)) / 1000
        invoices.append(
            OpenInvoice(
                id=500101 + 13 * place,
                number=f"INV-{profile.code}-{rng.randrange(70100, 79900)}",
                dated=dated,
                due=dated + dt.timedelta(days=30),
                amount=(customer.credit_limit * share).quantize(Decimal("0.01")),
            )
        )
    return tuple(invoices)


def _contact(customer: Customer, name: str, rng: Random) -> Contact:
    return Contact(name=name, title=rng.choice(TITLES), email=customer.email)


def _note(profile: TenantProfile, rng: Random, source: str, back: int) -> Note:
    day = _workday(profile.today, back)
    return Note(source=source, at=_at(day, rng.randrange(9, 16)) + dt.timedelta(minutes=rng.randrange(60)))


def _first(profile: TenantProfile, kind: str) -> str:
    """The code that the office uses as a rule: the first of its kind."""
    return next(entry.code for entry in profile.lookups if entry.kind == kind)


def _round_figure(amount: Decimal) -> Decimal:
    """The amount with one or two figures that count, as limits have it."""
    step = Decimal(5).scaleb(amount.adjusted() - 1)
    return ((amount / step).to_integral_value() * step).quantize(Decimal("0.01"))


def _workday(day: dt.date, back: int) -> dt.date:
    """So many days before the day, or the Friday before that where it falls on a weekend."""
    day -= dt.timedelta(days=back)
    return day - dt.timedelta(days=max(0, day.weekday() - FRIDAY))


def _later(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.month - 1 + months, 12)
    return day.replace(year=day.year + year, month=month + 1)


def _at(day: dt.date, hour: int) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour), tzinfo=dt.UTC)
