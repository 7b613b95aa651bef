"""Publications as the engine reads them: one bundle per publication, kept per process."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from rules.engine import content as plain
from rules.engine.bundle import Bundle, merge
from rules.engine.content import Ref
from rules.fast_sql import Prepared
from rules.games import GAMES
from rules.lru import LRU
from rules.models import Ruleset, Source
from rules.models.vocabulary import EffectKind, Status
from rules.packs.columns import EFFECTS
from rules.packs.engine_rows import action, as_row, choice, effect, recovery, requirement, resource, switch
from rules.packs.source_rows import Pack
from rules.publications import in_force, revisions_of

SOURCES_KEPT = 512
MERGED_KEPT = 128

_sources = LRU[Bundle](SOURCES_KEPT)
_shared = LRU["Shared"](SOURCES_KEPT)
_merged = LRU[Bundle](MERGED_KEPT)
_layers = LRU[tuple[Source, ...]](MERGED_KEPT)


class NoSuchSource(LookupError):
    """The rules have no source with this slug, or have it no longer."""


def sources_of(ruleset: Ruleset | str, source_slugs: Iterable[str]) -> tuple[Source, ...]:
    """The published core sources of the ruleset and the named ones, core first: one query, revisions included.

    Raises NoSuchSource for an unknown name, LookupError if the ruleset has no core source.
    """
    slug = getattr(ruleset, "slug", ruleset)
    wanted = set(source_slugs)
    found = tuple(_found(slug, *wanted).select_related("ruleset"))
    if missing := wanted - {source.slug for source in found}:
        raise NoSuchSource(f"No source of rules named {', '.join(sorted(missing))} in {slug}.")
    if not found:
        raise LookupError(f"No rules are loaded for {slug}.")
    return found


def bundle_for(ruleset: Ruleset | str, source_slugs: Iterable[str] = ()) -> Bundle:
    """The content of the ruleset's core sources and the named ones, merged. One query if nothing changed.

    It includes retired elements but no drafts. Raises LookupError as `sources_of` does.
    """
    slug, wanted = getattr(ruleset, "slug", ruleset), sorted(set(source_slugs))
    rows = revisions_with(len(wanted)).rows(slug, *wanted)
    known = None
    if {name for *_, name in rows}.issuperset(wanted):
        known = _merged.find(tuple((pk, revision) for pk, revision, _ in rows))
    return known if known is not None else _bundle_of(sources_of(ruleset, wanted))


def bundle_at(bundle: Bundle, moment: int) -> Bundle:
    """The same sources as they were in force at a moment, which is a revision. A source first published later counts
    with its first publication, because everyone who has it began with that. No query if this process has these versions
    already."""
    slugs = [slug for slug, _ in bundle.revision]
    sources = _layers.get((bundle.ruleset, bundle.revision), lambda: sources_of(bundle.ruleset, slugs))
    return _bundle_of([_as_at(source, moment) for source in sources])


def _as_at(source: Source, moment: int) -> Source:
    revisions = revisions_of(source.pk, source.revision)
    then = copy(source)
    then.revision = max((one for one in revisions if one <= moment), default=min(revisions, default=source.revision))
    return then


def _bundle_of(sources: Sequence[Source]) -> Bundle:
    key = tuple((source.pk, source.revision) for source in sources)
    read = cache(in_force)  # each pack is read once, and dropped when all are compiled
    return _merged.get(key, lambda: merge(source_bundle(source, sources, read) for source in sources))


def _found(slug: str, *wanted: str) -> QuerySet:
    """The published core sources of a ruleset and the named ones, core first."""
    found = Source.objects.published().filter(Q(is_core=True) | Q(slug__in=wanted), ruleset__slug=slug)
    return found.order_by("-is_core", "slug")


def _revisions(slug: str, *wanted: str) -> QuerySet:
    """The key of a bundle (ids and revisions), and the slugs of its sources."""
    return _found(slug, *wanted).values_list("pk", "revision", "slug")


@cache
def revisions_with(many: int) -> Prepared:
    """The query for a ruleset and this many further sources."""
    return Prepared(_revisions, "the slug of a ruleset", *[f"the slug of source {number}" for number in range(many)])


revisions_with(0)  # the core alone, as nearly everyone plays; prepared when the site starts, like other queries


@dataclass(frozen=True)
class Shared:
    """Facts of one source that are needed to compile the rows of all: the modifier stat of each ability, the sort
    number of each timing, and the statistic that armor sets."""

    modifiers: dict[Ref, str] = field(default_factory=dict)
    timings: dict[str, int] = field(default_factory=dict)
    armor_stat: str = ""

    def __or__(self, other: "Shared") -> "Shared":
        return Shared(
            self.modifiers | other.modifiers, self.timings | other.timings, self.armor_stat or other.armor_stat
        )

    def __bool__(self) -> bool:
        return bool(self.modifiers or self.timings or self.armor_stat)


def shared_of(pack: Pack) -> Shared:
    """The facts of `pack` that all sources in play with it are compiled with."""
    return Shared(
        {ref: row["modifier_stat"] for ref, row in pack.elements.items() if ref.startswith("ability:")},
        {slug: row["sort"] for slug, row in pack.timings.items()},
        pack.ruleset["armor_stat"] if pack.source["is_core"] else "",
    )


def source_bundle(source: Source, layers: Iterable[Source], read: Callable[[Source], Pack] | None = None) -> Bundle:
    """The bundle of one source alone, from the packs that `read` returns. `merge` lists the options of its choices.

    It is compiled again when any layer with shared facts is published, because it was compiled with them.
    """
    read = read or in_force

    def brought_by(layer: Source) -> Shared:
        return _shared.get((layer.pk, layer.revision), lambda: shared_of(read(layer)))

    brought = [(layer.revision, brought_by(layer)) for layer in layers]
    key = (source.pk, source.revision, tuple(revision for revision, shared in brought if shared))
    return _sources.get(
        key, lambda: bundle_of(read(source), source.revision, reduce(or_, (shared for _, shared in brought)))
    )


def bundle_of_packs(packs: Iterable[Pack]) -> Bundle:
    """The bundle of these packs, core first, from anywhere. Its revision names no publication."""
    packs = list(packs)
    shared = reduce(or_, map(shared_of, packs))
    return merge(bundle_of(pack, 0, shared) for pack in packs)


def bundle_of(pack: Pack, revision: int, shared: Shared) -> Bundle:
    """The bundle of a source in plain form."""
    elements = {
        ref: _element(ref, row, pack, shared) for ref, row in pack.elements.items() if row["status"] != Status.DRAFT
    }
    return Bundle(
        ruleset=pack.ruleset["slug"],
        game=GAMES[pack.ruleset["game"]],
        revision=((pack.source["slug"], revision),),
        core=frozenset({pack.source["slug"]} if pack.source["is_core"] else ()),
        elements=elements,
        stats={key: as_row(plain.Stat, row) for key, row in pack.stats.items()},
        circumstances={
            slug: as_row(plain.Circumstance, row, tests=tuple(requirement(test) for test in row["tests"]))
            for slug, row in pack.circumstances.items()
        },
        switches={key: switch(row) for key, row in pack.switches.items()},
        events={
            slug: as_row(plain.RestEvent, row, includes=tuple(row["includes"])) for slug, row in pack.events.items()
        },
        lookups={slug: {row["at"]: row["value"] for row in table["rows"]} for slug, table in pack.lookups.items()},
        lookup_labels={
            slug: {row["at"]: row["label"] for row in table["rows"] if row["label"]}
            for slug, table in pack.lookups.items()
        },
        suggestions=tuple(
            plain.Suggestion(background=ref, aspect=aspect, number=number, text=row["text"], tag=row["tag"])
            for ref, element in pack.elements.items()
            if ref in elements
            for aspect, rows in sorted(element["suggestions"].items())
            for number, row in enumerate(rows, 1)
        ),
    )


def _element(ref: Ref, row: dict[str, Any], pack: Pack, shared: Shared) -> plain.Element:
    kind = ref.partition(":")[0]
    own: dict[str, Any] = {kind: as_row(KIND_PARTS[kind], row)} if kind in KIND_PARTS else {}
    effects = [effect(ref, effect_kind, line) for effect_kind in EFFECTS for line in row[effect_kind]]
    return as_row(
        plain.Element,
        row,
        **own,
        ref=ref,
        kind=kind,
        source=pack.source["slug"],
        groups=tuple(row["groups"]),
        effects=(*effects, *_armor_base(ref, row, shared)),
        choices=tuple(choice(ref, line) for line in row["choices"]),
        prerequisites=tuple(requirement(line) for line in row["requires"]),
        resources=tuple(resource(ref, line) for line in row["resources"]),
        recoveries=tuple(recovery(ref, line) for line in row["recoveries"]),
        actions=tuple(
            action(ref, line, shared.timings[line["timing"]])
            for line in row["actions"]
            if line["timing"] in shared.timings  # otherwise the timing's source is not in play, or not published yet
        ),
        properties=tuple(as_row(plain.PropertyUse, line) for line in row["properties"]),
    )


KIND_PARTS = {
    "ability": plain.Ability,
    "job": plain.Job,
    "weapon": plain.Weapon,
    "armor": plain.Armor,
    "condition": plain.Condition,
    "spell": plain.Spell,
}


def _armor_base(ref: Ref, row: dict[str, Any], shared: Shared) -> list[plain.Effect]:
    """The effect of worn armor, made from its columns: a base of the ruleset's `armor_stat`."""
    if not (shared.armor_stat and row.get("base_defense")):
        return []
    cap = row["ability_cap"]
    amount = plain.Amount(
        flat=row["base_defense"],
        of_stat=shared.modifiers.get(row["adds_ability"], ""),
        at_most=None if cap is None else row["base_defense"] + cap,
    )
    return [plain.Effect(kind=str(EffectKind.MODIFY), owner=ref, stat=shared.armor_stat, op="base", amount=amount)]
