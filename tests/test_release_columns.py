"""Types of published columns in DuckDB and in the card, and the bytes that Arrow counts, worked out by hand."""

from generator.release.columns import Column, PublishedTable, arrow_bytes, duckdb_type, feature

OPTIONS = Column("options", "", many=True, members=(Column("id", ""), Column("count", "", "int32")))


def test_duckdb_types() -> None:
    assert duckdb_type(Column("n", "", "float64")) == "DOUBLE"
    assert duckdb_type(Column("tags", "", many=True)) == "VARCHAR[]"
    assert duckdb_type(OPTIONS) == 'STRUCT("id" VARCHAR, "count" INTEGER)[]'


def test_features_as_the_card_lists_them() -> None:
    assert feature(Column("content", "", "binary")) == {"name": "content", "dtype": "binary"}
    assert feature(OPTIONS) == {
        "name": "options",
        "list": [{"name": "id", "dtype": "string"}, {"name": "count", "dtype": "int32"}],
    }


def test_shown_types() -> None:
    assert OPTIONS.shown_type == "list of {id, count}"
    assert Column("tags", "", many=True).shown_type == "list of string"


def test_arrow_bytes_of_three_rows() -> None:
    """Texts: 4 a row and their UTF-8. Numbers: their width and a bit a row. Flags: a bit a row. Lists: 4 a row."""
    columns = (Column("id", ""), Column("n", "", "int32"), Column("flag", "", "bool"), OPTIONS)
    rows = [
        {"id": "a", "n": 1, "flag": True, "options": [{"id": "x", "count": 1}]},
        {"id": "bé", "n": 2, "flag": False, "options": []},
        {"id": "", "n": 3, "flag": True, "options": [{"id": "yy", "count": 2}, {"id": "z", "count": 3}]},
    ]
    ids, numbers, flags = 3 * 4 + 4, 3 * 4 + 1, 1
    options = 3 * 4 + (3 * 4 + 4) + (3 * 4 + 1)
    assert arrow_bytes(PublishedTable("t", "", columns, ("id",)), rows) == ids + numbers + flags + options == 71


def test_solutions_lie_apart_from_data() -> None:
    assert PublishedTable("tasks", "", (), ()).path == "data/tasks/test-00000-of-00001.parquet"
    assert PublishedTable("trajectories", "", (), ()).path == "trajectories/test-00000-of-00001.parquet"
