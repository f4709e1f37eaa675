"""What every order-import task has: fields, options, graded reads, state checks and the oracle's calls."""

from generator.families.base import AnswerField, Option, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.order_import import judgements
from generator.families.order_import.facts import Facts
from generator.families.order_import.reads import earlier_order, read_calls, reads
from generator.families.order_import.records import records
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import ExpectedRow, Row, Rows, Scope
from generator.spec.plan import PlanCall

ANSWERS = (
    AnswerField(
        "accepted_lines",
        "integer",
        "Lines of the order sheet in force (each line number once, in its last revision, lines the customer cancelled"
        " left out) whose item is active in the task's organization on the day, whose unit converts to the item's,"
        " whose quantity is positive, and which repeat nothing already imported.",
    ),
    AnswerField("rejected_lines", "integer", "Lines in force less the accepted lines."),
    AnswerField(
        "imported_units", "integer", "Sum of the accepted quantities in each item's primary unit, after conversion."
    ),
    AnswerField(
        "order_total",
        "money",
        "Sum over the accepted lines of quantity in the primary unit times the list price in force on the order date,"
        " each line rounded half up to the cent.",
    ),
    AnswerField(
        "duplicate_lines",
        "integer",
        "Rejected lines whose line number and item stand on an order for the same purchase order that is not"
        " cancelled, or that repeat item and quantity of an earlier line of the sheet. A line that fails for several"
        " reasons counts under the first of: duplicate, item not sold, unit not convertible.",
    ),
)

OPTIONS = (
    Option(
        "import_accepted_lines_and_submit",
        "Enter the accepted lines at the list prices in force and submit the order",
        "submitted",
        "the order is entered and submitted",
    ),
    Option(
        "import_accepted_lines_hold_for_credit",
        "Enter the accepted lines, leave the order unsubmitted until credit releases it",
        "held_for_credit_release",
        "the order is entered as a draft and waits for credit",
    ),
    Option(
        "import_all_lines_as_received",
        "Enter every line of the sheet at the sheet's own prices",
        "imported_as_received",
        "the sheet is entered as the customer sent it",
    ),
    Option(
        "stop_and_escalate_batch",
        "Enter nothing and escalate the whole sheet",
        "not_imported",
        "no order is entered",
    ),
)

CONVENTIONS = (
    "SourceTransactionNumber of an order is the reference of the document it was entered from: the Drive file id or the"
    " message id.",
    "SourceTransactionSystem and TransactionType are those that the desk's earlier orders carry.",
    "A quantity without a unit is in the item's primary unit. Order lines carry the item number, the quantity in the"
    " primary unit, that unit and the list price in force; the order of the lines does not matter.",
    "An order that credit has to release is created with SubmittedFlag false; any other is created submitted.",
)


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts = _facts(case)
    return judgements.mistakes(case.tenant, facts, records(case.tenant, facts))


def state(case: Case) -> StateChecks:
    facts = _facts(case)
    if case.gold.primary is None:
        concerned = (("sales_orders", earlier_order(case).order_number),)
        return declined(case, ("sales_orders", "sales_order_lines"), (concerned,))
    scope: Row = {"CustomerPONumber": facts.task.customer_po}
    submitted = bool(case.gold.writes[0].arguments["SubmittedFlag"])
    return executed(
        primary=Rows(
            table="sales_orders",
            where=scope,
            added_exactly=(ExpectedRow(key="$primary"),),
            changed_exactly=(),
        ),
        secondary=Rows(
            table="sales_orders",
            key="$primary",
            row={"SubmittedFlag": int(submitted), "StatusCode": "Booked" if submitted else "Draft"},
        ),
        owned=(Scope(table="sales_orders", where=scope), Scope(table="sales_order_lines")),
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    """The order that was entered; where none was to be, those that stand for the purchase order."""
    if case.gold.primary is None:
        query = f"CustomerPONumber='{_facts(case).task.customer_po}'"
        return (PlanCall(stage="verify", tool="oracle_fusion.sales_orders.list", arguments={"q": query}),)
    return (PlanCall(stage="verify", tool="oracle_fusion.sales_orders.get", arguments={"OrderKey": "${primary}"}),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (_facts(case).task.contact.email,)


def prompt(case: Case) -> dict[str, object]:
    facts = _facts(case)
    return {"facts": facts, "customer": case.tenant.profile.customer(facts.task.account)}


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
    dependent=("rejected_lines",),
    counterfactuals=counterfactuals,
    judgement=judgements.right,
)
