"""The archive: fixed order, dates and attributes, and a compressor whose bytes are those of the committed vector."""

import io
import zipfile
import zlib
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from generator.evidence.zipping import deflated, pack, repack

GOLDEN = Path(__file__).parent / "golden"


def test_compressor_gives_the_committed_bytes() -> None:
    plain = (GOLDEN / "deflate_vector.xml").read_bytes()
    packed = (GOLDEN / "deflate_vector.deflate").read_bytes()
    assert deflated(plain) == packed
    assert zlib.decompress(packed, wbits=-15) == plain


def test_content_types_come_first_then_relationships_then_names_in_order() -> None:
    archive = pack({"b.xml": b"2", "_rels/.rels": b"1", "a.xml": b"3", "[Content_Types].xml": b"0"})
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.namelist() == ["[Content_Types].xml", "_rels/.rels", "a.xml", "b.xml"]


def test_members_carry_no_trace_of_time_or_machine() -> None:
    with zipfile.ZipFile(io.BytesIO(pack({"a.xml": b"x" * 1000}))) as opened:
        info = opened.getinfo("a.xml")
    assert info.date_time == (1980, 1, 1, 0, 0, 0)
    assert (info.create_system, info.external_attr >> 16, info.compress_type) == (3, 0o100644, zipfile.ZIP_DEFLATED)
    assert (info.file_size, info.extra, info.comment) == (1000, b"", b"")


def test_header_of_a_small_archive_byte_by_byte() -> None:
    # Two bytes come as a stored block: 01, the length, its complement, 'hi'. Their CRC is d8932aac.
    header = "504b0304 1400 0000 0800 0000 2100 ac2a93d8 07000000 02000000 0100 0000"
    assert pack({"a": b"hi"}).startswith(bytes.fromhex(header) + b"a" + bytes.fromhex("01 0200 fdff 6869"))


NAMES = st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8})?\.xml", fullmatch=True)


@given(st.dictionaries(NAMES, st.binary(max_size=400), max_size=6))
def test_zipfile_reads_back_every_member(members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(pack(members))) as opened:
        assert opened.testzip() is None
        assert {name: opened.read(name) for name in opened.namelist()} == members


def test_repack_is_independent_of_how_the_source_was_packed() -> None:
    first, second = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(first, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.xml", b"one")
        archive.writestr("b.xml", b"two")
    with zipfile.ZipFile(second, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.xml", b"two")
        archive.writestr("a.xml", b"one")
    assert repack(first.getvalue()) == repack(second.getvalue())


def test_openpyxl_and_python_docx_read_repacked_files() -> None:
    workbook, stored = Workbook(), io.BytesIO()
    workbook.worksheets[0]["B2"] = "Łódź"
    workbook.save(stored)
    assert load_workbook(io.BytesIO(repack(stored.getvalue()))).worksheets[0]["B2"].value == "Łódź"
    word, saved = docx.Document(), io.BytesIO()
    word.add_paragraph("Müller")
    word.save(saved)
    assert [p.text for p in docx.Document(io.BytesIO(repack(saved.getvalue()))).paragraphs] == ["Müller"]


def test_refuses_what_is_no_zip() -> None:
    with pytest.raises(zipfile.BadZipFile):
        repack(b"not a zip")
