"""The logical digest says what a database holds, not how its pages lie."""

import hashlib
import sqlite3

import pytest
from erpbench_world.digest import logical_digest


def database(*rows: tuple[int, str | None], reverse: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("CREATE TABLE trace (idx INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO b VALUES (?, ?)", reversed(rows) if reverse else rows)
    return connection


def test_the_digest_is_of_tables_columns_and_quoted_rows() -> None:
    text = "table b\ncolumns id,name\n1,'O''Brien'\n2,NULL\ntable trace\ncolumns idx\n"
    found = logical_digest(database((1, "O'Brien"), (2, None)))
    assert found == hashlib.sha256(text.encode()).hexdigest()


def test_the_order_of_writing_does_not_count_and_any_value_does() -> None:
    rows = ((1, "a"), (2, "b"))
    assert logical_digest(database(*rows)) == logical_digest(database(*rows, reverse=True))
    assert logical_digest(database(*rows)) != logical_digest(database((1, "a"), (2, "B")))
    assert logical_digest(database((1, None))) != logical_digest(database((1, "")))


def test_a_table_may_be_left_out() -> None:
    one, two = database((1, "a")), database((1, "a"))
    two.execute("INSERT INTO trace VALUES (1)")
    assert logical_digest(one) != logical_digest(two)
    assert logical_digest(one, exclude=("trace",)) == logical_digest(two, exclude=("trace",))


def test_a_table_without_a_key_is_ordered_by_all_its_columns() -> None:
    digests = []
    for rows in ([(2, 1), (1, 2)], [(1, 2), (2, 1)]):
        connection = sqlite3.connect(":memory:")
        connection.execute("CREATE TABLE t (x, y)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        digests.append(logical_digest(connection))
    assert digests[0] == digests[1] == hashlib.sha256(b"table t\ncolumns x,y\n1,2\n2,1\n").hexdigest()


@pytest.mark.parametrize("value", ["a,b", "a\nb"])
def test_values_keep_their_quotes(value: str) -> None:
    text = f"table b\ncolumns id,name\n1,'{value}'\ntable trace\ncolumns idx\n"
    assert logical_digest(database((1, value))) == hashlib.sha256(text.encode()).hexdigest()
