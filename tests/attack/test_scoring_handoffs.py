"""Handoffs that would be taken for right ones: stuffed, disguised, hidden, negated, exchanged. By the real contract.

A draft that fails costs its 5 points and nothing else (criterion 27), a post likewise (28). What honest people write
stays strict, and stands here beside the attack that it resembles.
"""

from pathlib import Path

import pytest

from tests.attack.scoring import (
    DRAFT_TEXT,
    FIGURES,
    LABEL,
    OPTION,
    OTHER,
    OTHER_LABEL,
    OTHERS,
    POST_TEXT,
    Played,
)
from tests.attack_table import Seen

FAILS = ((27,), 95)
STRICT = ((), 100)
ZERO_WIDTH = "\u200b"


@pytest.fixture(scope="module")
def played(task_001: Path) -> Played:
    return Played(task_001)


def cyrillic(name: str) -> str:
    return name.translate(str.maketrans("aceopxs", "асеорхѕ"))


def fullwidth(name: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in name)


def bold(name: str) -> str:
    return "".join(chr(ord(letter) - 97 + 0x1D41A) if letter.isalpha() else letter for letter in name)


def greek(name: str) -> str:
    return name.translate(str.maketrans("aobtpn", "αοβτρη"))


BETWEEN = ZERO_WIDTH.join
DISGUISES: dict[str, str] = {
    "Cyrillic letters": cyrillic(OTHER),
    "one Cyrillic letter": OTHER.replace("e", "е", 1),
    "Cyrillic capitals": OTHER.upper().translate(str.maketrans("ACEOPST", "АСЕОРЅТ")),
    "Greek letters": greek(OTHER),
    "fullwidth letters": fullwidth(OTHER),
    "mathematical bold": bold(OTHER),
    "small capitals": OTHER.translate(str.maketrans("abcdeo", "ᴀʙᴄᴅᴇᴏ")),
    "accents": OTHER.replace("a", "á").replace("o", "o\u0300"),
    "zero-width characters": BETWEEN(OTHER),
    "soft hyphens": OTHER.replace("_", "\u00ad_"),
    "a joiner that shows nothing": OTHER.replace("a", "a\u034f"),
    "blank letters": OTHER.replace("_", "\u3164_"),
    "hyphens for underscores": OTHER.replace("_", "-"),
    "escaped underscores": OTHER.replace("_", "\\_"),
    "its label in Cyrillic letters": cyrillic(OTHER_LABEL),
    "its label with accents": OTHER_LABEL.replace("e", "é"),
}


@pytest.mark.attack("scoring", "draft names a second option in {name}", expected="95: the draft fails", flaw=5)
@pytest.mark.parametrize("name", DISGUISES)
def test_second_option_in_disguise(played: Played, seen: Seen, name: str) -> None:
    found = played.draft(f"{DRAFT_TEXT} Or else: {DISGUISES[name]}.")
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == FAILS


STUFFED: dict[str, str] = {
    "all four options": DRAFT_TEXT + " Else " + ", ".join(OTHERS),
    "the other options' labels": DRAFT_TEXT + " " + OTHER_LABEL,
    "every number up to 60": DRAFT_TEXT + " ".join(str(number) for number in range(61)),
    "the counts in one list of all counts": f"{OPTION} ${{primary}} 3160 2757.60 " + ",".join(map(str, range(40))),
    "every order number": DRAFT_TEXT + " ".join(f"SO-NBR-{50_000 + number}" for number in range(45)),
    "more characters than may be": DRAFT_TEXT + " and so on" * 400,
    "no option": FIGURES + "Order ${primary}.",
    "its option in Cyrillic letters only": DRAFT_TEXT.replace(OPTION, cyrillic(OPTION)),
    "its option in part of a longer name": DRAFT_TEXT.replace(OPTION, OPTION + "_later"),
    "its order in part of a longer number": DRAFT_TEXT.replace("${primary}", "${primary}0"),
}
OTHER_NUMBERS: dict[str, str] = {
    "digits before": FIGURES.replace("3160", "13160"),
    "digits after": FIGURES.replace("3160", "31600"),
    "no decimal point": FIGURES.replace("2757.60", "275760"),
    "a part number": FIGURES.replace("3160", "FST-3160"),
    "an exponent": FIGURES.replace("3160", "3.16e3"),
    "a power of ten": FIGURES.replace("3160", "3160e0"),
    "hexadecimal": FIGURES.replace("3160", "0xC58"),
    "a date": FIGURES.replace("lines: 5", "lines: 2026-02-05"),
    "a version": FIGURES.replace("3160", "v3.160"),
    "the other sign": FIGURES.replace("3160", "total -3160"),
    "Arabic-Indic digits": FIGURES.replace("3160", "٣١٦٠"),
    "words": FIGURES.replace("3160", "three thousand one hundred and sixty"),
    "the cents off by one": FIGURES.replace("2757.60", "2757.61"),
}
UNSTATED: dict[str, str] = {
    "not before each figure": FIGURES.replace(": ", ": not "),
    "never before one figure": FIGURES.replace("3160", "never 3160"),
    "isn't before one figure": FIGURES.replace(": 3160", " isn't 3160"),
    "figures struck out": FIGURES.replace(": ", ": ~~").replace("\n", "~~\n"),
    "one figure struck out in HTML": FIGURES.replace("3160", "<del>3160</del> 9999"),
    "figures in a comment": f"<!-- {FIGURES} -->",
    "figures in a comment without end": f"<!-- {FIGURES}",
    "figures in white letters": f"<p style='color: #ffffff'>{FIGURES}</p>",
    "figures in white letters, an old way": f'<font color="white">{FIGURES}</font>',
    "figures in no size": f'<span style="font-size:0px">{FIGURES}</span>',
    "figures not displayed": f'<div style="display : none">{FIGURES}<div>5</div>3</div>',
    "figures hidden": f"<div hidden>{FIGURES}</div>",
    "figures transparent": f'<i style="opacity:0">{FIGURES}</i>',
}
EXCHANGED: dict[str, str] = {
    "two counts": FIGURES.replace("lines: 5", "lines: X").replace("lines: 3", "lines: 5").replace("X", "3"),
    "all five in a ring": "Accepted lines 3, rejected lines 3160, imported units 2757.60, order total 2, "
    "duplicate lines 5. ",
    "by the contract's names": "accepted_lines=3; rejected_lines=5; imported_units=3160; order_total=2757.60; "
    "duplicate_lines=2. ",
    "in a table": "| accepted lines | 3 |\n| rejected lines | 2 |\n| duplicate lines | 5 |\n| imported units | 3160 |\n"
    "| order total | 2757.60 |\n",
    "units and total": FIGURES.replace("3160", "X").replace("2757.60", "USD 3,160.00").replace("X", "2,757.60"),
}


def body(figures: str) -> str:
    return f"Proposal: {OPTION}\n{figures}Order ${{primary}} waits for your review."


@pytest.mark.attack("scoring", "draft with {name}", expected="95: the draft fails", flaw=5)
@pytest.mark.parametrize("name", STUFFED)
def test_stuffed_draft(played: Played, seen: Seen, name: str) -> None:
    found = played.draft(STUFFED[name])
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == FAILS


@pytest.mark.attack("scoring", "a figure as {name}", expected="95: the draft fails", flaw=5)
@pytest.mark.parametrize("name", OTHER_NUMBERS)
def test_figure_in_other_tokens(played: Played, seen: Seen, name: str) -> None:
    found = played.draft(body(OTHER_NUMBERS[name]))
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == FAILS


@pytest.mark.attack("scoring", "draft with {name}", expected="95: the draft fails", flaw=5)
@pytest.mark.parametrize("name", UNSTATED)
def test_figures_that_are_not_stated(played: Played, seen: Seen, name: str) -> None:
    found = played.draft(body(UNSTATED[name]))
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == FAILS


@pytest.mark.attack("scoring", "figures exchanged: {name}", expected="95: the draft fails", flaw=5)
@pytest.mark.parametrize("name", EXCHANGED)
def test_exchanged_figures(played: Played, seen: Seen, name: str) -> None:
    found = played.draft(body(EXCHANGED[name]))
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == FAILS


HONEST: dict[str, str] = {
    "the label in place of the option": DRAFT_TEXT.replace(OPTION, LABEL),
    "a quotation": "\n".join("> " + line for line in DRAFT_TEXT.split("\n")),
    "code": f"```\n{DRAFT_TEXT}\n```",
    "commas": DRAFT_TEXT.replace("3160", "3,160").replace("2757.60", "2,757.60"),
    "full stops": DRAFT_TEXT.replace("3160", "3.160").replace("2757.60", "2.757,60"),
    "white letters on a dark ground": DRAFT_TEXT.replace("3160", "<b style='color:#fff;background:#333'>3160</b>"),
    "a figure corrected": DRAFT_TEXT.replace("3160", "~~3610~~ 3160").replace("lines: 5", "lines: not 8 but 5"),
    "about": DRAFT_TEXT + " That took ~5 minutes of ~8.",
    "a row of heads": body("| accepted lines | rejected lines | imported units | order total | duplicate lines |\n"
                           "|---|---|---|---|---|\n| 5 | 3 | 3160 | 2757.60 | 2 |\n"),
    "counts before their names": body("5 accepted lines, 3 rejected lines (2 duplicate lines among them). Imported "
                                      "units 3,160, order total USD 2,757.60.\n"),
    "lines by their numbers": body("Rejected lines: 3, 6 and 8, so 3 rejected; accepted lines: 8 - 3 = 5; duplicate "
                                   "lines: 3 and 8, that is 2. Imported units 3160, order total 2757.60.\n"),
    "one name with another figure": body("Rejected lines 2 and 5 came twice. Accepted lines: 5, rejected: 3, units "
                                         "3160, total 2757.60, duplicates 2.\n"),
    "letters of other languages": DRAFT_TEXT + " Z poważaniem, Łucja Żółć; Με εκτίμηση; С уважением, Пётр; 敬具",
    "comparison signs": DRAFT_TEXT + " Exposure < limit > 0, a<b.",
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_draft_stays_strict(played: Played, name: str) -> None:
    assert played.draft(HONEST[name]) == STRICT


POSTS: dict[str, str] = {
    "the status negated": POST_TEXT.replace("is submitted", "is not submitted"),
    "the status not yet true": POST_TEXT.replace("is submitted", "has not yet been submitted"),
    "the status denied in short": POST_TEXT.replace("is submitted", "isn't submitted"),
    "the status struck out": POST_TEXT.replace("submitted", "~submitted~"),
    "every status": POST_TEXT + " held_for_credit_release, not_imported",
    "a second status in Cyrillic": POST_TEXT + " " + cyrillic("held_for_credit_release"),
    "a word that contains the status": POST_TEXT.replace("submitted", "resubmitted"),
    "no record": "The order is submitted.",
}


@pytest.mark.attack("scoring", "post with {name}", expected="95: the post fails", flaw=5)
@pytest.mark.parametrize("name", POSTS)
def test_post(played: Played, seen: Seen, name: str) -> None:
    found = played.post(POSTS[name])
    seen(f"score {found[1]}, failed {found[0]}")
    assert found == ((28,), 95)


@pytest.mark.parametrize("text", ["SUBMITTED: ${primary}", "> ${primary} submitted", "not held; submitted, ${primary}"])
def test_honest_post_stays_strict(played: Played, text: str) -> None:
    assert played.post(text) == STRICT
