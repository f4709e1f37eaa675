"""The catalog against the reference, both forms of names, and the checks of arguments."""

import json
from pathlib import Path
from typing import Any

import pytest
from erpbench_world import catalog
from erpbench_world.catalog import SERVERS, Catalog, serialise, validate
from erpbench_world.errors import InvalidArguments
from hypothesis import given
from hypothesis import strategies as st

REFERENCE = json.loads((Path(__file__).parent / "golden" / "tool_reference.json").read_text(encoding="utf-8"))
CATALOG = catalog.load()
WRITES_LINES = {
    "oracle_fusion.sales_orders.create": ("lines", "ProductNumber OrderedQuantity OrderedUOM UnitListPrice"),
    "oracle_fusion.standard_receipts.create": ("remittanceReferences", "ReferenceType ReferenceNumber ApplyAmount"),
    "oracle_fusion.purchase_requisitions.create": (
        "lines", "ItemNumber Quantity UOM UnitPrice Supplier RequestedDeliveryDate"),
    "oracle_fusion.receiving_receipt_requests.create": (
        "lines", "DocumentNumber DocumentLineNumber ItemNumber Quantity TransactionType"),
    "oracle_fusion.invoices.create": (
        "invoiceLines", "LineNumber PurchaseOrderNumber PurchaseOrderLineNumber ItemNumber Quantity UnitPrice"),
}  # fmt: skip
FINAL = (
    "sales_orders.create", "standard_receipts.create", "receiving_receipt_requests.create", "invoices.create",
    "workers.create", "absences.create", "purchase_requisitions.create",
)  # fmt: skip


def facts(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: value for key, value in part.items() if key != "description"}
        for name, part in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def tool(name: str) -> catalog.ToolSpec:
    found = CATALOG.find(name)
    assert found is not None
    return found


def test_the_catalog_has_the_facts_of_the_reference() -> None:
    ours = [
        {
            "name": spec.name,
            "read_only": spec.read_only,
            "idempotent": spec.idempotent,
            "provider_operation": spec.provider_operation,
            "input_schema": facts(dict(spec.input_schema)),
        }
        for spec in CATALOG.tools
    ]
    assert ours == REFERENCE["tools"]


def test_counts_servers_and_flags() -> None:
    assert len(CATALOG.tools) == 52
    assert sum(spec.writes for spec in CATALOG.tools) == 19
    assert {spec.server for spec in CATALOG.tools} == set(SERVERS)
    assert [len(CATALOG.of_server(server)) for server in SERVERS] == [5, 34, 4, 3, 3, 3]
    assert all(spec.takes_task for spec in CATALOG.tools if spec.writes)


def test_all_four_hints_are_explicit() -> None:
    for spec in CATALOG.tools:
        assert set(spec.annotations) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert spec.annotations["readOnlyHint"] is spec.read_only
        assert spec.annotations["idempotentHint"] is spec.idempotent
        assert spec.annotations["openWorldHint"] is False
        assert not (spec.read_only and spec.annotations["destructiveHint"])


def test_descriptions_tell_shapes_and_what_is_final() -> None:
    for spec in CATALOG.tools:
        assert len(spec.description) > 15, spec.name
        for name, part in spec.input_schema["properties"].items():
            assert len(part["description"]) > 5, (spec.name, name)
    for name, (argument, fields) in WRITES_LINES.items():
        text = tool(name).input_schema["properties"][argument]["description"]
        assert [field for field in fields.split() if field not in text] == [], name
    for name in FINAL:
        assert "cancelled or edited" in tool(f"oracle_fusion.{name}").description


def test_underscored_names_are_injective_and_short() -> None:
    assert tool("oracle_fusion.items.list").underscored == "items_list"
    assert tool("google_sheets.spreadsheets.values.append").underscored == "spreadsheets_values_append"
    for server in SERVERS:
        names = [spec.underscored for spec in CATALOG.of_server(server)]
        assert len(set(names)) == len(names)
        assert all(name.replace("_", "").isalnum() for name in names)
        assert max(len(f"mcp__{server}__{name}") for name in names) <= 64


def test_both_forms_are_found_on_their_own_server_only() -> None:
    assert CATALOG.find("items_list", "oracle_fusion") is tool("oracle_fusion.items.list")
    assert CATALOG.find("oracle_fusion.items.list", "oracle_fusion") is tool("oracle_fusion.items.list")
    assert CATALOG.find("items_list") is tool("oracle_fusion.items.list")
    assert CATALOG.find("items_list", "gmail") is None
    assert CATALOG.find("oracle_fusion.items.list", "gmail") is None
    assert CATALOG.find("items.list", "oracle_fusion") is None


def test_two_tools_of_one_underscored_name_are_an_error() -> None:
    spec = tool("gmail.drafts.get")
    with pytest.raises(ValueError, match="two tools of gmail"):
        Catalog([spec, spec])


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("gmail.messages.get", {}, "id: required by gmail.messages.get, not given"),
        ("gmail.messages.get", {"id": 3}, "id: expected text, came 3"),
        ("gmail.messages.get", {"id": "x", "format": "full"},
         "format: not known to gmail.messages.get, which takes id"),
        ("oracle_fusion.shipment_lines.update", {"task_id": "t", "ShipmentLine": "1", "ShippedQuantity": True},
         'ShipmentLine: expected a whole number, came "1"; ShippedQuantity: expected a whole number, came true'),
        ("oracle_fusion.shipment_lines.update", {"task_id": "t", "ShipmentLine": 1.5, "ShippedQuantity": 0},
         "ShipmentLine: expected a whole number, came 1.5"),
        ("erpbench.record_decision", {"task_id": "t", "decision": "d", "status": "s", "primary_record": "p",
         "rationale": "r", "source_refs": ["a", 2]}, "source_refs[1]: expected text, came 2"),
        ("gmail.messages.get", {"id": ["y" * 500]}, f'id: expected text, came ["{"y" * 118}… (504 characters)'),
    ],
)  # fmt: skip
def test_messages_say_which_argument_what_was_expected_and_what_came(
    name: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArguments) as caught:
        validate(tool(name), arguments)
    assert str(caught.value) == message


def test_a_whole_float_is_handed_on_as_an_integer() -> None:
    arguments = {"task_id": "t", "ShipmentLine": 7.0, "ShippedQuantity": 2}
    checked = validate(tool("oracle_fusion.shipment_lines.update"), arguments)
    assert checked == {"task_id": "t", "ShipmentLine": 7, "ShippedQuantity": 2}
    assert isinstance(checked["ShipmentLine"], int)
    assert isinstance(arguments["ShipmentLine"], float)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([1], "arguments: expected an object, came [1]"),
        ({"x": float("nan")}, "x: expected a finite number, came nan"),
        ({"lines": [{"Quantity": float("inf")}]}, "lines[0].Quantity: expected a finite number, came inf"),
        ({"x": 10**15}, "x: expected a number below 10^15 in size"),
        ({"x": -(10**5000)}, "x: expected a number below 10^15 in size"),
        ({"x": 1e300}, "x: expected a number below 10^15 in size"),
        ({"x": "a\x00b"}, "x: expected text without NUL characters and unpaired surrogates"),
        ({"x": "\ud800"}, "x: expected text without NUL characters and unpaired surrogates"),
        ({"x": "y" * 65536}, "arguments: expected at most 65536 bytes of JSON, came 65545"),
        ({"x": {1, 2}}, "x: expected JSON, came set"),
    ],
)
def test_what_is_no_json_within_bounds_is_invalid(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        serialise(arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("levels", [17, 100_000])
def test_deep_nesting_is_invalid(levels: int) -> None:
    with pytest.raises(InvalidArguments, match="at most 16 levels of nesting"):
        serialise({"x": nested(levels)})


def test_serialised_arguments_are_sorted_and_keep_their_letters() -> None:
    assert serialise({"b": "ż", "a": 2.0}) == '{"a": 2.0, "b": "ż"}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["task_id", "values", "range", "x"]), JSON))
def test_any_json_is_checked_without_another_error(arguments: dict[str, Any]) -> None:
    try:
        text = serialise(arguments)
    except InvalidArguments:
        return
    assert json.loads(text) == arguments
    with pytest.raises(InvalidArguments):
        validate(tool("google_sheets.spreadsheets.values.update"), arguments)
