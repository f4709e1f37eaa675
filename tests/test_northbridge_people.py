"""Compliance and shift facts of Northbridge, and what they share with hiring and prices: records, files and mail agree.

The figures are worked out a second time here, from the rendered files and the world's rows; the expected ones by hand.
"""

import datetime as dt
import sqlite3
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.families.base import Family
from generator.families.correspondence import Sent, mail_table
from generator.families.document_compliance import FAMILY as COMPLIANCE
from generator.families.hire_against_headcount import FAMILY as HIRE
from generator.families.price_batch import FAMILY as PRICE
from generator.families.shift_rollup import FAMILY as SHIFT
from generator.families.shift_rollup.facts import Shift
from generator.families.staff import worker_named
from generator.spec.errors import SpecError
from generator.spec.source import Contradiction, Source
from generator.spec.tenant import Tenant, read_yaml
from tests.people_fixture import (
    FAMILIES,
    FOLDER,
    TODAY,
    Evidence,
    bars,
    changed,
    every_source,
    evidence_of,
    in_force_today,
    people_tenant,
    sheet,
)

SCHEMA = Path(__file__).parents[1] / "images" / "world" / "erpbench_world" / "schema.sql"


@pytest.fixture(scope="module")
def tenant() -> Tenant:
    return people_tenant()


# What all four have in common


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
def test_a_misspelt_fact_is_refused_with_its_name(family: Family, tmp_path: Path) -> None:
    path = tmp_path / "facts.yaml"
    path.write_text((FOLDER / f"{family.id}.yaml").read_text(encoding="utf-8") + "misspelt: 1\n", encoding="utf-8")
    with pytest.raises(SpecError, match="misspelt"):
        read_yaml(path, family.facts)


def test_the_files_are_the_nine_with_their_numbers(tenant: Tenant) -> None:
    files = [document for family in FAMILIES for document in family.documents(tenant, tenant.facts[family.id])]
    assert [(document.name, document.id) for document in files] == [
        ("14-compliance-checklist.xlsx", "FILE-NBR-COMPLIANCE-CHECKLIST-0209"),
        ("15-document-alert-log.csv", "FILE-NBR-DOCUMENT-ALERT-LOG"),
        ("16-shift-roster.xlsx", "FILE-NBR-SHIFT-ROSTER-0208"),
        ("17-shift-work-reports.csv", "FILE-NBR-SHIFT-WORK-REPORTS"),
        ("20-headcount-approval.pdf", "FILE-NBR-HEADCOUNT-APPROVAL-2026"),
        ("21-candidate-register.xlsx", "FILE-NBR-CANDIDATE-REGISTER"),
        ("22-wage-table.csv", "FILE-NBR-WAGE-TABLE"),
        ("23-price-batch.csv", "FILE-NBR-PRICE-BATCH-2026Q2"),
    ]
    assert {document.modified for document in files} == {dt.datetime(2026, 2, 9, 6, tzinfo=dt.UTC)}
    assert {(document.version, document.current) for document in files} == {(2, True)}


def test_every_row_fits_the_world_and_has_its_own_key(tenant: Tenant) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA.read_text(encoding="utf-8"))
    seen: set[tuple[Any, ...]] = set()
    for family in FAMILIES:
        for table, rows in family.records(tenant, tenant.facts[family.id]).items():
            columns = database.execute(f"SELECT name, [notnull], pk FROM pragma_table_info('{table}')").fetchall()
            for row in rows:
                assert set(row) <= {name for name, _, _ in columns}
                assert [name for name, notnull, _ in columns if notnull and row.get(name) is None] == []
                key = (table, *(row[name] for name, _, pk in columns if pk))
                assert key not in seen
                seen.add(key)
    assert len([key for key in seen if key[0] == "workers"]) == 19 + 22 + 12


def test_mail_is_by_people_of_the_office_before_the_request_and_files_under_its_own_id(tenant: Tenant) -> None:
    addresses = {person.email for person in tenant.profile.people}
    messages = [message for family in FAMILIES for message in family.mail(tenant, tenant.facts[family.id])]
    assert len({message.id for message in messages}) == len(messages) == 15
    for message in messages:
        assert message.sender in addresses
        assert message.recipient == "analyst@northbridge-sim.example"
        assert message.date < tenant.profile.as_of


def test_no_family_of_these_writes_to_the_operations_channel_or_the_audit_log(tenant: Tenant) -> None:
    for family in FAMILIES:
        facts = tenant.facts[family.id]
        assert family.log(tenant, facts) == ()
        assert {message.channel for message in family.chat(tenant, facts)} <= {"#people-nbr"}


def test_the_memo_names_four_of_their_documents_in_its_order(tenant: Tenant) -> None:
    assert [source.memo_name for source in every_source(tenant) if source.memo_name] == [
        "the 2026-02-09 compliance checklist",
        "the 2026-02-08 roster",
        "the 2026 headcount approval",
        "the Q2 price batch",
    ]


@pytest.mark.parametrize(
    ("subject", "id"),
    [
        ("compliance_checklist", "FILE-NBR-COMPLIANCE-CHECKLIST-0209"),
        ("document_alert_log", "FILE-NBR-DOCUMENT-ALERT-LOG"),
        ("shift_roster", "FILE-NBR-SHIFT-ROSTER-0208"),
        ("headcount_approval", "FILE-NBR-HEADCOUNT-APPROVAL-2026"),
        ("wage_table", "FILE-NBR-WAGE-TABLE"),
        ("price_batch", "FILE-NBR-PRICE-BATCH-2026Q2"),
        ("pricing_policy", "MSG-NBR-PRICING-POLICY-P3"),
    ],
)
def test_one_document_of_each_subject_is_in_force(tenant: Tenant, subject: str, id: str) -> None:
    found = in_force_today(tenant, subject)
    assert isinstance(found, Source)
    assert found.id == id


def test_a_superseded_document_came_round_again_after_the_one_in_force(tenant: Tenant) -> None:
    sent = {message.id: message for family in FAMILIES for message in family.mail(tenant, tenant.facts[family.id])}
    for family, issued in ((SHIFT, dt.date(2026, 2, 8)), (HIRE, dt.date(2026, 2, 2)), (PRICE, dt.date(2026, 2, 5))):
        facts = tenant.facts[family.id]
        original, copy = sent[facts.earlier_mail.source], sent[facts.forward.source]
        assert copy.date.date() >= issued > original.date.date()
        assert original.body.rsplit("\n\n", 1)[0] in copy.body
        assert copy.sender != original.sender


def test_the_job_that_is_hired_for_is_held_by_nobody_of_the_other_families(tenant: Tenant) -> None:
    hire = tenant.facts["hire_against_headcount"]
    seats = {(hire.job, hire.employer), (hire.decoy_job, hire.decoy_employer)}
    others = [*tenant.facts["document_compliance"].workers, *tenant.facts["shift_rollup"].workers]
    assert [worker.name for worker in others if (worker.job, worker.employer) in seats] == []


@given(st.lists(st.text("abc1 -", min_size=1), min_size=2, max_size=4), st.integers(0, 5))
def test_a_table_in_mail_has_a_line_a_row_and_its_cells_between_bars(header: list[str], count: int) -> None:
    lines = mail_table(header, [header] * count).split("\n")
    assert [line.split(" | ") for line in lines] == [header] * (count + 1)


# Document compliance


def compliance_figures(evidence: Evidence, employer: str) -> tuple[int, int, int, int, int]:
    """Expiring, unalerted, blocked, verified, days to the earliest, from files 14 and 15, renewals and the system."""
    windows = {row["Paper"]: row for row in sheet(evidence.files["14"], "Windows").records()}
    papers = sheet(evidence.files["14"], "Papers received").records()
    logged = {(row["record"], row["expiry_alerted"]) for row in evidence.files["15"].tables[0].records()}
    mailed = renewals(evidence)
    renewed = [r for r in evidence.rows["document_records"] if f"place of {r['DocumentNumber']}." in mailed]
    active = {
        row["PersonNumber"]: row["LastWorkingDate"] or dt.date.max
        for row in evidence.rows["workers"]
        if row["LegalEmployerName"] == employer and row["AssignmentStatus"] == "Active"
    }
    held = [row for row in evidence.rows["document_records"] if row["PersonNumber"] in active and row not in renewed]
    expiring = [
        row
        for row in held
        if not row["MandatoryCheckFlag"]
        and active[row["PersonNumber"]] >= row["ExpirationDate"]
        and 0 <= (row["ExpirationDate"] - TODAY).days <= windows[row["DocumentType"]]["Window in days"]
    ]
    verified, blocked = [], set()
    for row in held:
        if not row["MandatoryCheckFlag"]:
            if row["ExpirationDate"] < TODAY and windows[row["DocumentType"]]["Expired blocks"]:
                blocked.add(row["PersonNumber"])
        elif not row["VerifiedFlag"]:
            wanted = (row["DocumentType"], row["PersonNumber"])
            found = [paper for paper in papers if (paper["Check"], paper["Person number"]) == wanted]
            if any(not isinstance(paper["Valid until"], dt.date) or paper["Valid until"] >= TODAY for paper in found):
                verified.append(row)
            elif row["DocumentType"] == "Right-to-work check":
                blocked.add(row["PersonNumber"])
    owed = [row for row in expiring if (row["DocumentRecordId"], row["ExpirationDate"]) not in logged]
    earliest = min(row["ExpirationDate"] for row in expiring)
    return len(expiring), len(owed), len(blocked), len(verified), (earliest - TODAY).days


def renewals(evidence: Evidence) -> str:
    return "\n".join(body for id, body in evidence.mail.items() if "RENEWAL" in id)


def test_seven_papers_expire_five_alerts_are_owed_four_are_blocked_and_three_checks_verified(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, COMPLIANCE)
    assert compliance_figures(evidence, "Northbridge Fastener Works LLC") == (7, 5, 4, 3, 9)


def test_the_other_employer_has_other_figures(tenant: Tenant) -> None:
    assert compliance_figures(evidence_of(tenant, COMPLIANCE), "Northbridge Logistics LLC") == (3, 2, 1, 1, 5)


def test_the_checklist_lists_every_record_as_the_system_has_it(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, COMPLIANCE)
    listed = {row["Record"]: row for row in sheet(evidence.files["14"], "Checklist").records()}
    assert set(listed) == {row["DocumentRecordId"] for row in evidence.rows["document_records"]}
    for row in evidence.rows["document_records"]:
        entry = listed[row["DocumentRecordId"]]
        assert entry["Person number"] == row["PersonNumber"]
        assert entry["Legal employer"] == row["LegalEmployerName"]
        assert entry["Paper or check"] == row["DocumentType"]
        assert entry["Expires"] == row["ExpirationDate"]


def test_the_boundary_days_are_90_and_30_days_from_the_review(tenant: Tenant) -> None:
    facts = tenant.facts["document_compliance"]
    assert facts.document(1101).expires == TODAY + dt.timedelta(days=90) == dt.date(2026, 5, 10)
    assert facts.document(1102).expires == TODAY + dt.timedelta(days=30) == dt.date(2026, 3, 11)


def test_the_traps_of_the_review_stand_in_the_evidence(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, COMPLIANCE)
    facts = tenant.facts["document_compliance"]
    assert [alert.expiry for alert in facts.alerts if alert.record == 1102] == [dt.date(2024, 3, 11)]
    assert worker_named(facts.workers, "P-NBR-1130").last_day == dt.date(2026, 2, 20)
    assert "FA-8120, valid to 2028-03-04" in renewals(evidence)
    papers = sheet(evidence.files["14"], "Papers received").records()
    assert [row["Person number"] for row in papers if "Ortega" in str(row["Name on paper"])] == ["P-NBR-1212"]


def test_the_january_checklist_has_one_window_of_thirty_days(tenant: Tenant) -> None:
    windows = bars(evidence_of(tenant, COMPLIANCE).mail["MSG-NBR-CHECKLIST-0112"], "Paper | Window in days")
    assert {row[1] for row in windows} == {"30"}
    assert [row[0] for row in windows if row[2] == "yes"] == ["Work permit"]


def test_a_checklist_without_release_says_so_and_leaves_the_subject_open(tenant: Tenant) -> None:
    checklist = tenant.facts["document_compliance"].checklist.model_copy(update={"released": None})
    unreleased = changed(tenant, COMPLIANCE, checklist=checklist)
    rules = sheet(evidence_of(unreleased, COMPLIANCE).files["14"], "Rules").texts
    assert rules[0][1].endswith("Not released yet by Ruth Delgado.")
    assert isinstance(in_force_today(unreleased, "compliance_checklist"), Contradiction)


# Shift roll-up


def shift_figures(
    evidence: Evidence, places: Iterable[tuple[str, str]], code: str, swapped: dict[str, str], left: set[str]
) -> tuple[int, int, int, Decimal, list[str]]:
    """Expected, reporting, late, overtime hours and who is missing, from files 16 and 17."""
    shift = next(row for row in sheet(evidence.files["16"], "Shifts").records() if row["Shift code"] == code)
    start, end = shift["Starts"], shift["Ends"]
    assert isinstance(start, dt.datetime)
    assert isinstance(end, dt.datetime)
    expected = {swapped.get(person, person) for where, person in places if where == code} - left
    first: dict[str, dt.datetime] = {}
    worked: dict[str, int] = {}
    for report in evidence.files["17"].tables[0].records():
        filed, person = report["filed_local"], str(report["person_number"])
        assert isinstance(filed, dt.datetime)
        timely = start - dt.timedelta(minutes=60) <= filed <= end + dt.timedelta(minutes=60)
        if person in expected and report["shift"] == shift["Shift"] and timely:
            first.setdefault(person, filed)
            if isinstance(report["minutes_worked"], int):
                worked[person] = report["minutes_worked"]
    over = [minutes - 480 for minutes in worked.values() if minutes - 480 > 10]
    overtime = sum((Decimal(minutes // 15) / 4 for minutes in over), Decimal(0))
    late = [person for person, filed in first.items() if filed > start + dt.timedelta(minutes=10)]
    return len(expected), len(first), len(late), overtime, sorted(expected - set(first))


MARIN, DAHL = "P-NBR-2112", "P-NBR-2125"
SWAP = {MARIN: DAHL, DAHL: MARIN}
ON_LEAVE = {"P-NBR-2109", "P-NBR-2104", "P-NBR-2127"}


def roster_places(evidence: Evidence) -> list[tuple[str, str]]:
    return [(row[0], row[3]) for row in sheet(evidence.files["16"], "Roster").texts]


def test_twelve_are_expected_nine_report_four_are_late_and_three_are_missing(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, SHIFT)
    figures = shift_figures(evidence, roster_places(evidence), "SH-NBR-0208-C", SWAP, ON_LEAVE)
    assert figures == (12, 9, 4, Decimal("2.25"), ["P-NBR-2106", "P-NBR-2111", "P-NBR-2115"])


def test_version_1_expects_fields_instead_of_janssen(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, SHIFT)
    old = [(row[0], row[2]) for row in bars(evidence.mail["MSG-NBR-ROSTER-0205"], "Shift code | Line")]
    figures = shift_figures(evidence, old, "SH-NBR-0208-C", SWAP, ON_LEAVE)
    assert figures == (12, 8, 4, Decimal("2"), ["P-NBR-2106", "P-NBR-2111", "P-NBR-2114", "P-NBR-2115"])


def test_the_day_shift_has_other_figures(tenant: Tenant) -> None:
    evidence = evidence_of(tenant, SHIFT)
    figures = shift_figures(evidence, roster_places(evidence), "SH-NBR-0208-B", SWAP, ON_LEAVE)
    assert figures == (7, 6, 1, Decimal("0.5"), ["P-NBR-2124"])


def test_one_swap_is_confirmed_by_the_supervisor_and_one_only_proposed(tenant: Tenant) -> None:
    notes = SHIFT.chat(tenant, tenant.facts["shift_rollup"])
    said = [(note.author, note.at.isoformat()) for note in notes]
    assert said == [
        ("Lucia Marin", "2026-02-07T19:12:00+00:00"),
        ("Kyle Brandt", "2026-02-07T20:31:00+00:00"),
        ("Ken Abbott", "2026-02-08T10:40:00+00:00"),
        ("Ken Abbott", "2026-02-08T15:15:00+00:00"),
    ]
    assert "Lucia Marin (P-NBR-2112) and Sven Dahl (P-NBR-2125) change places" in notes[2].text
    assert "Leave for Dina Rossi (P-NBR-2104) on 2026-02-08 from 19:00 to 23:30 is approved" in notes[3].text


def test_leave_approved_in_chat_and_leave_only_asked_for_both_stand_open_on_the_sheet(tenant: Tenant) -> None:
    leave = sheet(evidence_of(tenant, SHIFT).files["16"], "Leave").records()
    assert [row["Name"] for row in leave if not row["Approved"]] == ["Faith Okoro", "Dina Rossi"]


def test_reports_were_filed_before_their_file_was(tenant: Tenant) -> None:
    facts = tenant.facts["shift_rollup"]
    zone = ZoneInfo(tenant.profile.timezone)
    latest = max(report.filed for report in facts.reports).replace(tzinfo=zone)
    assert latest < dt.datetime(2026, 2, 9, 6, tzinfo=dt.UTC)


def test_nobody_of_either_shift_has_an_absence_of_that_day_that_a_booking_could_run_into(tenant: Tenant) -> None:
    absences = SHIFT.records(tenant, tenant.facts["shift_rollup"])["absences"]
    day = dt.date(2026, 2, 8)
    assert len(absences) == 3
    assert [row["AbsenceId"] for row in absences if row["startDate"] <= day <= row["endDate"]] == []


def test_the_rules_of_the_roster_carry_their_numbers(tenant: Tenant) -> None:
    rules = " ".join(row[1] for row in sheet(evidence_of(tenant, SHIFT).files["16"], "Rules").texts)
    for words in (
        "60 minutes before that shift's start and 60 minutes after its end",
        "more than 10 minutes after the shift's start",
        "Up to and including 10 minutes over are nothing",
        "full 15 minutes",
        "type Unreported absence, status SUBMITTED",
        "fewer than 9 persons",
    ):
        assert words in rules


def test_an_objection_of_the_works_council_reaches_the_mailbox(tenant: Tenant) -> None:
    sent = Sent(source="MSG-NBR-OBJECTION", by="plant_manager", at=dt.datetime(2026, 2, 8, 14, tzinfo=dt.UTC))
    contested = evidence_of(changed(tenant, SHIFT, objection=sent), SHIFT)
    assert "objects to roster version 2. The objection is open." in contested.mail["MSG-NBR-OBJECTION"]
    rules = [row[1] for row in sheet(contested.files["16"], "Rules").texts]
    assert "While the works council's objection to a roster is open, no absence is booked from it." in rules


@given(st.datetimes(dt.datetime(2026, 1, 1), dt.datetime(2026, 12, 31)), st.integers(60, 720), st.integers(0, 59))
def test_paid_minutes_are_the_length_less_the_break(start: dt.datetime, length: int, unpaid: int) -> None:
    shift = Shift(code="X", letter="X", start=start, end=start + dt.timedelta(minutes=length), break_minutes=unpaid)
    assert shift.scheduled_minutes == length - unpaid
