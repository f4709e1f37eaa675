"""The drive's search against four files."""

from typing import Any

import pytest
from erpbench_world.drive_query import matcher
from erpbench_world.errors import InvalidArguments
from hypothesis import given
from hypothesis import strategies as st


def file(name: str, mime: str, modified: str, current: int, content: str, description: str = "") -> dict[str, Any]:
    return {
        "id": f"F-{name[:2]}", "name": name, "mimeType": mime, "modifiedTime": modified, "isCurrentAuthority": current,
        "content": content, "description": description,
    }  # fmt: skip


FILES = [
    file("01-batch.xlsx", "application/vnd.ms-excel", "2026-02-09T06:00:00Z", 1, "1,CA-PO-77310"),
    file("02-prior.csv", "text/csv", "2026-02-03T10:00:00Z", 0, "SO-40039", "Earlier import of CA-PO-77310"),
    file("08-credit-policy.md", "text/markdown", "2026-02-09T06:00:00Z", 1, "Terms of ŻABKA"),
    file("09-reorder.md", "text/markdown", "2026-02-01T00:00:00Z", 1, "Reorder Policy R4"),
]


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("", "01 02 08 09"),
        ("  ", "01 02 08 09"),
        ("name contains 'policy'", "08 09"),
        ("name contains 'CA-PO-77310'", "01 02"),
        ("NAME CONTAINS \"żabka\"", "08"),
        ("fullText contains 'so-40039'", "02"),
        ("name = '02-prior.csv'", "02"),
        ("name='02-PRIOR.csv'", ""),
        ("name != '02-prior.csv'", "01 08 09"),
        ("mimeType='text/csv'", "02"),
        ("mimeType = text/csv", "02"),
        ("mimeType contains 'text/'", "02 08 09"),
        ("trashed = false", "01 02 08 09"),
        ("trashed=true", ""),
        ("trashed != true", "01 02 08 09"),
        ("isCurrentAuthority = false", "02"),
        ("id = 'F-08'", "08"),
        ("modifiedTime > '2026-02-03'", "01 02 08"),
        ("modifiedTime > '2026-02-03T10:00:00Z'", "01 08"),
        ("modifiedTime <= '2026-02-03T11:00:00+01:00'", "02 09"),
        ("modifiedTime = '2026-02-01'", "09"),
        ("name contains 'policy' and not name contains 'reorder'", "08"),
        ("name contains 'batch' or name contains 'prior' and trashed = true", "01"),
        ("(name contains 'batch' or name contains 'prior') and trashed = false", "01 02"),
        ("not (mimeType contains 'text' or trashed = true)", "01"),
        ("not not name contains 'batch'", "01"),
        ("name contains ''", "01 02 08 09"),
        (r"name contains 'it\'s'", ""),
    ],
)
def test_search(q: str, expected: str) -> None:
    test = matcher(q)
    assert " ".join(row["name"][:2] for row in FILES if test(row)) == expected


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ("foo = 1", 'q: no field "foo"; the fields are fullText, id, isCurrentAuthority, mimeType, modifiedTime, name'),
        ("'x' in parents", "q: expected one of fullText"),
        ("name contains", "q: expected a value for name, in quotes at character 14, came the end"),
        ("name 'x'", 'q: expected an operator after name at character 6, came "x"'),
        ("name > 'x'", 'q: name takes =, !=, contains; came ">"'),
        ("fullText = 'x'", 'q: fullText takes contains; came "="'),
        ("trashed = maybe", 'q: trashed: expected true or false, came "maybe"'),
        ("trashed > true", 'q: trashed takes =, !=; came ">"'),
        ("modifiedTime > 'soon'", "q: modifiedTime: expected a time such as 2026-02-09T06:00:00"),
        ("modifiedTime contains '2026'", "q: modifiedTime takes ="),
        ("(name contains 'x'", "q: expected a closing parenthesis at character 19, came the end"),
        ("name contains 'x')", 'q: expected and, or, or the end at character 18, came ")"'),
        ("name contains 'x", "q: expected a closing quote at character 15"),
        ("name contains 'x' and", "q: expected one of fullText"),
        ("& name", "q: expected a term such as name contains 'policy' at character 1"),
        ("(" * 40, "q: expected at most 30 levels"),
        ("not " * 400, "q: expected at most 300 words and signs"),
    ],
)
def test_what_the_search_does_not_know(q: str, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        matcher(q)
    assert str(caught.value).startswith(message)


WORDS = st.sampled_from(["name", "contains", "'x'", "(", ")", "and", "or", "not", "=", "trashed", "true", "'", "ż"])


@given(st.lists(WORDS, max_size=12))
def test_any_words_are_a_search_or_invalid(words: list[str]) -> None:
    try:
        test = matcher(" ".join(words))
    except InvalidArguments:
        return
    assert all(test(row) in (True, False) for row in FILES)
