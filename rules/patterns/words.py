"""The names that sentences may use."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from django.utils.text import slugify

from rules import models
from rules.free_slug import free_slug
from rules.models.vocabulary import Status


class NotUnderstood(ValueError):
    """A line that fits no pattern, or names what is not there. Its text is the sentence for the author."""


@dataclass
class Words:
    """The names that lines may use: those of one ruleset. The lines are about `entry`, which is of `kind`."""

    ruleset: int
    entry: str
    kind: str = ""
    taken: set[str] = field(default_factory=set)

    def stat(self, name: str) -> models.Stat:
        return self._named("statistic", models.Stat.objects.filter(ruleset=self.ruleset), name, "key")

    def event(self, name: str) -> models.RestEvent:
        return self._named("rest", models.RestEvent.objects.filter(ruleset=self.ruleset), name, "slug")

    def timing(self, name: str) -> models.ActionTiming:
        return self._named("timing", models.ActionTiming.objects.filter(ruleset=self.ruleset), name, "slug")

    def element(self, name: str, kinds: Iterable[str] = ()) -> models.Element:
        found = models.Element.objects.filter(ruleset=self.ruleset).exclude(status=Status.RETIRED)
        return self._named("entry", found.filter(kind__in=kinds) if kinds else found, name, "ref")

    def split(self, text: str) -> tuple[str, models.Circumstance | None]:
        """The text before a circumstance that it ends with, and that circumstance: the one with the longest name."""
        ends = [
            (len(one.name), one)
            for one in models.Circumstance.objects.filter(ruleset=self.ruleset)
            if text.casefold().endswith(f" {one.name.casefold()}")
        ]
        if not ends:
            return text, None
        length, circumstance = max(ends, key=lambda end: end[0])
        return text[:-length].strip().rstrip(","), circumstance

    def new_slug(self, name: str) -> str:
        """A slug that no resource and no statistic of its uses has yet."""
        resources = models.Resource.objects.filter(owner__ruleset=self.ruleset).values_list("slug", flat=True)
        keys = models.Stat.objects.filter(ruleset=self.ruleset).values_list("key", flat=True)
        taken = {*resources, *(key.removesuffix(".max") for key in keys), *self.taken}
        first = slugify(name)[:50].strip("-")
        if not first or not first[0].isalpha():
            first = f"uses-{first}".strip("-")
        slug = free_slug(first, taken, 56)
        self.taken.add(slug)
        return slug

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
