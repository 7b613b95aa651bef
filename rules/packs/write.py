"""Writes the difference between a pack and its rows in the database, row by row.

Rows that characters point at (elements, choices, resources, stats, circumstances) are found by name and updated in
place. Rows that nothing points at (effects, tests, options ...) are written by `lists.py`.
"""

from collections.abc import Iterable, Mapping

from django.db import models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from rules.models import (
    Action,
    Choice,
    Condition,
    Element,
    Resource,
    Ruleset,
    Source,
    Stat,
    Switch,
)
from rules.models.vocabulary import Status

from . import columns as cols
from .columns import Column, PlainRow
from .lists import ElementLists
from .names import PackNames, label
from .report import Report, StillUsed
from .source_rows import Pack

RESOURCE = (*cols.RESOURCE, *cols.columns(Resource, "owner"))
USERS_OF_A_RESOURCE = (
    (Action, "resource", "owner__source"),
    (Condition, "resource", "source"),
    (Stat, "spent_of", "source"),
)


def resources_of(pack: Pack) -> dict[str, PlainRow]:
    """The resources of all elements by slug, which is how other rows name them, each with its `owner`."""
    return {line["slug"]: line | {"owner": ref} for ref, row in pack.elements.items() for line in row["resources"]}


class Writer:
    """Writes `wanted` over `had`, the same source as it is in the database; without the source's own columns, if this
    load has just created it. Call `write` in a transaction.

    in_force: the pack that stays in force for now. Elements and house rules in it are retired, not deleted.
    """

    def __init__(self, source: Source, wanted: Pack, had: Pack, names: PackNames, in_force: Pack | None = None):
        self.in_force = in_force or Pack()
        self.source = source
        self.wanted = wanted
        self.had = had
        self.names = names
        self.report = Report()

    def write(self) -> Report:
        self.source_row()
        self.dropped_parts()
        home = {"ruleset_id": self.source.ruleset_id, "source_id": self.source.pk}
        for table, (model, columns) in cols.TABLES.items():
            self.table(model, columns, getattr(self.wanted, table), getattr(self.had, table), **home)
        self.elements()
        self.later()
        self.named_part("actions", Action, cols.ACTION)
        self.named_part("choices", Choice, cols.CHOICE)
        ElementLists(self.wanted, self.had, self.names).write()
        self.vanished()
        self.count()
        return self.report

    def source_row(self) -> None:
        """The source's own columns, and the ruleset's if this is its core."""
        had = self.had.source
        source = {key: value for key, value in self.wanted.source.items() if had and value != had[key]}
        if source:
            Source.objects.filter(pk=self.source.pk).update(**source)
        requires = self.wanted.requires != self.had.requires
        if requires:
            self.source.requires.set(
                Source.objects.filter(ruleset=self.source.ruleset_id, slug__in=self.wanted.requires)
            )
        ruleset = self.ruleset_moves()
        if plain := {key: self.wanted.ruleset[key] for key in ruleset if key not in cols.LATER}:
            Ruleset.objects.filter(pk=self.source.ruleset_id).update(**plain)
        moved = [*source, *(["requires"] if requires else []), *(f"ruleset {key}" for key in ruleset)]
        if not had:
            self.report.added += 1
            self.report.lines.append(f"+ source {self.source.slug}")
        elif moved:
            self.report.changed += 1
            self.report.lines.append(f"~ source {self.source.slug}: {', '.join(moved)}")
        else:
            self.report.unchanged += 1

    def ruleset_moves(self) -> list[str]:
        if not self.wanted.source["is_core"]:
            return []
        return [key for key, value in self.wanted.ruleset.items() if value != self.had.ruleset[key]]

    # Tables whose rows have a name

    def table(
        self,
        model: type[models.Model],
        columns: tuple[Column, ...],
        wanted: Mapping[str, PlainRow],
        had: Mapping[str, PlainRow],
        **home: int,
    ) -> None:
        """Write the rows of a table by name. home: the columns that all new rows share.

        New rows come last, since one may take over a value that must be unique, such as the maximum of a resource.
        """
        for name, row in wanted.items():
            if name in had:
                self.update(model, self.names.ids[model][name], row, had[name], columns)
        new = [name for name in wanted if name not in had]
        made = model.objects.bulk_create(model(**home, **self.names.attributes(wanted[name], columns)) for name in new)
        for name, row in zip(new, made, strict=True):
            self.names.add(model, name, row.pk)

    def update(
        self, model: type[models.Model], pk: int, wanted: PlainRow, had: PlainRow, columns: Iterable[Column]
    ) -> None:
        differing = [column for column in columns if wanted[column.key] != had[column.key]]
        if attributes := self.names.attributes(wanted, differing):
            model.objects.filter(pk=pk).update(**attributes)

    def elements(self) -> None:
        wanted, had = self.wanted.elements, self.had.elements
        new = [ref for ref in wanted if ref not in had]
        made = Element.objects.bulk_create(
            Element(
                ruleset_id=self.source.ruleset_id,
                source_id=self.source.pk,
                kind=ref.partition(":")[0],
                **self.names.attributes(wanted[ref], cols.ELEMENT),
            )
            for ref in new
        )
        for ref, element in zip(new, made, strict=True):
            self.names.add(Element, ref, element.pk)
        held = [ref for ref in wanted if ref in had]
        for ref in held:
            self.update(Element, self.names.ids[Element][ref], wanted[ref], had[ref], cols.ELEMENT)
        # Also if only a row in a list differs, so that forms of the element that are open elsewhere count as stale.
        moved = [self.names.id(Element, ref) for ref in held if wanted[ref] != had[ref]]
        Element.objects.filter(pk__in=moved).update(updated=timezone.now())
        self.table(Resource, RESOURCE, resources_of(self.wanted), resources_of(self.had))
        for kind, columns in cols.OF_KIND.items():
            self.kind_rows(columns, self.wanted.of_kind(kind))

    def kind_rows(self, columns: tuple[Column, ...], wanted: Mapping[str, PlainRow]) -> None:
        """The rows of a kind's own table, new ones last. Saved raw, because their elements are stored already."""
        model, had = columns[0].field.model, self.had.elements
        for ref, row in sorted(wanted.items(), key=lambda one: one[0] not in had):
            pk = self.names.ids[Element][ref]
            if ref in had:
                self.update(model, pk, row, had[ref], columns)
            else:
                made = model(element_ptr_id=pk, **self.names.attributes(row, columns))
                made.save_base(raw=True, force_insert=True)

    def later(self) -> None:
        """References within a table, and from stats to resources and terms. They are written once all their targets are
        stored."""
        for name, row in self.wanted.stats.items():
            references = ("spent_of", Resource), ("created_of", Stat), ("term", Element)
            self.refer(Stat, name, row, self.had.stats.get(name), *references)
        for ref, row in self.wanted.elements.items():
            self.refer(Element, ref, row, self.had.elements.get(ref), ("parent", Element))
        if "armor_stat" in self.ruleset_moves():
            stat = self.names.id(Stat, self.wanted.ruleset["armor_stat"])
            Ruleset.objects.filter(pk=self.source.ruleset_id).update(armor_stat=stat)

    def refer(
        self,
        model: type[models.Model],
        name: str,
        row: PlainRow,
        had: PlainRow | None,
        *references: tuple[str, type[models.Model]],
    ) -> None:
        moved = {
            key: self.names.id(target, row[key]) for key, target in references if row[key] != (had[key] if had else "")
        }
        if moved:
            model.objects.filter(pk=self.names.id(model, name)).update(**moved)

    def named_part(self, part: str, model: type[models.Model], columns: tuple[Column, ...]) -> None:
        """Write choices or actions. Existing ones are found by owner and slug, and keep their ids."""
        made = []
        for ref, row in self.wanted.elements.items():
            owner = self.names.id(Element, ref)
            had = {line["slug"]: (at, line) for at, line in enumerate(self.had.elements.get(ref, {}).get(part, []))}
            for at, line in enumerate(row[part]):
                attributes = {"sort": at, **self.names.attributes(line, columns)}
                if line["slug"] not in had:
                    made.append(model(owner_id=owner, **attributes))
                elif had[line["slug"]] != (at, line):
                    model.objects.filter(owner_id=owner, slug=line["slug"]).update(**attributes)
        model.objects.bulk_create(made)

    # Rows that the pack no longer has

    def dropped_parts(self) -> None:
        """Delete the actions, choices and resources that elements have lost. Raises StillUsed.

        This comes before any writing, so that a renamed resource can take over the statistic that limits it. Rows of
        this source that use a lost resource stop referring to it here; those that stay are written later.
        """
        lost = [self.names.id(Resource, slug) for _, slug in self.dropped("resources")]
        for model, column, source in USERS_OF_A_RESOURCE:
            model.objects.filter(**{source: self.source, f"{column}__in": lost}).update(**{column: None})
        for part, model in (("actions", Action), ("choices", Choice), ("resources", Resource)):
            for ref, slug in self.dropped(part):
                try:
                    with transaction.atomic():
                        model.objects.get(owner_id=self.names.id(Element, ref), slug=slug).delete()
                except ProtectedError:
                    raise StillUsed(ref, f"{label(model)} {slug}") from None

    def dropped(self, part: str) -> list[tuple[str, str]]:
        """(element, slug) of each choice, action or resource that an element of the pack has lost. A resource that
        another element has now is not lost."""
        elsewhere = resources_of(self.wanted) if part == "resources" else {}
        return [
            (ref, line["slug"])
            for ref, row in self.wanted.elements.items()
            for line in self.had.elements.get(ref, {}).get(part, ())
            if line["slug"] not in elsewhere.keys() | {other["slug"] for other in row[part]}
        ]

    def vanished(self) -> None:
        """Delete rows that are no longer in the pack. Of those still needed, retire elements and house rules, and keep
        the rest."""
        gone = [ref for ref in self.had.elements if ref not in self.wanted.elements]
        live = [ref for ref in gone if ref in self.in_force.elements]
        used = self.delete_all([(Element, ref) for ref in gone if ref not in self.in_force.elements])
        for ref in [*(ref for _, ref in used), *live]:
            row = self.had.elements[ref]
            self.check_resources_of(row)
            if row["status"] != Status.RETIRED:
                Element.objects.filter(pk=self.names.id(Element, ref)).update(
                    status=Status.RETIRED, updated=timezone.now()
                )
                self.retired(ref)
        for key in (self.had.switches.keys() & self.in_force.switches.keys()) - self.wanted.switches.keys():
            self.retire_switch(key)
        rows = [
            (model, name)
            for table, (model, _) in cols.TABLES.items()
            for name in getattr(self.had, table)
            if name not in getattr(self.wanted, table) and name not in getattr(self.in_force, table)
        ]
        for model, name in self.delete_all(rows):
            if model is Switch:
                self.retire_switch(name)
                continue
            self.report.lines.append(f"  {label(model)} {name}: kept, as it is in use")
            if model is Stat:
                self.check_resources_of(self.had.stats[name])

    def retire_switch(self, key: str) -> None:
        if self.had.switches[key]["status"] != Status.RETIRED:
            Switch.objects.filter(pk=self.names.id(Switch, key)).update(status=Status.RETIRED)
            self.retired(f"{label(Switch)} {key}")

    def retired(self, shown: str) -> None:
        self.report.retired += 1
        self.report.lines.append(f"- {shown}: retired, as it is in use")

    def check_resources_of(self, kept: PlainRow) -> None:
        """Raise StillUsed if this row, which the pack no longer has but which stays, uses a lost resource: characters
        with the element still spend it, and rows that name the statistic still read it."""
        used = {kept.get("resource"), kept.get("spent_of"), *(line["resource"] for line in kept.get("actions", ()))}
        for ref, slug in self.dropped("resources"):
            if slug in used:
                raise StillUsed(ref, f"{label(Resource)} {slug}")

    def delete_all(self, rows: list[tuple[type[models.Model], str]]) -> list[tuple[type[models.Model], str]]:
        """Delete the rows, in several passes as long as that frees others. Returns the rows that stay protected."""
        left = rows
        while left:
            kept = []
            for model, name in left:
                try:
                    with transaction.atomic():
                        model.objects.get(pk=self.names.id(model, name)).delete()
                except ProtectedError:
                    kept.append((model, name))
                else:
                    self.report.deleted += 1
                    self.report.lines.append(f"- {name if model is Element else f'{label(model)} {name}'}: deleted")
            if len(kept) == len(left):
                still = set(kept)
                return [row for row in rows if row in still]
            left = kept[::-1]  # reversed, since in the same order, a chain might free only one row per pass
        return []

    def count(self) -> None:
        models_of = {table: model for table, (model, _) in cols.TABLES.items()} | {"elements": Element}
        for table, model in models_of.items():
            had = getattr(self.had, table)
            for name, row in getattr(self.wanted, table).items():
                shown = name if model is Element else f"{label(model)} {name}"
                if name not in had:
                    self.report.added += 1
                    self.report.lines.append(f"+ {shown}")
                elif moved := [key for key, value in row.items() if value != had[name][key]]:
                    self.report.changed += 1
                    self.report.lines.append(f"~ {shown}: {', '.join(moved)}")
                else:
                    self.report.unchanged += 1
