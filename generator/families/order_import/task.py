"""What every order-import task has: fields, options, graded reads, state checks and the oracle's calls."""

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import executed
from generator.families.order_import.facts import Facts
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import ExpectedRow, Row, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

ANSWERS = (
    AnswerField(
        "accepted_lines",
        "integer",
        "Lines of the order sheet in force (each line number once, in its last revision, lines the customer cancelled"
        " left"
        " out) whose item is active in the task's organization on the day, whose unit converts to the item's, whose"
        " quantity is positive, and which repeat nothing already imported.",
    ),
    AnswerField("rejected_lines", "integer", "Lines in force less the accepted lines."),
    AnswerField(
        "imported_units", "integer", "Sum of the accepted quantities in each item's primary unit, after conversion."
    ),
    AnswerField(
        "order_total",
        "money",
        "Sum over the accepted lines of quantity in the primary unit times the list price in force on the order date,"
        " each"
        " line rounded half up to the cent.",
    ),
    AnswerField(
        "duplicate_lines",
        "integer",
        "Rejected lines whose line number and item stand on an order for the same purchase order that is not"
        " cancelled, or"
        " that repeat item and quantity of an earlier line of the sheet. A line that fails for several reasons counts"
        " under"
        " the first of: duplicate, item not sold, unit not convertible.",
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
    "Order lines carry the item number, the quantity in the item's primary unit, that unit and the list price in"
    " force. The"
    " order of the lines does not matter.",
    "An order that credit has to release is created with SubmittedFlag false; any other is created submitted.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the price list whose dates cover the order date, the sheet that the memo names."""
    current = next(
        price_list
        for price_list in facts.price_lists
        if price_list.effective_from <= facts.task.sheet.order_date <= price_list.effective_to
    )
    return Judgement(sources={"order_batch": facts.task.sheet.source, "price_list": current.source})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts, right = _facts(case), case.judgement
    superseded = next(pl.source for pl in facts.price_lists if pl.source != right.sources["price_list"])
    old = Judgement(sources={**right.sources, "price_list": superseded})
    rules = ["earlier_import", "item_status", "price_list"]
    if case.gold.option == "import_accepted_lines_hold_for_credit":
        rules.append("credit")
    return (
        ("superseded_price_list", "wrong_source", "price_list", old),
        ("namesake_customer", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("sheet_as_received", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *(
            (f"ignores_{rule}", "ignored_rule", rule, Judgement(sources=right.sources, ignored_rules=frozenset({rule})))
            for rule in rules
        ),
    )


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    target = facts.task
    current = facts.price_list(case.judgement.sources["price_list"])
    superseded = next(pl for pl in facts.price_lists if pl.source != current.source)
    sold = [line["ProductNumber"] for line in case.gold.writes[0].arguments["lines"]]
    items = tuple(("items", str(case.tenant.profile.item(number, facts.organization).id)) for number in sold)
    earlier = target.earlier
    if earlier is None:
        raise ValueError(f"{case.task_id}: an order import needs an earlier order to be checked against")
    source_map = ("drive_content", f"FILE-{case.tenant.profile.code}-SOURCE-MAP")
    sheet, old = target.sheet.source, superseded.source
    row = customer_row(case)
    return (
        Read(
            "item master",
            "Look up the items of the order in the item master, or open the price list in force.",
            "the item master records of the items that are ordered, or the price list in force",
            (tuple(dict.fromkeys(items)), (("drive_content", current.source),)),
        ),
        Read(
            "drive index",
            "See the drive's entries of both the price list in force and the one before it.",
            "the drive's entries (not the content) of the price list in force and of its predecessor",
            ((("drive_meta", current.source), ("drive_meta", old)),),
        ),
        Read(
            "order sheet located",
            "Find the order sheet: its drive entry, or the source map that names it.",
            "where the customer's order sheet is: its drive entry, or the source map",
            ((("drive_meta", sheet),), (source_map,)),
        ),
        Read(
            "order sheet",
            "Open the customer's order sheet.",
            "the content of the customer's order sheet",
            ((("drive_content", sheet),),),
        ),
        Read(
            "earlier import",
            "Open the record of the earlier partial import.",
            "the content of the file on the earlier partial import",
            ((("drive_content", earlier.source),),),
        ),
        Read(
            "orders on the purchase order",
            "Read the sales order that already stands for the purchase order.",
            "the sales orders that already stand for the customer's purchase order",
            ((("sales_orders", earlier.order_number),),),
        ),
        Read(
            "credit standing",
            "Read the customer's account with its credit limit and open receivables.",
            "the customer's account: limit, hold and receivables",
            ((("accounts", target.account),),),
        ),
        Read(
            "superseded price list",
            "Open the price list that no longer counts.",
            "the content of the price list that is no longer in force",
            ((("drive_content", old),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),),),
        ),
        Read(
            "customer master",
            "Read the customer's row in the Customers tab of the operations workbook.",
            "the customer's row in the Customers tab of the operations workbook",
            (tuple(("cells", f"Customers!{column}{row}") for column in "AB"),),
        ),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    target = facts.task
    current = facts.price_list(case.judgement.sources["price_list"])
    superseded = next(pl for pl in facts.price_lists if pl.source != current.source)
    earlier = target.earlier
    profile = case.tenant.profile

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    download = "google_drive.files.download"
    credit = next(source.id for source in case.sources if source.subject == "credit_policy" and source.drive_flag)
    return (
        call("oracle_fusion.items.list", q=f"OrganizationCode='{facts.organization}'"),
        call("google_drive.files.list", q="name contains 'price-list'"),
        call("google_drive.files.list", q=f"name contains '{target.customer_po}'"),
        call(download, fileId=target.sheet.source),
        *((call(download, fileId=earlier.source),) if earlier else ()),
        call("oracle_fusion.sales_orders.list", q=f"CustomerPONumber='{target.customer_po}'"),
        call("oracle_fusion.customer_account_activities.get", AccountId=target.account),
        call(download, fileId=credit),
        call(download, fileId=superseded.source),
        call(download, fileId=f"FILE-{profile.code}-OPS-AUDIT-LOG"),
        call("google_sheets.spreadsheets.values.get", spreadsheetId=profile.workbook.id, range="Customers!A1:E12"),
    )


def state(case: Case) -> StateChecks:
    facts = _facts(case)
    scope: Row = {"CustomerPONumber": facts.task.customer_po}
    flags = ("SubmittedFlag", "StatusCode")
    submitted = bool(case.gold.writes[0].arguments["SubmittedFlag"])
    return executed(
        primary=Rows(
            table="sales_orders",
            where=scope,
            added_exactly=(ExpectedRow(key="$primary"),),
            changed_exactly=(),
            ignore=flags,
        ),
        secondary=Rows(
            table="sales_orders",
            key="$primary",
            row={"SubmittedFlag": int(submitted), "StatusCode": "Booked" if submitted else "Draft"},
        ),
        owned=(Scope(table="sales_orders", where=scope), Scope(table="sales_order_lines")),
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    return (PlanCall(stage="verify", tool="oracle_fusion.sales_orders.get", arguments={"OrderKey": "${primary}"}),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (_facts(case).task.contact.email,)


def prompt(case: Case) -> dict[str, object]:
    facts = _facts(case)
    return {"facts": facts, "customer": case.tenant.profile.customer(facts.task.account)}


def customer_row(case: Case) -> int:
    """The sheet row of the target's customer: the header is row 1."""
    listed = [customer.account for customer in case.tenant.profile.customers if customer.in_customers_tab]
    return listed.index(_facts(case).task.account) + 2


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
    judgement=judgement,
)
