"""Notifications by mail for people who chose them: everything that still waits after ten minutes, each thing once
(decision 072).

Nothing is stored when something happens. Once a minute, each process looks for things that wait, as the page of
notifications does, and queues emails about them.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaigns.notification_kinds import Notification
from campaigns.notifications import Span, is_news, notifications_of
from campaigns.verbs.session_dates import as_calendar
from characters.access import answered_by
from characters.models import Change, Character
from characters.people import Person

from .models import MailChoice

LOG = logging.getLogger(__name__)

SETTLES = timedelta(minutes=10)  # people see newer things on the site, or settle them at the table
APART = timedelta(hours=1)  # between two “soon” emails, so nobody gets more than 24 a day
HOUR = time(8)  # of the daily email, in the site's time zone
MOST = 20  # things in one email
AT_ONCE = 100  # emails per minute
SIGNER = Signer(salt="polyhedral_site.notification_mail")


def write_due() -> int:
    """Queue the emails that are due, AT_ONCE at most. Returns their number."""
    now, written = timezone.now(), 0
    for when in MailChoice.WHEN:
        for user in reachable().filter(pk__in=due(when, now).values("user")).order_by("pk"):
            try:
                written += write_to(user, when, now)
            except (InterfaceError, OperationalError):  # the database is away, so the others would fail, too
                raise
            except Exception:  # an account's failure must not stop the others' mail
                LOG.exception("The notifications of an account could not be mailed.")
            if written == AT_ONCE:
                return written
    return written


def reachable() -> QuerySet:
    """Accounts with a confirmed main address, annotated as `address`."""
    main = {"emailaddress__primary": True, "emailaddress__verified": True, "is_active": True}
    return get_user_model().objects.filter(**main).annotate(address=F("emailaddress__email"))


def due(when: str, now: datetime) -> QuerySet:
    """The choices for which an email may be written now, each with the moment `after` which something is news."""
    until = until_of(when, now)
    found = MailChoice.objects.filter(when=when).annotate(after=Coalesce("told", "since")).filter(after__lt=until)
    return found.filter(Q(told=None) | Q(told__lte=until - APART)) if when == MailChoice.SOON else found


def until_of(when: str, now: datetime) -> datetime:
    """The moment up to which an email written now has the news."""
    settled = timezone.localtime(now - SETTLES)
    if when == MailChoice.SOON:
        return settled
    day = settled.date() if settled.time() >= HOUR else settled.date() - timedelta(days=1)
    return timezone.make_aware(datetime.combine(day, HOUR))


def write_to(user: AbstractBaseUser, when: str, now: datetime) -> bool:
    """Queue an email to this person; False if there is no news. The email and the moment up to which it has the news
    are stored in one transaction, under a lock, so that only one of several processes writes it."""
    person = Person(user)
    if not is_news(person, spans_of(user, when, now)) or (when == MailChoice.SOON and plays(person, now)):
        return False
    with changing(user.pk):
        spans = spans_of(user, when, now)
        found = notifications_of(person, spans)
        MailChoice.objects.filter(user=user, kind__in=spans).update(told=until_of(when, now))
        if found:
            letter(user, found).send()
    return bool(found)


def spans_of(user: AbstractBaseUser, when: str, now: datetime) -> dict[str, Span]:
    """The kinds that are due, each with the two moments between which something is news."""
    until = until_of(when, now)
    return {kind: (after, until) for kind, after in due(when, now).filter(user=user).values_list("kind", "after")}


@contextmanager
def changing(user: int) -> Iterator[None]:
    """A transaction with a lock on this account's choices. Other rows that refer to the account may still be
    written."""
    with transaction.atomic():
        list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user).values_list("pk"))
        yield


def plays(person: Person, now: datetime) -> bool:
    """True if this person has been active at a table within the last hour."""
    lately = now - APART
    played = Character.objects.filter(answered_by(person), changed_at__gt=lately)
    return Change.objects.filter(character__in=played, actor=person.user, at__gt=lately).exists()


def letter(user: AbstractBaseUser, waiting: Sequence[Notification]) -> EmailMessage:
    """The email about these notifications: names and numbers, as on their page, but no secrets."""
    first, many = waiting[0], len(waiting)
    address = settings.SITE_URL + reverse("unsubscribe", args=[SIGNER.sign(user.pk)])
    context = {
        "lines": [(line_of(one), settings.SITE_URL + one.path) for one in waiting[:MOST]],
        "more": max(0, many - MOST),
        "site": settings.SITE_URL,
        "host": urlsplit(settings.SITE_URL).netloc,
        "unsubscribe": address,
    }
    subject = line_of(first) if many == 1 else f"{many} things are waiting for you"
    dates = [one.date for one in waiting if one.date]
    return EmailMessage(
        f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}",
        render_to_string("account/email/notifications_message.txt", context),
        to=[user.address],
        headers={
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{address}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        attachments=[
            (date.campaign.file_name("session.ics"), as_calendar(date).decode(), "text/calendar")
            for date in dates[:MOST]
        ],
    )


def line_of(one: Notification) -> str:
    """The notification on one line, without line breaks from names."""
    return " ".join(f"{one.about}: {one.words}".split())


def choose(user: AbstractBaseUser, wanted: Mapping[str, str]) -> None:
    """Store the choices. wanted: kind -> when it is mailed. An unchanged choice keeps its `told`."""
    with changing(user.pk):
        MailChoice.objects.filter(user=user).exclude(kind__in=list(wanted)).delete()
        for kind, when in wanted.items():
            MailChoice.objects.update_or_create(user=user, kind=kind, defaults={"when": when})


def stop(user: int) -> None:
    """End all notifications by mail for the account with this id."""
    with changing(user):
        MailChoice.objects.filter(user=user).delete()


def recipient(signed: str) -> int | None:
    """The id of the account whose email has this link; None for a forged link."""
    try:
        return int(SIGNER.unsign(signed))
    except BadSignature:
        return None
