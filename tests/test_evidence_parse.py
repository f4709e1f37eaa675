"""Every format read back from its bytes gives what it was made from, in each of three offices' habits."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.evidence.model import Cell, Column, Csv, Form, Sheet, Spreadsheet, Style, Table, Text
from generator.evidence.parse import ParsedTable, parse
from generator.evidence.render import render
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import (
    AMERICAN,
    EXPORT,
    LONG_NOTE,
    MAIL,
    OFFICE,
    ORDER,
    POLISH,
    SHIFT,
    STOCK,
    document,
    sample,
)

OFFICES = pytest.mark.parametrize("style", [OFFICE, POLISH, AMERICAN], ids=["iso", "polish", "american"])


def agrees(parsed: ParsedTable, table: Table) -> None:
    """Headers, and values that are equal and of one kind (a number, a date, a text)."""
    assert parsed.header == tuple(column.header for column in table.columns)
    assert len(parsed.rows) == len(table.rows)
    for read, made in zip(parsed.rows, table.rows, strict=True):
        assert read == made
        assert [isinstance(cell, str) for cell in read] == [isinstance(cell, str) for cell in made]
        assert [type(cell) is dt.date for cell in read] == [type(cell) is dt.date for cell in made]


@OFFICES
def test_workbook(style: Style) -> None:
    parsed = parse("order.xlsx", render(sample("order.xlsx"), style).data, style)
    assert [table.name for table in parsed.tables] == ["Order", "Stock", "Shift"]
    for read, made in zip(parsed.tables, (ORDER, STOCK, SHIFT), strict=True):
        agrees(read, made)


@OFFICES
def test_csv(style: Style) -> None:
    agrees(parse("order.csv", render(sample("order.csv"), style).data, style).tables[0], ORDER)
    stock = document("stock.csv", Csv(STOCK))
    agrees(parse("stock.csv", render(stock, style).data, style).tables[0], STOCK)


@OFFICES
def test_form(style: Style) -> None:
    parsed = parse("count.pdf", render(sample("count.pdf"), style).data, style)
    agrees(parsed.table("Counted by"), STOCK)
    assert parsed.table("Counted by").name == "Counted parts"
    assert parsed.pairs == (("Document", "SC-0209"), ("Counted at", "Łódź, hall 3"), ("Remark", LONG_NOTE))
    assert parsed.lines == (
        "Hurtownia Żelazna Sp. z o.o.",
        "ul. Piotrkowska 12, 90-001 Łódź",
        "VAT PL 725-18-01-126",
        "Stock count 2026-02",
        "The count covers all parts of the hall. " * 6 + "Signed by Žofie Dvořáková.",
        "Counted parts",
        "Next steps",
        "1. Correct the stock.",
        "2. Write to the supplier.",
        "• Copy to finance",
    )


@OFFICES
@pytest.mark.parametrize("name", ["policy.md", "policy.docx"])
def test_policy(name: str, style: Style) -> None:
    parsed = parse(name, render(sample(name), style).data, style)
    assert parsed.lines[0] == "Credit policy R6"
    first = "Work out the exposure on the day of the order."
    assert parsed.lines[2:6] == ("1. Rules", first, LONG_NOTE, "Say so in the handoff.")
    assert parsed.pairs == (("Owner", "Åse Bjørnstad"), ("In force from", "2026-01-15"))
    assert parsed.table("Limit").records() == [
        {"Customer": "Müller | Söhne GmbH", "Limit": Decimal(180000), "Share": Decimal("28.24"),
         "Reviewed": dt.date(2026, 1, 15)},
        {"Customer": "Hurtownia Łódź", "Limit": Decimal("2757.6"), "Share": Decimal("2.5"),
         "Reviewed": dt.date(2025, 12, 1)},
    ]  # fmt: skip
    if name == "policy.docx":
        agrees(parsed.table("Counted by"), STOCK)


def test_data_mail_and_log() -> None:
    assert parse("e.json", render(sample("export.json"), OFFICE).data, OFFICE).value == {
        **EXPORT, "rows": [{"total": Decimal("2757.6"), "on": "2026-02-09"}],
    }  # fmt: skip
    assert parse("m.yaml", render(sample("map.yaml"), OFFICE).data, OFFICE).value == {
        "owner": "Åse", "from": dt.date(2026, 2, 9), "ids": ["A-1", "0042"],
    }  # fmt: skip
    mail = parse("memo.eml", render(sample("memo.eml"), OFFICE).data, OFFICE).value
    assert mail == {
        "sender": MAIL.sender, "recipient": MAIL.recipient, "subject": MAIL.subject, "date": MAIL.date,
        "message_id": MAIL.message_id, "body": MAIL.body,
    }  # fmt: skip
    log = parse("audit.log", render(sample("audit.log"), OFFICE).data, OFFICE).value
    assert log == ((dt.datetime(2026, 2, 3, 10, 12, tzinfo=dt.UTC), "NBR", "partial import created"),)


LETTERS = "abcXYZŁódźüßåñşž|&<>\"'=*_;,:()/"
TEXT = st.lists(st.text(LETTERS, min_size=1, max_size=14), min_size=1, max_size=12).map(" ".join)
CELLS = st.tuples(
    TEXT,
    st.integers(-(10**7), 10**7),
    st.decimals(-(10**7), 10**7, places=2),
    st.dates(dt.date(2000, 1, 1), dt.date(2099, 12, 31)),
    st.none() | TEXT,
)
COLUMNS = (Column("Note"), Column("Count", "integer"), Column("Net", "money"), Column("On", "date"), Column("Remark"))


@settings(max_examples=25, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=12), st.sampled_from([OFFICE, POLISH, AMERICAN]))
def test_any_table_comes_back_from_every_format(rows: list[tuple[Cell, ...]], style: Style) -> None:
    table = Table(COLUMNS, tuple(rows))
    for item in (
        document("a.xlsx", Spreadsheet((Sheet("S", table),))),
        document("a.csv", Csv(table)),
        document("a.pdf", Form(("Firm",), "Title", (table,))),
        document("a.md", Text("Title", (table,))),
        document("a.docx", Text("Title", (table,))),
    ):
        agrees(parse(item.name, render(item, style).data, style).tables[0], table)


def test_digits_alone_are_a_number_but_keep_their_text() -> None:
    table = Table((Column("Account"),), (("10412",),))
    parsed = parse("a.csv", render(document("a.csv", Csv(table)), OFFICE).data, OFFICE).tables[0]
    assert (parsed.rows, parsed.texts) == (((10412,),), (("10412",),))


def test_unknown_suffix_and_missing_table() -> None:
    with pytest.raises(EvidenceError, match=r"came \.exe"):
        parse("a.exe", b"", OFFICE)
    with pytest.raises(KeyError, match="no table with"):
        parse("a.csv", b"A,B\n1,2\n", OFFICE).table("C")
