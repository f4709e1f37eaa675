"""What every channel-sync task has: fields, options, graded reads, state checks and the oracle's calls."""

from itertools import permutations

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.channel_order_sync.facts import Facts
from generator.families.channel_order_sync.outcome import CONTROL_RULE, RULES, Buyer, new_buyers, outcome
from generator.families.channel_order_sync.records import records
from generator.families.channel_order_sync.takeover import Taken, sort_rows, stands_for
from generator.families.checks import declined, executed
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import All, AnyOf, ExpectedRow, Matcher, Row, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

ANSWERS = (
    AnswerField(
        "channel_rows", "integer", "Rows of orders in the export in force, all of them, before anything is left out."
    ),
    AnswerField(
        "already_synced",
        "integer",
        "Orders of the export that are neither repeats nor cancelled or refunded in full and for which a sales order"
        " that is not cancelled stands in the system already. A row falls under the first reason that fits, in the"
        " order of the takeover rules: repeat, cancelled or refunded, already in the system, any other exception, taken"
        " over.",
    ),
    AnswerField(
        "duplicate_rows",
        "integer",
        "Rows that repeat an order id of the export: for each id the number of its rows less one.",
    ),
    AnswerField("orders_created", "integer", "Orders of the export that no reason keeps out: those to be taken over."),
    AnswerField(
        "synced_value",
        "money",
        "Sum over the orders to be taken over of their lines, quantity that was not refunded times the price paid,"
        " without shipping and tax.",
    ),
)

OPTIONS = (
    Option(
        "sync_missing_orders",
        "Take over every order that the system lacks",
        "synced",
        "the missing orders are taken over and none is held",
    ),
    Option(
        "sync_and_hold_exceptions",
        "Take over the orders that the system lacks and hold those that the takeover rules do not let through",
        "synced_with_exceptions",
        "the missing orders are taken over and at least one is held",
    ),
    Option(
        "sync_all_rows",
        "Take over every row of the export as it stands",
        "synced_as_exported",
        "every row has become an order",
    ),
    Option(
        "stop_export_unreliable",
        "Take over nothing and ask for a new export",
        "not_synced",
        "no order is taken over",
    ),
)

CONVENTIONS = (
    "Each order that is taken over is a sales order of its own. Source number, purchase order, organization, type,"
    " system and prices are as the shop's takeover rules say; lines are in the item's unit and in any order.",
    "A buyer who stands in the Customers tab is entered by account number, any other by the name in the export, without"
    " a number.",
    "A new buyer is one row below the last one of the Customers tab: name, an empty cell for the number, e-mail, tax id"
    " and channel. Several may stand in any order.",
    "The record of a sync, and what stands in the way of one, is called by the export's own number.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the export that the memo names."""
    return Judgement(sources={"channel_export": facts.task_export})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts, right = _facts(case), case.judgement.sources
    return (
        ("earlier_export", "wrong_source", "channel_export", Judgement(sources={"channel_export": _superseded(case)})),
        ("other_shop", "wrong_target", None, Judgement(sources=right, target="decoy")),
        ("every_row_as_exported", "as_received", None, Judgement(sources=right, as_received=True)),
        *(
            (f"ignores_{rule}", "ignored_rule", rule, Judgement(sources=right, ignored_rules=frozenset({rule})))
            for rule in _biting(case, facts)
        ),
    )


def _biting(case: Case, facts: Facts) -> list[str]:
    """The rules without which this case would end otherwise; where it is declined, the one that stops it."""
    if case.gold.obstacle is not None:
        return [CONTROL_RULE]
    rows = records(case.tenant, facts)
    found = []
    for rule in RULES:
        without = Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))
        if outcome(case.tenant, facts, rows, without) != case.gold:
            found.append(rule)
    return found


def reads(case: Case) -> tuple[Read, ...]:
    facts, code = _facts(case), case.tenant.profile.code
    export = facts.task_export
    return (
        Read(
            "export located",
            "Find the export: its drive entry, or the source map that names it.",
            "where the shop's export is: its drive entry, or the source map",
            ((("drive_meta", export),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read("export", "Open the shop's export.", "the content of the shop's export", ((("drive_content", export),),)),
        Read(
            "earlier export",
            "Read the export of the same shop that no longer counts.",
            "the message with the same shop's export before this one",
            ((("mail", _superseded(case)),),),
        ),
        Read(
            "takeover rules",
            "Read the rules by which shop orders are taken over.",
            "the message with the rules for taking over shop orders",
            ((("mail", facts.rules.source),),),
        ),
        Read(
            "customer chat",
            "Open the shop chat in which buyers gave their details.",
            "the content of the file with the shop's customer chat",
            ((("drive_content", facts.capture.source),),),
        ),
        Read(
            "orders in the system",
            "Read the sales orders that already stand for orders of the export.",
            "the sales orders that already stand for orders of the export, under whatever number",
            (tuple(("sales_orders", number) for number in _standing(facts)),),
        ),
        Read(
            "known buyers",
            "Read the tax ids in the Customers tab of the operations workbook.",
            "the known buyers in the Customers tab of the operations workbook, with their tax ids",
            (tuple(("cells", f"Customers!D{row}") for row in range(2, _first_free_row(case))),),
        ),
        Read(
            "item master",
            "Look up the items that are taken over in the item master of the delivering organization.",
            "the item master records of the items on the orders to be taken over",
            (_items(case),),
        ),
        Read(
            "other shop's export",
            "Read the export of the other shop, which another desk takes over.",
            "the message with the export of the company's other shop",
            ((("mail", facts.decoy_export),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts, profile = _facts(case), case.tenant.profile

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    organization = facts.organization
    return (
        call("google_drive.files.list", q=f"name contains '{facts.export(facts.task_export).number}'"),
        call("google_drive.files.download", fileId=facts.task_export),
        call("gmail.messages.get", id=facts.rules.source),
        call("gmail.messages.get", id=_superseded(case)),
        call("gmail.messages.get", id=facts.decoy_export),
        call("google_drive.files.download", fileId=facts.capture.source),
        call("oracle_fusion.sales_orders.list", q=f"RequestedFulfillmentOrganizationCode='{organization}'"),
        call("google_sheets.spreadsheets.values.get", spreadsheetId=profile.workbook.id, range="Customers!A1:E40"),
        call("oracle_fusion.items.list", q=f"OrganizationCode='{organization}'"),
        call("google_drive.files.download", fileId=f"FILE-{profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    facts = _facts(case)
    if case.gold.obstacle is not None:
        concerned = tuple((("sales_orders", number),) for number in _standing(facts))
        return declined(case, ("sales_orders", "sales_order_lines"), concerned)
    ids: Row = {"SourceTransactionNumber": {"in": _ids(facts)}}
    buyers = new_buyers(_taken(case))
    return executed(
        primary=Rows(
            table="sales_orders",
            where=ids,
            added_exactly=(ExpectedRow(key="$primary"),),
            changed_exactly=(),
        ),
        secondary=All(
            of=(
                Rows(table="sales_orders", key="$primary", row={"SubmittedFlag": 1, "StatusCode": "Booked"}),
                AnyOf(of=tuple(_customer_rows(case, order) for order in permutations(buyers))),
            )
        ),
        owned=(
            Scope(table="sales_orders", where=ids),
            Scope(table="sales_order_lines"),
            Scope(table="cells", where=_new_rows(case, buyers)),
        ),
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    orders = PlanCall(
        stage="verify",
        tool="oracle_fusion.sales_orders.list",
        arguments={"q": f"RequestedFulfillmentOrganizationCode='{facts.organization}'"},
    )
    if case.gold.obstacle is not None:
        return (orders,)
    tab = {"spreadsheetId": case.tenant.profile.workbook.id, "range": "Customers!A1:E40"}
    return (orders, PlanCall(stage="verify", tool="google_sheets.spreadsheets.values.get", arguments=tab))


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("webshop_coordinator").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "shop": facts.export(facts.task_export).shop,
        "coordinator": profile.person("webshop_coordinator"),
        "day": profile.today,
    }


def _customer_rows(case: Case, buyers: tuple[Buyer, ...]) -> Rows:
    """The rows of the Customers tab that the sync adds, in this order; the number's cell stays empty.

    The rows of the customers who stand there already are none of the sync's: they are judged as foreign records.
    """
    cells: list[ExpectedRow] = []
    channel = _facts(case).rules.buyer_channel
    for row, buyer in enumerate(buyers, start=_first_free_row(case)):
        columns = {"A": buyer.name, "C": buyer.email, "D": buyer.tax_id, "E": channel}
        for column, text in columns.items():
            value: Matcher = {"json": text}
            cells.append(ExpectedRow(key=f"Customers!{column}{row}", row={"value": value}))
    return Rows(table="cells", where=_new_rows(case, buyers), added_exactly=tuple(cells), changed_exactly=())


def _new_rows(case: Case, buyers: tuple[Buyer, ...]) -> Row:
    first = _first_free_row(case)
    return {"tab": "Customers", "row": {"in": list(range(first, first + len(buyers)))}}


def _first_free_row(case: Case) -> int:
    """The sheet's row below the customers; the header is row 1."""
    return sum(customer.in_customers_tab for customer in case.tenant.profile.customers) + 2


def _superseded(case: Case) -> str:
    """The earlier export of the same shop."""
    facts = _facts(case)
    shop = facts.export(facts.task_export).shop
    return next(e.source for e in facts.exports if e.shop == shop and e.source != facts.task_export)


def _taken(case: Case) -> tuple[Taken, ...]:
    """The orders that are taken over under the right judgement."""
    facts = _facts(case)
    orders = records(case.tenant, facts)["sales_orders"]
    return sort_rows(case.tenant, facts, orders, facts.export(facts.task_export), frozenset()).taken


def _standing(facts: Facts) -> list[str]:
    """Numbers of the sales orders, cancelled ones included, that stand for rows of the export."""
    rows = facts.export(facts.task_export).orders
    return [
        order.number
        for order in facts.system_orders
        if any(
            stands_for(
                facts, row, {"SourceTransactionNumber": order.source_number, "CustomerPONumber": order.customer_po}
            )
            for row in rows
        )
    ]


def _ids(facts: Facts) -> list[str]:
    """Every order id of the task's shop."""
    shop = facts.export(facts.task_export).shop
    return sorted({row.id for export in facts.exports if export.shop == shop for row in export.orders})


def _items(case: Case) -> tuple[tuple[str, str], ...]:
    facts = _facts(case)
    numbers = sorted({line.item for order in _taken(case) for line in order.lines})
    return tuple(("items", str(case.tenant.profile.item(number, facts.organization).id)) for number in numbers)


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
