"""Permissions at a table. The lookup is the permission: a row that it does not find is a 404."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Manager, Q, QuerySet
from django.http import Http404

from characters.access import GUEST, ids_of, is_person, placeholder_person
from characters.change.journal import all_or_none, check_key
from characters.change.refusals import Refused
from characters.grants import Holder
from characters.people import Person
from rules.fast_sql import PLACEHOLDERS, PreparedObjects

from .models import Campaign, Member
from .roles import OWN, RUN, SEE, rank, that_may


def present_memberships(person: Person) -> QuerySet:
    """This person's rows at the tables where they sit now."""
    return Member.objects.filter(is_person(person), gone_at=None)


# Every request for a table begins with one of these lookups.
PLACES = PreparedObjects(
    lambda campaign, owner, guest: (
        present_memberships(placeholder_person(owner, guest))
        .filter(campaign=campaign)
        .select_related("campaign__ruleset")
    ),
    *PLACEHOLDERS,
    GUEST,
)
LOCKED = PreparedObjects(lambda campaign: Campaign.objects.select_for_update().filter(pk=campaign), PLACEHOLDERS[0])


def memberships(person: Person) -> QuerySet:
    """This person's rows at all tables. Only its owner finds a table in the bin."""
    mine = present_memberships(person).select_related("campaign")
    return mine.filter(Q(campaign__binned_at=None) | Q(role__in=that_may(OWN))).order_by("campaign__name", "campaign")


def member_of(pk: int, person: Person, word: str = SEE, *, binned: bool = False) -> Member:
    """This person's row at the table, with the campaign; Http404 if they may not do `word` there. binned: the owner
    also finds a table in the bin."""
    theirs = PLACES.all(pk, *ids_of(person))
    there = [one for one in theirs if one.campaign.binned_at is None or (binned and one.may(OWN))]
    member = min((one for one in there if one.may(word)), key=lambda one: rank(one.role), default=None)
    if member is None:
        raise Http404("No such campaign.")
    return member


@contextmanager
def changing(pk: int, person: Person, word: str, *, key: str | None = None, binned: bool = False) -> Iterator[Member]:
    """The transaction of a verb: yields the asking member, and keeps the campaign locked until it ends.

    key: the key of the form, if the verb recognizes a form that is sent twice. Raises Refused if it is not a valid key.
    """
    if key is not None:
        check_key(key)
    with all_or_none():
        yield locked(pk, person, word, binned=binned)


def locked(pk: int, person: Person, word: str, *, binned: bool = False) -> Member:
    """Like `member_of`, with the campaign locked until the transaction ends; the row is read under the lock."""
    if not LOCKED.all(pk):
        raise Http404("No such campaign.")
    return member_of(pk, person, word, binned=binned)


def row_of(rows: Manager | QuerySet, pk: int) -> Any:
    """The row with this id, however large the number; else Http404."""
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Http404("No such row.")
    return found


class Leaderless(Refused):
    """Nobody runs the table: the account that led it was deleted, and nobody has taken it up yet."""

    def __init__(self) -> None:
        super().__init__("Nobody leads this campaign. Someone must take it over first.")


def runner_of(campaign: Campaign) -> Person:
    """Someone who runs the table. When a player's action changes other players' characters, it is done with this
    person's permission. Raises Leaderless if there is no one."""
    running = campaign.members.filter(role__in=that_may(RUN), gone_at=None).exclude(user=None)
    member = min(running.select_related("user").order_by("pk"), key=lambda one: rank(one.role), default=None)
    if member is None:
        raise Leaderless
    return Person(member.user)


def people_at_tables(pks: Collection[int]) -> list[tuple[Campaign, set[Holder]]]:
    """Each of these campaigns with everyone who is at the table now. Campaigns in the bin are included: their open
    pages then ask again and find that the campaign is gone."""
    sitting: dict[Campaign, set[Holder]] = defaultdict(set)
    members = Member.objects.filter(campaign__in=pks, gone_at=None)
    for member in members.select_related("campaign"):
        sitting[member.campaign].add((member.user_id, member.guest))
    return list(sitting.items())
