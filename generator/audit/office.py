"""How an office writes dates and numbers, read off what it wrote.

In: the texts of a task's files as its drive shows them. Out: the Style by which their bytes are parsed. Nothing is
looked up about the tenant: a form that does not read every date-like word of the files is not the office's form.
"""

import re
from collections.abc import Iterable, Sequence

from generator.evidence.model import Style
from generator.evidence.values import read_date
from generator.spec.errors import EvidenceError

_FORMS = (
    "%Y-%m-%d", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%Y", "%-d/%m/%Y", "%m/%d/%Y", "%-m/%-d/%Y", "%d %b %Y", "%-d %B %Y",
    "%-d %b %Y", "%d %B %Y", "%Y/%m/%d",
)  # fmt: skip
_DATE_WORD = re.compile(
    r"(?<![\w./-])(?:\d{1,2}([./-])\d{1,2}\1\d{4}|\d{4}/\d{2}/\d{2}|\d{1,2} [A-Z][a-z]{2,8} \d{4})(?![\w/-])"
)
_COMMA_AMOUNT = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})*,\d{2}(?![\d.,])")
_POINT_AMOUNT = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})*\.\d{2}(?![\d.,])")


def date_form(texts: Iterable[str]) -> str:
    """The form that reads every date-like word. ISO dates stand in every office's workbooks and machine files, so they
    decide only where nothing else is written. Raises EvidenceError when no form fits or two forms read differently."""
    words = sorted({found[0] for text in texts for found in _DATE_WORD.finditer(text)})
    if not words:
        return "%Y-%m-%d"
    readings = {form: tuple(read_date(word, form) for word in words) for form in _FORMS}
    fitting = {form: read for form, read in readings.items() if None not in read}
    if len(set(fitting.values())) != 1:
        raise EvidenceError(f"dates such as {words[0]!r}: expected one form that reads all, came {sorted(fitting)}")
    return next(iter(fitting))


def delimiter(headers: Sequence[str]) -> str:
    """Comma or semicolon: whichever the header lines of the CSV files have more of."""
    joined = "\n".join(headers)
    return max(",;", key=joined.count)


def read_style(csv_texts: Sequence[str], page_texts: Sequence[str]) -> Style:
    """The office's style from its CSV files and its pages (pdf, docx, md)."""
    pages = "\n".join(page_texts)
    comma = len(_COMMA_AMOUNT.findall(pages)) > len(_POINT_AMOUNT.findall(pages))
    return Style(
        dates=date_form([*csv_texts, *page_texts]),
        decimal_comma=comma,
        csv_delimiter=delimiter([text.partition("\n")[0] for text in csv_texts]),
    )
