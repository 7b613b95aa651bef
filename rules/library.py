"""Every published element of a ruleset, with the rows that point at it, for the rules pages and the search."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from django.http import Http404
from django.urls import reverse

from rules.compile import bundle_for
from rules.engine.bundle import Bundle
from rules.engine.content import Choice, Effect, Element, Ref, Suggestion
from rules.engine.phrases import kind_words
from rules.lru import LRU
from rules.models import Element as ElementRow
from rules.models import Ruleset, Source
from rules.models.vocabulary import SLUG

LONGEST = ElementRow._meta.get_field("was").max_length  # of former slugs; SQLite cannot search for 50,000 letters

_kept = LRU["Library"](16)

KIND_TITLES = {
    "chapter": "How to play",
    "rules": "Playing the game",
    "term": "Glossary",
    "property": "Properties",
    "gear": "Gear",
    "category": "Groups",
}
KIND_BADGES = {"rules": "rule", "category": "group"}


# The parts of the index, each with its kinds of entry.
SHELVES = {
    "The game": ("chapter", "rules", "term", "ability", "condition"),
    "Where you come from": ("lineage", "culture", "background", "disposition", "size"),
    "What you can do": ("skill", "knowledge", "tool", "language", "spell"),
    "What you become": ("job", "path", "feature", "talent"),
    "What you carry": ("weapon", "armor", "gear", "property", "damage-type", "category"),
}


@dataclass(frozen=True)
class Library:
    ruleset: Ruleset
    bundle: Bundle
    sources: dict[str, Source]  # by slug

    def url(self, ref: Ref) -> str:
        kind, _, slug = ref.partition(":")
        return reverse("rules:element", args=[self.ruleset.slug, kind, slug])

    def kind_url(self, kind: str) -> str:
        return reverse("rules:kind", args=[self.ruleset.slug, kind])

    def source_key(self, slug: str) -> str:
        """A key that tells a source of this ruleset from those of other rulesets."""
        return f"{self.ruleset.slug}.{slug}"

    def named(self, kind: str, slug: str) -> Element | None:
        """The element with this slug now or before."""
        if found := self.bundle.elements.get(f"{kind}:{slug}"):
            return found
        if len(slug) > LONGEST or not re.fullmatch(SLUG, slug):
            return None
        rows = ElementRow.objects.filter(ruleset=self.ruleset.pk, kind=kind, was__contains=slug)
        renamed = [now for now, was in rows.values_list("slug", "was") if slug in was.split()]
        return next(filter(None, (self.bundle.elements.get(f"{kind}:{now}") for now in renamed)), None)

    def sorted(self, refs: Iterable[Ref]) -> list[Element]:
        """The elements that `refs` name, each once, in reading order."""
        found = {ref: self.bundle.elements[ref] for ref in refs if ref in self.bundle.elements}
        return sorted(found.values(), key=lambda element: (element.kind, element.sort, element.name))

    @cached_property
    def granted_by(self) -> dict[Ref, list[Effect]]:
        granted = defaultdict(list)
        for effects in self.bundle.grants.values():
            for effect in effects:
                granted[effect.element].append(effect)
        return granted

    @cached_property
    def offered_by(self) -> dict[Ref, list[Choice]]:
        offered = defaultdict(list)
        for choice in self.bundle.choices.values():
            for ref in choice.options:
                offered[ref].append(choice)
        return offered

    @cached_property
    def members(self) -> dict[Ref, list[Ref]]:
        """The elements under a parent, in a group or in a category."""
        members = defaultdict(list)
        for element in self.bundle.elements.values():
            category = [part.category for part in (element.weapon, element.armor) if part]
            for ref in {element.parent, *element.groups, *category} - {""}:
                members[ref].append(element.ref)
        return members

    @cached_property
    def used_by(self) -> dict[Ref, list[Ref]]:
        """The elements that use this one: items of a property or damage type, skills of an ability."""
        used = defaultdict(list)
        for element in self.bundle.elements.values():
            refs = {use.property for use in element.properties} | {element.key_ability}
            refs |= {element.weapon.damage_type} if element.weapon else set()
            for ref in refs - {""}:
                used[ref].append(element.ref)
        return used

    @cached_property
    def suggestions(self) -> dict[Ref, dict[str, list[Suggestion]]]:
        tables: dict[Ref, dict[str, list[Suggestion]]] = defaultdict(lambda: defaultdict(list))
        for row in self.bundle.suggestions:
            tables[row.background][row.aspect].append(row)
        return tables


def libraries() -> list[Library]:
    """A library of public content for each ruleset that has content. One query if nothing changed."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    sources = Source.objects.published().public().order_by("ruleset__name", "-is_core", "slug")
    for ruleset, is_core, pk, revision in sources.values_list("ruleset", "is_core", "pk", "revision"):
        if is_core or found[ruleset]:
            found[ruleset].append((pk, revision))
    return [
        _kept.get((ruleset, *revisions), partial(_library, ruleset, dict(revisions)))
        for ruleset, revisions in found.items()
        if revisions
    ]


def library_or_404(ruleset_slug: str) -> Library:
    for library in libraries():
        if library.ruleset.slug == ruleset_slug:
            return library
    raise Http404("There is no such game.")


def _library(ruleset: int, sources: Iterable[int]) -> Library:
    found = list(Source.objects.filter(pk__in=sources).order_by("-is_core", "slug"))
    game = Ruleset.objects.get(pk=ruleset)
    return Library(game, bundle_for(game, [source.slug for source in found]), {source.slug: source for source in found})


def kind_title(kind: str, kinds: Mapping[str, tuple[str, str]]) -> str:
    """The title of a list of entries of this kind. kinds: the game's own words."""
    title = kind_words(kind, kinds)[1].capitalize()
    return title if kind in kinds else KIND_TITLES.get(kind, title)


def kind_badge(kind: str, kinds: Mapping[str, tuple[str, str]]) -> str:
    badge = kind_words(kind, kinds)[0]
    return badge if kind in kinds else KIND_BADGES.get(kind, badge)
