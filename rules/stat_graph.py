"""Statistics that would be computed from themselves, found before their rows are stored."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from rules.models import CircumstanceTest, Effect, Element, Grant, Source, Stat, StatModifier
from rules.models.vocabulary import EffectKind
from rules.rings import Edge, find_ring

if TYPE_CHECKING:
    from rules.patterns.lines import Edit


class StatGraph:
    """The statistics that each statistic is computed from, by key: in stored rows, and in those about to be stored.
    Rows count if they are of `source` or public in its ruleset."""

    def __init__(
        self,
        source: Source | None,
        *,
        without_rows: Collection[int] = (),
        without_circumstance: int | None = None,
        without_stat: int | None = None,
    ) -> None:
        readable = Source.objects.none()  # if a form names no source
        if source is not None:
            readable = Source.objects.open_to(besides=[source.slug]).filter(ruleset=source.ruleset_id)
        self.tested: dict[int | None, set[str]] = defaultdict(set)  # circumstance id -> keys of the statistics it tests
        tests = CircumstanceTest.objects.filter(circumstance__source__in=readable, stat__isnull=False)
        for circumstance, stat in tests.exclude(circumstance=without_circumstance).values_list(
            "circumstance", "stat__key"
        ):
            self.tested[circumstance].add(stat)
        self.rows: list[tuple[str, str | None, int | None]] = list(
            Effect.objects.filter(owner__source__in=readable, kind=EffectKind.MODIFY)
            .exclude(pk__in=without_rows)
            .values_list("stat__key", "of_stat__key", "when")
        )
        self.edges: list[Edge] = []
        self.names: dict[str, str] = {}
        stats = Stat.objects.filter(source__in=readable).values_list("pk", "key", "name", "created_of__key")
        for pk, key, name, created_of in stats:
            self.names[key] = name
            if created_of and pk != without_stat:
                self.edges.append((key, created_of))

    def ring(self) -> list[str]:
        """The keys along a path from a statistic to itself; empty if there is none."""
        edges = list(self.edges)
        for stat, of_stat, when in self.rows:
            edges += [(stat, needed) for needed in {of_stat, *self.tested[when]} if needed is not None]
        return find_ring(edges)

    def sentence(self, ring: Sequence[str]) -> str:
        path = " \N{RIGHTWARDS ARROW} ".join(self.names.get(key, key) for key in ring)
        return f"These statistics would depend on themselves: {path}."


def check_patterns(edit: "Edit", source: Source, element: Element) -> None:
    """Refuse sentences whose rows would make a statistic depend on itself, or an element grant itself."""
    if any(isinstance(row, Grant) and row.element_id == element.pk for row in edit.rows):
        raise ValidationError("An element cannot grant itself.")
    numbers = [row for row in edit.rows if isinstance(row, StatModifier) and (row.when_id or row.of_stat)]
    if numbers:
        graph = StatGraph(source, without_rows=[row.pk for row in edit.replaced if isinstance(row, Effect)])
        graph.rows += [(row.stat.key, row.of_stat and row.of_stat.key, row.when_id) for row in numbers]
        if ring := graph.ring():
            raise ValidationError(graph.sentence(ring))
