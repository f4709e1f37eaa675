"""All rows of a world: the tenant's records, what its people wrote, its files, and what belongs to one task."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from generator.evidence.model import MIME, Rendered
from generator.families import FAMILIES
from generator.families.base import MailMessage, Rows
from generator.spec.tenant import ChatMessage, Tenant

WORLD_SCHEMA = 1
SHEET_ROWS = 200
CUSTOMER_HEADER = ("Customer", "Number", "Email", "Tax id", "Channel")


def tenant_rows(tenant: Tenant) -> Rows:
    """What the ERP keeps, whatever the task: the profile's masters and every family's records.

    Earlier prices are not among them: they stand in the superseded price lists.
    """
    profile = tenant.profile
    merged: Rows = {
        "sequences": [{"name": n, "prefix": prefix, "next": first} for n, (prefix, first) in profile.sequences.items()],
        "organizations": [{"code": o.code, "kind": o.kind, "name": o.name} for o in profile.organizations],
        "periods": [
            {
                "application": p.application,
                "period": p.period,
                "start_date": p.start,
                "end_date": p.end,
                "status": p.status,
            }
            for p in profile.periods
        ],
        "lookups": [{"kind": entry.kind, "code": entry.code, "meaning": entry.meaning} for entry in profile.lookups],
        "items": [
            {
                "ItemId": item.id,
                "OrganizationCode": item.organization,
                "ItemNumber": item.number,
                "ItemDescription": item.description,
                "LongDescription": item.note,
                "ItemClass": item.item_class,
                "ItemStatusValue": item.status,
                "PrimaryUOMValue": item.uom,
                "ListPrice": item.list_price,
                "PriceEffectiveDate": item.price_effective,
            }
            for item in profile.items
        ],
        "item_prices": [
            {"ItemId": p.item_id, "EffectiveDate": p.effective, "kind": p.kind, "ListPrice": p.price}
            for p in profile.other_prices
            if p.kind == "scheduled"
        ],
        "accounts": [
            {
                "AccountId": c.account,
                "CustomerName": c.name,
                "CreditLimit": c.credit_limit,
                "CreditHoldFlag": c.credit_hold,
                "PaymentTerms": c.payment_terms,
            }
            for c in profile.customers
        ],
        "suppliers": [
            {
                "SupplierNumber": s.number,
                "Supplier": s.name,
                "SupplierStatus": s.status,
                "LeadTimeDays": s.lead_time_days,
                "PaymentTerms": s.payment_terms,
                "Comments": s.comments,
            }
            for s in profile.suppliers
        ],
    }
    for family in FAMILIES:
        for table, rows in family.records(tenant, tenant.facts[family.id]).items():
            merged.setdefault(table, []).extend(rows)
    return merged


def office_rows(
    tenant: Tenant, mail: Iterable[MailMessage], chat: Sequence[ChatMessage], files: Iterable[Rendered]
) -> Rows:
    """What lies in the mailbox, the channels, the drive and the operations workbook."""
    profile = tenant.profile
    channels = {profile.channel: f"{profile.company}: operations"}
    for message in chat:
        channels.setdefault(message.channel or profile.channel, f"{profile.company}: {message.channel}")
    return {
        "mail": [
            {
                "id": m.id,
                "threadId": m.thread,
                "sender": m.sender,
                "recipient": m.recipient,
                "subject": m.subject,
                "date": m.date,
                "body": m.body,
                "labels": json.dumps(m.labels),
            }
            for m in mail
        ],
        "channels": [{"name": name, "purpose": purpose} for name, purpose in channels.items()],
        "slack_messages": [
            {
                "id": number,
                "channel": m.channel or profile.channel,
                "ts": m.at,
                "thread_ts": m.thread,
                "user": m.author,
                "text": m.text,
            }
            for number, m in enumerate(sorted(chat, key=lambda m: m.at), start=1)
        ],
        "drive_files": [
            {
                "id": r.document.id,
                "name": r.document.name,
                "mimeType": MIME[r.document.format],
                "version": r.document.version,
                "modifiedTime": r.document.modified,
                "isCurrentAuthority": r.document.current,
                "description": r.document.description,
                "owner": r.document.owner,
                "path": r.document.name,
                "size": len(r.data),
                "sha256": r.sha256,
                "content": r.text,
            }
            for r in files
        ],
        "sheet_tabs": [
            {"tab": "Register", "spreadsheetId": profile.workbook.id, "row_count": SHEET_ROWS, "column_count": 8},
            {"tab": "Customers", "spreadsheetId": profile.workbook.id, "row_count": SHEET_ROWS, "column_count": 5},
        ],
        "cells": [
            *_cells("Register", [profile.workbook.register_header, *profile.workbook.register_rows]),
            *_cells(
                "Customers",
                [
                    CUSTOMER_HEADER,
                    *(
                        (c.name, c.account, c.email, c.tax_id, c.channel)
                        for c in profile.customers
                        if c.in_customers_tab
                    ),
                ],
            ),
        ],
    }


def meta_rows(tenant: Tenant, task_id: str) -> Rows:
    profile = tenant.profile
    values = {
        "schema_version": str(WORLD_SCHEMA),
        "task_id": task_id,
        "tenant": profile.code,
        "company": profile.company,
        "as_of": profile.as_of.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "local_date": profile.today.isoformat(),
        "timezone": profile.timezone,
        "currency": profile.currency,
        "analyst": "analyst",
        "business_unit": profile.business_unit,
        "spreadsheet_id": profile.workbook.id,
    }
    return {"meta": [{"name": name, "value": value} for name, value in values.items()]}


def _cells(tab: str, rows: Iterable[Sequence[str | int | float]]) -> list[dict[str, Any]]:
    return [
        {
            "cell": f"{tab}!{chr(64 + column)}{number}",
            "tab": tab,
            "row": number,
            "col": column,
            "value": json.dumps(value, ensure_ascii=False),
        }
        for number, row in enumerate(rows, start=1)
        for column, value in enumerate(row, start=1)
        if value != ""
    ]
