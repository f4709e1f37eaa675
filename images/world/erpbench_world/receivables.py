"""Receivables: customer accounts, their invoices and credit memos, and standard receipts.

A receipt's remittance references apply its money. An Invoice row pays an invoice, a Discount row takes an allowed
discount off one without money, a Credit Memo row nets an open memo against the invoices paid. An Invoice row may pay
more than is open, or an invoice that is closed: its balance goes below zero.
"""

from dataclasses import dataclass
from typing import Any

from erpbench_world import money, rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import NotFound, Refused
from erpbench_world.fields import amount, record_id, text
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

ACCOUNTS = Resource(
    "accounts",
    {
        "AccountId": "text",
        "CustomerName": "text",
        "CreditLimit": "money",
        "CreditHoldFlag": "flag",
        "PaymentTerms": "text",
    },
)
TRANSACTIONS = Resource(
    "receivables_invoices",
    {
        "CustomerTransactionId": "integer",
        "TransactionNumber": "text",
        "TransactionClass": "text",
        "BillToCustomerNumber": "text",
        "BillToCustomerName": "text",
        "PurchaseOrder": "text",
        "TransactionDate": "date",
        "DueDate": "date",
        "PaymentTerms": "text",
        "InvoiceCurrencyCode": "text",
        "EnteredAmount": "money",
        "InvoiceBalanceAmount": "money",
        "InvoiceStatus": "text",
        "Comments": "text",
    },
)
RECEIPTS = Resource(
    "standard_receipts",
    {
        "StandardReceiptId": "integer",
        "ReceiptNumber": "text",
        "CustomerAccountNumber": "text",
        "ReceiptAmount": "money",
        "ReceiptDate": "date",
        "ReceiptMethod": "text",
        "BusinessUnit": "text",
        "Currency": "text",
        "AppliedAmount": "money",
        "UnappliedAmount": "money",
        "State": "text",
        "CreationDate": "date",
        "CreatedBy": "text",
    },
)
REFERENCES = Lines(
    Resource(
        "remittance_references",
        {
            "StandardReceiptId": "integer",
            "LineNumber": "integer",
            "ReferenceType": "text",
            "ReferenceNumber": "text",
            "ApplyAmount": "money",
        },
    ),
    "StandardReceiptId",
)
REFERENCE_KEYS = ("ReferenceType", "ReferenceNumber", "ApplyAmount")
INVOICE, DISCOUNT, CREDIT_MEMO = "Invoice", "Discount", "Credit Memo"
OPEN, CLOSED = "Open", "Closed"


@dataclass(frozen=True)
class Reference:
    """One remittance row; amount in ten-thousandths, always above zero."""

    kind: str
    number: str
    amount: int


@tool("oracle_fusion.customer_account_activities.get")
def get_account(call: Call, arguments: dict[str, Any]) -> Row:
    """An account with what is open on it today. Raises NotFound.

    OpenReceivablesAmount is the sum of all balances, those below zero (credit memos, overpaid invoices) included.
    PastDueAmount is what invoices still owe whose due date has passed; nothing is netted in it.
    """
    number = text(arguments["AccountId"], "AccountId")
    account = ACCOUNTS.read_one(call, "AccountId", number)
    if account is None:
        raise NotFound(f"AccountId: no customer account {number}", "AccountId")
    transactions = _transactions(call, account["AccountId"]).values()
    past_due = sum(
        row["InvoiceBalanceAmount"]
        for row in transactions
        if row["TransactionClass"] == INVOICE and row["InvoiceBalanceAmount"] > 0 and row["DueDate"] < call.today
    )
    return {
        **ACCOUNTS.present(account),
        "AsOfDate": call.today,
        "OpenReceivablesAmount": money.show(sum(row["InvoiceBalanceAmount"] for row in transactions)),
        "OpenTransactions": sum(
            _status(row["TransactionClass"], row["InvoiceBalanceAmount"]) == OPEN for row in transactions
        ),
        "PastDueAmount": money.show(past_due),
    }


@tool("oracle_fusion.receivables_invoices.list")
def list_transactions(call: Call, arguments: dict[str, Any]) -> Row:
    """Invoices and credit memos by identifier."""
    return collection([TRANSACTIONS.present(row) for row in TRANSACTIONS.read(call, arguments.get("q"))])


@tool("oracle_fusion.receivables_invoices.get")
def get_transaction(call: Call, arguments: dict[str, Any]) -> Row:
    """One invoice or credit memo. Raises NotFound."""
    number = record_id(arguments["CustomerTransactionId"], "CustomerTransactionId")
    row = TRANSACTIONS.read_one(call, "CustomerTransactionId", number)
    if row is None:
        raise NotFound(f"CustomerTransactionId: no receivables transaction {number}", "CustomerTransactionId")
    return TRANSACTIONS.present(row)


@tool("oracle_fusion.standard_receipts.list")
def list_receipts(call: Call, arguments: dict[str, Any]) -> Row:
    """Receipts by identifier, each with its remittance references."""
    return collection(_present(call, RECEIPTS.read(call, arguments.get("q"))))


@tool("oracle_fusion.standard_receipts.create")
def create_receipt(call: Call, arguments: dict[str, Any]) -> Row:
    """Enter a receipt and apply it. An empty list of references leaves all of its money unapplied.

    State is the provider's: Applied when no money is left over, otherwise Unapplied. Money may be applied beyond an
    invoice's balance, as the provider's over-application allows; the invoice is then Closed with a balance below zero.
    """
    number = text(arguments["ReceiptNumber"], "ReceiptNumber")
    account = text(arguments["CustomerAccountNumber"], "CustomerAccountNumber")
    method = text(arguments["ReceiptMethod"], "ReceiptMethod")
    unit = text(arguments["BusinessUnit"], "BusinessUnit")
    day = rules.iso_date(arguments["ReceiptDate"], "ReceiptDate")
    references = _references(arguments["remittanceReferences"])
    received = amount(arguments["ReceiptAmount"], "ReceiptAmount")
    if call.row("SELECT 1 FROM standard_receipts WHERE ReceiptNumber = ?", (number,)):
        raise Refused(f"ReceiptNumber: receipt {number} has been entered before", "ReceiptNumber")
    rules.open_period(call, "receivables", day, "ReceiptDate")
    if call.row("SELECT 1 FROM accounts WHERE AccountId = ?", (account,)) is None:
        raise Refused(f"CustomerAccountNumber: no customer account {account} in this tenant", "CustomerAccountNumber")
    rules.known(call, "receipt_method", method, "ReceiptMethod")
    rules.organization(call, "business_unit", unit, "BusinessUnit", column="name")
    currency = ledger_currency(call, arguments["Currency"], "Currency")
    before = _transactions(call, account)
    after, applied = _apply(call, account, references, before)
    if applied > received:
        raise Refused(
            f"remittanceReferences: {money.show(applied)} is applied, the receipt holds {money.show(received)}",
            "remittanceReferences",
        )
    receipt_id = call.next_id("standard_receipts")
    call.insert(
        "standard_receipts",
        {
            "StandardReceiptId": receipt_id,
            "ReceiptNumber": number,
            "CustomerAccountNumber": account,
            "ReceiptAmount": received,
            "ReceiptDate": day,
            "ReceiptMethod": method,
            "BusinessUnit": unit,
            "Currency": currency,
            "AppliedAmount": applied,
            "UnappliedAmount": received - applied,
            "State": "Applied" if applied == received else "Unapplied",
            "CreationDate": call.now,
            "CreatedBy": call.meta["analyst"],
        },
    )
    _insert_references(call, receipt_id, references)
    for transaction, balance in after.items():
        row = before[transaction]
        if balance != row["InvoiceBalanceAmount"]:
            call.update(
                "receivables_invoices",
                {"CustomerTransactionId": row["CustomerTransactionId"]},
                {"InvoiceBalanceAmount": balance, "InvoiceStatus": _status(row["TransactionClass"], balance)},
            )
    return _present(
        call,
        call.show(
            "standard_receipts", call.rows("SELECT * FROM standard_receipts WHERE StandardReceiptId = ?", (receipt_id,))
        ),
    )[0]


def ledger_currency(call: Call, value: Any, argument: str) -> str:
    """The value if it is the ledger's currency; anything else is refused."""
    currency = text(value, argument)
    if currency != call.meta["currency"]:
        raise Refused(f"{argument}: the ledger is kept in {call.meta['currency']}, came {currency}", argument)
    return currency


def _references(value: Any) -> list[Reference]:
    if value == []:
        return []
    given = rules.line_list(value, "remittanceReferences", REFERENCE_KEYS)
    return [_reference(line, f"remittanceReferences[{index}]") for index, line in enumerate(given)]


def _reference(line: dict[str, Any], where: str) -> Reference:
    return Reference(
        kind=text(line["ReferenceType"], f"{where}.ReferenceType"),
        number=text(line["ReferenceNumber"], f"{where}.ReferenceNumber"),
        amount=amount(line["ApplyAmount"], f"{where}.ApplyAmount"),
    )


def _transactions(call: Call, account: str) -> dict[str, Row]:
    """The account's transactions by number, closed ones included."""
    rows = call.rows("SELECT * FROM receivables_invoices WHERE BillToCustomerNumber = ?", (account,))
    return {row["TransactionNumber"]: row for row in rows}


def _apply(
    call: Call, account: str, references: list[Reference], transactions: dict[str, Row]
) -> tuple[dict[str, int], int]:
    """Balances after all rows, and the receipt's money that they use: invoices paid less credit memos netted."""
    balances = {number: int(row["InvoiceBalanceAmount"]) for number, row in transactions.items()}
    paid = netted = 0
    for index, reference in enumerate(references):
        where = f"remittanceReferences[{index}]"
        rules.known(call, "reference_type", reference.kind, f"{where}.ReferenceType")
        row = transactions.get(reference.number)
        if row is None:
            raise _not_of_account(call, account, reference.number, where)
        _check_class(reference, row["TransactionClass"], where)
        if reference.kind != INVOICE:
            _check_open(reference, balances[reference.number], where)
        if reference.kind == CREDIT_MEMO:
            balances[reference.number] += reference.amount
            netted += reference.amount
        else:
            balances[reference.number] -= reference.amount
            paid += reference.amount if reference.kind == INVOICE else 0
    if netted > paid:
        raise Refused(
            f"remittanceReferences: credit memos of {money.show(netted)} are netted against"
            f" invoices of {money.show(paid)}",
            "remittanceReferences",
        )
    return balances, paid - netted


def _status(transaction_class: str, balance: int) -> str:
    """A credit memo is open while some of it is left (a negative balance), anything else while it is owed."""
    left = -balance if transaction_class == CREDIT_MEMO else balance
    return OPEN if left > 0 else CLOSED


def _check_class(reference: Reference, transaction_class: str, where: str) -> None:
    memo = reference.kind == CREDIT_MEMO
    if reference.kind not in (INVOICE, DISCOUNT, CREDIT_MEMO) or memo != (transaction_class == CREDIT_MEMO):
        raise Refused(
            f"{where}.ReferenceType: {reference.number} is of class {transaction_class}, came {reference.kind}",
            f"{where}.ReferenceType",
        )


def _check_open(reference: Reference, balance: int, where: str) -> None:
    """A discount or a credit memo goes no further than what is open. Money does: see create_receipt."""
    left = -balance if reference.kind == CREDIT_MEMO else balance
    if left <= 0:
        raise Refused(f"{where}.ReferenceNumber: nothing is open on {reference.number}", f"{where}.ReferenceNumber")
    if reference.amount > left:
        raise Refused(
            f"{where}.ApplyAmount: {money.show(reference.amount)} is above the {money.show(left)} open on"
            f" {reference.number}",
            f"{where}.ApplyAmount",
        )


def _not_of_account(call: Call, account: str, number: str, where: str) -> Refused:
    argument = f"{where}.ReferenceNumber"
    other = call.row("SELECT BillToCustomerNumber FROM receivables_invoices WHERE TransactionNumber = ?", (number,))
    if other is None:
        return Refused(f"{argument}: no receivables transaction {number} in this tenant", argument)
    return Refused(f"{argument}: {number} belongs to account {other['BillToCustomerNumber']}, not {account}", argument)


def _insert_references(call: Call, receipt_id: int, references: list[Reference]) -> None:
    for index, reference in enumerate(references):
        call.insert(
            "remittance_references",
            {
                "StandardReceiptId": receipt_id,
                "LineNumber": index + 1,
                "ReferenceType": reference.kind,
                "ReferenceNumber": reference.number,
                "ApplyAmount": reference.amount,
            },
        )


def _present(call: Call, rows: list[Row]) -> list[Row]:
    references = REFERENCES.of(call, rows)
    return [{**RECEIPTS.present(row), "remittanceReferences": references[row["StandardReceiptId"]]} for row in rows]
