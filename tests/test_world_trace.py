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
