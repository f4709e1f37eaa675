"""The pricing policy as the office mails it round: what a batch goes by, with its numbers."""

from generator.families import office
from generator.families.correspondence import mail_table
from generator.families.price_batch.facts import Facts, PricingPolicy
from generator.families.price_batch.pricing import FINEST
from generator.spec.tenant import Tenant


def policy_text(tenant: Tenant, facts: Facts, policy: PricingPolicy) -> tuple[str, ...]:
    """Paragraphs of the mail: validity, rules by number, the tables of classes and costs."""
    profile = tenant.profile
    until = "until further notice" if policy.effective_to is None else f"to {policy.effective_to.isoformat()}"
    bands = "; ".join(f"class {band.price_class}, {office.percent(profile, band.percent)}" for band in policy.bands)
    rules = (
        _release_rule(tenant, facts, policy),
        "A line that the pricing manager has taken back in writing is no line of the batch.",
        "A batch is entered for one organization at a time. Lines of another organization are turned down, and so are"
        " lines of items that are not active in it and lines whose effective date lies in a closed pricing period. A"
        " line without a change is treated like any other.",
        "When two lines have the same organization, item and effective date, the one with the higher line number"
        " counts and the other is superseded. That is settled before anything else.",
        *_standing_rule(policy),
        *_unit_rules(tenant, facts, policy),
        "The old price is the one in force on the day before the line's effective date. Prices that the system holds"
        " for an earlier date than the line's count, and so do lines of the same batch that were accepted for an"
        " earlier date.",
        "The change against the old price may be up to and including the band of the item's class, up or down:"
        f" {bands}.",
        f"The new price may not lie below {policy.floor_factor} times the item's standard cost as listed below, freight"
        " left out; at that figure it is still allowed.",
        "Lines outside their band or under the floor are not entered. They are referred to the pricing manager in the"
        " handoff and count as turned down. Other lines that are turned down need no referral.",
        "The list price that the system holds is the one in force. A price for a later date is entered now with that"
        " date; one whose date has come takes the place of the list price at once.",
        "The reference of an entry is the batch number.",
    )
    classes = mail_table(
        ("Organization", "Item", "Class", "Standard cost"),
        [(held.organization, held.item, held.price_class, held.cost) for held in policy.classes],
    )
    return (
        f"Pricing policy {policy.name}, in force from {policy.effective_from.isoformat()} {until}.",
        "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, start=1)),
        f"Classes and standard costs per item unit in {profile.currency}:\n{classes}",
    )


def _release_rule(tenant: Tenant, facts: Facts, policy: PricingPolicy) -> str:
    if not policy.needs_release:
        return "The version of a batch that lies on the drive is the one that is entered."
    return (
        f"Only the version of a batch that {tenant.profile.person(facts.release.mail.by).name} has released for the"
        " organization is entered. Where the version on file is another or none is released, nothing of the batch is"
        " entered, no earlier version either; the handoff then says so and names the batch by its number."
    )


def _standing_rule(policy: PricingPolicy) -> tuple[str, ...]:
    if not policy.keeps_standing:
        return ()
    return (
        "A price that the system holds already for the same organization, item and effective date stays. The line of"
        " the batch gives way to it and counts as superseded.",
    )


def _unit_rules(tenant: Tenant, facts: Facts, policy: PricingPolicy) -> tuple[str, ...]:
    """How a printed figure becomes the price that is entered."""
    profile, rules = tenant.profile, []
    if facts.units:
        units = "; ".join(f"{unit.uom} is {unit.pieces}" for unit in facts.units)
        rules.append(
            f"Prices are entered per the item's own unit. A price per another unit is divided by its pieces ({units})."
        )
    if any(line.change is not None for line in facts.batch.lines):
        rules.append("A line that gives a change in percent raises or lowers the old price by that much.")
    rules += [
        f"A batch in {rate.currency} is entered in {profile.currency} at {rate.rate} {profile.currency} for one"
        f" {rate.currency}, whatever the bank says on the day."
        for rate in policy.rates
    ]
    if policy.step == FINEST:
        rules.append("Prices keep up to four decimals, a fifth is rounded half up; they are not rounded to steps.")
    else:
        rules.append(
            f"The price per item unit is rounded half up to a multiple of {policy.step}, after all conversions and"
            " before it is compared with anything."
        )
    return (" ".join(rules),)
