"""The news that streams carry, and its readers: the number each thing has now, and nothing of its content."""

from collections.abc import Collection
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.campaign_access import memberships, sitters_of
from characters.access import PLAY, holders_of, playable_by, visible_to
from characters.actions.proposals import numbers_of
from characters.grants import Holder
from characters.models import Character
from characters.people import Person
from characters.read.versions import version_number

MOST_AT_FIRST = 1000  # of the characters that somebody may see, those that moved last
AT_ONCE = 500  # rows asked for in one query


class News(NamedTuple):
    """`thing` has this number now, and these people may know."""

    thing: str
    number: str
    people: set[Holder]


class Reader(NamedTuple):
    """The person who opened a stream, with their session and its mark at that time."""

    user: int | None
    guest: str
    session: str
    mark: int = 0

    @property
    def names(self) -> list[Holder]:
        """By which things are theirs."""
        return [(self.user, "")] * (self.user is not None) + [(None, self.guest)] * bool(self.guest)


def news_of(things: Collection[str]) -> list[News]:
    """The numbers of what has moved, with those who may know of it at this moment."""
    moved: dict[str, list[int]] = {"character": [], "campaign": [], "proposals": []}
    for thing in things:
        kind, _, pk = thing.partition(" ")
        moved[kind].append(int(pk))
    found: list[News] = []
    if moved["character"]:
        readers = holders_of(moved["character"])
        found += [News(f"character {one.pk}", version_number(one), people) for one, people in readers]
    if moved["campaign"]:
        sitters = sitters_of(moved["campaign"])
        found += [News(f"campaign {one.pk}", str(one.version), people) for one, people in sitters]
    if moved["proposals"]:
        players = holders_of(moved["proposals"], PLAY)
        numbers = numbers_of([one.pk for one, _ in players])
        found += [News(f"proposals {one.pk}", numbers.get(one.pk, ""), people) for one, people in players]
    return found


def all_of(reader: Reader) -> dict[str, str]:
    """The number of everything that somebody may watch."""
    person = Person(reader.user and get_user_model()(pk=reader.user), reader.guest)
    seen = Character.objects.filter(visible_to(person)).only("version", "changed_at").order_by("-changed_at", "pk")
    characters = {f"character {one.pk}": version_number(one) for one in seen[:MOST_AT_FIRST]}
    tables = [one.campaign for one in memberships(person) if one.campaign.binned_at is None]
    played = Character.objects.filter(playable_by(person), proposals__isnull=False).distinct()[:MOST_AT_FIRST]
    proposals = {f"proposals {pk}": number for pk, number in numbers_of([one.pk for one in played.only("pk")]).items()}
    return characters | proposals | {f"campaign {one.pk}": str(one.version) for one in tables}


def reader_of(person: Person, session: str) -> Reader | None:
    """None where the session has ended meanwhile."""
    reader = Reader(person.user and person.user.pk, person.guest, session)
    mark = marks_of([reader]).get(session)
    return None if mark is None else reader._replace(mark=mark)


def marks_of(readers: Collection[Reader]) -> dict[str, int]:
    """For each of their sessions that has not ended, what it is marked by: another where somebody has signed in or out
    by it, has another password, or has lost the account."""
    sessions, users = {one.session for one in readers}, {one.user for one in readers if one.user is not None}
    accounts = _rows(get_user_model().objects.filter(is_active=True), "pk", users, "password")
    standing = _rows(Session.objects.filter(expire_date__gt=timezone.now()), "session_key", sessions, "session_data")
    return {
        one.session: hash((standing[one.session], accounts.get(one.user)))
        for one in readers
        if one.session in standing and (one.user is None or one.user in accounts)
    }


def _rows(found: QuerySet, by: str, names: Collection[Any], column: str) -> dict[Any, str]:
    ordered = sorted(names)
    several = [ordered[at : at + AT_ONCE] for at in range(0, len(ordered), AT_ONCE)]
    return {
        name: value for some in several for name, value in found.filter(**{f"{by}__in": some}).values_list(by, column)
    }
