"""Sources and authority: which document of a subject is in force on a date.

The rule is the precedence printed in every tenant's source map: a memo of the authority owner first, then the source
map, then editions and dates. Drive's flag, file versions, modified times and file names are hints and never decide.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Status = Literal["issued", "draft", "withdrawn", "unsigned"]


@dataclass(frozen=True)
class Source:
    """One document as far as authority is concerned.

    Attributes:
        id: Drive file id or mail id, e.g. FILE-NBR-ORDER-BATCH-0209.
        subject: what it is about, e.g. order_batch, price_list, credit_policy.
        memo_name: how the memo speaks of it, e.g. "the 2026-02-09 order batch"; empty when the memo does not name it.
        owner: role that may issue it.
        issued: date of issue.
        effective_from, effective_to: dates it covers, inclusive; None is open.
        edition: the highest edition wins among documents the memo and the map leave open.
        drive_flag, drive_version: what Drive shows; hints only.
    """

    id: str
    subject: str
    memo_name: str
    owner: str
    issued: dt.date
    edition: int
    status: Status = "issued"
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    replaces: str | None = None
    drive_flag: bool = True
    drive_version: int = 2

    def covers(self, day: dt.date) -> bool:
        """Issued, and its effective dates cover the day."""
        return (
            self.status == "issued"
            and (self.effective_from is None or self.effective_from <= day)
            and (self.effective_to is None or day <= self.effective_to)
        )


@dataclass(frozen=True)
class Memo:
    """An authority memo: the source ids it names, each for its own subject."""

    id: str
    dated: dt.date
    names: tuple[str, ...]


@dataclass(frozen=True)
class Contradiction:
    """The precedence leaves more than one document, or the named one is no candidate."""

    subject: str
    ids: tuple[str, ...]


def in_force(
    subject: str, day: dt.date, sources: Sequence[Source], memos: Sequence[Memo], mapped: Sequence[str]
) -> Source | Contradiction:
    """The document of the subject that counts on the day, or the contradiction the sources are in.

    Args:
        mapped: source ids that the source map lists as in force.
    """
    of_subject = {source.id: source for source in sources if source.subject == subject}
    candidates = {id: source for id, source in of_subject.items() if source.covers(day)}
    named = [
        (memo, id)
        for memo in sorted(memos, key=lambda m: m.dated)
        if memo.dated <= day
        for id in memo.names
        if id in of_subject
    ]
    if named:
        memo, id = named[-1]
        later = [s for s in candidates.values() if s.replaces == id and s.issued > memo.dated]
        if len(later) == 1:
            return later[0]
        if len(later) > 1 or id not in candidates:
            return Contradiction(subject, tuple(sorted({id, *(s.id for s in later)})))
        return candidates[id]
    listed = [candidates[id] for id in mapped if id in candidates]
    if len(listed) == 1:
        return listed[0]
    if not candidates:
        return Contradiction(subject, tuple(sorted(of_subject)))

    def rank(source: Source) -> tuple[int, dt.date, dt.date]:
        return source.edition, source.effective_from or dt.date.min, source.issued

    best = max(rank(source) for source in candidates.values())
    winners = [source for source in candidates.values() if rank(source) == best]
    return winners[0] if len(winners) == 1 else Contradiction(subject, tuple(sorted(s.id for s in winners)))
