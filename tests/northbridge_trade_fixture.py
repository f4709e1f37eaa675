"""Northbridge's trade families as tests see them: facts, rows, rendered files, mails and sources, read once."""

import csv
import datetime as dt
import io
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

from generator.evidence.model import Rendered
from generator.evidence.render import render
from generator.families import family
from generator.families.base import MailMessage, Rows
from generator.families.office import style
from generator.spec.source import Source
from generator.spec.tenant import Tenant, TenantProfile, read_yaml

FAMILIES = (
    "shipment_verification",
    "receivables_collection",
    "inventory_reorder",
    "receiving_ap_match",
    "channel_order_sync",
)
FOLDER = Path(__file__).parents[1] / "generator" / "tenants" / "northbridge"
TODAY = dt.date(2026, 2, 9)


@dataclass(frozen=True)
class Trade:
    """files: rendered files by the number their name begins with; mails by message id."""

    tenant: Tenant
    rows: Rows
    files: dict[str, Rendered]
    mails: dict[str, MailMessage]
    sources: tuple[Source, ...]


@cache
def trade() -> Trade:
    profile = read_yaml(FOLDER / "profile.yaml", TenantProfile)
    facts = {id: read_yaml(FOLDER / f"{id}.yaml", family(id).facts) for id in FAMILIES}
    tenant = Tenant(profile=profile, facts=facts)
    rows: Rows = {}
    for id in FAMILIES:
        for name, entries in family(id).records(tenant, facts[id]).items():
            rows.setdefault(name, []).extend(entries)
    documents = [document for id in FAMILIES for document in family(id).documents(tenant, facts[id])]
    return Trade(
        tenant=tenant,
        rows=rows,
        files={document.name[:2]: render(document, style(profile)) for document in documents},
        mails={mail.id: mail for id in FAMILIES for mail in family(id).mail(tenant, facts[id])},
        sources=tuple(source for id in FAMILIES for source in family(id).sources(tenant, facts[id])),
    )


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def table(text: str, sheet: str | None = None) -> list[dict[str, str]]:
    """The rows of a csv file's text, or of a workbook's sheet (its first for None)."""
    if sheet is not None:
        text = text.split(f"[Sheet: {sheet}]\r\n")[1]
    return list(csv.DictReader(io.StringIO(text.split("[Sheet: ")[0])))


def form_rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of the one table in a form's text."""
    lines = [line.split(" | ") for line in text.splitlines() if " | " in line]
    for line in lines[1:]:
        yield dict(zip(lines[0], line, strict=True))


def number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def of(rows: Rows, name: str, **columns: Any) -> list[dict[str, Any]]:
    """The rows of a table that have these values."""
    return [row for row in rows[name] if all(row.get(column) == value for column, value in columns.items())]
