"""Parquet files of published tables: what is read back, the same bytes again, and what is refused."""

from pathlib import Path

import duckdb
import pytest

from generator.release.bindings import ReleaseError
from generator.release.columns import Column, PublishedTable
from generator.release.parquet import read_table, write_table

TABLE = PublishedTable(
    "things",
    "",
    (
        Column("id", ""),
        Column("size", "", "int32"),
        Column("mean", "", "float64"),
        Column("data", "", "binary"),
        Column("parts", "", many=True, members=(Column("name", ""), Column("good", "", "bool"))),
    ),
    ("id",),
)
SECOND = {"id": "b", "size": 2, "mean": None, "data": b"\x00\xff", "parts": []}
FIRST = {"id": "a'é", "size": 1, "mean": 2.5, "data": b"", "parts": [{"name": "x", "good": True}]}


def test_rows_come_back_in_the_tables_order(tmp_path: Path) -> None:
    path = tmp_path / "it's" / "things.parquet"
    write_table(TABLE, [SECOND, FIRST], path, "canary")
    assert read_table(path) == [FIRST, SECOND]


def test_the_order_that_rows_come_in_leaves_the_bytes_as_they_are(tmp_path: Path) -> None:
    write_table(TABLE, [SECOND, FIRST], tmp_path / "one.parquet", "canary")
    write_table(TABLE, [FIRST, SECOND], tmp_path / "two.parquet", "canary")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_the_canary_stands_in_the_files_metadata(tmp_path: Path) -> None:
    path = tmp_path / "things.parquet"
    write_table(TABLE, [FIRST], path, "do not train")
    with duckdb.connect(":memory:") as db:
        found = db.execute(f"SELECT key, value FROM parquet_kv_metadata('{path}')").fetchall()
    assert found == [(b"canary", b"do not train")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([FIRST | {"more": 1}], "table things: expected exactly its columns in each row, differs in more"),
        ([FIRST, FIRST], "table things: two rows of a'é"),
    ],
)
def test_rows_that_do_not_fit_are_refused(tmp_path: Path, rows: list[dict[str, object]], message: str) -> None:
    with pytest.raises(ReleaseError) as refused:
        write_table(TABLE, rows, tmp_path / "things.parquet", "canary")
    assert str(refused.value) == message
    assert not (tmp_path / "things.parquet").exists()


def test_a_file_that_is_no_parquet_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"not Parquet")
    with pytest.raises(ReleaseError, match=r"bad\.parquet: cannot be read as Parquet: "):
        read_table(tmp_path / "bad.parquet")
