"""The facts of a shift's roll-up: shifts, the roster in force and the earlier one, swaps, leave, work reports, rules.

Moments on the shop floor (shift times, leave, reports, a roster's issue) are local times of the site without a zone;
moments of mail and chat are UTC.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal

from generator.families.correspondence import Sent
from generator.families.staff import Worker
from generator.spec.tenant import Model


class Shift(Model):
    """A shift belongs to the day on which it starts, whenever it ends. break_minutes are unpaid."""

    code: str
    letter: str
    start: dt.datetime
    end: dt.datetime
    break_minutes: int

    @property
    def scheduled_minutes(self) -> int:
        """Paid minutes of the shift."""
        return int((self.end - self.start).total_seconds()) // 60 - self.break_minutes


class Place(Model):
    """A person's place on a roster; letter is the shift's."""

    person_number: str
    letter: str
    line: str


class Roster(Model):
    source: str
    version: int
    issued: dt.datetime
    places: tuple[Place, ...]


class Swap(Model):
    """Two persons who change places for the day; confirmed is None while the supervisor has not said so."""

    first: str
    second: str
    proposed: dt.datetime
    confirmed: dt.datetime | None = None


class Leave(Model):
    """Leave on the leave sheet; approved is None while it is open. in_chat: the approval came in the channel.

    approved and withdrawn are local; withdrawn is when the supervisor noted in the channel that the leave is not taken.
    """

    person_number: str
    start: dt.datetime
    end: dt.datetime
    requested: dt.date
    approved: dt.datetime | None = None
    in_chat: bool = False
    withdrawn: dt.datetime | None = None


class WorkReport(Model):
    """minutes are those worked, breaks left out, as the end report states them."""

    number: str
    filed: dt.datetime
    letter: str
    person_number: str
    kind: Literal["Start", "End"]
    minutes: int | None = None


class Absence(Model):
    """An absence that stands in the system before the roll-up."""

    id: int
    person_number: str
    absence_type: str
    start: dt.date
    end: dt.date
    status: str
    created: dt.datetime


class Rules(Model):
    """What the roll-up goes by. Valid reports: filed from before to after minutes around the shift, ends included."""

    grace_minutes: int
    valid_before_minutes: int
    valid_after_minutes: int
    overtime_threshold_minutes: int
    overtime_step_minutes: int
    overtime_rounding: Literal["down", "nearest"] = "down"
    cover_minimum: int
    absence_type: str
    absence_status: str

    @property
    def overtime_step_hours(self) -> Decimal:
        return Decimal(self.overtime_step_minutes) / 60


class Facts(Model):
    """task and decoy are shift codes.

    objection: the message on a works council's objection to the roster, where there is one; objection_reference is its
    number, objection_shift the shift that it concerns, and it is settled where the council has taken it back.
    """

    employer: str
    task: str
    decoy: str
    people_channel: str
    reports_source: str
    shifts: tuple[Shift, ...]
    roster: Roster
    earlier: Roster
    earlier_mail: Sent
    forward: Sent
    objection: Sent | None = None
    objection_reference: str = ""
    objection_shift: str = ""
    objection_settled: bool = False
    swaps: tuple[Swap, ...]
    leaves: tuple[Leave, ...]
    reports: tuple[WorkReport, ...]
    absences: tuple[Absence, ...]
    rules: Rules
    workers: tuple[Worker, ...]

    def roster_of(self, source: str) -> Roster:
        for roster in (self.roster, self.earlier):
            if roster.source == source:
                return roster
        raise KeyError(f"no roster {source}")

    def contested(self, roster: Roster, shift: str) -> bool:
        """An open objection stands against the roster in force for this shift."""
        return (
            self.objection is not None
            and not self.objection_settled
            and roster is self.roster
            and shift == self.objection_shift
        )

    def shift(self, code: str) -> Shift:
        for shift in self.shifts:
            if shift.code == code:
                return shift
        raise KeyError(f"no shift {code}")
