"""Characters whose sheets differ under other rules, published or not, with before, after and the reasons."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from django.db.models import QuerySet

from characters.models import Character
from characters.pages.builder.diff_text import LATER, DiffText, diff_text, told_first
from characters.pages.compare.comparison_text import Reason, reasons
from characters.read.party import versions_of
from characters.read.versions import Version
from rules.compile import bundle_of_packs
from rules.engine import Bundle, DiffLine, difference
from rules.models import Source
from rules.packs.source_rows import Pack, read_source
from rules.publications import published_as

AT_ONCE = 200  # characters; they take under a second and a half
HYPHEN = re.compile(r"-(?=\d)")


@dataclass(frozen=True)
class Move:
    """One difference, in the players' words or, if the game does not show it, as the engine's line. why: the rows
    behind it, in words."""

    shown: DiffText | DiffLine
    why: tuple[str, ...]


@dataclass(frozen=True)
class MovedCharacter:
    character: Character
    moves: tuple[Move, ...]


def holders(ruleset: str, source: str, *, is_core: bool) -> QuerySet[Character]:
    """The characters that have the source in play, those changed last first."""
    characters = Character.objects.filter(ruleset__slug=ruleset, binned_at=None).select_related("ruleset")
    if not is_core:
        characters = characters.filter(house_rules__sources__slug=source)
    return characters.order_by("-changed_at", "pk")


def moved_by_publishing(
    source: Source, characters: Iterable[Character], known: Iterable[Pack] = ()
) -> list[MovedCharacter]:
    """The characters among these whose sheets would differ if `source` were published now. Nothing is written.

    known: its working copy and the packs in force beside it, if they were read already.
    """
    packs = {pack.source["slug"]: pack for pack in known} or {source.slug: read_source(source)}

    @cache
    def planned(layers: tuple[tuple[str, int], ...]) -> Bundle:
        return bundle_of_packs(packs.get(slug) or other(slug, revision) for slug, revision in layers)

    @cache
    def other(slug: str, revision: int) -> Pack:
        return published_as(Source.objects.get(ruleset=source.ruleset_id, slug=slug), revision)

    characters = list(characters)
    before = versions_of(characters)
    after = {pk: replace(one, bundle=planned(one.bundle.revision)) for pk, one in before.items()}
    return moved(characters, before, after)


def moved(
    characters: Iterable[Character], before: Mapping[int, Version], after: Mapping[int, Version]
) -> list[MovedCharacter]:
    """The characters among these whose sheets differ between their two versions."""
    found = ((one, moves(before[one.pk], after[one.pk])) for one in characters)
    return [MovedCharacter(one, its) for one, its in found if its]


def moves(before: Version, after: Version) -> tuple[Move, ...]:
    """The differences, each listed once, the most important first. They are named by the rules after, or by those
    before if the thing is gone."""
    found, first = [], told_first(after.bundle)
    for line in sorted(difference(before.sheet, after.sheet), key=lambda line: first.get(line.key, LATER)):
        shown = diff_text(after.bundle, line) or diff_text(before.bundle, line) or named(line, after.bundle)
        found.append(Move(shown, tuple(dict.fromkeys(map(in_words, reasons(line))))))
    return tuple(dict.fromkeys(found))


def in_words(reason: Reason) -> str:
    """`Tough: +2, now +3, at 1 level`, `Core rules: speed 20, now 15`, `no longer Bogged: −10`."""
    was, now = reason.before, reason.after
    text = HYPHEN.sub("−", reason.text)
    number = now or was
    lead = text.removesuffix(number) if text.endswith(number) else text.removesuffix(number.lstrip("+−"))
    if re.search(r"\d", lead):  # it has another number, so the last one need not be the row's
        lead = text
    if was == now or not number:
        words = text
    elif was and now:
        words = f"{was}, now {now}, {text}" if lead == text else f"{lead}{was}, now {now}"
    else:
        words = f"{number}, {text}" if lead == text else text
    return f"{'' if now or not was else 'no longer '}{reason.source}: {words}"


def named(line: DiffLine, bundle: Bundle) -> DiffLine:
    """The line with the name of its statistic, for one that the game does not show."""
    stat = bundle.stats.get(line.key)
    return line._replace(name=stat.name) if stat else line
