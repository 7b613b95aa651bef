"""Writes the rows of a pack that nothing points at: effects, tests, options and the like.

They have no names, so each list that differs is replaced as a whole.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import models

from rules.models import (
    Choice,
    ChoiceOption,
    Circumstance,
    CircumstanceTest,
    Effect,
    Element,
    LookupRow,
    LookupTable,
    Prerequisite,
    PropertyUse,
    Recovery,
    RestEvent,
    Stat,
    Suggestion,
)

from . import columns as cols
from .columns import Column, PlainRow
from .names import PackNames
from .source_rows import Pack


class ElementLists:
    """Replaces the lists of `had` by those of `wanted`. Everything that they name must be stored already."""

    def __init__(self, wanted: Pack, had: Pack, names: PackNames):
        self.wanted = wanted
        self.had = had
        self.names = names

    def write(self) -> None:
        attributes = self.names.attributes

        def in_order(columns: Iterable[Column]) -> Callable[[int, PlainRow], dict[str, Any]]:
            return lambda index, row: {"order": index, **attributes(row, columns)}

        self.replace(
            CircumstanceTest,
            "circumstance",
            self.lists("circumstances", Circumstance, "tests"),
            lambda _, row: attributes(row, cols.CIRCUMSTANCE_TEST),
        )
        self.replace(LookupRow, "table", self.lists("lookups", LookupTable, "rows"), lambda _, row: row)
        for event, includes, had in self.lists("events", RestEvent, "includes"):
            if includes != had:
                RestEvent(pk=event).includes.set([self.names.id(RestEvent, other) for other in includes])
        self.groups()
        for kind, columns in cols.EFFECTS.items():
            self.replace(Effect, "owner", self.of_elements(kind), in_order(columns), kind=kind)
        self.replace(
            Prerequisite, "owner", self.of_elements("requires"), lambda _, row: attributes(row, cols.PREREQUISITE)
        )
        self.replace(Recovery, "owner", self.of_elements("recoveries"), lambda _, row: attributes(row, cols.RECOVERY))
        self.replace(PropertyUse, "item", self.of_elements("properties"), in_order(cols.PROPERTY_USE))
        self.suggestions()
        self.options()

    def lists(self, table: str, model: type[models.Model], part: str) -> Iterator[tuple[int, Any, Any]]:
        """(owner's id, wanted part, present part) of every row in a table of the pack."""
        had = getattr(self.had, table)
        for name, row in getattr(self.wanted, table).items():
            yield self.names.ids[model][name], row[part], had[name][part] if name in had else type(row[part])()

    def of_elements(self, part: str) -> Iterator[tuple[int, Any, Any]]:
        return self.lists("elements", Element, part)

    def replace(
        self,
        model: type[models.Model],
        owner: str,
        lists: Iterable[tuple[int, list[PlainRow], list[PlainRow]]],
        attributes: Callable[[int, PlainRow], dict[str, Any]],
        **fixed: str,
    ) -> None:
        """Replace the rows of every owner whose wanted rows differ from the present ones. fixed: values that all these
        rows share."""
        made, cleared = [], []
        for pk, wanted, had in lists:
            if wanted != had:
                if had:
                    cleared.append(pk)
                made += [
                    model(**{f"{owner}_id": pk}, **fixed, **attributes(index, row)) for index, row in enumerate(wanted)
                ]
        if cleared:
            model.objects.filter(**{f"{owner}_id__in": cleared}, **fixed).delete()
        model.objects.bulk_create(made)

    def groups(self) -> None:
        through = Element.groups.through
        made = []
        for pk, groups, had in self.of_elements("groups"):
            if groups != had:
                if had:
                    through.objects.filter(from_element_id=pk).delete()
                made += [through(from_element_id=pk, to_element_id=self.names.id(Element, group)) for group in groups]
        through.objects.bulk_create(made)

    def suggestions(self) -> None:
        for aspect in cols.SUGGESTED:
            self.replace(
                Suggestion,
                "background",
                (
                    (background, wanted.get(aspect, []), had.get(aspect, []))
                    for background, wanted, had in self.of_elements("suggestions")
                ),
                lambda index, row: {"number": index + 1, **row},
                aspect=aspect,
            )

    def options(self) -> None:
        differing: dict[tuple[int, str], PlainRow] = {}
        for ref, row in self.wanted.elements.items():
            had = {line["slug"]: line for line in self.had.elements.get(ref, {}).get("choices", [])}
            for line in row["choices"]:
                before = had.get(line["slug"], {"options": [], "stats": []})
                if (line["options"], line["stats"]) != (before["options"], before["stats"]):
                    differing[self.names.ids[Element][ref], line["slug"]] = line
        if not differing:
            return
        owners = {owner for owner, _ in differing}
        choices = Choice.objects.filter(owner_id__in=owners).values_list("owner_id", "slug", "pk")
        of_choice = {pk: differing[owner, slug] for owner, slug, pk in choices if (owner, slug) in differing}
        ChoiceOption.objects.filter(choice_id__in=of_choice).delete()
        ChoiceOption.objects.bulk_create(
            ChoiceOption(choice_id=pk, order=order, **option)
            for pk, line in of_choice.items()
            for order, option in enumerate(
                [
                    *({"element_id": self.names.id(Element, ref)} for ref in line["options"]),
                    *({"stat_id": self.names.id(Stat, key)} for key in line["stats"]),
                ]
            )
        )
