"""Cards of a compliance review put in order: numbered, dated, and made into Facts.

In: a profile, a random stream and the Cards that a sketch wrote. Out: Facts, with the checklist in force, the earlier
one, its forward, renewals and releases.
"""

import datetime as dt
from dataclasses import dataclass, field
from random import Random
from typing import Any

from generator.families.correspondence import Sent
from generator.families.document_compliance.facts import (
    Alert,
    Checklist,
    Facts,
    MandatoryCheck,
    Mark,
    PaperKind,
    PaperReceived,
    Release,
    Renewal,
    WorkerDocument,
)
from generator.families.staff import Worker
from generator.spec.tenant import TenantProfile

EARLIER_WINDOWS = (21, 25, 30)
VALIDITY = dt.timedelta(days=730)
"""How long a paper is valid, from the day before it was issued."""


@dataclass
class PaperCard:
    """alerts are (sent, expiry at the time); renewed: the renewal came by mail."""

    worker: Worker
    kind: PaperKind
    expires: dt.date
    mark: Mark
    status: str = "ACTIVE"
    alerts: list[tuple[dt.date, dt.date]] = field(default_factory=list)
    renewed: bool = False


@dataclass
class CheckCard:
    worker: Worker
    check_type: str
    mark: Mark
    verified: bool = False


@dataclass
class Cards:
    """What a sketch has written; prefixes are those of paper numbers by kind, blocking and others kinds of checks."""

    kinds: tuple[PaperKind, ...]
    prefixes: dict[str, str]
    blocking: dict[str, Any]
    others: list[dict[str, Any]]
    workers: list[Worker] = field(default_factory=list)
    papers: list[PaperCard] = field(default_factory=list)
    checks: list[CheckCard] = field(default_factory=list)
    received: list[PaperReceived] = field(default_factory=list)


def file_cards(profile: TenantProfile, rng: Random, cards: Cards, released: bool) -> Facts:
    """Facts of the review. released: the officer has released the checklist for the employer under review."""
    code, today, request = profile.code, profile.today, profile.as_of
    base = rng.randint(2, 8) * 1000
    rng.shuffle(cards.papers)
    rng.shuffle(cards.checks)
    documents = tuple(_document(rng, cards, base + 101 + place, paper) for place, paper in enumerate(cards.papers))
    alerts = [
        Alert(sent=sent, record=document.id, expiry=expiry)
        for document, paper in zip(documents, cards.papers, strict=True)
        for sent, expiry in paper.alerts
    ]
    earlier = _earlier(profile, rng, cards)
    return Facts(
        employer=profile.cast["employer"],
        decoy_employer=profile.cast["other_employer"],
        alert_log=f"FILE-{code}-DOCUMENT-ALERT-LOG",
        checklist=_checklist(profile, cards),
        earlier=earlier,
        earlier_mail=Sent(source=earlier.source, by="compliance_officer", at=_at(earlier.issued, 15, 30)),
        forward=Sent(source=f"MSG-{code}-CHECKLIST-FWD", by="recruiter", at=request - dt.timedelta(minutes=80)),
        updated=_at(today - dt.timedelta(days=10), 16, 0),
        workers=tuple(sorted(cards.workers, key=lambda worker: worker.person_number)),
        documents=documents,
        checks=tuple(_check(rng, today, base + 501 + place, check) for place, check in enumerate(cards.checks)),
        alerts=tuple(sorted(alerts, key=lambda alert: (alert.sent, alert.record))),
        renewals=tuple(
            _renewal(profile, rng, cards, document)
            for document, paper in zip(documents, cards.papers, strict=True)
            if paper.renewed
        ),
        releases=_releases(profile, released),
        release_mail=Sent(
            source=f"MSG-{code}-CHECKLIST-RELEASE", by="compliance_officer", at=request - dt.timedelta(minutes=125)
        ),
    )


def _document(rng: Random, cards: Cards, id: int, paper: PaperCard) -> WorkerDocument:
    return WorkerDocument.model_validate(
        {
            "id": id,
            "person_number": paper.worker.person_number,
            "document_type": paper.kind.document_type,
            "document_number": f"{cards.prefixes[paper.kind.document_type]}-{rng.randint(10, 99)}{id}",
            "issued": paper.expires - VALIDITY + dt.timedelta(days=1),
            "expires": paper.expires,
            "status": paper.status,
            "mark": paper.mark,
        }
    )


def _check(rng: Random, today: dt.date, id: int, check: CheckCard) -> MandatoryCheck:
    return MandatoryCheck(
        id=id,
        person_number=check.worker.person_number,
        check_type=check.check_type,
        verified=check.verified,
        opened=today - dt.timedelta(days=rng.randint(31, 60)),
        mark=check.mark,
    )


def _renewal(profile: TenantProfile, rng: Random, cards: Cards, document: WorkerDocument) -> Renewal:
    prefix = cards.prefixes[document.document_type]
    return Renewal(
        mail=Sent(
            source=f"MSG-{profile.code}-RENEWAL-{document.document_number}",
            by="compliance_officer",
            at=_at(profile.today - dt.timedelta(days=rng.randint(2, 8)), 13, 20),
        ),
        record=document.id,
        new_number=f"{prefix}-{rng.randint(10, 99)}{document.id + 400}",
        new_expiry=document.expires + VALIDITY,
    )


def _checklist(profile: TenantProfile, cards: Cards) -> Checklist:
    return Checklist(
        source=f"FILE-{profile.code}-COMPLIANCE-CHECKLIST-{profile.today:%m%d}",
        number=f"CL-{profile.code}-{profile.today:%m%d}",
        edition=2,
        issued=profile.today,
        released=profile.today,
        kinds=cards.kinds,
        blocking_checks=(cards.blocking["type"],),
        papers=tuple(sorted(cards.received, key=lambda paper: (paper.received, paper.reference))),
    )


def _earlier(profile: TenantProfile, rng: Random, cards: Cards) -> Checklist:
    """One short window for all kinds, another set of blocking ones, and the papers that were in by then."""
    issued = profile.today - dt.timedelta(days=rng.randint(18, 40))
    window = rng.choice(EARLIER_WINDOWS)
    return Checklist(
        source=f"MSG-{profile.code}-CHECKLIST-{issued:%m%d}",
        number=f"CL-{profile.code}-{issued:%m%d}",
        edition=1,
        issued=issued,
        released=issued,
        kinds=tuple(
            PaperKind(document_type=kind.document_type, window_days=window, mandatory=place == 0)
            for place, kind in enumerate(cards.kinds)
        ),
        blocking_checks=(cards.blocking["type"], cards.others[0]["type"]),
        papers=tuple(paper for paper in cards.received if paper.received <= issued),
    )


def _releases(profile: TenantProfile, released: bool) -> tuple[Release, ...]:
    cast, today = profile.cast, profile.today
    reference = f"RL-{profile.code}-{today:%m%d}"
    return (
        Release(employer=cast["employer"], reference=f"{reference}-1", given=today if released else None),
        Release(employer=cast["other_employer"], reference=f"{reference}-2", given=today),
    )


def _at(day: dt.date, hour: int, minute: int) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour, minute), tzinfo=dt.UTC)
