"""The names that lines may use."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from operator import itemgetter
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.text import slugify

from rules import models
from rules.engine.phrases import joined, kind_words
from rules.games import GAMES
from rules.games.contract import Game
from rules.homebrew import found_by_authors, named, readable_by, tag_of
from rules.models.vocabulary import GrantWord, Kind, Status

FEW = 10  # up to this many names are listed
PROFICIENT: set[str] = {Kind.SKILL, Kind.KNOWLEDGE, Kind.TOOL, Kind.WEAPON, Kind.ARMOR, Kind.CATEGORY}
HARMS: set[str] = {Kind.DAMAGE_TYPE, Kind.CONDITION}
GIVEN: dict[str, set[str]] = {  # word -> the kinds for which it has a meaning
    GrantWord.GAIN: {
        Kind.FEATURE, Kind.TALENT, Kind.CONDITION, Kind.SIZE, Kind.LINEAGE, Kind.CULTURE, Kind.BACKGROUND,
        Kind.DISPOSITION, Kind.PATH,
    },
    GrantWord.SKILLED: {*PROFICIENT, Kind.ABILITY},
    GrantWord.KNOWS: {Kind.LANGUAGE},
    GrantWord.OWN: {Kind.WEAPON, Kind.ARMOR, Kind.GEAR, Kind.TOOL},
    GrantWord.RESIST: HARMS,
    GrantWord.IMMUNE: HARMS,
    GrantWord.VULNERABLE: HARMS,
    GrantWord.RANK: {Kind.JOB},
}  # fmt: skip


def level_shape(word: str) -> str:
    """A regular expression for the words for a level: this game's, and that of the vocabulary."""
    return f"(?:{'|'.join(map(re.escape, dict.fromkeys(['level', word])))})"


class NotUnderstood(ValueError):
    """A line that fits no pattern or names something that does not exist. Its text is the sentence for the author, one
    for each such line."""


@dataclass
class Words:
    """The names that lines in a source may use: its own and the public ones of its ruleset; in homebrew, those that its
    authors may name. The lines are about `entry`, which is of `kind`."""

    source: models.Source
    entry: str
    kind: str = ""
    taken: set[str] = field(default_factory=set)
    groups: set[int] = field(default_factory=set)  # the `either` numbers of requirements that are taken
    made: list[models.Resource] = field(default_factory=list)  # made by other lines, not stored yet

    def stat(self, name: str) -> models.Stat:
        """The statistic with this name. If a name is followed by further words, NotUnderstood is about those, as a
        missing circumstance."""
        try:
            return self.stat_alone(name)
        except NotUnderstood:
            self.check_further("statistic", name, models.Stat.objects.all())
            raise

    def check_further(self, what: str, text: str, rows: QuerySet) -> None:
        """Raises NotUnderstood if the text ends with a circumstance that does not exist, after the name of one of the
        rows or after an unknown name."""
        names = [called for called, _ in self._all(rows)]
        said = text.strip()
        if begun := [len(called) for called in names if said.casefold().startswith(f"{called.casefold()} ")]:
            further = said[max(begun) :].strip()
            if " " in further:
                raise self.no_circumstance(further) from None
            return
        name, further = self.parted(said, names)
        if further:
            raise NotUnderstood(f"{_none(what, name, names)} {self.no_circumstance(further)}") from None

    def parted(self, text: str, names: Iterable[str]) -> tuple[str, str]:
        """The text before an unknown circumstance, and that circumstance. It begins at the first word that begins other
        circumstances and is in none of the names; "" if there is no such word."""
        first = {called.casefold().split()[0] for called in self.circumstances}
        first -= {word for called in names for word in called.casefold().split()}
        words = text.split()
        at = next((at for at, word in enumerate(words) if at and word.casefold() in first), len(words))
        return " ".join(words[:at]).rstrip(","), " ".join(words[at:]).rstrip(",")

    def stat_alone(self, name: str) -> models.Stat:
        """The statistic with this name, in a place where no circumstance can follow."""
        return self._named("statistic", models.Stat.objects.all(), name, "key")

    def no_circumstance(self, said: str) -> NotUnderstood:
        return _none("circumstance", said, self.circumstances)

    @cached_property
    def circumstances(self) -> list[str]:
        return [called for called, _ in self._all(models.Circumstance.objects.all())]

    def event(self, name: str) -> models.RestEvent:
        return self._named("rest", models.RestEvent.objects.all(), name, "slug")

    def timing(self, name: str) -> models.ActionTiming:
        return self._named("timing", models.ActionTiming.objects.all(), name, "slug")

    def resource(self, name: str) -> models.Resource:
        """The resource with this name, made by another line or by an entry that may be named."""
        said = name.strip().casefold()
        if made := [one for one in self.made if said in (one.name.casefold(), one.slug)]:
            return made[0]
        owners = [row.pk for _, row in self._all(models.Element.objects.all())]
        found = [
            (row.name, row)
            for row in models.Resource.objects.filter(owner__source__ruleset=self.source.ruleset_id)
            if row.owner_id in owners
        ]
        return self._found("resource", found, name, "slug")

    def switch(self, name: str) -> models.Switch:
        return self._named("house rule", models.Switch.objects.all(), name, "key")

    def element(self, name: str, kinds: Iterable[str] = ()) -> models.Element:
        found = models.Element.objects.filter(kind__in=kinds) if kinds else models.Element.objects.all()
        return self._named("entry", found, name, "ref")

    def fitting(self, name: str, kinds: set[str], ways: Mapping[str, set[str]]) -> models.Element:
        """The element of one of these kinds with this name. If only an element of another kind has the name, raises
        NotUnderstood with the wording that fits that kind."""
        try:
            return self.element(name, kinds)
        except NotUnderstood:
            found = self.element(name)
            if found.kind in kinds:
                raise
            way = next((way for way, others in ways.items() if found.kind in others), "")
            way_out = f"write “{way.format(found.name)}”" if way else "name something else"
            called, _ = kind_words(found.kind, self.game.kinds)
            raise NotUnderstood(f"{found.name} is {article(called)}: {way_out}.") from None

    def called(self, name: str, kinds: Iterable[str]) -> str:
        """The name as an entry of these kinds spells it; "" if none has it."""
        try:
            return self.element(name, kinds).name
        except NotUnderstood:
            return ""

    def split(self, text: str) -> tuple[str, models.Circumstance | None]:
        """The text before the circumstance at its end, and that circumstance; if several fit, the one with the longest
        name."""
        ends = [
            (len(said), one)
            for name, one in self._all(models.Circumstance.objects.all())
            for said in (name, one.name)
            if text.casefold().endswith(f" {said.casefold()}")
        ]
        if not ends:
            return text, None
        length, circumstance = max(ends, key=itemgetter(0))
        return text[:-length].strip().rstrip(","), circumstance

    def new_slug(self, name: str) -> str:
        """A slug that no resource, no statistic of uses and no action has yet. A sheet finds actions by slug."""
        resources = models.Resource.objects.filter(owner__ruleset=self.source.ruleset_id).values_list("slug", flat=True)
        keys = models.Stat.objects.filter(ruleset=self.source.ruleset_id).values_list("key", flat=True)
        actions = models.Action.objects.filter(owner__ruleset=self.source.ruleset_id).values_list("slug", flat=True)
        taken = {*resources, *(key.removesuffix(".max") for key in keys), *actions, *self.taken}
        first = slugify(name)[:50].strip("-")
        if not first or not first[0].isalpha():
            first = f"uses-{first}".strip("-")
        slug = named(first, self.source, taken, 56)
        self.taken.add(slug)
        return slug

    def new_either(self) -> int:
        """An `either` number that no group of alternative requirements has yet."""
        either = next(number for number in count(1) if number not in self.groups)
        self.groups.add(either)
        return either

    def _all(self, rows: QuerySet) -> list[tuple[str, Model]]:
        """(name, row) of all rows that may be named."""
        if self.is_private:
            return found_by_authors(rows, self.source)
        found = rows.filter(source__in=readable_by(self.source))
        return [(row.name, row) for row in found if getattr(row, "status", "") != Status.RETIRED]

    @cached_property
    def game(self) -> Game:
        return GAMES[self.source.ruleset.game]

    @property
    def level(self) -> str:
        """The game's word for a level."""
        return self.game.levels.NAME

    @cached_property
    def is_private(self) -> bool:
        return bool(tag_of(self.source))

    def _named(self, what: str, rows: QuerySet, name: str, key: str) -> Any:
        """The row with this published name, present name or key. An entry may be read back with a present name that is
        not published yet."""
        return self._found(what, self._all(rows), name, key)

    def _found(self, what: str, rows: list[tuple[str, Model]], name: str, key: str) -> Any:
        wanted = name.strip().casefold()
        found = [
            row
            for called, row in rows
            if wanted in (called.casefold(), row.name.casefold(), getattr(row, key).casefold())
        ]
        if len(found) == 1:
            return found[0]
        if found:
            keys = ", ".join(getattr(row, key) for row in found)
            raise NotUnderstood(f"More than one {what} is called “{name}”. Write which: {keys}.")
        raise _none(what, name, [called for called, _ in rows])


def out_of_place(kind: str, word: str) -> str:
    """The end of a refusal, "a feature: choose “gains”", if a grant with this word means nothing for elements of this
    `kind`; otherwise ""."""
    if kind in GIVEN[word]:
        return ""
    fitting = [f"“{GrantWord(other).label}”" for other, kinds in GIVEN.items() if kind in kinds]
    return f"{article(Kind(kind).label)}: {f'choose {joined(fitting, "or")}' if fitting else 'name something else'}"


def article(name: str) -> str:
    words = name[:1].lower() + name[1:]
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _none(what: str, name: str, there: list[str]) -> NotUnderstood:
    """The refusal of an unknown name, with the nearest known one, or all if there are few."""
    if 0 < len(there) <= FEW:
        meant = f" Write {joined(there, 'or')}."
    else:
        near = get_close_matches(name.strip().casefold(), [called.casefold() for called in there], 1)
        meant = next((f" Do you mean {called}?" for called in there if near and called.casefold() == near[0]), "")
    return NotUnderstood(f"No {what} is called “{name}”.{meant}")
