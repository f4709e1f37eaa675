"""What every reorder task has: fields, options, graded reads, state checks and the oracle's calls."""

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.inventory_reorder import records
from generator.families.inventory_reorder.facts import CancelledOrder, Facts, SpendingRelease
from generator.families.inventory_reorder.outcome import RULES, outcome
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import ExpectedRow, Route, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

TABLES = ("purchase_requisitions", "purchase_requisition_lines")

ANSWERS = (
    AnswerField(
        "items_below_reorder",
        "integer",
        "Active items of the organization asked about, among those that the reorder policy lists, whose stock position"
        " is less than the reorder point. The policy's rules say which reservations and which open supply the position"
        " takes in.",
    ),
    AnswerField(
        "units_to_order",
        "integer",
        "Sum of the quantities to order for those items after minimum and multiple, each in the item's primary unit.",
    ),
    AnswerField(
        "requisition_amount",
        "money",
        "Sum over those items of the quantity to order times the unit cost that the reorder policy in force gives for"
        " the supplier ordered from, each line rounded half up to the cent.",
    ),
    AnswerField(
        "supplier_lead_time_days",
        "integer",
        "The longest lead time among the suppliers ordered from, in days as the supplier records state it.",
    ),
    AnswerField(
        "days_late",
        "integer",
        "Calendar days by which the line with that lead time arrives after its needed-by date; zero if it is in time."
        " Arrival is today plus the lead time, counted in the days that the policy names. Of several lines with that"
        " lead time the latest counts.",
    ),
)

OPTIONS = (
    Option(
        "requisition_and_submit",
        "Enter the requisition for what is below and submit it",
        "submitted_for_approval",
        "the requisition is entered and submitted",
    ),
    Option(
        "requisition_hold_for_approval",
        "Enter the requisition for what is below and leave it unsubmitted",
        "saved_pending_approval",
        "the requisition is entered and waits unsubmitted",
    ),
    Option(
        "requisition_as_forecast",
        "Enter the forecast's suggested orders as they stand and submit them",
        "requested_as_forecast",
        "the suggested orders are requested as they stand",
    ),
    Option(
        "stop_refer_to_purchasing",
        "Enter nothing and refer the matter to purchasing",
        "not_requested",
        "nothing is requested",
    ),
)

CONVENTIONS = (
    "A requisition line carries the item number, the quantity in the item's primary unit, that unit, the unit cost of"
    " the reorder policy, the supplier's name as its record has it and, as RequestedDeliveryDate, the item's needed-by"
    " date in the demand forecast. The order of the lines does not matter.",
    "RequisitioningBU and Preparer are those that the rules of the reorder policy name.",
    "A requisition that may go on is created and then submitted; one that has to wait is created and not submitted.",
    "The operative source is the edition of the reorder policy that quantities and costs follow; where nothing is"
    " entered, the decision also rests on the document that stands in the way.",
    "What stands in the way of a request is referred to by the Drive file id or the message id of the document"
    " concerned.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the edition that the workbook is filed for."""
    return Judgement(sources={"reorder_policy": facts.policy.source})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts, right = _facts(case), case.judgement
    superseded = (
        (
            "announced_policy" if entry.medium == "mail" else "replaced_policy",
            Judgement(sources={"reorder_policy": entry.source}),
        )
        for entry in facts.policies
        if entry.source != right.sources["reorder_policy"]
    )
    return (
        *((name, "wrong_source", "reorder_policy", wrong) for name, wrong in superseded),
        ("other_organization", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("forecast_as_suggested", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *((f"ignores_{rule}", "ignored_rule", rule, _ignoring(case, rule)) for rule in RULES if _bites(case, rule)),
    )


def _ignoring(case: Case, rule: str) -> Judgement:
    return Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))


def _bites(case: Case, rule: str) -> bool:
    """Whether neglecting the rule leads to another requisition or other answers.

    The family's own records are all that its outcome reads.
    """
    facts = _facts(case)
    wrong = outcome(case.tenant, facts, records.records(case.tenant, facts), _ignoring(case, rule))
    return bool(wrong.writes) and (wrong.writes != case.gold.writes or wrong.answers != case.gold.answers)


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    code = case.tenant.profile.code
    draft = next(entry for entry in facts.policies if entry.medium == "mail")
    return (
        _release(facts.release) if facts.release else _item_master(case),
        Read(
            "stock",
            "Read what lies on hand and what is reserved of the organization's items.",
            "the on-hand balances of the organization's items",
            (tuple(("onhand_balances", key) for key in _balances(facts)),),
        ),
        Read(
            "open supply",
            "Read the open purchase orders for the items, those for the other organization among them.",
            "the open purchase orders for the items, also where they go to the other organization",
            (tuple(("purchase_order_lines", key) for key in _open_lines(facts)),),
        ),
        Read(
            "suppliers",
            "Look up the suppliers of the requisition and those that are not to be used.",
            "the supplier records behind the reorder policy: status and lead time",
            (tuple(("suppliers", number) for number in _suppliers(case)),),
        ),
        Read(
            "reorder policy",
            "Open the reorder policy in force.",
            "the content of the reorder policy in force",
            ((("drive_content", facts.policy.source),),),
        ),
        Read(
            "demand forecast",
            "Open the demand forecast with the needed-by dates.",
            "the content of the demand forecast",
            ((("drive_content", facts.forecast.source),),),
        ),
        Read(
            "reservation list",
            "Read the warehouse's list of reservations by order.",
            "the warehouse's message on what is reserved for which order",
            ((("mail", facts.reservations_source),),),
        ),
        Read(
            "orders behind reservations",
            "Look up the customers' orders for which stock is still reserved though they are not alive.",
            "the sales orders for which stock is reserved, and whether each is still alive",
            (tuple(("sales_orders", order.number) for order in _cancelled(facts)),),
        ),
        Read(
            "announced edition",
            "Read the message that announces another edition of the reorder policy.",
            "the message about a coming edition of the reorder policy",
            ((("mail", draft.source),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
    )


def _item_master(case: Case) -> Read:
    facts = _facts(case)
    listed = [level.item for level in facts.policy.levels if level.organization == facts.organization]
    items = (case.tenant.profile.item(number, facts.organization) for number in listed)
    return Read(
        "item master",
        "Look up the organization's items that the reorder policy lists.",
        "the item master records of the organization's items: status and unit",
        (tuple(("items", str(item.id)) for item in items),),
    )


def _release(release: SpendingRelease) -> Read:
    return Read(
        "spending release",
        "Read the plant manager's spending release.",
        "the message with the spending release",
        ((("mail", release.source),),),
    )


def _balances(facts: Facts) -> list[str]:
    return [
        f"{stock.organization}/{stock.item}/{stock.subinventory}"
        for stock in facts.stock
        if stock.organization == facts.organization and facts.policy.level(stock.organization, stock.item)
    ]


def _open_lines(facts: Facts) -> list[str]:
    listed = {level.item for level in facts.policy.levels if level.organization == facts.organization}
    return [
        f"{order.number}/{line.line}"
        for order in facts.supply
        if order.status == "Open"
        for line in order.lines
        if line.item in listed and line.status == "Open"
    ]


def _suppliers(case: Case) -> list[str]:
    """Those that the right requisition orders from, and first suppliers that may not be used."""
    facts, profile = _facts(case), case.tenant.profile
    named = {entry.name: entry for entry in profile.suppliers}
    lines = outcome(case.tenant, facts, records.records(case.tenant, facts), _ignoring(case, "spending_release")).writes
    used = [named[line["Supplier"]].number for line in lines[0].arguments["lines"]]
    first = {level.first.supplier for level in facts.policy.levels if level.organization == facts.organization}
    barred = [entry.number for entry in profile.suppliers if entry.number in first and entry.status != "Active"]
    return list(dict.fromkeys([*used, *barred]))


def _cancelled(facts: Facts) -> list[CancelledOrder]:
    return [order for order in facts.cancelled_orders if order.organization == facts.organization]


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    code = case.tenant.profile.code
    draft = next(entry for entry in facts.policies if entry.medium == "mail")

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    of_organization = f"OrganizationCode='{facts.organization}'"
    download, message = "google_drive.files.download", "gmail.messages.get"
    return (
        call(download, fileId=facts.policy.source),
        call(message, id=draft.source),
        *((call(message, id=facts.release.source),) if facts.release else ()),
        call("oracle_fusion.items.list", q=of_organization),
        call("oracle_fusion.onhand_balances.list", q=of_organization),
        call(message, id=facts.reservations_source),
        call("oracle_fusion.sales_orders.list", q=f"RequestedFulfillmentOrganizationCode='{facts.organization}'"),
        call("oracle_fusion.purchase_orders.list", q="Status='Open'"),
        call("oracle_fusion.suppliers.list"),
        call(download, fileId=facts.forecast.source),
        call(download, fileId=f"FILE-{code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    """A requisition carries no organization: any that the episode adds is taken for this task's."""
    if case.gold.primary is None:
        facts = _facts(case)
        return declined(case, TABLES, _concerned(facts))
    submitted = case.gold.option == "requisition_and_submit"
    return executed(
        primary=Rows(
            table=TABLES[0],
            where={},
            added_exactly=(ExpectedRow(key="$primary"),),
            changed_exactly=(),
        ),
        secondary=Rows(
            table=TABLES[0],
            key="$primary",
            row={"DocumentStatus": "Pending Approval" if submitted else "Incomplete"},
        ),
        owned=tuple(Scope(table=table) for table in TABLES),
    )


def _concerned(facts: Facts) -> tuple[Route, ...]:
    """What lies on hand of the organization's items."""
    return (tuple(("onhand_balances", key) for key in _balances(facts)),)


def readback(case: Case) -> tuple[PlanCall, ...]:
    if case.gold.primary is None:
        tool, arguments = "oracle_fusion.onhand_balances.list", {"q": f"OrganizationCode='{_facts(case).organization}'"}
    else:
        tool, arguments = "oracle_fusion.purchase_requisitions.get", {"purchaseRequisitionsUniqID": "${primary}"}
    return (PlanCall(stage="verify", tool=tool, arguments=arguments),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("purchasing_manager").email,)


def prompt(case: Case) -> dict[str, object]:
    profile = case.tenant.profile
    code = _facts(case).organization
    organization = next(entry for entry in profile.organizations if entry.code == code)
    return {"organization": organization, "buyer": profile.person("purchasing_manager")}


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
    counterfactuals=counterfactuals,
    judgement=judgement,
)
