"""The numbers of a text: which there are, and which are stated rather than denied."""

from decimal import Decimal

import pytest

from verifier.text import Token, tokenise

NUMBERS: dict[str, set[str]] = {
    "1000 2 757,60": {"1000", "2", "757.60", "2757.60"},
    "1 234 567": {"1", "234", "567", "1234", "234567", "1234567"},
    "5 30": {"5", "30"},
    "5  300": {"5", "300"},
    "5; 300": {"5", "300"},
    "sum -2 757,60": {"-2", "757.60", "-2757.60"},
    "5 -": {"5"},
    "(40.00 net)": {"40.00"},
    "40.00)": {"40.00"},
    "(40.00 )": {"40.00"},
    "(28.24%)": {"28.24", "-28.24"},
    "(5%%)": {"5"},
    "(5X)": {"5"},
    ")-5": {"5"},
    "]-5": {"5"},
    "sum –40.00": {"40.00", "-40.00"},
    "all:\n-5 lines": {"5", "-5"},
    "all -5 lines": {"-5"},
    "-$5": {"5", "-5"},
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_of_a_text(text: str) -> None:
    assert tokenise(text).numbers == {Decimal(number) for number in NUMBERS[text]}


def test_groups_by_spaces_end_at_the_length_of_a_figure() -> None:
    """A head of one digit and thirteen groups are forty digits: one more group may follow, and no second one."""
    numbers = tokenise("1" + " 234" * 15).numbers
    assert Decimal("1" + "234" * 14) in numbers
    assert Decimal("1" + "234" * 15) not in numbers


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("5 lines", True),
        ("not 5 lines", False),
        ("isn't 5", False),
        ("no 5", True),
        ("not 6 but 5", True),
        ("5, not 5", True),
        ("not 5, never 5", False),
        ("not yet 5", False),
    ],
)
def test_a_negated_number_is_there_and_not_stated(text: str, states: bool) -> None:
    assert tokenise(text).has_number(Decimal(5))
    assert tokenise(text).states_number(Decimal(5)) is states


def test_a_negated_number_in_groups_is_not_stated() -> None:
    text = tokenise("not 2 757,60")
    assert (text.has_number(Decimal("2757.60")), text.states_number(Decimal("2757.60"))) == (True, False)


def test_tokens_of_dates_and_negations() -> None:
    day, month = Token("date", "2026-02-09", negated=True), Token("date", "9 february 2026")
    assert tokenise("not 2026-02-09; 9 February 2026").tokens == (Token("word", "not"), day, month)
    assert not tokenise("n't submitted").states_phrase("submitted")


def test_a_run_that_is_no_figure_is_no_number() -> None:
    assert (tokenise("9" * 41).count, tokenise("9" * 40).count) == (0, 1)
    assert tokenise("2.7.1").count == 0
