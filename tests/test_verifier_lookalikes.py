"""Lookalike letters: what a reader takes for a Latin name is folded to it, and what he does not is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.lookalikes import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("stop_and_escalate", "stop_and_escalate"),
        ("ѕtор_аnԁ_еѕсаlаtе", "stop_and_escalate"),
        ("АВСЕ", "ABCE"),
        ("ΗΟΤ", "HOT"),
        ("ηοτ", "not"),
        ("ｓｔｏｐ", "stop"),
        ("𝐬𝐭𝐨𝐩", "stop"),
        ("ⓢⓣⓞⓟ", "stop"),
        ("ꜱᴛᴏᴘ", "stop"),
        ("stóp", "stop"),
        ("sto\u0337p", "stop"),
        ("s\u200bt\u00adop", "stop"),
        ("st\u034fop", "stop"),
        ("s\u3164t\u2800op", "stop"),
        ("ıƚłø", "iƚlo"),
        ("stop-and\u2011escalate", "stop_and_escalate"),
        ("stop\\_and", "stop_and"),
        ("stop--_and", "stop_and"),
        ("stop - and", "stop - and"),
        ("-5", "-5"),
        ("敬具", "敬具"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_twice_changes_nothing_more_in_plain_text(text: str) -> None:
    once = fold(text)
    if once.isascii():
        assert fold(once) == once


@given(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,4}", fullmatch=True))
def test_latin_words_stay_as_they_are(text: str) -> None:
    assert fold(text) == text
