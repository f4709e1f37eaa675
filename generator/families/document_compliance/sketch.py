"""A compliance review in the making: pieces of an office's card index, put together and numbered.

In: a profile, a random stream, a Sketch that says which pieces it holds. Out: Facts. A piece is one worker with one
paper or one check and what goes with it: an alert, a renewal, a received paper, the clerk's mark.
"""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from generator.families.crew import crew_worker, person_numbers
from generator.families.document_compliance.facts import Checklist, Facts, Mark, PaperKind, PaperReceived
from generator.families.document_compliance.filing import VALIDITY, Cards, CheckCard, PaperCard, file_cards
from generator.families.document_compliance.outcome import surname
from generator.families.invented import invented_names
from generator.families.staff import Worker
from generator.spec.tenant import TenantProfile

POOL = Path(__file__).with_name("papers.yaml")
NAME_SHARE, NAMES, NAMESAKES = 0, 120, 3
LEAST = 2
"""Days to go that a paper well inside its window has at least."""
EARLIER_WINDOWS = (21, 25, 30, 38, 45, 52, 60)


@dataclass(frozen=True)
class Sketch:
    """pieces are names of _Index's methods, each done once, for the reviewed employer and for the other one.

    earliest: days to the expiry of the first of the reviewed employer's papers inside their windows.
    """

    pieces: tuple[str, ...]
    elsewhere: tuple[str, ...]
    released: bool = True
    earliest: int = 2


def sketch(profile: TenantProfile, rng: Random, wanted: Sketch) -> Facts:
    index = _Index(profile, rng)
    for employer, pieces, earliest in (
        (profile.cast["employer"], wanted.pieces, wanted.earliest),
        (profile.cast["other_employer"], wanted.elsewhere, LEAST),
    ):
        index.employer, index.earliest, index.first = employer, earliest, True
        for piece in pieces:
            getattr(index, piece)()
    facts = file_cards(profile, rng, index.cards, wanted.released)
    return facts.model_copy(update={"earlier": index.telling(facts.earlier)})


class _Index:
    """The card index while it fills; employer is whose cards are being written.

    earliest: days to the first expiry that counts; first: the paper that has it is still to be written. owing: days to
    go of the reviewed employer's papers that an alert is owed for.
    """

    def __init__(self, profile: TenantProfile, rng: Random) -> None:
        self.profile, self.rng, self.today = profile, rng, profile.today
        self.employer, self.earliest, self.first = profile.cast["employer"], LEAST, True
        self.owing: list[int] = []
        self.logged = 0
        names = invented_names(profile, rng, NAMES, NAME_SHARE)
        self.namesakes = _namesakes(names)
        paired = {surname(name) for pair in self.namesakes for name in pair}
        self.names = iter([name for name in names if surname(name) not in paired])
        self.numbers = person_numbers(profile, rng, 1)
        pool = _pool()
        kinds = [pool["kinds"][0], *rng.sample(pool["kinds"][1:], 3)]
        if not any(kind["blocks"] for kind in kinds[1:]):
            kinds[1] = pool["kinds"][1]
        self.kinds = tuple(
            PaperKind(document_type=kind["type"], window_days=rng.choice(kind["windows"]), mandatory=kind["blocks"])
            for kind in kinds
        )
        self.blocking = rng.choice(pool["blocking_checks"])
        self.others = rng.sample(pool["other_checks"], 2)
        prefixes = {kind["type"]: kind["prefix"] for kind in pool["kinds"]}
        self.cards = Cards(self.kinds, prefixes, self.blocking, self.others)

    def telling(self, earlier: Checklist) -> Checklist:
        """The earlier checklist with a window that takes in some of the papers owing an alert and not all, if there is
        one: otherwise going by it would show nothing."""
        first, last = min(self.owing), max(self.owing)
        windows = [days for days in EARLIER_WINDOWS if first <= days < last]
        if not windows:
            return earlier
        days = self.rng.choice(windows)
        kinds = tuple(kind.model_copy(update={"window_days": days}) for kind in earlier.kinds)
        return earlier.model_copy(update={"kinds": kinds})

    # Papers that an alert is owed for

    def owed(self) -> None:
        self._owing(self._counted(), "Alert")

    def overlooked(self) -> None:
        """The clerk has not seen it."""
        self._owing(self._counted(), "OK")

    def last_day_of_window(self) -> None:
        kind = self.rng.choice([kind for kind in self.kinds if kind.window_days >= self.earliest])
        self._owing((kind, kind.window_days), "OK")

    def expires_today(self) -> None:
        self._owing((self.rng.choice(self._blocking_kinds()), 0), "Block")

    def alerted_before_renewal(self) -> None:
        """The log has an alert, for the expiry that the record had before."""
        paper = self._owing(self._counted(), "Alerted")
        before = paper.expires - VALIDITY
        paper.alerts.append((before - dt.timedelta(days=self.rng.randint(10, 30)), before))

    def leaves_later(self) -> None:
        """The last working day is the day of expiry or later."""
        kind, days = self._counted()
        self._owing((kind, days), "OK", last_day=self.today + dt.timedelta(days=days + self.rng.choice((0, 0, 6, 12))))

    # Papers that nothing is to be done about

    def alerted(self) -> None:
        """The log has the alert. In every second record, the first among them, the status has not been set: whether an
        alert is owed stands in the log alone."""
        self.logged += 1
        paper = self._paper(self._counted(), "Alerted", status="ACTIVE" if self.logged % 2 else "ALERTED")
        paper.alerts.append((self.today - dt.timedelta(days=self.rng.randint(3, 20)), paper.expires))

    def day_after_window(self) -> None:
        kind = self.rng.choice(self.kinds)
        self._paper((kind, kind.window_days + 1), "Alert")

    def renewed_by_mail(self) -> None:
        self._paper(self._inside(), "Alert").renewed = True

    def expired_and_renewed(self) -> None:
        self._paper((self.rng.choice(self._blocking_kinds()), -self.rng.randint(2, 20)), "Block").renewed = True

    def renewal_keyed(self) -> None:
        paper = self._paper(self._inside(), "Alert")
        self._successor(paper)

    def expired_and_keyed(self) -> None:
        paper = self._paper((self.rng.choice(self._blocking_kinds()), -self.rng.randint(2, 20)), "Block")
        self._successor(paper)

    def leaver(self) -> None:
        kind, days = self._inside(least=8)
        self._paper((kind, days), "Alert", last_day=self.today + dt.timedelta(days=self.rng.randint(1, days - 1)))

    def has_left(self) -> None:
        """An expired paper of somebody who is gone."""
        kind, days = self.rng.choice(self._blocking_kinds()), -self.rng.randint(1, 12)
        gone = self.today - dt.timedelta(days=self.rng.randint(1, 25))
        self._paper((kind, days), "Block", last_day=gone, active=False)

    def expired_harmless(self) -> None:
        kind = self.rng.choice([kind for kind in self.kinds if not kind.mandatory])
        self._paper((kind, -self.rng.randint(3, 25)), "Block", status="ALERTED")

    def far_off(self) -> None:
        kind = self.rng.choice(self.kinds)
        self._paper((kind, self.rng.randint(300, 700)), "OK")

    # Workers to be blocked

    def expired(self) -> None:
        kind = self.rng.choice(self._blocking_kinds())
        self._paper((kind, -self.rng.randint(1, 12)), self.rng.choice(("OK", "Block")), status="ALERTED")

    def no_proof(self) -> None:
        self._check(self.blocking, "OK")

    def namesakes_proof(self) -> None:
        self._namesake(self.blocking)

    def lapsed_proof(self) -> None:
        self._proof(self.blocking, "Verify", valid=-self.rng.randint(1, 20))

    # Checks of no consequence for anybody's work

    def proof(self) -> None:
        self._proof(self.rng.choice((self.blocking, *self.others)), "Verify", valid=self.rng.choice((None, 90, 400)))

    def proof_to_the_day(self) -> None:
        self._proof(self.blocking, "OK", valid=0)

    def namesakes_paper(self) -> None:
        self._namesake(self.rng.choice(self.others))

    def lapsed_paper(self) -> None:
        self._proof(self.rng.choice(self.others), "Verify", valid=-self.rng.randint(1, 20))

    def open_check(self) -> None:
        self._check(self.rng.choice(self.others), "OK")

    def done_check(self) -> None:
        self._check(self.blocking, "OK").verified = True

    # How pieces are made

    def _counted(self) -> tuple[PaperKind, int]:
        """A kind and days to go of a paper that counts: the first one is the earliest."""
        if self.first:
            self.first = False
            return self.rng.choice([kind for kind in self.kinds if kind.window_days > self.earliest]), self.earliest
        return self._inside(self.earliest)

    def _inside(self, least: int = LEAST) -> tuple[PaperKind, int]:
        """A kind and days to go that lie well inside its window, with some beyond what the earlier checklist took
        in."""
        kind = self.rng.choice([kind for kind in self.kinds if kind.window_days > least])
        return kind, self.rng.randint(least, kind.window_days - 1)

    def _blocking_kinds(self) -> list[PaperKind]:
        return [kind for kind in self.kinds if kind.mandatory]

    def _worker(self, name: str | None = None, last_day: dt.date | None = None, active: bool = True) -> Worker:
        number = next(self.numbers)
        called = name or next(self.names)
        worker = crew_worker(self.profile, self.rng, number, called, self.employer, last_day, active)
        self.cards.workers.append(worker)
        return worker

    def _paper(
        self,
        when: tuple[PaperKind, int],
        mark: Mark,
        status: str = "ACTIVE",
        last_day: dt.date | None = None,
        active: bool = True,
    ) -> PaperCard:
        kind, days = when
        worker = self._worker(last_day=last_day, active=active)
        paper = PaperCard(worker, kind, self.today + dt.timedelta(days=days), mark, status)
        if status == "ALERTED" and days < 0:
            paper.alerts.append((paper.expires - dt.timedelta(days=self.rng.randint(15, 30)), paper.expires))
        self.cards.papers.append(paper)
        return paper

    def _owing(self, when: tuple[PaperKind, int], mark: Mark, last_day: dt.date | None = None) -> PaperCard:
        if self.employer == self.profile.cast["employer"]:
            self.owing.append(when[1])
        return self._paper(when, mark, last_day=last_day)

    def _successor(self, paper: PaperCard) -> None:
        expires = paper.expires + VALIDITY
        self.cards.papers.append(PaperCard(paper.worker, paper.kind, expires, "OK"))

    def _check(self, check: dict[str, Any], mark: Mark, name: str | None = None) -> CheckCard:
        entry = CheckCard(self._worker(name), check["type"], mark)
        self.cards.checks.append(entry)
        return entry

    def _proof(self, check: dict[str, Any], mark: Mark, valid: int | None) -> None:
        worker = self._check(check, mark).worker
        self._receive(check, worker.person_number, worker.name, valid)

    def _namesake(self, check: dict[str, Any]) -> None:
        """A paper of somebody of the other employer, whose surname a worker with an open check has too."""
        first, second = self.namesakes.pop()
        self._check(check, "Verify", first)
        here, self.employer = self.employer, self._elsewhere()
        stranger = self._worker(second)
        self.employer = here
        initial = f"{second[0]}. {surname(second)}"
        self._receive(check, stranger.person_number, initial, self.rng.choice((None, 300, 600)))

    def _elsewhere(self) -> str:
        cast = self.profile.cast
        return cast["other_employer"] if self.employer == cast["employer"] else cast["employer"]

    def _receive(self, check: dict[str, Any], number: str, name: str, valid: int | None) -> None:
        self.cards.received.append(
            PaperReceived(
                received=self.today - dt.timedelta(days=self.rng.randint(2, 30)),
                check_type=check["type"],
                person_number=number,
                name_on_paper=name,
                reference=f"{check['prefix']}-{self.rng.randint(20000, 89999)}",
                valid_until=None if valid is None else self.today + dt.timedelta(days=valid),
            )
        )


def _namesakes(names: list[str]) -> list[tuple[str, str]]:
    """Two names each of some surnames that nobody else is given."""
    by_surname: dict[str, list[str]] = {}
    for name in names:
        by_surname.setdefault(surname(name), []).append(name)
    pairs = [(alike[0], alike[1]) for alike in by_surname.values() if len(alike) > 1]
    return pairs[:NAMESAKES]


@cache
def _pool() -> dict[str, Any]:
    pool: dict[str, Any] = yaml.safe_load(POOL.read_text(encoding="utf-8"))
    return pool
