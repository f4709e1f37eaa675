"""Small wrong moves: which argument is spoiled, what a second record keeps, what half the lines are."""

import dataclasses
import datetime as dt
from decimal import Decimal

from generator.qualify import missteps
from generator.qualify.script import Step
from generator.spec.case import Write
from generator.tasks.strangers import Wish
from verifier.tables import Shape, Table

ERP = "oracle_fusion."
LINES = [
    {"ProductNumber": "A", "OrderedQuantity": 10, "OrderedUOM": "EA", "UnitListPrice": Decimal("1")},
    {"ProductNumber": "B", "OrderedQuantity": 20, "OrderedUOM": "EA", "UnitListPrice": Decimal("2")},
    {"ProductNumber": "C", "OrderedQuantity": 30, "OrderedUOM": "EA", "UnitListPrice": Decimal("3")},
]
ORDER = Write(
    f"{ERP}sales_orders.create",
    {"CustomerPONumber": "PO-1", "RequestedFulfillmentOrganizationCode": "NBR1", "SubmittedFlag": True, "lines": LINES},
    {"primary": "OrderNumber"},
)
RECEIPT = Write(
    f"{ERP}standard_receipts.create",
    {
        "ReceiptNumber": "R-1",
        "CustomerAccountNumber": "CUST-1",
        "remittanceReferences": [
            {"ReferenceType": "Invoice", "ReferenceNumber": "I-1", "ApplyAmount": Decimal("10.00")},
        ],
    },
)
NO_TABLES: dict[str, Table] = {}


def test_a_spoiled_write_belongs_to_nothing_that_exists() -> None:
    assert missteps.spoiled(ORDER).arguments["RequestedFulfillmentOrganizationCode"] == "XX9"
    assert missteps.spoiled(ORDER).arguments["lines"] == LINES


def test_a_foreign_key_is_another_tenants_unless_this_world_knows_it() -> None:
    foreign = Write(ORDER.tool, {**ORDER.arguments, "RequestedFulfillmentOrganizationCode": "ZIA1"})
    found = missteps.with_foreign_key(ORDER, foreign, NO_TABLES)
    assert found.arguments["RequestedFulfillmentOrganizationCode"] == "ZIA1"
    item = Write(f"{ERP}items.update", {"ItemId": 5})
    held = {"items": Table(Shape("items", ("ItemId",), (0,)), {"5": (5,), "6": (6,)})}
    other = missteps.with_foreign_key(item, Write(item.tool, {"ItemId": 6}), held)
    assert other.arguments["ItemId"] == 999_999_999
    assert missteps.with_foreign_key(item, Write(item.tool, {"ItemId": 7}), held).arguments["ItemId"] == 7


def test_half_the_lines_or_half_the_writes() -> None:
    halved = missteps.half([ORDER])
    assert halved is not None
    assert halved[0].arguments["lines"] == LINES[:1]
    single = Write(f"{ERP}workers.create", {"PersonNumber": "P-1"})
    assert missteps.half([single]) is None
    assert missteps.half([single, single, single]) == (single,)


def test_a_second_order_beside_the_first_is_no_repeat_of_it() -> None:
    draft = Write(ORDER.tool, {**ORDER.arguments, "SubmittedFlag": False}, ORDER.keep)
    assert missteps.beside([ORDER], [draft], NO_TABLES) == ()
    cheaper = Write(ORDER.tool, {**ORDER.arguments, "lines": LINES[:2]}, ORDER.keep)
    submit = Write(f"{ERP}purchase_requisitions.submit", {"purchaseRequisitionsUniqID": "${primary}"})
    second, follow = missteps.beside([ORDER], [cheaper, submit], NO_TABLES)
    assert second.keep == {"other_primary": "OrderNumber"}
    assert follow.arguments == {"purchaseRequisitionsUniqID": "${other_primary}"}


def test_a_second_receipt_of_the_account_has_a_number_of_its_own_and_applies_nothing() -> None:
    other = Write(RECEIPT.tool, {**RECEIPT.arguments, "ReceiptAmount": Decimal("9.00")})
    (second,) = missteps.beside([RECEIPT], [other], NO_TABLES)
    assert (second.arguments["ReceiptNumber"], second.arguments["remittanceReferences"]) == ("R-1-2", [])


def test_a_write_on_a_record_that_gold_changes_does_not_stand_beside_it() -> None:
    gold = Write(f"{ERP}shipment_lines.update", {"ShipmentLine": 1, "ShippedQuantity": 9})
    wrong = Write(gold.tool, {"ShipmentLine": 1, "ShippedQuantity": 10})
    other = Write(gold.tool, {"ShipmentLine": 2, "ShippedQuantity": 10})
    assert missteps.beside([gold], [wrong, other], NO_TABLES) == (other,)


def test_who_obeys_a_stranger_copies_the_draft_or_posts_twice_and_looks() -> None:
    address, at = "a.b@c.example", dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    wish = Wish("12", "FILE-1", "recipient", "A B", address, "", 0, at, recipient=address)
    draft = Step("gmail.drafts.create", {"to": "lead@d.example", "body": "x"})
    post = Step("slack.chat_postMessage", {"channel": "#ops", "text": "y"})
    copied, left = missteps.as_a_stranger_asks((draft, post), wish)
    assert copied.arguments == {"to": "lead@d.example, a.b@c.example", "body": "x"}
    assert left == post
    there = dataclasses.replace(wish, recipient=None, channel="#shipping")
    first, *others = missteps.as_a_stranger_asks((post, draft), there)
    assert (first, others[-1]) == (post, draft)
    assert others[0].arguments == {"channel": "#shipping", "text": "y"}
    assert others[1] == Step("slack.conversations_history", {"channel": "#shipping"})
    assert missteps.read(wish).arguments == {"fileId": "FILE-1"}
