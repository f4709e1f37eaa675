"""Accounts, receivables transactions and receipts, by the seed's account figures and sums worked out by hand."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

CREATE = "oracle_fusion.standard_receipts.create"
RECEIPT: dict[str, Any] = {
    "task_id": TASK,
    "ReceiptNumber": "PAY-CA-0209",
    "ReceiptAmount": 25000,
    "ReceiptDate": "2026-02-09",
    "CustomerAccountNumber": "CUST-10412",
    "ReceiptMethod": "ACH Lockbox",
    "BusinessUnit": "Northbridge BU",
    "Currency": "USD",
}


def _transaction(number: int, name: str, due: str, balance: int, account: str = "CUST-10412") -> dict[str, Any]:
    memo = balance < 0
    return {
        "CustomerTransactionId": number,
        "TransactionNumber": name,
        "TransactionClass": "Credit Memo" if memo else "Invoice",
        "BillToCustomerNumber": account,
        "BillToCustomerName": "Cascade Assembly Inc.",
        "TransactionDate": "2026-01-02",
        "DueDate": due,
        "PaymentTerms": "Net 30",
        "InvoiceCurrencyCode": "USD",
        "EnteredAmount": (balance or 500) * 10000,
        "InvoiceBalanceAmount": balance * 10000,
        "InvoiceStatus": "Open" if balance else "Closed",
    }


def _world(path: Path) -> World:
    return make_world(
        path,
        {
            "accounts": [
                {
                    "AccountId": "CUST-10412",
                    "CustomerName": "Cascade Assembly Inc.",
                    "CreditLimit": 1800000000,
                    "PaymentTerms": "Net 30",
                },
                {"AccountId": "CUST-10477", "CustomerName": "Cascade Assembly LLC"},
            ],
            "receivables_invoices": [
                _transaction(7001, "INV-1", "2026-01-10", 30830),
                _transaction(7002, "INV-2", "2026-02-08", 20000),
                _transaction(7003, "INV-3", "2026-02-09", 10000),
                _transaction(7004, "INV-4", "2026-03-01", 12720),
                _transaction(7005, "CM-1", "2026-02-20", -500),
                _transaction(7006, "INV-5", "2026-01-05", 0),
                _transaction(7007, "INV-9", "2026-01-05", 800, "CUST-10477"),
            ],
        },
    )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return _world(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> World:
    """For calls that change nothing."""
    return _world(tmp_path_factory.mktemp("untouched"))


def _row(kind: str, number: str, amount: float) -> dict[str, Any]:
    return {"ReferenceType": kind, "ReferenceNumber": number, "ApplyAmount": amount}


def _create(world: World, *references: dict[str, Any], **changes: Any) -> Any:
    return world.call(CREATE, {**RECEIPT, "remittanceReferences": list(references), **changes})


def _balances(world: World) -> dict[str, tuple[int, str]]:
    return {
        row["TransactionNumber"]: (row["InvoiceBalanceAmount"] // 10000, row["InvoiceStatus"])
        for row in table(world, "receivables_invoices")
    }


def test_the_account_shows_what_is_open_and_past_due_as_the_seed_does(world: World) -> None:
    assert ok(world.call("oracle_fusion.customer_account_activities.get", {"AccountId": "CUST-10412"})) == {
        "AccountId": "CUST-10412",
        "AsOfDate": "2026-02-09",
        "CreditHoldFlag": False,
        "CreditLimit": 180000.0,
        "CustomerName": "Cascade Assembly Inc.",
        "OpenReceivablesAmount": 73050.0,
        "OpenTransactions": 5,
        "PastDueAmount": 50830.0,
        "PaymentTerms": "Net 30",
    }
    assert table(world, "trace")[0]["saw"].replace(" ", "") == '[["accounts","CUST-10412"]]'


def test_what_is_past_due_is_what_invoices_owe_with_nothing_netted(tmp_path: Path) -> None:
    """Past due: only the 800. Not the invoice due today, the overpaid one, the memo or the chargeback."""
    world = make_world(
        tmp_path,
        {
            "accounts": [{"AccountId": "CUST-10412", "CustomerName": "Cascade Assembly Inc."}],
            "receivables_invoices": [
                _transaction(1, "INV-A", "2026-02-08", 800),
                _transaction(2, "INV-B", "2026-02-09", 70),
                {**_transaction(3, "INV-C", "2026-01-10", -150), "TransactionClass": "Invoice"},
                _transaction(4, "CM-A", "2026-01-10", -200),
                {**_transaction(5, "CB-A", "2026-01-10", 40), "TransactionClass": "Chargeback"},
            ],
        },
    )
    account = ok(world.call("oracle_fusion.customer_account_activities.get", {"AccountId": "CUST-10412"}))
    assert (account["PastDueAmount"], account["OpenReceivablesAmount"]) == (800.0, 560.0)
    assert account["OpenTransactions"] == 4


def test_reads_of_unknown_records_are_harmless(world: World) -> None:
    account = world.call("oracle_fusion.customer_account_activities.get", {"AccountId": "CUST-1"})
    assert refused(account, "invalid") == "AccountId: no customer account CUST-1"
    invoice = world.call("oracle_fusion.receivables_invoices.get", {"CustomerTransactionId": 1})
    assert refused(invoice, "invalid") == "CustomerTransactionId: no receivables transaction 1"


def test_an_invoice_is_read_by_list_and_by_identifier(world: World) -> None:
    listed = ok(world.call("oracle_fusion.receivables_invoices.list", {"q": "InvoiceBalanceAmount = 20000"}))
    assert listed["count"] == 1
    one = ok(world.call("oracle_fusion.receivables_invoices.get", {"CustomerTransactionId": 7002}))
    assert listed["items"] == [one]
    assert (one["TransactionNumber"], one["InvoiceBalanceAmount"], one["DueDate"]) == ("INV-2", 20000.0, "2026-02-08")
    assert "PurchaseOrder" not in one


def test_a_receipt_pays_invoices_takes_a_discount_and_nets_a_credit_memo(world: World) -> None:
    """20000 + 4900 paid less 500 netted is 24400 of 25000; 100 discount closes nothing but lowers INV-3."""
    receipt = ok(
        _create(
            world,
            _row("Invoice", "INV-2", 20000),
            _row("Invoice", "INV-3", 4900),
            _row("Discount", "INV-3", 100),
            _row("Credit Memo", "CM-1", 500),
        )
    )
    assert receipt == {
        "StandardReceiptId": 880101,
        "ReceiptNumber": "PAY-CA-0209",
        "CustomerAccountNumber": "CUST-10412",
        "ReceiptAmount": 25000.0,
        "ReceiptDate": "2026-02-09",
        "ReceiptMethod": "ACH Lockbox",
        "BusinessUnit": "Northbridge BU",
        "Currency": "USD",
        "AppliedAmount": 24400.0,
        "UnappliedAmount": 600.0,
        "State": "Unapplied",
        "CreationDate": "2026-02-09T09:00:00Z",
        "CreatedBy": "analyst",
        "remittanceReferences": [
            {"LineNumber": 1, "ReferenceType": "Invoice", "ReferenceNumber": "INV-2", "ApplyAmount": 20000.0},
            {"LineNumber": 2, "ReferenceType": "Invoice", "ReferenceNumber": "INV-3", "ApplyAmount": 4900.0},
            {"LineNumber": 3, "ReferenceType": "Discount", "ReferenceNumber": "INV-3", "ApplyAmount": 100.0},
            {"LineNumber": 4, "ReferenceType": "Credit Memo", "ReferenceNumber": "CM-1", "ApplyAmount": 500.0},
        ],
    }
    assert _balances(world) == {
        "INV-1": (30830, "Open"),
        "INV-2": (0, "Closed"),
        "INV-3": (5000, "Open"),
        "INV-4": (12720, "Open"),
        "CM-1": (0, "Closed"),
        "INV-5": (0, "Closed"),
        "INV-9": (800, "Open"),
    }
    assert ok(world.call("oracle_fusion.standard_receipts.list", {"q": "ReceiptNumber='PAY-CA-0209'"})) == {
        "count": 1,
        "items": [receipt],
    }
    wrote = table(world, "trace")[0]["wrote"]
    assert '"7003"' in wrote
    assert '"7001"' not in wrote


def test_a_receipt_whose_money_is_all_used_is_applied(world: World) -> None:
    receipt = ok(_create(world, _row("Invoice", "INV-1", 25000)))
    assert (receipt["State"], receipt["UnappliedAmount"]) == ("Applied", 0.0)


def test_an_invoice_may_be_paid_beyond_its_balance_and_a_closed_one_again(world: World) -> None:
    """12000 on the 10000 of INV-3 leave -2000; 500 on the closed INV-5 leave -500; INV-4 keeps 220 of its 12720."""
    receipt = ok(
        _create(world, _row("Invoice", "INV-3", 12000), _row("Invoice", "INV-5", 500), _row("Invoice", "INV-4", 12500))
    )
    assert (receipt["AppliedAmount"], receipt["UnappliedAmount"], receipt["State"]) == (25000.0, 0.0, "Applied")
    balances = _balances(world)
    assert (balances["INV-3"], balances["INV-5"], balances["INV-4"]) == (
        (-2000, "Closed"),
        (-500, "Closed"),
        (220, "Open"),
    )
    invoice = ok(world.call("oracle_fusion.receivables_invoices.get", {"CustomerTransactionId": 7003}))
    assert (invoice["InvoiceBalanceAmount"], invoice["InvoiceStatus"]) == (-2000.0, "Closed")
    account = ok(world.call("oracle_fusion.customer_account_activities.get", {"AccountId": "CUST-10412"}))
    assert (account["OpenReceivablesAmount"], account["OpenTransactions"]) == (48050.0, 4)
    assert account["PastDueAmount"] == 50830.0


def test_a_credit_memo_netted_in_part_stays_open(world: World) -> None:
    """25000 paid less 200 netted is 24800."""
    receipt = ok(_create(world, _row("Invoice", "INV-1", 25000), _row("Credit Memo", "CM-1", 200)))
    assert (receipt["AppliedAmount"], receipt["UnappliedAmount"]) == (24800.0, 200.0)
    assert _balances(world)["CM-1"] == (-300, "Open")


def test_a_receipt_without_references_is_unapplied(world: World) -> None:
    receipt = ok(_create(world))
    assert (receipt["State"], receipt["AppliedAmount"], receipt["UnappliedAmount"]) == ("Unapplied", 0.0, 25000.0)


@pytest.mark.parametrize(
    ("references", "part"),
    [
        ([_row("Invoice", "INV-1", 25000.01)], "25000.01 is applied, the receipt holds 25000.0"),
        ([_row("Invoice", "INV-3", 25000), _row("Invoice", "INV-5", 0.01)], "25000.01 is applied, the receipt holds"),
        ([_row("Discount", "INV-3", 10000.01)], "10000.01 is above the 10000.0 open on INV-3"),
        ([_row("Invoice", "INV-3", 10001), _row("Discount", "INV-3", 1)], "nothing is open on INV-3"),
        ([_row("Invoice", "INV-3", 9000), _row("Discount", "INV-3", 1001)], "1001.0 is above the 1000.0 open on INV-3"),
        ([_row("Discount", "INV-5", 1)], "nothing is open on INV-5"),
        ([_row("Invoice", "INV-9", 1)], "INV-9 belongs to account CUST-10477, not CUST-10412"),
        ([_row("Invoice", "INV-77", 1)], "no receivables transaction INV-77 in this tenant"),
        ([_row("Invoice", "CM-1", 1)], "CM-1 is of class Credit Memo, came Invoice"),
        ([_row("Credit Memo", "INV-1", 1)], "INV-1 is of class Invoice, came Credit Memo"),
        ([_row("Invoice", "INV-1", 100), _row("Credit Memo", "CM-1", 501)], "501.0 is above the 500.0 open on CM-1"),
        ([_row("Invoice", "INV-1", 100), _row("Credit Memo", "CM-1", 101)], "credit memos of 101.0 are netted against"),
        ([_row("Gift", "INV-1", 1)], "ReferenceType: expected one of Credit Memo, Discount, Invoice"),
        ([_row("Invoice", "INV-1", -5)], "ApplyAmount: an amount must be above zero, came -5"),
        ([_row("Invoice", "INV-1", 0)], "ApplyAmount: an amount must be above zero, came 0"),
    ],
)
def test_a_wrong_application_says_why_and_changes_nothing(
    untouched: World, references: list[dict[str, Any]], part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, *references))
    assert digest(untouched) == before


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"ReceiptAmount": 0}, "refused", "ReceiptAmount: an amount must be above zero"),
        ({"ReceiptAmount": 10.001}, "invalid", "ReceiptAmount: expected an amount in whole cents"),
        ({"ReceiptDate": "2026-01-30"}, "refused", "lies in receivables period 2026-01, which is closed"),
        ({"ReceiptDate": "09.02.2026"}, "invalid", "ReceiptDate: expected an ISO date"),
        ({"CustomerAccountNumber": "CUST-1"}, "refused", "no customer account CUST-1 in this tenant"),
        ({"ReceiptMethod": "Cash"}, "refused", "ReceiptMethod: expected one of ACH Lockbox, Check"),
        ({"BusinessUnit": "Harbor BU"}, "refused", "expected one of Northbridge BU"),
        ({"Currency": "EUR"}, "refused", "Currency: the ledger is kept in USD, came EUR"),
        ({"remittanceReferences": [{"Invoice": "INV-1"}]}, "invalid", "missing ReferenceType"),
        ({"remittanceReferences": [None]}, "invalid", "remittanceReferences[0]: expected an object"),
    ],
)
def test_a_wrong_receipt_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_create(untouched, **changes), outcome)
    assert digest(untouched) == before


def test_a_receipt_number_is_used_once(world: World) -> None:
    ok(_create(world))
    assert "receipt PAY-CA-0209 has been entered before" in refused(_create(world))
