"""Files 09 and 10, the reservation list, a coming edition's draft, the spending release, the purchasing channel."""

from generator.evidence.model import Column, Csv, Document, Sheet, Spreadsheet, Table
from generator.families.base import LogEvents, MailMessage
from generator.families.inventory_reorder.facts import Facts, ReorderPolicy, SpendingRelease
from generator.families.office import day, filed_in_force, in_words, listing, money
from generator.families.office import mail as write_mail
from generator.families.purchasing import supplier
from generator.spec.tenant import ChatMessage, Tenant


def documents(tenant: Tenant, facts: Facts) -> tuple[Document, ...]:
    return (_policy_workbook(tenant, facts), _forecast(tenant, facts))


def mail(tenant: Tenant, facts: Facts) -> tuple[MailMessage, ...]:
    return (
        _reservations(tenant, facts),
        *(_draft(tenant, facts, entry) for entry in facts.policies if entry.medium == "mail"),
        *((_release(tenant, facts.release),) if facts.release else ()),
    )


def chat(tenant: Tenant, facts: Facts) -> tuple[ChatMessage, ...]:
    profile = tenant.profile
    return (
        ChatMessage(
            at=facts.chat_at,
            channel=f"#purchasing-{profile.code.lower()}",
            author=profile.person("purchasing_manager").name,
            thread=facts.chat_thread,
            text=(
                f"The planning tool's suggestions for {facts.organization} and {facts.decoy_organization} are in."
                " They are an estimate; what we order follows the reorder sheet in force, one requisition per"
                " organization."
            ),
        ),
    )


def log(tenant: Tenant, facts: Facts) -> LogEvents:
    return ()


def policy_rules(tenant: Tenant, facts: Facts, policy: ReorderPolicy) -> tuple[str, ...]:
    """The sentences of the Rules sheet."""
    profile = tenant.profile
    manager = profile.person("purchasing_manager")
    weeks = (
        " Reorder point and order-up-to level are weeks: times the item's weekly demand in the demand forecast they are"
        " units."
        if policy.levels_in == "weeks"
        else ""
    )
    return (
        "Every organization is looked at on its own. Stock position = on hand, less reserved, plus open supply, in"
        " the item's own unit.",
        "Open supply is what an open purchase order for the same organization still has to deliver (ordered less"
        f" received) with a promised date at most {policy.window_days} calendar days after today. Later dates,"
        " cancelled orders, other organizations and requisitions do not count.",
        "A reservation counts while its sales order is alive. What is still reserved for a cancelled order is not"
        " taken off, even where the system has not released it; the warehouse's reservation list says what belongs"
        " to which order.",
        "An active item is below when its position is less than the reorder point. At the reorder point it is not."
        f"{weeks}",
        "Order the difference between the order-up-to level and the position, raised to the minimum, then raised to"
        " the next full multiple.",
        "Order from the first supplier. If the supplier record says Blocked or Inactive, order from the second, at"
        " the second's cost.",
        "The unit cost is the one on this sheet; amounts are rounded to the cent by line.",
        "The requested delivery date of a line is its needed-by date in the demand forecast. The quantities"
        " suggested there are an estimate and not an order.",
        f"Lead times are those of the supplier record, in {_lead_time_days(tenant, policy)} from today. For the line"
        " with the longest lead time, report by how many calendar days it comes after its needed-by date, zero if it"
        " is in time. Of several lines with that lead time take the one that is latest.",
        f"One requisition for the organization, business unit {profile.business_unit}, prepared by the desk"
        f" ({profile.person('analyst').name}).",
        f"The desk submits a requisition of at most {money(profile, policy.submit_limit)}. A larger one is saved and"
        f" left unsubmitted for {manager.name}.",
        *_release_rule(tenant, policy),
        "Without an edition in force, signed by the purchasing manager, nothing is requested; ask first.",
    )


def _release_rule(tenant: Tenant, policy: ReorderPolicy) -> tuple[str, ...]:
    if policy.release_limit is None:
        return ()
    profile = tenant.profile
    plant, purchasing = profile.person("plant_manager"), profile.person("purchasing_manager")
    return (
        f"Since R{policy.edition} a requisition of more than {money(profile, policy.release_limit)} also needs a"
        f" spending release: a message of the {plant.title.lower()}, {plant.name}, for the organization, which covers"
        " the whole amount and is valid on the day. Without a valid release nothing is entered, not even an"
        f" unsubmitted requisition: work out the figures and refer the matter to {purchasing.name}. Earlier editions"
        " asked for none.",
    )


def _lead_time_days(tenant: Tenant, policy: ReorderPolicy) -> str:
    if policy.lead_time_calendar == "calendar":
        return "calendar days"
    closed = in_words([day(tenant.profile, date) for date in policy.closed_days]) if policy.closed_days else ""
    return "working days (Monday to Friday" + (f", the site being closed on {closed})" if closed else ")")


def _policy_workbook(tenant: Tenant, facts: Facts) -> Document:
    manager = tenant.profile.person("purchasing_manager")
    policy = facts.policy
    rules = Table(
        (Column("No", "integer", 6), Column("Rule", width=110)),
        tuple(enumerate(policy_rules(tenant, facts, policy), 1)),
    )
    editions = Table(
        (
            Column("Edition", width=9),
            Column("Document", width=34),
            Column("Issued", "date", 12),
            Column("In force from", "date", 14),
            Column("In force to", "date", 14),
            Column("Signed by", width=22),
        ),
        tuple(
            (
                f"R{entry.edition}",
                entry.source,
                entry.issued.date(),
                entry.effective_from,
                entry.effective_to,
                manager.name,
            )
            for entry in facts.policies
            if entry.medium != "mail"
        ),
    )
    earlier = tuple(
        Sheet(f"R{entry.edition} (replaced)", _levels(tenant, entry))
        for entry in facts.policies
        if entry.medium == "sheet"
    )
    return Document(
        id=policy.source,
        name="09-reorder-policy.xlsx",
        body=Spreadsheet(
            (
                Sheet(f"R{policy.edition}", _levels(tenant, policy)),
                Sheet("Rules", rules),
                Sheet("Editions", editions),
                *earlier,
            )
        ),
        description=f"Reorder policy, edition R{policy.edition}: levels, costs, sources of supply and rules",
        author=manager.name,
        owner=manager.email,
        modified=filed_in_force(tenant.profile),
    )


def _levels(tenant: Tenant, policy: ReorderPolicy) -> Table:
    unit = " (weeks)" if policy.levels_in == "weeks" else ""
    columns = (
        Column("Organization", width=13),
        Column("Item", width=16),
        Column(f"Reorder point{unit}", "integer", 14 + len(unit)),
        Column(f"Order up to{unit}", "integer", 12 + len(unit)),
        Column("Minimum", "integer", 10),
        Column("Multiple", "integer", 10),
        Column("Unit cost", "money", 10),
        Column("First supplier", width=28),
        Column("Second supplier", width=28),
        Column("Second's unit cost", "money", 18),
    )

    def named(number: str) -> str:
        return f"{supplier(tenant.profile, number).name} ({number})"

    return Table(
        columns,
        tuple(
            (
                level.organization,
                level.item,
                level.reorder_point,
                level.order_up_to,
                level.minimum,
                level.multiple,
                level.first.unit_cost,
                named(level.first.supplier),
                named(level.second.supplier) if level.second else None,
                level.second.unit_cost if level.second else None,
            )
            for level in policy.levels
        ),
    )


def _forecast(tenant: Tenant, facts: Facts) -> Document:
    manager = tenant.profile.person("purchasing_manager")
    columns = (
        Column("Organization"),
        Column("Item"),
        Column("Weekly demand", "integer"),
        Column("Suggested order", "integer"),
        Column("Needed by", "date"),
        Column("Suggested supplier"),
    )
    rows = tuple(
        (
            line.organization,
            line.item,
            line.weekly_demand,
            line.suggested,
            line.needed_by,
            supplier(tenant.profile, line.supplier).name,
        )
        for line in facts.forecast.lines
    )
    issued = facts.forecast.issued.date().isoformat()
    return Document(
        id=facts.forecast.source,
        name="10-demand-forecast.csv",
        body=Csv(Table(columns, rows)),
        description=f"Demand forecast of {issued} with suggested orders and needed-by dates",
        author=manager.name,
        owner=manager.email,
        modified=filed_in_force(tenant.profile),
    )


def _reservations(tenant: Tenant, facts: Facts) -> MailMessage:
    profile = tenant.profile
    lead = profile.person("warehouse_lead")
    entries = []
    for stock in facts.stock:
        of_item = [r for r in facts.reservations if (r.organization, r.item) == (stock.organization, stock.item)]
        if of_item:
            parts = ", ".join(f"{r.quantity} for {r.order}" for r in of_item)
            total = facts.reserved(stock.organization, stock.item)
            entries.append(f"{stock.organization} {stock.item}: {total} reserved, {parts}")
    return write_mail(
        facts.reservations_source,
        lead.email,
        profile.person("analyst").email,
        f"Reservation list of {facts.reservations_listed.date().isoformat()}",
        facts.reservations_listed,
        [
            "What is reserved, by order, as the system has it. I have not released anything; whether an order is"
            " still alive stands in the order itself.",
            listing(entries),
        ],
        [lead.name, lead.title],
    )


def _draft(tenant: Tenant, facts: Facts, draft: ReorderPolicy) -> MailMessage:
    profile = tenant.profile
    manager = profile.person("purchasing_manager")
    unit = " weeks" if draft.levels_in == "weeks" else ""
    entries = [
        f"{row.organization} {row.item}: reorder point {row.reorder_point}{unit}, order up to {row.order_up_to}{unit}"
        for row in draft.levels
    ]
    dropped = facts.policy.release_limit is not None and draft.release_limit is None
    release = f" The spending release is meant to fall away with R{draft.edition}." if dropped else ""
    return write_mail(
        draft.source,
        manager.email,
        profile.person("analyst").email,
        f"Draft of reorder policy R{draft.edition}",
        draft.issued,
        [
            f"For comment only: the levels that R{draft.edition} may bring, meant for"
            f" {draft.effective_from.isoformat()}. It is a draft and not signed; R{facts.policy.edition} stays in"
            " force.",
            listing(entries),
            f"Minimum, multiple, cost and suppliers are meant to stay as in R{facts.policy.edition}.{release}",
        ],
        [manager.name, manager.title],
    )


def _release(tenant: Tenant, release: SpendingRelease) -> MailMessage:
    profile = tenant.profile
    plant = profile.person("plant_manager")
    return write_mail(
        release.source,
        plant.email,
        profile.person("analyst").email,
        f"Spending release for {release.organization}",
        release.issued,
        [
            f"Released: requisitions for {release.organization} of up to {money(profile, release.amount)} each. The"
            f" release is valid through {release.valid_to.isoformat()}; after that day ask me for a new one.",
        ],
        [plant.name, plant.title],
    )
