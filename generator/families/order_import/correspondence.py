"""What was written about an order beside its sheet: the rules of the desk, the customer's mails, the cover.

In: tenant and facts. Out: mail messages, and the rows of the sheet's cover that only some orders have. The rules follow
the facts: nobody is told of packs where nothing is ordered in packs.
"""

from collections.abc import Iterator

from generator.families import office
from generator.families.base import MailMessage
from generator.families.order_import.facts import DeskRules, Facts, OrderSheet, RevisedLine, Target
from generator.spec.tenant import Tenant


def units(tenant: Tenant, facts: Facts) -> dict[str, str]:
    """The primary unit of each item of the organization."""
    return {item.number: item.uom for item in tenant.profile.items if item.organization == facts.organization}


def messages(tenant: Tenant, facts: Facts) -> Iterator[MailMessage]:
    if facts.earlier_rules is not None:
        yield _rules(tenant, facts, facts.earlier_rules)
    if facts.rules is not None:
        yield _rules(tenant, facts, facts.rules)
    if facts.task.first_copy is not None:
        yield _first_copy(tenant, facts, facts.task)
    yield from _answers(tenant, facts)


def cover_rows(sheet: OrderSheet) -> tuple[tuple[str, str], ...]:
    """Quotation, revision and release form, where the order has them."""
    rows: list[tuple[str, str]] = []
    if sheet.quoted_on is not None:
        rows.append(("Quotation of", sheet.quoted_on.isoformat()))
    if sheet.revised:
        rows.append(
            (
                "Revision",
                "2. Lines of the sheet Revision 2 take the place of the lines with the same number or are added;"
                " those marked cancelled are no longer ordered. All other lines stay as they are.",
            )
        )
    if sheet.release_form is not None:
        signed = sheet.release_form.signed
        state = "not signed yet" if signed is None else f"countersigned {signed.isoformat()}"
        rows.append(("Release form", f"{sheet.release_form.number}, {state}"))
    return tuple(rows)


def change(line: RevisedLine, numbers: set[int]) -> str:
    """How the revision's sheet marks the line; numbers are those of the first sheet."""
    if line.quantity is None:
        return "cancelled"
    return "changed" if line.line in numbers else "added"


def _rules(tenant: Tenant, facts: Facts, rules: DeskRules) -> MailMessage:
    lead, analyst = tenant.profile.person("operations_lead"), tenant.profile.person("analyst")
    until = f" to {rules.effective_to.isoformat()}" if rules.effective_to else " until the next edition"
    return office.mail(
        rules.source,
        lead.email,
        analyst.email,
        f"Order desk: how orders are entered, edition {rules.edition}",
        rules.at,
        (
            f"Edition {rules.edition}, valid from {rules.effective_from.isoformat()}{until}:",
            office.numbered(_sentences(tenant, facts, rules)),
            f"{tenant.profile.company}, {tenant.profile.site}",
        ),
        (lead.name, lead.title),
    )


def _sentences(tenant: Tenant, facts: Facts, rules: DeskRules) -> Iterator[str]:
    day = "order date on the cover" if rules.prices_from == "order_date" else "quotation that the cover names"
    yield (
        f"List prices only, from the price list in force on the day of the {day}. The list price is per primary unit;"
        " what the customer writes beside a line is not ours. A price that has changed since is not applied backwards."
    )
    yield (
        "A line that stands on an order for the same purchase order already, by line number and item, is not entered a"
        " second time, whatever its quantity; nor is one that repeats item and quantity of a line further up."
    )
    yield "Discontinued items are not entered. " + (
        "Where the price list names a successor, the line goes in with the successor, in the same quantity, if the"
        " customer has accepted it in writing for that line; else the line is left out."
        if facts.successors
        else "The line is left out, and the reply says so."
    )
    if facts.conversions:
        yield (
            "Quantities in another unit than the item's are converted with pack_unit and pack_holds of the price list."
            " A unit that the list does not give for the item cannot be converted, and the line is left out."
        )
    if facts.task.sheet.revised:
        yield (
            "Where a customer revises an order, each line number counts in its last revision alone, and cancelled lines"
            " are not lines of the order any more."
        )
    limit = office.money(tenant.profile, rules.value_limit)
    yield (
        f"An order sheet whose lines come to more than {limit} at the customer's own prices needs the customer's"
        " release form, signed; its number is on the cover. Without it nothing is entered, not even a draft: work out"
        " what would go in, name the missing form by its number in the answer and in the channel, and hand the sheet"
        " back."
    )
    yield "Whether an order may be submitted is settled by the credit policy, not here."


def _first_copy(tenant: Tenant, facts: Facts, target: Target) -> MailMessage:
    assert target.first_copy is not None
    unit = units(tenant, facts)
    lines = [
        f"{line.line}. {line.item}, {line.quantity} {line.uom or unit[line.item]} at {line.unit_price}"
        for line in target.sheet.lines
    ]
    return office.mail(
        target.first_copy.source,
        target.contact.email,
        tenant.profile.person("analyst").email,
        f"Order {target.customer_po}, first issue",
        target.first_copy.at,
        (
            f"Here is our order {target.customer_po}, account {target.account}, revision 1:",
            "\n".join(lines),
            "Should anything change we will send the whole workbook again.",
        ),
        (target.contact.name, target.contact.title),
    )


def _answers(tenant: Tenant, facts: Facts) -> Iterator[MailMessage]:
    contact = facts.task.contact
    for entry in facts.successors:
        asked = [line.line for line in facts.task.sheet.lines if line.item == entry.item]
        refused = [number for number in asked if number not in entry.accepted]
        accepted = office.in_words([str(number) for number in entry.accepted])
        declined = office.in_words([str(number) for number in refused])
        text = f"You asked what we do about {entry.item}. On line {accepted} we take {entry.successor} instead."
        if refused:
            text += f" On line {declined} it has to be the old part or nothing; please do not replace it there."
        yield office.mail(
            entry.answer.source,
            contact.email,
            tenant.profile.person("analyst").email,
            f"{facts.task.customer_po}: {entry.item}",
            entry.answer.at,
            (text,),
            (contact.name, contact.title),
        )
