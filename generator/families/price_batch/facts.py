"""The facts of a price batch: the batch on file and the earlier one, its release and correction, the pricing policies.

Present prices, units and statuses of items are the tenant's item master; nothing is repeated here. Prices that stand
for later dates are the family's own, since no other family needs them.
"""

import datetime as dt
from decimal import Decimal

from pydantic import model_validator

from generator.families.correspondence import Sent
from generator.spec.tenant import Model


class BatchLine(Model):
    """A new price of an item in an organization from a day on, per one unit `uom`; or its change in percent."""

    line: int
    organization: str
    item: str
    uom: str
    price: Decimal | None = None
    change: Decimal | None = None
    effective: dt.date

    @model_validator(mode="after")
    def _price_or_change(self) -> "BatchLine":
        if (self.price is None) == (self.change is None):
            raise ValueError(f"line {self.line} has either a price or a change in percent")
        return self


class Batch(Model):
    """source is a Drive file id or a message id; label is how people call the batch, e.g. Q2.

    currency None is the ledger's.
    """

    source: str
    number: str
    label: str
    version: int
    issued: dt.date
    currency: str | None = None
    lines: tuple[BatchLine, ...]


class Release(Model):
    """The sign-off of a batch for one version of it."""

    mail: Sent
    version: int


class StandingPrice(Model):
    """A price that the system holds already for a later date."""

    organization: str
    item: str
    effective: dt.date
    price: Decimal


class Correction(Model):
    """Lines of the batch on file that its owner took back."""

    mail: Sent
    withdrawn: tuple[int, ...]
    reason: str


class UnitFactor(Model):
    """One unit of uom is `pieces` of the item's own unit."""

    uom: str
    pieces: int


class Band(Model):
    """Changes of up to and including percent, up or down, are allowed for the class."""

    price_class: str
    percent: Decimal


class ItemClass(Model):
    organization: str
    item: str
    price_class: str
    cost: Decimal


class Rate(Model):
    """One unit of the currency is `rate` of the ledger's."""

    currency: str
    rate: Decimal


class PricingPolicy(Model):
    """edition is the number in the policy's name.

    floor_factor: times the cost it is the lowest price.
    step: entered prices are rounded half up to a multiple of it; 0.0001 is what the system can hold.
    needs_release: only a released version is entered; otherwise the one on file is.
    keeps_standing: a price that the system holds for the same day stays, and the line gives way to it.
    """

    mail: Sent
    name: str
    edition: int
    effective_from: dt.date
    effective_to: dt.date | None
    floor_factor: Decimal
    bands: tuple[Band, ...]
    classes: tuple[ItemClass, ...]
    step: Decimal = Decimal("0.0001")
    rates: tuple[Rate, ...] = ()
    needs_release: bool = True
    keeps_standing: bool = False


class Facts(Model):
    """release is for all organizations; where decoy_release says what is released for the decoy's, for the task's."""

    organization: str
    decoy_organization: str
    units: tuple[UnitFactor, ...]
    batch: Batch
    earlier: Batch
    earlier_mail: Sent
    forward: Sent
    release: Release
    decoy_release: Release | None = None
    correction: Correction | None = None
    standing: tuple[StandingPrice, ...] = ()
    policy: PricingPolicy
    earlier_policy: PricingPolicy
