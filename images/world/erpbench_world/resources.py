"""How a table's rows leave the world: rows in, the provider's JSON objects out, declared as seen.

Keys are column names. Money is shown as a number, a flag as true or false, and a column without a value is left out.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from erpbench_world import money
from erpbench_world.call import Call, Row
from erpbench_world.query import FieldType, select


@dataclass(frozen=True)
class Resource:
    """A table as the provider's resource. fields are its columns in order with their types, all of which q may name;
    order is an ORDER BY list, the primary key by default."""

    table: str
    fields: Mapping[str, FieldType]
    order: str = ""

    def read(self, call: Call, q: str | None) -> list[Row]:
        """The rows that q selects, declared as seen."""
        return call.show(self.table, select(call, self.table, q, self.fields, order=self.order))

    def read_one(self, call: Call, column: str, value: str | int) -> Row | None:
        """The first row with this value in the column, declared as seen, or None."""
        row = call.row(f'SELECT * FROM "{self.table}" WHERE "{column}" = ?', (value,))
        return call.show(self.table, [row])[0] if row else None

    def present(self, row: Row, *without: str) -> Row:
        """The row as JSON, except the columns named."""
        shown: Row = {}
        for column, kind in self.fields.items():
            value = row[column]
            if value is not None and column not in without:
                shown[column] = value if kind not in ("money", "flag") else _shown(value, kind)
        return shown


@dataclass(frozen=True)
class Lines:
    """A document's lines: a child resource and the column that names its parent, which embedded lines leave out."""

    resource: Resource
    parent: str

    def of(self, call: Call, parents: Sequence[Row]) -> Mapping[Any, list[Row]]:
        """The lines of each parent by the parent's key, as JSON, declared as seen."""
        table = self.resource.table
        order = ", ".join(f'"{column}"' for column in call.keys[table])
        found = call.rows(
            f'SELECT * FROM "{table}" WHERE "{self.parent}" IN (SELECT value FROM json_each(?)) ORDER BY {order}',
            (json.dumps([parent[self.parent] for parent in parents]),),
        )
        lines: dict[Any, list[Row]] = defaultdict(list)
        for row in call.show(table, found):
            lines[row[self.parent]].append(self.resource.present(row, self.parent))
        return lines


def collection(items: list[Row]) -> Row:
    """The provider's list result."""
    return {"count": len(items), "items": items}


def _shown(value: Any, kind: FieldType) -> Any:
    return money.show(value) if kind == "money" else bool(value)
