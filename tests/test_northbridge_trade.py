"""Northbridge's trade families: facts, rows, documents and mails fit together and hold the figures worked out by hand.

The right answers of each family stand in the head of its facts file; here each is worked out again from the rendered
documents and the world's rows, so that the evidence alone leads to them.
"""

import datetime as dt
import json
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from generator.evidence.model import Rendered
from generator.families import family
from generator.families.base import MailMessage, Rows
from generator.spec.source import Memo, Source, in_force
from generator.spec.tenant import Tenant
from tests.northbridge_trade_fixture import FAMILIES, TODAY, cents, form_rows, number, of, table, trade


@pytest.fixture(scope="module")
def tenant() -> Tenant:
    return trade().tenant


@pytest.fixture(scope="module")
def rows() -> Rows:
    return trade().rows


@pytest.fixture(scope="module")
def files() -> dict[str, Rendered]:
    return trade().files


@pytest.fixture(scope="module")
def mails() -> dict[str, MailMessage]:
    return trade().mails


@pytest.fixture(scope="module")
def sources() -> tuple[Source, ...]:
    return trade().sources


def test_ids_names_and_times_are_those_of_the_release(files: dict[str, Rendered]) -> None:
    assert {n: (r.document.id, r.document.name) for n, r in files.items()} == {
        "05": ("FILE-NBR-PICK-CONFIRMATION-0208", "05-pick-confirmation.csv"),
        "06": ("FILE-NBR-REMITTANCE-0206", "06-remittance-advice.pdf"),
        "07": ("FILE-NBR-AR-AGING", "07-ar-aging.xlsx"),
        "08": ("FILE-NBR-CREDIT-POLICY-R6", "08-credit-policy.md"),
        "09": ("FILE-NBR-REORDER-POLICY-R4", "09-reorder-policy.xlsx"),
        "10": ("FILE-NBR-DEMAND-FORECAST", "10-demand-forecast.csv"),
        "11": ("FILE-NBR-SUPPLIER-INVOICE-0418", "11-supplier-invoice.pdf"),
        "12": ("FILE-NBR-DELIVERY-NOTE-0206", "12-delivery-note.pdf"),
        "13": ("FILE-NBR-AP-MATCH-POLICY", "13-ap-match-policy.md"),
        "18": ("FILE-NBR-CHANNEL-EXPORT-0209", "18-channel-export.json"),
        "19": ("FILE-NBR-CUSTOMER-CAPTURE", "19-customer-capture-chat.json"),
    }
    for rendered in files.values():
        document = rendered.document
        assert (document.modified, document.version, document.current) == (
            dt.datetime(2026, 2, 9, 6, tzinfo=dt.UTC),
            2,
            True,
        )


def test_searches_of_the_first_task_find_none_of_these(files: dict[str, Rendered]) -> None:
    """The release searches for its purchase order, and for 'policy', of which the first hits are 08, 09 and 13."""
    for name, rendered in files.items():
        shown = f"{rendered.document.name} {rendered.document.description} {rendered.text}".lower()
        assert "ca-po-77310" not in shown
        if name in ("05", "06", "07", "10", "11", "12"):
            assert "policy" not in shown, name
    assert all("policy" in files[name].document.name for name in ("08", "09", "13"))


def test_log_has_three_events_with_these_identifiers_only(tenant: Tenant) -> None:
    events = [event for id in FAMILIES for event in family(id).log(tenant, tenant.facts[id])]
    assert sorted(events) == [
        (dt.datetime(2026, 2, 6, 15, 40, tzinfo=dt.UTC), "NBR", "delivery note DN-NBR-0206 taken in at Toledo plant"),
        (
            dt.datetime(2026, 2, 8, 22, 5, tzinfo=dt.UTC),
            "NBR",
            "pick confirmation for SHP-NBR-4471 filed by the night crew",
        ),
        (dt.datetime(2026, 2, 9, 6, 0, tzinfo=dt.UTC), "NBR", "Shopify export written to the drive"),
    ]


def test_chat_stays_out_of_the_operations_channel(tenant: Tenant) -> None:
    messages = [m for id in FAMILIES for m in family(id).chat(tenant, tenant.facts[id])]
    assert {m.channel for m in messages} == {"#shipping-nbr", "#finance-nbr", "#purchasing-nbr", "#webshop-nbr"}
    assert all(m.at < tenant.profile.as_of for m in messages)


def test_memo_names_and_what_is_in_force(tenant: Tenant, sources: tuple[Source, ...]) -> None:
    named = [s for s in sources if s.memo_name]
    assert [s.memo_name for s in named] == [
        "the 2026-02-08 pick confirmation",
        "the 2026-02-06 remittance advice",
        "reorder policy R4",
        "the 2026-02-06 delivery note",
        "the 2026-02-09 channel export",
    ]
    memo = Memo("MSG-NBR-AUTHORITY-0209", TODAY, tuple(s.id for s in named))
    found = {subject: in_force(subject, TODAY, sources, [memo], ()) for subject in {s.subject for s in sources}}
    assert {subject: s.id for subject, s in found.items() if isinstance(s, Source)} == {
        "pick_confirmation": "FILE-NBR-PICK-CONFIRMATION-0208",
        "lot_status": "MSG-NBR-LOT-STATUS-0208",
        "shipping_rules": "MSG-NBR-SHIPPING-RULES-E3",
        "remittance": "FILE-NBR-REMITTANCE-0206",
        "namesake_remittance": "MSG-NBR-REMITTANCE-SERVICES-0205",
        "credit_policy": "FILE-NBR-CREDIT-POLICY-R6",
        "reorder_policy": "FILE-NBR-REORDER-POLICY-R4",
        "demand_forecast": "FILE-NBR-DEMAND-FORECAST",
        "reservation_list": "MSG-NBR-RESERVATIONS-0208",
        "delivery_note": "FILE-NBR-DELIVERY-NOTE-0206",
        "other_delivery_note": "MSG-NBR-DELIVERY-NOTE-0205",
        "supplier_invoice": "FILE-NBR-SUPPLIER-INVOICE-0418",
        "other_supplier_invoice": "MSG-NBR-INVOICE-MAUMEE-0205",
        "match_policy": "FILE-NBR-AP-MATCH-POLICY",
        "channel_export": "FILE-NBR-CHANNEL-EXPORT-0209",
        "other_export": "MSG-NBR-TRADE-EXPORT-0209",
        "customer_capture": "FILE-NBR-CUSTOMER-CAPTURE",
        "takeover_rules": "MSG-NBR-TAKEOVER-RULES-E2",
    }
    assert len(found) == 18


def test_every_source_can_be_read(
    sources: tuple[Source, ...], files: dict[str, Rendered], mails: dict[str, MailMessage]
) -> None:
    """Each is a file or a mail; edition R3 is a sheet of file 09, which prints its document id."""
    readable = {r.document.id for r in files.values()} | set(mails)
    assert {s.id for s in sources} - readable == {"FILE-NBR-REORDER-POLICY-R3"}
    assert "R3,FILE-NBR-REORDER-POLICY-R3,2025-06-24,2025-07-01,2026-01-31," in files["09"].text


def test_shipment_figures(rows: Rows, files: dict[str, Rendered], mails: dict[str, MailMessage]) -> None:
    picks = {int(row["Shipment line"]): row for row in table(files["05"].text)}
    assert "Still in quarantine: LOT-2418." in mails["MSG-NBR-LOT-STATUS-0208"].body
    figures = {}
    for shipment in ("SHP-NBR-4471", "SHP-NBR-4476"):
        staged = of(rows, "shipment_lines", Shipment=shipment, LineStatus="Staged")
        corrected = held = removed = 0
        value = Decimal(0)
        for line in staged:
            pick = picks[line["ShipmentLine"]]
            ordered = of(rows, "sales_order_lines", OrderNumber=line["OrderNumber"], LineNumber=line["OrderLineNumber"])
            assert ordered[0]["UnitListPrice"] == line["UnitSellingPrice"]
            right = int(pick["Quantity"]) * int(pick["Pieces per unit"]) + int(pick["Loose pieces"])
            if pick["Item scanned"] != line["ItemNumber"] or line["LotNumber"] == "LOT-2418":
                held, right = held + 1, 0
            elif right != line["ShippedQuantity"]:
                corrected += 1
            assert right <= line["RequestedQuantity"]
            removed += max(0, line["ShippedQuantity"] - right)
            value += cents(right * line["UnitSellingPrice"])
        figures[shipment] = (len(staged), corrected, removed, held, value)
    assert figures == {
        "SHP-NBR-4471": (6, 3, 2440, 2, Decimal("1867.50")),
        "SHP-NBR-4476": (3, 2, 70, 0, Decimal("550.20")),
    }


def test_orders_leave_room_for_the_first_task(rows: Rows) -> None:
    open_orders = [
        o for o in of(rows, "sales_orders", BuyingPartyNumber="CUST-10412") if o["StatusCode"] == "Awaiting Shipping"
    ]
    assert {o["OrderNumber"]: o["OrderTotal"] for o in open_orders} == {
        "SO-NBR-40027": Decimal("2565.50"),
        "SO-NBR-40033": Decimal("570.00"),
    }
    assert all("SO-NBR-40000" < o["OrderNumber"] < "SO-NBR-50000" for o in rows["sales_orders"])
    assert "SO-NBR-40039" not in {o["OrderNumber"] for o in rows["sales_orders"]}


def test_open_receivables_are_those_of_the_release(rows: Rows) -> None:
    account = of(rows, "receivables_invoices", BillToCustomerNumber="CUST-10412")
    balances = [row["InvoiceBalanceAmount"] for row in account if row["InvoiceBalanceAmount"]]
    assert (len(balances), sum(balances)) == (5, Decimal("73050.00"))
    past_due = [row["InvoiceBalanceAmount"] for row in account if row["DueDate"] < TODAY]
    assert sum(past_due) == Decimal("50830.00")


def test_receipt_figures(tenant: Tenant, rows: Rows, files: dict[str, Rendered]) -> None:
    open_items = {
        r["TransactionNumber"]: r for r in of(rows, "receivables_invoices", BillToCustomerNumber="CUST-10412")
    }
    advice = list(form_rows(files["06"].text))
    received = sum((number(line["Amount paid"]) for line in advice), Decimal(0))
    balances = {no: row["InvoiceBalanceAmount"] for no, row in open_items.items()}
    for line in advice:
        row = open_items[line["Document"]]
        assert number(line["Your balance"]) == row["InvoiceBalanceAmount"]
        in_time = row["PaymentTerms"].startswith("2 % 10") and row["TransactionDate"] + dt.timedelta(10) >= dt.date(
            2026, 2, 6
        )
        balances[line["Document"]] -= number(line["Amount paid"]) + in_time * number(line["Discount taken"])
    paid = [no for no in balances if open_items[no]["InvoiceBalanceAmount"] > 0 and not balances[no]]
    late = [no for no, row in open_items.items() if row["DueDate"] < TODAY and balances[no]]
    remaining = sum((balances[no] for no in late), Decimal(0))
    limit = tenant.profile.customer("CUST-10412").credit_limit
    assert received == Decimal("66436.00")
    assert sorted(paid) == ["INV-NBR-88012", "INV-NBR-88126"]
    assert remaining == Decimal("6145.60")
    assert max((TODAY - open_items[no]["DueDate"]).days for no in late) == 22
    assert cents(remaining / limit * 100) == Decimal("3.41")
    assert "USD 66,436.00" in files["06"].text
    for printed in ("15 % of the limit", "45 days", "Booked and Awaiting Shipping", "USD 25.00", "ACH Lockbox"):
        assert printed in files["08"].text


def test_aging_agrees_with_the_ledger(rows: Rows, files: dict[str, Rendered]) -> None:
    printed = {row["Document"]: Decimal(row["Balance"]) for row in table(files["07"].text)}
    ledger = {r["TransactionNumber"]: r["InvoiceBalanceAmount"] for r in rows["receivables_invoices"]}
    assert printed == {no: balance for no, balance in ledger.items() if balance}
    january = table(files["07"].text, "As of 2026-01-31")
    past_due = [Decimal(r["Balance"]) for r in january if r["Account"] == "CUST-10412" and r["Days past due"] != "0"]
    assert sum(past_due) == Decimal("38550")


def reorder(tenant: Tenant, rows: Rows, files: dict[str, Rendered], organization: str, sheet: str | None) -> Any:
    """The five answers under the levels of a sheet of file 09."""
    suppliers = {s.number: s for s in tenant.profile.suppliers}
    needed = {
        row["Item"]: dt.datetime.strptime(row["Needed by"], "%m/%d/%Y").date()
        for row in table(files["10"].text)
        if row["Organization"] == organization
    }
    cancelled = {o["OrderNumber"] for o in of(rows, "sales_orders", StatusCode="Cancelled")}
    orders = {o["OrderNumber"]: o for o in rows["purchase_orders"]}
    lines = []
    for level in table(files["09"].text, sheet):
        if level["Organization"] != organization:
            continue
        item = level["Item"]
        stock = of(rows, "onhand_balances", OrganizationCode=organization, ItemNumber=item)[0]
        dead = sum(
            r.quantity
            for r in tenant.facts["inventory_reorder"].reservations
            if (r.organization, r.item) == (organization, item) and r.order in cancelled
        )
        supply = sum(
            line["Quantity"] - line["ReceivedQuantity"]
            for line in of(rows, "purchase_order_lines", ItemNumber=item, LineStatus="Open")
            if orders[line["OrderNumber"]]["ShipToOrganizationCode"] == organization
            and line["PromisedDate"] <= dt.date(2026, 2, 23)
        )
        position = stock["OnhandQuantity"] - stock["ReservedQuantity"] + dead + supply
        if position >= int(level["Reorder point"]):
            continue
        wanted = max(int(level["Order up to"]) - position, int(level["Minimum"]))
        quantity = -(-wanted // int(level["Multiple"])) * int(level["Multiple"])
        first, second = level["First supplier"][-10:-1], level["Second supplier"][-10:-1]
        blocked = suppliers[first].status != "Active"
        cost = Decimal(level["Second's unit cost"] if blocked else level["Unit cost"])
        days = suppliers[second if blocked else first].lead_time_days
        late = max(0, (TODAY + dt.timedelta(days) - needed[item]).days)
        lines.append((quantity, cents(quantity * cost), days, late))
    longest = max(days for _, _, days, _ in lines)
    return (
        len(lines),
        sum(quantity for quantity, _, _, _ in lines),
        sum((amount for _, amount, _, _ in lines), Decimal(0)),
        longest,
        max(late for _, _, days, late in lines if days == longest),
    )


def test_reorder_figures(tenant: Tenant, rows: Rows, files: dict[str, Rendered]) -> None:
    assert reorder(tenant, rows, files, "NBR1", None) == (3, 11950, Decimal("3266.00"), 21, 6)
    assert reorder(tenant, rows, files, "NBR1", "R3 (replaced)") == (2, 10500, Decimal("1995.00"), 12, 1)
    assert reorder(tenant, rows, files, "NBR2", None) == (2, 2250, Decimal("1115.00"), 21, 3)
    suggested = [r for r in table(files["10"].text) if r["Organization"] == "NBR1" and r["Suggested order"] != "0"]
    cost = {r["Item"]: Decimal(r["Unit cost"]) for r in table(files["09"].text) if r["Organization"] == "NBR1"}
    cost["NUT-M8-NYL"] = Decimal("0.08")
    amounts = [cents(int(r["Suggested order"]) * cost[r["Item"]]) for r in suggested]
    assert (len(suggested), sum(int(r["Suggested order"]) for r in suggested), sum(amounts)) == (
        4,
        20000,
        Decimal("4620.00"),
    )


def test_reservations_are_listed_by_order(rows: Rows, mails: dict[str, MailMessage]) -> None:
    body = mails["MSG-NBR-RESERVATIONS-0208"].body
    assert "NBR1 FST-M10-60: 1300 reserved, 600 for SO-NBR-40027, 700 for SO-NBR-40015" in body
    for row in rows["onhand_balances"]:
        if row["ReservedQuantity"]:
            assert f"{row['OrganizationCode']} {row['ItemNumber']}: {row['ReservedQuantity']} reserved" in body


def match(
    rows: Rows, order: str, accepted: dict[int, int], billed: list[tuple[int, int, Decimal]], extra: Decimal
) -> Any:
    """Answers of a match at 2 % and 40.00: billed are (order line, quantity, price), extra charges without a line."""
    matched, amount, variance = 0, Decimal(0), extra
    for line, quantity, price in billed:
        ordered = of(rows, "purchase_order_lines", OrderNumber=order, LineNumber=line)[0]
        unbilled = ordered["ReceivedQuantity"] + accepted[line] - ordered["BilledQuantity"]
        off = abs(price - ordered["UnitPrice"])
        variance += cents(quantity * price) - cents(min(quantity, unbilled) * ordered["UnitPrice"])
        if quantity <= unbilled and off <= ordered["UnitPrice"] * 2 / 100 and quantity * off <= 40:
            matched, amount = matched + 1, amount + cents(quantity * price)
    held = len(billed) + bool(extra) - matched
    return matched, amount, variance, held, Decimal(0) if held else amount


def test_match_figures(tenant: Tenant, rows: Rows, files: dict[str, Rendered]) -> None:
    accepted = {int(row["Order line"]): int(number(row["Accepted"])) for row in form_rows(files["12"].text)}
    invoice = list(form_rows(files["11"].text))
    billed = [
        (int(row["Your order line"]), int(number(row["Quantity"])), number(row["Unit price"]))
        for row in invoice
        if row["Your order line"]
    ]
    extra = sum((number(row["Amount"]) for row in invoice if not row["Your order line"]), Decimal(0))
    assert sum(number(row["Amount"]) for row in invoice) == Decimal("7712.20")
    assert match(rows, "PO-NBR-6102", accepted, billed, extra) == (
        2,
        Decimal("1411.20"),
        Decimal("482.20"),
        3,
        Decimal(0),
    )
    announced = {1: 40, 2: 25, 3: 1200, 4: 12}
    assert match(rows, "PO-NBR-6102", announced, billed, extra)[:3] == (3, Decimal("4111.20"), Decimal("158.20"))
    other = [
        (line.order_line, line.quantity, line.unit_price)
        for line in tenant.facts["receiving_ap_match"].decoy.invoice.lines
    ]
    assert match(rows, "PO-NBR-6099", {1: 30, 2: 18, 3: 6}, other, Decimal(0)) == (
        3,
        Decimal("780.00"),
        Decimal("4.50"),
        0,
        Decimal("780.00"),
    )
    for printed in (
        "2 %",
        "USD 40.00",
        "PRICE_VARIANCE",
        "QUANTITY_VARIANCE",
        "LINE_NOT_ON_ORDER",
        "VENDOR",
        "RECEIVE",
    ):
        assert printed in files["13"].text


def test_purchased_codes_are_no_stock_items(tenant: Tenant, rows: Rows) -> None:
    """What the matching family orders is no supply of an item that the reorder sheet knows."""
    stocked = {item.number for item in tenant.profile.items}
    bought = {
        line["ItemNumber"]
        for line in rows["purchase_order_lines"]
        if line["OrderNumber"] in ("PO-NBR-6102", "PO-NBR-6099")
    }
    assert bought
    assert not bought & stocked


def test_channel_figures(rows: Rows, files: dict[str, Rendered]) -> None:
    export = json.loads(files["18"].text)
    chat = json.loads(files["19"].text)["messages"]
    orders = export["orders"]
    assert (len(orders), export["row_count"], export["goods_total"]) == (13, 13, "2426.40")
    assert sum(Decimal(o["subtotal_price"]) for o in orders) == Decimal("2426.40")
    latest = {o["id"]: o for o in sorted(orders, key=lambda o: o["updated_at"])}
    known = {o["SourceTransactionNumber"] for o in rows["sales_orders"]} | {
        o["CustomerPONumber"] for o in rows["sales_orders"]
    }
    local = ZoneInfo("America/New_York")
    created, already, value = [], 0, Decimal(0)
    for id, order in latest.items():
        if order["cancelled_at"] or order["financial_status"] in ("refunded", "voided"):
            continue
        if {id, order["name"], f"WEB-{order['name'][1:]}"} & known:
            already += 1
            continue
        given = [m for m in chat if m["order"] == order["name"] and "TX-" in m["text"]]
        tests = order["customer"]["email"].endswith("@northbridge-sim.example")
        day = dt.datetime.fromisoformat(order["created_at"]).astimezone(local).date()
        if tests or day > dt.date(2026, 2, 8) or not (order["customer"]["tax_id"] or given):
            continue
        created.append(id)
        value += sum(
            cents((line["quantity"] - line["refunded_quantity"]) * Decimal(line["price"]))
            for line in order["line_items"]
        )
    assert created == ["SHOP-20411", "SHOP-20412", "SHOP-20413", "SHOP-20414"]
    assert (len(orders), already, len(orders) - len(latest), value) == (13, 2, 2, Decimal("1266.30"))
