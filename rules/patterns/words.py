"""The names that sentences may use."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from django.db.models import Model, QuerySet
from django.utils.text import slugify

from rules import models
from rules.homebrew import named, readable_by
from rules.models.vocabulary import Status


class NotUnderstood(ValueError):
    """A line that fits no pattern, or names what is not there. Its text is the sentence for the author."""


@dataclass
class Words:
    """The names that the lines of a source may use: its own, and those that are everyone's in its ruleset; of homebrew
    those that it builds on. The lines are about `entry`, which is of `kind`."""

    source: models.Source
    entry: str
    kind: str = ""
    taken: set[str] = field(default_factory=set)

    def stat(self, name: str) -> models.Stat:
        return self._named("statistic", self._all(models.Stat), name, "key")

    def event(self, name: str) -> models.RestEvent:
        return self._named("rest", self._all(models.RestEvent), name, "slug")

    def timing(self, name: str) -> models.ActionTiming:
        return self._named("timing", self._all(models.ActionTiming), name, "slug")

    def element(self, name: str, kinds: Iterable[str] = ()) -> models.Element:
        found = self._all(models.Element).exclude(status=Status.RETIRED)
        return self._named("entry", found.filter(kind__in=kinds) if kinds else found, name, "ref")

    def split(self, text: str) -> tuple[str, models.Circumstance | None]:
        """The text before a circumstance that it ends with, and that circumstance: the one with the longest name."""
        ends = [
            (len(one.name), one)
            for one in self._all(models.Circumstance)
            if text.casefold().endswith(f" {one.name.casefold()}")
        ]
        if not ends:
            return text, None
        length, circumstance = max(ends, key=lambda end: end[0])
        return text[:-length].strip().rstrip(","), circumstance

    def new_slug(self, name: str) -> str:
        """A slug that no resource and no statistic of its uses has yet."""
        resources = models.Resource.objects.filter(owner__ruleset=self.source.ruleset_id).values_list("slug", flat=True)
        keys = models.Stat.objects.filter(ruleset=self.source.ruleset_id).values_list("key", flat=True)
        taken = {*resources, *(key.removesuffix(".max") for key in keys), *self.taken}
        first = slugify(name)[:50].strip("-")
        if not first or not first[0].isalpha():
            first = f"uses-{first}".strip("-")
        slug = named(first, self.source, taken, 56)
        self.taken.add(slug)
        return slug

    def _all(self, model: type[Model]) -> QuerySet:
        return model.objects.filter(source__in=self.readable)

    @cached_property
    def readable(self) -> QuerySet[models.Source]:
        return readable_by(self.source)

    def _named(self, what, rows, name, key):
        wanted = name.strip().casefold()
        rows = list(rows)
        found = [row for row in rows if wanted in (row.name.casefold(), getattr(row, key).casefold())]
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(getattr(row, key) for row in found)
            raise NotUnderstood(f"More than one {what} is called “{name}”. Write which: {keys}.")
        near = get_close_matches(wanted, [row.name.casefold() for row in rows], 1)
        meant = next((f" Do you mean {row.name}?" for row in rows if near and row.name.casefold() == near[0]), "")
        raise NotUnderstood(f"No {what} is called “{name}”.{meant}")
