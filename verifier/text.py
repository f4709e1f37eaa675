"""Free text as tokens: a message in, its words, identifiers and numbers out.

The text is brought to NFKC, format characters (soft hyphens, zero-width characters) and backslashes before an
underscore (escaped Markdown) are dropped, hyphens and minus signs become "-". Then, at each place, the first of these
that fits is taken whole:

1. an identifier: letters, then parts joined by "-" or "_" (SO-NBR-50011, held_for_credit_release);
2. a date or time: 2026-02-09T09:00:00Z, 09/02/2026, 9 February 2026, Feb 9, 09:30;
3. a share: two numbers joined by "-of-" (3-of-8);
4. a code of digits and parts joined by "-" or "_" (01-order-batch, 555-012-3456), which is no number;
5. a number (see figures.py), also with letters at its end (3160EA, 5lines) or a currency code before it; the letters
   are a word of their own;
6. a word: letters and digits.

Every other character separates tokens: spaces, line ends, punctuation, brackets, currency and percent signs, slashes,
markup, an underscore or hyphen at a token's edge, a full stop after letters (Qty.3160). Two things join instead: a full
stop between digits (v2.1 has no number 1), and a hyphen as in rules 1, 3 and 4. A number is negative after a "-" that
follows no letter or digit; where that is open (a dash that begins a line, "–40.00", "(40.00)"), it is read both ways.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from verifier import figures

IDENTIFIER = "identifier"
NUMBER = "number"
WORD = "word"
DATE = "date"

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)(?![^\W_])\.?"
)
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_YEAR = r"(?:19|20)[0-9]{2}"
_FREE = r"(?<![^\W_])(?<![^\W_][-_,:/])(?<![0-9][.])"
_END = r"(?![^\W_])(?![-_./:][0-9])"
_CLOCK = r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?"

_TOKEN = re.compile(
    rf"""
    (?P<identifier>(?<![^\W_])[^\W\d_]+(?:[-_][^\W_]+)+ | (?<![^\W_])[^\W\d_][^\W_]*(?:[-_][^\W_]+)+)
  | (?P<date>{_FREE}(?:
        [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_CLOCK}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?
      | {_DAY}(?P<mark>[./-]){_DAY}(?P=mark)(?:{_YEAR}|[0-9]{{2}})
      | {_YEAR}(?P<sign>[./]){_DAY}(?P=sign){_DAY}
      | {_DAY}(?:st|nd|rd|th)?\.?[ -]{_MONTH}(?:,?[ -]{_YEAR})?
      | {_MONTH}[ ]{_DAY}(?:st|nd|rd|th)?(?:,?[ ]{_YEAR})?(?![.,']?[0-9])
      | {_MONTH}[ ]{_YEAR}
      | {_CLOCK}(?:\s?[ap]\.?m\b\.?)?(?:Z|\sUTC)?
      ){_END})
  | (?P<share>(?<![^\W_])(?<![^\W_][-_.,])[0-9]+-of-[0-9]+(?![^\W_])(?![-_.,'][^\W_]))
  | (?P<code>(?<![^\W_])(?:0[^\W_]*[-_][^\W_]+ | [0-9][^\W_]*[-_][^\W_]+[-_][^\W_]+ | [0-9][^\W_]*_[^\W_]+)
        (?:[-_][^\W_]+)*)
  | (?P<priced>(?<![^\W_])(?:[A-Z]{{3}}|KSh|Rs|kr|zł)(?=[0-9]+(?:[.,'][0-9]+)+(?![^\W_])))
  | (?P<number>(?:(?<![^\W_])(?<![0-9][.]) | (?<=(?<![^\W_])[A-Z]{{3}})
            | (?<=(?<![^\W_])KSh) | (?<=(?<![^\W_])(?:Rs|kr|zł)))
        (?:[0-9]+(?:[.,'][0-9]+)* | (?<![.])[.][0-9]+)
        (?=[^\W\d_]*(?![^\W_])))
  | (?P<word>[^\W_]+)
    """,
    re.VERBOSE,
)
_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2019": "'", "\u02bc": "'"})
_GROUP = re.compile(r"[0-9]{3}(?:[.,][0-9]+)?")
_NEGATIONS = frozenset({"not", "no", "never"})
_PASSING = frozenset({"yet", "been", "be", "longer"})
"""Words that hand a negation on to the next: not yet submitted."""
_SENTENCE_END = re.compile(r"[.!?;|]")


@dataclass(frozen=True, slots=True)
class Token:
    """kind, the text as compared (lower-cased), and for a number its readings. negated: after a not, no, never or n't
    of the same sentence, directly or with nothing but yet, been, be or longer between."""

    kind: str
    text: str
    values: figures.Readings = figures.NONE
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A tokenised text. numbers has every reading, affirmed those of numbers that are not negated; count is how many
    numbers the text may be said to contain."""

    tokens: tuple[Token, ...]
    numbers: figures.Readings
    affirmed: figures.Readings
    count: int

    def has_number(self, number: Decimal) -> bool:
        return number in self.numbers

    def states_number(self, number: Decimal) -> bool:
        """Whether the number stands in the text somewhere without being negated (not 5 lines)."""
        return number in self.affirmed

    @property
    def identifiers(self) -> int:
        """How many identifiers and codes the text has."""
        return sum(token.kind == IDENTIFIER for token in self.tokens)

    def has_phrase(self, phrase: str) -> bool:
        """Whether the phrase's tokens stand in the text one after the other. A phrase without a token never does."""
        return any(True for _ in self._places(phrase))

    def states_phrase(self, phrase: str) -> bool:
        """Whether the phrase stands in the text somewhere without being negated (not submitted)."""
        return any(not self.tokens[place].negated for place in self._places(phrase))

    def _places(self, phrase: str) -> Iterator[int]:
        """Where the phrase's tokens begin."""
        wanted = [(token.kind, token.text) for token in tokenise(phrase).tokens]
        if not wanted or any(mixed_scripts(text) for _, text in wanted):
            return
        have = [(token.kind, token.text) for token in self.tokens]
        for start in range(len(have) - len(wanted) + 1):
            if have[start : start + len(wanted)] == wanted:
                yield start


def normalise(raw: str) -> str:
    if not raw.isascii():
        raw = "".join(character for character in raw if unicodedata.category(character) != "Cf")
        raw = unicodedata.normalize("NFKC", raw).translate(_HYPHENS)
    return raw.replace("\\_", "_")


def mixed_scripts(word: str) -> bool:
    """Whether the word has letters of more than one script, as a lookalike spelling has."""
    if word.isascii():
        return False
    return len({unicodedata.name(letter, "?").split(" ")[0] for letter in word if letter.isalpha()}) > 1


def tokenise(raw: str) -> Text:
    """The tokens of a text, and its numbers with those that are grouped by spaces (2 757,60)."""
    text = normalise(raw)
    tokens: list[Token] = []
    spans: list[tuple[int, int, int]] = []
    ended = 0
    for match in _TOKEN.finditer(text):
        between = text[ended : match.start()]
        negated = bool(tokens) and _negates(tokens[-1], text[max(0, ended - 3) : ended], between, match[0])
        ended = match.end()
        if match["number"] is not None:
            spans.append((len(tokens), match.start(), match.end()))
        tokens += _tokens(text, match, negated)
    grouped = _grouped_by_spaces(text, tokens, spans)
    count = sum(figures.count(token.text) for token in tokens if token.kind == NUMBER and token.values)
    numbers = grouped | {(token.negated, value) for token in tokens for value in token.values}
    affirmed = frozenset(value for negated, value in numbers if not negated)
    return Text(tuple(tokens), frozenset(value for _, value in numbers), affirmed, count)


def _tokens(text: str, match: re.Match[str], negated: bool) -> list[Token]:
    """What a match stands for: one token, or the two numbers of a share."""
    if match["date"] is not None:
        return [Token(DATE, match["date"].casefold(), negated=negated)]
    if match["share"] is not None:
        return [Token(NUMBER, part, figures.readings(part)) for part in match["share"].split("-of-")]
    if match["number"] is not None:
        run = match["number"]
        return [Token(NUMBER, run, _signed(text, match.start(), match.end(), figures.readings(run)), negated)]
    kind = WORD if match["word"] or match["priced"] else IDENTIFIER
    return [Token(kind, match[0].casefold(), negated=negated)]


def _negates(before: Token, ending: str, between: str, text: str) -> bool:
    """Whether the token before, whose last characters are `ending`, says that what follows is not so.

    "no" before something with a digit is short for number (order no SO-NBR-50011), and as the answer in a line or list
    (held: no, submitted) it says nothing of what follows.
    """
    if before.kind != WORD or _SENTENCE_END.search(between):
        return False
    if before.text == "no":
        return not any(character.isdigit() for character in text) and not any(mark in between for mark in ",:\n\t")
    handed_on = before.negated and before.text in _PASSING
    return handed_on or before.text in _NEGATIONS or ending.casefold() == "n't"


def _signed(text: str, start: int, end: int, values: figures.Readings) -> figures.Readings:
    """The readings with the sign that the characters around the figure give them; both where that is open."""
    before = start - 1
    if before >= 0 and unicodedata.category(text[before]) == "Sc":
        before -= 1
    sign = text[before] if before >= 0 else ""
    negative = frozenset(-value for value in values)
    if sign == "(" and text[end : end + 2].lstrip("%").startswith(")"):
        return values | negative
    earlier = text[before - 1] if before > 0 else "\n"
    if sign not in ("-", "\u2013") or earlier.isalnum() or earlier in ")]-_":
        return values
    bullet = text[:before].rpartition("\n")[2].strip() == ""
    return values | negative if sign == "\u2013" or bullet else negative


def _grouped_by_spaces(
    text: str, tokens: Sequence[Token], spans: Sequence[tuple[int, int, int]]
) -> set[tuple[bool, Decimal]]:
    """Numbers written in groups of three with single spaces, each with whether it is negated.

    "2 757,60" may be one number or two, and so may "5 300": the parts stay readings of their own.
    """
    found: set[tuple[bool, Decimal]] = set()
    for head, (index, _, end) in enumerate(spans):
        first = tokens[index]
        if not re.fullmatch(r"[1-9][0-9]{0,2}", first.text):
            continue
        digits = first.text
        for following, start, stop in spans[head + 1 :]:
            part = tokens[following].text
            if text[end:start] != " " or not _GROUP.fullmatch(part) or len(digits) > figures.LONGEST:
                break
            digits, end = digits + part, stop
            value = Decimal(digits.replace(",", "."))
            found |= {(first.negated, value if sample >= 0 else -value) for sample in first.values}
            if not part.isdigit():
                break
    return found
