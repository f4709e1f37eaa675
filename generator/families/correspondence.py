"""Mail between people of the office as facts, and the mailbox's message made of it.

In: a Sent (who wrote when, under which id) with subject and paragraphs. Out: a MailMessage to the tenant's analyst.
"""

import datetime as dt
from collections.abc import Iterable, Sequence

from generator.families import office
from generator.families.base import MailMessage
from generator.spec.tenant import Model, Tenant


class Sent(Model):
    """source is the message id, by the writer's role in the profile, at the moment in UTC."""

    source: str
    by: str
    at: dt.datetime


def message(tenant: Tenant, sent: Sent, subject: str, paragraphs: Iterable[str]) -> MailMessage:
    """The message, signed by its writer. Raises KeyError for a role the tenant does not have."""
    writer = tenant.profile.person(sent.by)
    analyst = tenant.profile.person("analyst").email
    return office.mail(sent.source, writer.email, analyst, subject, sent.at, paragraphs, (writer.name, writer.title))


def mail_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as people paste it into mail: a line a row, cells parted by bars."""
    return "\n".join(" | ".join(str(cell) for cell in row) for row in (header, *rows))
