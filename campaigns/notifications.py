"""Notifications: what waits for a person, read from the rows that say so, so that what is done elsewhere is gone here.

Only a date of a session keeps who has seen it (`DateSeen`); what others changed of a character has its own (058).
Every page asks how many there are, and with the same query where its reader's characters sit (`AtHand`).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import CharField, Exists, FilteredRelation, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now

from campaigns.campaign_access import is_person
from campaigns.models import Agreement, DateSeen, Member, Pairing, Purchase, Seat, SessionDate
from campaigns.shown_purchases import waiting_for
from characters.access import GUEST, answered_by, ids_of, marked, owned_by
from characters.actions.proposals import asks_for_roll
from characters.models import Character, Proposal, waiting
from characters.models.character import UNNAMED
from characters.people import Person
from characters.unseen import is_unseen, told_of
from rules.fast_sql import MARKS, Prepared

MOST = 200  # of each kind, on the page


# After the first moment, up to the second.
type Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Kind:
    """Things of one kind that wait for a person; each has begun to at its moment. `shown` are they as the page lists
    them."""

    rows: Callable[[Person], QuerySet]
    moment: str
    shown: Callable[[QuerySet], list[Any]]


@dataclass(frozen=True)
class Asked:
    """A character and how many of a kind wait for its player."""

    pk: int
    name: str
    many: int


@dataclass(frozen=True)
class Notifications:
    """All that waits for a person, by kind."""

    rolls: list[Asked]
    proposals: list[Asked]
    pairings: list[Pairing]
    purchases: list[Purchase]
    dates: list[SessionDate]
    changed: list[Asked]

    def __bool__(self) -> bool:
        return any(getattr(self, kind) for kind in KINDS)


def notifications_of(person: Person, spans: Mapping[str, Span] | None = None) -> Notifications:
    """All that waits for them; with `spans` only of those kinds, and only what has begun to wait within the span."""
    found: dict[str, list[Any]] = dict.fromkeys(KINDS, [])
    for name in KINDS if spans is None else spans:
        kind = KINDS[name]
        rows = kind.rows(person)
        if spans is not None:
            after, until = spans[name]
            rows = rows.filter(**{f"{kind.moment}__gt": after, f"{kind.moment}__lte": until})
        found[name] = kind.shown(rows)
    return Notifications(**found)


def is_news(person: Person, spans: Mapping[str, Span]) -> bool:
    """True if that would find anything: in one query, for the many times that it would not."""
    for name, moment in MOMENTS.rows(*ids_of(person)):
        at = _in_utc(moment)
        if name in spans and spans[name][0] < at <= spans[name][1]:
            return True
    return False


def _in_utc(moment: datetime | str) -> datetime:
    """A moment as a database tells it: SQLite without a zone, and the first of several as text."""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class OwnSeat(NamedTuple):
    """A character that a person plays at a table, and the encounter that is on there: None where none is."""

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
    """The number of lines on the page of notifications, and the seats of a person's characters, by the character."""

    number: int
    seats: dict[int, OwnSeat]


def at_hand(person: Person) -> AtHand:
    """In one query; none for who could not have any."""
    rows = [OwnSeat(*row) for row in AT_HAND.rows(*ids_of(person))] if person.identified else []
    seats = {one.character: one for one in rows if one.character != NOTHING}
    return AtHand(len(rows) - len(seats), seats)


NOTHING = 0  # in place of a character, in the line of a notification


def _rows(owner: int, guest: str) -> QuerySet:
    person = marked(owner, guest)
    asked = Proposal.objects.filter(waiting(), character=OuterRef("pk"))
    played = Character.objects.filter(answered_by(person))
    found = (
        played.filter(Exists(asked.filter(asks_for_roll()))),
        played.filter(Exists(asked.exclude(asks_for_roll()))),
        _pairings(person),
        waiting_for(person),
        _dates(person),
        Character.objects.filter(owned_by(person), is_unseen(person), binned_at=None),
    )
    lines = (one.order_by().values_list(*LINE) for one in found)
    return _own_seats(person).union(*lines, all=True).order_by()


LINE = (Value(NOTHING), "pk", Value(""), *[Value(0)] * 5)


def _own_seats(person: Person) -> QuerySet:
    mine = Seat.objects.filter(
        member__in=Member.objects.filter(is_person(person), gone_at=None),
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


AT_HAND = Prepared(_rows, MARKS[0], GUEST)


def _moments(owner: int, guest: str) -> QuerySet:
    person = marked(owner, guest)
    first, *others = (
        kind.rows(person).order_by().values_list(Value(name, CharField()), kind.moment) for name, kind in KINDS.items()
    )
    return first.union(*others, all=True).order_by()


MOMENTS = Prepared(_moments, MARKS[0], GUEST)


def _proposed(person: Person) -> QuerySet:
    return Proposal.objects.filter(waiting(), character__in=Character.objects.filter(answered_by(person)))


def _by_character(proposed: QuerySet) -> list[Asked]:
    found = proposed.order_by("character__name", "character").values_list("character", "character__name")[:MOST]
    return [Asked(pk, name or UNNAMED, many) for (pk, name), many in Counter(found).items()]


def _changed(told: QuerySet) -> list[Asked]:
    found = told.order_by("-newest", "character")[:MOST]
    return [Asked(row["character"], row["character__name"] or UNNAMED, row["many"]) for row in found]


def _by_date(dates: QuerySet) -> list[SessionDate]:
    return list(dates.select_related("campaign").order_by("at", "pk")[:MOST])


def _by_table(*related: str) -> Callable[[QuerySet], list[Any]]:
    return lambda found: list(found.select_related("campaign", *related).order_by("campaign__name", "pk")[:MOST])


def _dates(person: Person) -> QuerySet:
    """The dates to come, at this person's tables, that they have not seen as they are now."""
    me: dict[str, Any] = {"campaign": OuterRef("campaign"), "gone_at": None}
    seen = DateSeen.objects.filter(
        member__in=Member.objects.filter(is_person(person)), date=OuterRef("pk"), moved=OuterRef("moved")
    )
    return SessionDate.objects.filter(
        Exists(Member.objects.filter(is_person(person), **me)),
        ~Exists(seen),
        at__gt=Now(),
        campaign__binned_at=None,
        campaign__archived_at=None,
    )


def _pairings(person: Person) -> QuerySet:
    """The relationships that wait for this person's word, at tables where both characters are played."""

    def waits(side: str, other: str) -> Q:
        mine = Member.objects.filter(is_person(person), gone_at=None)
        played = Seat.objects.filter(campaign=OuterRef("campaign"), character__binned_at=None, member__gone_at=None)
        said = Agreement.objects.filter(pairing=OuterRef("pk"), character=OuterRef(side))
        return (
            Q(Exists(played.filter(character=OuterRef(side), member__in=mine)))
            & Q(Exists(played.filter(character=OuterRef(other), member__isnull=False)))
            & ~Q(Exists(said))
        )

    return Pairing.objects.filter(
        waits("first", "second") | waits("second", "first"),
        declined_at=None,
        withdrawn_at=None,
        campaign__binned_at=None,
    )


# By the fields of `Notifications`. Changes by others after the first that is unseen are no news of their own.
KINDS = {
    "rolls": Kind(lambda person: _proposed(person).filter(asks_for_roll()), "made_at", _by_character),
    "proposals": Kind(lambda person: _proposed(person).exclude(asks_for_roll()), "made_at", _by_character),
    "pairings": Kind(_pairings, "made_at", _by_table("first", "second")),
    "purchases": Kind(waiting_for, "made_at", _by_table("buyer")),
    "dates": Kind(_dates, "changed_at", _by_date),
    "changed": Kind(told_of, "oldest", _changed),
}
