"""The family's rows of the world's tables: workers, their papers and their mandatory checks."""

from typing import Any

from generator.families.base import Rows
from generator.families.document_compliance.facts import Facts, MandatoryCheck, WorkerDocument
from generator.families.staff import employer_name, worker_named, worker_row
from generator.spec.tenant import Tenant


def records(tenant: Tenant, facts: Facts) -> Rows:
    papers = [_paper(tenant, facts, document) for document in facts.documents]
    checks = [_check(tenant, facts, check) for check in facts.checks]
    return {
        "workers": [worker_row(tenant.profile, worker) for worker in facts.workers],
        "document_records": sorted(papers + checks, key=lambda row: int(row["DocumentRecordId"])),
    }


def _holder(tenant: Tenant, facts: Facts, person_number: str) -> dict[str, Any]:
    worker = worker_named(facts.workers, person_number)
    return {
        "PersonNumber": worker.person_number,
        "DisplayName": worker.name,
        "LegalEmployerName": employer_name(tenant.profile, worker.employer),
        "LastUpdateDate": facts.updated,
    }


def _paper(tenant: Tenant, facts: Facts, document: WorkerDocument) -> dict[str, Any]:
    return {
        "DocumentRecordId": document.id,
        **_holder(tenant, facts, document.person_number),
        "DocumentType": document.document_type,
        "DocumentNumber": document.document_number,
        "IssueDate": document.issued,
        "ExpirationDate": document.expires,
        "MandatoryCheckFlag": False,
        "VerifiedFlag": False,
        "Status": document.status,
    }


def _check(tenant: Tenant, facts: Facts, check: MandatoryCheck) -> dict[str, Any]:
    return {
        "DocumentRecordId": check.id,
        **_holder(tenant, facts, check.person_number),
        "DocumentType": check.check_type,
        "DocumentNumber": None,
        "IssueDate": check.opened,
        "ExpirationDate": None,
        "MandatoryCheckFlag": True,
        "VerifiedFlag": check.verified,
        "Status": "VERIFIED" if check.verified else "OPEN",
    }
