"""Which character a page is about: one of the visitor's own, or a sample that everybody may read."""

from dataclasses import dataclass

from django.shortcuts import get_object_or_404
from django.urls import reverse

from characters.models import Character
from characters.people import person_of


@dataclass(frozen=True)
class Opened:
    """A character that may be read here. `base` is the sheet's own path; its numbers' pages lie below it."""

    character: Character
    base: str
    own: bool


def open_character(request, pk=None, slug=None) -> Opened:
    """The visitor's character `pk`, or the sample `slug`; else 404."""
    if slug is not None:
        sample = get_object_or_404(Character.objects.select_related("ruleset").exclude(sample=""), sample=slug)
        return Opened(sample, reverse("characters:sample", args=[slug]), own=False)
    mine = Character.objects.visible_to(person_of(request)).select_related("ruleset")
    return Opened(get_object_or_404(mine, pk=pk), reverse("characters:sheet", args=[pk]), own=True)
