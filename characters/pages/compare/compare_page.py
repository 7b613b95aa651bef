"""Two levels of a character, or two characters, side by side in the words of the rules."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters.access import READER, visible_to
from characters.models import Character
from characters.pages.game_templates import template_of
from characters.people import visitor_of
from characters.read.open import OpenCharacter
from rules.engine import difference
from rules.engine.difference import DiffLine
from rules.games.contract import Game

from .comparison_text import comparison_sections

MOST_OTHERS = 200


class CompareForm(forms.Form):
    """A level, another character, and a level of that one. All are optional: the page has its defaults. In a game
    without levels it asks only for the character."""

    first = forms.IntegerField(required=False, min_value=1, max_value=10_000)
    other = forms.ChoiceField(label="Compare with", required=False)
    second = forms.IntegerField(required=False, min_value=1, max_value=10_000)

    def __init__(self, data: Mapping[str, Any], *, others: Iterable[Character], game: Game) -> None:
        super().__init__(data)
        level = game.levels.NAME
        self.fields["first"].label, self.fields["second"].label = level.capitalize(), f"At {level}"
        self.others = {str(one.pk): one for one in others}
        names = [(key, f"{one} (sample)" if one.sample else str(one)) for key, one in self.others.items()]
        self.fields["other"].choices = [("", "The same character"), *names]
        self.fields["other"].error_messages["invalid_choice"] = "There is no such character to compare with."
        for name in ("first", "second"):
            self.fields[name].widget.attrs |= {"min": 1, "inputmode": "numeric"}
            words = dict.fromkeys(("invalid", "min_value", "max_value"), f"Enter a {level}, 1 or more.")
            self.fields[name].error_messages |= words
            if not game.has_levels:
                del self.fields[name]

    def fill(self, **levels: int | None) -> None:
        """Show the levels that the page chose by itself."""
        self.data: Mapping[str, Any] = {**levels, **{name: value for name, value in self.data.items() if value}}

    def check_level(self, name: str, side: OpenCharacter) -> None:
        if side.level is not None and side.level > side.last_level:
            words = f"{side.character} has no {side.game.levels.NAME} {side.level}"
            self.add_error(name, f"{words}: the last is {side.last_level}.")


@require_safe
def compare(request: HttpRequest, **where: Any) -> HttpResponse:
    opened = OpenCharacter.readable(request, **where)
    character = opened.character
    left, others = opened.at(opened.present_level), others_of(request, character)
    form = CompareForm(request.GET or default_data(left, others), others=others, game=opened.game)
    asked = form.cleaned_data if form.is_valid() else {}
    if other := form.others.get(asked.get("other", "")):
        right = OpenCharacter.of(other, opened.visitor, READER)
        right, first = right.at(asked.get("second") or right.present_level), opened.present_level
    else:
        second = asked.get("second") or max(opened.present_level, min(2, opened.last_level))
        right, first = opened.at(second), max(1, second - 1)
    left = opened.at(asked.get("first") or first)
    form.fill(first=left.level, second=right.level)
    form.check_level("first", left)
    form.check_level("second", right)
    two, has_levels = left.character != right.character, opened.game.has_levels
    context = {**opened.context, "form": form, "left": left, "right": right, "two": two, "has_levels": has_levels}
    if form.is_valid() and (two or has_levels):
        moves = (*difference(left.sheet, right.sheet), *spells(left, right))
        context |= {"bundle": right.bundle, "sections": comparison_sections(right.bundle, moves, left.bundle)}
        context |= {"left_name": name_beside(left, right), "right_name": name_apart(right, left)}
    status = 200 if form.is_valid() else 422
    return render(request, template_of(left.bundle, "compare/compare.html"), context, status=status)


def spells(left: OpenCharacter, right: OpenCharacter) -> list[DiffLine]:
    """The spells that only one side has, or that the sides word differently; before and after are the text of such a
    spell."""
    had, has = ([replace(spell, key="") for spell in side.build.spells] for side in (left, right))
    only = [(spell, True) for spell in had if spell not in has] + [(spell, False) for spell in has if spell not in had]
    found = []
    for at, (spell, gone) in enumerate(only):
        side = left if gone else right
        words = side.game.spells.in_words(side.bundle, spell)
        says = "\n\n".join(part for part in (words, spell.text) if part) or spell.name
        found.append(DiffLine("spell", f"spell {at}", spell.name, says if gone else "", "" if gone else says))
    return found


def default_data(side: OpenCharacter, others: Iterable[Character]) -> dict[str, Any]:
    """The form's default data: empty, or another character to compare with if this one has only one level to show,
    planned levels included."""
    other = next(iter(others), None) if side.last_level == 1 else None
    return {"other": str(other.pk)} if other else {}


def others_of(request: HttpRequest, character: Character) -> QuerySet:
    """The characters of the same game that the visitor may see, the samples last."""
    seen = Character.objects.filter(visible_to(visitor_of(request)) | ~Q(sample=""))
    others = seen.filter(ruleset=character.ruleset_id).exclude(pk=character.pk)
    return others.select_related("ruleset").order_by("sample", "name")[:MOST_OTHERS]


def name_beside(side: OpenCharacter, other: OpenCharacter) -> str:
    """The words that tell this side from the other."""
    return f"{side.game.levels.NAME} {side.level}" if side.character == other.character else str(side.character)


def name_apart(side: OpenCharacter, other: OpenCharacter) -> str:
    """The name of the right side, told from the left: copies of one sample have the same."""
    name = name_beside(side, other)
    return f"the other {name}" if name == str(other.character) else name
