"""A rendered task as DuckDB tables, for the audit's SQL.

In: a task directory, of which only environment/seed is read (world.sqlite and files/). Out: a connection to an
in-memory database with these tables and macros. Nothing of solution/ or tests/ is opened.

Tables about the task
    task     one row: task_id, family, tenant, company, as_of TIMESTAMP (UTC), today DATE (local), timezone, currency,
             business_unit, site (its name), organization (the site's code), request (the text of the request's mail)
    choice   n, id, label, status                  the decision options in their published order

Written evidence. doc is the Drive file id (FILE-NBR-…) or the message id (MSG-NBR-…), as the source map writes it.
    document doc, kind ('file' | 'mail'), name (file name or subject), format (suffix, or 'mail'), owner (Drive owner or
             sender), recipient, moment TIMESTAMP (modified, or sent), number ('01' of file 01-…, or '')
    grid     doc, t (table of the document, from 1), name (sheet, or the line above), r (row, from 1),
             texts MAP(header, text), nums MAP(header, DECIMAL(18,6)), days MAP(header, DATE), times MAP(header,
             TIMESTAMP): sheets, CSV, tables of pages, and ' | ' tables of mail; texts['Item'], nums['Quantity']
    pair     doc, n, label, value                  'Label: value' heads of forms
    line     doc, n, text                          paragraphs, headings, bullets without their marks, lines of a mail
    data     doc, value JSON                       json and yaml files
    event    moment, code, text                        the operations log
    source   subject, doc, standing ('in_force' | 'not_in_force' | 'open'), all as the source map has it
    memo     n, phrase                             what the authority memo names, one phrase each, without the article

World tables stand under their own names with their own columns (see the world's schema.sql): money DECIMAL(18,4),
dates DATE, instants TIMESTAMP in UTC, flags 0 and 1. cells.value is JSON. Mail is in mail and in the tables above.

Macros. num(text): the first number in it as the office writes it on pages; dot(text): with a decimal point;
day(text): the first date, in the office's form or ISO; days(text): all of them, in order; cents(x): rounded half up.
said(doc, pattern): the first group of the pattern in the document's first line that matches. in_force(subject): the doc
that the source map lists. named(subject, words): the doc of the subject whose id ends in the date or edition that the
memo gives to the phrase with the words; where the memo is silent, in_force.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from generator.audit.documents import Reader, Written, file_texts, mail_rows
from generator.audit.macros import macros
from generator.audit.office import read_style
from generator.audit.world import WorldTable, read_world
from generator.evidence.model import Style
from generator.spec.errors import EvidenceError

SEED = Path("environment", "seed")
_WRITTEN = {
    "grid": {
        "doc": "VARCHAR", "t": "INTEGER", "name": "VARCHAR", "r": "INTEGER", "texts": "MAP(VARCHAR, VARCHAR)",
        "nums": "MAP(VARCHAR, DECIMAL(18,6))", "days": "MAP(VARCHAR, DATE)", "times": "MAP(VARCHAR, TIMESTAMP)",
    },
    "pair": {"doc": "VARCHAR", "n": "INTEGER", "label": "VARCHAR", "value": "VARCHAR"},
    "line": {"doc": "VARCHAR", "n": "INTEGER", "text": "VARCHAR"},
    "data": {"doc": "VARCHAR", "value": "JSON"},
    "event": {"moment": "TIMESTAMP", "code": "VARCHAR", "text": "VARCHAR"},
}  # fmt: skip
_DOCUMENT = {
    "doc": "VARCHAR", "kind": "VARCHAR", "name": "VARCHAR", "format": "VARCHAR", "owner": "VARCHAR",
    "recipient": "VARCHAR", "moment": "TIMESTAMP", "number": "VARCHAR",
}  # fmt: skip
_TASK = {
    "task_id": "VARCHAR", "family": "VARCHAR", "tenant": "VARCHAR", "company": "VARCHAR", "as_of": "TIMESTAMP",
    "today": "DATE", "timezone": "VARCHAR", "currency": "VARCHAR", "business_unit": "VARCHAR", "site": "VARCHAR",
    "organization": "VARCHAR", "request": "VARCHAR",
}  # fmt: skip
_CHOICE = {"n": "INTEGER", "id": "VARCHAR", "label": "VARCHAR", "status": "VARCHAR"}
_SOURCE = {"subject": "VARCHAR", "doc": "VARCHAR", "standing": "VARCHAR"}
_MEMO = {"n": "INTEGER", "phrase": "VARCHAR"}
FAMILIES = {
    "Customer order import": "order_import",
    "Shipment verification": "shipment_verification",
    "Receivables collection": "receivables_collection",
    "Inventory reorder": "inventory_reorder",
    "Receiving and invoice match": "receiving_ap_match",
    "Document compliance review": "document_compliance",
    "Shift report roll-up": "shift_rollup",
    "Channel order sync": "channel_order_sync",
    "Hiring against headcount": "hire_against_headcount",
    "Effective-dated price batch": "price_batch",
}
"""Family by the workflow that the task contract names."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Evidence:
    """A loaded task."""

    task_id: str
    family: str
    connection: duckdb.DuckDBPyConnection


class Tables:
    """A database in memory whose tables are filled for one task after the other.

    A table is written anew only when its rows differ from the last task's: the ten tasks of a tenant share most.
    """

    def __init__(self) -> None:
        self.connection = duckdb.connect(":memory:", config={"threads": "1"})
        self._rows: dict[str, str] = {}

    def fill(self, name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        """Rows are handed over as one JSON text: row by row is slow."""
        text = json.dumps(list(rows), ensure_ascii=False)
        if self._rows.get(name) == text:
            return
        shape = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        self.connection.execute(f'CREATE OR REPLACE TABLE "{name}" ({shape})')
        if rows:
            picked = ", ".join(f'x."{column}"' for column in columns)
            self.connection.execute(
                f'INSERT INTO "{name}" SELECT {picked} FROM (SELECT unnest(from_json(?::JSON, ?)) AS x)',
                [text, json.dumps([dict(columns)])],
            )
        self._rows[name] = text


def load(task: Path, reader: Reader, tables: Tables | None = None) -> Evidence:
    """The task's evidence. With tables, into a database that may hold another task's; that one is gone then.

    Raises EvidenceError, which names the task, if a file is missing or cannot be read.
    """
    seed = task / SEED
    if not (seed / "world.sqlite").is_file():
        raise EvidenceError(f"{task}: expected a rendered task with {SEED / 'world.sqlite'}, found none")
    try:
        return _loaded(seed, reader, tables or Tables())
    except EvidenceError as error:
        raise EvidenceError(f"{task}: {error}") from error


def _loaded(seed: Path, reader: Reader, tables: Tables) -> Evidence:
    world = {table.name: table for table in read_world(seed / "world.sqlite")}
    drive, mail = _records(world["drive_files"]), _records(world["mail"])
    style = read_style(file_texts(drive, frozenset({"csv"})), file_texts(drive, frozenset({"pdf", "docx", "md"})))
    found = _written(seed, drive, mail, style, reader)
    for table in world.values():
        tables.fill(table.name, table.columns, _records(table))
    for name, columns in _WRITTEN.items():
        tables.fill(name, columns, getattr(found, name))
    facts, view = _task(world), json.loads(_records(world["contracts"])[0]["view"])
    tables.fill("task", _TASK, [facts])
    tables.fill("choice", _CHOICE, [{"n": n, **o} for n, o in enumerate(view["decision_options"], start=1)])
    tables.fill("document", _DOCUMENT, [*map(_file, drive), *map(_message, mail)])
    tables.fill("source", _SOURCE, _sources(found.data))
    tables.fill("memo", _MEMO, _memo(mail))
    for macro in macros(style):
        tables.connection.execute(macro)
    return Evidence(facts["task_id"], facts["family"], tables.connection)


def _records(table: WorldTable) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _written(seed: Path, drive: Sequence[Row], mail: Sequence[Row], style: Style, reader: Reader) -> Written:
    found = Written()
    for file in drive:
        found.extend(reader.read(file["id"], seed / "files" / file["path"], style))
    for message in mail:
        found.extend(mail_rows(message["id"], message["body"]))
    return found


def _file(file: Row) -> Row:
    name = str(file["name"])
    leading = re.match(r"\d+(?=-)", name)
    return {
        "doc": file["id"],
        "kind": "file",
        "name": name,
        "format": name.rpartition(".")[2],
        "owner": file["owner"],
        "recipient": "",
        "moment": file["modifiedTime"],
        "number": leading[0] if leading else "",
    }


def _message(message: Row) -> Row:
    return {
        "doc": message["id"],
        "kind": "mail",
        "name": message["subject"],
        "format": "mail",
        "owner": message["sender"],
        "recipient": message["recipient"],
        "moment": message["date"],
        "number": "",
    }


def _task(world: Mapping[str, WorldTable]) -> dict[str, Any]:
    meta = {row["name"]: row["value"] for row in _records(world["meta"])}
    view = json.loads(_records(world["contracts"])[0]["view"])
    request = next(m["body"] for m in _records(world["mail"]) if m["id"] == f"MSG-{meta['task_id']}-REQUEST")
    return {
        **{name: meta[name] for name in ("task_id", "tenant", "company", "timezone", "currency", "business_unit")},
        "family": FAMILIES[view["workflow"]],
        "as_of": meta["as_of"].rstrip("Z"),
        "today": meta["local_date"],
        "site": view["site"],
        "organization": next(o["code"] for o in _records(world["organizations"]) if o["name"] == view["site"]),
        "request": request,
    }


def _sources(data: Sequence[Row]) -> list[Row]:
    """The source map's entries: it is the one file whose data has subjects."""
    rows: list[Row] = []
    for entry in data:
        value = entry["value"]
        subjects = value.get("subjects") if isinstance(value, dict) else None
        for subject, standings in (subjects or {}).items():
            for standing, docs in standings.items():
                named = docs if isinstance(docs, list) else [docs]
                rows.extend({"subject": subject, "doc": doc, "standing": standing} for doc in named)
    return rows


def _memo(mail: Sequence[Row]) -> list[Row]:
    """What the authority memo lists after 'Work from these until I write again:', split at commas and 'and'."""
    rows: list[Row] = []
    for message in mail:
        listed = re.search(r"Work from these[^:]*: (.+?)\.\n", str(message["body"]))
        if listed is not None:
            phrases = re.split(r", | and (?=the )", listed[1])
            rows.extend({"n": n, "phrase": p.removeprefix("the ")} for n, p in enumerate(phrases, start=1))
    return rows
