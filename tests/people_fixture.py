"""Northbridge's four families of people and prices as a reader has them: files parsed back, mail, the world's rows."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from generator.evidence.parse import Parsed, ParsedTable, parse
from generator.evidence.render import render
from generator.families import office
from generator.families.base import Family, Rows
from generator.families.document_compliance import FAMILY as COMPLIANCE
from generator.families.hire_against_headcount import FAMILY as HIRE
from generator.families.price_batch import FAMILY as PRICE
from generator.families.shift_rollup import FAMILY as SHIFT
from generator.spec.source import Contradiction, Memo, Source, in_force
from generator.spec.tenant import Tenant, TenantProfile, read_yaml
from generator.tenants.load import ROOT

FOLDER = ROOT / "northbridge"
FAMILIES = (COMPLIANCE, SHIFT, HIRE, PRICE)
TODAY = dt.date(2026, 2, 9)


def people_tenant() -> Tenant:
    """Northbridge with the facts of the four families alone."""
    facts = {family.id: read_yaml(FOLDER / f"{family.id}.yaml", family.facts) for family in FAMILIES}
    return Tenant(profile=read_yaml(FOLDER / "profile.yaml", TenantProfile), facts=facts)


@dataclass(frozen=True)
class Evidence:
    """What somebody has who can read the files, the mailbox, the channels and the ERP."""

    files: dict[str, Parsed]
    mail: dict[str, str]
    rows: Rows


def evidence_of(tenant: Tenant, family: Family) -> Evidence:
    facts = tenant.facts[family.id]
    style = office.style(tenant.profile)
    rendered = [render(document, style) for document in family.documents(tenant, facts)]
    return Evidence(
        files={one.document.name[:2]: parse(one.document.name, one.data, style) for one in rendered},
        mail={message.id: message.body for message in family.mail(tenant, facts)},
        rows=family.records(tenant, facts),
    )


def changed(tenant: Tenant, family: Family, **update: Any) -> Tenant:
    facts = tenant.facts[family.id].model_copy(update=update)
    return tenant.model_copy(update={"facts": {**tenant.facts, family.id: facts}})


def sheet(parsed: Parsed, name: str) -> ParsedTable:
    return next(table for table in parsed.tables if table.name == name)


def bars(body: str, header: str) -> list[list[str]]:
    """The rows of a table that a mail has under the header line."""
    lines = body[body.index(header) :].split("\n\n")[0].split("\n")
    return [line.split(" | ") for line in lines[1:]]


def every_source(tenant: Tenant) -> list[Source]:
    return [source for family in FAMILIES for source in family.sources(tenant, tenant.facts[family.id])]


def in_force_today(tenant: Tenant, subject: str) -> Source | Contradiction:
    sources = every_source(tenant)
    memo = Memo("MSG-MEMO", TODAY, tuple(source.id for source in sources if source.memo_name))
    return in_force(subject, TODAY, sources, [memo], ())
