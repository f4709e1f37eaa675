"""How a tenant's office writes dates, amounts and mails, for the documents of all families.

In: the tenant's profile and plain values. Out: the text of a date or amount in the office's form, and mail messages.
Mails and chat write dates in ISO form, filed documents in the form of the office's habits.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal

from generator.evidence.model import Column, Style
from generator.evidence.values import show_date, show_number
from generator.families.base import MailMessage
from generator.spec.tenant import Model, TenantProfile


class Contact(Model):
    """Somebody who writes but has no role in the profile: a customer's clerk, a quality engineer."""

    name: str
    title: str
    email: str


def style(profile: TenantProfile) -> Style:
    habits = profile.habits
    return Style(habits.dates, habits.decimal_comma, habits.csv_delimiter, habits.paper)


def day(profile: TenantProfile, value: dt.date) -> str:
    """The date as filed documents of the office have it."""
    return show_date(value, profile.habits.dates)


def count(profile: TenantProfile, value: int) -> str:
    """A quantity, grouped by thousands."""
    return show_number(value, Column("", "integer"), style(profile), "page")


def number(profile: TenantProfile, value: Decimal, places: int = 2) -> str:
    """A price or an amount without its currency; more places when the value has more."""
    return show_number(value, Column("", "money", decimals=places), style(profile), "page")


def money(profile: TenantProfile, value: Decimal) -> str:
    """An amount with its currency, e.g. USD 1,250.00."""
    return f"{profile.currency} {number(profile, value)}"


def percent(profile: TenantProfile, value: Decimal) -> str:
    """A rate as people write it: 2 %, 1.5 %."""
    return f"{number(profile, value.normalize() if value else Decimal(0), places=0)} %"


def in_words(parts: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def filed_in_force(profile: TenantProfile) -> dt.datetime:
    """When Drive last took in the documents in force: 06:00 UTC on the day of as_of."""
    return profile.as_of.astimezone(dt.UTC).replace(hour=6, minute=0, second=0, microsecond=0)


def mail(
    id: str,
    sender: str,
    recipient: str,
    subject: str,
    date: dt.datetime,
    paragraphs: Iterable[str],
    sign: Sequence[str],
) -> MailMessage:
    """A message that opens its own thread: paragraphs with an empty line between them, then the signature."""
    body = "\n\n".join([*paragraphs, "\n".join(sign)])
    return MailMessage(
        id=id, thread=f"THREAD-{id}", sender=sender, recipient=recipient, subject=subject, date=date, body=body
    )


def numbered(sentences: Iterable[str]) -> str:
    """Sentences as a numbered list within a mail's paragraph."""
    return "\n".join(f"{place}. {sentence}" for place, sentence in enumerate(sentences, 1))


def listing(entries: Iterable[str]) -> str:
    """The lines of a list within a mail's paragraph."""
    return "\n".join(f"- {entry}" for entry in entries)
