"""The audit of the families of people, shop orders and prices: it agrees with the release, and one change breaks it.

Each change is made in one place of a copy of a rendered task; what the SQL then comes to is worked out by hand.
"""

import datetime as dt
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.audit.documents import Reader
from generator.audit.load import load
from generator.audit.run import AuditResult, audit_sql, audit_tasks, derive
from tests.audit_fixture import Change, in_mail, in_rules, in_text, in_workbook, in_world

FAMILIES = (
    "document_compliance",
    "shift_rollup",
    "channel_order_sync",
    "hire_against_headcount",
    "price_batch",
)
CHECKLIST, ALERTS = "14-compliance-checklist.xlsx", "15-document-alert-log.csv"
ROSTER, REPORTS = "16-shift-roster.xlsx", "17-shift-work-reports.csv"
EXPORT, REGISTER, WAGES = "18-channel-export.json", "21-candidate-register.xlsx", "22-wage-table.csv"
BATCH = "23-price-batch.csv"


@pytest.fixture(scope="module")
def results(rendered: Path) -> dict[str, list[AuditResult]]:
    """The release's fifty tasks by family, audited tenant by tenant, whose files are then parsed once."""
    names = [f"erpbench-{tenant + place:03d}" for tenant in range(0, 100, 10) for place in range(6, 11)]
    found: dict[str, list[AuditResult]] = {}
    for result in audit_tasks([rendered / name for name in names]):
        found.setdefault(result.family, []).append(result)
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_the_ten_tasks_of_a_family_agree(results: dict[str, list[AuditResult]], family: str) -> None:
    assert [(result.task_id, result.differences) for result in results[family] if not result.agreed] == []
    assert len(results[family]) == 10


@pytest.mark.parametrize(
    ("task", "change", "differences"),
    [
        # Compliance. A work permit runs out on the ninetieth day; it has had no alert.
        (
            "erpbench-006",
            in_workbook(CHECKLIST, "Windows", "B2", 90, 89),
            ["expiring_in_window: expected 7, derived 6", "unalerted_expiring: expected 5, derived 4"],
        ),
        # The log's alert of 2024 as if it were for this expiry.
        (
            "erpbench-006",
            in_text(ALERTS, "Forklift licence,03/11/2024", "Forklift licence,03/11/2026"),
            ["unalerted_expiring: expected 5, derived 4"],
        ),
        # No renewal of FA-7712: it expires on the 23rd day of 30 and has had no alert.
        (
            "erpbench-006",
            in_world("DELETE FROM mail WHERE id = 'MSG-NBR-RENEWAL-FA-7712'"),
            ["expiring_in_window: expected 7, derived 8", "unalerted_expiring: expected 5, derived 6"],
        ),
        (
            "erpbench-006",
            in_rules(CHECKLIST, "Released by Ruth Delgado on 02/09/2026.", "Not released yet by Ruth Delgado."),
            [
                "decision: expected alert_verify_and_recommend_block, derived stop_refer_to_hr",
                "status: expected alerts_recorded_block_recommended, derived not_updated",
            ],
        ),
        # Shift. Nine have reported.
        (
            "erpbench-007",
            in_rules(ROSTER, "When fewer than 9 persons", "When fewer than 10 persons"),
            [
                "decision: expected record_absences, derived record_absences_and_escalate_cover",
                "status: expected absences_recorded, derived absences_recorded_escalated",
            ],
        ),
        # Two minutes within the grace of ten.
        (
            "erpbench-007",
            in_text(REPORTS, "WR-5622,02/08/2026 15:15", "WR-5622,02/08/2026 15:08"),
            ["late_reports: expected 4, derived 3"],
        ),
        # The only report of a person, 61 minutes after the end of the shift; eight are left, fewer than nine.
        (
            "erpbench-007",
            in_text(REPORTS, "WR-5632,02/09/2026 00:08", "WR-5632,02/09/2026 00:31"),
            [
                "reporting_staff: expected 9, derived 8",
                "late_reports: expected 4, derived 3",
                "missing_staff: expected 3, derived 4",
                "decision: expected record_absences, derived record_absences_and_escalate_cover",
                "status: expected absences_recorded, derived absences_recorded_escalated",
            ],
        ),
        # No swap: who came late in place of the other is not expected, and the other has not come.
        (
            "erpbench-007",
            in_world("UPDATE slack_messages SET user = 'Tom Okafor' WHERE text LIKE 'Confirmed for %'"),
            [
                "reporting_staff: expected 9, derived 8",
                "late_reports: expected 4, derived 3",
                "missing_staff: expected 3, derived 4",
                "decision: expected record_absences, derived record_absences_and_escalate_cover",
                "status: expected absences_recorded, derived absences_recorded_escalated",
            ],
        ),
        # Shop orders. The last row was placed at 00:20 local time of 2026-02-09: 6 at 18.90.
        (
            "erpbench-008",
            in_mail("TAKEOVER-RULES-E2", "placed after 2026-02-08 by", "placed after 2026-02-09 by"),
            ["orders_created: expected 4, derived 5", "synced_value: expected 1266.30, derived 1379.7"],
        ),
        # One more refunded at 18.90.
        (
            "erpbench-008",
            in_text(EXPORT, '"refunded_quantity": 5', '"refunded_quantity": 6'),
            ["synced_value: expected 1266.30, derived 1247.4"],
        ),
        # The order that was phoned in is cancelled: 250 at 0.87 are taken over.
        (
            "erpbench-008",
            in_world("UPDATE sales_orders SET StatusCode = 'Cancelled' WHERE OrderNumber = 'SO-NBR-40044'"),
            [
                "already_synced: expected 2, derived 1",
                "orders_created: expected 4, derived 5",
                "synced_value: expected 1266.30, derived 1483.8",
            ],
        ),
        # On the day of the change the connector no longer wrote the old number: 40 at 2.52.
        (
            "erpbench-008",
            in_world(
                "UPDATE sales_orders SET CreationDate = '2026-02-01T05:00:00Z' WHERE OrderNumber = 'SO-NBR-40041'"
            ),
            [
                "already_synced: expected 2, derived 1",
                "orders_created: expected 4, derived 5",
                "synced_value: expected 1266.30, derived 1367.1",
            ],
        ),
        (
            "erpbench-008",
            in_text(EXPORT, '"goods_total": "2426.40"', '"goods_total": "2427.40"'),
            [
                "decision: expected sync_and_hold_exceptions, derived stop_export_unreliable",
                "status: expected synced_with_exceptions, derived not_synced",
            ],
        ),
        # Hiring. One of the three is paid in grade Q1.
        (
            "erpbench-009",
            in_text(WAGES, "QA-INSP,Q1,03/01/2026,,3290.00", "QA-INSP,Q1,03/01/2026,,3390.00"),
            ["monthly_wage_total: expected 11005.00, derived 11105"],
        ),
        # A permit to the last day of the 18 months: scores 90, 88 and 84 are hired (Q2, Q3, Q2), nobody is referred.
        (
            "erpbench-009",
            in_workbook(REGISTER, "Candidates", "M4", dt.datetime(2027, 1, 31), dt.datetime(2027, 9, 1)),
            [
                "eligible_candidates: expected 5, derived 6",
                "monthly_wage_total: expected 11005.00, derived 11380",
                "contract_months: expected 54, derived 60",
                "decision: expected hire_clear_and_refer_exceptions, derived hire_to_headcount",
                "status: expected hired_with_referrals, derived hired",
            ],
        ),
        # A day less, and nothing changes.
        (
            "erpbench-009",
            in_workbook(REGISTER, "Candidates", "M4", dt.datetime(2027, 1, 31), dt.datetime(2027, 8, 31)),
            [],
        ),
        # The last working day is the hire date: two seats, Q3 and Q2.
        (
            "erpbench-009",
            in_world("UPDATE workers SET LastWorkingDate = '2026-03-02' WHERE PersonNumber = 'P-NBR-3103'"),
            [
                "open_headcount: expected 3, derived 2",
                "hires: expected 3, derived 2",
                "monthly_wage_total: expected 11005.00, derived 7715",
                "contract_months: expected 54, derived 42",
            ],
        ),
        # The one with 91 points has not started: Q3, Q3 and Q2.
        (
            "erpbench-009",
            in_world("DELETE FROM mail WHERE id = 'MSG-NBR-START-118'"),
            [
                "eligible_candidates: expected 5, derived 6",
                "monthly_wage_total: expected 11005.00, derived 11765",
                "contract_months: expected 54, derived 66",
            ],
        ),
        # Prices. 1.38 on 1.32 is 4.5455 %, within 5 %: a fifth line beside 6.8421, 11.0204, 4.7619 and 5.4187.
        (
            "erpbench-010",
            in_text(BATCH, "FST-M10-60,EA,1.41", "FST-M10-60,EA,1.38"),
            [
                "accepted_lines: expected 4, derived 5",
                "rejected_lines: expected 6, derived 5",
                "average_change_pct: expected 7.01, derived 6.52",
            ],
        ),
        # 0.203 on 0.19 is 6.8421 %: out, and so is 0.214, which then stands against 0.19 as well.
        (
            "erpbench-010",
            in_mail("PRICING-POLICY-P3", "class B, 8 %", "class B, 6 %"),
            [
                "accepted_lines: expected 4, derived 2",
                "rejected_lines: expected 6, derived 8",
                "average_change_pct: expected 7.01, derived 7.89",
            ],
        ),
        # Line 10 stands: it supersedes line 5, and 2.60 on 2.45 is 6.1224 %.
        (
            "erpbench-010",
            in_world("DELETE FROM mail WHERE id = 'MSG-NBR-PRICE-CORRECTION-Q2'"),
            [
                "batch_lines: expected 11, derived 12",
                "superseded_lines: expected 1, derived 2",
                "average_change_pct: expected 7.01, derived 5.79",
            ],
        ),
        (
            "erpbench-010",
            in_mail("PRICE-RELEASE-Q2", "version 2. Versions", "version 1. Versions"),
            [
                "decision: expected apply_accepted_refer_exceptions, derived stop_batch_unapproved",
                "status: expected applied_with_referrals, derived not_applied",
            ],
        ),
        # Declined tasks without their obstacle: the release given, the objection taken back, the version on file
        # released (2.231 on 1.90 is outside its band and referred).
        (
            "erpbench-066",
            in_mail("CHECKLIST-RELEASE", "is not given yet.", "is given as of 2026-05-26."),
            [
                "decision: expected stop_refer_to_hr, derived alert_verify_and_recommend_block",
                "status: expected not_updated, derived alerts_recorded_block_recommended",
            ],
        ),
        (
            "erpbench-077",
            in_mail("ROSTER-OBJECTION", "The objection is open.", "The objection is taken back."),
            [
                "decision: expected stop_roster_unconfirmed, derived record_absences",
                "status: expected not_recorded, derived absences_recorded",
            ],
        ),
        (
            "erpbench-060",
            in_mail("PRICE-RELEASE-Q2", "version 1. Versions", "version 2. Versions"),
            [
                "decision: expected stop_batch_unapproved, derived apply_accepted_refer_exceptions",
                "status: expected not_applied, derived applied_with_referrals",
            ],
        ),
    ],
)
def test_a_changed_figure_makes_it_disagree(
    rendered: Path, tmp_path: Path, task: str, change: Change, differences: Sequence[str]
) -> None:
    folder = Path(shutil.copytree(rendered / task, tmp_path / task))
    change(folder)
    (result,) = audit_tasks([folder])
    assert result.differences == differences


@pytest.mark.parametrize(
    ("task", "named", "earlier"),
    [
        ("erpbench-006", "2026-02-09 compliance checklist", "2026-01-12 compliance checklist"),
        ("erpbench-007", "2026-02-08 roster", "2026-02-05 roster"),
        ("erpbench-008", "2026-02-09 channel export", "2026-02-08 channel export"),
    ],
)
def test_a_memo_that_names_the_earlier_document_makes_it_disagree(
    rendered: Path, tmp_path: Path, task: str, named: str, earlier: str
) -> None:
    folder = Path(shutil.copytree(rendered / task, tmp_path / task))
    in_mail("AUTHORITY-0209", named, earlier)(folder)
    (result,) = audit_tasks([folder])
    assert not result.agreed


@pytest.mark.parametrize(
    ("task", "statement", "decision"),
    [
        (
            "erpbench-009",
            "UPDATE pair SET value = 'not signed' WHERE label LIKE 'Marcus Lee,%'",
            "stop_headcount_unapproved",
        ),
        # The line was released to the day before the hire date.
        (
            "erpbench-099",
            "UPDATE grid SET days = MAP {'Released to': DATE '2026-03-02'} WHERE days['Released to'] = '2026-03-01'",
            "hire_to_headcount",
        ),
    ],
)
def test_signatures_and_release_dates_of_the_form_decide(
    rendered: Path, task: str, statement: str, decision: str
) -> None:
    evidence = load(rendered / task, Reader())
    assert evidence.connection.execute(statement).fetchone() == (1,)
    assert derive(evidence)["decision"] == decision


@pytest.mark.parametrize("family", FAMILIES)
def test_the_sql_reads_tables_only(family: str) -> None:
    text = audit_sql(family).lower()
    assert [word for word in ("read_", "attach", "copy ") if word in text] == []
