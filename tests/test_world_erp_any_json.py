"""Whatever JSON a create tool is given, it answers with a result or with a message of its own."""

from collections.abc import Iterator
from typing import Any

import pytest
from erpbench_world.dispatch import UNEXPECTED, World
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from world_fixture import TASK, make_world

SCALAR = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(alphabet=st.characters(codec=None), max_size=12)
)
JSON = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
HEADERS: dict[str, dict[str, Any]] = {
    "sales_orders.create": {
        "SourceTransactionNumber": "FILE-1",
        "SourceTransactionSystem": "OPS",
        "CustomerPONumber": "PO-1",
        "TransactionType": "Standard Orders",
        "BuyingPartyNumber": "CUST-10412",
        "RequestedFulfillmentOrganizationCode": "NBR1",
        "SubmittedFlag": True,
    },
    "standard_receipts.create": {
        "ReceiptNumber": "PAY-1",
        "ReceiptAmount": 500,
        "ReceiptDate": "2026-02-09",
        "CustomerAccountNumber": "CUST-10412",
        "ReceiptMethod": "Check",
        "BusinessUnit": "Northbridge BU",
        "Currency": "USD",
    },
    "purchase_requisitions.create": {
        "RequisitioningBU": "Northbridge BU",
        "Preparer": "Dana",
        "Description": "Stock",
        "Justification": "Low",
    },
    "receiving_receipt_requests.create": {"ReceiptSourceCode": "VENDOR", "OrganizationCode": "NBR1"},
    "invoices.create": {
        "BusinessUnit": "Northbridge BU",
        "Supplier": "Great Lakes Wire",
        "InvoiceNumber": "GLW-1",
        "InvoiceAmount": 10,
        "InvoiceCurrency": "USD",
        "InvoiceDate": "2026-02-09",
    },
    "workers.create": {
        "PersonNumber": "P-1",
        "DisplayName": "A",
        "LegalEmployerName": "Northbridge Fastener Works LLC",
        "JobCode": "MACH-OP2",
        "HireDate": "2026-02-09",
        "ContractEndDate": "2026-03-09",
        "MonthlySalary": 1,
        "CandidateId": "C-1",
    },
    "absences.create": {
        "personNumber": "P-0",
        "absenceType": "Approved leave",
        "startDate": "2026-02-09",
        "endDate": "2026-02-09",
        "employer": "Northbridge Fastener Works LLC",
        "absenceStatusCd": "APPROVED",
    },
    "invoice_holds.create": {"InvoiceId": 1, "HoldName": "PRICE_VARIANCE", "HoldReason": "Why"},
    "items.update": {"ItemId": 1, "ListPrice": 1, "EffectiveDate": "2026-02-09"},
    "shipment_lines.update": {"ShipmentLine": 1, "ShippedQuantity": 1},
    "document_records.update": {"DocumentRecordId": 1, "Status": "ALERTED"},
    "purchase_requisitions.submit": {"purchaseRequisitionsUniqID": "REQ-NBR-7041"},
}
LINES: dict[str, tuple[str, dict[str, Any]]] = {
    "sales_orders.create": (
        "lines",
        {
            "ProductNumber": "FST-M8-40",
            "OrderedQuantity": 3,
            "OrderedUOM": "EA",
            "UnitListPrice": 0.84,
            "LineNumber": 1,
            "SourceLineNumber": 2,
        },
    ),
    "standard_receipts.create": (
        "remittanceReferences",
        {"ReferenceType": "Invoice", "ReferenceNumber": "INV-1", "ApplyAmount": 1},
    ),
    "purchase_requisitions.create": (
        "lines",
        {
            "ItemNumber": "FST-M8-40",
            "Quantity": 1,
            "UOM": "EA",
            "UnitPrice": 0.3,
            "Supplier": "Great Lakes Wire",
            "RequestedDeliveryDate": "2026-03-01",
        },
    ),
    "receiving_receipt_requests.create": (
        "lines",
        {
            "DocumentNumber": "PO-1",
            "DocumentLineNumber": 1,
            "ItemNumber": "FST-M8-40",
            "Quantity": 1,
            "TransactionType": "RECEIVE",
        },
    ),
    "invoices.create": (
        "invoiceLines",
        {
            "PurchaseOrderNumber": "PO-1",
            "PurchaseOrderLineNumber": 1,
            "ItemNumber": "FST-M8-40",
            "Description": "Bolts",
            "Quantity": 1,
            "UnitPrice": 10,
        },
    ),
}
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    item = {"ItemId": 1, "OrganizationCode": "NBR1", "ItemNumber": "FST-M8-40", "PrimaryUOMValue": "EA"}
    invoice = {"CustomerTransactionId": 1, "TransactionNumber": "INV-1", "BillToCustomerNumber": "CUST-10412"}
    line = {"OrderNumber": "PO-1", "LineNumber": 1, "ItemNumber": "FST-M8-40", "Quantity": 10**9}
    with make_world(
        tmp_path_factory.mktemp("any"),
        {
            "items": [{**item, "ItemStatusValue": "Active"}],
            "accounts": [{"AccountId": "CUST-10412", "CustomerName": "Cascade Assembly Inc."}],
            "suppliers": [{"SupplierNumber": "SUP-01", "Supplier": "Great Lakes Wire", "SupplierStatus": "Active"}],
            "purchase_orders": [{"OrderNumber": "PO-1", "Supplier": "Great Lakes Wire", "Status": "Open"}],
            "purchase_order_lines": [{**line, "LineStatus": "Open"}],
            "receivables_invoices": [{**invoice, "TransactionClass": "Invoice", "InvoiceBalanceAmount": 10**15}],
            "workers": [{"PersonNumber": "P-0", "LegalEmployerName": "Northbridge Fastener Works LLC"}],
            "shipments": [{"Shipment": "SHP-1", "ShipmentStatus": "Open"}],
            "shipment_lines": [{"ShipmentLine": 1, "Shipment": "SHP-1", "RequestedQuantity": 10}],
            "document_records": [{"DocumentRecordId": 1, "PersonNumber": "P-0", "Status": "ACTIVE"}],
        },
    ) as opened:
        yield opened


def _answers(world: World, tool: str, arguments: dict[str, Any]) -> None:
    answer = world.call(f"oracle_fusion.{tool}", {"task_id": TASK, **arguments})
    if answer.ok:
        assert isinstance(answer.result, dict)
    else:
        assert answer.outcome in ("refused", "invalid")
        assert answer.error not in (None, UNEXPECTED)


@pytest.mark.parametrize("tool", LINES)
def test_the_line_of_the_tests_is_taken_as_it_is(world: World, tool: str) -> None:
    argument, line = LINES[tool]
    arguments = {"task_id": TASK, **HEADERS[tool], argument: [line]}
    answer = world.call(f"oracle_fusion.{tool}", arguments)
    assert answer.ok, answer.error


@pytest.mark.parametrize("tool", LINES)
@SETTINGS
@given(lines=st.lists(JSON, max_size=3))
def test_arbitrary_lines(world: World, tool: str, lines: list[Any]) -> None:
    _answers(world, tool, {**HEADERS[tool], LINES[tool][0]: lines})


@pytest.mark.parametrize("tool", LINES)
@SETTINGS
@given(data=st.data())
def test_a_line_with_one_arbitrary_value(world: World, tool: str, data: st.DataObject) -> None:
    argument, line = LINES[tool]
    key = data.draw(st.sampled_from(sorted(line)))
    _answers(world, tool, {**HEADERS[tool], argument: [line, {**line, key: data.draw(JSON)}]})


@pytest.mark.parametrize("tool", HEADERS)
@SETTINGS
@given(data=st.data())
def test_one_arbitrary_header_value(world: World, tool: str, data: st.DataObject) -> None:
    header = dict(HEADERS[tool])
    if tool in LINES:
        argument, line = LINES[tool]
        header[argument] = [line]
    key = data.draw(st.sampled_from(sorted(HEADERS[tool])))
    _answers(world, tool, {**header, key: data.draw(JSON)})
