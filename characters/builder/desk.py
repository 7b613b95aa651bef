"""What a builder page works with: one character and all that is derived of it, loaded once."""

from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse

from characters.access import playable
from characters.build import sheet_of
from characters.models import Character
from characters.people import Person, person_of
from rules.engine.build import Build
from rules.engine.bundle import Bundle
from rules.engine.sheet import Sheet
from rules.games.contract import Game, Steps
from rules.models import Element


@dataclass(frozen=True)
class Desk:
    character: Character
    person: Person
    bundle: Bundle
    build: Build
    sheet: Sheet

    @cached_property
    def game(self) -> Game:
        return self.bundle.game

    @cached_property
    def steps(self) -> Steps:
        """The game's own division of the work into steps."""
        return self.game.steps

    @cached_property
    def sections(self):
        return self.steps.sections(self.bundle, self.build, self.sheet)

    @cached_property
    def problems(self):
        """What does not hold: the step that mends it, the place there, and the problem."""
        return self.steps.problems(self.bundle, self.build, self.sheet)

    def step_of(self, choice: str) -> str:
        """The step that a choice stands in; the first one for a choice that nobody asks."""
        for step, sections in self.sections.items():
            if any(line.choice.key == choice for section in sections for line in section.lines):
                return step
        return next(iter(self.sections))

    @cached_property
    def lines(self):
        """Every question asked now, by key and level."""
        return {(line.choice.key, line.level): line for line in self.sheet.choices}

    def again(self) -> "Desk":
        """The same character as it stands after a change."""
        return desk_of(Character.objects.select_related("ruleset").get(pk=self.character.pk), self.person)

    def url(self, step: str) -> str:
        return reverse("characters:build", args=[self.character.pk, step])

    def texts(self, refs) -> dict[str, str]:
        """The rules' own words on these elements, by ref. One query."""
        slugs = {ref.partition(":")[2] for ref in refs if ref}
        rows = Element.objects.filter(ruleset=self.character.ruleset_id, slug__in=slugs).order_by()
        return {f"{kind}:{slug}": text for kind, slug, text in rows.values_list("kind", "slug", "text")}


def desk_of(character: Character, person: Person) -> Desk:
    return Desk(character, person, *sheet_of(character))


def open_desk(request, pk) -> Desk:
    """The desk of a character that this visitor may change, else 404."""
    person = person_of(request)
    return desk_of(playable(pk, person), person)
