"""The sources that somebody may have in play, and those that they may read: what pages of a character ask."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from characters.access import owned_by, playable_by
from characters.models import Character
from characters.people import Person
from rules.models import HouseRules, Source


def open_sources(person: Person, besides: Collection[str] = ()) -> QuerySet[Source]:
    """The published sources that are everyone's, this person's own, in play for a character that they keep, or named
    in `besides`."""
    owner = person.user.pk if person.user is not None else None
    among = Source.objects.open_to(owner, besides) | Source.objects.filter(_in_play(owned_by(person)))
    return among.published()


def readable_homebrew(person: Person) -> QuerySet[Source]:
    """Published homebrew that this person made for themselves, or that a character which they play goes by."""
    owned = Q(homebrew__owner=person.user.pk) if person.user is not None else Q(pk__in=[])
    return Source.objects.published().exclude(homebrew=None).filter(owned | _in_play(playable_by(person)))


def _in_play(which: Q) -> Q:
    rules = Character.objects.filter(which).exclude(house_rules=None).values("house_rules")
    return Q(pk__in=HouseRules.sources.through.objects.filter(houserules__in=rules).values("source"))
