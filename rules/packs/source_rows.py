"""The content of one source in the database, in the plain form of `columns`, for export, load and compile."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import QuerySet

from rules.models import (
    Action,
    Choice,
    ChoiceOption,
    CircumstanceTest,
    Effect,
    Element,
    LookupRow,
    Prerequisite,
    PropertyUse,
    Recovery,
    Resource,
    RestEvent,
    Ruleset,
    Source,
    Suggestion,
)

from . import columns as cols
from .columns import Column, PlainRow


@dataclass
class Pack:
    """A source in plain form. Each table is keyed by the names of its rows, elements by ref ("talent:tough").

    An element has its columns and those of its kind, `groups`, the lists of `columns.PARTS` (a choice also has
    `options` and `stats`) and `suggestions` by aspect. A circumstance has `tests`, an event `includes`, a lookup
    `rows`.
    """

    ruleset: PlainRow = field(default_factory=dict)
    source: PlainRow = field(default_factory=dict)
    requires: list[str] = field(default_factory=list)
    switches: dict[str, PlainRow] = field(default_factory=dict)
    stats: dict[str, PlainRow] = field(default_factory=dict)
    circumstances: dict[str, PlainRow] = field(default_factory=dict)
    events: dict[str, PlainRow] = field(default_factory=dict)
    timings: dict[str, PlainRow] = field(default_factory=dict)
    lookups: dict[str, PlainRow] = field(default_factory=dict)
    elements: dict[str, PlainRow] = field(default_factory=dict)

    def of_kind(self, kind: str) -> dict[str, PlainRow]:
        return {ref: row for ref, row in self.elements.items() if ref.partition(":")[0] == kind}


def plain_rows(query: QuerySet, columns: Iterable[Column], *extra: str) -> Iterator[tuple[Any, ...]]:
    """Yield `(*extra values, row in plain form)` for every row of `query`, without making model instances."""
    columns = tuple(columns)
    lookups = [lookup for column in columns for lookup in column.lookups]
    for values in query.values_list(*extra, *lookups):
        at = len(extra)
        row = {}
        for column in columns:
            end = at + len(column.lookups)
            row[column.key] = column.plain(values[at:end])
            at = end
        yield *values[: len(extra)], row


def read_source(source: Source) -> Pack:
    """Everything in `source`, including drafts and retired elements. Always the same number of queries."""
    pack = Pack()
    pack.ruleset = next(row for (row,) in plain_rows(Ruleset.objects.filter(pk=source.ruleset_id), cols.RULESET))
    pack.source = next(row for (row,) in plain_rows(Source.objects.filter(pk=source.pk), cols.SOURCE))
    pack.requires = sorted(source.requires.values_list("slug", flat=True))
    for table, (model, columns) in cols.TABLES.items():
        [name] = cols.NATURAL[model]
        rows = model.objects.filter(source=source).order_by(*model._meta.ordering, name)
        setattr(pack, table, {row[name]: row for (row,) in plain_rows(rows, columns)})
    read_lists(source, pack)
    read_elements(pack, source=source)
    return pack


def read_element(element: Element) -> PlainRow:
    """The row of one element, as in `read_source`."""
    pack = Pack()
    read_elements(pack, pk=element.pk)
    return pack.elements[element.ref]


def read_lists(source: Source, pack: Pack) -> None:
    """Read the lists within the rows of its tables into `pack`."""
    for table, key in (("circumstances", "tests"), ("events", "includes"), ("lookups", "rows")):
        for row in getattr(pack, table).values():
            row[key] = []
    tests = CircumstanceTest.objects.filter(circumstance__source=source).order_by("pk")
    for slug, row in plain_rows(tests, cols.CIRCUMSTANCE_TEST, "circumstance__slug"):
        pack.circumstances[slug]["tests"].append(row)
    including = RestEvent.objects.filter(source=source, includes__isnull=False)
    for slug, other in sorted(including.values_list("slug", "includes__slug")):
        pack.events[slug]["includes"].append(other)
    rows = LookupRow.objects.filter(table__source=source).order_by("at")
    for slug, row in plain_rows(rows, cols.LOOKUP_ROW, "table__slug"):
        pack.lookups[slug]["rows"].append(row)


def read_elements(pack: Pack, **which: Any) -> None:
    """Read the elements that `which` finds into `pack`, with their parts and the columns of their kind. Those are
    joined, because a kind's table has one row per element."""
    of_kind = [
        replace(column, key=f"{kind}:{column.key}", through=column.field.model.__name__.lower())
        for kind, columns in cols.OF_KIND.items()
        for column in columns
    ]
    by_pk: dict[int, PlainRow] = {}
    elements = Element.objects.filter(**which).order_by("kind", "sort", "name", "slug")
    for pk, kind, row in plain_rows(elements, [*cols.ELEMENT, *of_kind], "pk", "kind"):
        own = {column.key: row[f"{kind}:{column.key}"] for column in cols.OF_KIND.get(kind, ())}
        row = {column.key: row[column.key] for column in cols.ELEMENT} | own
        row |= {"groups": [], **{part: [] for part in cols.PARTS}, "suggestions": {}}
        pack.elements[f"{kind}:{row['slug']}"] = by_pk[pk] = row
    groups = elements.filter(groups__isnull=False).values_list("pk", "groups__kind", "groups__slug")
    for pk, group in sorted((pk, f"{kind}:{slug}") for pk, kind, slug in groups):
        by_pk[pk]["groups"].append(group)
    read_effects(by_pk, which)
    read_choices(by_pk, which)
    for part, model, order in (
        ("requires", Prerequisite, ["pk"]),
        ("resources", Resource, ["slug"]),
        ("recoveries", Recovery, ["pk"]),
        ("actions", Action, ["sort", "pk"]),
    ):
        rows = model.objects.filter(**of("owner", which)).order_by(*order)
        for pk, row in plain_rows(rows, cols.PARTS[part], "owner_id"):
            by_pk[pk][part].append(row)
    uses = PropertyUse.objects.filter(**of("item", which)).order_by("order", "pk")
    for pk, row in plain_rows(uses, cols.PROPERTY_USE, "item_id"):
        by_pk[pk]["properties"].append(row)
    suggestions = Suggestion.objects.filter(**of("background", which)).order_by("number")
    for pk, aspect, row in plain_rows(suggestions, cols.SUGGESTION, "background_id", "aspect"):
        by_pk[pk]["suggestions"].setdefault(aspect, []).append(row)


def of(owner: str, which: dict[str, Any]) -> dict[str, Any]:
    """The filter for the rows of the elements that `which` finds."""
    return {f"{owner}__{field}": value for field, value in which.items()}


def read_effects(by_pk: dict[int, PlainRow], which: dict[str, Any]) -> None:
    every = tuple({column.key: column for columns in cols.EFFECTS.values() for column in columns}.values())
    keys = {kind: [column.key for column in columns] for kind, columns in cols.EFFECTS.items()}
    effects = Effect.objects.filter(**of("owner", which)).order_by("order", "pk")
    for pk, kind, row in plain_rows(effects, every, "owner_id", "kind"):
        by_pk[pk][kind].append({key: row[key] for key in keys[kind]})


def read_choices(by_pk: dict[int, PlainRow], which: dict[str, Any]) -> None:
    options, stats = defaultdict(list), defaultdict(list)
    rows = ChoiceOption.objects.filter(**of("choice__owner", which)).order_by("order", "pk")
    for pk, kind, slug, stat in rows.values_list("choice_id", "element__kind", "element__slug", "stat__key"):
        if stat is None:
            options[pk].append(f"{kind}:{slug}")
        else:
            stats[pk].append(stat)
    choices = Choice.objects.filter(**of("owner", which)).order_by("sort", "pk")
    for owner, pk, row in plain_rows(choices, cols.CHOICE, "owner_id", "pk"):
        by_pk[owner]["choices"].append(row | {"options": options[pk], "stats": stats[pk]})


def completed(pack: Pack) -> Pack:
    """The pack, with defaults for columns that it lacks because it is of an earlier release."""
    elements = pack.elements.values()
    filled([pack.ruleset], cols.RULESET)
    filled([pack.source], cols.SOURCE)
    for table, (_, columns) in cols.TABLES.items():
        filled(getattr(pack, table).values(), columns)
    filled((test for row in pack.circumstances.values() for test in row["tests"]), cols.CIRCUMSTANCE_TEST)
    filled((line for row in pack.lookups.values() for line in row["rows"]), cols.LOOKUP_ROW)
    filled(elements, cols.ELEMENT)
    for kind, columns in cols.OF_KIND.items():
        filled(pack.of_kind(kind).values(), columns)
    for part, columns in cols.PARTS.items():
        filled((line for row in elements for line in row.setdefault(part, [])), columns)
    filled((line for row in elements for lines in row["suggestions"].values() for line in lines), cols.SUGGESTION)
    return pack


def filled(rows: Iterable[PlainRow], columns: tuple[Column, ...]) -> None:
    """Fill in defaults where these rows lack columns. All rows of a pack are of one release, so if the first lacks
    nothing, none does."""
    for row in rows:
        missing = [column for column in columns if column.key not in row]
        if not missing:
            return
        row.update({column.key: column.default for column in missing})
