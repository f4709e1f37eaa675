"""Word documents: real lists, headings and table headers, page numbers as fields, fixed properties."""

import datetime as dt
import io
import zipfile
from typing import Any

import docx
from docx.oxml.ns import qn

from generator.evidence.docx import docx_bytes
from generator.evidence.model import Text
from tests.test_evidence_sample import AMERICAN, POLICY_BLOCKS, POLISH, STOCK, sample

POLICY = Text("Credit policy R6", (*POLICY_BLOCKS, STOCK))


def opened(style: Any = POLISH) -> Any:
    return docx.Document(io.BytesIO(docx_bytes(sample("policy.docx"), POLICY, style)))


def test_paragraphs_have_their_styles() -> None:
    styles = [(p.style.name, p.text) for p in opened().paragraphs if p.text]
    assert styles[0] == ("Title", "Credit policy R6")
    assert styles[2] == ("Heading 1", "1. Rules")
    assert styles[3] == ("List Number", "Work out the exposure on the day of the order.")
    assert styles[7] == ("List Bullet", "Credit desk: Łódź Wiśniewska")
    assert styles[9] == ("Normal", "Owner:\tÅse Bjørnstad")


def test_each_numbered_list_begins_at_one() -> None:
    word = opened()
    lists = [p._p.pPr.numPr.numId.val for p in word.paragraphs if p.style.name == "List Number"]
    assert lists[0] == lists[1] == lists[2] != lists[3]
    numbering = {num.numId: num for num in word.part.numbering_part.element.num_lst}
    for number in set(lists):
        override = numbering[number].find(qn("w:lvlOverride"))
        assert override.find(qn("w:startOverride")).get(qn("w:val")) == "1"


def test_tables_repeat_their_header_and_stand_right_where_they_count() -> None:
    table = opened().tables[1]
    first, second = table._tbl.tr_lst[:2]
    assert first.trPr.find(qn("w:tblHeader")) is not None
    assert second.trPr.find(qn("w:tblHeader")) is None
    assert [cell.text for cell in table.rows[1].cells][:7] == [
        "1", "PRT-1001", "Jürgen Müller", "02.01.2026", "37", "1.234,57", "-7,25%",
    ]  # fmt: skip
    assert table.rows[1].cells[5].paragraphs[0].alignment == 2


def test_footer_counts_pages_by_fields() -> None:
    footer = opened().sections[0].footer.paragraphs[0]
    assert footer.text == "Credit policy R6\tPage 1 of 1"
    codes = [element.text.strip() for element in footer._p.iter(qn("w:instrText"))]
    assert codes == ["PAGE", "NUMPAGES"]


def test_properties_and_paper() -> None:
    word = opened(AMERICAN)
    core = word.core_properties
    assert (core.author, core.last_modified_by, core.title) == ("Åse Bjørnstad", "Åse Bjørnstad", "Credit policy R6")
    assert core.created.replace(tzinfo=None) == core.modified.replace(tzinfo=None) == dt.datetime(2026, 2, 9, 6, 0)
    assert (core.comments, core.revision) == ("", 2)
    assert (round(word.sections[0].page_width.inches, 2), round(word.sections[0].page_height.inches, 2)) == (8.5, 11.0)


def test_no_thumbnail_of_the_template_is_left() -> None:
    with zipfile.ZipFile(io.BytesIO(docx_bytes(sample("policy.docx"), POLICY, POLISH))) as archive:
        assert [name for name in archive.namelist() if "thumbnail" in name] == []
