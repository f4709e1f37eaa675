"""What every price-batch task has: fields, options, graded reads, state checks and the oracle's calls."""

from generator.families.base import AnswerField, Option, Read, StateChecks, TaskKind
from generator.families.checks import declined, executed
from generator.families.price_batch.facts import Facts
from generator.families.price_batch.outcome import RELEASE_RULE, RULES, outcome
from generator.families.price_batch.pricing import Priced, price_lines
from generator.families.price_batch.records import records
from generator.spec.case import Case, CounterfactualKind, Judgement
from generator.spec.contract import All, Check, ExpectedRow, Row, Rows, Scope
from generator.spec.plan import PlanCall
from generator.spec.tenant import Tenant

ANSWERS = (
    AnswerField(
        "batch_lines",
        "integer",
        "Lines of the batch in force, those of every organization, without lines that its owner took back. Each is"
        " either superseded, rejected or accepted; whether it is superseded is settled first.",
    ),
    AnswerField(
        "accepted_lines",
        "integer",
        "Lines for the task's organization that the pricing policy lets through: those to be entered.",
    ),
    AnswerField(
        "rejected_lines",
        "integer",
        "Lines that are neither superseded nor accepted, whatever the reason; lines that are referred count here.",
    ),
    AnswerField(
        "superseded_lines",
        "integer",
        "Lines, of any organization, that give way to a later line of the batch for the same organization, item and"
        " effective date, or to a price that stands already where the pricing policy says that it stays.",
    ),
    AnswerField(
        "average_change_pct",
        "percent",
        "Unweighted mean over the accepted lines of the new price less the old, divided by the old, times 100. Both are"
        " per item unit, the old one being the price in force on the day before the line's effective date.",
    ),
)

OPTIONS = (
    Option(
        "apply_accepted_lines",
        "Enter the lines that the pricing policy lets through; none is to be referred",
        "applied",
        "the accepted prices are entered and nothing has to be referred",
    ),
    Option(
        "apply_accepted_refer_exceptions",
        "Enter the lines that the pricing policy lets through and refer those outside band or floor",
        "applied_with_referrals",
        "the accepted prices are entered, at least one line is referred to pricing",
    ),
    Option(
        "apply_whole_batch",
        "Enter every line of the batch as it stands",
        "applied_as_received",
        "all lines are entered at their printed prices",
    ),
    Option(
        "stop_batch_unapproved",
        "Enter nothing until the batch on file is released",
        "not_applied",
        "no price is entered",
    ),
)

CONVENTIONS = (
    "A price is entered on the item of the task's organization with the line's effective date, per the item's own unit"
    " and in the ledger currency, with up to four decimals.",
    "Lines that are superseded, turned down or referred leave no trace on their items.",
    "The record of a batch, and what stands in the way of one, is called by the batch number.",
)
PRICE_TABLES = ("items", "item_prices")


def judgement(tenant: Tenant, facts: Facts) -> Judgement:
    """The right one: the batch that the memo names, the policy whose dates cover the day."""
    today = tenant.profile.today
    policy = next(
        policy
        for policy in (facts.policy, facts.earlier_policy)
        if policy.effective_from <= today and (policy.effective_to is None or today <= policy.effective_to)
    )
    return Judgement(sources={"price_batch": facts.batch.source, "pricing_policy": policy.mail.source})


def counterfactuals(case: Case) -> tuple[tuple[str, CounterfactualKind, str | None, Judgement], ...]:
    facts, right = _facts(case), case.judgement.sources
    old_batch = Judgement(sources={**right, "price_batch": facts.earlier.source})
    old_policy = Judgement(sources={**right, "pricing_policy": facts.earlier_policy.mail.source})
    return (
        ("earlier_version", "wrong_source", "price_batch", old_batch),
        ("earlier_policy", "wrong_source", "pricing_policy", old_policy),
        ("other_organization", "wrong_target", None, Judgement(sources=right, target="decoy")),
        ("batch_as_received", "as_received", None, Judgement(sources=right, as_received=True)),
        *(
            (f"ignores_{rule}", "ignored_rule", rule, Judgement(sources=right, ignored_rules=frozenset({rule})))
            for rule in _biting(case, facts)
        ),
    )


def _biting(case: Case, facts: Facts) -> list[str]:
    """The rules without which this case would end otherwise; where it is declined, the one that stops it."""
    if case.gold.obstacle is not None:
        return [RELEASE_RULE]
    rows = records(case.tenant, facts)
    found = []
    for rule in RULES:
        without = Judgement(sources=case.judgement.sources, ignored_rules=frozenset({rule}))
        if outcome(case.tenant, facts, rows, without) != case.gold:
            found.append(rule)
    return found


def reads(case: Case) -> tuple[Read, ...]:
    facts, code = _facts(case), case.tenant.profile.code
    source_map = ("drive_content", f"FILE-{code}-SOURCE-MAP")
    return (
        Read(
            "batch located",
            "Find the price batch: its drive entry, or the source map that names it.",
            "where the price batch is: its drive entry, or the source map",
            ((("drive_meta", facts.batch.source),), (source_map,)),
        ),
        Read(
            "price batch",
            "Open the price batch on file.",
            "the content of the price batch on file",
            ((("drive_content", facts.batch.source),),),
        ),
        Read(
            "earlier version",
            "Read the version of the batch that no longer counts: the message or its forward.",
            "the earlier version of the batch: the message that brought it, or the one that forwarded it",
            ((("mail", facts.earlier_mail.source),), (("mail", facts.forward.source),)),
        ),
        Read(
            "pricing policy",
            "Read the pricing policy in force.",
            "the message with the pricing policy in force",
            ((("mail", facts.policy.mail.source),),),
        ),
        Read(
            "earlier policy",
            "Read the pricing policy that was in force before.",
            "the message with the pricing policy before it",
            ((("mail", facts.earlier_policy.mail.source),),),
        ),
        Read(
            "release",
            "Read the release of the batch for the organization.",
            "the message that releases the batch for the task's organization",
            ((("mail", facts.release.mail.source),),),
        ),
        _correction_read(facts),
        Read(
            "item master",
            "Look up the items that get a price in the item master of the organization.",
            "the item master records of the organization's items that the policy gives a new price",
            (tuple(("items", str(line.item.id)) for line in _of(_priced(case), "accepted")),),
        ),
        Read(
            "other organization",
            "Look up an item of the batch in the other organization.",
            "an item master record of the other organization whose lines are in the batch",
            tuple((("items", str(id)),) for id in _decoy_items(case)),
        ),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
    )


def _correction_read(facts: Facts) -> Read:
    if facts.correction is None:
        raise ValueError(f"{facts.batch.number}: a price batch needs lines that were taken back")
    return Read(
        "correction",
        "Read the message that takes lines of the batch back.",
        "the message by which the batch's owner took lines of it back",
        ((("mail", facts.correction.mail.source),),),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts = _facts(case)

    def call(tool: str, **arguments: str) -> PlanCall:
        return PlanCall(stage="investigate", tool=tool, arguments=arguments)

    letters = [
        facts.policy.mail,
        facts.earlier_policy.mail,
        facts.earlier_mail,
        facts.release.mail,
        *([facts.correction.mail] if facts.correction else []),
    ]
    return (
        call("google_drive.files.list", q=f"name contains '{facts.batch.number}'"),
        call("google_drive.files.download", fileId=facts.batch.source),
        *(call("gmail.messages.get", id=letter.source) for letter in letters),
        call("oracle_fusion.items.list", q=f"OrganizationCode='{facts.organization}'"),
        call("oracle_fusion.items.list", q=f"OrganizationCode='{facts.decoy_organization}'"),
        call("google_drive.files.download", fileId=f"FILE-{case.tenant.profile.code}-OPS-AUDIT-LOG"),
    )


def state(case: Case) -> StateChecks:
    priced = _priced(case)
    accepted = sorted({line.item.id for line in _of(priced, "accepted")})
    if case.gold.obstacle is not None:
        return declined(case, PRICE_TABLES, tuple((("items", str(id)),) for id in accepted))
    facts = _facts(case)
    others = sorted({line.item.id for line in priced if line.item.organization == facts.organization} - set(accepted))
    own: Row = {"ItemId": {"in": accepted}}
    rest: Row = {"ItemId": {"in": others}}
    primary = ExpectedRow(key="$primary")
    changes = any(row.table == "items" for row in case.gold.primary.rows) if case.gold.primary else False
    entered: tuple[Check, ...] = (
        Rows(table="item_prices", where=own, added_exactly=(primary,), changed_exactly=()),
        Rows(table="items", where=own, added_exactly=(), changed_exactly=(primary,) if changes else ()),
    )
    untouched = tuple(Rows(table=table, where=rest, added_exactly=(), changed_exactly=()) for table in PRICE_TABLES)
    return executed(
        primary=All(of=entered),
        secondary=All(of=(_dated(case), *untouched)),
        owned=tuple(Scope(table=table, where=row) for table in PRICE_TABLES for row in (own, rest)),
    )


def _dated(case: Case) -> Check:
    """The accepted prices stand as what they are: for a later date, or in the place of an old one that is kept."""
    days = sorted({str(row.row["EffectiveDate"]) for row in _prices(case)})
    return Rows(table="item_prices", key="$primary", row={"EffectiveDate": {"in": days}})


def _prices(case: Case) -> list[ExpectedRow]:
    rows = case.gold.primary.rows if case.gold.primary else ()
    return [ExpectedRow(row=dict(row.row)) for row in rows if row.table is None]


def readback(case: Case) -> tuple[PlanCall, ...]:
    arguments = {"q": f"OrganizationCode='{_facts(case).organization}'"}
    return (PlanCall(stage="verify", tool="oracle_fusion.items.list", arguments=arguments),)


def correspondents(case: Case) -> tuple[str, ...]:
    return (case.tenant.profile.person("pricing_manager").email,)


def prompt(case: Case) -> dict[str, object]:
    facts, profile = _facts(case), case.tenant.profile
    names = {organization.code: organization.name for organization in profile.organizations}
    return {
        "label": facts.batch.label,
        "manager": profile.person("pricing_manager"),
        "organization": names[facts.organization],
        "other": names[facts.decoy_organization],
    }


def _priced(case: Case) -> tuple[Priced, ...]:
    """What becomes of every line of the batch under the right judgement."""
    facts = _facts(case)
    scheduled = records(case.tenant, facts).get("item_prices", [])
    return price_lines(case.tenant, facts, scheduled, facts.batch, facts.policy, facts.organization, frozenset())


def _of(priced: tuple[Priced, ...], fate: str) -> list[Priced]:
    """One line an item, so that a route names no record twice."""
    by_item = {line.item.id: line for line in priced if line.fate == fate}
    return [by_item[id] for id in sorted(by_item)]


def _decoy_items(case: Case) -> list[int]:
    facts = _facts(case)
    lines = [line for line in facts.batch.lines if line.organization == facts.decoy_organization]
    return sorted({case.tenant.profile.item(line.item, line.organization).id for line in lines})


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
