"""The hash chain of the trace, computed here by hand."""

import hashlib
import sqlite3
from pathlib import Path

from erpbench_world import trace

from tests.world_fixture import build_database


def test_the_first_link_is_the_hash_of_64_zeros_and_the_row() -> None:
    row = r'[1,"gmail","gmail.messages.get","{\"id\": \"ż\"}","invalid","id: no message","[]","[]"]'
    expected = hashlib.sha256(b"0" * 64 + row.encode("utf-8")).hexdigest()
    columns = ("gmail", "gmail.messages.get", '{"id": "ż"}', "invalid", "id: no message", "[]", "[]")
    found = trace.link("0" * 64, 1, *columns)
    assert found == expected


def test_a_row_without_an_error_has_null() -> None:
    row = r'[2,"s","t","{}","ok",null,"[[\"mail\",\"M1\"]]","[]"]'
    expected = hashlib.sha256(b"ab" * 32 + row.encode()).hexdigest()
    assert trace.link("ab" * 32, 2, "s", "t", "{}", "ok", None, '[["mail","M1"]]', "[]") == expected


def test_keys_stand_once_in_order_of_first_mention() -> None:
    assert trace.keys_text([("b", "1"), ("a", "ż"), ("b", "1")]) == '[["b","1"],["a","ż"]]'
    assert trace.keys_text([]) == "[]"


def test_append_goes_on_from_the_head(tmp_path: Path) -> None:
    connection = sqlite3.connect(build_database(tmp_path / "world.sqlite"))
    assert trace.head(connection) == trace.Head(0, "0" * 64)
    first = trace.append(connection, trace.head(connection), "s", "t", "{}", "ok", None, "[]", "[]")
    second = trace.append(connection, first, "s", "u", "{}", "refused", "no", "[]", "[]")
    assert (first.idx, second.idx) == (1, 2)
    assert second.chain == trace.link(first.chain, 2, "s", "u", "{}", "refused", "no", "[]", "[]")
    assert trace.head(connection) == second


def test_arguments_of_calls_that_were_not_accepted_are_kept_up_to_4096_characters() -> None:
    assert trace.bounded("x" * 4096, 0, accepted=False) == "x" * 4096
    assert trace.bounded("x" * 4097, 0, accepted=False) == '{"truncated": 4097}'
    assert trace.bounded("x" * 4097, 0, accepted=True) == "x" * 4097


def test_all_arguments_together_are_kept_up_to_six_mebicharacters() -> None:
    most = 6 * 1024 * 1024
    assert trace.bounded("{}", most - 2, accepted=True) == "{}"
    assert trace.bounded("{}", most - 1, accepted=True) == '{"truncated": 2}'
    assert trace.bounded("{}", most - 1, accepted=False) == '{"truncated": 2}'
