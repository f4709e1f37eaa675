"""Items of the inventory organizations and their list prices.

items.list shows the price in force, later prices as ScheduledPrices and earlier ones as PriceHistory; items.update
replaces the price in force, or schedules one, by its effective date.
"""

from typing import Any

from erpbench_world import rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import Refused
from erpbench_world.fields import price, record_id
from erpbench_world.registry import tool
from erpbench_world.resources import Lines, Resource, collection

ITEMS = Resource(
    "items",
    {
        "ItemId": "integer",
        "OrganizationCode": "text",
        "ItemNumber": "text",
        "ItemDescription": "text",
        "LongDescription": "text",
        "ItemClass": "text",
        "ItemStatusValue": "text",
        "PrimaryUOMValue": "text",
        "ListPrice": "money",
        "PriceEffectiveDate": "date",
    },
    order='"ItemNumber", "OrganizationCode"',
)
PRICES = Lines(
    Resource("item_prices", {"ItemId": "integer", "EffectiveDate": "date", "kind": "text", "ListPrice": "money"}),
    "ItemId",
)
SECTIONS = {"scheduled": "ScheduledPrices", "history": "PriceHistory"}


@tool("oracle_fusion.items.list")
def list_items(call: Call, arguments: dict[str, Any]) -> Row:
    """Items by number, then organization."""
    return collection(_present(call, ITEMS.read(call, arguments.get("q"))))


@tool("oracle_fusion.items.update")
def update_price(call: Call, arguments: dict[str, Any]) -> Row:
    """Set an item's list price from a date on; the item as listed comes back.

    A date up to today replaces ListPrice and keeps the old price in the history under the date from which it held. The
    current price's own date corrects that price, and the history keeps nothing of it; an earlier one is refused, for it
    would put the prices out of order. A later date than today goes to the scheduled prices, in place of one scheduled
    for that same date; ListPrice stays.
    """
    item_id = record_id(arguments["ItemId"], "ItemId")
    units = price(arguments["ListPrice"], "ListPrice")
    effective = rules.iso_date(arguments["EffectiveDate"], "EffectiveDate")
    item = call.row("SELECT * FROM items WHERE ItemId = ?", (item_id,))
    if item is None:
        raise Refused(f"ItemId: no item {item_id} in this tenant", "ItemId")
    if units == 0:
        raise Refused("ListPrice: a list price must be above zero, came 0", "ListPrice")
    rules.open_period(call, "pricing", effective, "EffectiveDate")
    current = item["PriceEffectiveDate"]
    if effective < current:
        raise Refused(
            f"EffectiveDate: {effective} lies before {current}, the date from which the current price of"
            f" {item['ItemNumber']} holds",
            "EffectiveDate",
        )
    if effective > call.today:
        _keep_price(call, item_id, effective, "scheduled", units)
        return _present(call, call.show("items", [item]))[0]
    changes: Row = {"ListPrice": units, "PriceEffectiveDate": effective}
    if effective > current:
        _keep_price(call, item_id, current, "history", item["ListPrice"])
    call.update("items", {"ItemId": item_id}, changes)
    return _present(call, call.show("items", [{**item, **changes}]))[0]


def _keep_price(call: Call, item_id: int, effective: str, kind: str, units: int) -> None:
    key = {"ItemId": item_id, "EffectiveDate": effective}
    values = {"kind": kind, "ListPrice": units}
    if call.row("SELECT 1 FROM item_prices WHERE ItemId = ? AND EffectiveDate = ?", (item_id, effective)):
        call.update("item_prices", key, values)
    else:
        call.insert("item_prices", {**key, **values})


def _present(call: Call, rows: list[Row]) -> list[Row]:
    prices = PRICES.of(call, rows)
    shown: list[Row] = []
    for row in rows:
        item = ITEMS.present(row)
        for kind, section in SECTIONS.items():
            of_kind = [_dated(entry) for entry in prices[row["ItemId"]] if entry["kind"] == kind]
            if of_kind:
                item[section] = of_kind
        shown.append(item)
    return shown


def _dated(entry: Row) -> Row:
    return {"EffectiveDate": entry["EffectiveDate"], "ListPrice": entry["ListPrice"]}


def item_in(call: Call, organization: str, number: str, argument: str) -> Row:
    """The item of this number in the organization, whatever its status. Raises Refused if there is none."""
    item = call.row("SELECT * FROM items WHERE OrganizationCode = ? AND ItemNumber = ?", (organization, number))
    if item is None:
        raise Refused(f"{argument}: no item {number} in organization {organization}", argument)
    return item


def item_of_tenant(call: Call, number: str, argument: str) -> Row:
    """The active item of this number in any organization, the first by code. Raises Refused, with one message for
    each reason."""
    found = call.rows(
        "SELECT * FROM items WHERE ItemNumber = ? ORDER BY ItemStatusValue <> 'Active', OrganizationCode", (number,)
    )
    if not found:
        raise Refused(f"{argument}: no item {number} in this tenant", argument)
    item = found[0]
    if item["ItemStatusValue"] != "Active":
        raise Refused(
            f"{argument}: item {item['ItemNumber']} in organization {item['OrganizationCode']}"
            f" has the status {item['ItemStatusValue']}; expected Active",
            argument,
        )
    return item


def unit_of(call: Call, item: Row, unit: str, argument: str) -> str:
    """The unit if it is the item's own. Raises Refused for one that nobody knows and for one that does not convert."""
    rules.known(call, "uom", unit, argument)
    if unit != item["PrimaryUOMValue"]:
        raise Refused(
            f"{argument}: {item['ItemNumber']} is kept in {item['PrimaryUOMValue']};"
            f" no conversion from {unit} is set up",
            argument,
        )
    return unit
