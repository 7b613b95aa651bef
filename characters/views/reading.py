"""Which character a page is about: one of the visitor's own, or a sample that everybody may read."""

from dataclasses import dataclass
from functools import cached_property

from django.http import Http404
from django.shortcuts import get_object_or_404

from characters.access import READER, Role, role_of, visible
from characters.build import bundle_of, load_build, sheet_of
from characters.models import Character
from characters.people import person_of
from rules.engine import Build, Bundle, Sheet, as_at, derive, last_level, rested


@dataclass(frozen=True)
class Opened:
    """A character that may be read here. `base` is the sheet's own path; its numbers' pages lie below it.

    With `level` it is read as at that level: rested, with what it carries now. `home` is then the path of the sheet as
    it is.
    """

    character: Character
    home: str
    role: Role
    level: int | None = None

    @property
    def live(self) -> bool:
        """Whether the visitor may change what is shown: the sheet as it is now, in a role that plays it."""
        return self.role.plays and self.level is None

    @property
    def base(self) -> str:
        return f"{self.home}at/{self.level}/" if self.level is not None else self.home

    def read(self) -> tuple[Bundle, Build, Sheet]:
        """The rules, what was decided, and everything derived. Http404 for a level that there is nothing to show of."""
        if self.level is None:
            return sheet_of(self.character)
        if not 1 <= self.level <= self.last:
            raise Http404
        bundle, stored = self._stored
        build = rested(as_at(bundle, stored, self.level))
        return bundle, build, derive(bundle, build)

    @cached_property
    def _stored(self) -> tuple[Bundle, Build]:
        build = load_build(self.character)
        return bundle_of(self.character, build), build

    @cached_property
    def now(self) -> int:
        """The level that the character has."""
        bundle, build = self._stored
        return bundle.game.levels.level_of(bundle, build)

    @cached_property
    def last(self) -> int:
        """The highest level there is something to show of, planned ones included."""
        return last_level(*self._stored)

    @property
    def levels_beside(self) -> tuple[int | None, int | None]:
        """The level before and the level after, where there are such."""
        return (self.level - 1 or None, self.level + 1 if self.level < self.last else None)


def open_character(request, pk=None, slug=None, level=None) -> Opened:
    """The visitor's character `pk`, or the sample `slug`, at a `level` where one is named; else 404."""
    if slug is not None:
        sample = get_object_or_404(Character.objects.select_related("ruleset").exclude(sample=""), sample=slug)
        return Opened(sample, sample.get_absolute_url(), READER, level)
    person = person_of(request)
    character = visible(pk, person)
    return Opened(character, character.get_absolute_url(), role_of(character, person), level)
