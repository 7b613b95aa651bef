"""The next session: its date set, moved and called off by who runs the table."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone

from campaigns.campaign_access import changing, row_of
from campaigns.models import Campaign, DateSeen, Member, SessionDate
from campaigns.roles import RUN, SEE
from characters.change.refusals import Refused, StalePage
from characters.people import Person

FURTHEST = timedelta(days=730)
LONGEST = timedelta(days=1)
NOT_CALLED_OFF = "Someone else has set the session in the meantime. Read it here. To call it off, press again."
CALLED_OFF = "The session shown here is over, or was called off in the meantime. Save again to set a new one."


def next_dates(campaigns: Iterable[Campaign], now: datetime | None = None) -> dict[int, SessionDate]:
    """By campaign, the first date that is not over yet, where one is set."""
    now = now or timezone.now()
    lately = SessionDate.objects.filter(campaign__in=campaigns, at__gt=now - LONGEST).select_related("campaign")
    return {date.campaign_id: date for date in reversed(lately) if date.ends_at > now}


def next_of(campaign: Campaign, now: datetime | None = None) -> SessionDate | None:
    """The date that is not over yet; None if none is set."""
    return next_dates([campaign], now).get(campaign.pk)


def schedule(pk: int, person: Person, *, at: datetime, minutes: int, place: str, saw: str | None = None) -> SessionDate:
    """Set the next session. A date that is set already and not over is moved.

    saw: the stamp of the date that the form showed, "" for none. If someone has set another since, it stays.
    """
    with changing(pk, person, RUN) as member:
        campaign = member.campaign
        now = timezone.now()
        date = next_of(campaign, now) or SessionDate(campaign=campaign, moved=-1)
        if at != date.at and not now < at < now + FURTHEST:  # the place of a session in progress may change
            raise Refused(
                "That time has already passed." if at <= now else "That is more than two years ahead.", "date"
            )
        if (date.at, date.minutes, date.place) != (at, minutes, place):
            if saw not in (None, date.stamp if date.pk else ""):
                raise StalePage() if date.pk else StalePage(CALLED_OFF)
            date.at, date.minutes, date.place, date.moved = at, minutes, place, date.moved + 1
            date.save()
            _seen(date, member, date.moved)
    return date


def note_seen(pk: int, person: Person, number: int, moved: int) -> None:
    """A member has seen this date as it was after this many moves. An older page changes nothing; Http404 if the table
    has no such date."""
    with changing(pk, person, SEE) as member:
        date = row_of(SessionDate.objects.filter(campaign=pk), number)
        _seen(date, member, min(moved, date.moved))


def _seen(date: SessionDate, member: Member, moved: int) -> None:
    row, _ = DateSeen.objects.get_or_create(date=date, member=member, defaults={"moved": moved})
    if row.moved < moved:
        row.moved = moved
        row.save()


def call_off(pk: int, person: Person, *, saw: str | None = None) -> None:
    """Cancel the next session, if it is still the one that the form showed (`saw`, as in `schedule`). Repeating it
    changes nothing."""
    with changing(pk, person, RUN) as member:
        date = next_of(member.campaign)
        if date is not None:
            if saw not in (None, date.stamp):
                raise StalePage(NOT_CALLED_OFF)
            date.delete()


def _one_line(text: str) -> str:
    """A name or place on one line. Older rows may still contain a line break, which would end the line of the file."""
    return " ".join(text.split())


def as_calendar(date: SessionDate) -> bytes:
    """The date as a calendar file, with its moments in UTC; the reader's calendar shows them in their own zone.

    Its id is made with the site's own address, so that it is the same entry however it got into the calendar.
    """
    # Imported here: loading it reads all time zones, which would be a sixth of the startup time of every command.
    from icalendar import Calendar, Event

    event = Event()
    event.add("uid", f"session-{date.pk}@{urlsplit(settings.SITE_URL).hostname}")
    event.add("sequence", date.moved)
    event.add("dtstamp", date.changed_at)
    event.add("dtstart", date.at)
    event.add("dtend", date.ends_at)
    event.add("summary", _one_line(date.campaign.name))
    event.add("url", f"{settings.SITE_URL}{date.campaign.get_absolute_url()}")
    if date.place:
        event.add("location", _one_line(date.place))
    calendar = Calendar()
    calendar.add("prodid", "-//Polyhedral//Sessions//EN")
    calendar.add("version", "2.0")
    calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text
