"""The macros that the audit's SQL reads prose with, in the form of one office.

In: the office's style. Out: CREATE statements; load.py says what each macro does.
"""

import re
from collections.abc import Iterator

from generator.evidence.model import Style

_DIRECTIVES = {
    "%Y": r"\d{4}", "%m": r"\d{2}", "%-m": r"\d{1,2}", "%d": r"\d{2}", "%-d": r"\d{1,2}", "%b": "[A-Z][a-z]{2}",
    "%B": "[A-Z][a-z]+",
}  # fmt: skip
_ISO = r"\d{4}-\d{2}-\d{2}"
_READERS = (
    """CREATE OR REPLACE MACRO said(d, p) AS
      (SELECT regexp_extract(text, p, 1) FROM line WHERE doc = d AND regexp_matches(text, p) ORDER BY n LIMIT 1)""",
    "CREATE OR REPLACE MACRO in_force(s) AS (SELECT min(doc) FROM source WHERE subject = s AND standing = 'in_force')",
    """CREATE OR REPLACE MACRO named(s, words) AS coalesce(
      (SELECT min(doc) FROM source, memo
       WHERE subject = s AND contains(phrase, words)
         AND ends_with(doc, '-' || coalesce(strftime(day(phrase), '%m%d'), regexp_extract(phrase, '[A-Z]?\\d+$')))),
      in_force(s))""",
)


def macros(style: Style) -> Iterator[str]:
    """Number and date readers in the office's form."""
    group, point = (".", ",") if style.decimal_comma else (",", ".")
    number = r"-?\d[\d.,]*\d|-?\d"
    first = f"regexp_extract(t, '{number}')"
    plain = f"replace(replace({first}, '{group}', ''), '{point}', '.')"
    yield f"CREATE OR REPLACE MACRO num(t) AS TRY_CAST({plain} AS DECIMAL(18,6))"
    yield f"CREATE OR REPLACE MACRO dot(t) AS TRY_CAST(replace({first}, ',', '') AS DECIMAL(18,6))"
    form = "".join(_DIRECTIVES.get(part) or re.escape(part) for part in re.findall(r"%-?[A-Za-z]|.", style.dates))
    read = style.dates.replace("%-", "%")
    one = f"coalesce(try_strptime(x, '%Y-%m-%d'), try_strptime(x, '{read}'))::DATE"
    yield f"CREATE OR REPLACE MACRO days(t) AS list_transform(regexp_extract_all(t, '{_ISO}|{form}'), lambda x: {one})"
    yield "CREATE OR REPLACE MACRO day(t) AS days(t)[1]"
    yield from _READERS
    yield "CREATE OR REPLACE MACRO cents(x) AS round(x::DECIMAL(28,8), 2)"
