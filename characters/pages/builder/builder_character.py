"""An open character with its game's own steps of making one, for the pages of the builder."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

from django.http import Http404, HttpRequest
from django.urls import reverse

from characters.read.open import OpenCharacter
from rules.engine.sheet import Problem
from rules.games.contract import Section, Steps


class BuilderCharacter(OpenCharacter):
    @classmethod
    def at_step(cls, request: HttpRequest, pk: int, step: str) -> Self:
        """As `playable`, and a 404 if its game has no such step."""
        opened = cls.playable(request, pk)
        if step not in opened.steps.STEPS:
            raise Http404("No such step.")
        return opened

    @property
    def steps(self) -> Steps:
        return self.game.steps

    @cached_property
    def sections(self) -> Mapping[str, Sequence[Section]]:
        return self.steps.sections(self.bundle, self.build, self.sheet)

    @cached_property
    def problems(self) -> Sequence[tuple[str, str, Problem]]:
        """Each problem, with the step and the place on it where the player can fix it: step, place, problem."""
        return self.steps.problems(self.bundle, self.build, self.sheet)

    def step_of(self, choice: str) -> str:
        """The step that asks this choice; the first one if none does."""
        for step, sections in self.sections.items():
            if any(line.choice.key == choice for section in sections for line in section.lines):
                return step
        return next(iter(self.sections))

    def url(self, step: str) -> str:
        return reverse("characters:build", args=[self.character.pk, step])
