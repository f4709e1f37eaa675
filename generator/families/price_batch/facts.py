"""The facts of a price batch: the batch on file and the earlier one, its release and correction, the pricing policies.

Present prices, units and statuses of items are the tenant's item master; nothing is repeated here.
"""

import datetime as dt
from decimal import Decimal

from generator.families.correspondence import Sent
from generator.spec.tenant import Model


class BatchLine(Model):
    """A new price of an item in an organization from a day on, per one unit `uom`."""

    line: int
    organization: str
    item: str
    uom: str
    price: Decimal
    effective: dt.date


class Batch(Model):
    """source is a Drive file id or a message id; label is how people call the batch, e.g. Q2."""

    source: str
    number: str
    label: str
    version: int
    issued: dt.date
    lines: tuple[BatchLine, ...]


class Release(Model):
    """The sign-off of a batch for one version of it."""

    mail: Sent
    version: int


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


class PricingPolicy(Model):
    """floor_factor times the cost is the lowest price. edition is the number in the policy's name."""

    mail: Sent
    name: str
    edition: int
    effective_from: dt.date
    effective_to: dt.date | None
    floor_factor: Decimal
    bands: tuple[Band, ...]
    classes: tuple[ItemClass, ...]


class Facts(Model):
    organization: str
    decoy_organization: str
    units: tuple[UnitFactor, ...]
    batch: Batch
    earlier: Batch
    earlier_mail: Sent
    forward: Sent
    release: Release
    correction: Correction | None = None
    policy: PricingPolicy
    earlier_policy: PricingPolicy
