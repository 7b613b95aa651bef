"""From the names the engine uses to primary keys, for what is written to the database."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.compile import LRU
from rules.engine.bundle import Bundle
from rules.models import Choice, Circumstance, Element, Resource, Ruleset, Source, Stat, Switch

_kept = LRU(512)


class NotInRules(LookupError):
    """A name that the rules do not have, or no longer."""


class Names(dict[str, int]):
    def __missing__(self, name):
        raise NotInRules(name)


@dataclass(frozen=True)
class Index:
    """elements by ref, choices by key, resources and circumstances by slug, stats and switches by key. Looking up one
    that is not there raises NotInRules."""

    elements: Names = field(default_factory=Names)
    choices: Names = field(default_factory=Names)
    resources: Names = field(default_factory=Names)
    stats: Names = field(default_factory=Names)
    circumstances: Names = field(default_factory=Names)
    switches: Names = field(default_factory=Names)


def index_for(ruleset: Ruleset | str) -> Index:
    """The names of all sources of the ruleset: one query when nothing changed. Drafts are included."""
    sources = Source.objects.filter(ruleset__slug=getattr(ruleset, "slug", ruleset)).order_by("pk")
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
        elements=Names({f"{kind}:{slug}": pk for kind, slug, pk in elements}),
        choices=Names({f"{owner}.{slug}": pk for owner, slug, pk in choices}),
        resources=Names(Resource.objects.filter(owner__source__in=sources).values_list("slug", "pk")),
        stats=Names(Stat.objects.filter(source__in=sources).values_list("key", "pk")),
        circumstances=Names(Circumstance.objects.filter(source__in=sources).values_list("slug", "pk")),
        switches=Names(Switch.objects.filter(source__in=sources).values_list("key", "pk")),
    )
