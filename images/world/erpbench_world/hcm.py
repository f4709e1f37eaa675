"""Human capital management: workers, their documents of record, and absences."""

from typing import Any

from erpbench_world import rules
from erpbench_world.call import Call, Row
from erpbench_world.errors import InvalidArguments, Refused
from erpbench_world.fields import amount, record_id, text
from erpbench_world.registry import tool
from erpbench_world.resources import Resource, collection

WORKERS = Resource(
    "workers",
    {
        "PersonNumber": "text",
        "DisplayName": "text",
        "LegalEmployerName": "text",
        "JobCode": "text",
        "AssignmentStatus": "text",
        "HireDate": "date",
        "ContractEndDate": "date",
        "LastWorkingDate": "date",
        "MonthlySalary": "money",
        "CandidateId": "text",
    },
)
DOCUMENTS = Resource(
    "document_records",
    {
        "DocumentRecordId": "integer",
        "PersonNumber": "text",
        "DisplayName": "text",
        "LegalEmployerName": "text",
        "DocumentType": "text",
        "DocumentNumber": "text",
        "IssueDate": "date",
        "ExpirationDate": "date",
        "MandatoryCheckFlag": "flag",
        "VerifiedFlag": "flag",
        "Status": "text",
        "LastUpdateDate": "date",
    },
)
ABSENCES = Resource(
    "absences",
    {
        "AbsenceId": "integer",
        "personNumber": "text",
        "absenceType": "text",
        "startDate": "date",
        "endDate": "date",
        "employer": "text",
        "absenceStatusCd": "text",
        "creationDate": "date",
        "createdBy": "text",
    },
)


@tool("oracle_fusion.workers.list")
def list_workers(call: Call, arguments: dict[str, Any]) -> Row:
    """Workers by person number, those who have left included."""
    return collection([WORKERS.present(row) for row in WORKERS.read(call, arguments.get("q"))])


@tool("oracle_fusion.workers.create")
def hire_worker(call: Call, arguments: dict[str, Any]) -> Row:
    """Hire one candidate under a contract with an end; the assignment is Active."""
    texts = ("PersonNumber", "DisplayName", "LegalEmployerName", "JobCode", "CandidateId")
    row: Row = {name: text(arguments[name], name) for name in texts}
    row |= {
        "AssignmentStatus": "Active",
        "HireDate": rules.iso_date(arguments["HireDate"], "HireDate"),
        "ContractEndDate": rules.iso_date(arguments["ContractEndDate"], "ContractEndDate"),
        "LastWorkingDate": None,
        "MonthlySalary": amount(arguments["MonthlySalary"], "MonthlySalary"),
    }
    if call.row("SELECT 1 FROM workers WHERE PersonNumber = ?", (row["PersonNumber"],)):
        raise Refused(f"PersonNumber: {row['PersonNumber']} is a worker's already", "PersonNumber")
    hired = call.row("SELECT PersonNumber FROM workers WHERE CandidateId = ?", (row["CandidateId"],))
    if hired is not None:
        raise Refused(
            f"CandidateId: candidate {row['CandidateId']} has been hired as {hired['PersonNumber']}", "CandidateId"
        )
    rules.organization(call, "employer", row["LegalEmployerName"], "LegalEmployerName", column="name")
    rules.known(call, "job", row["JobCode"], "JobCode")
    if row["HireDate"] > row["ContractEndDate"]:
        raise Refused(
            f"ContractEndDate: {row['ContractEndDate']} lies before the hire date {row['HireDate']}", "ContractEndDate"
        )
    rules.open_period(call, "hcm", row["HireDate"], "HireDate")
    call.insert("workers", row)
    return WORKERS.present(call.show("workers", [row])[0])


@tool("oracle_fusion.document_records.list")
def list_documents(call: Call, arguments: dict[str, Any]) -> Row:
    """Documents of record by identifier: papers that expire, and mandatory checks."""
    return collection([DOCUMENTS.present(row) for row in DOCUMENTS.read(call, arguments.get("q"))])


@tool("oracle_fusion.document_records.update")
def update_document(call: Call, arguments: dict[str, Any]) -> Row:
    """Change a record's status, or whether a mandatory check is verified. A call that changes nothing is refused."""
    number = record_id(arguments["DocumentRecordId"], "DocumentRecordId")
    changes: Row = {}
    if arguments.get("Status") is not None:
        changes["Status"] = text(arguments["Status"], "Status")
    if arguments.get("VerifiedFlag") is not None:
        changes["VerifiedFlag"] = int(arguments["VerifiedFlag"])
    if not changes:
        raise InvalidArguments("Status: expected Status, VerifiedFlag or both", "Status")
    row = call.row("SELECT * FROM document_records WHERE DocumentRecordId = ?", (number,))
    if row is None:
        raise Refused(f"DocumentRecordId: no document record {number} in this tenant", "DocumentRecordId")
    if "Status" in changes:
        rules.known(call, "document_status", changes["Status"], "Status")
    if "VerifiedFlag" in changes and not row["MandatoryCheckFlag"]:
        raise Refused(
            f"VerifiedFlag: record {number} is a {row['DocumentType']}, not a mandatory check", "VerifiedFlag"
        )
    if all(row[column] == value for column, value in changes.items()):
        raise Refused(f"DocumentRecordId: record {number} holds these values already", "DocumentRecordId")
    changes["LastUpdateDate"] = call.now
    call.update("document_records", {"DocumentRecordId": number}, changes)
    return DOCUMENTS.present(call.show("document_records", [{**row, **changes}])[0])


@tool("oracle_fusion.absences.list")
def list_absences(call: Call, arguments: dict[str, Any]) -> Row:
    """Absences by identifier."""
    return collection([ABSENCES.present(row) for row in ABSENCES.read(call, arguments.get("q"))])


@tool("oracle_fusion.absences.create")
def create_absence(call: Call, arguments: dict[str, Any]) -> Row:
    """Record one absence of a worker; both days count. It may overlap others; only an exact repeat in person, type and
    days is refused."""
    texts = ("personNumber", "absenceType", "employer", "absenceStatusCd")
    row: Row = {name: text(arguments[name], name) for name in texts}
    row |= {name: rules.iso_date(arguments[name], name) for name in ("startDate", "endDate")}
    person = row["personNumber"]
    worker = call.row("SELECT LegalEmployerName FROM workers WHERE PersonNumber = ?", (person,))
    if worker is None:
        raise Refused(f"personNumber: no worker {person} in this tenant", "personNumber")
    rules.organization(call, "employer", row["employer"], "employer", column="name")
    if worker["LegalEmployerName"] != row["employer"]:
        raise Refused(f"employer: {person} works for {worker['LegalEmployerName']}, came {row['employer']}", "employer")
    rules.known(call, "absence_type", row["absenceType"], "absenceType")
    rules.known(call, "absence_status", row["absenceStatusCd"], "absenceStatusCd")
    if row["startDate"] > row["endDate"]:
        raise Refused(f"endDate: {row['endDate']} lies before the start {row['startDate']}", "endDate")
    rules.open_period(call, "hcm", row["startDate"], "startDate")
    standing = call.row(
        "SELECT AbsenceId FROM absences WHERE personNumber = ? AND absenceType = ? AND startDate = ? AND endDate = ?"
        " ORDER BY AbsenceId",
        (person, row["absenceType"], row["startDate"], row["endDate"]),
    )
    if standing is not None:
        raise Refused(
            f"startDate: {row['absenceType']} of {person} from {row['startDate']} to {row['endDate']} is recorded"
            f" already (AbsenceId {standing['AbsenceId']})",
            "startDate",
        )
    absence = {
        "AbsenceId": call.next_id("absences"),
        **row,
        "creationDate": call.now,
        "createdBy": call.meta["analyst"],
    }
    call.insert("absences", absence)
    return ABSENCES.present(call.show("absences", [absence])[0])
