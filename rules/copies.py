"""Copies of an entry, to be changed: “like Fighter, but …”. A copy has its own rows and its own uses."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from rules.homebrew import named
from rules.models import ELEMENT_CLASSES, Element, Resource, Source, Stat
from rules.models.vocabulary import Kind, Status
from rules.packs import columns as cols
from rules.packs.named_things import names_in, names_of
from rules.packs.names import PackNames
from rules.packs.renaming import NewNames, renamed
from rules.packs.source_rows import Pack, plain_rows, read_element
from rules.packs.write import Writer
from rules.publications import beneath

# A game has only one “core rules”, and two statistics for each ability.
COPIED_NEVER = {Kind.RULES, Kind.ABILITY}


class NotCopied(Exception):
    """The reason, as a sentence, why there is no copy."""


@transaction.atomic
def copied(element: Element) -> Element:
    """A draft with the same rows as `element`, in the same source. Other rows still point at the original."""
    row = read_element(element)
    counted = Stat.objects.filter(ruleset=element.ruleset_id, key__in=_maxima(row))
    stats = {stat["key"]: stat for (stat,) in plain_rows(counted, cols.STAT)}
    return _written(element, row | {"status": str(Status.DRAFT)}, stats, element.source)


@transaction.atomic
def copied_into(element: Element, homebrew: Source) -> Element:
    """An entry of this homebrew with the rows of `element` that are in force; unpublished edits do not count. From then
    on, the homebrew requires the original's source, and the sources that it requires.

    Raises NotCopied if the original, or something it names, is no longer in force.
    """
    if not element.source.is_core:
        homebrew.requires.add(element.source, *element.source.requires.filter(is_core=False))
    packs = {pack.source["slug"]: pack for pack in beneath(homebrew)}
    row = packs[element.source.slug].elements.get(element.ref)
    if row is None:
        raise NotCopied(f"The rules no longer have {element}. Choose another one.")
    stats = {key: stat for pack in packs.values() for key, stat in pack.stats.items() if key in _maxima(row)}
    return _written(element, row | {"page_ref": ""}, stats, homebrew)


def _written(first: Element, row: dict[str, Any], stats: dict[str, dict[str, Any]], source: Source) -> Element:
    """The stored copy of `row` in this source. stats: the maxima of its resources."""
    name = row["name"]
    row |= {"name": f"{name[:113]} (copy)", "was": ""}
    nothing = Pack(source={"is_core": False})  # compared with nothing, so the rest of the source stays as it is
    copy = renamed(replace(nothing, stats=stats, elements={first.ref: row}), _new_names(first, row, source))
    names, own = PackNames(source.ruleset, source.slug), {*names_of(copy)}
    if any((model, key) not in own and key not in names.ids[model] for *_, model, key in names_in(copy)):
        raise NotCopied(f"{name} refers to something that is being changed. Copy it once that change is published.")
    Writer(source, copy, nothing, names).write()
    [ref] = copy.elements
    made: Element = ELEMENT_CLASSES[first.kind].objects.get(pk=names.id(Element, ref))
    return made


def _maxima(row: Mapping[str, Any]) -> set[str]:
    return {line["max_stat"] for line in row["resources"]}


def _new_names(first: Element, row: Mapping[str, Any], source: Source) -> NewNames:
    """New names for the copy, its resources and their maxima, by those of the original."""
    slugs = set(Resource.objects.filter(owner__ruleset=first.ruleset_id).values_list("slug", flat=True))
    keys = set(Stat.objects.filter(ruleset=first.ruleset_id).values_list("key", flat=True))
    alike = Element.objects.filter(ruleset=first.ruleset_id, kind=first.kind).values_list("slug", flat=True)

    def new(name: str, taken: set[str], most: int) -> str:
        found = named(name, source, taken, most)
        taken.add(found)
        return found

    return {
        Resource: {line["slug"]: new(line["slug"], slugs, 60) for line in row["resources"]},
        Stat: {key: new(key, keys, 80) for key in sorted(_maxima(row))},
        Element: {first.ref: f"{first.kind}:{new(first.slug, set(alike), 80)}"},
    }
