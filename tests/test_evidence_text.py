"""The text of each document: the seed's own form for workbooks, every cell and line for all."""

import datetime as dt
from decimal import Decimal

import pytest

from generator.evidence.model import Column, Sheet, Spreadsheet, Style, Table
from generator.evidence.render import render
from generator.evidence.text import spreadsheet_text, text_of
from tests.test_evidence_sample import ORDER, POLISH, SHIFT, STOCK, document, sample


def test_workbook_like_the_seed_shows_it() -> None:
    """Structure of the seed's published steps 9 and 10: header, CRLF throughout, shortest numbers, ISO dates."""
    assert spreadsheet_text(Spreadsheet((Sheet("Order", ORDER), Sheet("Night", SHIFT)))) == (
        "Line,Customer PO,Item,Description,Quantity,Unit price (customer sheet),Due\r\n"
        '1,CA-PO-77310,FST-M8-40,"M8 x 40 hex bolt, zinc",1200,0.89,2026-02-20\r\n'
        '2,CA-PO-77310,FST-M10-60,"M10 x 60 hex bolt, zinc",800,1.4,2026-02-20\r\n'
        '3,CA-PO-77310,0042,"=SUM(A1:A2) is ""text""",640,473,\r\n'
        "[Sheet: Night]\r\n"
        "Worker,Starts,Reported,On leave,Hours\r\n"
        "Åse Bjørnstad,2026-02-08T22:00:00,2026-02-09T05:04:30Z,FALSE,7.5\r\n"
        "Jürgen Müller,2026-02-08T22:00:00,,TRUE,0\r\n"
    )


def test_earlier_import_of_the_seed_to_the_letter() -> None:
    """The seed's step 10 prints this workbook whole."""
    table = Table(
        (Column("Line", "integer"), Column("Customer PO"), Column("Item"), Column("Quantity", "integer"),
         Column("Imported order"), Column("Imported on", "date")),
        (
            (5, "CA-PO-77310", "FST-M8-40", 450, "SO-NBR-40039", dt.date(2026, 2, 3)),
            (8, "CA-PO-77310", "NUT-M8-NYL", 500, "SO-NBR-40039", dt.date(2026, 2, 3)),
        ),
    )  # fmt: skip
    assert spreadsheet_text(Spreadsheet((Sheet("Import", table),))) == (
        "Line,Customer PO,Item,Quantity,Imported order,Imported on\r\n"
        "5,CA-PO-77310,FST-M8-40,450,SO-NBR-40039,2026-02-03\r\n"
        "8,CA-PO-77310,NUT-M8-NYL,500,SO-NBR-40039,2026-02-03\r\n"
    )


def test_workbook_text_does_not_depend_on_the_office() -> None:
    item = sample("order.xlsx")
    assert text_of(item, POLISH, b"") == text_of(item, Style(), b"")


def test_written_documents_in_reading_order() -> None:
    lines = text_of(sample("count.pdf"), POLISH, b"").splitlines()
    assert lines[:6] == [
        "Hurtownia Żelazna Sp. z o.o.", "ul. Piotrkowska 12, 90-001 Łódź", "VAT PL 725-18-01-126",
        "Stock count 2026-02", "Document: SC-0209", "Counted at: Łódź, hall 3",
    ]  # fmt: skip
    assert lines[9] == "No. | Part | Counted by | Counted on | On hand | Value | Variance | Note"
    assert lines[10] == "1 | PRT-1001 | Jürgen Müller | 02.01.2026 | 37 | 1.234,57 | -7,25% | counted"
    assert lines[70:75] == ["Next steps", "1. Correct the stock.", "2. Write to the supplier.", "• Copy to finance",
                            "Worker | Starts | Reported | On leave | Hours"]  # fmt: skip
    assert len(lines) == 77


def test_mail_text() -> None:
    assert text_of(sample("memo.eml"), Style(), b"") == (
        "From: Marcus Lee <marcus.lee@northbridge-sim.example>\nTo: analyst@northbridge-sim.example\n"
        "Subject: Zażółć: authority for February\n\n"
        "Good morning,\n\nthe order batch of 2026-02-09 counts. Gruß, Åse\n"
    )


@pytest.mark.parametrize("name", ["order.csv", "policy.md", "export.json", "map.yaml", "audit.log"])
def test_textual_formats_are_their_own_text(name: str) -> None:
    rendered = render(sample(name), POLISH)
    assert rendered.text.encode() == rendered.data


@pytest.mark.parametrize("name", ["order.xlsx", "count.pdf", "policy.docx"])
def test_text_holds_every_cell_of_a_long_table(name: str) -> None:
    text = render(sample(name), Style()).text
    for row in STOCK.rows:
        assert f"PRT-{1000 + int(str(row[0]))}" in text
        assert str(row[7]) in text


def test_cells_with_commas_quotes_and_breaks_are_quoted() -> None:
    table = Table((Column("A"), Column("B", "number")), (('say "a, b"\nc', Decimal("0.10")),))
    item = document("a.xlsx", Spreadsheet((Sheet("S", table),)))
    assert text_of(item, Style(), b"") == 'A,B\r\n"say ""a, b""\nc",0.1\r\n'
