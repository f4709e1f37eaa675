"""Workers, documents of record and absences."""

from pathlib import Path
from typing import Any

import pytest
from erpbench_world.dispatch import World
from world_fixture import TASK, digest, make_world, ok, refused, table

EMPLOYER = "Northbridge Fastener Works LLC"
WORKER: dict[str, Any] = {
    "PersonNumber": "P-1201",
    "DisplayName": "Renée Ortiz",
    "LegalEmployerName": EMPLOYER,
    "JobCode": "MACH-OP2",
    "HireDate": "2026-03-02",
    "ContractEndDate": "2026-08-31",
    "MonthlySalary": 3150.5,
    "CandidateId": "CAND-07",
}
ABSENCE: dict[str, Any] = {
    "personNumber": "P-1001",
    "absenceType": "Unreported absence",
    "startDate": "2026-02-07",
    "endDate": "2026-02-07",
    "employer": EMPLOYER,
    "absenceStatusCd": "SUBMITTED",
}


def _world(path: Path) -> World:
    worker = {
        "LegalEmployerName": EMPLOYER,
        "JobCode": "MACH-OP2",
        "AssignmentStatus": "Active",
        "HireDate": "2024-05-01",
    }
    record = {"PersonNumber": "P-1001", "DisplayName": "Ivan Petrov", "LegalEmployerName": EMPLOYER, "Status": "ACTIVE"}
    return make_world(
        path,
        {
            "workers": [
                {**worker, "PersonNumber": "P-1001", "DisplayName": "Ivan Petrov", "CandidateId": "CAND-01"},
                {**worker, "PersonNumber": "P-1002", "AssignmentStatus": "Inactive", "LastWorkingDate": "2026-01-31"},
            ],
            "document_records": [
                {**record, "DocumentRecordId": 501, "DocumentType": "Forklift licence", "ExpirationDate": "2026-02-28"},
                {**record, "DocumentRecordId": 502, "DocumentType": "Medical check", "MandatoryCheckFlag": 1},
                {**record, "DocumentRecordId": 503, "DocumentType": "Work permit", "PersonNumber": "P-1002"},
            ],
            "absences": [
                {
                    "AbsenceId": 71,
                    "personNumber": "P-1001",
                    "absenceType": "Approved leave",
                    "startDate": "2026-02-10",
                    "endDate": "2026-02-12",
                    "employer": EMPLOYER,
                    "absenceStatusCd": "APPROVED",
                }
            ],
        },
    )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return _world(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> World:
    """For calls that change nothing."""
    return _world(tmp_path_factory.mktemp("untouched"))


def _hire(world: World, **changes: Any) -> Any:
    return world.call("oracle_fusion.workers.create", {"task_id": TASK, **WORKER, **changes})


def _document(world: World, number: int, **changes: Any) -> Any:
    return world.call("oracle_fusion.document_records.update", {"task_id": TASK, "DocumentRecordId": number, **changes})


def _absence(world: World, **changes: Any) -> Any:
    return world.call("oracle_fusion.absences.create", {"task_id": TASK, **ABSENCE, **changes})


def _absences(world: World) -> list[dict[str, Any]]:
    return table(world, "absences")


def test_a_worker_is_hired_and_listed(world: World) -> None:
    worker = ok(_hire(world))
    assert worker == {**WORKER, "AssignmentStatus": "Active"}
    listed = ok(world.call("oracle_fusion.workers.list", {"q": "JobCode='MACH-OP2' and HireDate > 2026-01-01"}))
    assert listed == {"count": 1, "items": [worker]}
    assert table(world, "workers")[-1]["MonthlySalary"] == 31505000


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"PersonNumber": "P-1001"}, "refused", "PersonNumber: P-1001 is a worker's already"),
        ({"CandidateId": "CAND-01"}, "refused", "candidate CAND-01 has been hired as P-1001"),
        ({"LegalEmployerName": "Harbor LLC"}, "refused", 'LegalEmployerName: "Harbor LLC" is not of this tenant'),
        ({"LegalEmployerName": "NBR-LE"}, "refused", "is not of this tenant"),
        ({"JobCode": "CEO"}, "refused", "JobCode: expected one of MACH-OP2, WHS-ASSOC"),
        ({"ContractEndDate": "2026-03-01"}, "refused", "2026-03-01 lies before the hire date 2026-03-02"),
        ({"HireDate": "2026-01-15"}, "refused", "lies in hcm period 2026-01, which is closed"),
        ({"MonthlySalary": 0}, "refused", "MonthlySalary: an amount must be above zero"),
        ({"MonthlySalary": -10}, "refused", "came -10"),
        ({"HireDate": "2026-02-30"}, "invalid", "HireDate: expected an ISO date"),
        ({"DisplayName": ""}, "invalid", "DisplayName: expected text, came a blank"),
    ],
)
def test_a_wrong_hire_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_hire(untouched, **changes), outcome)
    assert digest(untouched) == before


def test_a_contract_of_one_day_is_a_contract(world: World) -> None:
    assert ok(_hire(world, ContractEndDate="2026-03-02"))["ContractEndDate"] == "2026-03-02"


def test_a_document_is_marked_alerted_and_listed(world: World) -> None:
    record = ok(_document(world, 501, Status="ALERTED"))
    assert record == {
        "DocumentRecordId": 501,
        "PersonNumber": "P-1001",
        "DisplayName": "Ivan Petrov",
        "LegalEmployerName": EMPLOYER,
        "DocumentType": "Forklift licence",
        "ExpirationDate": "2026-02-28",
        "MandatoryCheckFlag": False,
        "VerifiedFlag": False,
        "Status": "ALERTED",
        "LastUpdateDate": "2026-02-09T09:00:00Z",
    }
    listed = ok(world.call("oracle_fusion.document_records.list", {"q": "Status='ALERTED'"}))
    assert listed == {"count": 1, "items": [record]}


def test_a_mandatory_check_is_verified_and_its_status_may_change_with_it(world: World) -> None:
    record = ok(_document(world, 502, VerifiedFlag=True, Status="VERIFIED"))
    assert (record["VerifiedFlag"], record["Status"]) == (True, "VERIFIED")


def test_the_record_of_a_worker_who_has_left_can_be_changed(world: World) -> None:
    assert ok(_document(world, 503, Status="ALERTED"))["PersonNumber"] == "P-1002"


@pytest.mark.parametrize(
    ("number", "changes", "outcome", "part"),
    [
        (999, {"Status": "ALERTED"}, "refused", "DocumentRecordId: no document record 999 in this tenant"),
        (501, {"Status": "LOST"}, "refused", "Status: expected one of ACTIVE, ALERTED"),
        (501, {"VerifiedFlag": True}, "refused", "record 501 is a Forklift licence, not a mandatory check"),
        (501, {"Status": "ACTIVE"}, "refused", "record 501 holds these values already"),
        (502, {"VerifiedFlag": False, "Status": "ACTIVE"}, "refused", "record 502 holds these values already"),
        (501, {}, "invalid", "expected Status, VerifiedFlag or both"),
        (501, {"Status": " "}, "invalid", "Status: expected text, came a blank"),
    ],
)
def test_a_wrong_document_change_says_why_and_changes_nothing(
    untouched: World, number: int, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_document(untouched, number, **changes), outcome)
    assert digest(untouched) == before


def test_an_absence_is_recorded_and_listed(world: World) -> None:
    absence = ok(_absence(world))
    assert absence == {
        "AbsenceId": 77001,
        **ABSENCE,
        "creationDate": "2026-02-09T09:00:00Z",
        "createdBy": "analyst",
    }
    listed = ok(world.call("oracle_fusion.absences.list", {"q": "startDate = '2026-02-07'"}))
    assert listed == {"count": 1, "items": [absence]}
    assert table(world, "trace")[0]["wrote"].replace(" ", "") == '[["absences","77001"]]'


@pytest.mark.parametrize(
    ("absence_type", "start", "end"),
    [
        ("Unreported absence", "2026-02-11", "2026-02-11"),
        ("Unreported absence", "2026-02-10", "2026-02-12"),
        ("Approved leave", "2026-02-10", "2026-02-11"),
        ("Approved leave", "2026-02-11", "2026-02-12"),
        ("Approved leave", "2026-02-09", "2026-02-12"),
        ("Approved leave", "2026-02-10", "2026-02-13"),
    ],
)
def test_an_absence_may_overlap_another(world: World, absence_type: str, start: str, end: str) -> None:
    ok(_absence(world, absenceType=absence_type, startDate=start, endDate=end))
    stored = [(row["AbsenceId"], row["absenceType"], row["startDate"], row["endDate"]) for row in _absences(world)]
    assert stored == [(71, "Approved leave", "2026-02-10", "2026-02-12"), (77001, absence_type, start, end)]


@pytest.mark.parametrize("status", ["APPROVED", "SUBMITTED"])
def test_an_exact_repeat_of_an_absence_is_refused_whatever_its_status(world: World, status: str) -> None:
    before = digest(world)
    repeat = {"absenceType": "Approved leave", "startDate": "2026-02-10", "endDate": "2026-02-12"}
    assert refused(_absence(world, **repeat, absenceStatusCd=status)) == (
        "startDate: Approved leave of P-1001 from 2026-02-10 to 2026-02-12 is recorded already (AbsenceId 71)"
    )
    assert digest(world) == before


def test_the_same_days_of_somebody_else_are_no_repeat(world: World) -> None:
    same = {"absenceType": "Approved leave", "startDate": "2026-02-10", "endDate": "2026-02-12"}
    assert ok(_absence(world, **same, personNumber="P-1002"))["AbsenceId"] == 77001


@pytest.mark.parametrize(
    ("changes", "outcome", "part"),
    [
        ({"personNumber": "P-9"}, "refused", "personNumber: no worker P-9 in this tenant"),
        ({"employer": "Harbor LLC"}, "refused", 'employer: "Harbor LLC" is not of this tenant'),
        ({"employer": "Northbridge Logistics LLC"}, "refused", f"P-1001 works for {EMPLOYER}"),
        ({"absenceType": "Holiday"}, "refused", "absenceType: expected one of Approved leave, Unreported absence"),
        ({"absenceStatusCd": "MAYBE"}, "refused", "absenceStatusCd: expected one of APPROVED, SUBMITTED"),
        ({"endDate": "2026-02-06"}, "refused", "endDate: 2026-02-06 lies before the start 2026-02-07"),
        ({"startDate": "2026-01-31"}, "refused", "lies in hcm period 2026-01, which is closed"),
        ({"startDate": "2026-2-7"}, "invalid", "startDate: expected an ISO date"),
    ],
)
def test_a_wrong_absence_says_why_and_changes_nothing(
    untouched: World, changes: dict[str, Any], outcome: str, part: str
) -> None:
    before = digest(untouched)
    assert part in refused(_absence(untouched, **changes), outcome)
    assert digest(untouched) == before
