"""A shift in the making: people of two neighbouring shifts, what each of them did that day, and the papers of it.

In: a profile, a random stream, a Sketch that says which pieces it holds. Out: Facts. A piece is one person of the shift
(with a partner of the neighbouring one where places change): their place on both rosters, leave, reports.
"""

import datetime as dt
from dataclasses import dataclass
from random import Random
from typing import Literal
from zoneinfo import ZoneInfo

from generator.families import office
from generator.families.correspondence import Sent
from generator.families.crew import crew_worker, person_numbers
from generator.families.invented import invented_names
from generator.families.shift_rollup.facts import (
    Absence,
    Facts,
    Leave,
    Place,
    Roster,
    Rules,
    Shift,
    Swap,
    WorkReport,
)
from generator.families.staff import Worker
from generator.spec.errors import SpecError
from generator.spec.tenant import TenantProfile

NAME_SHARE, NAMES = 1, 60
LINES = ("Line 1", "Line 2", "Line 3", "Packing", "Stores")
DAYS_BACK = 6
STEPS = {"down": (3, 3, 6, 6, 15), "nearest": (6, 6, 15)}
"""Minutes that overtime is rounded to: whole hundredths of an hour, so that a sum of hours is exact."""
FILING = 3
"""Minutes that it takes at most to file a report once the work is done."""


@dataclass(frozen=True)
class Sketch:
    """pieces are names of _Day's methods. start: hours at which the shift may begin; hours: its length.

    staying: share of those reporting who work on past the end. short: fewer reported than cover needs. contested: the
    works council's objection is open.
    """

    pieces: tuple[str, ...]
    start: tuple[dt.time, ...]
    hours: float
    neighbours: int
    staying: float
    rounding: Literal["down", "nearest"] = "down"
    short: bool = False
    contested: bool = False


def sketch(profile: TenantProfile, rng: Random, wanted: Sketch, reporting: int) -> Facts:
    """reporting: how many of the pieces report, by which the minimum of cover is set."""
    day = _Day(profile, rng, wanted)
    for piece in wanted.pieces:
        getattr(day, piece)()
    day.neighbours(wanted.neighbours)
    return day.facts(wanted, reporting)


class _Day:
    """The day while it fills. Times are local. Reports are (moment, letter, person, kind, minutes)."""

    def __init__(self, profile: TenantProfile, rng: Random, wanted: Sketch) -> None:
        self.profile, self.rng = profile, rng
        self.employer = profile.cast["employer"]
        self.names = iter(invented_names(profile, rng, NAMES, NAME_SHARE))
        self.numbers = person_numbers(profile, rng, 2)
        self.workers: list[Worker] = []
        self.now: list[Place] = []
        self.before: list[Place] = []
        self.swaps: list[Swap] = []
        self.leaves: list[Leave] = []
        self.reports: list[tuple[dt.datetime, str, str, Literal["Start", "End"], int | None]] = []
        self.rules = Rules(
            grace_minutes=rng.choice((5, 8, 10)),
            valid_before_minutes=rng.choice((45, 60)),
            valid_after_minutes=rng.choice((60, 75, 90, 120)),
            overtime_threshold_minutes=rng.choice((5, 8, 10)),
            overtime_step_minutes=rng.choice(STEPS[wanted.rounding]),
            overtime_rounding=wanted.rounding,
            cover_minimum=1,
            absence_type=_first(profile, "absence_type"),
            absence_status=_first(profile, "absence_status"),
        )
        self.shift, self.other = self._shifts(rng.choice(wanted.start), wanted.hours)
        self.staying = wanted.staying

    # Who reports

    def on_time(self) -> None:
        self._works(self._person())

    def late(self) -> None:
        self._works(self._person(), late=True)

    def end_only(self) -> None:
        """No start report, so that the first one is late."""
        person = self._person()
        self._end(person, self._beyond())

    def twice(self) -> None:
        """Start and end each filed a second time, the start after the grace."""
        person = self._person()
        self._start(person, -self.rng.randint(2, 12))
        self._start(person, self.rules.grace_minutes + self.rng.randint(8, 25))
        over = self.rng.randint(16, 52)
        self._end(person, over, filed=over + 1)
        self._end(person, over, filed=over + self.rng.randint(2, 4))

    def corrected(self) -> None:
        """The second end report takes minutes back."""
        person = self._person()
        self._start(person, -self.rng.randint(2, 12))
        over = self.rng.randint(42, 54)
        self._end(person, over, filed=over)
        self._end(person, over - self.rng.randint(18, 40), filed=over + self.rng.randint(2, 5))

    def moved_in(self) -> None:
        self._works(self._person(before=self.other.letter))

    def swap(self) -> None:
        """Places changed: this one works the neighbouring shift, somebody of that one works this."""
        here, there = self._person(), self._person(self.other.letter, self.other.letter)
        self.swaps.append(Swap(first=here, second=there, proposed=self._evening_before(), confirmed=self._morning()))
        self._works(there)
        self._works_there(here)

    def leave_withdrawn(self) -> None:
        person = self._person()
        self._withdrawn(person)
        self._works(person)

    # Who is missing

    def absent(self) -> None:
        self._person()

    def moved_in_absent(self) -> None:
        self._person(before=self.other.letter)

    def filed_the_day_before(self) -> None:
        """Reports of the shift that started the day before, filed on this calendar day."""
        person = self._person()
        end = self.shift.end - dt.timedelta(days=1)
        midnight = dt.datetime.combine(self.shift.start.date(), dt.time())
        filed = max(end, midnight) + dt.timedelta(minutes=self.rng.randint(3, 25))
        self._report(filed, self.shift.letter, person, "End", self.shift.scheduled_minutes + self.rng.choice((0, 0, 4)))

    def filed_too_late(self) -> None:
        person = self._person()
        self._end(person, 0, filed=self.rules.valid_after_minutes + self.rng.randint(3, 30))

    def leave_asked(self) -> None:
        person = self._person()
        self._leave(person, self.shift.start, approved=None)

    def swap_proposed(self) -> None:
        here, there = self._person(), self._person(self.other.letter, self.other.letter)
        self.swaps.append(Swap(first=here, second=there, proposed=self._evening_before()))
        self._works_there(there)

    def leave_withdrawn_absent(self) -> None:
        self._withdrawn(self._person())

    # Who is not expected

    def leave_granted(self) -> None:
        granted = self._local(2, 9, 40)
        self._leave(self._person(), self.shift.start, approved=granted)

    def leave_in_channel(self) -> None:
        """Half the shift, worked up to the leave."""
        person = self._person()
        from_then = self.shift.start + dt.timedelta(hours=self.rng.choice((3, 4, 5)))
        approved = self.shift.start - dt.timedelta(minutes=self.rng.randint(130, 260))
        self._leave(person, from_then, approved=approved, in_chat=True)
        self._start(person, -self.rng.randint(1, 9))
        minutes = int((from_then - self.shift.start).total_seconds()) // 60
        moment = from_then + dt.timedelta(minutes=self.rng.randint(2, 8))
        self._report(moment, self.shift.letter, person, "End", minutes)

    def moved_out(self) -> None:
        self._works_there(self._person(self.other.letter, self.shift.letter))

    # The neighbouring shift

    def neighbours(self, count: int) -> None:
        for place in range(count):
            person = self._person(self.other.letter, self.other.letter)
            if place > 1:
                self._works_there(person, late=place == 2, over=(0, 0, 18, 0, 33, 4, 0)[place % 7])
            elif place == 0:
                self._leave(person, self.other.start, approved=self._local(3, 8, 20), end=self.other.end)

    # How pieces are made

    def _shifts(self, start: dt.time, hours: float) -> tuple[Shift, Shift]:
        """The latest day whose shift is over, reports included, when the reports are filed, in an open period."""
        zone = ZoneInfo(self.profile.timezone)
        filed = office.filed_in_force(self.profile).astimezone(zone).replace(tzinfo=None)
        length = dt.timedelta(hours=hours)
        for back in range(1, DAYS_BACK):
            day = self.profile.today - dt.timedelta(days=back)
            begin = dt.datetime.combine(day, start)
            last = begin + length + dt.timedelta(minutes=self.rules.valid_after_minutes + 40)
            if last <= filed and self._open(day):
                letters = ("B", "C") if begin.hour < 18 else ("L", "N")
                return self._shift(letters[1], begin, length), self._shift(letters[0], begin - length, length)
        raise SpecError(f"{self.profile.slug}: no shift of the last days lies in an open period")

    def _shift(self, letter: str, start: dt.datetime, length: dt.timedelta) -> Shift:
        code = f"SH-{self.profile.code}-{start:%m%d}-{letter}"
        return Shift(code=code, letter=letter, start=start, end=start + length, break_minutes=30)

    def _open(self, day: dt.date) -> bool:
        return any(
            period.application == "hcm" and period.status == "Open" and period.start <= day <= period.end
            for period in self.profile.periods
        )

    def _person(self, now: str | None = None, before: str | None = None) -> str:
        """A worker with a place on both versions of the roster; this shift where nothing else is said."""
        number = next(self.numbers)
        self.workers.append(crew_worker(self.profile, self.rng, number, next(self.names), self.employer))
        line = self.rng.choice(LINES)
        self.now.append(Place(person_number=number, letter=now or self.shift.letter, line=line))
        self.before.append(Place(person_number=number, letter=before or self.shift.letter, line=line))
        return number

    def _works(self, person: str, late: bool = False) -> None:
        grace = self.rules.grace_minutes
        self._start(person, grace + self.rng.randint(1, 25) if late else self.rng.randint(-14, grace))
        self._end(person, self._beyond())

    def _beyond(self) -> int:
        """Minutes worked beyond the paid time: overtime of any length, or too little for any, or fewer than paid."""
        threshold = self.rules.overtime_threshold_minutes
        if self.rng.random() < self.staying:
            return self.rng.randint(threshold + 1, self.rules.valid_after_minutes - FILING)
        return self.rng.choice((0, 0, 4, threshold, -self.rng.randint(5, 20)))

    def _works_there(self, person: str, late: bool = False, over: int = 0) -> None:
        start, end = self.other.start, self.other.end
        begin = self.rules.grace_minutes + self.rng.randint(2, 15) if late else -self.rng.randint(1, 9)
        self._report(start + dt.timedelta(minutes=begin), self.other.letter, person, "Start", None)
        minutes = self.other.scheduled_minutes + over
        self._report(
            end + dt.timedelta(minutes=over + self.rng.randint(1, 5)), self.other.letter, person, "End", minutes
        )

    def _start(self, person: str, minutes: int) -> None:
        self._report(self.shift.start + dt.timedelta(minutes=minutes), self.shift.letter, person, "Start", None)

    def _end(self, person: str, over: int, filed: int | None = None) -> None:
        """over: minutes beyond the paid time; filed: minutes after the end, by default soon after the work."""
        soon = max(over, 0) + self.rng.randint(0, FILING)
        after = soon if filed is None else filed
        minutes = self.shift.scheduled_minutes + over
        self._report(self.shift.end + dt.timedelta(minutes=after), self.shift.letter, person, "End", minutes)

    def _report(
        self, at: dt.datetime, letter: str, person: str, kind: Literal["Start", "End"], minutes: int | None
    ) -> None:
        self.reports.append((at, letter, person, kind, minutes))

    def _leave(
        self,
        person: str,
        start: dt.datetime,
        approved: dt.datetime | None,
        in_chat: bool = False,
        withdrawn: dt.datetime | None = None,
        end: dt.datetime | None = None,
    ) -> None:
        self.leaves.append(
            Leave(
                person_number=person,
                start=start,
                end=end or self.shift.end,
                requested=self.shift.start.date() - dt.timedelta(days=self.rng.randint(4, 9)),
                approved=approved,
                in_chat=in_chat,
                withdrawn=withdrawn,
            )
        )

    def _withdrawn(self, person: str) -> None:
        noted = self.shift.start - dt.timedelta(minutes=self.rng.randint(280, 400))
        self._leave(person, self.shift.start, approved=self._local(2, 10, 5), withdrawn=noted)

    def _local(self, days_before: int, hour: int, minute: int) -> dt.datetime:
        return dt.datetime.combine(self.shift.start.date() - dt.timedelta(days=days_before), dt.time(hour, minute))

    def _utc(self, local: dt.datetime) -> dt.datetime:
        return local.replace(tzinfo=ZoneInfo(self.profile.timezone)).astimezone(dt.UTC)

    def _evening_before(self) -> dt.datetime:
        return self._utc(self._local(1, 18, self.rng.randint(0, 59)))

    def _morning(self) -> dt.datetime:
        return self._utc(self.other.start - dt.timedelta(minutes=self.rng.randint(40, 59)))

    # From the day to facts

    def facts(self, wanted: Sketch, reporting: int) -> Facts:
        code, day = self.profile.code, self.shift.start
        earlier_day = day.date() - dt.timedelta(days=self.rng.randint(2, 4))
        issued = dt.datetime.combine(day.date(), dt.time(4, 40))
        earlier_issued = dt.datetime.combine(earlier_day, dt.time(11))
        earlier_source = f"MSG-{code}-ROSTER-{earlier_day:%m%d}"
        minimum = reporting + self.rng.randint(1, 2) if wanted.short else reporting - self.rng.randint(0, 1)
        objection = f"WC-{code}-{self.rng.randint(11, 89)}"
        return Facts(
            employer=self.employer,
            task=self.shift.code,
            decoy=self.other.code,
            people_channel=f"#people-{code.lower()}",
            reports_source=f"FILE-{code}-SHIFT-WORK-REPORTS",
            shifts=(self.other, self.shift),
            roster=Roster(
                source=f"FILE-{code}-SHIFT-ROSTER-{day:%m%d}",
                version=2,
                issued=issued,
                places=self._sorted(self.now),
            ),
            earlier=Roster(source=earlier_source, version=1, issued=earlier_issued, places=self._sorted(self.before)),
            earlier_mail=Sent(source=earlier_source, by="shift_supervisor", at=self._utc(earlier_issued)),
            forward=Sent(
                source=f"MSG-{code}-ROSTER-FWD",
                by="warehouse_lead",
                at=self._utc(day - dt.timedelta(minutes=self.rng.randint(60, 110))),
            ),
            objection=Sent(
                source=f"MSG-{code}-ROSTER-OBJECTION",
                by="plant_manager",
                at=self._utc(issued + dt.timedelta(minutes=self.rng.randint(200, 300))),
            ),
            objection_reference=objection,
            objection_shift=self.shift.code,
            objection_settled=not wanted.contested,
            swaps=tuple(sorted(self.swaps, key=lambda swap: (swap.proposed, swap.first))),
            leaves=tuple(sorted(self.leaves, key=lambda leave: (leave.requested, leave.person_number))),
            reports=self._numbered(),
            absences=self._absences(),
            rules=self.rules.model_copy(update={"cover_minimum": minimum}),
            workers=tuple(self.workers),
        )

    def _sorted(self, places: list[Place]) -> tuple[Place, ...]:
        return tuple(sorted(places, key=lambda place: (place.letter, place.line, place.person_number)))

    def _numbered(self) -> tuple[WorkReport, ...]:
        first = self.rng.randint(12, 88) * 100
        filed = sorted(self.reports, key=lambda one: one[:3])
        return tuple(
            WorkReport(
                number=f"WR-{first + place}", filed=at, letter=letter, person_number=person, kind=kind, minutes=minutes
            )
            for place, (at, letter, person, kind, minutes) in enumerate(filed, start=1)
        )

    def _absences(self) -> tuple[Absence, ...]:
        """What stands already: other days, none of which a booking can run into."""
        _, first = self.profile.sequences["absences"]
        kinds = [entry.code for entry in self.profile.lookups if entry.kind == "absence_type"]
        statuses = [entry.code for entry in self.profile.lookups if entry.kind == "absence_status"]
        here = [place.person_number for place in self.now if place.letter == self.shift.letter]
        there = [place.person_number for place in self.now if place.letter == self.other.letter]
        day = self.shift.start.date()
        planned = (
            (self.rng.choice(here), kinds[-1], -6, -5, statuses[-1]),
            (self.rng.choice(there), kinds[0], -4, -4, statuses[0]),
            (self.rng.choice(here), kinds[1], 4, 4, statuses[-1]),
        )
        return tuple(
            Absence(
                id=first - 20 + 6 * place,
                person_number=person,
                absence_type=kind,
                start=day + dt.timedelta(days=start),
                end=day + dt.timedelta(days=end),
                status=status,
                created=self._utc(self._local(min(6, max(1, -start)), 16, 10 + place)),
            )
            for place, (person, kind, start, end, status) in enumerate(planned)
        )


def _first(profile: TenantProfile, kind: str) -> str:
    """The first code of a kind: the absence of somebody who was not heard of, the status of what is recorded and
    open."""
    return next(entry.code for entry in profile.lookups if entry.kind == kind)
