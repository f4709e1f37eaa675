"""Tables by key, their differences, and what is refused while reading."""

import sqlite3

import pytest

from verifier.deadline import Deadline
from verifier.faults import Malformed, TooSlow
from verifier.tables import Budget, Difference, differences, read_shapes, read_state, read_table

SQL = (
    "CREATE TABLE a (k TEXT, n INTEGER, v TEXT, PRIMARY KEY (k, n)) STRICT;"
    "CREATE TABLE trace (idx INTEGER PRIMARY KEY) STRICT"
)


def world(*rows: tuple[str, int, str | None]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.executescript(SQL)
    db.executemany("INSERT INTO a VALUES (?, ?, ?)", rows)
    return db


def budget(rows: int = 100, characters: int = 10_000) -> Budget:
    return Budget(rows, characters)


def test_rows_are_keyed_as_the_trace_keys_them() -> None:
    db = world(("x", 2, None), ("x", 1, "one"))
    shapes = read_shapes(db)
    assert (shapes["a"].columns, shapes["a"].key) == (("k", "n", "v"), (0, 1))
    assert read_table(db, shapes["a"], budget()).rows == {"x/1": ("x", 1, "one"), "x/2": ("x", 2, None)}


def test_the_trace_is_no_part_of_the_state() -> None:
    db = world()
    assert set(read_state(db, read_shapes(db), budget())) == {"a"}


def test_differences_name_added_removed_and_changed_rows() -> None:
    one, two = world(("x", 1, "a"), ("x", 2, "b"), ("x", 3, "c")), world(("x", 2, "B"), ("x", 3, "c"), ("y", 1, "d"))
    before, after = (read_state(db, read_shapes(db), budget()) for db in (one, two))
    assert differences(before, after) == {"a": Difference(("y/1",), ("x/1",), ("x/2",))}
    assert differences(before, after, skip={"a"}) == {}
    assert differences(before, before) == {}


def test_known_tables_are_not_read_again() -> None:
    db = world(("x", 1, "a"))
    state = read_state(db, read_shapes(db), budget())
    assert read_state(world(("y", 1, "b")), read_shapes(db), budget(), state)["a"] is state["a"]


def test_two_rows_with_one_key_are_refused() -> None:
    db = sqlite3.connect(":memory:")
    db.executescript(
        "CREATE TABLE a (k TEXT, l TEXT, PRIMARY KEY (k, l)); INSERT INTO a VALUES ('x/y', 'z'), ('x', 'y/z')"
    )
    with pytest.raises(Malformed, match="two rows of a have the key 'x/y/z'"):
        read_table(db, read_shapes(db)["a"], budget())


def test_limits_of_the_budget() -> None:
    db = world(("x", 1, "a"), ("x", 2, "b"))
    with pytest.raises(Malformed, match="more than 1 rows"):
        read_table(db, read_shapes(db)["a"], budget(rows=1))
    with pytest.raises(Malformed, match="more text"):
        read_table(db, read_shapes(db)["a"], budget(characters=30))


@pytest.mark.parametrize("value", [b"blob", 1.5])
def test_cells_of_other_types_are_refused(value: object) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE a (k TEXT PRIMARY KEY, v ANY) STRICT")
    db.execute("INSERT INTO a VALUES ('x', ?)", (value,))
    with pytest.raises(Malformed, match=f"table a holds a {type(value).__name__}"):
        read_table(db, read_shapes(db)["a"], budget())


def test_table_without_a_key_is_refused() -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE a (k TEXT)")
    with pytest.raises(Malformed, match="table a has no primary key"):
        read_shapes(db)


def test_reading_and_comparing_end_at_the_deadline() -> None:
    db = world(("x", 1, "a"))
    shapes, over = read_shapes(db), Deadline(1, iter([0.0, *[2.0] * 9]).__next__)
    with pytest.raises(TooSlow):
        read_state(db, shapes, Budget(100, 10_000, over))
    state = read_state(db, shapes, budget())
    with pytest.raises(TooSlow):
        differences(state, state, deadline=over)
