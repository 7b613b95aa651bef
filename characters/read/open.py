"""A character opened for someone: their role, its stored version, and what is derived from that."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from characters import access
from characters.access import READER, Role, role_found
from characters.models import Character
from characters.people import Person, visitor_of
from characters.sharing import by_link
from rules.engine import Build, Bundle, Sheet, build_at_level, last_level, rested
from rules.engine.content import Ref
from rules.games.contract import Game
from rules.models.ruleset import HOMEBREW

from . import version_cache
from .open_sources import closed_homebrew, readable_homebrew
from .versions import Version, read, version_number


@dataclass(frozen=True)
class OpenCharacter:
    """`stored` is the character as it is. With a `level` it is shown as at that level: rested, with what it carries
    today. `link` is the path of the link that opened it, "" if none did.

    The builder, the level pages and the live pages have subclasses that know more (`BuilderCharacter`,
    `LiveCharacter`).
    """

    character: Character
    visitor: Person
    role: Role
    stored: Version
    level: int | None = None
    link: str = ""

    @classmethod
    def readable(
        cls, request: HttpRequest, pk: int = 0, slug: str = "", token: str = "", level: int | None = None
    ) -> Self:
        """The visitor's character `pk`, the sample `slug`, or the character that a link with this `token` leads to, at
        a `level` if one is given; else Http404."""
        visitor, character = visitor_of(request), find_readable(request, pk, slug, token)
        role = role_found(character, visitor) if pk else READER
        link = reverse("characters:shared", args=[token]) if token else ""
        opened = cls.of(character, visitor, role, link)
        if level is None:
            return opened
        if not opened.game.has_levels or not 1 <= level <= opened.last_level:
            raise Http404("There is nothing to show of this level.")
        return opened.at(level)

    @classmethod
    def playable(cls, request: HttpRequest, pk: int) -> Self:
        """The character that this visitor may play; else Http404."""
        visitor = visitor_of(request)
        character = access.playable(pk, visitor)
        return cls.of(character, visitor, role_found(character, visitor))

    @classmethod
    def of(cls, character: Character, visitor: Person, role: Role, link: str = "") -> Self:
        """The character in its current version, from the cache or the database. The row and the facts are read one
        after the other; if a change came in between, both are read again."""
        version = version_cache.current(character)
        if version is None:
            version = read(character)
            now = Character.objects.select_related("ruleset").get(pk=character.pk)
            if version_number(now) != version_number(character):
                return cls.of(now, visitor, role, link)
            version_cache.put(character, version)
        return cls(character, visitor, role, version, link=link)

    def again(self) -> Self:
        """The same character, read again after a change."""
        character = Character.objects.select_related("ruleset").get(pk=self.character.pk)
        return self.of(character, self.visitor, self.role, self.link)

    def at(self, level: int) -> Self:
        """The same character, shown as at this level."""
        return replace(self, level=level)

    @cached_property
    def version(self) -> Version:
        """The version that is shown."""
        if self.level is None:
            return self.stored
        build = rested(build_at_level(self.stored.bundle, self.stored.build, self.level))
        return Version(self.stored.facts, self.stored.bundle, build)

    @property
    def context(self) -> dict[str, Any]:
        """The part of the context that every page of the character has."""
        return {"opened": self, "character": self.character, "bundle": self.bundle, "levels": self.game.levels}

    @property
    def version_number(self) -> str:
        return version_number(self.character)

    @property
    def bundle(self) -> Bundle:
        return self.stored.bundle

    @property
    def game(self) -> Game:
        return self.bundle.game

    @property
    def build(self) -> Build:
        return self.version.build

    @property
    def sheet(self) -> Sheet:
        return self.version.sheet

    @property
    def live(self) -> bool:
        """True if the visitor may change what is shown: the present sheet, in a role that plays it."""
        return self.role.plays and self.level is None

    def may_open(self, ref: Ref) -> bool:
        """True if this visitor may open the page of the element: homebrew has one for those who play by it."""
        element = self.bundle.elements.get(ref)
        if element is None or not element.source.startswith(HOMEBREW) or self.role.plays:
            return True
        return element.source in self._homebrew_read

    @cached_property
    def _homebrew_read(self) -> frozenset[str]:
        return frozenset(readable_homebrew(self.visitor).values_list("slug", flat=True))

    @cached_property
    def copy_lacks(self) -> bool:
        """True if this visitor's copy would lack homebrew that is in play. The page does not name it, since its title
        may contain a table's name. Only readers by a link can be in this position."""
        named = [slug for slug in self.stored.build.sources if slug.startswith(HOMEBREW)] if self.link else []
        return bool(named) and closed_homebrew(self.character.ruleset_id, named, self.visitor).exists()

    @cached_property
    def home(self) -> str:
        """The path of the present sheet: the link's, if it was opened by one."""
        return self.link or self.character.get_absolute_url()

    @property
    def base(self) -> str:
        """The path of the sheet that is shown; the pages of its numbers are below it."""
        return f"{self.home}at/{self.level}/" if self.level is not None else self.home

    @cached_property
    def present_level(self) -> int:
        """The level that the character has."""
        return self.game.levels.level_of(self.bundle, self.stored.build)

    @cached_property
    def last_level(self) -> int:
        """The highest level that can be shown, planned ones included."""
        return last_level(self.bundle, self.stored.build)

    @property
    def levels_beside(self) -> tuple[int | None, int | None]:
        """The level before and the one after; None for one that does not exist."""
        if self.level is None:
            return None, None
        return self.level - 1 or None, self.level + 1 if self.level < self.last_level else None


def find_readable(request: HttpRequest, pk: int = 0, slug: str = "", token: str = "") -> Character:
    """The row of the character that `OpenCharacter.readable` would open; else Http404."""
    if token:
        return by_link(token)
    if slug:
        return get_object_or_404(Character.objects.select_related("ruleset").exclude(sample=""), sample=slug)
    return access.visible(pk, visitor_of(request))
