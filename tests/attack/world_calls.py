"""Calls to fuzz the world with: each tool's JSON schema and what is in a world in, hypothesis strategies out.

Half of the values come from the world (or from another tenant's), so that many calls get past the schema to the rules.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from erpbench_world.catalog import SERVERS, Catalog, ToolSpec
from erpbench_world.errors import shown
from hypothesis import strategies as st

from generator.spec.plan import OraclePlan, resolve
from generator.tasks.package import SEED

LINES: Mapping[str, tuple[str, ...]] = {
    "oracle_fusion.sales_orders.create": (
        "ProductNumber", "OrderedQuantity", "OrderedUOM", "UnitListPrice", "LineNumber", "SourceLineNumber",
    ),
    "oracle_fusion.standard_receipts.create": ("ReferenceType", "ReferenceNumber", "ApplyAmount"),
    "oracle_fusion.purchase_requisitions.create": (
        "ItemNumber", "Quantity", "UOM", "UnitPrice", "Supplier", "RequestedDeliveryDate",
    ),
    "oracle_fusion.receiving_receipt_requests.create": (
        "DocumentNumber", "DocumentLineNumber", "ItemNumber", "Quantity", "TransactionType", "LineNumber",
    ),
    "oracle_fusion.invoices.create": (
        "PurchaseOrderNumber", "PurchaseOrderLineNumber", "ItemNumber", "Description", "Quantity", "UnitPrice",
    ),
}  # fmt: skip
"""The keys of a create tool's lines, which its schema leaves open."""
COLUMNS: Mapping[str, str] = {
    "OrderKey": "sales_orders.OrderNumber", "purchaseOrdersUniqID": "purchase_orders.OrderNumber",
    "PurchaseOrderNumber": "purchase_orders.OrderNumber", "DocumentNumber": "purchase_orders.OrderNumber",
    "PurchaseOrderLineNumber": "purchase_order_lines.LineNumber", "fileId": "drive_files.id", "id": "mail.id",
    "DocumentLineNumber": "purchase_order_lines.LineNumber", "channel": "channels.name", "query": "mail.subject",
    "purchaseRequisitionsUniqID": "sequences.name", "invoicesUniqID": "invoices.InvoiceNumber",
    "ProductNumber": "items.ItemNumber", "source_refs": "drive_files.id", "OrderedUOM": "items.PrimaryUOMValue",
    "UOM": "items.PrimaryUOMValue", "UnitPrice": "items.ListPrice", "UnitListPrice": "items.ListPrice",
    "BusinessUnit": "organizations.name", "RequisitioningBU": "organizations.name", "employer": "organizations.name",
    "RequestedFulfillmentOrganizationCode": "organizations.code", "personNumber": "workers.PersonNumber",
    "BuyingPartyNumber": "accounts.AccountId", "CustomerAccountNumber": "accounts.AccountId",
    "ReferenceNumber": "receivables_invoices.TransactionNumber", "Currency": "meta.value",
    "InvoiceCurrency": "meta.value", "Supplier": "suppliers.Supplier", "VendorName": "suppliers.Supplier",
}  # fmt: skip
"""Where the world has the values of an argument that is no column of its own."""
LOOKUPS: Mapping[str, str] = {
    "TransactionType": "transaction_type", "SourceTransactionSystem": "source_system", "HoldName": "hold_name",
    "ReceiptMethod": "receipt_method", "ReferenceType": "reference_type", "ReceiptSourceCode": "receipt_source",
    "absenceType": "absence_type", "absenceStatusCd": "absence_status", "Status": "document_status", "JobCode": "job",
}  # fmt: skip
WORDS: Mapping[str, tuple[str, ...]] = {
    "review_status": ("draft_for_review",), "valueInputOption": ("RAW", "USER_ENTERED"), "ProcessAction": ("Validate",),
    "to": ("lee@company.example", "a@b.example, c@d.example"), "primary_record": ("NONE",),
    "range": ("Register!A1:H40", "Register", "Customers!A2", "Register!B:C", "Register!A41:B42", "Customers!H60"),
}  # fmt: skip
HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2.0, 0.00005, -0.0, 10**9, 10**15, 10**18, -(10**18), 2**63, 10**400, 1e308,
    float("nan"), float("inf"), "", " ", "\x00", "a\x00b", "\ud800", "\x1b[31m\x07\b", "a\r\nSet-Cookie: x",
    "\u202egnp.exe", "\u2066\u200f\u200b", "'; DROP TABLE items;--", "' OR '1'='1", "x' UNION SELECT value FROM meta--",
    "$(touch /tmp/x)", "`id`", "| cat /etc/passwd", "; reboot", "../../../../etc/passwd", "/seed/world.sqlite",
    "file:///etc/passwd", "..\\..\\x", "%00", "%2e%2e%2f", "{{7*7}}", "${jndi:ldap://x}", "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://x\")", "%s%n%x", "(" * 3000, ")" * 3000, '"', "'", '"' * 2001,
    "not " * 500, "OR " * 500, "-" * 3000, "a" * 5000, "é" * 40_000, "x" * 70_000, "9" * 400, "A1:" * 100,
    "Register!A0",
    "Register!A1:ZZZ999999", "2026-02-30", "2026-02-09T09:00:00Z", "9999-12-31", "0000-00-00",
    "\u0662\u0660\u0662\u0666",
    [], {}, [[]], [None], [{}], {"": ""}, {"__proto__": 1}, {"\ud800": 1}, ["x"] * 300, [[1] * 20] * 20,
)  # fmt: skip
OPERATORS = ("=", "!=", "<>", "<", "<=", ">", ">=", " like ", " is null", " IS NOT NULL", "==", " in ", "")
SEARCHES = (
    "from:{v}", "subject:({v})", '"{v}"', "-{v}", "{v} OR {v}", "after:2026/02/01 {v}", "in:#ops {v}", "is:unread",
    "name contains '{v}'", "fullText contains '{v}' and trashed = false", "not (mimeType = '{v}')", "id = '{v}' or",
    "modifiedTime > '{v}'", "isCurrentAuthority = {v}", "({v}", "name {v} 'x'",
)  # fmt: skip


class Pool:
    """Values that exist in a world, by the name of the argument that takes them, and those of another tenant's."""

    def __init__(self, task: Path, other: Path, plans: Iterable[Path]) -> None:
        """task and other are task directories of two tenants, plans the oracle plans of the first one's tasks."""
        self.ours = _columns(task / SEED)
        theirs = _columns(other / SEED)
        self.foreign = sorted({value for values in theirs.values() for value in values if _is_id(value)})
        view = json.loads(self.ours["contracts.view"][0])
        self.task = str(view["task_id"])
        self.options = {
            "decision": [option["id"] for option in view["decision_options"]],
            "status": [status["id"] for status in view["statuses"]],
        }
        self.answer_schema: dict[str, Any] = view["answer_schema"]
        self.fields = sorted({name.partition(".")[2] for name in self.ours if "." in name})
        self.made = [
            f"{prefix}{number + step}"
            for prefix, number in zip(self.ours["sequences.prefix"], self.ours["sequences.next"], strict=True)
            for step in range(2)
        ]  # fmt: skip
        self.made += [f"{kind}-{self.task}{end}" for kind in ("DRAFT", "POST") for end in ("", "-2")]
        self.right = self._right(plans)
        self._fields_of: dict[str, list[Any]] = defaultdict(list)
        for name, values in self.ours.items():
            self._fields_of[name.partition(".")[2]] += values

    def _right(self, plans: Iterable[Path]) -> dict[str, list[dict[str, Any]]]:
        """What right episodes call each tool with, as far as it goes without what earlier calls returned."""
        next_of = dict(zip(self.ours["sequences.name"], self.ours["sequences.next"], strict=True))
        kept = {"primary": f"REQ-NBR-{next_of['purchase_requisitions']}", "invoice": next_of["invoices"]}
        found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for path in plans:
            for call in OraclePlan.model_validate_json(path.read_text(encoding="utf-8")).calls:
                arguments = resolve(call.arguments, defaultdict(lambda: "DRAFT-erpbench-001", kept))
                found[call.tool].append({**arguments, "task_id": self.task} if "task_id" in arguments else arguments)
        for invoice in found["oracle_fusion.invoices.create"]:
            names = ("task_id", "BusinessUnit", "Supplier", "InvoiceNumber")
            validated = {"ProcessAction": "Validate", **{name: invoice[name] for name in names}}
            found["oracle_fusion.invoices.validate"].append(validated)
        return found

    def of(self, argument: str) -> list[Any]:
        """Values that fit the argument, as the world has them; of prices both their units and the number shown."""
        found: list[Any] = [*WORDS.get(argument, ()), *self.options.get(argument, ())]
        if argument in LOOKUPS:
            kinds = zip(self.ours["lookups.kind"], self.ours["lookups.code"], strict=True)
            found += [code for kind, code in kinds if kind == LOOKUPS[argument]]
        found += self.ours.get(COLUMNS.get(argument, ""), []) or self._fields_of.get(argument, [])
        if argument in ("id", "fileId", "purchaseRequisitionsUniqID", "OrderKey", "invoicesUniqID", "InvoiceId"):
            found += self.made
        if argument.endswith(("Price", "Amount", "Total", "Salary")):
            found = [value / 10_000 for value in found if isinstance(value, int)] + [12.5, 100]
        return found or ["x"]


def _columns(seed: Path) -> dict[str, list[Any]]:
    """The values of every column as table.column, in the order of the rows; of the lookups all, of others distinct."""
    db = sqlite3.connect(f"{seed.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    found: dict[str, list[Any]] = {}
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'trace' ORDER BY name"):
        rows = db.execute(f'SELECT * FROM "{table}"')
        names = [column[0] for column in rows.description]
        for name, values in zip(names, zip(*rows.fetchall(), strict=True), strict=False):
            kept = values if table in ("lookups", "sequences") else dict.fromkeys(values)
            found[f"{table}.{name}"] = [value for value in kept if value is not None]
    db.close()
    return found


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and "-" in value and " " not in value and len(value) < 40


TEXT = st.text(alphabet=st.characters(codec=None), max_size=20)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**19), 10**19) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
DEEP = st.integers(13, 60).map(lambda levels: json.loads("[" * levels + "]" * levels))
DAYS = st.dates().map(str) | st.sampled_from(["2026-02-09", "2026-02-10", "2026-03-01", "2026-06-30", "2025-01-01"])


@dataclass(frozen=True)
class Drawn:
    """A call to make. It prints itself in short: arguments may be deeper than Python prints."""

    server: str | None
    tool: str
    arguments: Any

    def __repr__(self) -> str:
        return f"{self.server} {self.tool[:80]!r} {shown(self.arguments)}"


class Calls:
    """Strategies of calls over a catalog and a pool."""

    def __init__(self, catalog: Catalog, pool: Pool) -> None:
        self.catalog = catalog
        self.pool = pool
        self.strange = st.sampled_from(HOSTILE) | JSON | DEEP | st.sampled_from(pool.foreign)

    def any(self) -> st.SearchStrategy[Drawn]:
        """A call of one of the 52 tools, now and then under a strange name or on another server."""
        usual = st.sampled_from(self.catalog.tools).flatmap(self.of)
        servers = st.sampled_from([*SERVERS, "", "nope"])
        strange = st.builds(Drawn, servers, TEXT | st.sampled_from(["items_list", "../x"]), self.strange)
        return st.integers(0, 29).flatmap(lambda draw: usual if draw else strange)

    def of(self, tool: ToolSpec) -> st.SearchStrategy[Drawn]:
        """A call of this tool, as a right episode has it or with its properties drawn; then perhaps one of them is
        drawn again, spoilt, or left out, or there is one too many."""
        properties = tool.input_schema["properties"]
        required = {name: self._value(tool, name, properties[name]) for name in tool.input_schema["required"]}
        optional = {name: self._value(tool, name, properties[name]) for name in properties if name not in required}
        whole = st.fixed_dictionaries(required, optional=optional)
        names = st.sampled_from([*properties, "extra", "__class__", "Task_ID"])
        if tool.name in self.pool.right:
            right = st.sampled_from(self.pool.right[tool.name])
            other = st.one_of([st.fixed_dictionaries({name: value}) for name, value in (required | optional).items()])
            whole = st.one_of(right, right, st.builds(dict.__or__, right, other), whole)
        spoilt = st.builds(lambda given, name, value: {**given, name: value}, whole, names, self.strange)
        short = st.builds(lambda given, out: {k: v for k, v in given.items() if k != out}, whole, names)
        arguments = st.one_of(whole, whole, whole, spoilt, spoilt, short)
        form = st.sampled_from([tool.name, tool.underscored])
        return st.builds(Drawn, st.just(tool.server), form, arguments)

    def _value(self, tool: ToolSpec, name: str, schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
        """Half from the world where it has any such values, else by the type alone."""
        if name == "task_id":
            return st.one_of(*[st.just(self.pool.task)] * 9, st.sampled_from(["erpbench-002", "erpbench-011", ""]))
        if name == "q" or name == "query":
            return self._query(tool)
        if name == "answers":
            return self._answers() | JSON
        kind = schema.get("type")
        if kind == "array":
            return self._array(tool, name)
        known = st.sampled_from(self.pool.of(name))
        if name.endswith(("Date", "date")):
            known = known | DAYS
        return known | known | _typed(kind)

    def _array(self, tool: ToolSpec, name: str) -> st.SearchStrategy[Any]:
        if tool.name in LINES and name != "source_refs":
            keys = {key: self._value(tool, key, {"type": _guess(key)}) for key in LINES[tool.name]}
            line: st.SearchStrategy[Any] = st.fixed_dictionaries(keys)
            extra = st.builds(lambda given, value: {**given, "LineNumber": value}, line, self.strange)
            return st.lists(st.one_of(line, line, line, extra, self.strange), min_size=1, max_size=3)
        if name == "values":
            return st.lists(st.lists(JSON | st.sampled_from(self.pool.of("ItemNumber")), max_size=4), max_size=4)
        return st.lists(st.sampled_from(self.pool.of(name)) | st.sampled_from(self.pool.foreign), max_size=3)

    def _query(self, tool: ToolSpec) -> st.SearchStrategy[str]:
        value = st.sampled_from([*self.pool.of("ItemNumber"), *self.pool.foreign, *HOSTILE]).map(str)
        if tool.server != "oracle_fusion":
            return st.builds(lambda form, v: form.replace("{v}", v), st.sampled_from(SEARCHES), value) | TEXT
        quoted = value.map(lambda text: f"'{text}'") | value | st.integers().map(str) | DAYS
        condition = st.builds(str.__add__, st.sampled_from(self.pool.fields), st.sampled_from(OPERATORS))
        clause = st.builds(str.__add__, condition, quoted)
        joined = st.lists(clause, max_size=3).map(" and ".join) | st.lists(clause, max_size=50).map(";".join)
        return joined | joined | TEXT

    def _answers(self) -> st.SearchStrategy[Any]:
        parts = self.pool.answer_schema["properties"]
        return st.fixed_dictionaries({
            name: st.sampled_from(self.pool.of(name)) | _typed(part.get("type")) for name, part in parts.items()
        })  # fmt: skip


def _guess(key: str) -> str:
    if key.endswith(("Quantity", "LineNumber")):
        return "integer"
    return "number" if key.endswith(("Price", "Amount")) else "string"


def _typed(kind: Any) -> st.SearchStrategy[Any]:
    """A value of the schema's type: near zero, at the edges, and anything."""
    if kind == "integer":
        return st.integers(-2, 300) | st.integers() | st.sampled_from([0, 10**9, 10**18, 2.0])
    if kind == "number":
        return st.integers(-2, 300) | st.floats() | st.decimals(0, 10**6, places=2).map(float)
    if kind == "boolean":
        return st.booleans()
    texts = [value for value in HOSTILE if isinstance(value, str)]
    return TEXT | st.sampled_from(texts)
