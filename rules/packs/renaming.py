"""A pack under other names: renames the rows that it defines, and every reference to them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models import Model

from rules.models import Circumstance, Element, Resource, Stat

from . import columns as cols
from .source_rows import Pack

type NewNames = Mapping[type[Model], Mapping[str, str]]
"""For each model of `columns.NATURAL`, old name -> new name. Rows without an entry keep their names."""


def renamed(pack: Pack, names: NewNames) -> Pack:
    """The pack with these names. The keys of its choices change as well, since they begin with the owner's slug."""

    def name(model: type[Model], old: str) -> str:
        return names.get(model, {}).get(old, old)

    def pointed(row: cols.PlainRow, columns: Iterable[cols.Column]) -> cols.PlainRow:
        """The row with the new names of everything that it refers to."""
        found = dict(row)
        for column in columns:
            if column.target:
                found[column.key] = name(column.target, row[column.key])
        if row.get("test") == "resource_empty":
            found["word"] = name(Resource, row["word"])
        return found

    def entry(ref: str, row: cols.PlainRow) -> cols.PlainRow:
        found = pointed(row, [*cols.ELEMENT, *cols.OF_KIND.get(ref.partition(":")[0], ())])
        found["slug"] = name(Element, ref).partition(":")[2]
        found["groups"] = [name(Element, one) for one in row["groups"]]
        for part, columns in cols.PARTS.items():
            found[part] = [pointed(line, columns) for line in row[part]]
        for line in found["resources"]:
            line["slug"] = name(Resource, line["slug"])
        for line in found["choices"]:
            line["options"] = [name(Element, one) for one in line["options"]]
            line["stats"] = [name(Stat, one) for one in line["stats"]]
        return found

    return replace(
        pack,
        stats={name(Stat, key): pointed(row, cols.STAT) | {"key": name(Stat, key)} for key, row in pack.stats.items()},
        circumstances={
            name(Circumstance, slug): row
            | {
                "slug": name(Circumstance, slug),
                "tests": [pointed(test, cols.CIRCUMSTANCE_TEST) for test in row["tests"]],
            }
            for slug, row in pack.circumstances.items()
        },
        elements={name(Element, ref): entry(ref, row) for ref, row in pack.elements.items()},
    )


def as_named_in(coming: Pack, pack: Pack) -> Pack:
    """An earlier `pack` of a source, with the names that its entries have in `coming`, where some are renamed. Their
    former names (`was`) are as in `coming`, too."""
    now = {f"{ref.partition(':')[0]}:{old}": ref for ref, row in coming.elements.items() for old in row["was"].split()}
    now = {old: ref for old, ref in now.items() if old in pack.elements and ref not in pack.elements}
    found = renamed(pack, {Element: now})
    for ref in found.elements.keys() & coming.elements.keys():
        found.elements[ref]["was"] = coming.elements[ref]["was"]
    return found
