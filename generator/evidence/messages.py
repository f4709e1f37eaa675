"""Mail files and log files.

In: a Mail or Log body. Out: the bytes of an .eml as mail programs keep it (CRLF, UTF-8 body as it stands, encoded
words in headers) or of a .log (one event a line).
"""

from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from generator.evidence.model import Document, Log, Mail
from generator.evidence.values import iso_z, utc
from generator.spec.errors import EvidenceError

LONGEST_LINE = 998
"""Octets that RFC 5322 allows in a line; longer ones are sent quoted-printable."""


def mail_text(mail: Mail) -> str:
    """From, To, Subject, an empty line and the body, as the mailbox shows the message."""
    return f"From: {mail.sender}\nTo: {mail.recipient}\nSubject: {mail.subject}\n\n{mail.body}"


def transfer_encoding(body: str) -> str:
    """7bit or 8bit where lines are short enough, else quoted-printable."""
    if max((len(line.encode()) for line in body.splitlines()), default=0) > LONGEST_LINE:
        return "quoted-printable"
    return "7bit" if body.isascii() else "8bit"


def eml_bytes(document: Document, mail: Mail) -> bytes:
    """The message. Raises EvidenceError for a date without a zone, or a header that would not be one line."""
    headers = {
        "From": mail.sender,
        "To": mail.recipient,
        "Subject": mail.subject,
        "Date": format_datetime(utc(document, mail.date).replace(microsecond=0)),
        "Message-ID": mail.message_id,
    }
    message = EmailMessage(policy=SMTP.clone(header_factory=HeaderRegistry()))
    for name, value in headers.items():
        if any(ord(character) < 32 for character in value):
            raise EvidenceError(f"{document.name}: {name}: expected one line, came {value!r}")
        message[name] = value
    # MIME-Version is set by set_content, after the headers above.
    message.set_content(mail.body, charset="utf-8", cte=transfer_encoding(mail.body))
    return message.as_bytes()


def log_text(document: Document, log: Log) -> str:
    """One line an event. Raises EvidenceError for a moment without a zone, or an event of more than one line."""
    return "".join(f"{iso_z(utc(document, at))} {code} {_line(document, text)}\n" for at, code, text in log.events)


def _line(document: Document, text: str) -> str:
    if any(ord(character) < 32 for character in text):
        raise EvidenceError(f"{document.name}: expected an event of one line, came {text!r}")
    return text


def log_bytes(document: Document, log: Log) -> bytes:
    """The log as UTF-8."""
    return log_text(document, log).encode()
