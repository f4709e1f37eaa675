"""The audit's tables: how an office's forms are read off its files; what becomes of documents, mail and the world."""

import ast
import datetime as dt
import shutil
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.audit.documents import Reader, mail_rows
from generator.audit.load import Evidence, load
from generator.audit.macros import macros
from generator.audit.office import date_form, read_style
from generator.audit.run import audit_tasks, compare
from generator.audit.world import read_world
from generator.evidence.model import Column, Style
from generator.evidence.values import read_date, show_date, show_number
from generator.spec.errors import EvidenceError

ROOT = Path(__file__).parents[1]


def reading(style: Style) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute("CREATE TABLE line (doc VARCHAR, n INTEGER, text VARCHAR)")
    connection.execute("CREATE TABLE source (subject VARCHAR, doc VARCHAR, standing VARCHAR)")
    connection.execute("CREATE TABLE memo (n INTEGER, phrase VARCHAR)")
    for macro in macros(style):
        connection.execute(macro)
    return connection


@pytest.fixture(scope="module")
def evidence(rendered: Path) -> Evidence:
    return load(rendered / "erpbench-011", Reader())


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["paid 17.03.2026", "from 01.01.2026"], "%d.%m.%Y"),
        (["02/08/2026 and 01/26/2026"], "%m/%d/%Y"),
        (["13/05/2026 and 02/08/2026"], "%d/%m/%Y"),
        (["5/03/2026 and 15/04/2026"], "%-d/%m/%Y"),
        (["due 10 Jun 2026"], "%d %b %Y"),
        (["2026-02-09", "order 12 of 40"], "%Y-%m-%d"),
    ],
)
def test_the_date_form_is_the_one_that_reads_every_date(texts: list[str], form: str) -> None:
    assert date_form(texts) == form


def test_dates_that_two_forms_read_differently_are_an_error() -> None:
    with pytest.raises(EvidenceError, match=r"dates such as '02/08/2026': expected one form"):
        date_form(["02/08/2026 and 03/04/2026"])


@given(
    form=st.sampled_from(["%d.%m.%Y", "%d-%m-%Y", "%d/%m/%Y", "%-d/%m/%Y", "%m/%d/%Y", "%d %b %Y", "%-d %B %Y"]),
    days=st.lists(st.dates(dt.date(2024, 1, 1), dt.date(2027, 12, 31)), min_size=1, max_size=8),
)
def test_dates_read_back_in_the_form_that_was_found(form: str, days: list[dt.date]) -> None:
    words = [show_date(day, form) for day in (*days, dt.date(2026, 1, 25))]
    found = date_form([f"on {word}, in writing" for word in words])
    assert [read_date(word, found) for word in words] == [*days, dt.date(2026, 1, 25)]


def test_delimiter_and_decimal_comma_come_from_the_files() -> None:
    style = read_style(["item;price\nA;34,90\n"], ["PLN 9.610,00 on 17.03.2026, 2,5 % or 1.200"])
    assert style == Style(dates="%d.%m.%Y", decimal_comma=True, csv_delimiter=";")
    style = read_style(["item,price\nA,34.90\n"], ["USD 9,610.00 on 01/26/2026"])
    assert style == Style(dates="%m/%d/%Y", decimal_comma=False, csv_delimiter=",")


def test_macros_read_prose_as_the_office_writes_it() -> None:
    connection = reading(Style(dates="%d.%m.%Y", decimal_comma=True, csv_delimiter=";"))
    row = connection.execute(
        "SELECT num('at most PLN 89.000,00. A larger'), num('2,5 %'), dot('1.237'), num('none'),"
        " day('closed on 24.03.2026)'), days('from 2026-01-01 to 31.12.2026'), cents(0.125), cents(-0.125)"
    ).fetchone()
    assert row == (
        Decimal(89000),
        Decimal("2.5"),
        Decimal("1.237"),
        None,
        dt.date(2026, 3, 24),
        [dt.date(2026, 1, 1), dt.date(2026, 12, 31)],
        Decimal("0.13"),
        Decimal("-0.13"),
    )


@given(amount=st.decimals(0, 9_999_999, places=2), comma=st.booleans())
def test_an_amount_in_a_sentence_reads_back(amount: Decimal, comma: bool) -> None:
    style = Style(decimal_comma=comma)
    shown = show_number(amount, Column("", "money"), style, "page")
    row = reading(style).execute("SELECT num(?)", [f"of at most EUR {shown}, no more"]).fetchone()
    assert row == (amount,)


def test_the_memo_goes_before_the_map_and_the_map_where_the_memo_is_silent() -> None:
    connection = reading(Style())
    connection.execute(
        "INSERT INTO source VALUES ('remittance', 'MSG-X-REMITTANCE-0316', 'in_force'),"
        " ('remittance', 'FILE-X-REMITTANCE-0317', 'not_in_force'), ('reorder', 'FILE-X-REORDER-R9', 'not_in_force'),"
        " ('reorder', 'FILE-X-REORDER-R10', 'in_force'), ('policy', 'FILE-X-POLICY', 'in_force')"
    )
    connection.execute("INSERT INTO memo VALUES (1, '2026-03-17 remittance advice'), (2, 'reorder policy R9')")
    row = connection.execute(
        "SELECT named('remittance', 'remittance advice'), named('reorder', 'reorder policy'), named('policy', 'policy')"
    ).fetchone()
    assert row == ("FILE-X-REMITTANCE-0317", "FILE-X-REORDER-R9", "FILE-X-POLICY")


def test_a_mail_becomes_lines_and_tables() -> None:
    rows = mail_rows(
        "MSG-1", "Prices as told:\n\nLine | Item | New price\n1 | A-1 | 0.471\n2 | B-2 | 49.59\n\n1. Enter them."
    )
    assert [(line["n"], line["text"]) for line in rows.line] == [(1, "Prices as told:"), (7, "Enter them.")]
    assert [(row["name"], row["r"], row["texts"], row["nums"]) for row in rows.grid] == [
        ("Prices as told:", 1, {"Line": "1", "Item": "A-1", "New price": "0.471"}, {"Line": "1", "New price": "0.471"}),
        ("Prices as told:", 2, {"Line": "2", "Item": "B-2", "New price": "49.59"}, {"Line": "2", "New price": "49.59"}),
    ]


def test_the_world_has_money_as_decimals_and_dates_as_dates(evidence: Evidence) -> None:
    row = evidence.connection.execute(
        "SELECT i.ListPrice, i.PriceEffectiveDate, o.CreationDate FROM items i, sales_orders o"
        " WHERE i.ItemNumber = 'FOR-CHL-800' AND i.OrganizationCode = 'ZIA1' AND o.OrderNumber = 'SO-ZIA-40250'"
    ).fetchone()
    assert row == (Decimal("34.9000"), dt.date(2026, 1, 1), dt.datetime(2026, 3, 12, 12, 33))


def test_what_the_episode_will_write_is_no_evidence(rendered: Path) -> None:
    names = {table.name for table in read_world(rendered / "erpbench-011" / "environment" / "seed" / "world.sqlite")}
    assert names.isdisjoint({"trace", "decisions", "submissions", "drafts", "posts", "sequences"})
    assert {"mail", "items", "receivables_invoices", "slack_messages"} <= names


def test_files_in_the_office_s_form_come_as_values(evidence: Evidence) -> None:
    rows = evidence.connection.execute(
        "SELECT texts['item'], nums['list_price'], days['effective_from'] FROM grid"
        " WHERE doc = 'FILE-ZIA-PRICE-LIST-2026H1' AND r = 1"
    ).fetchall()
    assert rows == [("FOR-CHL-800", Decimal("34.900000"), dt.date(2026, 1, 1))]
    pairs = evidence.connection.execute(
        "SELECT day(value) FROM pair WHERE doc = 'FILE-ZIA-CREDIT-POLICY-R8' AND label = 'In force from'"
    ).fetchall()
    assert pairs == [(dt.date(2026, 1, 1),)]


def test_a_missing_file_is_an_error_that_names_the_task(rendered: Path, tmp_path: Path) -> None:
    task = tmp_path / "erpbench-011"
    shutil.copytree(rendered / "erpbench-011", task)
    (task / "environment" / "seed" / "files" / "05-pick-confirmation.csv").unlink()
    with pytest.raises(EvidenceError, match=r"erpbench-011: .*05-pick-confirmation.csv: expected a native file"):
        load(task, Reader())
    with pytest.raises(EvidenceError, match=r"expected a rendered task"):
        load(tmp_path, Reader())


def test_tables_of_the_task_before_are_gone(rendered: Path) -> None:
    one, other, again = audit_tasks([rendered / name for name in ("erpbench-001", "erpbench-011", "erpbench-001")])
    assert (one.task_id, other.task_id, again.derived) == ("erpbench-001", "erpbench-011", one.derived)
    assert one.derived != other.derived


def test_a_field_that_only_one_side_has_is_a_difference() -> None:
    checks = {"lines_held": {"type": "integer", "value": 2}, "decision": {"type": "string", "value": "hold"}}
    assert compare({"lines_held": Decimal(2), "status": "held"}, checks) == [
        "status: the audit has it, the contract does not",
        "decision: the contract has it, the audit does not",
    ]
    assert compare({"lines_held": None, "decision": "hold"}, checks) == ["lines_held: expected 2, derived nothing"]


@pytest.mark.parametrize("path", sorted((ROOT / "generator" / "audit").glob("*.py")), ids=lambda path: path.name)
def test_the_audit_knows_nothing_of_families_tenants_and_tasks(path: Path) -> None:
    found = {
        node.module
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("generator.")
    }
    assert {name.split(".")[1] for name in found} <= {"audit", "evidence", "spec"}
