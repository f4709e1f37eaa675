"""A task's world as rows: every table of world.sqlite with money as decimal and dates as dates.

In: the path of the SQLite file, opened read-only. Out: WorldTable values with DuckDB column types and plain rows. The
world keeps money as whole ten-thousandths and dates as ISO text; which columns these are stands in its schema.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

MONEY = frozenset(
    {
        "ListPrice", "CreditLimit", "OrderTotal", "UnitListPrice", "ExtendedAmount", "UnitSellingPrice",
        "EnteredAmount", "InvoiceBalanceAmount", "ReceiptAmount", "AppliedAmount", "UnappliedAmount", "ApplyAmount",
        "UnitPrice", "RequisitionTotal", "InvoiceAmount", "LineAmount", "MonthlySalary",
    }
)  # fmt: skip
DATES = frozenset(
    {
        "PriceEffectiveDate", "EffectiveDate", "PlannedShipDate", "TransactionDate", "DueDate", "ReceiptDate",
        "PromisedDate", "RequestedDeliveryDate", "InvoiceDate", "HireDate", "ContractEndDate", "LastWorkingDate",
        "IssueDate", "ExpirationDate", "startDate", "endDate", "start_date", "end_date",
    }
)  # fmt: skip
MOMENTS = frozenset(
    {"CreationDate", "LastUpdateDate", "SubmittedDate", "creationDate", "modifiedTime", "date", "ts", "HoldDate"}
)
_BOOKKEEPING = frozenset({"trace", "sequences", "decisions", "submissions", "drafts", "posts"})


@dataclass(frozen=True)
class WorldTable:
    """A table: its columns with DuckDB types, its rows in the order of the columns, JSON values only."""

    name: str
    columns: dict[str, str]
    rows: tuple[tuple[Any, ...], ...]


def column_type(column: str, declared: str) -> str:
    if column in MONEY:
        return "DECIMAL(18,4)"
    if column in DATES:
        return "DATE"
    if column in MOMENTS:
        return "TIMESTAMP"
    return "BIGINT" if declared == "INTEGER" else "VARCHAR"


def _plain(column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in MONEY:
        return str(Decimal(value) / 10000)
    return str(value).rstrip("Z") if column in MOMENTS else value


def read_world(path: Path) -> Iterator[WorldTable]:
    """The tables that hold evidence, by name; those of the episode itself (trace, drafts, decisions) are left out."""
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for name in sorted(set(names) - _BOOKKEEPING):
            declared = {row[1]: row[2] for row in connection.execute(f'PRAGMA table_info("{name}")')}
            columns = {column: column_type(column, kind) for column, kind in declared.items()}
            rows = tuple(tuple(map(_plain, columns, row)) for row in connection.execute(f'SELECT * FROM "{name}"'))
            yield WorldTable(name, columns, rows)
    finally:
        connection.close()
