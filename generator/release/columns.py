"""What a published table is: columns with types and words. Out: the types' names in DuckDB and in the data card, and
the bytes that rows take in Arrow, which the card declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["string", "int32", "float64", "bool", "binary"]
Row = Mapping[str, Any]

IN_DUCKDB: Mapping[Kind, str] = {
    "string": "VARCHAR",
    "int32": "INTEGER",
    "float64": "DOUBLE",
    "bool": "BOOLEAN",
    "binary": "BLOB",
}
OFFSET = 4
"""Bytes of an offset, of which Arrow counts one for each text and list."""


@dataclass(frozen=True)
class Column:
    """One column, or one member of a structure. about: what it holds, for the card. many: a list of such values.
    members: of a structure, whose own kind then says nothing. Only numbers may be null."""

    name: str
    about: str
    kind: Kind = "string"
    many: bool = False
    members: tuple["Column", ...] = ()

    @property
    def shown_type(self) -> str:
        """E.g. list of string, list of {id, label}."""
        one = f"{{{', '.join(member.name for member in self.members)}}}" if self.members else self.kind
        return f"list of {one}" if self.many else one


@dataclass(frozen=True)
class PublishedTable:
    """One table, a configuration of the published dataset. order: the columns that the rows are sorted by, which are
    also what tells one row from another."""

    name: str
    about: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]

    @property
    def path(self) -> str:
        """Where its only file is; trajectories stand apart, since they show solutions."""
        folder = self.name if self.name == "trajectories" else f"data/{self.name}"
        return f"{folder}/test-00000-of-00001.parquet"


def duckdb_type(column: Column) -> str:
    """
    >>> duckdb_type(Column("tags", "", many=True))
    'VARCHAR[]'
    """
    one = IN_DUCKDB[column.kind]
    if column.members:
        one = f"STRUCT({', '.join(f'{quoted(m.name)} {duckdb_type(m)}' for m in column.members)})"
    return f"{one}[]" if column.many else one


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def feature(column: Column) -> dict[str, Any]:
    """The column as the card's dataset_info lists it.

    >>> feature(Column("tags", "", many=True))
    {'name': 'tags', 'list': 'string'}
    """
    if not column.members:
        return {"name": column.name, "list" if column.many else "dtype": column.kind}
    members = [feature(member) for member in column.members]
    return {"name": column.name, "list" if column.many else "struct": members}


def arrow_bytes(table: PublishedTable, rows: Sequence[Row]) -> int:
    """Bytes of the rows as one Arrow table read from Parquet: what `datasets` counts as a split's num_bytes."""
    return sum(_column_bytes(column, [row[column.name] for row in rows]) for column in table.columns)


def _column_bytes(column: Column, values: list[Any]) -> int:
    if column.many:
        inner = [value for listed in values for value in listed]
        return OFFSET * len(values) + _value_bytes(column, inner)
    return _value_bytes(column, values)


def _value_bytes(column: Column, values: list[Any]) -> int:
    """Numbers carry a bitmap of what is null even if nothing is; texts and flags, never null here, carry none."""
    if column.members:
        return sum(_column_bytes(member, [value[member.name] for value in values]) for member in column.members)
    bitmap = (len(values) + 7) // 8
    match column.kind:
        case "bool":
            return bitmap
        case "int32":
            return 4 * len(values) + bitmap
        case "float64":
            return 8 * len(values) + bitmap
        case "binary":
            return OFFSET * len(values) + sum(len(value) for value in values)
        case "string":
            return OFFSET * len(values) + sum(len(value.encode()) for value in values)
