"""The right to look by a screen's link. It is checked anew each time, so an ended link shows nothing and gets no more
news."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import QuerySet
from django.http import Http404

from campaigns.models import Combatant, Screen
from characters.people import hashed


def working_screens() -> QuerySet:
    """The screens whose link works."""
    return Screen.objects.filter(ended_at=None, campaign__binned_at=None)


def by_screen(token: str) -> Screen:
    """The screen of a link, with its campaign; Http404 if the link has ended or the table is in the bin."""
    screen = working_screens().filter(token=hashed(token)).select_related("campaign").first()
    if screen is None:
        raise Http404("No such screen.")
    return screen


def screens_at(campaigns: Collection[int]) -> dict[int, set[int]]:
    """The ids of the screens of each of these campaigns."""
    found: dict[int, set[int]] = defaultdict(set)
    for campaign, screen in working_screens().filter(campaign__in=campaigns).values_list("campaign", "pk"):
        found[campaign].add(screen)
    return found


def screens_showing(characters: Collection[int]) -> dict[int, set[int]]:
    """The ids of the screens that show each of these characters: those of the encounter that it is in."""
    fighting = Combatant.objects.filter(encounter__ended_at=None, seat__character__in=characters)
    pairs = list(fighting.values_list("seat__character", "encounter__campaign"))
    screens = screens_at({campaign for _, campaign in pairs})
    found: dict[int, set[int]] = defaultdict(set)
    for character, campaign in pairs:
        found[character] |= screens[campaign]
    return found
