"""The difference between a pack and what the database holds of it, written row by row.

Rows that characters point at (elements, choices, resources, stats, circumstances) are found by name and updated in
place. Rows nothing points at (effects, tests, options ...) are replaced as a list, and only when the list differs.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from rules.models import (
    Action,
    ActionTiming,
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
    Resource,
    RestEvent,
    Ruleset,
    Source,
    Stat,
    Suggestion,
    Switch,
)
from rules.models.words import Status

from . import columns as cols
from .columns import Column
from .content import Pack
from .names import Names, label


@dataclass
class Report:
    """What a load did, or would do: how many rows by name, and a line for each that is not unchanged."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    retired: int = 0
    deleted: int = 0
    lines: list[str] = field(default_factory=list)

    @property
    def moved(self) -> bool:
        return bool(self.added or self.changed or self.retired or self.deleted)

    def __str__(self):
        return (
            f"{self.added} added, {self.changed} changed, {self.unchanged} unchanged, "
            f"{self.retired} retired, {self.deleted} deleted"
        )


class StillUsed(Exception):
    """A choice, resource or action is gone from the pack although characters hold answers to it."""

    def __init__(self, ref: str, what: str):
        super().__init__(what)
        self.ref = ref
        self.what = what


TABLES = (
    ("switches", Switch, cols.SWITCH),
    ("stats", Stat, cols.STAT),
    ("lookups", LookupTable, cols.LOOKUP),
    ("events", RestEvent, cols.EVENT),
    ("timings", ActionTiming, cols.TIMING),
    ("circumstances", Circumstance, cols.CIRCUMSTANCE),
)
# References that point at rows written later, filled in at the end.
LATER = {"spent_of", "created_of", "parent", "armor_stat"}


class Writer:
    """Writes `wanted` over `had`, the same source as it stands in the database. Call `write` in a transaction."""

    def __init__(self, source: Source, wanted: Pack, had: Pack, names: Names):
        self.source = source
        self.wanted = wanted
        self.had = had
        self.names = names
        self.report = Report()

    def write(self) -> Report:
        self.source_row()
        for table, model, columns in TABLES:
            self.table(table, model, columns)
        self.elements()
        self.later()
        self.circumstance_tests()
        self.event_includes()
        self.lookup_rows()
        self.parts()
        self.vanished()
        self.count()
        return self.report

    # One row

    def attributes(self, row: dict, columns: Iterable[Column]) -> dict:
        """The row's columns as model attributes, references as ids."""
        return {
            column.field.attname: self.names.id(column.target, row[column.key]) if column.target else row[column.key]
            for column in columns
            if column.key not in LATER
        }

    def source_row(self) -> None:
        """The source's own columns, and the ruleset's when this is its core."""
        source = {key: value for key, value in self.wanted.source.items() if value != self.had.source[key]}
        if source:
            Source.objects.filter(pk=self.source.pk).update(**source)
        requires = self.wanted.requires != self.had.requires
        if requires:
            self.source.requires.set(
                Source.objects.filter(ruleset=self.source.ruleset_id, slug__in=self.wanted.requires)
            )
        ruleset = self.ruleset_moves()
        if plain := {key: self.wanted.ruleset[key] for key in ruleset if key not in LATER}:
            Ruleset.objects.filter(pk=self.source.ruleset_id).update(**plain)
        moved = [*source, *(["requires"] if requires else []), *(f"ruleset {key}" for key in ruleset)]
        if moved:
            self.report.changed += 1
            self.report.lines.append(f"~ source {self.source.slug}: {', '.join(moved)}")

    def ruleset_moves(self) -> list[str]:
        if not self.wanted.source["is_core"]:
            return []
        return [key for key, value in self.wanted.ruleset.items() if value != self.had.ruleset[key]]

    # Tables whose rows have a name

    def table(self, table: str, model: type[models.Model], columns: tuple[Column, ...]) -> None:
        wanted, had = getattr(self.wanted, table), getattr(self.had, table)
        belongs = {"ruleset_id": self.source.ruleset_id, "source_id": self.source.pk}
        new = [name for name in wanted if name not in had]
        made = model.objects.bulk_create(model(**belongs, **self.attributes(wanted[name], columns)) for name in new)
        for name, row in zip(new, made, strict=True):
            self.names.add(model, name, row.pk)
        for name in wanted.keys() & had.keys():
            self.update(model, self.names.id(model, name), wanted[name], had[name], columns)

    def update(
        self, model: type[models.Model], pk: int, wanted: dict, had: dict, columns: Iterable[Column], **more
    ) -> None:
        differing = [column for column in columns if wanted[column.key] != had[column.key]]
        if attributes := self.attributes(wanted, differing):
            model.objects.filter(pk=pk).update(**attributes, **more)

    def elements(self) -> None:
        wanted, had = self.wanted.elements, self.had.elements
        new = [ref for ref in wanted if ref not in had]
        made = Element.objects.bulk_create(
            Element(
                ruleset_id=self.source.ruleset_id,
                source_id=self.source.pk,
                kind=ref.partition(":")[0],
                **self.attributes(wanted[ref], cols.ELEMENT),
            )
            for ref in new
        )
        for ref, element in zip(new, made, strict=True):
            self.names.add(Element, ref, element.pk)
        held = [ref for ref in wanted if ref in had]
        for ref in held:
            self.update(
                Element, self.names.id(Element, ref), wanted[ref], had[ref], cols.ELEMENT, updated=timezone.now()
            )
        self.named_part("resources", Resource, cols.RESOURCE)
        for ref in new:
            self.kind_row(ref)
        for ref in held:
            of_kind = cols.OF_KIND.get(ref.partition(":")[0], ())
            if of_kind:
                self.update(of_kind[0].field.model, self.names.id(Element, ref), wanted[ref], had[ref], of_kind)
        self.groups()

    def kind_row(self, ref: str) -> None:
        """The row of the kind's own table beside a new element; raw, as the element itself is already stored."""
        of_kind = cols.OF_KIND.get(ref.partition(":")[0], ())
        if of_kind:
            model = of_kind[0].field.model
            row = model(
                element_ptr_id=self.names.id(Element, ref), **self.attributes(self.wanted.elements[ref], of_kind)
            )
            row.save_base(raw=True, force_insert=True)

    def groups(self) -> None:
        through = Element.groups.through
        made = []
        for ref, row in self.wanted.elements.items():
            had = self.had.elements.get(ref, {}).get("groups", [])
            if row["groups"] != had:
                pk = self.names.id(Element, ref)
                if had:
                    through.objects.filter(from_element_id=pk).delete()
                made += [
                    through(from_element_id=pk, to_element_id=self.names.id(Element, group)) for group in row["groups"]
                ]
        through.objects.bulk_create(made)

    def later(self) -> None:
        """The references inside a table, and from stats to resources, once everything named is there."""
        for name, row in self.wanted.stats.items():
            self.refer(Stat, name, row, self.had.stats.get(name), ("spent_of", Resource), ("created_of", Stat))
        for ref, row in self.wanted.elements.items():
            self.refer(Element, ref, row, self.had.elements.get(ref), ("parent", Element))
        if "armor_stat" in self.ruleset_moves():
            stat = self.names.id(Stat, self.wanted.ruleset["armor_stat"])
            Ruleset.objects.filter(pk=self.source.ruleset_id).update(armor_stat=stat)

    def refer(self, model: type[models.Model], name: str, row: dict, had: dict | None, *references) -> None:
        moved = {
            key: self.names.id(target, row[key]) for key, target in references if row[key] != (had[key] if had else "")
        }
        if moved:
            model.objects.filter(pk=self.names.id(model, name)).update(**moved)

    # Lists of rows

    def circumstance_tests(self) -> None:
        self.lists(
            CircumstanceTest,
            "circumstance",
            ((self.names.id(Circumstance, slug), row["tests"], self.had.circumstances.get(slug, {}).get("tests", []))
             for slug, row in self.wanted.circumstances.items()),
            lambda index, row: self.attributes(row, cols.CIRCUMSTANCE_TEST),
        )  # fmt: skip

    def lookup_rows(self) -> None:
        self.lists(
            LookupRow,
            "table",
            ((self.names.id(LookupTable, slug), row["rows"], self.had.lookups.get(slug, {}).get("rows", []))
             for slug, row in self.wanted.lookups.items()),
            lambda index, row: row,
        )  # fmt: skip

    def event_includes(self) -> None:
        for slug, row in self.wanted.events.items():
            if row["includes"] != self.had.events.get(slug, {}).get("includes", []):
                event = RestEvent(pk=self.names.id(RestEvent, slug))
                event.includes.set([self.names.id(RestEvent, other) for other in row["includes"]])

    def lists(
        self,
        model: type[models.Model],
        owner: str,
        lists: Iterable[tuple[int, list, list]],
        attributes: Callable[[int, dict], dict],
        **fixed,
    ) -> None:
        """Replace the rows of every (owner's id, wanted, had) that differ."""
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

    def part_lists(self, part: str) -> Iterable[tuple[int, list, list]]:
        for ref, row in self.wanted.elements.items():
            had = self.had.elements.get(ref)
            yield self.names.id(Element, ref), row[part], had[part] if had else []

    def parts(self) -> None:
        for kind, columns in cols.EFFECTS.items():
            self.lists(
                Effect,
                "owner",
                self.part_lists(kind),
                lambda index, row, columns=columns: {"order": index, **self.attributes(row, columns)},
                kind=kind,
            )
        self.lists(
            Prerequisite, "owner", self.part_lists("requires"), lambda _, row: self.attributes(row, cols.PREREQUISITE)
        )
        self.lists(Recovery, "owner", self.part_lists("recoveries"), lambda _, row: self.attributes(row, cols.RECOVERY))
        self.lists(
            PropertyUse,
            "item",
            self.part_lists("properties"),
            lambda index, row: {"order": index, **self.attributes(row, cols.PROPERTY_USE)},
        )
        for aspect in cols.SUGGESTED:
            self.lists(
                Suggestion,
                "background",
                (
                    (
                        self.names.id(Element, ref),
                        row["suggestions"].get(aspect, []),
                        self.had.elements.get(ref, {}).get("suggestions", {}).get(aspect, []),
                    )
                    for ref, row in self.wanted.elements.items()
                ),
                lambda index, row: {"number": index + 1, **row},
                aspect=aspect,
            )
        self.named_part("actions", Action, cols.ACTION, sorted_by="sort")
        self.named_part("choices", Choice, cols.CHOICE, sorted_by="sort")
        self.options()

    def named_part(
        self, part: str, model: type[models.Model], columns: tuple[Column, ...], sorted_by: str = ""
    ) -> None:
        """Choices, resources and actions: found by their slug on their owner, and kept."""
        made = []
        for ref, row in self.wanted.elements.items():
            owner = self.names.id(Element, ref)
            had = {line["slug"]: (at, line) for at, line in enumerate(self.had.elements.get(ref, {}).get(part, []))}
            for gone in had.keys() - {line["slug"] for line in row[part]}:
                try:
                    with transaction.atomic():
                        model.objects.get(owner_id=owner, slug=gone).delete()
                except ProtectedError:
                    raise StillUsed(ref, f"{label(model)} {gone}") from None
            for at, line in enumerate(row[part]):
                place = {sorted_by: at} if sorted_by else {}
                if line["slug"] not in had:
                    made.append(model(owner_id=owner, **place, **self.attributes(line, columns)))
                elif had[line["slug"]] != (at, line):
                    model.objects.filter(owner_id=owner, slug=line["slug"]).update(
                        **place, **self.attributes(line, columns)
                    )
        rows = model.objects.bulk_create(made)
        if model is Resource:
            for row in rows:
                self.names.add(Resource, row.slug, row.pk)

    def options(self) -> None:
        differing: dict[tuple[int, str], dict] = {}
        for ref, row in self.wanted.elements.items():
            had = {line["slug"]: line for line in self.had.elements.get(ref, {}).get("choices", [])}
            for line in row["choices"]:
                before = had.get(line["slug"], {"options": [], "stats": []})
                if (line["options"], line["stats"]) != (before["options"], before["stats"]):
                    differing[self.names.id(Element, ref), line["slug"]] = line
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

    # What the pack no longer has

    def vanished(self) -> None:
        """Delete what nothing needs, retire elements that something does, keep other rows that something does."""
        gone = [ref for ref in self.had.elements if ref not in self.wanted.elements]
        kept = self.delete_all([(Element, ref) for ref in gone])
        for _, ref in kept:
            if self.had.elements[ref]["status"] != Status.RETIRED:
                Element.objects.filter(pk=self.names.id(Element, ref)).update(
                    status=Status.RETIRED, updated=timezone.now()
                )
                self.report.retired += 1
                self.report.lines.append(f"- {ref}: retired, as it is in use")
        rows = [
            (model, name)
            for table, model, _ in TABLES
            for name in getattr(self.had, table)
            if name not in getattr(self.wanted, table)
        ]
        for model, name in self.delete_all(rows):
            self.report.lines.append(f"  {label(model)} {name}: kept, as it is in use")

    def delete_all(self, rows: list[tuple[type[models.Model], str]]) -> list[tuple[type[models.Model], str]]:
        """Delete the rows, again and again while that frees others; the rows that are protected come back."""
        while rows:
            kept = []
            for model, name in rows:
                try:
                    with transaction.atomic():
                        model.objects.get(pk=self.names.id(model, name)).delete()
                except ProtectedError:
                    kept.append((model, name))
                else:
                    self.report.deleted += 1
                    self.report.lines.append(f"- {name if model is Element else f'{label(model)} {name}'}: deleted")
            if len(kept) == len(rows):
                return kept
            rows = kept
        return []

    def count(self) -> None:
        for table, model, _ in (*TABLES, ("elements", Element, ())):
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
