"""The sources that someone may have in play, and those that they may read."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from characters.access import owned_by, playable_by
from characters.models import Character
from characters.people import NOBODY, Person
from rules.games.outcome import listed
from rules.models import HouseRules, Source


def open_sources(person: Person, besides: Collection[str] = ()) -> QuerySet[Source]:
    """The published sources that are public, this person's own, in play for a character of theirs, or named in
    `besides`."""
    owner = person.user.pk if person.user is not None else None
    among = Source.objects.open_to(owner, besides) | Source.objects.filter(_in_play(owned_by(person)))
    return among.published()


def optional_sources(ruleset: int, person: Person = NOBODY, besides: Collection[str] = ()) -> dict[str, Source]:
    """The sources of a ruleset that a character may play with or without, by slug: those open to the person, and those
    `besides` that it has in play already."""
    found = open_sources(person, besides).filter(ruleset=ruleset, is_core=False).prefetch_related("requires")
    return {source.slug: source for source in found.order_by("title", "slug")}


def lacking(offered: dict[str, Source], wanted: Collection[str]) -> dict[str, str]:
    """By the slug of each wanted source that builds on one that is not wanted, a sentence that says so."""
    found = {}
    for slug in sorted(wanted):
        needs = [one.title for one in offered[slug].requires.all() if not one.is_core and one.slug not in wanted]
        if needs:
            found[slug] = f"{offered[slug].title} builds on {listed(needs)}: put both in play, or neither."
    return found


def closed_homebrew(ruleset: int, named: Collection[str], person: Person) -> QuerySet[Source]:
    """Of the sources with these slugs, the homebrew that this person may not have in play. Their copy of a character
    lacks it."""
    homebrew = Source.objects.exclude(homebrew=None).filter(ruleset=ruleset, slug__in=named)
    return homebrew.exclude(pk__in=open_sources(person).values("pk"))


def readable_homebrew(person: Person) -> QuerySet[Source]:
    """Published homebrew that this person made for themselves, or that is in play for a character they play."""
    owned = Q(homebrew__owner=person.user.pk) if person.user is not None else Q(pk__in=[])
    return Source.objects.published().exclude(homebrew=None).filter(owned | _in_play(playable_by(person)))


def _in_play(which: Q) -> Q:
    rules = Character.objects.filter(which).exclude(house_rules=None).values("house_rules")
    return Q(pk__in=HouseRules.sources.through.objects.filter(houserules__in=rules).values("source"))
