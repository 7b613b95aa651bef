"""Publishing a source, foreseen: the characters whose sheets would differ, with before, after and the reasons."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from django.db.models import QuerySet

from characters.models import Character
from characters.pages.builder.diff_text import DiffText, diff_text
from characters.read.party import versions_of
from rules.compile import bundle_of_packs, sources_of
from rules.engine import Bundle, DiffLine, derive, difference
from rules.models import Source
from rules.packs.source_rows import read_source
from rules.publications import in_force

AT_ONCE = 200  # under a second and a half


@dataclass(frozen=True)
class Move:
    """One thing that would differ. words: None where only who looks into the numbers sees it; why: the rows of it."""

    line: DiffLine
    words: DiffText | None
    why: tuple[str, ...]


@dataclass(frozen=True)
class Moved:
    character: Character
    moves: tuple[Move, ...]


def holders(source: Source) -> QuerySet[Character]:
    """The characters that have the source in play, those changed last first."""
    characters = Character.objects.filter(ruleset=source.ruleset_id, binned_at=None).select_related("ruleset")
    if not source.is_core:
        characters = characters.filter(house_rules__sources=source)
    return characters.order_by("-changed_at", "pk")


def moved(source: Source, characters: Iterable[Character]) -> list[Moved]:
    """Those of these characters whose sheets would differ if `source` were published now. Nothing is written."""
    characters, bundle_with = list(characters), planned(source)
    versions = versions_of(characters)
    found = []
    for one in characters:
        version = versions[one.pk]
        bundle = bundle_with(frozenset(version.build.sources))
        lines = difference(version.sheet, derive(bundle, version.build))
        if lines:
            found.append(Moved(one, tuple(told(line, version.bundle, bundle) for line in lines)))
    return found


def planned(source: Source) -> Callable[[frozenset[str]], Bundle]:
    """The bundle that a character with these further sources would play by, each made once."""
    working = read_source(source)

    @cache
    def bundle_with(slugs: frozenset[str]) -> Bundle:
        layers = sources_of(source.ruleset.slug, slugs)
        return bundle_of_packs(working if layer == source else in_force(layer) for layer in layers)

    return bundle_with


def told(line: DiffLine, before: Bundle, after: Bundle) -> Move:
    """Named by the rules as they would be, or as they are where the thing would be gone."""
    rows = [f"{step.source}: {step.text}" for step in line.why]
    rows += [f"no longer {step.source}: {step.text}" for step in line.gone]
    return Move(line, diff_text(after, line) or diff_text(before, line), tuple(dict.fromkeys(rows)))
