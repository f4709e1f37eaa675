"""csv, md, json, yaml, eml and log, byte for byte."""

import datetime as dt
from decimal import Decimal

import pytest

from generator.evidence.delimited import csv_bytes
from generator.evidence.markdown import markdown_bytes
from generator.evidence.messages import eml_bytes, log_bytes
from generator.evidence.model import Csv, JsonData, Log, Mail, Style, Text, YamlData
from generator.evidence.structured import json_bytes, yaml_bytes
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import MAIL, OFFICE, ORDER, POLICY_BLOCKS, POLISH, SHIFT, document

ANY = document("any.json", JsonData(None))


def test_csv_of_an_office_with_decimal_points() -> None:
    assert csv_bytes(ANY, Csv(ORDER), OFFICE).decode() == (
        "Line,Customer PO,Item,Description,Quantity,Unit price (customer sheet),Due\n"
        '1,CA-PO-77310,FST-M8-40,"M8 x 40 hex bolt, zinc",1200,0.89,2026-02-20\n'
        '2,CA-PO-77310,FST-M10-60,"M10 x 60 hex bolt, zinc",800,1.40,2026-02-20\n'
        '3,CA-PO-77310,0042,"=SUM(A1:A2) is ""text""",640,473.00,\n'
    )


def test_csv_of_an_office_with_decimal_commas() -> None:
    assert csv_bytes(ANY, Csv(SHIFT), POLISH).decode() == (
        "Worker;Starts;Reported;On leave;Hours\n"
        "Åse Bjørnstad;08.02.2026 22:00;09.02.2026 05:04:30Z;false;7,5\n"
        "Jürgen Müller;08.02.2026 22:00;;true;0,0\n"
    )


def test_decimal_commas_are_quoted_between_commas() -> None:
    line = csv_bytes(ANY, Csv(ORDER), Style(decimal_comma=True)).decode().splitlines()[2]
    assert line == '2,CA-PO-77310,FST-M10-60,"M10 x 60 hex bolt, zinc",800,"1,40",2026-02-20'


def test_markdown() -> None:
    assert markdown_bytes(ANY, Text("Policy", POLICY_BLOCKS[4:]), POLISH).decode() == (
        "# Policy\n\n- Credit desk: Łódź Wiśniewska\n- Deputy: Begoña Núñez\n\n"
        "- **Owner:** Åse Bjørnstad\n- **In force from:** 2026-01-15\n\n## 3. Limits\n\n"
        "| Customer | Limit | Share | Reviewed |\n| --- | ---: | ---: | --- |\n"
        "| Müller \\| Söhne GmbH | 180.000,00 | 28,24% | 15.01.2026 |\n"
        "| Hurtownia Łódź | 2.757,60 | 2,50% | 01.12.2025 |\n\n1. A second list begins at one.\n"
    )


def test_json_keeps_order_letters_and_short_numbers() -> None:
    value = {"z": Decimal("2757.60"), "a": (Decimal("473.00"), dt.date(2026, 2, 9)), "ł": None}
    assert json_bytes(ANY, JsonData(value)).decode() == (
        '{\n  "z": 2757.6,\n  "a": [\n    473,\n    "2026-02-09"\n  ],\n  "ł": null\n}\n'
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({1: "a"}, "expected a text as key, came 1"),
        ({"a": {2, 3}}, "expected plain data, came set"),
        ({"a": Decimal("0.12345678901234567890123")}, "more digits than a JSON number keeps"),
    ],
)
def test_data_that_json_cannot_hold(value: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        json_bytes(ANY, JsonData(value))


def test_yaml_without_anchors_dates_as_dates() -> None:
    day = dt.date(2026, 2, 9)
    value = {"owner": "Åse", "dates": {"from": day, "to": day}, "limit": Decimal("1.50"), "ids": ["A-1", "0042"]}
    assert yaml_bytes(ANY, YamlData(value, ("Source map", ""))).decode() == (
        "# Source map\n#\nowner: Åse\ndates:\n  from: 2026-02-09\n  to: 2026-02-09\nlimit: 1.5\n"
        "ids:\n  - A-1\n  - '0042'\n"
    )


def test_mail_as_mail_programs_keep_it() -> None:
    assert eml_bytes(ANY, MAIL) == (
        b"From: Marcus Lee <marcus.lee@northbridge-sim.example>\r\n"
        b"To: analyst@northbridge-sim.example\r\n"
        b"Subject: =?utf-8?b?WmHFvMOzxYLEhzo=?= authority for February\r\n"
        b"Date: Mon, 09 Feb 2026 05:30:00 +0000\r\n"
        b"Message-ID: <authority-0209@northbridge-sim.example>\r\n"
        b'Content-Type: text/plain; charset="utf-8"\r\n'
        b"Content-Transfer-Encoding: 8bit\r\n"
        b"MIME-Version: 1.0\r\n\r\n"
        b"Good morning,\r\n\r\nthe order batch of 2026-02-09 counts. Gru\xc3\x9f, \xc3\x85se\r\n"
    )


def test_mail_with_a_line_too_long_for_8bit_is_quoted() -> None:
    long = Mail("a@x.example", "b@x.example", "s", MAIL.date, "<m@x.example>", "ü" * 600)
    assert b"Content-Transfer-Encoding: quoted-printable" in eml_bytes(ANY, long)


def test_mail_headers_are_single_lines_and_dates_have_zones() -> None:
    with pytest.raises(EvidenceError, match="Subject: expected one line"):
        eml_bytes(ANY, Mail("a@x.example", "b@x.example", "s\nBcc: c@x.example", MAIL.date, "<m@x.example>", ""))
    with pytest.raises(EvidenceError, match="with its zone, came 2026-02-09"):
        eml_bytes(ANY, Mail("a@x.example", "b@x.example", "s", dt.datetime(2026, 2, 9), "<m@x.example>", ""))


def test_log_in_utc() -> None:
    east = dt.timezone(dt.timedelta(hours=1))
    events = ((dt.datetime(2026, 2, 3, 11, 12, tzinfo=east), "NBR", "partial import created SO-NBR-40039"),)
    assert log_bytes(ANY, Log(events)) == b"2026-02-03T10:12:00Z NBR partial import created SO-NBR-40039\n"
    with pytest.raises(EvidenceError, match="an event of one line"):
        log_bytes(ANY, Log(((events[0][0], "NBR", "a\nb"),)))
