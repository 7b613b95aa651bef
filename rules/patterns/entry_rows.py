"""The rows of an entry, loaded to be read back, and a test whether a sentence says everything in a row."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q

from rules import models
from rules.engine.phrases import counts_levels
from rules.games import GAMES
from rules.games.contract import Game
from rules.homebrew import readable_by
from rules.models.vocabulary import Status

from .amounts import END_OF

PLACE = {"id", "owner", "kind", "order", "sort"}  # columns for the place of a row, which are no content
EFFECTS = {"modify": models.StatModifier, "roll": models.RollModifier, "grant": models.Grant, "note": models.Note}


@dataclass(frozen=True)
class RowSentence:
    """A sentence, and the rows of an entry that it makes, stored or not, in the order in which it makes them."""

    text: str
    rows: tuple[Model, ...]


class Rows:
    """The rows of `entry`, read in at most eight queries."""

    def __init__(self, entry: models.Element):
        self.entry = entry

    @cached_property
    def game(self) -> Game:
        return GAMES[self.entry.ruleset.game]

    @cached_property
    def effects(self) -> list[models.Effect]:
        related = ("stat", "of_stat", "when", "ability", "subject", "element")
        rows = list(models.Effect.objects.filter(owner=self.entry.pk).select_related(*related))
        for row in rows:
            row.__class__ = EFFECTS[row.kind]
        return rows

    @cached_property
    def choices(self) -> list[models.Choice]:
        listed = Exists(models.ChoiceOption.objects.filter(choice=OuterRef("pk")))
        return list(models.Choice.objects.filter(owner=self.entry.pk).annotate(listed=listed))

    @cached_property
    def resources(self) -> list[models.Resource]:
        return list(models.Resource.objects.filter(owner=self.entry.pk).select_related("max_stat").order_by("pk"))

    @cached_property
    def recoveries(self) -> list[models.Recovery]:
        """The entry's recoveries, and those of other entries that restore its resources."""
        own = Q(owner=self.entry.pk) | Q(resource__owner=self.entry.pk)
        return list(models.Recovery.objects.filter(own).select_related("event").order_by("pk"))

    @cached_property
    def actions(self) -> list[models.Action]:
        rows = models.Action.objects.filter(owner=self.entry.pk).select_related("timing", "resource", "of_stat")
        return list(rows.order_by("sort", "pk"))

    @cached_property
    def requirements(self) -> list[models.Prerequisite]:
        rows = models.Prerequisite.objects.filter(owner=self.entry.pk)
        return list(rows.select_related("element", "stat", "switch").order_by("pk"))

    @property
    def level(self) -> str:
        """The game's word for a level."""
        return self.game.levels.NAME

    def end_of(self, row: models.Effect) -> str:
        """The words for how often the row's amount counts: “ per level”."""
        return END_OF[row.per].format(level=self.level)

    @property
    def rank_word(self) -> str:
        return self.level if counts_levels(self.entry.kind) else "rank"

    def begun(self, row: Model) -> str:
        return f"from {self.rank_word} {row.from_rank}: " if row.from_rank else ""

    def name(self, named: models.Stat | models.Element) -> str:
        """The name, or the key if several things have the same name."""
        if named.name.casefold() not in self._shared_names:
            return named.name
        return named.key if isinstance(named, models.Stat) else named.ref

    def resource_name(self, resource: models.Resource) -> str:
        """The name, or the slug if several counters have the same name."""
        alike = models.Resource.objects.filter(
            owner__source__in=readable_by(self.entry.source), name__iexact=resource.name
        )
        return resource.slug if len(alike) > 1 else resource.name

    @cached_property
    def _shared_names(self) -> set[str]:
        """The names that several statistics, or several elements, share, in lower case."""
        rows: list[Any] = [*self.effects, *self.requirements]
        stats = {row.stat.name for row in rows if row.stat}
        stats |= {row.of_stat.name for row in (*self.effects, *self.actions) if row.of_stat}
        elements = {one.name for row in self.effects for one in (row.ability, row.subject) if one}
        elements |= {row.element.name for row in rows if row.element}
        readable = readable_by(self.entry.source)
        named = models.Stat.objects.filter(source__in=readable, name__in=stats)
        elements_named = models.Element.objects.filter(source__in=readable, name__in=elements)
        elements_named = elements_named.exclude(status=Status.RETIRED)
        counts = (
            Counter(name.casefold() for name in rows.values_list("name", flat=True)) for rows in (named, elements_named)
        )
        return {name for count in counts for name, times in count.items() if times > 1}


def is_plain(row: Model, *said: str) -> bool:
    """True if every column that is not in `said` has its default, and the amount, if in `said`, is set."""
    if "amount" in said and row.amount is None:
        return False
    return all(
        field.name in said
        or field.name in PLACE
        or getattr(row, field.attname) == (None if field.is_relation else field.get_default())
        for field in row._meta.concrete_fields
    )


def when(row: models.Effect) -> str:
    return f" {row.when.name}" if row.when_id else ""
