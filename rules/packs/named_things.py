"""The names that a pack defines, and those that its rows refer to, to compare several packs."""

from collections.abc import Iterable, Iterator

from django.db.models import Model

from rules.models import Element, Resource, RestEvent, Stat
from rules.models.vocabulary import EffectKind, Kind, Status

from . import columns as cols
from .columns import Column, PlainRow
from .source_rows import Pack

NAMES = "names"


def names_of(pack: Pack) -> Iterator[tuple[type[Model], str]]:
    """Everything in a pack that others may name, elements also by former names."""
    for table, (model, _) in cols.TABLES.items():
        yield from ((model, name) for name in getattr(pack, table))
    for ref, row in pack.elements.items():
        yield Element, ref
        yield from ((Element, f"{ref.partition(':')[0]}:{slug}") for slug in row["was"].split())
        if row["status"] != Status.DRAFT:
            yield from ((Resource, line["slug"]) for line in row["resources"])


def names_in(pack: Pack) -> Iterator[tuple[str, str, type[Model], str]]:
    """Everything that the rows of a pack, except drafts, refer to: the place, the verb, the model and the name."""
    for key, row in pack.stats.items():
        yield from named(f"stat {key}", row, cols.STAT)
    for slug, row in pack.circumstances.items():
        for test in row["tests"]:
            yield from named(f"circumstance {slug}", test, cols.CIRCUMSTANCE_TEST)
    for slug, row in pack.events.items():
        yield from ((f"rest event {slug}", NAMES, RestEvent, other) for other in row["includes"])
    for ref, row in pack.elements.items():
        if row["status"] == Status.DRAFT:
            continue
        yield from named(ref, row, (*cols.ELEMENT, *cols.OF_KIND.get(Kind(ref.partition(":")[0]), ())))
        yield from ((ref, NAMES, Element, group) for group in row["groups"])
        for part, columns in cols.PARTS.items():
            for line in row[part]:
                yield from named(ref, line, columns, "grants" if part == EffectKind.GRANT else NAMES)
        for line in row["choices"]:
            yield from ((ref, "offers", Element, option) for option in line["options"])
            yield from ((ref, "offers", Stat, option) for option in line["stats"])


def named(
    where: str, row: PlainRow, columns: Iterable[Column], verb: str = NAMES
) -> Iterator[tuple[str, str, type[Model], str]]:
    for column in columns:
        if column.target and row[column.key]:
            yield where, verb if column.target is Element else NAMES, column.target, row[column.key]
