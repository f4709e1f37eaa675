"""Open orders that fill a customer's credit limit, so that the new order does not fit any more.

In: tenant, facts without them, random stream, the new order's total. Out: facts with them. Receivables alone, with the
new order, look fine.
"""

import datetime as dt
from decimal import Decimal
from random import Random

from generator.families.order_import.facts import Facts, ImportedLine, OpenOrder
from generator.families.order_import.outcome import exposure
from generator.families.order_import.prices import list_price
from generator.families.order_import.records import records
from generator.spec.money import line_amount
from generator.spec.tenant import Tenant

LEFT = Decimal("0.5")  # the share of the new order's total for which there is room in the limit


def over_the_limit(tenant: Tenant, facts: Facts, rng: Random, total: Decimal) -> Facts:
    """Two submitted orders that fill the limit, and two that do not count: one billed, one not submitted."""
    limit = tenant.profile.customer(facts.task.account).credit_limit
    wanted = limit - total * LEFT - exposure(records(tenant, facts), facts, facts.task.account)
    share = Decimal(rng.randrange(35, 65)) / 100
    amounts = (
        (wanted * share, "Booked", True),
        (wanted * (1 - share), "Awaiting Shipping", True),
        (limit * Decimal(rng.randrange(10, 25)) / 100, "Closed", True),
        (limit * Decimal(rng.randrange(4, 9)) / 100, "Draft", False),
    )
    stem = facts.task.customer_po.rsplit("-", 1)[0]
    first, number = rng.randrange(40310, 40800), rng.randrange(51000, 68000)
    orders = []
    for place, (amount, status, submitted) in enumerate(amounts):
        created = tenant.profile.as_of - dt.timedelta(days=rng.randrange(5, 30), minutes=rng.randrange(600))
        orders.append(
            OpenOrder(
                order_number=f"SO-{tenant.profile.code}-{first + 7 * place}",
                customer_po=f"{stem}-{number + 113 * place}",
                status=status,
                submitted=submitted,
                created=created.replace(second=0, microsecond=0),
                lines=_lines(tenant, facts, rng, amount),
            )
        )
    return facts.model_copy(update={"open_orders": tuple(sorted(orders, key=lambda order: order.created))})


def _lines(tenant: Tenant, facts: Facts, rng: Random, amount: Decimal) -> tuple[ImportedLine, ...]:
    """Three lines that come to the amount or a little more."""
    profile = tenant.profile
    items = [item for item in profile.items if item.organization == facts.organization and item.status == "Active"]
    today = facts.list_on(profile.today)
    left, lines = amount, []
    for number, item in enumerate(rng.sample(items, 3), 1):
        price = list_price(profile, item, today)
        part = left if number == 3 else left * Decimal(rng.randrange(25, 45)) / 100
        quantity = int(part / price) + 1
        left -= line_amount(quantity, price)
        lines.append(ImportedLine(line=number, item=item.number, quantity=quantity))
        if left <= 0:
            break
    return tuple(lines)
