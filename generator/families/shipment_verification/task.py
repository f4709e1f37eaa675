"""What every shipment check has: fields, options, graded reads, state checks and the oracle's calls."""

from collections.abc import Iterator

from generator.families.acceptance import master_rows
from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.shipment_verification import records
from generator.families.shipment_verification.facts import Facts, Shipment
from generator.families.shipment_verification.outcome import RULES, outcome
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import ExpectedRow, Route, Row, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

ANSWERS = (
    AnswerField(
        "lines_reviewed", "integer", "Lines of the shipment asked about that are staged; cancelled lines do not count."
    ),
    AnswerField(
        "lines_corrected",
        "integer",
        "Reviewed lines that are not held and whose right shipped quantity differs from the staged one, upwards or"
        " downwards. A line of which nothing was picked and nothing is in dispute is corrected to zero, not held.",
    ),
    AnswerField(
        "units_removed",
        "integer",
        "Sum over all reviewed lines, held ones included, of how much the right shipped quantity lies below the"
        " staged one,"
        " in the line's unit. A line that goes up counts as zero and offsets nothing.",
    ),
    AnswerField(
        "lines_held",
        "integer",
        "Reviewed lines that the shipping rules hold because item, lot or count is in dispute. Their right shipped"
        " quantity"
        " is zero.",
    ),
    AnswerField(
        "shippable_value",
        "money",
        "Sum over the reviewed lines of right shipped quantity times the price that the shipping rules name, each line"
        " rounded half up to the cent.",
    ),
)

OPTIONS = (
    Option(
        "correct_lines_to_pick",
        "Correct the lines to what was picked; no line is held",
        "corrected_ready",
        "the lines are corrected and the shipment can go",
    ),
    Option(
        "correct_and_hold_exceptions",
        "Correct the lines to what was picked and hold those in dispute",
        "corrected_with_holds",
        "the lines are corrected, some are held, and the shipment waits for them",
    ),
    Option(
        "confirm_as_staged",
        "Leave every quantity as it is staged and report the shipment ready",
        "ready_as_staged",
        "the shipment goes as it was staged",
    ),
    Option(
        "stop_for_recount",
        "Change no line and ask the warehouse for a recount",
        "not_changed",
        "no line of the shipment is changed",
    ),
)

CONVENTIONS = (
    "A line's ShippedQuantity is set to its right quantity in the line's own unit; a held line is set to zero. A"
    " line whose"
    " right quantity is the staged one is not written to at all.",
    "Every line that is written to, corrected or held, carries the reason in its Comments, in your own words.",
    "The record of this task is the shipment, called by its number.",
    "What stands in the way of a request is referred to by the Drive file id or the message id of the document"
    " concerned.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the filed confirmation, and the latest edition of every other subject."""
    sources = {"pick_confirmation": facts.confirmation.source}
    if facts.lot_status is not None:
        sources["lot_status"] = facts.lot_status.source
    if facts.agreement is not None:
        sources["delivery_agreement"] = facts.agreement.source
    return Judgement(sources=sources)


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    right = case.judgement
    rules = ("signature",) if case.gold.obstacle else tuple(_biting(case))
    return (
        *(
            (f"superseded_{subject}", "wrong_source", subject, Judgement(sources={**right.sources, subject: source}))
            for subject, source in _superseded(_facts(case), right)
        ),
        ("other_shipment", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("shipment_as_staged", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *(
            (f"ignores_{rule}", "ignored_rule", rule, Judgement(sources=right.sources, ignored_rules=frozenset({rule})))
            for rule in rules
        ),
    )


def _superseded(facts: Facts, right: Judgement) -> Iterator[tuple[str, str]]:
    """Subject and source of each document that was in force before the right one."""
    entries = (
        *(("pick_confirmation", entry.source) for entry in facts.confirmations),
        *(("lot_status", entry.source) for entry in facts.lot_reports),
        *(("delivery_agreement", entry.source) for entry in facts.agreements),
    )
    return ((subject, source) for subject, source in entries if right.sources.get(subject) != source)


def _biting(case: Case) -> Iterator[str]:
    """Rules whose neglect changes an answer or the lines of this case, on the family's own records."""
    facts = _facts(case)
    rows = {**master_rows(case.tenant.profile), **records.records(case.tenant, facts)}
    for rule in RULES:
        wrong = Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))
        found = outcome(case.tenant, facts, rows, wrong)
        if (found.answers, found.primary) != (case.gold.answers, case.gold.primary):
            yield rule


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    code = case.tenant.profile.code
    pick, count, order = facts.confirmation.source, facts.superseded_count.source, facts.task.order
    fixed = (
        Read(
            "open shipments",
            "Look up the customer's shipments: the one asked about and the other that is open.",
            "the customer's open shipments, the one asked about and any other",
            ((("shipments", facts.task.number), ("shipments", facts.decoy.number)),),
        ),
        Read(
            "staged lines",
            "Read every staged line of the shipment.",
            "the staged lines of the shipment",
            (_lines(facts.task),),
        ),
        Read(
            "sales order",
            "Read the lines of the sales order that the shipment fills.",
            "the sales order behind the shipment, with its lines and prices",
            (tuple(("sales_order_lines", f"{order.number}/{line.line}") for line in order.lines),),
        ),
        Read(
            "pick confirmation located",
            "Find the pick confirmation: its drive entry, or the source map that names it.",
            "where the pick confirmation is: its drive entry, or the source map",
            ((("drive_meta", pick),), (("drive_content", f"FILE-{code}-SOURCE-MAP"),)),
        ),
        Read(
            "pick confirmation",
            "Open the pick confirmation.",
            "the content of the pick confirmation",
            ((("drive_content", pick),),),
        ),
        Read(
            "earlier count",
            "Read the count that came before the confirmation.",
            "the message with the count that came before the confirmation",
            ((("mail", count),),),
        ),
        Read(
            "shipping rules",
            "Read the warehouse's shipping rules.",
            "the warehouse's message with the rules for checking a shipment",
            ((("mail", facts.rules.source),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
    )
    return (*fixed, *tuple(_further_reads(case))[:2])


def _further_reads(case: Case) -> Iterator[Read]:
    """What else this case needs, most telling first; the last two are there for every case."""
    facts = _facts(case)
    status, agreement = facts.lot_status, facts.agreement
    if status is not None:
        yield _mail_read(
            "lot status", "Read quality's latest lot status.", "quality's latest message on lots", status.source
        )
    for report in facts.lot_reports:
        if status is not None and report.source != status.source:
            yield _mail_read(
                "earlier lot status",
                "Read the lot status that no longer counts.",
                "quality's earlier message on lots",
                report.source,
            )
    if agreement is not None:
        yield _mail_read(
            "delivery agreement",
            "Read the delivery agreement in force.",
            "the customer's delivery agreement in force",
            agreement.source,
        )
    for entry in facts.agreements:
        if agreement is not None and entry.source != agreement.source:
            yield _mail_read(
                "earlier delivery agreement",
                "Read the delivery agreement that no longer counts.",
                "the customer's earlier delivery agreement",
                entry.source,
            )
    if facts.recount is not None:
        yield _mail_read("recount", "Read the recount.", "the message with the recount", facts.recount.source)
    if facts.rules.price == "list":
        yield _list_prices(case)
    yield Read(
        "other shipment",
        "Read the lines of the customer's other open shipment, so that the two are not taken for one another.",
        "the lines of the customer's other open shipment",
        (_lines(facts.decoy),),
    )
    yield Read(
        "customer account",
        "Read the customer's account.",
        "the customer's account",
        ((("accounts", facts.task.order.account),),),
    )


def _list_prices(case: Case) -> Read:
    facts, profile = _facts(case), case.tenant.profile
    numbers = dict.fromkeys(line.item for line in facts.task.order.lines)
    items = tuple(("items", str(profile.item(number, facts.organization).id)) for number in numbers)
    return Read(
        "list prices",
        "Look up the list prices of the shipment's items in the item master.",
        "the item master records of the items that ship",
        (items,),
    )


def _mail_read(name: str, description: str, words: str, source: str) -> Read:
    return Read(name, description, words, ((("mail", source),),))


def _message(read: Read) -> str:
    """The id of the message that the read is of. Raises ValueError for a read of anything else."""
    match read.routes[0][0]:
        case ("mail", str(id)):
            return id
    raise ValueError(f"{read.name} is no read of a message")


def _lines(shipment: Shipment) -> Route:
    return tuple(("shipment_lines", str(line.id)) for line in shipment.lines if line.status == "Staged")


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    code = case.tenant.profile.code

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    further = {
        "other shipment": call("oracle_fusion.shipment_lines.list", q=f"Shipment='{facts.decoy.number}'"),
        "customer account": call("oracle_fusion.customer_account_activities.get", AccountId=facts.task.order.account),
        "list prices": call("oracle_fusion.items.list", q=f"OrganizationCode='{facts.organization}'"),
    }
    return (
        call("oracle_fusion.shipments.list", q=f"BuyingPartyNumber='{facts.task.order.account}'"),
        call("oracle_fusion.shipment_lines.list", q=f"Shipment='{facts.task.number}'"),
        call("oracle_fusion.sales_orders.get", OrderKey=facts.task.order.number),
        call("google_drive.files.list", q=f"name contains '{facts.task.number}'"),
        call("google_drive.files.download", fileId=facts.confirmation.source),
        call("gmail.messages.get", id=facts.rules.source),
        call("gmail.messages.get", id=facts.superseded_count.source),
        *(further.get(read.name) or call("gmail.messages.get", id=_message(read)) for read in reads(case)[8:]),
        call("google_drive.files.download", fileId=f"FILE-{code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    facts = _facts(case)
    if case.gold.primary is None:
        return declined(case, ("shipment_lines",), (_lines(facts.task),))
    scope: Row = {"Shipment": facts.task.number}
    changed = tuple(ExpectedRow(key=row.key, row=dict(row.row)) for row in case.gold.primary.rows)
    return executed(
        primary=Rows(table="shipment_lines", where=scope, added_exactly=(), changed_exactly=changed),
        secondary=Rows(table="shipment_lines", key="$primary", row={"Comments": {"nonempty": True}}),
        owned=(Scope(table="shipment_lines", where=scope),),
    )


def readback(case: Case) -> tuple[PlanCall, ...]:
    arguments = {"q": f"Shipment='{_facts(case).task.number}'"}
    return (PlanCall(stage="verify", tool="oracle_fusion.shipment_lines.list", arguments=arguments),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("warehouse_lead").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "facts": facts,
        "customer": profile.customer(facts.task.order.account),
        "lead": profile.person("warehouse_lead"),
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
    counterfactuals=counterfactuals,
    judgement=judgement,
)
