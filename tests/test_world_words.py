"""Search words: terms, groups, phrases and what is refused."""

import pytest
from erpbench_world.errors import InvalidArguments
from erpbench_world.words import Term, alternatives
from hypothesis import given
from hypothesis import strategies as st

NAMES = ("from", "subject")


def terms(text: str) -> list[list[Term]]:
    return alternatives(text, "q", NAMES, ("has",))


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("", []),
        ("price list", [[Term(None, ("price",))], [Term(None, ("list",))]]),
        ('"price list"', [[Term(None, ("price list",))]]),
        ("FROM:lee -draft", [[Term("from", ("lee",))], [Term(None, ("draft",), True)]]),
        ('-subject:"for review"', [[Term("subject", ("for review",), True)]]),
        ("subject:(price batch)", [[Term("subject", ("price", "batch"))]]),
        ("a OR b c", [[Term(None, ("a",)), Term(None, ("b",))], [Term(None, ("c",))]]),
        ("Re: x", [[Term(None, ("Re:",))], [Term(None, ("x",))]]),
        ("a - b", [[Term(None, ("a",))], [Term(None, ("-",))], [Term(None, ("b",))]]),
        ("ORDER", [[Term(None, ("ORDER",))]]),
        ("CA-PO-77310", [[Term(None, ("CA-PO-77310",))]]),
    ],
)
def test_terms(text: str, groups: list[list[Term]]) -> None:
    assert terms(text) == groups


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("has:attachment", "q: has: is not supported; the operators are from:, subject: and -"),
        ('"open', "q: expected a closing quote at character 1"),
        ("subject:(open", "q: expected a closing parenthesis after character 9"),
        (" ".join(["x"] * 41), "q: expected at most 40 terms"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        terms(text)
    assert str(caught.value).startswith(message)


@given(st.text(alphabet='ab:"()- \t\\\'OR', max_size=30))
def test_any_text_gives_terms_or_is_invalid(text: str) -> None:
    try:
        groups = terms(text)
    except InvalidArguments:
        return
    assert all(group for group in groups)
