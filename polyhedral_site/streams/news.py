"""The news that streams send, and their readers. News is the current number of a thing, never its content."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Set
from itertools import batched
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db.models import F, QuerySet
from django.utils import timezone

from campaigns.campaign_access import people_at_tables
from campaigns.models import Member, Screen
from campaigns.order import encounter_of
from campaigns.screen_access import screens_at, screens_showing, working_screens
from characters.access import PLAY, followed_by, holders_of, is_person, playable_by
from characters.actions.proposals import stamps_of
from characters.grants import Holder
from characters.models import Character
from characters.people import Person
from characters.read.versions import version_number

MOST_AT_FIRST = 1000  # characters that a new stream tells about, those changed last
AT_ONCE = 500  # rows asked for in one query
# Sent in place of the number of a table and its characters to someone who no longer sits there. Their pages then ask,
# and find them gone.
LEFT = "left"


# A person who may know about a thing, or the id of a screen that shows it.
type Watcher = Holder | int


class News(NamedTuple):
    """`thing` has this number now, and these watchers may know it."""

    thing: str
    number: str
    watchers: Set[Watcher]


class StreamReader(NamedTuple):
    """The person who opened a stream, with their session and its digest at that time."""

    user: int | None
    guest: str
    session: str
    digest: int = 0

    @property
    def names(self) -> Collection[Watcher]:
        """The watchers that this reader is: the account, the guest, or both."""
        return [(self.user, "")] * (self.user is not None) + [(None, self.guest)] * bool(self.guest)


class ScreenReader(NamedTuple):
    """The screen whose link opened the stream, for any visitor."""

    screen: int

    @property
    def names(self) -> Collection[Watcher]:
        return [self.screen]


type Reader = StreamReader | ScreenReader


def news_of(things: Collection[str]) -> list[News]:
    """The current number of each changed thing, with the watchers who may know it at this moment."""
    by_kind: dict[str, list[list[int | str]]] = defaultdict(list)
    for thing in things:
        kind, *names = thing.split()
        by_kind[kind].append([int(name) if name.isdecimal() else name for name in names])
    return [one for kind, told in NEWS.items() if kind in by_kind for one in told(*zip(*by_kind[kind], strict=True))]


# Each of these takes the names of all things of its kind that were announced, in columns.


def _of_characters(pks: Collection[int]) -> Iterator[News]:
    readers = holders_of(pks)
    screens = screens_showing([one.pk for one, _ in readers])
    for one, people in readers:
        yield News(f"character {one.pk}", version_number(one), people | screens[one.pk])


def _of_campaigns(pks: Collection[int]) -> Iterator[News]:
    sitters = people_at_tables(pks)
    screens = screens_at([one.pk for one, _ in sitters])
    for one, people in sitters:
        yield News(f"campaign {one.pk}", str(one.version), people | screens[one.pk])


def _of_members(pks: Collection[int]) -> Iterator[News]:
    for one in Member.objects.filter(pk__in=pks).exclude(gone_at=None):
        yield from _left(one.campaign_id, (one.user_id, one.guest))


def _of_devices(tables: Collection[int], guests: Collection[str]) -> Iterator[News]:
    at_table = {one.pk: people for one, people in people_at_tables(tables)}
    for table, guest in zip(tables, guests, strict=True):
        if (None, guest) not in at_table.get(table, set()):
            yield from _left(table, (None, guest))


def _left(table: int, holder: Holder) -> Iterator[News]:
    """Tell one who no longer sits at this table."""
    seated = Character.objects.filter(seat__campaign=table).values_list("pk", flat=True)
    for thing in (*(f"character {pk}" for pk in seated), f"campaign {table}"):
        yield News(thing, LEFT, {holder})


def _of_unseated(characters: Collection[int], tables: Collection[int]) -> Iterator[News]:
    at_table = {one.pk: people for one, people in people_at_tables(tables)}
    reading = {one.pk: people for one, people in holders_of(characters)}
    for character, table in zip(characters, tables, strict=True):
        yield News(f"character {character}", LEFT, at_table.get(table, set()) - reading.get(character, set()))


def _of_proposals(pks: Collection[int]) -> Iterator[News]:
    players = holders_of(pks, PLAY)
    numbers = stamps_of([one.pk for one, _ in players])
    for one, people in players:
        yield News(f"proposals {one.pk}", numbers.get(one.pk, ""), people)


def _of_screens(pks: Collection[int]) -> Iterator[News]:
    """Includes screens that have ended, so that their streams are checked, and end."""
    for one in Screen.objects.filter(pk__in=pks):
        yield News(f"screen {one.pk}", one.vitals, {one.pk})


# Characters come before those that left, because a page keeps the last of two numbers of a thing.
NEWS: dict[str, Callable[..., Iterator[News]]] = {
    "character": _of_characters,
    "campaign": _of_campaigns,
    "member": _of_members,
    "device": _of_devices,
    "unseated": _of_unseated,
    "proposals": _of_proposals,
    "screen": _of_screens,
}


def all_of(reader: Reader) -> dict[str, str]:
    """The numbers of everything that this reader may watch. As in `news_of`, that includes the bin and tables that they
    have left, so that a page which was away for a while asks for things that are gone and finds them gone."""
    if isinstance(reader, ScreenReader):
        return _all_on(reader.screen)
    person = Person(reader.user and get_user_model()(pk=reader.user), reader.guest)
    seen = Character.objects.filter(followed_by(person)).only("version", "changed_at").order_by("-changed_at", "pk")
    characters = {f"character {one.pk}": version_number(one) for one in seen[:MOST_AT_FIRST]}
    rows = Member.objects.filter(is_person(person)).select_related("campaign")
    # Of two rows at one table, the one that still sits there comes last, and counts.
    members = rows.order_by(F("gone_at").desc(nulls_last=True))
    tables = {f"campaign {one.campaign_id}": LEFT if one.gone_at else str(one.campaign.version) for one in members}
    played = Character.objects.filter(playable_by(person), proposals__isnull=False).distinct()[:MOST_AT_FIRST]
    proposals = {f"proposals {pk}": number for pk, number in stamps_of([one.pk for one in played.only("pk")]).items()}
    return characters | proposals | tables


def _all_on(pk: int) -> dict[str, str]:
    """The numbers of everything that a screen shows."""
    screen = working_screens().select_related("campaign").filter(pk=pk).first()
    if screen is None:
        return {}
    encounter = encounter_of(screen.campaign)
    shown = Character.objects.filter(seat__combatants__encounter=encounter) if encounter else ()
    characters = {f"character {one.pk}": version_number(one) for one in shown}
    numbers = {f"campaign {screen.campaign_id}": str(screen.campaign.version), f"screen {pk}": screen.vitals}
    return characters | numbers


def reader_of(person: Person, session: str) -> StreamReader | None:
    """The person as a reader of a stream; None if the session has ended meanwhile."""
    reader = StreamReader(person.user and person.user.pk, person.guest, session)
    digest = digests_of([reader]).get(session)
    return None if digest is None else reader._replace(digest=digest)


def still_valid(readers: Collection[Reader]) -> set[Reader]:
    """The readers whose session is unchanged, or whose screen has not ended."""
    people = [one for one in readers if isinstance(one, StreamReader)]
    digests = digests_of(people)
    screens = _rows(working_screens(), "pk", {one.screen for one in readers if isinstance(one, ScreenReader)}, "pk")
    return {one for one in people if digests.get(one.session) == one.digest} | {ScreenReader(pk) for pk in screens}


def digests_of(readers: Collection[StreamReader]) -> dict[str, int]:
    """A digest of each session that has not ended. It changes when the person in that session signs in or out, gets a
    new password, or loses the account."""
    sessions, users = {one.session for one in readers}, {one.user for one in readers if one.user is not None}
    accounts = _rows(get_user_model().objects.filter(is_active=True), "pk", users, "password")
    not_ended = _rows(Session.objects.filter(expire_date__gt=timezone.now()), "session_key", sessions, "session_data")
    return {
        one.session: hash((not_ended[one.session], accounts.get(one.user)))
        for one in readers
        if one.session in not_ended and (one.user is None or one.user in accounts)
    }


def _rows(found: QuerySet, by: str, names: Collection[Any], column: str) -> dict[Any, str]:
    return {
        name: value
        for some in batched(sorted(names), AT_ONCE)
        for name, value in found.filter(**{f"{by}__in": some}).values_list(by, column)
    }
