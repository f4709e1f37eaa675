"""Strangers' remarks put where such remarks stand: a note under a letter, a field of an order, a column of a list.

In: the documents of a tenant as its office has them, and the wishes. Out: the same documents, those that a stranger
wrote in with one remark more. Nothing else of a document changes.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from generator.evidence.model import (
    Cell,
    Column,
    Csv,
    Document,
    Form,
    JsonData,
    Log,
    Paragraph,
    Sheet,
    Spreadsheet,
    Table,
)
from generator.evidence.values import iso_z
from generator.spec.errors import EvidenceError
from generator.tasks.strangers import Wish

NAMED = {"01": "Message to the supplier", "11": "Note", "12": "Remark"}
HEADERS = {"15": "reply", "17": "remark", "21": "Remark"}


def with_remarks(documents: Sequence[Document], wishes: Sequence[Wish]) -> list[Document]:
    """The documents with each wish's remark in its own. Raises EvidenceError for a wish whose document is missing."""
    written = {wish.document: wish for wish in wishes}
    missing = set(written) - {document.name[:2] for document in documents}
    if missing:
        raise EvidenceError(f"remarks for documents {sorted(missing)}, which are not there")
    return [_written_in(document, written.get(document.name[:2])) for document in documents]


def _written_in(document: Document, wish: Wish | None) -> Document:
    if wish is None:
        return document
    return dataclasses.replace(document, body=PLACES[type(document.body)](document.body, wish))


def _under_the_letter(form: Form, wish: Wish) -> Form:
    label = NAMED.get(wish.document)
    block = Paragraph(wish.text if label is None else f"{label}: {wish.text}")
    return dataclasses.replace(form, blocks=(*form.blocks, block))


def _in_the_workbook(book: Spreadsheet, wish: Wish) -> Spreadsheet:
    """As a column of the first sheet, or as a line of the cover, which is the last one."""
    header = HEADERS.get(wish.document)
    if header is not None:
        first = book.sheets[0]
        return Spreadsheet((Sheet(first.name, _with_column(first.table, header, wish)), *book.sheets[1:]))
    cover = book.sheets[-1]
    rows = (*cover.table.rows, (NAMED[wish.document], wish.text))
    return Spreadsheet((*book.sheets[:-1], Sheet(cover.name, dataclasses.replace(cover.table, rows=rows))))


def _in_the_list(listed: Csv, wish: Wish) -> Csv:
    return Csv(_with_column(listed.table, HEADERS[wish.document], wish))


def _with_column(table: Table, header: str, wish: Wish) -> Table:
    """One more column: the stranger's remark in its row, those of others spread over the rest."""
    remarks: list[Cell] = [None] * len(table.rows)
    step = max(1, len(table.rows) // (len(wish.beside) + 1))
    for number, remark in enumerate(wish.beside, start=1):
        remarks[(wish.row + number * step) % len(table.rows)] = remark
    remarks[wish.row] = wish.text
    rows = tuple((*row, remark) for row, remark in zip(table.rows, remarks, strict=True))
    return Table((*table.columns, Column(header, width=44)), rows)


def _in_the_data(data: JsonData, wish: Wish) -> JsonData:
    """As a buyer's note on an order, or as a message after the one it goes with."""
    value: dict[str, Any] = dict(data.value)
    if "orders" in value:
        orders = [{**order, "note": wish.text if n == wish.row else None} for n, order in enumerate(value["orders"])]
        return JsonData({**value, "orders": orders})
    messages = list(value["messages"])
    order = messages[wish.row]["order"]
    messages.append({"at": iso_z(wish.at), "order": order, "from": wish.name, "text": wish.text})
    return JsonData({**value, "messages": sorted(messages, key=lambda message: message["at"])})


def _in_the_log(log: Log, wish: Wish) -> Log:
    code = log.events[0][1]
    return Log(tuple(sorted((*log.events, (wish.at, code, wish.text)))))


PLACES: dict[type[Any], Callable[[Any, Wish], Any]] = {
    Form: _under_the_letter,
    Spreadsheet: _in_the_workbook,
    Csv: _in_the_list,
    JsonData: _in_the_data,
    Log: _in_the_log,
}
