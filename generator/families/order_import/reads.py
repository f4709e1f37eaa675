"""The ten investigations of an order-import task, and the oracle's calls for them.

In: a Case. Out: Reads with their routes, and PlanCalls. Where the desk has written rules, they take the place of the
drive's index; what the customer wrote about the order takes that of the customer's row.
"""

from generator.families.base import Read
from generator.families.order_import.facts import EarlierImport, Facts, PriceList
from generator.families.order_import.outcome import sort_lines
from generator.spec.case import Case
from generator.spec.plan import PlanCall
from generator.spec.source import Source, in_force

DOWNLOAD = "google_drive.files.download"
MESSAGE = "gmail.messages.get"


def reads(case: Case) -> tuple[Read, ...]:
    facts, code = _facts(case), case.tenant.profile.code
    target = facts.task
    current, other = _price_lists(case)
    accepted = sort_lines(case.tenant, facts, target, case.judgement).accepted
    items = tuple(("items", str(case.tenant.profile.item(line.item, facts.organization).id)) for line in accepted)
    earlier = earlier_order(case)
    sheet = target.sheet.source
    return (
        Read(
            "item master",
            "Look up the items of the order in the item master, or open the price list in force.",
            "the item master records of the items that are ordered, or the price list in force"
            + ("" if current.current else " on the order date"),
            (tuple(dict.fromkeys(items)), (("drive_content", current.source),)),
        ),
        _rules(case, current, other),
        Read(
            "order sheet located",
            "Find the order sheet: its drive entry, or the source map that names it.",
            "where the customer's order sheet is: its drive entry, or the source map",
            ((("drive_meta", sheet),), (_source_map(case),)),
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
        _orders(facts, earlier),
        Read(
            "credit standing",
            "Read the customer's account with its credit limit and open receivables.",
            "the customer's account: limit, hold and receivables",
            ((("accounts", target.account),),),
        ),
        _other_list(current, other),
        Read(
            "audit trail",
            "Open the operations audit log.",
            "the operations audit log",
            ((("drive_content", f"FILE-{code}-OPS-AUDIT-LOG"),),),
        ),
        _customer(case),
    )


def _rules(case: Case, current: PriceList, other: PriceList) -> Read:
    mails = _rules_mails(_facts(case))
    if not mails:
        return Read(
            "drive index",
            "Find both the price list in force and the one before it: their drive entries, or the source map.",
            "which price lists there are, in force and before that: their drive entries, or the source map",
            ((("drive_meta", current.source), ("drive_meta", other.source)), (_source_map(case),)),
        )
    return Read(
        "order desk's rules",
        "Read the order desk's rules" + (", both editions." if len(mails) > 1 else "."),
        "the order desk's rules in the mailbox" + (", the edition in force and the one before it" if mails[1:] else ""),
        (tuple(("mail", mail) for mail in mails),),
    )


def _orders(facts: Facts, earlier: EarlierImport) -> Read:
    if not facts.open_orders:
        return Read(
            "orders on the purchase order",
            "Read the sales order that already stands for the purchase order.",
            "the sales orders that already stand for the customer's purchase order",
            ((("sales_orders", earlier.order_number),),),
        )
    numbers = [earlier.order_number, *(order.order_number for order in facts.open_orders)]
    return Read(
        "orders of the customer",
        "Read the sales orders that already stand for the customer, that of the purchase order among them.",
        "the sales orders that already stand for the customer, on this purchase order and on others",
        (tuple(("sales_orders", number) for number in numbers),),
    )


def _other_list(current: PriceList, other: PriceList) -> Read:
    words = "no longer counts" if current.current else "does not count for the order"
    listed = "is no longer in force" if current.current else "does not count for the order's date"
    return Read(
        "superseded price list" if current.current else "other price list",
        f"Open the price list that {words}.",
        f"the content of the price list that {listed}",
        ((("drive_content", other.source),),),
    )


def _customer(case: Case) -> Read:
    mails = _customer_mails(_facts(case))
    if not mails:
        row = customer_row(case)
        return Read(
            "customer master",
            "Read the customer's row in the Customers tab of the operations workbook.",
            "the customer's row in the Customers tab of the operations workbook",
            (tuple(("cells", f"Customers!{column}{row}") for column in "AB"),),
        )
    return Read(
        "customer's mail",
        "Read what the customer's contact wrote about this purchase order.",
        "what the customer's contact wrote about this purchase order by mail",
        (tuple(("mail", mail) for mail in mails),),
    )


def read_calls(case: Case) -> tuple[PlanCall, ...]:
    facts, profile = _facts(case), case.tenant.profile
    target, rules = facts.task, _rules_mails(facts)
    current, other = _price_lists(case)
    credit = in_force("credit_policy", profile.today, case.sources, (), ())
    policy = [_call(DOWNLOAD, fileId=credit.id)] if isinstance(credit, Source) else []
    standing = f"CustomerPONumber='{target.customer_po}'"
    if facts.open_orders:
        standing = f"BuyingPartyNumber='{target.account}'"
    return (
        _call("oracle_fusion.items.list", q=f"OrganizationCode='{facts.organization}'"),
        *(
            [_call(MESSAGE, id=mail) for mail in rules]
            or [_call("google_drive.files.list", q="name contains 'price-list'")]
        ),
        _call("google_drive.files.list", q=f"name contains '{target.customer_po}'"),
        _call(DOWNLOAD, fileId=target.sheet.source),
        *(_call(MESSAGE, id=mail) for mail in _customer_mails(facts)),
        _call(DOWNLOAD, fileId=earlier_order(case).source),
        _call("oracle_fusion.sales_orders.list", q=standing),
        _call("oracle_fusion.customer_account_activities.get", AccountId=target.account),
        *policy,
        *([_call(DOWNLOAD, fileId=current.source)] if rules else []),
        _call(DOWNLOAD, fileId=other.source),
        _call(DOWNLOAD, fileId=f"FILE-{profile.code}-OPS-AUDIT-LOG"),
        _call("google_sheets.spreadsheets.values.get", spreadsheetId=profile.workbook.id, range="Customers!A1:E12"),
    )


def earlier_order(case: Case) -> EarlierImport:
    """Raises ValueError for facts without one: there would be nothing to check the sheet against."""
    earlier = _facts(case).task.earlier
    if earlier is None:
        raise ValueError(f"{case.task_id}: an order import needs an earlier order to be checked against")
    return earlier


def customer_row(case: Case) -> int:
    """The sheet row of the target's customer: the header is row 1."""
    listed = [customer.account for customer in case.tenant.profile.customers if customer.in_customers_tab]
    return listed.index(_facts(case).task.account) + 2


def _price_lists(case: Case) -> tuple[PriceList, PriceList]:
    """The list in force for the order, and the other one."""
    facts = _facts(case)
    current = facts.price_list(case.judgement.sources["price_list"])
    return current, next(price_list for price_list in facts.price_lists if price_list.source != current.source)


def _rules_mails(facts: Facts) -> list[str]:
    return [rules.source for rules in (facts.rules, facts.earlier_rules) if rules is not None]


def _customer_mails(facts: Facts) -> list[str]:
    first = [facts.task.first_copy.source] if facts.task.first_copy else []
    return [*first, *(entry.answer.source for entry in facts.successors)]


def _source_map(case: Case) -> tuple[str, str]:
    return ("drive_content", f"FILE-{case.tenant.profile.code}-SOURCE-MAP")


def _call(tool: str, **arguments: str) -> PlanCall:
    return PlanCall(stage="investigate", tool=tool, arguments=arguments)


def _facts(case: Case) -> Facts:
    assert isinstance(case.facts, Facts)
    return case.facts
