"""How rows leave the world, and that each resource names the columns of its table."""

import importlib
import sqlite3

import pytest
from erpbench_world import catalog
from erpbench_world.registry import TOOLS
from erpbench_world.resources import Lines, Resource, collection
from world_fixture import SCHEMA

MODULES = ("items", "orders", "shipments", "receivables", "inventory", "procurement", "receiving", "payables", "hcm")
THING = Resource("things", {"Name": "text", "Price": "money", "Flag": "flag", "Day": "date", "Count": "integer"})


def _resources() -> list[Resource]:
    found: dict[str, Resource] = {}
    for name in MODULES:
        for value in vars(importlib.import_module(f"erpbench_world.{name}")).values():
            resource = value.resource if isinstance(value, Lines) else value
            if isinstance(resource, Resource):
                found[resource.table] = resource
    return list(found.values())


def test_money_and_flags_are_shown_and_a_column_without_a_value_is_left_out() -> None:
    row = {"Name": "A", "Price": 4730000, "Flag": 1, "Day": None, "Count": 0}
    assert THING.present(row) == {"Name": "A", "Price": 473.0, "Flag": True, "Count": 0}
    assert THING.present({**row, "Flag": 0}, "Name", "Price") == {"Flag": False, "Count": 0}


def test_a_list_result_counts_its_items() -> None:
    assert collection([]) == {"count": 0, "items": []}
    assert collection([{"a": 1}]) == {"count": 1, "items": [{"a": 1}]}


def test_twenty_four_resources_name_exactly_the_columns_of_their_tables() -> None:
    resources = _resources()
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    columns = {
        resource.table: [row[1] for row in connection.execute(f'PRAGMA table_info("{resource.table}")')]
        for resource in resources
    }
    connection.close()
    assert len(resources) == 24
    for resource in resources:
        assert list(resource.fields) == columns[resource.table]


@pytest.mark.parametrize("tool", [tool.name for tool in catalog.load().of_server("oracle_fusion")])
def test_each_tool_of_the_catalog_has_a_function(tool: str) -> None:
    _resources()
    assert tool in TOOLS
