"""Lines, columns and characters: nothing is cut, and a lacking glyph is an error that names it."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.evidence.characters import check_characters
from generator.evidence.columns import fit, texts_of
from generator.evidence.fonts import BOLD, REGULAR, glyphs, text_width
from generator.evidence.lines import BREAK, wrap
from generator.evidence.model import Column, Csv, Form, Paragraph, Table
from generator.evidence.parse_pdf import joined
from generator.spec.errors import EvidenceError
from tests.test_evidence_sample import OFFICE, STOCK, document

WORDS = st.lists(st.text("abcdefghijŁódźśü0123456789-.,()", min_size=1, max_size=40), min_size=1, max_size=30)


@given(WORDS, st.floats(20, 400))
def test_wrapped_lines_fit_and_give_the_text_again(words: list[str], width: float) -> None:
    text = " ".join(words)
    lines = wrap(text, width, REGULAR, 8)
    assert joined(lines).rstrip(" ") == text
    assert all(text_width(line.rstrip(" "), REGULAR, 8) <= width or len(line.rstrip(BREAK)) == 1 for line in lines)


def test_wrap_marks_where_a_line_goes_on() -> None:
    width = text_width("one two", REGULAR, 10)
    assert wrap("one two three", width, REGULAR, 10) == ["one two ", "three"]
    assert wrap("one\ntwo", width, REGULAR, 10) == ["one ", "two"]
    assert wrap("aaaa", text_width("aa", REGULAR, 10), REGULAR, 10) == [f"aa{BREAK}", "aa"]


def test_columns_fill_the_room_and_hold_their_widest_word() -> None:
    texts = texts_of(STOCK, OFFICE)
    size, widths = fit(texts, 500, (8.5, 8.0, 7.5, 7.0, 6.5), 4)
    assert sum(widths) == pytest.approx(500)
    for index in range(7):
        cells = [row[index] for row in texts.rows]
        assert max(text_width(cell, REGULAR, size) for cell in cells) + 8 <= widths[index]
        assert text_width(texts.header[index], BOLD, size) + 8 <= widths[index] + 0.01


def test_narrow_room_takes_the_smallest_type() -> None:
    size, widths = fit(texts_of(STOCK, OFFICE), 120, (8.5, 6.5), 4)
    assert size == 6.5
    assert sum(widths) == pytest.approx(120)


def test_font_has_the_letters_of_our_offices() -> None:
    alphabet = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻäöüßÄÖÜåæøÅÆØñçãõáéíğışİŞčřžůýěşţăâîșț€£ŐőŰű–—’“”„•·≤≥×°½"
    assert [letter for letter in alphabet if ord(letter) not in glyphs()] == []


def test_a_lacking_glyph_is_named_with_its_document() -> None:
    lacking = document("count.pdf", Form((), "Count", (Paragraph("done \u2713"),)))
    with pytest.raises(EvidenceError, match=r"count\.pdf: the font has no glyph for U\+2713 CHECK MARK"):
        check_characters(lacking, OFFICE, glyphs())


def test_a_control_character_is_refused_in_every_table() -> None:
    with pytest.raises(EvidenceError, match=r"a\.csv: U\+0007 control character"):
        check_characters(document("a.csv", Csv(Table((Column("A"),), (("x\a",),)))), OFFICE)


def test_a_ragged_row_is_refused() -> None:
    ragged = Csv(Table((Column("A"), Column("B", "money")), (("x", Decimal(1)), ("y",))))
    with pytest.raises(EvidenceError, match=r"a\.csv: row 2: expected 2 cells, came 1"):
        check_characters(document("a.csv", ragged), OFFICE)
