"""Facts of a compliance review: workers, their papers and checks, the checklist in force and the earlier one.

A checklist carries the windows and blocking rules of its issue; what the papers themselves say stands in the system.
"""

import datetime as dt
from typing import Literal

from generator.families.correspondence import Sent
from generator.families.staff import Worker
from generator.spec.tenant import Model

Mark = Literal["Alert", "Alerted", "Block", "Verify", "OK", ""]


class PaperKind(Model):
    """A kind of paper that expires. mandatory: an expired one blocks the worker."""

    document_type: str
    window_days: int
    mandatory: bool


class PaperReceived(Model):
    """A paper that came in for a mandatory check; name and person number as the paper has them."""

    received: dt.date
    check_type: str
    person_number: str
    name_on_paper: str
    reference: str
    valid_until: dt.date | None = None


class Checklist(Model):
    """source is a Drive file id or a message id; released is None while the officer's release is missing."""

    source: str
    number: str
    edition: int
    issued: dt.date
    released: dt.date | None
    kinds: tuple[PaperKind, ...]
    blocking_checks: tuple[str, ...]
    papers: tuple[PaperReceived, ...]

    def kind(self, document_type: str) -> PaperKind:
        for kind in self.kinds:
            if kind.document_type == document_type:
                return kind
        raise KeyError(f"checklist {self.number} has no window for {document_type}")


class WorkerDocument(Model):
    """A paper in the system. mark is the clerk's on the checklist, which decides nothing."""

    id: int
    person_number: str
    document_type: str
    document_number: str
    issued: dt.date
    expires: dt.date
    status: Literal["ACTIVE", "ALERTED", "RENEWED"]
    mark: Mark


class MandatoryCheck(Model):
    id: int
    person_number: str
    check_type: str
    verified: bool
    opened: dt.date
    mark: Mark


class Alert(Model):
    """An alert as the log has it: for a record, and for the expiry that the paper had at the time."""

    sent: dt.date
    record: int
    expiry: dt.date


class Renewal(Model):
    """A renewed paper that reached the office by mail and is not in the system yet."""

    mail: Sent
    record: int
    new_number: str
    new_expiry: dt.date


class Release(Model):
    """The officer's release of the checklist for one legal employer; given is None while it is held back."""

    employer: str
    reference: str
    given: dt.date | None


class Facts(Model):
    """releases is empty where the checklist itself says that it is released, else release_mail tells of them."""

    employer: str
    decoy_employer: str
    alert_log: str
    checklist: Checklist
    earlier: Checklist
    earlier_mail: Sent
    forward: Sent
    updated: dt.datetime
    workers: tuple[Worker, ...]
    documents: tuple[WorkerDocument, ...]
    checks: tuple[MandatoryCheck, ...]
    alerts: tuple[Alert, ...]
    renewals: tuple[Renewal, ...]
    releases: tuple[Release, ...] = ()
    release_mail: Sent | None = None

    def checklist_of(self, source: str) -> Checklist:
        for checklist in (self.checklist, self.earlier):
            if checklist.source == source:
                return checklist
        raise KeyError(f"no checklist {source}")

    def missing_release(self, employer: str) -> Release | None:
        """The release that the employer's review still lacks."""
        return next((one for one in self.releases if one.employer == employer and one.given is None), None)

    def document(self, id: int) -> WorkerDocument:
        for document in self.documents:
            if document.id == id:
                return document
        raise KeyError(f"no document record {id}")
