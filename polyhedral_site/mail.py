"""Mail waits in the database and is sent by a separate thread, so that no request waits for a mail server.

A request puts a row in the queue. Each server process has one sender, which claims a due row, sends it and deletes it.
Once a minute, it also writes the notifications that are due (decision 072). Decision 020 says why this is not left to a
library.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import Message
from email.policy import EmailPolicy, Policy, default
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailAttachment, EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import Error, close_old_connections
from django.db.models import F
from django.utils import timezone

from .models import QueuedMail
from .notification_mail import write_due

LOG = logging.getLogger(__name__)

RETRIES = (1, 5, 15, 60, 180, 360)  # minutes after each failed try; after the last try, the row is deleted
HELD = timedelta(minutes=15)  # longer than one try can take, with 30 seconds for each reply of the mail server
LOOK, AFTER_AN_OUTAGE = 2, 60  # seconds until the sender looks for mail again
WRITE = 60  # seconds between looks for notifications to mail
AT_ONCE = 50


class UnfoldedHeader(UnstructuredHeader, BaseHeader):
    """A header that stays on one line. Python would fold a long one into encoded words, which breaks an address."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


WHOLE = HeaderRegistry()
WHOLE.map_to_type("list-unsubscribe", UnfoldedHeader)


class Letter(EmailMessage):
    def message(self, *, policy: "EmailPolicy[Any]" = default) -> Message:
        return super().message(policy=policy.clone(header_factory=WHOLE))


class Queue(BaseEmailBackend):
    """The mailer `default`: puts everything that the site sends into the queue, one row for each recipient."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        QueuedMail.objects.bulk_create(row for message in messages for row in rows_of(message))
        return len(messages)


def rows_of(message: EmailMessage) -> Iterator[QueuedMail]:
    texts = [one for one in message.attachments if isinstance(one, EmailAttachment) and isinstance(one.content, str)]
    if getattr(message, "alternatives", None) or len(texts) < len(message.attachments):
        raise ValueError("The queue keeps plain text only: no HTML, and attachments of text.")
    for recipient in message.recipients():
        yield QueuedMail(
            sender=message.from_email,
            recipient=recipient,
            subject=str(message.subject),
            body=str(message.body),
            headers=dict(message.extra_headers),
            attachments=[list(one) for one in texts],
        )


def send_due(ended: threading.Event | None = None) -> None:
    """Try to send each email that is due, until the event `ended` is set."""
    for mail in QueuedMail.objects.filter(due__lte=timezone.now()).order_by("due")[:AT_ONCE]:
        if ended and ended.is_set():
            return
        if claim(mail):
            send(mail)


def claim(mail: QueuedMail) -> bool:
    """True if this sender may try to send it. If several senders have read the same row, only the first finds `due`
    unchanged.

    If the process dies before sending, the claim expires and another sender tries.
    """
    row = QueuedMail.objects.filter(pk=mail.pk, due=mail.due)
    return row.update(due=timezone.now() + HELD, tries=F("tries") + 1) == 1


def send(mail: QueuedMail) -> None:
    try:
        message = Letter(mail.subject, mail.body, mail.sender, [mail.recipient], headers=mail.headers)
        for name, text, kind in mail.attachments:
            message.attach(name, text, kind)
        message.send(using="server")
    except Exception as error:  # servers, networks and addresses can fail in many ways
        try_later(mail, error)
    else:
        mail.delete()


def try_later(mail: QueuedMail, error: Exception) -> None:
    # The log gets neither the address nor the server's reply, which may contain it.
    domain, tries = mail.recipient.rpartition("@")[2], mail.tries + 1
    reason = f"{type(error).__name__} {code_of(error)}".strip()
    if tries > len(RETRIES):
        mail.delete()
        LOG.error("An email to %s was given up after %d tries: %s.", domain, tries, reason)
        return
    minutes = RETRIES[tries - 1]
    QueuedMail.objects.filter(pk=mail.pk).update(due=timezone.now() + timedelta(minutes=minutes))
    LOG.warning("An email to %s could not be sent: %s. Next try in %d min.", domain, reason, minutes)


def code_of(error: Exception) -> int | str:
    """The code of the mail server's reply; "" if there was none."""
    if isinstance(error, SMTPRecipientsRefused):  # has a reply for each recipient, here the only one
        ((code, _),) = error.recipients.values()
        return code
    return getattr(error, "smtp_code", "")


class Sender:
    """The thread that sends due mail. It ends when the process does, at the latest."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, name="mail", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def end(self) -> None:
        """Wait a moment for the email that is being sent. If it takes longer, its claim expires."""
        self.ended.set()
        self.thread.join(2)

    def run(self) -> None:
        pause, written = LOOK, time.monotonic()
        while not self.ended.wait(pause):
            pause = LOOK
            close_old_connections()
            try:
                send_due(self.ended)
                if time.monotonic() - written >= WRITE:
                    written = time.monotonic()
                    write_due()
            except Error as error:
                LOG.warning("The queue of emails cannot be reached: %s", str(error).partition("\n")[0])
                pause = AFTER_AN_OUTAGE
            except Exception:
                LOG.exception("The sender of emails failed.")
                pause = AFTER_AN_OUTAGE
