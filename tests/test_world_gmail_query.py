"""The mailbox's search against three messages."""

from typing import Any

import pytest
from erpbench_world.errors import InvalidArguments
from erpbench_world.gmail_query import matcher

MAIL: list[dict[str, Any]] = [
    {"id": "M1", "threadId": "T1", "sender": "marcus.lee@nbr.example", "recipient": "analyst@nbr.example",
     "subject": "Operating authority", "date": "2026-02-09T06:30:00Z", "body": "The price batch of Żabka counts.",
     "labels": '["INBOX", "IMPORTANT"]'},
    {"id": "M2", "threadId": "T2", "sender": "dana@nbr.example", "recipient": "analyst@nbr.example",
     "subject": "Please import", "date": "2026-02-09T08:00:00Z", "body": "CA-PO-77310 is urgent.",
     "labels": '["INBOX"]'},
    {"id": "M3", "threadId": "T3", "sender": "news@other.example", "recipient": "marcus.lee@nbr.example",
     "subject": "Fair", "date": "2026-01-31T10:00:00Z", "body": "Price list and batch of steel.", "labels": '["SPAM"]'},
]  # fmt: skip


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("", "M1 M2 M3"),
        ("from:lee", "M1"),
        ("from:LEE", "M1"),
        ("to:marcus.lee", "M3"),
        ("lee", "M1 M3"),
        ("subject:import", "M2"),
        ("price batch", "M1 M3"),
        ('"price batch"', "M1"),
        ("żabka", "M1"),
        ("-price", "M2"),
        ("price -from:lee", "M3"),
        ("CA-PO-77310", "M2"),
        ("id:M2", ""),
        ("M2", "M2"),
        ("after:2026/02/09", "M1 M2"),
        ("after:2026-02-01 before:2026-02-10", "M1 M2"),
        ("before:2026/2/9", "M3"),
        ("label:important", "M1"),
        ("in:inbox", "M1 M2"),
        ("in:anywhere", "M1 M2 M3"),
        ("urgent OR fair", "M2 M3"),
        ("subject:(operating authority)", "M1"),
    ],
)
def test_search(q: str, expected: str) -> None:
    test = matcher(q)
    assert " ".join(row["id"] for row in MAIL if test(row)) == expected


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ("after:yesterday", 'q: after: expected a date such as 2026/02/09, came "yesterday"'),
        ("before:2026/02/30", 'q: before: expected a date such as 2026/02/09, came "2026/02/30"'),
        ("is:unread", "q: is: is not supported"),
    ],
)
def test_what_the_search_does_not_know(q: str, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        matcher(q)
    assert str(caught.value).startswith(message)
