"""What every payment has: fields, options, graded reads, state checks and the oracle's calls."""

from collections.abc import Iterator

from generator.families.acceptance import master_rows
from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.receivables_collection import records
from generator.families.receivables_collection.facts import Advice, Facts
from generator.families.receivables_collection.outcome import RULES, outcome
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import All, ExpectedRow, Route, Row, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

ANSWERS = (
    AnswerField(
        "receipt_amount",
        "money",
        "Money received under the remittance advice in force, any part of it that stays unapplied included.",
    ),
    AnswerField(
        "invoices_settled",
        "integer",
        "Invoices of the account that are open before and whose balance is 0.00 after the money, the discounts that the"
        " credit policy allows and the credit memos that it lets be netted.",
    ),
    AnswerField(
        "remaining_past_due",
        "money",
        "Sum of the balances, after the receipt, of the account's invoices that were due before the day and that the"
        " credit"
        " policy counts as past due.",
    ),
    AnswerField(
        "oldest_days_past_due",
        "integer",
        "Days from the earliest due date among the invoices counted in remaining_past_due to the day; 0 if none is.",
    ),
    AnswerField(
        "past_due_pct_of_limit",
        "percent",
        "Remaining past due divided by the credit limit in force, times 100.",
    ),
)

OPTIONS = (
    Option(
        "apply_receipt_terms_continue",
        "Enter and apply the payment; the customer's terms go on",
        "applied_in_terms",
        "the payment is applied and nothing changes for the customer",
    ),
    Option(
        "apply_receipt_recommend_hold",
        "Enter and apply the payment and recommend a credit hold",
        "applied_hold_recommended",
        "the payment is applied and the credit manager is asked to hold the account",
    ),
    Option(
        "apply_remittance_as_listed",
        "Enter the payment and settle everything the advice lists, deductions included",
        "applied_as_listed",
        "the payment is applied the way the customer listed it",
    ),
    Option(
        "stop_return_for_clarification",
        "Enter nothing and ask the customer to clear the payment up",
        "not_applied",
        "no receipt is entered",
    ),
)

CONVENTIONS = (
    "A receipt is entered in the account's business unit, by the name that earlier receipts carry, and in the ledger"
    " currency; its number, date, method and amount are as the credit policy says.",
    "remittanceReferences hold one row for what is applied of the money to an invoice, one row for a discount that is"
    " allowed on it and one for a credit memo that is netted. ReferenceNumber is the number of the transaction itself,"
    " ApplyAmount is above zero in every row, and the order of the rows does not matter. What is applied of the"
    " money and"
    " what is netted together make up the Invoice rows.",
    "The record of this task is the receipt, called by its number.",
    "What stands in the way of a request is referred to by the Drive file id or the message id of the document"
    " concerned.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the advice that the memo names, the policy whose dates cover the day."""
    today = tenant.profile.today
    covering = [
        policy
        for policy in facts.policies
        if policy.effective_from <= today and (policy.effective_to is None or today <= policy.effective_to)
    ]
    current = max(covering, key=lambda policy: policy.edition)
    return Judgement(sources={"remittance": facts.task.advice, "credit_policy": current.source})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts, right = _facts(case), case.judgement
    superseded = (
        *(("remittance", entry.source) for entry in _own_advices(facts)),
        *(("credit_policy", entry.source) for entry in facts.policies),
    )
    rules = ("unknown_payer",) if case.gold.obstacle else tuple(_biting(case))
    return (
        *(
            (f"superseded_{subject}", "wrong_source", subject, Judgement(sources={**right.sources, subject: source}))
            for subject, source in superseded
            if right.sources[subject] != source
        ),
        ("namesake_account", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("remittance_as_listed", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *(
            (f"ignores_{rule}", "ignored_rule", rule, Judgement(sources=right.sources, ignored_rules=frozenset({rule})))
            for rule in rules
        ),
    )


def _own_advices(facts: Facts) -> tuple[Advice, ...]:
    return tuple(entry for entry in facts.advices if entry.account == facts.task.account)


def _earlier_advice(facts: Facts) -> Advice:
    return next(entry for entry in _own_advices(facts) if entry.source != facts.task.advice)


def _biting(case: Case) -> Iterator[str]:
    """Rules whose neglect changes an answer, the option or the receipt of this case, on the family's own records."""
    facts = _facts(case)
    rows = {**master_rows(case.tenant.profile), **records.records(case.tenant, facts)}
    for rule in RULES:
        wrong = Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))
        found = outcome(case.tenant, facts, rows, wrong)
        if (found.answers, found.option, found.primary) != (case.gold.answers, case.gold.option, case.gold.primary):
            yield rule


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    code, account = case.tenant.profile.code, facts.task.account
    advice, policy = facts.task.advice, case.judgement.sources["credit_policy"]
    earlier_advice = _earlier_advice(facts).source
    earlier_policy = next(entry.source for entry in facts.policies if entry.source != policy)
    return (
        Read(
            "open transactions",
            "Read the account's open invoices and credit memos.",
            "the customer's open invoices and credit memos in the ledger",
            (_open_items(facts),),
        ),
        Read(
            "credit standing",
            "Read the customer's account with its limit.",
            "the customer's account: limit, hold and receivables",
            ((("accounts", account),),),
        ),
        Read(
            "remittance located",
            "Find the remittance advice: its drive entry, or the source map that names it.",
            "where the remittance advice is: its drive entry, or the source map",
            ((("drive_meta", advice),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read(
            "remittance advice",
            "Open the remittance advice.",
            "the content of the remittance advice",
            ((("drive_content", advice),),),
        ),
        Read(
            "earlier advice",
            "Read the customer's advice that no longer counts.",
            "the customer's message with an earlier advice",
            ((("mail", earlier_advice),),),
        ),
        Read(
            "credit policy",
            "Open the credit policy in force.",
            "the content of the credit policy in force",
            ((("drive_content", policy),),),
        ),
        Read(
            "earlier credit policy",
            "Read the edition of the credit policy that no longer counts.",
            "the message with the credit policy's earlier edition",
            ((("mail", earlier_policy),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
        Read(
            "namesake",
            "Read the account of the customer with the similar name, so that the two are not taken for one another.",
            "the account of the customer with a similar name",
            ((("accounts", facts.decoy.account),),),
        ),
        _tenth_read(facts),
    )


def _tenth_read(facts: Facts) -> Read:
    if facts.bank_notice is not None:
        return Read(
            "bank notice",
            "Read what the bank says of the payment.",
            "the credit manager's message with what the bank says of the payment",
            ((("mail", facts.bank_notice.source),),),
        )
    if facts.disputes is not None:
        return Read(
            "disputes",
            "Read the list of disputes.",
            "the credit manager's message with the list of disputes",
            ((("mail", facts.disputes.source),),),
        )
    receipts = tuple(("standard_receipts", str(r.id)) for r in facts.receipts if r.account == facts.task.account)
    return Read(
        "earlier receipts",
        "Read the receipts that were entered for the account before.",
        "the receipts entered for the customer before",
        (receipts,),
    )


def _open_items(facts: Facts) -> Route:
    return tuple(
        ("receivables_invoices", str(entry.id)) for entry in facts.of_account(facts.task.account) if entry.balance
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    policy = case.judgement.sources["credit_policy"]

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    account = facts.task.account
    mails = (
        _earlier_advice(facts).source,
        next(entry.source for entry in facts.policies if entry.source != policy),
        *(entry.source for entry in (facts.disputes, facts.bank_notice) if entry is not None),
    )
    return (
        call("google_drive.files.list", q="name contains 'remittance-advice'"),
        call("google_drive.files.download", fileId=facts.task.advice),
        call("oracle_fusion.receivables_invoices.list", q=f"BillToCustomerNumber='{account}'"),
        call("oracle_fusion.customer_account_activities.get", AccountId=account),
        call("oracle_fusion.standard_receipts.list", q=f"CustomerAccountNumber='{account}'"),
        call("google_drive.files.download", fileId=policy),
        *(call("gmail.messages.get", id=mail) for mail in mails),
        call("oracle_fusion.customer_account_activities.get", AccountId=facts.decoy.account),
        call("google_drive.files.download", fileId=f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    """The receipt is the primary record; what it leaves of the ledger, and that no other was entered, is secondary."""
    facts = _facts(case)
    if case.gold.primary is None:
        return declined(case, ("standard_receipts", "remittance_references"), (_open_items(facts),))
    account = facts.task.account
    number = case.gold.primary.name[1]
    receipts: Row = {"CustomerAccountNumber": account}
    ledger: Row = {"BillToCustomerNumber": account}
    bound = (ExpectedRow(key="$primary"),)
    return executed(
        primary=Rows(
            table="standard_receipts", where={"ReceiptNumber": number}, added_exactly=bound, changed_exactly=()
        ),
        secondary=All(
            of=(
                Rows(table="standard_receipts", where=receipts, added_exactly=bound, changed_exactly=()),
                Rows(table="receivables_invoices", where=ledger, added_exactly=(), changed_exactly=_balances(case)),
            )
        ),
        owned=(
            Scope(table="standard_receipts", where=receipts),
            Scope(table="standard_receipts", where={"ReceiptNumber": number}),
            Scope(table="remittance_references"),
            Scope(table="receivables_invoices", where=ledger),
        ),
    )


def _balances(case: Case) -> tuple[ExpectedRow, ...]:
    """The transactions that the receipt's rows touch, with what they leave open."""
    facts = _facts(case)
    after = {entry.number: entry.balance for entry in facts.transactions}
    rows = case.gold.writes[0].arguments["remittanceReferences"]
    for row in rows:
        sign = 1 if row["ReferenceType"] == "Credit Memo" else -1
        after[row["ReferenceNumber"]] += sign * row["ApplyAmount"]
    touched = [facts.transaction(number) for number in dict.fromkeys(row["ReferenceNumber"] for row in rows)]
    return tuple(
        ExpectedRow(
            key=str(entry.id),
            row={
                "InvoiceBalanceAmount": {"money": str(after[entry.number])},
                "InvoiceStatus": "Open" if after[entry.number] else "Closed",
            },
        )
        for entry in touched
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    account = _facts(case).task.account
    if case.gold.obstacle:
        tool, field = "oracle_fusion.receivables_invoices.list", "BillToCustomerNumber"
    else:
        tool, field = "oracle_fusion.standard_receipts.list", "CustomerAccountNumber"
    return (PlanCall(stage="verify", tool=tool, arguments={"q": f"{field}='{account}'"}),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("credit_manager").email, _facts(case).task.contact.email)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "facts": facts,
        "customer": profile.customer(facts.task.account),
        "manager": profile.person("credit_manager"),
    }


def _facts(case: Case) -> Facts:
    assert isinstance(case.facts, Facts)
    return case.facts


TASK = TaskKind(
    answers=ANSWERS,
    options=OPTIONS,
    conventions=CONVENTIONS,
    reads=reads,
    read_calls=read_calls,
    state=state,
    readback=readback,
    correspondents=correspondents,
    prompt=prompt,
    dependent=("past_due_pct_of_limit",),
    counterfactuals=counterfactuals,
    judgement=judgement,
)
