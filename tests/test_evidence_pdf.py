"""PDF forms: embedded font, own date, page numbers, repeated headers, nothing cut."""

import io
import os
from unittest.mock import patch

import pytest
from pypdf import PdfReader

from generator.evidence.fonts import REGULAR, text_width
from generator.evidence.model import Bullets, Column, Form, Heading, Pairs, Paragraph, Table
from generator.evidence.parse import parse
from generator.evidence.parse_pdf import page_marks
from generator.evidence.pdf import pdf_bytes
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import AMERICAN, FORM, LONG_CODE, LONG_NOTE, OFFICE, POLISH, document, sample

COUNT = sample("count.pdf")


def reader(style: object = POLISH) -> PdfReader:
    return PdfReader(io.BytesIO(pdf_bytes(COUNT, FORM, style)))  # type: ignore[arg-type]


def test_every_page_carries_its_number_and_the_table_header() -> None:
    pages = [page.extract_text() for page in reader().pages]
    assert len(pages) == 3
    for number, text in enumerate(pages, 1):
        assert f"Page {number} of 3" in text
        assert "Hurtownia Żelazna Sp. z o.o. · Stock count 2026-02" in text
    assert ["Counted by" in text for text in pages] == [True, True, False]


def test_properties_name_document_and_date() -> None:
    info = reader().metadata
    assert info is not None
    assert (info.title, info.author, info.creator) == (
        "Stock count 2026-02", "Åse Bjørnstad", "Hurtownia Żelazna Sp. z o.o.",
    )  # fmt: skip
    assert {str(info["/CreationDate"]), str(info["/ModDate"])} == {"D:20260209060000+00'00'"}


def test_only_embedded_roboto_writes_text() -> None:
    written = set()
    for page in reader().pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            entry = font.get_object()
            if "/FontDescriptor" in entry:
                assert "/FontFile2" in entry["/FontDescriptor"].get_object()
                written.add(entry["/BaseFont"])
    assert written == {"/AAAAAA+Roboto-Regular", "/AAAAAA+Roboto-Bold"}


def test_pages_are_plain_and_a_short_form_is_small() -> None:
    short = Form(FORM.letterhead, FORM.title, FORM.blocks[:3])
    data = pdf_bytes(COUNT, short, OFFICE)
    assert b"(SC-0209) Tj" in data
    assert len(data) < 26_000


def test_no_text_leaves_the_paper() -> None:
    for style, width in ((POLISH, 595.3), (AMERICAN, 612)):
        opened = reader(style)
        assert float(opened.pages[0].mediabox.width) == pytest.approx(width, abs=0.1)
        for page in opened.pages:
            marks = page_marks(page, opened)
            body = [fragment for fragment in marks.fragments if fragment.y > 31]
            assert {fragment.y for fragment in marks.fragments} - {fragment.y for fragment in body} == {30.0}
            assert min(fragment.y for fragment in body) >= 54
            assert min(fragment.x for fragment in body) >= 48
            # Not less than the narrowest type: a longer line would reach beyond the margin.
            assert max(fragment.x + text_width(fragment.text.rstrip(), REGULAR, 6.5) for fragment in body) <= width - 48


def test_date_and_id_do_not_come_from_the_environment() -> None:
    plain = pdf_bytes(COUNT, FORM, OFFICE)
    with patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1"}):
        assert pdf_bytes(COUNT, FORM, OFFICE) == plain
        assert os.environ["SOURCE_DATE_EPOCH"] == "1"


def test_long_cells_long_codes_and_endless_rows_come_back_whole() -> None:
    table = Table((Column("Code"), Column("Note"), Column("No.", "integer")), (
        (LONG_CODE, LONG_NOTE, 1), ("short", " ".join([LONG_NOTE] * 40), 1234567), ("last", "", 3),
    ))  # fmt: skip
    made = document("a.pdf", Form(("Firm",), "Title", (Heading("Rows"), table)))
    read = parse("a.pdf", pdf_bytes(made, made.body, OFFICE), OFFICE)  # type: ignore[arg-type]
    assert read.table("Code").rows == (
        (LONG_CODE, LONG_NOTE, 1), ("short", " ".join([LONG_NOTE] * 40), 1234567), ("last", None, 3),
    )  # fmt: skip


def test_paragraphs_and_values_over_a_page_break_come_back_whole() -> None:
    long = " ".join([LONG_NOTE] * 12)
    pairs = Pairs((("Remark", long), ("Empty", "")))
    blocks = (Paragraph(long), pairs, Bullets((long, "short")), Paragraph("End: here"))
    made = document("a.pdf", Form(("Firm",), "Title", blocks * 3))
    read = parse("a.pdf", pdf_bytes(made, made.body, OFFICE), OFFICE)  # type: ignore[arg-type]
    assert read.lines == ("Firm", "Title", *(long, f"• {long}", "• short", "End: here") * 3)
    assert read.pairs == (("Remark", long), ("Empty", "")) * 3


def test_lacking_glyph() -> None:
    made = document("done.pdf", Form((), "Done ✓", ()))
    with pytest.raises(EvidenceError, match=r"done\.pdf: the font has no glyph for U\+2713"):
        pdf_bytes(made, made.body, OFFICE)  # type: ignore[arg-type]
