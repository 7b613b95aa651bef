"""From the names the engine uses to primary keys and back, for what is written to the database."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from rules.compile import Kept
from rules.engine.bundle import Bundle
from rules.models import Choice, Circumstance, Element, Resource, Ruleset, Source, Stat, Switch

_kept = Kept(512)


@dataclass(frozen=True)
class Index:
    """elements by ref, choices by key, resources and circumstances by slug, stats and switches by key."""

    elements: dict[str, int] = field(default_factory=dict)
    choices: dict[str, int] = field(default_factory=dict)
    resources: dict[str, int] = field(default_factory=dict)
    stats: dict[str, int] = field(default_factory=dict)
    circumstances: dict[str, int] = field(default_factory=dict)
    switches: dict[str, int] = field(default_factory=dict)

    @cached_property
    def element_refs(self) -> dict[int, str]:
        return {pk: name for name, pk in self.elements.items()}

    @cached_property
    def choice_keys(self) -> dict[int, str]:
        return {pk: name for name, pk in self.choices.items()}

    @cached_property
    def resource_slugs(self) -> dict[int, str]:
        return {pk: name for name, pk in self.resources.items()}

    @cached_property
    def stat_keys(self) -> dict[int, str]:
        return {pk: name for name, pk in self.stats.items()}

    @cached_property
    def circumstance_slugs(self) -> dict[int, str]:
        return {pk: name for name, pk in self.circumstances.items()}

    @cached_property
    def switch_keys(self) -> dict[int, str]:
        return {pk: name for name, pk in self.switches.items()}


def index_for(ruleset: Ruleset | str, source_slugs: Iterable[str] | None = None) -> Index:
    """The names of the sources named, or of all the ruleset's: one query when nothing changed. Drafts are included."""
    sources = Source.objects.filter(ruleset__slug=getattr(ruleset, "slug", ruleset)).order_by("pk")
    if source_slugs is not None:
        sources = sources.filter(slug__in=source_slugs)
    revisions = tuple(sources.values_list("pk", "revision"))
    return _kept.get(revisions, lambda: read_index([pk for pk, _ in revisions]))


def index_of(bundle: Bundle) -> Index:
    """The names of the ruleset a bundle was compiled from, kept with the bundle: no query after the first."""
    if Index not in bundle.memo:
        bundle.memo[Index] = index_for(bundle.ruleset)
    return bundle.memo[Index]


def read_index(sources: Iterable[int]) -> Index:
    """The names of these sources as they stand now."""
    sources = list(sources)
    elements = Element.objects.filter(source__in=sources).values_list("kind", "slug", "pk")
    choices = Choice.objects.filter(owner__source__in=sources).values_list("owner__slug", "slug", "pk")
    return Index(
        elements={f"{kind}:{slug}": pk for kind, slug, pk in elements},
        choices={f"{owner}.{slug}": pk for owner, slug, pk in choices},
        resources=dict(Resource.objects.filter(owner__source__in=sources).values_list("slug", "pk")),
        stats=dict(Stat.objects.filter(source__in=sources).values_list("key", "pk")),
        circumstances=dict(Circumstance.objects.filter(source__in=sources).values_list("slug", "pk")),
        switches=dict(Switch.objects.filter(source__in=sources).values_list("key", "pk")),
    )
