"""The sample that the evidence tests share: a document of every format, with letters beyond ASCII, a table of sixty
rows over several pages, long cell texts and every kind of column."""

import datetime as dt
from decimal import Decimal

from generator.evidence.model import (
    Body,
    Bullets,
    Column,
    Csv,
    Document,
    Form,
    Heading,
    JsonData,
    Log,
    Mail,
    Pairs,
    Paragraph,
    Sheet,
    Spreadsheet,
    Style,
    Table,
    Text,
    YamlData,
)

MODIFIED = dt.datetime(2026, 2, 9, 6, 0, tzinfo=dt.UTC)
OFFICE = Style()
POLISH = Style(dates="%d.%m.%Y", decimal_comma=True, csv_delimiter=";", paper="A4")
AMERICAN = Style(dates="%m/%d/%Y", paper="Letter")

ORDER_COLUMNS = (
    Column("Line", "integer"),
    Column("Customer PO"),
    Column("Item"),
    Column("Description"),
    Column("Quantity", "integer"),
    Column("Unit price (customer sheet)", "money"),
    Column("Due", "date"),
)
ORDER_ROWS = (
    (1, "CA-PO-77310", "FST-M8-40", "M8 x 40 hex bolt, zinc", 1200, Decimal("0.89"), dt.date(2026, 2, 20)),
    (2, "CA-PO-77310", "FST-M10-60", "M10 x 60 hex bolt, zinc", 800, Decimal("1.40"), dt.date(2026, 2, 20)),
    (3, "CA-PO-77310", "0042", '=SUM(A1:A2) is "text"', 640, Decimal("473.00"), None),
)
ORDER = Table(ORDER_COLUMNS, ORDER_ROWS)

PEOPLE = ("Łódź Wiśniewska", "Jürgen Müller", "Åse Bjørnstad", "Begoña Núñez", "Ağrı Şahin", "Žofie Dvořáková")
LONG_NOTE = (
    "Counted twice on the night shift because the first count left out the pallets that stood in the inspection "
    "cage; the second count is signed by the warehouse lead and by the quality engineer, and it replaces the first"
)
LONG_CODE = "LOT-" + "0123456789ABCDEF" * 6

STOCK_COLUMNS = (
    Column("No.", "integer"),
    Column("Part"),
    Column("Counted by"),
    Column("Counted on", "date"),
    Column("On hand", "integer"),
    Column("Value", "money"),
    Column("Variance", "percent"),
    Column("Note"),
)
STOCK_ROWS = tuple(
    (
        number,
        f"PRT-{1000 + number}",
        PEOPLE[number % len(PEOPLE)],
        dt.date(2026, 1, 1) + dt.timedelta(days=number),
        number * 37,
        Decimal(number) * Decimal("1234.57"),
        Decimal(number - 30) / 4,
        LONG_NOTE if number in (7, 33) else LONG_CODE if number == 12 else "counted",
    )
    for number in range(1, 61)
)
STOCK = Table(STOCK_COLUMNS, STOCK_ROWS)

SHIFT = Table(
    (Column("Worker"), Column("Starts", "datetime"), Column("Reported", "datetime"), Column("On leave", "flag"),
     Column("Hours", "number", decimals=1)),
    (
        ("Åse Bjørnstad", dt.datetime(2026, 2, 8, 22, 0), dt.datetime(2026, 2, 9, 5, 4, 30, tzinfo=dt.UTC), False,
         Decimal("7.5")),
        ("Jürgen Müller", dt.datetime(2026, 2, 8, 22, 0), None, True, Decimal("0")),
    ),
)  # fmt: skip

POLICY_BLOCKS = (
    Paragraph("An order is released only while the customer's exposure stays within the limit that finance has set."),
    Heading("1. Rules"),
    Bullets(("Work out the exposure on the day of the order.", LONG_NOTE, "Say so in the handoff."), numbered=True),
    Heading("2. Roles"),
    Bullets(("Credit desk: Łódź Wiśniewska", "Deputy: Begoña Núñez")),
    Pairs((("Owner", "Åse Bjørnstad"), ("In force from", "2026-01-15"))),
    Heading("3. Limits"),
    Table(
        (Column("Customer"), Column("Limit", "money"), Column("Share", "percent"), Column("Reviewed", "date")),
        (
            ("Müller | Söhne GmbH", Decimal("180000"), Decimal("28.24"), dt.date(2026, 1, 15)),
            ("Hurtownia Łódź", Decimal("2757.60"), Decimal("2.5"), dt.date(2025, 12, 1)),
        ),
    ),
    Bullets(("A second list begins at one.",), numbered=True),
)

FORM = Form(
    ("Hurtownia Żelazna Sp. z o.o.", "ul. Piotrkowska 12, 90-001 Łódź", "VAT PL 725-18-01-126"),
    "Stock count 2026-02",
    (
        Pairs((("Document", "SC-0209"), ("Counted at", "Łódź, hall 3"), ("Remark", LONG_NOTE))),
        Paragraph("The count covers all parts of the hall. " * 6 + "Signed by Žofie Dvořáková."),
        Heading("Counted parts"),
        STOCK,
        Heading("Next steps"),
        Bullets(("Correct the stock.", "Write to the supplier."), numbered=True),
        Bullets(("Copy to finance",)),
        SHIFT,
    ),
)

MAIL = Mail(
    "Marcus Lee <marcus.lee@northbridge-sim.example>",
    "analyst@northbridge-sim.example",
    "Zażółć: authority for February",
    dt.datetime(2026, 2, 9, 5, 30, tzinfo=dt.UTC),
    "<authority-0209@northbridge-sim.example>",
    "Good morning,\n\nthe order batch of 2026-02-09 counts. Gruß, Åse\n",
)

EXPORT = {"shop": "Łódź", "rows": [{"total": Decimal("2757.60"), "on": dt.date(2026, 2, 9)}]}
SOURCE_MAP = {"owner": "Åse", "from": dt.date(2026, 2, 9), "ids": ("A-1", "0042")}


def document(name: str, body: Body) -> Document:
    """A document of the sample."""
    return Document(f"FILE-{name}", name, body, "A sample document", "Åse Bjørnstad", "ase@sim.example", MODIFIED)


SAMPLE = (
    document("order.xlsx", Spreadsheet((Sheet("Order", ORDER), Sheet("Stock", STOCK), Sheet("Shift", SHIFT)))),
    document("order.csv", Csv(ORDER)),
    document("count.pdf", FORM),
    document("policy.md", Text("Credit policy R6", POLICY_BLOCKS)),
    document("policy.docx", Text("Credit policy R6", (*POLICY_BLOCKS, Heading("4. Stock"), STOCK))),
    document("export.json", JsonData(EXPORT)),
    document("map.yaml", YamlData(SOURCE_MAP, ("Source map",))),
    document("memo.eml", MAIL),
    document("audit.log", Log(((dt.datetime(2026, 2, 3, 10, 12, tzinfo=dt.UTC), "NBR", "partial import created"),))),
)


def sample(name: str) -> Document:
    """The document of the name."""
    return next(item for item in SAMPLE if item.name == name)


def test_sample_has_every_format_once() -> None:
    assert sorted(item.format for item in SAMPLE) == [
        "csv", "docx", "eml", "json", "log", "md", "pdf", "xlsx", "yaml",
    ]  # fmt: skip


def test_sample_has_a_table_of_sixty_rows_and_letters_beyond_latin_1() -> None:
    assert len(STOCK.rows) == 60
    assert {letter for row in STOCK.rows for letter in str(row[2])} >= set("ŁźśüøñğıŞŽřá")
