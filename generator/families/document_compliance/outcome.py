"""What a compliance review comes to under a judgement: the one place where this family's numbers are worked out."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.families.base import Rows
from generator.families.document_compliance.facts import Checklist, Facts, PaperReceived
from generator.families.staff import employer_name
from generator.spec.case import ExpectedRow, Judgement, Outcome, PrimaryRecord, Value, Write
from generator.spec.tenant import Tenant

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Review:
    """What an employer's review finds. Papers and checks are rows of the system; blocked are person numbers."""

    expiring: tuple[Record, ...]
    owed: tuple[Record, ...]
    blocked: frozenset[str]
    verified: tuple[Record, ...]
    earliest: dt.date | None


@dataclass(frozen=True)
class _Desk:
    """What the review is worked out from: the employer's records and workers, the checklist believed, rules not
    applied."""

    facts: Facts
    checklist: Checklist
    ignored: frozenset[str]
    today: dt.date
    records: tuple[Record, ...]
    workers: Mapping[str, Record]

    def on_duty(self, record: Record) -> bool:
        return self.workers[record["PersonNumber"]]["AssignmentStatus"] == "Active" or "assignment" in self.ignored

    def leaving(self, record: Record) -> bool:
        last = self.workers[record["PersonNumber"]]["LastWorkingDate"]
        return last is not None and last < record["ExpirationDate"] and "leavers" not in self.ignored

    def replaced(self, record: Record) -> bool:
        """The renewal came by mail, or stands as a later record of the same kind of the same worker."""
        mailed = any(renewal.record == record["DocumentRecordId"] for renewal in self.facts.renewals)
        keyed = any(
            (other["PersonNumber"], other["DocumentType"]) == (record["PersonNumber"], record["DocumentType"])
            and other["ExpirationDate"] > record["ExpirationDate"]
            for other in self.records
            if not other["MandatoryCheckFlag"]
        )
        return (mailed and "renewals" not in self.ignored) or (keyed and "keyed_renewals" not in self.ignored)

    def in_window(self, record: Record) -> bool:
        last = self.today + dt.timedelta(days=self.checklist.kind(record["DocumentType"]).window_days)
        if "bounds" in self.ignored:
            return bool(self.today < record["ExpirationDate"] < last)
        return bool(self.today <= record["ExpirationDate"] <= last)

    def alerted(self, record: Record) -> bool:
        return any(
            alert.record == record["DocumentRecordId"]
            and (alert.expiry == record["ExpirationDate"] or "alerted_expiry" in self.ignored)
            for alert in self.facts.alerts
        )

    def blocks_when_expired(self, record: Record) -> bool:
        return self.checklist.kind(record["DocumentType"]).mandatory or "blocking_kinds" in self.ignored

    def blocks_when_open(self, record: Record) -> bool:
        return record["DocumentType"] in self.checklist.blocking_checks or "blocking_kinds" in self.ignored

    def has_paper(self, record: Record) -> bool:
        return any(self._fits(paper, record) for paper in self.checklist.papers)

    def _fits(self, paper: PaperReceived, record: Record) -> bool:
        own = paper.person_number == record["PersonNumber"]
        alike = "person_number" in self.ignored and surname(paper.name_on_paper) == surname(record["DisplayName"])
        valid = paper.valid_until is None or paper.valid_until >= self.today or "paper_validity" in self.ignored
        return paper.check_type == record["DocumentType"] and (own or alike) and valid


def outcome(tenant: Tenant, facts: Facts, rows: Rows, judgement: Judgement) -> Outcome:
    """Answers, option and changes under a judgement.

    Rules that a judgement may ignore: bounds, renewals, keyed_renewals, leavers, assignment, alerted_expiry,
    person_number, paper_validity, blocking_kinds, block (nothing is recommended), release. rows is what the ERP keeps:
    papers, checks and assignments come from it.
    """
    employer = facts.employer if judgement.target == "task" else facts.decoy_employer
    checklist = facts.checklist_of(judgement.sources["compliance_checklist"])
    if judgement.as_received:
        return _as_marked(tenant, facts, rows, employer, checklist)
    found = review(tenant, facts, rows, employer, checklist, judgement.ignored_rules)
    block = bool(found.blocked) and "block" not in judgement.ignored_rules
    option = "alert_verify_and_recommend_block" if block else "alert_and_verify"
    status = "alerts_recorded_block_recommended" if block else "alerts_recorded"
    counts = (len(found.expiring), len(found.owed), len(found.blocked), len(found.verified))
    answers = _answers(tenant, *counts, found.earliest)
    missing = facts.missing_release(employer) if checklist is facts.checklist else None
    if missing is not None and facts.release_mail is not None and "release" not in judgement.ignored_rules:
        return Outcome(
            answers=answers,
            option="stop_refer_to_hr",
            status="not_updated",
            operative=checklist.source,
            cited=(facts.release_mail.source,),
            writes=(),
            primary=None,
            obstacle=missing.reference,
        )
    alerts = [int(record["DocumentRecordId"]) for record in found.owed]
    checks = [int(record["DocumentRecordId"]) for record in found.verified]
    return _carried_out(checklist, answers, (option, status), alerts, checks)


def review(
    tenant: Tenant, facts: Facts, rows: Rows, employer: str, checklist: Checklist, ignored: frozenset[str] = frozenset()
) -> Review:
    """The findings for a legal employer by the rules that the checklist prints, less the ignored ones."""
    desk = _desk(tenant, facts, rows, employer, checklist, ignored)
    held = [record for record in desk.records if desk.on_duty(record)]
    papers = [record for record in held if not record["MandatoryCheckFlag"] and not desk.replaced(record)]
    still_open = [record for record in held if record["MandatoryCheckFlag"] and not record["VerifiedFlag"]]
    expiring = [paper for paper in papers if desk.in_window(paper) and not desk.leaving(paper)]
    verified = [check for check in still_open if desk.has_paper(check)]
    expired = [p for p in papers if p["ExpirationDate"] < desk.today and desk.blocks_when_expired(p)]
    unverified = [check for check in still_open if check not in verified and desk.blocks_when_open(check)]
    return Review(
        expiring=tuple(expiring),
        owed=tuple(paper for paper in expiring if not desk.alerted(paper)),
        blocked=frozenset(record["PersonNumber"] for record in (*expired, *unverified)),
        verified=tuple(verified),
        earliest=min((paper["ExpirationDate"] for paper in expiring), default=None),
    )


def surname(name: str) -> str:
    return name.split()[-1]


def _desk(
    tenant: Tenant, facts: Facts, rows: Rows, employer: str, checklist: Checklist, ignored: frozenset[str]
) -> _Desk:
    name = employer_name(tenant.profile, employer)
    return _Desk(
        facts=facts,
        checklist=checklist,
        ignored=ignored,
        today=tenant.profile.today,
        records=tuple(row for row in rows["document_records"] if row["LegalEmployerName"] == name),
        workers={row["PersonNumber"]: row for row in rows["workers"]},
    )


def _as_marked(tenant: Tenant, facts: Facts, rows: Rows, employer: str, checklist: Checklist) -> Outcome:
    """The clerk's marks carried out as they stand on the checklist."""
    desk = _desk(tenant, facts, rows, employer, checklist, frozenset())
    listed = {int(record["DocumentRecordId"]): record for record in desk.records}
    marked = [(one.id, one.mark) for one in facts.documents] + [(one.id, one.mark) for one in facts.checks]
    marks = {id: mark for id, mark in marked if id in listed}
    alerts = [id for id, mark in marks.items() if mark == "Alert"]
    checks = [id for id, mark in marks.items() if mark == "Verify"]
    expiring = [listed[id] for id, mark in marks.items() if mark in ("Alert", "Alerted")]
    blocked = {listed[id]["PersonNumber"] for id, mark in marks.items() if mark == "Block"}
    earliest = min((record["ExpirationDate"] for record in expiring), default=None)
    answers = _answers(tenant, len(expiring), len(alerts), len(blocked), len(checks), earliest)
    return _carried_out(checklist, answers, ("update_as_checklist", "updated_as_listed"), alerts, checks)


def _answers(
    tenant: Tenant, expiring: int, owed: int, blocked: int, verified: int, earliest: dt.date | None
) -> dict[str, Value]:
    """Nothing that expires is no days to it."""
    return {
        "expiring_in_window": expiring,
        "unalerted_expiring": owed,
        "workers_blocked": blocked,
        "checks_verified": verified,
        "days_to_earliest_expiry": 0 if earliest is None else (earliest - tenant.profile.today).days,
    }


def _carried_out(
    checklist: Checklist,
    answers: Mapping[str, Value],
    decided: tuple[str, str],
    alerts: Sequence[int],
    checks: Sequence[int],
) -> Outcome:
    tool = "oracle_fusion.document_records.update"
    alerting = [Write(tool, {"DocumentRecordId": id, "Status": "ALERTED"}) for id in sorted(alerts)]
    verifying = [
        Write(tool, {"DocumentRecordId": id, "VerifiedFlag": True, "Status": "VERIFIED"}) for id in sorted(checks)
    ]
    return Outcome(
        answers=answers,
        option=decided[0],
        status=decided[1],
        operative=checklist.source,
        cited=(),
        writes=(*alerting, *verifying),
        primary=PrimaryRecord(
            table="document_records",
            rows=tuple(ExpectedRow(key=str(id), row={"Status": "ALERTED"}) for id in sorted(alerts)),
            name=("literal", checklist.number),
        ),
    )
