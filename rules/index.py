"""Primary keys by the engine's names, for writing to the database."""

from collections import ChainMap, defaultdict
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field

from django.db.models import Model

from rules.engine.bundle import Bundle
from rules.lru import LRU
from rules.models import Choice, Circumstance, Element, Resource, Ruleset, Source, Stat, Switch

# Kept per source, so after one homebrew is published, only its names are read again.
_kept = LRU[dict[str, dict[str, int]]](4096)
_together = LRU["Index"](128)


class NotInRules(LookupError):
    """A name that the rules do not have, or have no longer."""


class IdsByName(ChainMap[str, int]):
    """The ids of one table by name. A missing name is looked up again in the `table` of the `ruleset`, if given: a
    source outside the bundle may have renamed it since."""

    def __init__(self, *maps: MutableMapping[str, int], ruleset: str = "", table: str = "") -> None:
        super().__init__(*maps)
        self.ruleset, self.table = ruleset, table

    def __missing__(self, name: str) -> int:
        now = getattr(index_for(self.ruleset), self.table) if self.table else self
        if now is self:
            raise NotInRules(name)
        return now[name]


@dataclass(frozen=True)
class Index:
    """Ids of elements by ref, of choices, stats and switches by key, of resources and circumstances by slug. Raises
    NotInRules for a name that is not there."""

    elements: IdsByName = field(default_factory=IdsByName)
    choices: IdsByName = field(default_factory=IdsByName)
    resources: IdsByName = field(default_factory=IdsByName)
    stats: IdsByName = field(default_factory=IdsByName)
    circumstances: IdsByName = field(default_factory=IdsByName)
    switches: IdsByName = field(default_factory=IdsByName)


def index_for(ruleset: Ruleset | str) -> Index:
    """The names in all sources of the ruleset, public ones first, drafts included. One query if nothing changed."""
    slug = getattr(ruleset, "slug", ruleset)
    sources = Source.objects.filter(ruleset__slug=slug).order_by("-is_core", "pk")
    revisions = tuple(sources.values_list("pk", "revision"))
    return _together.get(revisions, lambda: _chained(slug, revisions))


def index_of(bundle: Bundle) -> Index:
    """The names in the ruleset of a bundle, kept with the bundle, so only the first call makes a query."""
    key = Index, _kept.cleared
    if key not in bundle.memo:
        bundle.memo[key] = index_for(bundle.ruleset)
    return bundle.memo[key]


def forget() -> None:
    """Read all names again. Called when an edit of a working copy deletes rows or creates them again, which does not
    change the revision."""
    _together.clear()
    _kept.clear()


def _chained(slug: str, revisions: Iterable[tuple[int, int]]) -> Index:
    known = {pk: _kept.find((pk, revision)) for pk, revision in revisions}
    found = read_indexes([pk for pk, index in known.items() if index is None])
    for pk, revision in revisions:
        if pk in found:
            _kept.put((pk, revision), found[pk])
    parts = [known[pk] or found[pk] for pk in known]
    return Index(**{name: IdsByName(*(part[name] for part in parts), ruleset=slug, table=name) for name in TABLES})


def read_indexes(sources: Iterable[int]) -> dict[int, dict[str, dict[str, int]]]:
    """The present names of each source, by table. The number of queries is always the same."""
    found: dict[int, dict[str, dict[str, int]]] = {pk: defaultdict(dict) for pk in sources}
    for table, (model, source, *name, between) in TABLES.items() if found else ():
        for pk, row, *parts in model.objects.filter(**{f"{source}__in": found}).values_list(source, "pk", *name):
            found[pk][table][between.join(parts)] = row
    return found


# The tables of an index: the model, the path to its source, the columns of a name, and the separator between them.
TABLES: dict[str, tuple[type[Model], str, *tuple[str, ...], str]] = {
    "elements": (Element, "source", "kind", "slug", ":"),
    "choices": (Choice, "owner__source", "owner__slug", "slug", "."),
    "resources": (Resource, "owner__source", "slug", ""),
    "stats": (Stat, "source", "key", ""),
    "circumstances": (Circumstance, "source", "slug", ""),
    "switches": (Switch, "source", "key", ""),
}
