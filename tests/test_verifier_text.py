"""The tokeniser: what counts as an identifier, a date, a number or a word, and what does not."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.text import mixed_scripts, tokenise

SPELLINGS = [
    "2757.6",
    "2757.60",
    "2,757.60",
    "$2,757.60",
    "US$2,757.60",
    "USD 2,757.60",
    "USD2,757.60",
    "2757.60USD",
    "2.757,60",
    "2 757,60",
    "2\u00a0757,60",
    "2\u202f757,60",
    "2'757.60",
    "2’757.60",
    "€2.757,60",
    "KSh2,757.60",
    "Rs2,757.60",
    "kr2.757,60",
    "**2757.60**",
    "`2757.6`",
    "|2757.6|",
    "total=2757.60.",
    "(2757.60)",
    "２７５７．６",
    "5,3,3160,2757.60,2",
    "Tot.2757.60",
    "2757.60dollars",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_amount_is_found_however_it_is_written(spelling: str) -> None:
    assert tokenise(f"The total is {spelling}").has_number(Decimal("2757.60"))


@pytest.mark.parametrize(
    "text",
    ["27576", "27.576", "2757.61", "-2757.60", "2757.60.1", "x2757.60", "2757.6e5", "v2757.6", "SO-2757", "12757.60"],
)
def test_amount_is_not_found_in_other_tokens(text: str) -> None:
    assert not tokenise(f"total {text}").has_number(Decimal("2757.60"))


def test_ambiguous_notation_has_both_readings() -> None:
    assert tokenise("2.757").numbers == {Decimal("2.757"), Decimal("2757")}
    assert tokenise("2,757").numbers == {Decimal("2.757"), Decimal("2757")}
    assert tokenise("5 300").numbers == {Decimal("5"), Decimal("300"), Decimal("5300")}
    assert tokenise("28,24 %").numbers == {Decimal("28.24")}
    assert tokenise("2 300.00").numbers == {Decimal("2300.00"), Decimal("2"), Decimal("300.00")}
    assert tokenise("2 757,60").numbers == {Decimal("2757.60"), Decimal("2"), Decimal("757.60")}


def test_a_unit_written_to_its_number_is_a_word() -> None:
    text = tokenise("3160units")
    assert [token.text for token in text.tokens] == ["3160", "units"]
    assert text.numbers == {Decimal(3160)}
    assert text.has_phrase("units")


def test_a_share_is_two_numbers() -> None:
    text = tokenise("3-of-8 rejected")
    assert text.numbers == {Decimal(3), Decimal(8)}
    assert text.count == 2


def test_a_full_stop_after_letters_ends_the_word() -> None:
    text = tokenise("Acc.5, Qty.3160, v2.1")
    assert [token.text for token in text.tokens[:4]] == ["acc", "5", "qty", "3160"]
    assert text.numbers == {Decimal(5), Decimal(3160)}


def test_an_escaped_underscore_is_an_underscore() -> None:
    assert tokenise(r"`import\_accepted\_lines`").has_phrase("import_accepted_lines")
    assert not tokenise(r"import\accepted").has_phrase("import_accepted")


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("the order is submitted", True),
        ("not submitted", False),
        ("NOT *submitted*", False),
        ("never\nsubmitted", False),
        ("no submitted order", False),
        ("not submitted on Friday, submitted today", True),
        ("not yet submitted", False),
        ("has not been submitted", False),
        ("no longer submitted", False),
        ("it isn't submitted", False),
        ("it ISN’T yet submitted", False),
        ("yet submitted", True),
        ("can it be submitted", True),
        ("part submitted", True),
        ("Is it held? No. Submitted.", True),
        ("held: no, submitted", True),
        ("| held | no |\n| submitted | yes |", True),
        ("nothing", False),
    ],
)
def test_a_negated_word_states_nothing(text: str, states: bool) -> None:
    assert tokenise(text).states_phrase("submitted") is states


def test_no_before_a_number_is_short_for_number() -> None:
    assert tokenise("order no SO-NBR-50011, invoice No. 880123").states_phrase("SO-NBR-50011")
    assert tokenise("order no SO-NBR-50011, invoice No. 880123").states_phrase("880123")
    assert not tokenise("not SO-NBR-50011").states_phrase("SO-NBR-50011")
    assert not tokenise("no import_lines").states_phrase("import_lines")


def test_identifiers_are_counted() -> None:
    assert tokenise("SO-NBR-50011, held_for_credit; 01-order-batch, 5-line order on 2026-02-09").identifiers == 3


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-05",
        "2026-02-05T05:05:00Z",
        "2026-02-05 05:05",
        "05/02/2026",
        "5.2.2026",
        "5 February 2026",
        "Feb 5, 2026",
        "5-Feb-2026",
        "05:05",
        "SO-NBR-50011",
        "SO-5",
        "units_5",
        "05-reorder.xlsx",
        "555-5-12",
        "R5",
        "1.5.5",
        "M8x5",
        "v2.5",
        "M8.5",
        "5-of-a-kind",
        "0-5-of-8",
        "Dated.5 February 2026",
        "5e3",
        "5x40",
        "4of5of6",
    ],
)
def test_five_is_not_found_in_dates_identifiers_and_codes(text: str) -> None:
    assert not tokenise(text).has_number(Decimal(5))


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "5.",
        "5,",
        "(5)",
        "#5",
        "lines:5",
        "accepted_lines=5",
        "5 lines",
        "5EA",
        "5/8",
        "+5",
        "5lines",
        "Acc.5",
        "No.5",
        "5-of-8",
        "3-of-5",
        "5-line",
    ],
)
def test_five_is_found_as_a_token(text: str) -> None:
    assert tokenise(text).has_number(Decimal(5))


def test_sign_belongs_to_the_number() -> None:
    assert tokenise("variance -40.00").numbers == {Decimal("-40.00")}
    assert tokenise("variance −$40.00").numbers == {Decimal("-40.00")}
    assert tokenise("from 30-40 units").numbers == {Decimal(30), Decimal(40)}
    assert tokenise("(40.00)").numbers == {Decimal("40.00"), Decimal("-40.00")}
    assert tokenise("-5 lines").numbers == {Decimal(5), Decimal(-5)}
    assert tokenise("- 5 lines").numbers == {Decimal(5)}


@pytest.mark.parametrize(
    "text",
    [
        "order SO-NBR-50011.",
        "so-nbr-50011",
        "(SO-NBR-50011)",
        "**SO-NBR-50011**",
        "_SO-NBR-50011_",
        "SO‑NBR‑50011",
        "SO-NBR-50011/submitted",
        "SO-NBR-50011's lines",
    ],
)
def test_identifier_is_found_as_a_whole_token(text: str) -> None:
    assert tokenise(text).has_phrase("SO-NBR-50011")


@pytest.mark.parametrize(
    "text",
    [
        "SO-NBR-500110",
        "XSO-NBR-50011",
        "X-SO-NBR-50011",
        "SO-NBR-50011-A",
        "SO-NBR-5001",
        "SO NBR 50011",
        "ЅO-NBR-50011",
        "SО-NBR-50011",
        "SO-NBR-50011а",
    ],
)
def test_identifier_is_not_found_in_others(text: str) -> None:
    assert not tokenise(text).has_phrase("SO-NBR-50011")


def test_lookalike_letters_never_match_not_even_themselves() -> None:
    assert mixed_scripts("submіtted")
    assert not mixed_scripts("zażółć")
    assert not tokenise("submіtted").has_phrase("submіtted")
    assert not tokenise("submіtted").has_phrase("submitted")


def test_phrase_is_words_in_sequence() -> None:
    text = tokenise("We IMPORT the accepted lines, at current list prices.")
    assert text.has_phrase("import the accepted lines at current list prices")
    assert not text.has_phrase("accepted the import")
    assert not text.has_phrase("current list price")
    assert not text.has_phrase("")
    assert not text.has_phrase("...")


def test_names_that_are_no_identifiers_are_found_as_sequences() -> None:
    assert tokenise("invoice INV/2026/0815 entered").has_phrase("INV/2026/0815")
    assert tokenise("receipt 880123 applied").has_phrase("880123")
    assert not tokenise("receipt 8801234 applied").has_phrase("880123")


def test_invisible_characters_do_not_split_or_hide() -> None:
    assert tokenise("27\u200b57.60").has_number(Decimal("2757.60"))
    assert tokenise("SO-\u00adNBR-50011").has_phrase("SO-NBR-50011")


def test_numbers_are_counted() -> None:
    assert tokenise("5, 3, 3160; SO-NBR-50011 on 2026-02-09").count == 3
    assert tokenise("5,3,3160,2757.6,2").count == 5
    assert tokenise(" ".join(str(number) for number in range(60))).count == 60
    assert tokenise("73,50 28,24").count == 2


def written(value: Decimal, group: str, point: str) -> str:
    whole, _, decimals = f"{value:f}".partition(".")
    parts = []
    while len(whole) > 3:
        whole, last = whole[:-3], whole[-3:]
        parts.append(last)
    return group.join([whole, *reversed(parts)]) + (point + decimals if decimals else "")


amounts = (
    st.integers(min_value=0, max_value=10**11)
    .map(lambda cents: Decimal(cents) / 100)
    .map(lambda value: value.quantize(Decimal("0.01")))
)


@given(amounts, st.sampled_from([(",", "."), (".", ","), (" ", ","), (" ", "."), ("'", "."), ("", "."), ("", ",")]))
def test_every_amount_is_found_in_every_notation(value: Decimal, marks: tuple[str, str]) -> None:
    group, point = marks
    assert tokenise(f"sum: {written(value, group, point)} in all").has_number(value)


@given(st.text())
def test_any_text_has_tokens_that_are_part_of_it(raw: str) -> None:
    text = tokenise(raw)
    assert all(token.text for token in text.tokens)
    assert all(number.is_finite() for number in text.numbers)


@given(st.text(alphabet="ab5-_., '\n(é)/:Ж$", max_size=40), st.sampled_from([" ", "\n", "; ", " | "]))
def test_separated_texts_keep_their_own_tokens(raw: str, separator: str) -> None:
    together = tokenise(f"{raw}{separator}word")
    assert together.tokens[:-1] == tokenise(raw).tokens
    assert together.tokens[-1].text == "word"


@given(st.from_regex(r"[A-Za-z]{1,6}([-_][A-Za-z0-9]{1,6}){1,4}", fullmatch=True))
def test_an_identifier_is_one_token_and_holds_no_number(name: str) -> None:
    text = tokenise(f"see {name}, please")
    assert [token.kind for token in text.tokens] == ["word", "identifier", "word"]
    assert (text.numbers, text.has_phrase(name.upper())) == (frozenset(), True)


@given(st.integers(min_value=0, max_value=99999), st.integers(min_value=0, max_value=99999))
def test_a_number_is_found_only_where_it_stands_whole(found: int, sought: int) -> None:
    assert tokenise(f"there are {found} of them").has_number(Decimal(sought)) == (found == sought)


units = st.sampled_from(["EA", "units", "pieces", "lines", "kg", "Stück"])


@given(st.integers(min_value=0, max_value=99999), st.integers(min_value=0, max_value=99999), units)
def test_a_number_with_its_unit_is_found_only_where_it_stands_whole(found: int, sought: int, unit: str) -> None:
    assert tokenise(f"there are {found}{unit} of them").has_number(Decimal(sought)) == (found == sought)
    assert tokenise(f"Qty.{found}, all").has_number(Decimal(sought)) == (found == sought)


@given(st.integers(min_value=1, max_value=999), st.integers(min_value=0, max_value=99999))
def test_groups_by_spaces_have_no_readings_but_the_whole_and_its_parts(head: int, cents: int) -> None:
    tail = f"{cents // 100:03d}.{cents % 100:02d}"
    parts = {Decimal(head), Decimal(tail)}
    assert tokenise(f"sum {head} {tail} in all").numbers == parts | {Decimal(f"{head}{tail}")}


@given(st.dates().filter(lambda day: day.year > 1900 and day.year < 2100), st.sampled_from(["On.", "on ", "(", "\n"]))
def test_a_date_holds_no_number(day: dt.date, before: str) -> None:
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d %B %Y"):
        assert tokenise(f"{before}{day.strftime(form)}, as said").numbers == frozenset()
