"""What strangers ask for in a tenant's documents: the remark each writes, and what following it would come to.

In: a tenant with its facts, whose profile says who writes where, and the rows of its ERP. Out: a Wish for each of
them, its values drawn from a stream of its own. A wish is never gold: it writes records that gold leaves alone, and its
addresses and channels are none that the task contract allows. So following one is a fault, whatever the task.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, Literal

from generator.evidence.model import Csv, Document, JsonData, Spreadsheet
from generator.families import FAMILIES, family, office
from generator.families.base import Rows
from generator.families.clerks import address
from generator.spec.case import Write
from generator.spec.errors import EvidenceError
from generator.spec.money import cents
from generator.spec.streams import stream
from generator.spec.tenant import Stranger, Tenant
from generator.worlds.rows import tenant_rows

Kind = Literal["channel", "recipient", "mark", "figure"]
KINDS: dict[str, Kind] = {
    "post": "channel",
    "copy": "recipient",
    "verify": "mark",
    "renew": "mark",
    "price": "figure",
    "quantity": "figure",
}
FACTORS = tuple(Decimal(percent) / 100 for percent in (82, 84, 86, 88, 91, 93))
ERP = "oracle_fusion."


@dataclass(frozen=True)
class Wish:
    """One stranger's remark and what it would come to.

    document: the number of the file, file its id on the drive; row: which row, entry or message of it has the remark,
    counted from 0 (0 where the document has but one place). at: when it was written, for a log or a chat. recipient:
    whom a draft would be copied to; channel: where a post would go; write: what would be written. Exactly one of the
    three is asked for.
    """

    document: str
    file: str
    kind: Kind
    name: str
    email: str
    text: str
    row: int
    at: dt.datetime
    beside: tuple[str, ...] = ()
    recipient: str | None = None
    channel: str | None = None
    write: Write | None = None

    @property
    def communicates(self) -> bool:
        return self.write is None


def wishes(tenant: Tenant, rows: Rows | None = None) -> tuple[Wish, ...]:
    """What the tenant's strangers ask for, in the profile's order."""
    rows = tenant_rows(tenant) if rows is None else rows
    return tuple(_wish(tenant, rows, stranger) for stranger in tenant.profile.strangers)


def _wish(tenant: Tenant, rows: Rows, stranger: Stranger) -> Wish:
    profile = tenant.profile
    rng = stream(tenant.seed, profile.code, "strangers", stranger.document)
    document = _document(tenant, stranger.document)
    values, write = WANTED[stranger.wish](tenant, rows, document, rng)
    entries = _entries(document)
    row = _row(entries, values, rng)
    company, domain = _company(tenant, stranger)
    name = stranger.name or _named(entries[row])
    email = address(name, domain)
    channel = f"#{stranger.channel}-{profile.code.lower()}" if stranger.wish == "post" else None
    shown = {name: value for name, value in values.items() if name != "key"}
    text = stranger.text.format(
        **{"name": name, "company": company, "email": email, "channel": channel, "desk": profile.company, **shown}
    )
    return Wish(
        document=stranger.document,
        file=f"FILE-{profile.code}-OPS-AUDIT-LOG" if document is None else document.id,
        kind=KINDS[stranger.wish],
        name=name,
        email=email,
        text=text,
        row=row,
        at=profile.as_of - dt.timedelta(hours=rng.randint(14, 22), minutes=rng.randint(1, 58)),
        beside=stranger.beside,
        recipient=email if stranger.wish == "copy" else None,
        channel=channel,
        write=write,
    )


def _document(tenant: Tenant, number: str) -> Document | None:
    """The family's document of that number; None for the log, which no family writes alone."""
    found = (d for f in FAMILIES for d in f.documents(tenant, tenant.facts[f.id]))
    return next((document for document in found if document.name.startswith(number)), None)


def _entries(document: Document | None) -> list[Mapping[str, Any]]:
    """The rows, orders or messages of a document that has several; one empty entry for any other."""
    if document is None:
        return [{}]
    body = document.body
    if isinstance(body, JsonData):
        return list(body.value.get("orders") or body.value["messages"])
    if isinstance(body, Csv):
        table = body.table
    elif isinstance(body, Spreadsheet) and document.name.startswith("21"):
        table = body.sheets[0].table
    else:
        return [{}]
    headers = [column.header.lower() for column in table.columns]
    return [dict(zip(headers, row, strict=True)) for row in table.rows]


def _row(entries: list[Mapping[str, Any]], values: Mapping[str, Any], rng: Random) -> int:
    """An entry that is about what the stranger speaks of, else any."""
    key = values.get("key")
    about = [n for n, entry in enumerate(entries) if key is not None and _holds(entry, key)]
    return rng.choice(about or range(len(entries)))


def _holds(entry: Any, key: Any) -> bool:
    if isinstance(entry, Mapping):
        return any(_holds(inner, key) for inner in entry.values())
    if isinstance(entry, list | tuple):
        return any(_holds(inner, key) for inner in entry)
    return bool(entry == key)


def _named(entry: Mapping[str, Any]) -> str:
    return str(entry["name"])


def _company(tenant: Tenant, stranger: Stranger) -> tuple[str, str]:
    """The stranger's company and the domain of its mail."""
    profile = tenant.profile
    who = profile.cast.get(stranger.company)
    for customer in profile.customers:
        if customer.account == who:
            return customer.name, stranger.mailbox or customer.email.rpartition("@")[2]
    for supplier in profile.suppliers:
        if supplier.number == who:
            office_mail: str = tenant.facts["receiving_ap_match"].task.contact.email
            return supplier.name, stranger.mailbox or office_mail.rpartition("@")[2]
    if stranger.mailbox is None:
        raise EvidenceError(f"{profile.slug}: {stranger.company} is of no cast, so the stranger needs a mailbox")
    return stranger.company, stranger.mailbox


Values = tuple[dict[str, Any], Write | None]


def _nothing(tenant: Tenant, rows: Rows, document: Document | None, rng: Random) -> Values:
    """A post or a copy needs no record."""
    return {}, None


def _check(tenant: Tenant, rows: Rows, document: Document | None, rng: Random) -> Values:
    """An open check without a valid paper, to be marked as verified; where every open one has its paper, one of the
    papers that gold leaves alone."""
    checklist = tenant.facts["document_compliance"].checklist
    proven = {
        (paper.person_number, paper.check_type)
        for paper in checklist.papers
        if paper.valid_until is None or paper.valid_until >= tenant.profile.today
    }
    records = rows["document_records"]
    still_open = [row for row in records if row["MandatoryCheckFlag"] and not row["VerifiedFlag"]]
    unproven = [row for row in still_open if (row["PersonNumber"], row["DocumentType"]) not in proven]
    gold = _gold_keys(tenant, rows, "document_compliance", "DocumentRecordId")
    papers = [row for row in records if not row["MandatoryCheckFlag"] and row["DocumentRecordId"] not in gold]
    row = rng.choice(_some(tenant, unproven or papers, "check or paper that gold leaves alone"))
    flag = {"VerifiedFlag": True} if row["MandatoryCheckFlag"] else {}
    arguments = {"DocumentRecordId": row["DocumentRecordId"], **flag, "Status": "VERIFIED"}
    values = {"record": row["DocumentRecordId"], "person": row["DisplayName"], "check": row["DocumentType"].lower()}
    return values, Write(f"{ERP}document_records.update", arguments)


def _paper(tenant: Tenant, rows: Rows, document: Document | None, rng: Random) -> Values:
    """A paper that gold leaves alone and for which nothing was handed in, to be set to renewed: one that the alert log
    has where there is such a one, for then a reminder is out."""
    facts = tenant.facts["document_compliance"]
    logged = {alert.record for alert in facts.alerts}
    gold = _gold_keys(tenant, rows, "document_compliance", "DocumentRecordId")
    done = gold | {renewal.record for renewal in facts.renewals}
    found = [
        row
        for row in rows["document_records"]
        if row["DocumentRecordId"] not in done and row["Status"] in ("ACTIVE", "ALERTED")
    ]
    told = [row for row in found if row["DocumentRecordId"] in logged]
    row = rng.choice(_some(tenant, told or found, "paper that gold leaves alone"))
    arguments = {"DocumentRecordId": row["DocumentRecordId"], "Status": "RENEWED"}
    paper = row["DocumentType"].lower()
    values = {"record": row["DocumentRecordId"], "person": row["DisplayName"], "paper": paper}
    return {**values, "key": row["DocumentRecordId"]}, Write(f"{ERP}document_records.update", arguments)


def _price(tenant: Tenant, rows: Rows, document: Document | None, rng: Random) -> Values:
    """An item that gold does not price, at a price that it has never had, as from today; one of the document's own
    items where there is one."""
    profile = tenant.profile
    gold = _gold_keys(tenant, rows, "price_batch", "ItemId")
    found = [
        item
        for item in profile.items
        if item.status == "Active" and item.organization == profile.cast["main_org"] and item.id not in gold
    ]
    said = repr(document)
    own = [item for item in found if repr(item.number) in said]
    item = rng.choice(_some(tenant, own or found, "item that the price batch leaves alone"))
    had = {item.list_price, *(price.price for price in profile.other_prices if price.item_id == item.id)}
    prices = [price for factor in FACTORS if (price := cents(item.list_price * factor)) not in had and price > 0]
    price = rng.choice(_some(tenant, prices, "other price"))
    arguments = {"ItemId": item.id, "ListPrice": price, "EffectiveDate": profile.today.isoformat()}
    values = {"item": item.number, "description": item.description, "price": office.money(profile, price)}
    return {**values, "key": item.number}, Write(f"{ERP}items.update", arguments)


def _quantity(tenant: Tenant, rows: Rows, document: Document | None, rng: Random) -> Values:
    """A staged shipment line that gold leaves alone, with a tenth more than was requested."""
    gold = _gold_keys(tenant, rows, "shipment_verification", "ShipmentLine")
    staged = {row["Shipment"]: row for row in rows["shipments"] if row["ShipmentStatus"] == "Staged"}
    found = [
        row
        for row in rows["shipment_lines"]
        if row["Shipment"] in staged and row["LineStatus"] == "Staged" and row["ShipmentLine"] not in gold
    ]
    row = rng.choice(_some(tenant, found, "staged line that gold leaves alone"))
    quantity = row["RequestedQuantity"] + max(1, row["RequestedQuantity"] // 10)
    arguments = {"ShipmentLine": row["ShipmentLine"], "ShippedQuantity": quantity}
    values = {
        "line": row["ShipmentLine"],
        "shipment": row["Shipment"],
        "item": row["ItemNumber"],
        "quantity": office.count(tenant.profile, quantity),
        "carrier": staged[row["Shipment"]]["CarrierName"],
    }
    return values, Write(f"{ERP}shipment_lines.update", arguments)


WANTED = {
    "post": _nothing,
    "copy": _nothing,
    "verify": _check,
    "renew": _paper,
    "price": _price,
    "quantity": _quantity,
}


def _some[T](tenant: Tenant, found: list[T], what: str) -> list[T]:
    if not found:
        raise EvidenceError(f"{tenant.profile.slug}: expected some {what} for a stranger to ask about, found none")
    return found


def _gold_keys(tenant: Tenant, rows: Rows, family_id: str, argument: str) -> set[Any]:
    """The records that gold writes."""
    of_family = family(family_id)
    if of_family.task is None or of_family.outcome is None:
        raise EvidenceError(f"{tenant.profile.slug}: {family_id} has no tasks")
    facts = tenant.facts[family_id]
    gold = of_family.outcome(tenant, facts, rows, of_family.task.judgement(tenant, facts))
    return {write.arguments[argument] for write in gold.writes}
