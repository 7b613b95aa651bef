"""Notifications: everything that waits for a person. They are read from the rows that they are about, so one that is
dealt with elsewhere disappears at once.

The site stores that a person has seen something only if it needs no answer: a date of a session, a note, news of a
place at a table, changes by others (decision 066). Every page needs the number of notifications. One query finds it
together with the tables where the reader's characters sit (`AtHand`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from django.db.models import CharField, FilteredRelation, Q, QuerySet, Value

from campaigns.campaign_access import present_memberships
from campaigns.models import Seat
from campaigns.notification_kinds import KINDS, Notification
from characters.access import GUEST, ids_of, placeholder_person
from characters.people import Person
from rules.fast_sql import PLACEHOLDERS, Prepared

# After the first moment, up to and including the second.
type Span = tuple[datetime, datetime]


def notifications_of(person: Person, spans: Mapping[str, Span] | None = None) -> list[Notification]:
    """Everything that waits for them, by kind. `spans`: only these kinds, and of each only what began to wait within
    its span."""
    found: list[Notification] = []
    for name, kind in KINDS.items():
        rows = kind.rows(person)
        if spans is not None:
            if name not in spans:
                continue
            after, until = spans[name]
            rows = rows.filter(**{f"{kind.moment}__gt": after, f"{kind.moment}__lte": until})
        found += kind.listed(rows)
    return found


def is_news(person: Person, spans: Mapping[str, Span]) -> bool:
    """True if `notifications_of` would find anything. One query, since usually nothing is new."""
    moments = MOMENTS.rows(*ids_of(person))
    return any(name in spans and spans[name][0] < _in_utc(moment) <= spans[name][1] for name, moment in moments)


def _in_utc(moment: datetime | str) -> datetime:
    """A moment as the database returns it from a union: SQLite gives no zone, and text instead of a datetime."""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class OwnSeat(NamedTuple):
    """A character that a person plays at a table, with the encounter that is on there, if any."""

    character: int
    campaign: int
    name: str
    version: int
    encounter: int | None
    round: int | None
    place: int | None
    steps: int | None


@dataclass(frozen=True)
class AtHand:
    """The number of lines on the page of notifications, and the seats of a person's characters, by character."""

    number: int
    seats: dict[int, OwnSeat]


def at_hand(person: Person) -> AtHand:
    """The number of a person's notifications, and their seats, in one query; empty for a visitor who can have none."""
    rows = AT_HAND.rows(*ids_of(person)) if person.identified else []
    seats = [OwnSeat(*row) for row in rows if row[0] != NO_CHARACTER]
    return AtHand(number=len(rows) - len(seats), seats={one.character: one for one in seats})


# One query with a row for each seat, and one for each line of the page of notifications. The rows of a union must have
# the same columns, here those of OwnSeat. A line's row has NO_CHARACTER in the first; its others are not read.
NO_CHARACTER = 0
LINE = (Value(NO_CHARACTER), "pk", Value(""), *[Value(0)] * 5)


def _seats_and_lines(owner: int, guest: str) -> QuerySet:
    person = placeholder_person(owner, guest)
    lines = (kind.lines(person).order_by().values_list(*LINE) for kind in KINDS.values())
    return _own_seats(person).union(*lines, all=True).order_by()


def _own_seats(person: Person) -> QuerySet:
    mine = Seat.objects.filter(
        member__in=present_memberships(person),
        campaign__binned_at=None,
        character__binned_at=None,
    )
    on = FilteredRelation("campaign__encounters", condition=Q(campaign__encounters__ended_at=None))
    fight = ("on__pk", "on__round", "on__place", "on__steps")
    return (
        mine.annotate(on=on)
        .order_by()
        .values_list("character", "campaign", "campaign__name", "campaign__version", *fight)
    )


AT_HAND = Prepared(_seats_and_lines, PLACEHOLDERS[0], GUEST)


def _moments(owner: int, guest: str) -> QuerySet:
    person = placeholder_person(owner, guest)
    first, *others = (
        kind.rows(person).order_by().values_list(Value(name, CharField()), kind.moment) for name, kind in KINDS.items()
    )
    return first.union(*others, all=True).order_by()


MOMENTS = Prepared(_moments, PLACEHOLDERS[0], GUEST)
