"""The statistics that each statistic is computed from, in packs, in stored rows, and in rows about to be stored."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from rules.engine.phrases import first_up
from rules.models import (
    Ability,
    Armor,
    CircumstanceTest,
    Effect,
    Element,
    Grant,
    Prerequisite,
    Source,
    Stat,
    StatModifier,
)
from rules.models.vocabulary import EffectKind, Kind
from rules.rings import Edge, find_ring, longest_chain

if TYPE_CHECKING:
    from rules.packs.source_rows import Pack
    from rules.patterns.lines import Edit

# Solving a statistic first solves the one it is computed from, five calls deeper, and Python allows 1,000 nested calls.
# The longest chain in the core rules has 4.
DEEPEST = 50


@dataclass
class StatGraph:
    """The rows of some sources that compute statistics from others, by their names in packs.

    modifiers: (statistic, statistic of the amount, circumstance). tested: circumstance -> the statistics it tests.
    created_of: by statistic. modifier_of: by ability. added: the abilities that armor adds to `armor_stat`.
    """

    modifiers: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    tested: dict[str | None, set[str]] = field(default_factory=dict)
    created_of: dict[str, str] = field(default_factory=dict)
    modifier_of: dict[str, str] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    armor_stat: str | None = None
    names: dict[str, str] = field(default_factory=dict)  # of stored statistics, for messages

    def add_pack(self, pack: "Pack") -> None:
        self.armor_stat = self.armor_stat or pack.ruleset.get("armor_stat")
        self.created_of |= {key: row["created_of"] for key, row in pack.stats.items() if row["created_of"]}
        for slug, row in pack.circumstances.items():
            self.tested[slug] = {test["stat"] for test in row["tests"] if test["stat"]}
        for ref, row in pack.elements.items():
            self.modifiers += [(line["stat"], line["of_stat"], line["when"]) for line in row[EffectKind.MODIFY]]
            if "modifier_stat" in row:
                self.modifier_of[ref] = row["modifier_stat"]
            if row.get("adds_ability"):
                self.added.add(row["adds_ability"])

    def add_sources(self, sources: Iterable[Source], without: Collection[int] = ()) -> None:
        """Add the stored rows of these sources, except the effects with these ids."""
        stats = Stat.objects.filter(source__in=sources)
        for key, name, created_of in stats.values_list("key", "name", "created_of__key"):
            self.names[key] = name
            if created_of:
                self.created_of[key] = created_of
        tests = CircumstanceTest.objects.filter(circumstance__source__in=sources, stat__isnull=False)
        for slug, stat in tests.values_list("circumstance__slug", "stat__key"):
            self.tested.setdefault(slug, set()).add(stat)
        effects = Effect.objects.filter(owner__source__in=sources, kind=EffectKind.MODIFY)
        self.modifiers += effects.exclude(pk__in=without).values_list("stat__key", "of_stat__key", "when__slug")
        abilities = Ability.objects.filter(source__in=sources)
        for slug, stat, armor_stat in abilities.values_list("slug", "modifier_stat__key", "ruleset__armor_stat__key"):
            self.modifier_of[f"{Kind.ABILITY}:{slug}"] = stat
            self.armor_stat = self.armor_stat or armor_stat
        armors = Armor.objects.filter(source__in=sources, adds_ability__isnull=False)
        self.added |= {f"{Kind.ABILITY}:{slug}" for slug in armors.values_list("adds_ability__slug", flat=True)}

    def edges(self) -> Iterator[Edge]:
        for stat, of_stat, when in self.modifiers:
            yield from ((stat, needed) for needed in (of_stat, *self.tested.get(when, ())) if needed)
        yield from self.created_of.items()
        if self.armor_stat:
            yield from ((self.armor_stat, self.modifier_of[one]) for one in self.added & self.modifier_of.keys())

    def wrong_path(self) -> list[str]:
        """A path of statistics that must not be stored: a ring, with its first statistic repeated at the end, or the
        last part of a chain, one statistic longer than `DEEPEST`. Empty if all is well."""
        edges = set(self.edges())
        if ring := find_ring(edges):
            return ring
        chain = longest_chain(edges)
        return chain[-DEEPEST - 1 :] if len(chain) > DEEPEST else []

    def check(self) -> None:
        """Raise ValidationError if there is such a path."""
        if path := self.wrong_path():
            raise ValidationError(self.sentence(path))

    def sentence(self, path: Sequence[str]) -> str:
        if not is_ring(path):
            return f"{first_up(too_long())}."
        named = " \N{RIGHTWARDS ARROW} ".join(self.names.get(key, key) for key in path)
        return f"These statistics would depend on themselves: {named}."


def is_ring(path: Sequence[str]) -> bool:
    return path[0] == path[-1]


def too_long() -> str:
    return f"more than {DEEPEST} statistics would each be worked out from the next"


def graph_around(source: Source, without: Collection[int] = ()) -> StatGraph:
    """The graph of the stored rows of `source` and of all public sources of its ruleset, without the effects with these
    ids."""
    graph = StatGraph()
    graph.add_sources(Source.objects.open_to(besides=[source.slug]).filter(ruleset=source.ruleset_id), without)
    return graph


def check_patterns(edit: "Edit", source: Source, element: Element) -> None:
    """Refuse sentences whose rows would make a wrong path of statistics, or make an element grant or need itself."""
    if any(isinstance(row, Grant) and row.element_id == element.pk for row in edit.rows):
        raise ValidationError("An element cannot grant itself.")
    if any(isinstance(row, Prerequisite) and row.element == element for row in edit.rows):
        raise ValidationError("An element cannot need itself.")
    numbers = [row for row in edit.rows if isinstance(row, StatModifier) and (row.when_id or row.of_stat)]
    if numbers:
        graph = graph_around(source, [row.pk for row in edit.replaced if isinstance(row, Effect)])
        graph.modifiers += [
            (row.stat.key, row.of_stat and row.of_stat.key, row.when and row.when.slug) for row in numbers
        ]
        graph.check()
