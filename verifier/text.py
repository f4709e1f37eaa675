"""Free text as tokens: a message in, its words, identifiers and numbers out.

The text is brought to NFKC, format characters (soft hyphens, zero-width characters) are dropped, hyphens and minus
signs become "-". Then, at each place, the first of these that fits is taken whole:

1. an identifier: letters, then parts joined by "-" or "_" (SO-NBR-50011, held_for_credit_release);
2. a date or time: 2026-02-09T09:00:00Z, 09/02/2026, 9 February 2026, Feb 9, 09:30;
3. a code of digits and parts joined by "-" or "_" (01-order-batch, 555-012-3456), which is no number;
4. a number (see figures.py), also with a unit of up to four letters at its end (3160EA) or a currency code before it;
5. a word: letters and digits.

Every other character separates tokens: spaces, line ends, punctuation, brackets, currency and percent signs, slashes,
markup, an underscore or hyphen at a token's edge. Two things join instead: a full stop between a letter or digit and a
digit (v2.1 has no number 1), and a hyphen as in rules 1 and 3. A number is negative after a "-" that follows no letter
or digit; where that is open (a dash that begins a line, "–40.00", "(40.00)"), it is read both ways.
"""

import re
import unicodedata
from collections.abc import Sequence
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
_FREE = r"(?<![^\W_])(?<![^\W_][-_.,:/])"
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
  | (?P<code>(?<![^\W_])(?:0[^\W_]*[-_][^\W_]+ | [0-9][^\W_]*[-_][^\W_]+[-_][^\W_]+ | [0-9][^\W_]*_[^\W_]+)
        (?:[-_][^\W_]+)*)
  | (?P<priced>(?<![^\W_])[A-Z]{{3}}(?=[0-9]+(?:[.,'][0-9]+)+(?![^\W_])))
  | (?P<number>(?:(?<![^\W_])(?<![^\W_][.]) | (?<=(?<![^\W_])[A-Z]{{3}}))
        (?:[0-9]+(?:[.,'][0-9]+)* | (?<![.])[.][0-9]+)
        (?=(?:[^\W\d_]{{1,4}})?(?![^\W_])))
  | (?P<word>[^\W_]+)
    """,
    re.VERBOSE,
)
_HYPHENS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2019": "'", "\u02bc": "'"})
_GROUP = re.compile(r"[0-9]{3}(?:[.,][0-9]+)?")


@dataclass(frozen=True, slots=True)
class Token:
    """kind, the text as compared (lower-cased), and for a number its readings."""

    kind: str
    text: str
    values: figures.Readings = figures.NONE


@dataclass(frozen=True, slots=True)
class Text:
    """A tokenised text. numbers has every reading; count is how many numbers the text may be said to contain."""

    tokens: tuple[Token, ...]
    numbers: figures.Readings
    count: int

    def has_number(self, number: Decimal) -> bool:
        return number in self.numbers

    def has_phrase(self, phrase: str) -> bool:
        """Whether the phrase's tokens stand in the text one after the other. A phrase without a token never does."""
        wanted = [(token.kind, token.text) for token in tokenise(phrase).tokens]
        if not wanted or any(mixed_scripts(text) for _, text in wanted):
            return False
        have = [(token.kind, token.text) for token in self.tokens]
        return any(have[start : start + len(wanted)] == wanted for start in range(len(have) - len(wanted) + 1))


def normalise(raw: str) -> str:
    if not raw.isascii():
        raw = "".join(character for character in raw if unicodedata.category(character) != "Cf")
        raw = unicodedata.normalize("NFKC", raw).translate(_HYPHENS)
    return raw


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
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or WORD
        if match["date"] is not None:
            tokens.append(Token(DATE, match["date"].casefold()))
        elif kind == "number":
            spans.append((len(tokens), match.start(), match.end()))
            run = match["number"]
            tokens.append(Token(NUMBER, run, _signed(text, match.start(), match.end(), figures.readings(run))))
        elif kind in ("identifier", "code"):
            tokens.append(Token(IDENTIFIER, match[0].casefold()))
        else:
            tokens.append(Token(WORD, match[0].casefold()))
    grouped, covered = _grouped_by_spaces(text, tokens, spans)
    single = [token.values for index, token in enumerate(tokens) if index not in covered]
    count = sum(figures.count(token.text) for token in tokens if token.kind == NUMBER and token.values)
    return Text(tuple(tokens), frozenset().union(grouped, *single), count)


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
) -> tuple[set[Decimal], set[int]]:
    """Numbers written in groups of three with single spaces, and the tokens that are nothing but their parts.

    "2 757,60" is one number; "5 300" may be one or two, so its parts stay readings of their own.
    """
    found: set[Decimal] = set()
    covered: set[int] = set()
    for head, (index, _, end) in enumerate(spans):
        first = tokens[index]
        if not re.fullmatch(r"[1-9][0-9]{0,2}", first.text):
            continue
        digits, parts = first.text, [index]
        for following, start, stop in spans[head + 1 :]:
            part = tokens[following].text
            if text[end:start] != " " or not _GROUP.fullmatch(part):
                break
            parts.append(following)
            digits, end = digits + part, stop
            value = Decimal(digits.replace(",", "."))
            found |= {value if sample >= 0 else -value for sample in first.values}
            if not part.isdigit():
                covered.update(parts)
                break
    return found, covered
