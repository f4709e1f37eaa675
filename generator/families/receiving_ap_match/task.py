"""What every receiving and match task has: fields, options, graded reads, state checks and the oracle's calls."""

import dataclasses
from collections.abc import Iterator

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.purchasing import supplier
from generator.families.receiving_ap_match import records
from generator.families.receiving_ap_match.facts import Facts
from generator.families.receiving_ap_match.outcome import RULES, outcome
from generator.families.receiving_ap_match.writes import VALIDATED
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import All, ExpectedRow, Rows, Scope, Seen
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

RECEIPTS, INVOICES, LINES = "receiving_receipt_requests", "invoices", "invoice_lines"
HOLDS = "invoice_holds"
TABLES = (RECEIPTS, "receiving_receipt_lines", INVOICES, LINES, HOLDS)
PAPERS = 2
"""How many messages are among the ten investigations."""

ANSWERS = (
    AnswerField(
        "lines_matched",
        "integer",
        "Lines of the invoice in force that the match policy takes as matched: a line of the order that bills at most"
        " what has been accepted there, this delivery included, less what was billed there before, at a price within"
        " tolerance of the order's; or a charge without an order line that the policy lets pass.",
    ),
    AnswerField(
        "matched_amount",
        "money",
        "Sum of the invoiced amounts of the matched lines, each rounded half up to the cent.",
    ),
    AnswerField(
        "variance_amount",
        "money",
        "Amount of the invoice in force less, summed over its lines with an order line, the smaller of the billed and"
        " the accepted unbilled quantity times the order's price, each rounded half up to the cent. A charge without"
        " an order line counts in full, matched or not. The sign is kept.",
    ),
    AnswerField("held_lines", "integer", "Lines of the invoice in force less the matched lines."),
    AnswerField(
        "payable_amount",
        "money",
        "What may be paid of the invoice today: its amount if every line is matched; under a hold what the match policy"
        " lets be paid.",
    ),
)

OPTIONS = (
    Option(
        "receive_and_validate",
        "Receive what was accepted, enter the invoice and validate it",
        "validated_for_payment",
        "delivery and invoice are entered and the invoice may be paid",
    ),
    Option(
        "receive_and_hold_variance",
        "Receive what was accepted, enter the invoice and put it on hold for what does not match",
        "on_hold_variance",
        "delivery and invoice are entered and the invoice is on hold",
    ),
    Option(
        "enter_as_invoiced",
        "Receive what was shipped, enter the invoice and validate it as it was billed",
        "entered_as_invoiced",
        "delivery and invoice are entered as the supplier has them",
    ),
    Option(
        "return_invoice_unentered",
        "Receive and enter nothing and send the invoice back",
        "not_entered",
        "nothing is received and no invoice is entered",
    ),
)

CONVENTIONS = (
    "The record of this task is the receipt, the invoice and its holds, called by the supplier's invoice number.",
    "One receipt takes in the delivery: for each order line with something to receive, the order number, its line, the"
    " item, the quantity and the transaction. Receipt source and transaction are those that the match policy names.",
    "Invoice lines carry the order number, its line and the item, or none of the three for a charge without an order"
    " line, and quantity and price in the order's unit. The order of the lines does not matter.",
    "A hold is placed on the invoice as a whole, one for each kind of reason, by the names that the match policy"
    " gives. An invoice on hold is not validated.",
    "The operative source is the report of the delivery that the receipt follows; where nothing is entered, the"
    " decision also rests on the document that stands in the way.",
    "What stands in the way of a request is referred to by the Drive file id or the message id of the document"
    " concerned.",
)


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the checked note, the filed edition of the policy, the invoice as last corrected."""
    return Judgement(
        sources={
            "delivery_note": facts.task.delivery,
            "match_policy": facts.policy.source,
            "supplier_invoice": facts.task.billed.source,
        }
    )


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    right = case.judgement
    return (
        *(
            (f"superseded_{subject}", "wrong_source", subject, Judgement(sources={**right.sources, subject: source}))
            for subject, source in _superseded(_facts(case))
        ),
        ("invoice_of_the_same_number", "wrong_target", None, Judgement(sources=right.sources, target="decoy")),
        ("invoice_as_received", "as_received", None, Judgement(sources=right.sources, as_received=True)),
        *((f"ignores_{rule}", "ignored_rule", rule, _ignoring(case, rule)) for rule in RULES if _bites(case, rule)),
    )


def _superseded(facts: Facts) -> Iterator[tuple[str, str]]:
    """Subject and source of each document that another has replaced."""
    task = facts.task
    yield from (("delivery_note", report.source) for report in task.deliveries if report.source != task.delivery)
    yield from (("match_policy", entry.source) for entry in facts.policies if entry.source != facts.policy.source)
    if task.corrected:
        yield "supplier_invoice", task.invoice.source


def _ignoring(case: Case, rule: str) -> Judgement:
    return Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))


def _bites(case: Case, rule: str) -> bool:
    """Whether neglecting the rule leads to other records or other answers.

    The family's own records are all that its outcome reads.
    """
    facts = _facts(case)
    wrong = outcome(case.tenant, facts, records.records(case.tenant, facts), _ignoring(case, rule))
    return bool(wrong.writes) and (wrong.writes != case.gold.writes or wrong.answers != case.gold.answers)


def reads(case: Case) -> tuple[Read, ...]:
    facts = _facts(case)
    task = facts.task
    order = task.order
    return (
        Read(
            "purchase order",
            "Read the lines of the purchase order: ordered, received and billed before, prices.",
            "the lines of the purchase order behind the invoice",
            (tuple(("purchase_order_lines", f"{order.number}/{line.line}") for line in order.lines),),
        ),
        Read(
            "supplier invoice",
            "Open the supplier's invoice.",
            "the content of the supplier's invoice on the drive",
            ((("drive_content", task.invoice.source),),),
        ),
        Read(
            "delivery note",
            "Open the delivery note that was checked at the dock.",
            "the content of the checked delivery note",
            ((("drive_content", task.delivery),),),
        ),
        Read(
            "match policy",
            "Open the invoice match policy in force.",
            "the content of the invoice match policy in force",
            ((("drive_content", facts.policy.source),),),
        ),
        Read(
            "earlier receipts",
            "Read what was received on the order before.",
            "the receipts that stand for the purchase order already",
            (tuple((RECEIPTS, number) for number in _receipts(facts)),),
        ),
        Read(
            "earlier invoices",
            "Read what the supplier billed before.",
            "the supplier's invoices that were entered before",
            (tuple((INVOICES, str(id)) for id in _invoices(facts)),),
        ),
        *(read for _, read in _papers(facts)),
        Read(
            "invoice of the same number",
            "Read the other supplier's invoice that has the same number.",
            "the message with another supplier's invoice of the same number",
            ((("mail", facts.decoy.invoice.source),),),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),),),
        ),
    )


def _papers(facts: Facts) -> list[tuple[str, Read]]:
    """Messages that bear on the match with the reading of each, the weightiest first."""
    found: list[tuple[str, tuple[str, str, str]]] = []
    if facts.manual_entries:
        words = (
            "invoices without an order",
            "Read the list of invoices that were keyed without an order.",
            "the message on invoices that were keyed without an order",
        )
        found.append((facts.manual_entries.source, words))
    if facts.task.corrected:
        words = (
            "corrected invoice",
            "Read the supplier's corrected invoice.",
            "the message with the supplier's corrected invoice",
        )
        found.append((facts.task.corrected.source, words))
    words = (
        "shipping notice",
        "Read the supplier's shipping notice.",
        "the supplier's notice of what was to be shipped",
    )
    found.extend((report.source, words) for report in facts.task.deliveries if report.kind == "announcement")
    words = (
        "earlier edition",
        "Read the earlier edition of the match policy.",
        "the message with the edition of the match policy before the one in force",
    )
    found.extend((entry.source, words) for entry in facts.policies if entry.medium == "mail")
    return [(id, Read(*words, routes=((("mail", id),),))) for id, words in found[:PAPERS]]


def _receipts(facts: Facts) -> list[str]:
    return [receipt.number for receipt in facts.earlier_receipts if receipt.order == facts.task.order.number]


def _invoices(facts: Facts) -> list[int]:
    """InvoiceIds of the supplier's invoices that stand in the ERP."""
    order = facts.task.order
    manual = facts.manual_entries.entries if facts.manual_entries else ()
    return [
        *(invoice.id for invoice in facts.earlier_invoices if invoice.order == order.number),
        *(entry.id for entry in manual if entry.supplier == order.supplier),
    ]


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)
    vendor = supplier(case.tenant.profile, facts.task.order.supplier).name

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    download, message = "google_drive.files.download", "gmail.messages.get"
    return (
        call(download, fileId=facts.task.invoice.source),
        call(message, id=facts.decoy.invoice.source),
        call("oracle_fusion.purchase_orders.get", purchaseOrdersUniqID=facts.task.order.number),
        call(download, fileId=facts.task.delivery),
        *(call(message, id=id) for id, _ in _papers(facts)),
        call(download, fileId=facts.policy.source),
        call("oracle_fusion.receiving_receipt_requests.list", q=f"VendorName='{vendor}'"),
        call("oracle_fusion.invoices.list", q=f"Supplier='{vendor}'"),
        call(download, fileId=f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    facts = _facts(case)
    order = facts.task.order
    if case.gold.primary is None:
        lines = tuple(("purchase_order_lines", f"{order.number}/{line.line}") for line in order.lines)
        return declined(case, TABLES, (lines,))
    vendor = supplier(case.tenant.profile, order.supplier).name
    holds, bound = _hold_names(case), (ExpectedRow(key="$primary"),)
    checks = executed(
        primary=All(
            of=(
                Rows(table=RECEIPTS, where={"VendorName": vendor}, added_exactly=bound, changed_exactly=()),
                Rows(table=INVOICES, where={"Supplier": vendor}, added_exactly=bound, changed_exactly=()),
                Rows(table=LINES, where={}, added_exactly=bound, changed_exactly=()),
            )
        ),
        secondary=All(
            of=(
                Rows(table=INVOICES, key="$primary", row={"ValidationStatus": "Not validated" if holds else VALIDATED}),
                Rows(
                    table=HOLDS,
                    where={},
                    added_exactly=tuple(ExpectedRow(row={"HoldName": name}) for name in holds),
                    changed_exactly=(),
                ),
            )
        ),
        owned=(
            Scope(table=RECEIPTS, where={"VendorName": vendor}),
            Scope(table="receiving_receipt_lines", where={"DocumentNumber": order.number}),
            Scope(table=INVOICES, where={"Supplier": vendor}),
            Scope(table=LINES),
            Scope(table=HOLDS),
            Scope(table="purchase_order_lines", where={"OrderNumber": order.number}),
        ),
    )
    if not holds:
        return checks
    placed = Seen(any=(({"added": HOLDS},),), after_write=True)
    return dataclasses.replace(checks, readback=All(of=(checks.readback, placed)))


def _hold_names(case: Case) -> list[str]:
    return [
        write.arguments["HoldName"] for write in case.gold.writes if write.tool == "oracle_fusion.invoice_holds.create"
    ]


def readback(case: Case) -> tuple[PlanCall, ...]:
    task = _facts(case).task

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="verify", tool=tool, arguments=arguments)

    if case.gold.primary is None:
        return (call("oracle_fusion.purchase_orders.get", purchaseOrdersUniqID=task.order.number),)
    vendor = supplier(case.tenant.profile, task.order.supplier).name
    return (
        call("oracle_fusion.receiving_receipt_requests.list", q=f"VendorName='{vendor}'"),
        call("oracle_fusion.invoices.get", invoicesUniqID=task.invoice.number),
    )


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("payables_supervisor").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    return {
        "vendor": supplier(profile, facts.task.order.supplier),
        "payables": profile.person("payables_supervisor"),
        "dock": profile.person("warehouse_lead"),
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
    dependent=("held_lines", "payable_amount"),
    counterfactuals=counterfactuals,
    judgement=judgement,
)
